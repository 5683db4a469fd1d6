//! Resampling with replacement: the interval of a mean where a figure asks for it, and the
//! resampled means of a whole sweep.

use super::distribution::{NORMAL_975, normal_distribution, normal_quantile};
use super::mean::Interval;
use crate::solver::Point;
use crate::solver::rng::{Generator, TrialStream};

/// Resamples behind an interval of a mean.
const RESAMPLES: usize = 10_000;
/// The numbers of trials at which the bootstrap is used: with fewer trials its interval is too
/// short; with more it is that of the logarithm.
const TRIALS: std::ops::RangeInclusive<usize> = 200..=10_000;
/// What the bootstrap's own stream of random numbers is named by; raised when the draws change.
const DOMAIN: &str = "reines/bootstrap/1";
/// The same of [`resampled_means`].
const SWEEP_DOMAIN: &str = "reines/bootstrap/valley/1";

/// The bias-corrected and accelerated 95 % interval of the mean (BCa), from 200 to 10 000 values;
/// `None` with fewer or more.
///
/// The stream is xoshiro256++ with the BLAKE3 hash of `DOMAIN` as its state: fixed, the same for
/// every sample, apart from the solver's streams. Word w draws value ⌊w · m / 2⁶⁴⌋ (favours none by
/// more than m/2⁶⁴). With z₀ the normal quantile of the share of resampled means below the mean
/// (ties count half), the acceleration a = Σ dᵢ³ / (6 (Σ dᵢ²)^1.5), dᵢ = xᵢ − mean, and z = ∓1.96,
/// the ends are the resampled means of rank ⌈B Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z)))⌉. Source: Efron,
/// J. Am. Stat. Assoc. 82 (1987) 171.
pub fn interval_of_mean(values: &[u64]) -> Option<Interval> {
    TRIALS
        .contains(&values.len())
        .then(|| bca(values, RESAMPLES))
}

fn bca(values: &[u64], resamples: usize) -> Interval {
    let trials = values.len();
    let mut stream = Generator::of(DOMAIN.as_bytes());
    let mut draw = || ((u128::from(stream.word()) * trials as u128) >> 64) as usize;
    let sums = (0..resamples).map(|_| (0..trials).map(|_| u128::from(values[draw()])).sum());
    let mut sums: Vec<u128> = sums.collect();
    let total: u128 = values.iter().copied().map(u128::from).sum();
    let below = sums.iter().filter(|&&sum| sum < total).count() as f64;
    let ties = sums.iter().filter(|&&sum| sum == total).count() as f64;
    let count = resamples as f64;
    let share = ((below + ties / 2.0) / count).clamp(0.5 / count, 1.0 - 0.5 / count);
    let (bias, mean) = (normal_quantile(share), total as f64 / trials as f64);
    let distances = || values.iter().map(|&value| value as f64 - mean);
    let squares: f64 = distances().map(|d| d * d).sum();
    let cubes: f64 = distances().map(|d| d * d * d).sum();
    let acceleration = cubes / (6.0 * squares * squares.sqrt());
    let mut end = |z: f64| {
        let shifted = bias + z;
        // Values without scatter have no acceleration, and every resample has one mean.
        let shrink = (1.0 - acceleration * shifted).max(f64::MIN_POSITIVE);
        let share = normal_distribution(bias + shifted / shrink);
        let rank = ((share * count).ceil() as usize).clamp(1, resamples);
        *sums.select_nth_unstable(rank - 1).1 as f64 / trials as f64
    };
    Interval {
        low: end(-NORMAL_975),
        high: end(NORMAL_975),
    }
}

/// The means of one resample of each sample, all drawn from the stream of this replicate: those of
/// [`valley`](super::valley), whose every replicate needs all samples at once. A mean of nothing
/// but zeros counts as half an update in all, so that it has a logarithm.
pub fn resampled_means<'a>(samples: impl Iterator<Item = &'a [u64]>, replicate: u32) -> Vec<f64> {
    let mut stream = TrialStream::new(SWEEP_DOMAIN, 2012, &Point::new("", []), replicate);
    let mean = |values: &[u64]| {
        let sum: u128 = stream
            .several_below(values.len() as u64, values.len())
            .iter()
            .map(|&it| u128::from(values[it as usize]))
            .sum();
        (sum as f64).max(0.5) / values.len() as f64
    };
    samples.map(mean).collect()
}

/// The 2.5 and 97.5 percentiles: of 1000 values the 25th from below and the 25th from above.
pub fn percentiles(values: impl Iterator<Item = f64>) -> Interval {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let tail = (values.len() / 40).max(1);
    Interval {
        low: values[tail - 1],
        high: values[values.len() - tail],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::TIMES;

    /// SciPy's `bootstrap(method="BCa")` with 10⁶ resamples, by tests/reference/statistics.py. Each
    /// end has a Monte Carlo error of 0.0027 times the mean's standard error on either side
    /// (density 0.058 at the 2.5 % quantile); threshold 4 √2 of it, the upper one twice as far,
    /// since the upper tail of a skewed law is half as dense: a false failure in 8000 (fixed
    /// streams on both sides). A percentile interval would miss by more than 0.1 standard errors.
    #[test]
    fn ends_are_scipys() {
        let found = bca(&TIMES, 1_000_000);
        let (low, high, error) = (142.5, 398.37200737558305, 62.35659485584909);
        let reach = 4.0 * std::f64::consts::SQRT_2 * 0.0027 * error;
        assert!((found.low - low).abs() < reach, "{found:?}");
        assert!((found.high - high).abs() < 2.0 * reach, "{found:?}");
    }

    #[test]
    fn values_without_scatter_have_no_width_and_few_values_no_bootstrap() {
        let seven = interval_of_mean(&[7; 200]);
        assert_eq!(seven, Some(Interval::exactly(7.0)));
        assert_eq!(interval_of_mean(&[7; 199]), None);
        assert_eq!(interval_of_mean(&[7; 10_001]), None);
    }
}
