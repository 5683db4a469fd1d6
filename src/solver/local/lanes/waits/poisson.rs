//! Poisson numbers: for small means Knuth's product of uniform numbers as a sum of exponential
//! ones, else Hörmann's transformed rejection PTRS ("The transformed rejection method for
//! generating Poisson random variables", Insurance: Mathematics and Economics 12 (1993)).

use std::f64::consts::TAU;

use crate::solver::rng::TrialStream;

/// From this mean on, rejection.
const LARGE: f64 = 10.0;

/// A Poisson number of this mean, which is finite and not negative.
pub fn poisson(mean: f64, stream: &mut TrialStream) -> u64 {
    if mean < LARGE {
        arrivals(mean, stream)
    } else {
        transformed_rejection(mean, stream)
    }
}

/// Arrivals at rate 1 within a time.
fn arrivals(time: f64, stream: &mut TrialStream) -> u64 {
    let (mut count, mut at) = (0, stream.exponential());
    while at < time {
        count += 1;
        at += stream.exponential();
    }
    count
}

/// PTRS: a uniform number u is transformed into a candidate, which is accepted with the probability
/// that makes its law exact, most often without that being computed.
fn transformed_rejection(mean: f64, stream: &mut TrialStream) -> u64 {
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.024_83 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let surely = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let (u, v) = (uniform(stream) - 0.5, uniform(stream));
        let from_edge = 0.5 - u.abs();
        let k = ((2.0 * a / from_edge + b) * u + mean + 0.43).floor();
        if from_edge >= 0.07 && v <= surely {
            return k as u64;
        }
        if k < 0.0 || from_edge < 0.013 && v > from_edge {
            continue;
        }
        let height = v * inverse_alpha / (a / (from_edge * from_edge) + b);
        if libm::log(height) <= log_probability(k, mean) {
            return k as u64;
        }
    }
}

/// ln(mean^k e^(−mean) / k!), without the loss of digits of the plain formula: Loader, "Fast and
/// accurate computation of binomial probabilities" (2000).
pub(super) fn log_probability(k: f64, mean: f64) -> f64 {
    if k == 0.0 {
        return -mean;
    }
    -stirling_error(k) - deviance(k, mean) - 0.5 * libm::log(TAU * k)
}

/// ln k! − ln(√(2πk) (k/e)^k).
fn stirling_error(k: f64) -> f64 {
    if k <= 15.0 {
        return libm::lgamma(k + 1.0) - (k + 0.5) * libm::log(k) + k - 0.5 * libm::log(TAU);
    }
    let square = k * k;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0) / square) / square) / square) / k
}

/// k ln(k / mean) + mean − k.
fn deviance(k: f64, mean: f64) -> f64 {
    let difference = k - mean;
    if difference.abs() >= 0.1 * (k + mean) {
        return k * libm::log(k / mean) - difference;
    }
    let ratio = difference / (k + mean);
    let (mut sum, mut power) = (difference * ratio, 2.0 * k * ratio);
    for term in 1..1000 {
        power *= ratio * ratio;
        let next = sum + power / f64::from(2 * term + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Uniform in (0, 1): the midpoints (i + ½) 2⁻⁵³.
fn uniform(stream: &mut TrialStream) -> f64 {
    const TWO_TO_MINUS_53: f64 = f64::EPSILON / 2.0;
    ((stream.word() >> 11) as f64 + 0.5) * TWO_TO_MINUS_53
}
