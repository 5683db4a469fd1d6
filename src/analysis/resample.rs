//! The resamples of a bootstrap: trials drawn with replacement, or where trials are many the law
//! that such a drawing has, at a cost that does not depend on their number. From how many trials on
//! it is the law (2000), and which percentiles are the interval, is decided here.

use crate::solver::rng::{RandomSource as _, TrialStream, Words as _, midpoint};

/// Trials from which a resampled mean is drawn from its law: there the next term of the expansion
/// is below the scatter of the percentiles of 1000 means, 0.085 standard errors.
pub const MANY_TRIALS: usize = 2000;

/// The trials of a point, ready to be resampled.
pub struct Sample<'a> {
    times: &'a [u64],
    /// The law of a resampled mean; `None` where its trials are drawn one by one.
    law: Option<MeanLaw>,
}

impl<'a> Sample<'a> {
    /// A sample of trials, of which there is at least one.
    pub fn of(times: &'a [u64]) -> Self {
        let is_large = times.len() >= MANY_TRIALS;
        Self {
            times,
            law: is_large.then(|| MeanLaw::of(times)),
        }
    }

    /// The mean of a resample of as many trials. A mean of nothing but zeros counts as half an
    /// update in all, so that it has a logarithm.
    pub fn resampled_mean(&self, stream: &mut TrialStream) -> f64 {
        let mean = match &self.law {
            Some(law) => law.draw(stream),
            None => mean_of_drawn(self.times, stream),
        };
        mean.max(0.5 / self.times.len() as f64)
    }
}

/// The mean of as many trials as there are, each drawn from all: the definition.
fn mean_of_drawn(times: &[u64], stream: &mut TrialStream) -> f64 {
    let n_trials = times.len() as u64;
    let drawn = times.iter().map(|_| times[stream.below(n_trials) as usize]);
    let sum: u128 = drawn.map(u128::from).sum();
    sum as f64 / n_trials as f64
}

/// The law of the mean of a resample, by its first three moments.
struct MeanLaw {
    mean: f64,
    /// The standard deviation of a resampled mean.
    standard_error: f64,
    /// The skewness of a resampled mean; 0 where all trials are equal.
    skewness: f64,
}

impl MeanLaw {
    fn of(times: &[u64]) -> Self {
        let n_trials = times.len() as f64;
        let sum: u128 = times.iter().copied().map(u128::from).sum();
        let mean = sum as f64 / n_trials;

        let mut squares = 0.0;
        let mut cubes = 0.0;
        for &time in times {
            let distance = time as f64 - mean;
            squares += distance * distance;
            cubes += distance * distance * distance;
        }

        let deviation = (squares / n_trials).sqrt();
        let skewness_of_trials = cubes / n_trials / (deviation * deviation * deviation);
        let skewness = skewness_of_trials / n_trials.sqrt();
        Self {
            mean,
            standard_error: deviation / n_trials.sqrt(),
            skewness: if skewness.is_finite() { skewness } else { 0.0 },
        }
    }

    /// mean + standard error · (z + skewness · (z² − 1) / 6), z normal: the law of a resampled mean
    /// but for terms of the order 1 / m (Cornish and Fisher; Hall, The Bootstrap and Edgeworth
    /// Expansion, 1992, 2.5).
    fn draw(&self, stream: &mut TrialStream) -> f64 {
        let z = normal(stream);
        self.mean + self.standard_error * (z + self.skewness * (z * z - 1.0) / 6.0)
    }
}

/// A normal number of mean 0 and variance 1 (Box and Muller).
fn normal(stream: &mut TrialStream) -> f64 {
    let radius = (2.0 * stream.exponential()).sqrt();
    radius * libm::cos(std::f64::consts::TAU * midpoint(stream.word()))
}

/// The 2.5 and 97.5 percentiles: of 1000 values the 25th from below and the 25th from above.
pub fn percentiles(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let tail = (sorted.len() / 40).max(1);
    [sorted[tail - 1], sorted[sorted.len() - tail]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::Draws;
    use crate::solver::Point;

    fn stream(number: u32) -> TrialStream {
        TrialStream::new("reines/test/resample", 1, &Point::new("", []), number)
    }

    /// Exponential times, each 40 times as long with this probability.
    fn mixed_times(seed: u64, slow: f64, n_trials: usize) -> Vec<u64> {
        let mut draws = Draws::new(seed);
        let mut time = || {
            let is_slow = draws.happens(slow);
            draws.exponential(if is_slow { 4e7 } else { 1e6 })
        };
        (0..n_trials).map(|_| time()).collect()
    }

    /// The ends of the interval of a mean, in standard errors from it, by the law and by the trials
    /// themselves. 20 000 means a side; the end of a side scatters by 0.019, the difference of two
    /// by 0.027. Threshold 4.5 · 0.027 = 0.12, six comparisons: a false failure in 24 000 (fixed
    /// seed). A law without the skewness is off by 0.2 where one trial in 100 is slow.
    #[test]
    fn the_law_of_a_mean_is_that_of_resampled_trials() {
        for slow in [0.0, 0.1, 0.01] {
            let times = mixed_times(1, slow, MANY_TRIALS);
            let law = MeanLaw::of(&times);
            let by_law = (0..20_000).map(|number| law.draw(&mut stream(number)));
            let by_trials =
                (20_000..40_000).map(|number| mean_of_drawn(&times, &mut stream(number)));
            let by_law = percentiles(by_law);
            let by_trials = percentiles(by_trials);
            for (from_law, from_trials) in by_law.into_iter().zip(by_trials) {
                let difference = (from_law - from_trials) / law.standard_error;
                assert!(
                    difference.abs() < 0.12,
                    "{slow} slow: {difference} standard errors"
                );
            }
        }
    }

    /// From 2000 trials on the law is used, below it the trials.
    #[test]
    fn few_trials_are_drawn_one_by_one() {
        let times = mixed_times(3, 0.0, MANY_TRIALS);
        let few = &times[1..];
        let drawn = mean_of_drawn(few, &mut stream(0));
        assert_eq!(Sample::of(few).resampled_mean(&mut stream(0)), drawn);
        let by_law = MeanLaw::of(&times).draw(&mut stream(0));
        assert_eq!(Sample::of(&times).resampled_mean(&mut stream(0)), by_law);
    }

    /// Trials of one length have no scatter; a mean of zeros has a logarithm.
    #[test]
    fn equal_trials_have_one_mean() {
        for (time, expected) in [(7, 7.0), (0, 0.5 / 4000.0)] {
            let times = vec![time; 4000];
            assert_eq!(Sample::of(&times).resampled_mean(&mut stream(0)), expected);
        }
    }
}
