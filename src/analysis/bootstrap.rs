//! Resampling with replacement: intervals of whatever is a function of column sums (means, ratios
//! of means, coefficients of variation), and resampled means of a whole sweep.

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::distribution::{NORMAL_975, normal_distribution, normal_quantile};
use super::mean::Interval;
use crate::solver::Point;
use crate::solver::rng::{RandomSource, TrialStream};

/// Resamples behind every interval.
pub const RESAMPLES: usize = 10_000;
/// With more trials than this, intervals are the normal ones of the logarithm, which no longer
/// differ.
pub const MOST_TRIALS: usize = 10_000;
/// What the bootstrap's own stream of random numbers is named by; raised when the draws change.
const DOMAIN: &str = "reines/bootstrap/1";
/// The same of [`resampled_means`].
const SWEEP_DOMAIN: &str = "reines/bootstrap/valley/1";

/// The column sums of many resamples of the same rows, drawn with replacement.
///
/// The stream is xoshiro256++ with the BLAKE3 hash of `DOMAIN` as its state: fixed, the same for
/// every sample, apart from the solver's streams. Word w draws row ⌊w · m / 2⁶⁴⌋ (favours no row by
/// more than m/2⁶⁴), and each resample adds its m rows in the order drawn.
pub struct Resampled<S, const K: usize> {
    sample: S,
    trials: usize,
    total: [f64; K],
    sums: Vec<[f64; K]>,
}

/// Rows of numbers that can be gone through as often as need be: in memory, or made each time out
/// of something smaller.
pub trait Sample<const K: usize> {
    /// Number of rows.
    fn trials(&self) -> usize {
        self.rows().count()
    }

    /// Every row, always in the same order.
    fn rows(&self) -> impl Iterator<Item = [f64; K]>;
}

impl<const K: usize, T: AsRef<[[f64; K]]>> Sample<K> for T {
    fn rows(&self) -> impl Iterator<Item = [f64; K]> {
        self.as_ref().iter().copied()
    }
}

impl<S: Sample<K>, const K: usize> Resampled<S, K> {
    /// [`RESAMPLES`] resamples; none of more than [`MOST_TRIALS`] rows.
    ///
    /// # Panics
    /// Without rows.
    pub fn of(sample: S) -> Self {
        Self::times(sample, RESAMPLES, MOST_TRIALS)
    }

    /// So many resamples, unless there are more than `most` rows.
    fn times(sample: S, resamples: usize, most: usize) -> Self {
        let trials = sample.trials();
        assert!(trials > 0, "nothing cannot be resampled");
        let mut sums = Vec::new();
        if trials <= most {
            let rows: Vec<[f64; K]> = sample.rows().collect();
            let mut stream = stream();
            let resample = |_| sum((0..trials).map(|_| rows[draw(&mut stream, trials)]));
            sums.extend((0..resamples).map(resample));
        }
        Self {
            total: sum(sample.rows()),
            sample,
            trials,
            sums,
        }
    }

    /// Number of rows.
    pub fn trials(&self) -> usize {
        self.trials
    }

    /// The column sums of the rows themselves.
    pub fn total(&self) -> &[f64; K] {
        &self.total
    }

    /// The column sums of each resample, in the order drawn.
    pub fn sums(&self) -> &[[f64; K]] {
        &self.sums
    }

    /// 95 % interval of `statistic`, a positive function of the column sums and of the number of
    /// rows summed: BCa, with more than [`MOST_TRIALS`] rows estimate · exp(±t · se / estimate)
    /// with the jackknife's standard error (of a mean: s / √m) and Student's t with m − 1 degrees
    /// of freedom. One row says nothing: from 0 to ∞.
    pub fn interval(&self, statistic: impl Fn(&[f64; K], f64) -> f64) -> Interval {
        match (self.trials, self.sums.is_empty()) {
            (1, _) => Interval {
                low: 0.0,
                high: f64::INFINITY,
            },
            (_, true) => self.normal(statistic),
            (_, false) => self.bca(statistic),
        }
    }

