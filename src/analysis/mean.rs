//! A sample's mean and its 95 % interval.

use super::distribution::student_975;
use super::least_squares::DataPoint;

/// Both ends of a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a number of which nothing is known.
    pub const UNKNOWN: Self = Self {
        low: 0.0,
        high: f64::INFINITY,
    };

    /// The interval of a number that is known exactly.
    pub fn exactly(value: f64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// value · exp(± t · relative error), t the 0.975 quantile of Student's t: the t interval of ln
    /// value. Without degrees of freedom from 0 to ∞.
    pub fn of_logarithm(value: f64, relative_error: f64, degrees_of_freedom: u64) -> Self {
        let reach = student_975(degrees_of_freedom) * relative_error;
        Self::within_factor(value, libm::exp(reach))
    }

    /// The interval from value / factor to value · factor.
    pub fn within_factor(value: f64, factor: f64) -> Self {
        Self::exactly(value).wider(factor)
    }

    /// Wider by a factor at both ends.
    pub fn wider(self, factor: f64) -> Self {
        Self {
            low: self.low / factor,
            high: self.high * factor,
        }
    }

    /// The increasing function `f` of both ends.
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            low: f(self.low),
            high: f(self.high),
        }
    }

    /// True if `value` lies within, the ends included: for tests of coverage.
    #[cfg(test)]
    pub(crate) fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// A number and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The 95 % interval of the number.
    #[serde(flatten)]
    pub interval: Interval,
}

impl Estimate {
    /// A number without an interval.
    pub fn exactly(value: f64) -> Self {
        Self {
            value,
            interval: Interval::exactly(value),
        }
    }

    /// The estimate in units of `unit`.
    pub fn in_units(&self, unit: f64) -> Self {
        self.map(|number| number / unit)
    }

    /// An increasing function of it.
    pub fn map(&self, increasing: impl Fn(f64) -> f64) -> Self {
        Self {
            value: increasing(self.value),
            interval: self.interval.map(&increasing),
        }
    }
}

/// The mean of independent values ≥ 0, or another number ≥ 0 that trials have together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean Σ x / m, in the unit of the values, or the other number.
    pub value: f64,
    /// The standard error: s / √m with s² = Σ (x − mean)² / (m − 1) for a mean, the jackknife's for
    /// another number; infinite for a single value.
    pub standard_error: f64,
    /// Number m of values, or of trials.
    pub trials: u64,
}

impl Mean {
    /// The sums are exact for the mean and in the order given for the standard error.
    ///
    /// # Panics
    /// Without values.
    pub fn of(values: &[u64]) -> Self {
        assert!(!values.is_empty(), "no values have no mean");
        let trials = values.len() as f64;
        let sum: u128 = values.iter().copied().map(u128::from).sum();
        let mean = sum as f64 / trials;
        let distances = values.iter().map(|&value| value as f64 - mean);
        let squares: f64 = distances.map(|it| it * it).sum();
        Self {
            value: mean,
            standard_error: match values.len() {
                1 => f64::INFINITY,
                _ => (squares / (trials - 1.0) / trials).sqrt(),
            },
            trials: values.len() as u64,
        }
    }

    /// Variance of ln mean, by the delta method: (standard error / mean)². `None` where the mean is
    /// 0 or its error is 0 or unknown.
    pub fn log_variance(&self) -> Option<f64> {
        let relative = self.standard_error / self.value;
        (relative > 0.0 && relative.is_finite()).then_some(relative * relative)
    }

    /// ln mean at `row`, weighted by the inverse of its variance; `None` where it has none.
    pub fn log_observation<const K: usize>(&self, row: [f64; K]) -> Option<DataPoint<K>> {
        Some(DataPoint {
            row,
            y: libm::log(self.value),
            weight: 1.0 / self.log_variance()?,
        })
    }

