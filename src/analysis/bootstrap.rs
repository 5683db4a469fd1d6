//! Resampling with replacement: the resampled means of a whole sweep.

use crate::solver::Point;
use crate::solver::rng::TrialStream;

/// What the stream of random numbers of [`resampled_means`] is named by; raised when the draws
/// change.
const SWEEP_DOMAIN: &str = "reines/bootstrap/valley/1";

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
pub fn percentiles(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let tail = (values.len() / 40).max(1);
    [values[tail - 1], values[values.len() - tail]]
}