    /// Bias-corrected and accelerated. With z₀ the normal quantile of the share of resamples below
    /// the estimate (ties count half), a the acceleration from the jackknife, a = Σ dᵢ³ / (6 (Σ
    /// dᵢ²)^1.5) with dᵢ = mean of the jackknife values − the i-th, and z = ∓1.96, the ends are the
    /// resamples of rank ⌈B Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z)))⌉. Where a is not finite (a
    /// jackknife value is infinite) it is 0. Source: Efron, J. Am. Stat. Assoc. 82 (1987) 171.
    fn bca(&self, statistic: impl Fn(&[f64; K], f64) -> f64) -> Interval {
        let trials = self.trials as f64;
        let estimate = statistic(&self.total, trials);
        let mut values: Vec<f64> = self
            .sums
            .iter()
            .map(|sums| statistic(sums, trials))
            .collect();
        let resamples = values.len() as f64;
        let below = values.iter().filter(|&&value| value < estimate).count() as f64;
        let ties = values.iter().filter(|&&value| value == estimate).count() as f64;
        let bias = normal_quantile(
            ((below + ties / 2.0) / resamples).clamp(0.5 / resamples, 1.0 - 0.5 / resamples),
        );
        let acceleration = self.acceleration(&statistic);
        let mut end = |z: f64| {
            let shifted = bias + z;
            let shrink = 1.0 - acceleration * shifted;
            let share = if shrink > 0.0 {
                normal_distribution(bias + shifted / shrink)
            } else {
                f64::from(u8::from(z > 0.0))
            };
            let rank = ((share * resamples).ceil() as usize).clamp(1, values.len());
            *values.select_nth_unstable_by(rank - 1, f64::total_cmp).1
        };
        Interval {
            low: end(-NORMAL_975),
            high: end(NORMAL_975),
        }
    }

    fn normal(&self, statistic: impl Fn(&[f64; K], f64) -> f64) -> Interval {
        let trials = self.trials as f64;
        let estimate = statistic(&self.total, trials);
        let squares: f64 = self.jackknife(&statistic).map(|d| d * d).sum();
        let relative = ((trials - 1.0) / trials * squares).sqrt() / estimate;
        if relative > 0.0 {
            Interval::of_logarithm(estimate, relative, self.trials as u64 - 1)
        } else {
            Interval::exactly(estimate)
        }
    }

    fn acceleration(&self, statistic: impl Fn(&[f64; K], f64) -> f64) -> f64 {
        let distances: Vec<f64> = self.jackknife(&statistic).collect();
        let squares: f64 = distances.iter().map(|d| d * d).sum();
        let cubes: f64 = distances.iter().map(|d| d * d * d).sum();
        let acceleration = cubes / (6.0 * squares * squares.sqrt());
        if acceleration.is_finite() {
            acceleration
        } else {
            0.0
        }
    }

    /// The mean of the jackknife values minus each: the statistic without one row after the other.
    fn jackknife<'s>(
        &'s self,
        statistic: &'s impl Fn(&[f64; K], f64) -> f64,
    ) -> impl Iterator<Item = f64> + 's {
        let trials = self.trials as f64;
        let without = |row: [f64; K]| -> [f64; K] {
            std::array::from_fn(|column| self.total[column] - row[column])
        };
        let values = move || {
            let rows = self.sample.rows();
            rows.map(move |row| statistic(&without(row), trials - 1.0))
        };
        let mean = values().sum::<f64>() / trials;
        values().map(move |value| mean - value)
    }
}