    /// mean · exp(± t · standard error / mean), t the 0.975 quantile of Student's t with m − 1
    /// degrees of freedom: the t interval of ln mean. A single trial says nothing: from 0 to ∞.
    ///
    /// Times of the local rules are nearly exponential; the logarithm of their mean is far less
    /// skewed than the mean, so the interval covers better than the plain t interval, and it never
    /// reaches 0 (docs/statistics.md gives the measured coverages).
    pub fn interval(&self) -> Interval {
        if self.trials > 1 && (self.value == 0.0 || self.standard_error == 0.0) {
            return Interval::exactly(self.value);
        }
        if self.standard_error.is_infinite() {
            return Interval::UNKNOWN;
        }
        let relative = self.standard_error / self.value;
        Interval::of_logarithm(self.value, relative, self.trials - 1)
    }

    /// The mean with its interval.
    pub fn estimate(&self) -> Estimate {
        Estimate {
            value: self.value,
            interval: self.interval(),
        }
    }

    /// The mean in units of `unit`.
    pub fn in_units(&self, unit: f64) -> Self {
        Self {
            value: self.value / unit,
            standard_error: self.standard_error / unit,
            ..*self
        }
    }

    /// The ratio of two independent numbers. `None` where either has no relative variance.
    pub fn ratio_to(&self, below: &Self) -> Option<Self> {
        self.joint(below, self.value / below.value)
    }

    /// The product of two independent numbers. `None` where either has no relative variance.
    pub fn times(&self, other: &Self) -> Option<Self> {
        self.joint(other, self.value * other.value)
    }

    /// A product or a ratio: its relative variance is the sum of both.
    fn joint(&self, other: &Self, value: f64) -> Option<Self> {
        let variance = self.log_variance()? + other.log_variance()?;
        Some(Self {
            value,
            standard_error: value * variance.sqrt(),
            trials: self.trials.min(other.trials),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, assert_close, z_of_share};

    /// NumPy and SciPy, by tests/reference/analysis.py.
    #[test]
    fn mean_and_interval_are_numpys() {
        let mean = Mean::of(&[3, 141, 59, 26, 535, 897]);
        let Interval { low, high } = mean.interval();
        assert_close(
            &[mean.value, mean.standard_error, low, high],
            &[
                276.8333333333333,
                147.76792991414314,
                70.196048239841,
                1091.7522619307206,
            ],
            1e-11,
        );
        let [single, none] = [&[7][..], &[0, 0]].map(Mean::of);
        assert_eq!(single.interval(), Interval::UNKNOWN);
        assert_eq!(single.log_variance(), None);
        assert_eq!(none.interval(), Interval::exactly(0.0));
    }

    /// Coverage of the mean of exponential times and of traps, of which one in ten is 40 times as
    /// long, against those that NumPy measured on `of` samples (tests/reference/coverage.py).
    /// n = 2000; threshold 4 standard errors, hence a false failure in 16 000 for each (fixed
    /// seed).
    #[test]
    fn interval_covers_as_an_independent_simulation_says() {
        let mut draws = Draws::new(5);
        for (trials, of, expected) in [
            (10, 3.4e6, [0.9313, 0.5556]),
            (30, 1.19e6, [0.9394, 0.7965]),
            (100, 3.58e5, [0.9460, 0.9039]),
            (1000, 4.7e4, [0.9495, 0.9463]),
        ] {
            for (slow, expected) in [0.0, 0.1].into_iter().zip(expected) {
                let mut time = || {
                    let is_slow = draws.happens(slow);
                    draws.exponential(if is_slow { 4e7 } else { 1e6 })
                };
                let mut holds = || {
                    let times: Vec<u64> = (0..trials).map(|_| time()).collect();
                    let interval = Mean::of(&times).interval();
                    interval.contains(1e6 * (1.0 + 39.0 * slow))
                };
                let hits = (0..1000).filter(|_| holds()).count();
                let z = z_of_share((hits, 1000), (expected, of));
                assert!(z.abs() < 4.0, "{trials} trials, {slow} slow: z = {z}");
            }
        }
    }
}
