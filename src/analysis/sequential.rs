//! When a point has trials enough: the rule behind `trials = { min, max, precision }`.
//!
//! A pure function of sums that are exact, with no arithmetic but +, −, ×, ÷ and √: it decides which rows a run has, so it must say the same everywhere.
//! For that reason this file is part of the code version.

use crate::experiment::runner::Tally;

/// 0.975 quantile of the normal law.
const NORMAL_975: f64 = 1.959963984540054;

/// Whether the relative half width of the 95 % interval is at most `precision`; an instance of
/// [`StoppingRule`](crate::experiment::runner::StoppingRule).
pub fn is_precise(seen: &Tally, precision: f64) -> bool {
    relative_half_width(seen) <= precision
}

/// Half width of the normal 95 % interval of the mean absorption time, relative to the mean; with censored trials, of the expected run length
/// E[min(T, c)] / F(c), by the delta method. With xᵢ = min(Tᵢ, c), eᵢ = 1 for a trial that was absorbed and 0 for another, means x̄ and ē over m trials:
///
/// > z · √( Σ (xᵢ / x̄ − eᵢ / ē)² / (m (m − 1)) )
///
/// which is z · s / (x̄ √m) where every trial was absorbed. Infinite without an absorbed trial and for fewer than two trials; 0 where all took no time.
/// Source: the delta method for a ratio of means, as in Cochran, Sampling Techniques (1977), section 6.3.
pub fn relative_half_width(seen: &Tally) -> f64 {
    if seen.absorbed == 0 || seen.trials < 2 {
        return f64::INFINITY;
    }
    if seen.time == 0 {
        return 0.0;
    }
    let trials = seen.trials as f64;
    let (mean, share) = (seen.time as f64 / trials, seen.absorbed as f64 / trials);
    // Σ (x / x̄ − e / ē)², multiplied out; e² is e.
    let squares = seen.squares() / (mean * mean) - 2.0 * seen.absorbed_time as f64 / (mean * share) + trials / share;
    NORMAL_975 * (squares.max(0.0) / (trials * (trials - 1.0))).sqrt()
}
