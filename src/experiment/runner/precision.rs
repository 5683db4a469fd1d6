//! The rule that says when a point has enough trials, as `trials = { min, max, precision }` asks.
//!
//! A pure function of sums that are exact, with no arithmetic but +, −, ×, ÷ and √: it decides
//! which rows a run has, so it must say the same everywhere.

use super::batches::Tally;

/// The 0.975 quantile of the standard normal distribution.
pub const NORMAL_975: f64 = 1.959963984540054;

/// True if the relative half width of the 95 % interval is at most `precision`.
pub fn is_precise(seen: &Tally, precision: f64) -> bool {
    relative_half_width(seen) <= precision
}

/// Half width of the normal 95 % interval of the mean absorption time, relative to the mean; with
/// censored trials, of the expected run length E[min(T, c)] / F(c), by the delta method. With xᵢ =
/// min(Tᵢ, c), eᵢ = 1 for a trial that was absorbed and 0 for another, means x̄ and ē over m
/// trials:
///
/// > z · √( Σ (xᵢ / x̄ − eᵢ / ē)² / (m (m − 1)) )
///
/// which is z · s / (x̄ √m) where every trial was absorbed. Infinite without an absorbed trial and
/// for fewer than two trials; 0 where all took no time. Source: the delta method for a ratio of
/// means, as in Cochran, Sampling Techniques (1977), section 6.3.
pub fn relative_half_width(seen: &Tally) -> f64 {
    if seen.absorbed == 0 || seen.trials < 2 {
        return f64::INFINITY;
    }
    if seen.time == 0 {
        return 0.0;
    }
    let trials = seen.trials as f64;
    let (mean, share) = (seen.time as f64 / trials, seen.absorbed as f64 / trials);
    let absorbed_time = seen.absorbed_time as f64;
    NORMAL_975 * relative_error_of_run_length(trials, (mean, share), seen.squares(), absorbed_time)
}

/// √( Σ (xᵢ / x̄ − eᵢ / ē)² / (m (m − 1)) ), the relative standard error of x̄ / ē over m trials,
/// from (x̄, ē), Σ xᵢ² and Σ eᵢ xᵢ, each eᵢ being 0 or 1.
pub fn relative_error_of_run_length(
    trials: f64,
    (mean, share): (f64, f64),
    squares: f64,
    absorbed_time: f64,
) -> f64 {
    // Multiplied out; e² is e.
    let sum = squares / (mean * mean) - 2.0 * absorbed_time / (mean * share) + trials / share;
    (sum.max(0.0) / (trials * (trials - 1.0))).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::rng::{Generator, midpoint};

    fn seen(times: &[u64], cutoff: u64) -> Tally {
        let trial = |&time| Tally::of(Some(time).filter(|&it| it <= cutoff), cutoff);
        let trials: Vec<Tally> = times.iter().map(trial).collect();
        trials.iter().fold(Tally::default(), Tally::with)
    }

    /// NumPy's standard deviation, and the derivative of the ratio with respect to each trial's
    /// weight: tests/reference/sequential.py.
    #[test]
    fn half_widths_are_numpys() {
        let times = [3, 141, 59, 26, 535, 897, 93, 238, 46, 264];
        for (cutoff, numpy) in [
            (1000, 0.762622904410655),
            (500, 0.91874232810307),
            (100, 0.91920118601823),
        ] {
            let width = relative_half_width(&seen(&times, cutoff));
            assert!((width / numpy - 1.0).abs() < 1e-12, "{width} for {numpy}");
        }
    }

    #[test]
    fn what_says_nothing_is_not_precise_and_what_is_certain_is() {
        for nothing in [seen(&[], 10), seen(&[5], 10), seen(&[11, 12, 13], 10)] {
            assert_eq!(relative_half_width(&nothing), f64::INFINITY);
        }
        assert_eq!(relative_half_width(&seen(&[0; 30], 10)), 0.0);
        assert!(relative_half_width(&seen(&[7; 30], 10)) < 1e-7);
        // By hand: mean 2 and standard deviation √2, so z · √2 / (2 √2) = z / 2.
        let two = seen(&[1, 3], 10);
        assert!(is_precise(&two, 0.98) && !is_precise(&two, 0.979));
    }

    /// Coverage of the truth at the stop, precision 0.1, batches from 30 on, exponential times:
    /// 0.9472 by NumPy on 20 000 samples (tests/reference/sequential.py). n = 4000; threshold 4
    /// standard errors, hence a false failure in 16 000 (fixed seed).
    #[test]
    fn intervals_at_the_stop_cover_as_an_independent_simulation_says() {
        let mut generator = Generator::of(&31_u64.to_le_bytes());
        let mut exponential = || (-1e6 * libm::log(midpoint(generator.word()))).round() as u64;
        let mut covers = || {
            let mut tally = Tally::default();
            while !is_precise(&tally, 0.1) {
                let batch = 0..tally.trials.max(30);
                let batch: Vec<u64> = batch.map(|_| exponential()).collect();
                tally = tally.with(&seen(&batch, u64::MAX));
            }
            let mean = tally.time as f64 / tally.trials as f64;
            (mean - 1e6).abs() <= relative_half_width(&tally) * mean
        };
        let hits = (0..4000).filter(|_| covers()).count();
        let error = f64::sqrt(0.9472 * (1.0 - 0.9472) * (1.0 / 4000.0 + 1.0 / 20_000.0));
        assert!(
            (hits as f64 / 4000.0 - 0.9472).abs() < 4.0 * error,
            "{hits} of 4000"
        );
    }
}