/// The means of one resample of each sample, all drawn from the stream of this replicate: those of
/// [`valley`](super::valley), whose every replicate needs all samples at once. A mean of nothing
/// but zeros counts as half an update in all, so that it has a logarithm.
pub fn resampled_means<'a>(samples: impl Iterator<Item = &'a [u64]>, replicate: u32) -> Vec<f64> {
    let mut stream = TrialStream::new(SWEEP_DOMAIN, 2012, &Point::new("", []), replicate);
    let mean = |values: &[u64]| {
        let drawn = (0..values.len()).map(|_| stream.below(values.len() as u64) as usize);
        let sum: u128 = drawn.map(|index| u128::from(values[index])).sum();
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

/// The bootstrap's stream, from its start.
fn stream() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::from_seed(*blake3::hash(DOMAIN.as_bytes()).as_bytes())
}

/// The next index below `bound`.
#[inline]
fn draw(stream: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    ((u128::from(stream.next_u64()) * bound as u128) >> 64) as usize
}

fn sum<const K: usize>(rows: impl IntoIterator<Item = [f64; K]>) -> [f64; K] {
    rows.into_iter().fold([0.0; K], |mut sums, row| {
        sums.iter_mut()
            .zip(row)
            .for_each(|(sum, value)| *sum += value);
        sums
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::mean::Mean;
    use crate::analysis::synthetic::Draws;

    /// SciPy's `bootstrap(method="BCa")` with 10⁶ resamples, by tests/reference/statistics.py. Each
    /// end has a Monte Carlo error of 0.0027 times the statistic's standard error on either side
    /// (density 0.058 at the 2.5 % quantile); threshold 4 √2 of it, so a false failure of the eight
    /// ends in 2000 (fixed streams on both sides). A percentile interval would miss by more than
    /// 0.1 standard errors.
    #[test]
    fn ends_are_scipys() {
        let times = [
            3.0, 141.0, 59.0, 26.0, 535.0, 897.0, 93.0, 238.0, 46.0, 264.0, 33.0, 83.0, 279.0,
            502.0, 88.0, 41.0, 971.0, 69.0, 399.0, 37.0,
        ];
        let cutoff: f64 = 500.0;
        let rows: Vec<[f64; 4]> = times
            .iter()
            .map(|&t: &f64| [t, t * t, t.min(cutoff), f64::from(u8::from(t <= cutoff))])
            .collect();
        let resampled = Resampled::times(&rows, 1_000_000, rows.len());
        let variance =
            |sums: &[f64; 4], m: f64| (sums[1] - sums[0] * sums[0] / m).max(0.0) / (m - 1.0);
        let found = [
            resampled.bca(|sums, m| sums[0] / m),
            resampled.bca(|sums, m| variance(sums, m).sqrt() / (sums[0] / m)),
            resampled.bca(|sums, _| sums[2] / sums[3]),
        ];
        for (found, (low, high, error)) in found.into_iter().zip(SCIPY_ENDS) {
            let reach = 4.0 * std::f64::consts::SQRT_2 * 0.0027 * error;
            assert!(
                (found.low - low).abs() < reach,
                "{found:?}: {low}, {high} ± {reach}"
            );
            // Twice as far: the upper tail of a skewed law is half as dense.
            assert!(
                (found.high - high).abs() < 2.0 * reach,
                "{found:?}: {low}, {high} ± {reach}"
            );
        }
    }

    #[test]
    fn values_without_scatter_have_no_width() {
        let rows = [[7.0]; 5];
        assert_eq!(
            Resampled::of(&rows).interval(|sums, m| sums[0] / m),
            Interval {
                low: 7.0,
                high: 7.0
            }
        );
        assert_eq!(
            Resampled::of(&rows[..1]).interval(|sums, m| sums[0] / m),
            Interval {
                low: 0.0,
                high: f64::INFINITY
            }
        );
    }

    /// Above the limit: the t interval of ln mean, as [`Mean::interval`] has it from a formula of
    /// its own; just below it the bootstrap's, which has to agree within its Monte Carlo error
    /// (0.027 standard errors at each end, threshold 4 of them).
    #[test]
    fn many_trials_have_the_normal_interval_and_it_no_longer_differs() {
        let mut draws = Draws::new(8);
        let values: Vec<u64> = (0..=MOST_TRIALS).map(|_| draws.exponential(1e6)).collect();
        let rows: Vec<[f64; 1]> = values.iter().map(|&value| [value as f64]).collect();
        let normal = Resampled::of(&rows).interval(|sums, m| sums[0] / m);
        let expected = Mean::of(&values).interval();
        assert!(
            (normal.low / expected.low - 1.0).abs() < 1e-9
                && (normal.high / expected.high - 1.0).abs() < 1e-9,
            "{normal:?}, {expected:?}"
        );
        let bootstrap = Resampled::of(&rows[1..]).interval(|sums, m| sums[0] / m);
        let reach = 4.0 * 0.027 * 1e4;
        assert!(
            (bootstrap.low - normal.low).abs() < reach
                && (bootstrap.high - normal.high).abs() < reach,
            "{bootstrap:?}, {normal:?}"
        );
    }

    /// One success in 30: some resamples have none, their ratio is infinite, and so is the upper
    /// end.
    #[test]
    fn a_ratio_that_may_be_infinite_has_an_infinite_end() {
        let rows: Vec<[f64; 2]> = (0..30)
            .map(|trial| [10.0, f64::from(u8::from(trial == 0))])
            .collect();
        let interval = Resampled::of(&rows).interval(|sums, _| sums[0] / sums[1]);
        assert_eq!(interval.high, f64::INFINITY);
        assert!(interval.low.is_finite() && interval.low < 300.0);
    }

    /// Coverage of the mean of 100 exponential times: NumPy's BCa of 2000 resamples covers with
    /// 0.9428 (tests/reference/statistics.py, 20 000 samples). n = 2000 samples, statistic: the
    /// difference by its standard error; threshold 4: a false failure in 16 000 (fixed seed).
    #[test]
    fn interval_covers_as_an_independent_simulation_says() {
        let mut draws = Draws::new(12);
        let holds = |draws: &mut Draws| {
            let rows: Vec<[f64; 1]> = (0..100).map(|_| [draws.exponential(1e6) as f64]).collect();
            let Interval { low, high } =
                Resampled::times(&rows, 2000, rows.len()).bca(|sums, m| sums[0] / m);
            (low..=high).contains(&1e6)
        };
        let share = (0..2000).filter(|_| holds(&mut draws)).count() as f64 / 2000.0;
        let error =
            (NUMPY_COVERAGE * (1.0 - NUMPY_COVERAGE) * (1.0 / 2000.0 + 1.0 / 20_000.0)).sqrt();
        assert!(
            (share - NUMPY_COVERAGE).abs() < 4.0 * error,
            "{share} instead of {NUMPY_COVERAGE} ± {error}"
        );
    }

    /// Coverage of the coefficient of variation of 200 exponential times: NumPy's BCa of 2000
    /// resamples (tests/reference/variation.py, 2000 samples). n = 2000 samples, statistic and
    /// threshold as above.
    #[test]
    #[ignore = "slow: make verify"]
    fn interval_of_the_variation_covers_as_an_independent_simulation_says() {
        let mut draws = Draws::new(13);
        let holds = |draws: &mut Draws| {
            let row = |time: f64| [time, time * time];
            let rows: Vec<[f64; 2]> = (0..200)
                .map(|_| row(draws.exponential(1e6) as f64 * 1e-6))
                .collect();
            let interval = Resampled::times(&rows, 2000, rows.len()).bca(|sums, m| {
                let variance = (sums[1] - sums[0] * sums[0] / m).max(0.0) / (m - 1.0);
                variance.sqrt() / (sums[0] / m)
            });
            interval.contains(1.0)
        };
        let share = (0..2000).filter(|_| holds(&mut draws)).count() as f64 / 2000.0;
        let error =
            (VARIATION_COVERAGE * (1.0 - VARIATION_COVERAGE) * (1.0 / 2000.0 + 1.0 / 2000.0))
                .sqrt();
        assert!(
            (share - VARIATION_COVERAGE).abs() < 4.0 * error,
            "{share} instead of {VARIATION_COVERAGE} ± {error}"
        );
    }

    const VARIATION_COVERAGE: f64 = 0.921;
    const SCIPY_ENDS: [(f64, f64, f64); 3] = [
        (142.5, 398.37200737558305, 62.35659485584909),
        (0.9036302615307117, 1.629935734333051, 0.17699604159381913),
        (136.27777777777777, 481.9166666666667, 81.84069584263617),
    ];
    const NUMPY_COVERAGE: f64 = 0.9428;
}
