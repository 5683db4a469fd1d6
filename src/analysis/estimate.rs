//! A number with its 95 % interval and its standard error: what analysis says of a point. Here are
//! the intervals of a mean (t of its logarithm), of a ratio and of a product; which trials a mean
//! is made of is decided in `measured.rs`.

use super::distribution::student_975;

/// A number, how well it is known, and what it is worth in a fit.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// The standard error, which a fit weighs the number by: infinite where it is not known, and
    /// then the number has no weight.
    #[serde(skip)]
    pub error: f64,
    /// Number m of trials behind it; 0 where nothing is reckoned with them.
    #[serde(skip)]
    pub trials: u64,
    /// True if the true number is this or larger.
    #[serde(skip)]
    pub is_bound: bool,
}

impl Estimate {
    /// A number that is known exactly.
    pub fn exactly(value: f64) -> Self {
        Self {
            error: 0.0,
            ..Self::within(value, [value, value])
        }
    }

    /// A number with both ends of its interval, whose error is not known.
    pub fn within(value: f64, [low, high]: [f64; 2]) -> Self {
        Self {
            value,
            low,
            high,
            error: f64::INFINITY,
            trials: 0,
            is_bound: false,
        }
    }

    /// A number with the interval from value / factor to value · factor.
    pub fn within_factor(value: f64, factor: f64) -> Self {
        Self::within(value, [value / factor, value * factor])
    }

    /// A number ≥ 0 that `trials` have together, with the interval value · exp(± t · error /
    /// value), t the 0.975 quantile of Student's t with m − 1 degrees of freedom: the t interval of
    /// ln value. A single trial says nothing: from 0 to ∞.
    ///
    /// Times of the local rules are nearly exponential; the logarithm of their mean is far less
    /// skewed than the mean, so the interval covers better than the plain t interval, and it never
    /// reaches 0 (docs/statistics.md gives the measured coverages).
    pub fn with_error(value: f64, error: f64, trials: u64) -> Self {
        let known = if trials > 1 && (value == 0.0 || error == 0.0) {
            Self::exactly(value)
        } else if error.is_infinite() {
            Self::within(value, [0.0, f64::INFINITY])
        } else {
            let reach = student_975(trials.saturating_sub(1)) * (error / value);
            Self::within_factor(value, libm::exp(reach))
        };
        Self {
            error,
            trials,
            ..known
        }
    }

    /// A number of any sign that `trials` have together, with Student's t interval of the number
    /// itself: value ± t · error. A single trial says nothing: from −∞ to ∞.
    pub fn with_error_around(value: f64, error: f64, trials: u64) -> Self {
        let known = if error.is_infinite() {
            Self::within(value, [f64::NEG_INFINITY, f64::INFINITY])
        } else {
            let reach = student_975(trials.saturating_sub(1)) * error;
            Self::within(value, [value - reach, value + reach])
        };
        Self {
            error,
            trials,
            ..known
        }
    }

    /// The mean of independent real numbers of any sign, with Student's t interval. The sums are in
    /// the order given.
    ///
    /// # Panics
    /// Without values.
    pub fn mean_of_reals(values: &[f64]) -> Self {
        assert!(!values.is_empty(), "no values have no mean");
        let trials = values.len() as f64;
        let mean = values.iter().sum::<f64>() / trials;
        let squares: f64 = values
            .iter()
            .map(|value| (value - mean) * (value - mean))
            .sum();
        let error = match values.len() {
            1 => f64::INFINITY,
            _ => (squares / (trials - 1.0) / trials).sqrt(),
        };
        Self::with_error_around(mean, error, values.len() as u64)
    }

    /// The mean Σ x / m of independent values ≥ 0. Its standard error is s / √m with s² = Σ (x −
    /// mean)² / (m − 1), infinite for a single value. The sums are exact for the mean and in the
    /// order given for the error.
    ///
    /// # Panics
    /// Without values.
    pub fn mean(values: &[u64]) -> Self {
        assert!(!values.is_empty(), "no values have no mean");
        let trials = values.len() as f64;
        let sum: u128 = values.iter().copied().map(u128::from).sum();
        let mean = sum as f64 / trials;
        let distances = values.iter().map(|&value| value as f64 - mean);
        let squares: f64 = distances.map(|distance| distance * distance).sum();
        let error = match values.len() {
            1 => f64::INFINITY,
            _ => (squares / (trials - 1.0) / trials).sqrt(),
        };
        Self::with_error(mean, error, values.len() as u64)
    }

    /// The same number; where `is_bound` says so a lower bound, whose interval has no upper end.
    #[must_use]
    pub fn bounding(self, is_bound: bool) -> Self {
        let high = if is_bound { f64::INFINITY } else { self.high };
        Self {
            high,
            is_bound,
            ..self
        }
    }

    /// The number in units of `unit`, which is known exactly.
    #[must_use]
    pub fn in_units(self, unit: f64) -> Self {
        Self {
            error: self.error / unit,
            trials: self.trials,
            is_bound: self.is_bound,
            ..self.map(|number| number / unit)
        }
    }

    /// The same with an error where it has none: that of `trials` whose t interval of ln value is
    /// as wide as its own.
    #[must_use]
    pub fn with_error_of_interval(self, trials: u64) -> Self {
        let reach = libm::log(self.high / self.low) / 2.0;
        let error = self.value * reach / student_975(trials.saturating_sub(1));
        if self.error.is_finite() || !reach.is_finite() {
            self
        } else {
            Self {
                error,
                trials,
                ..self
            }
        }
    }

    /// An increasing function of the number, whose error is not known.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Self {
        let ends = [self.low, self.high].map(&increasing);
        Self::within(increasing(self.value), ends)
    }

    /// One less the number.
    #[must_use]
    pub fn complement(self) -> Self {
        Self::within(1.0 - self.value, [1.0 - self.high, 1.0 - self.low])
    }

    /// Half the width of the 95 % interval of ln |value|: of a mean t · standard error / mean, t
    /// the 0.975 quantile of Student's t with m − 1 degrees of freedom. `None` where an end is 0 or
    /// not known, and where the ends have different signs.
    pub fn log_half_width(&self) -> Option<f64> {
        let half = (libm::log(self.high / self.low) / 2.0).abs();
        half.is_finite().then_some(half)
    }

    /// Variance of ln value, by the delta method: (error / value)². `None` where the value is 0 or
    /// its error is 0 or unknown.
    pub fn log_variance(&self) -> Option<f64> {
        let relative = self.error / self.value;
        (relative > 0.0 && relative.is_finite()).then_some(relative * relative)
    }

    /// The ratio a / b of two independent numbers, with the interval a/b · exp(±√(h² + k²)), h and
    /// k half the widths of the intervals of ln a and ln b; its relative variance is the sum of
    /// both. That of a lower bound is a lower bound, too. `None` where b is a bound, where either
    /// is 0 or has an interval without an end, and where both are known exactly.
    pub fn ratio_to(&self, below: &Self) -> Option<Self> {
        let ratio = self.joint(below, self.value / below.value);
        ratio.filter(|_| !below.is_bound)
    }

    /// The product of two independent numbers, likewise.
    pub fn times(&self, other: &Self) -> Option<Self> {
        self.joint(other, self.value * other.value)
    }

    fn joint(&self, other: &Self, value: f64) -> Option<Self> {
        let half_width = |estimate: &Self| {
            if estimate.is_bound {
                libm::log(estimate.value / estimate.low)
            } else {
                libm::log(estimate.high / estimate.low) / 2.0
            }
        };
        let reach = libm::hypot(half_width(self), half_width(other));
        let variance = |number: &Self| match number.error {
            // Known exactly: the relative error is that of the other number.
            0.0 => 0.0,
            _ => number.log_variance().unwrap_or(f64::INFINITY),
        };
        let ratio = Self {
            error: value * (variance(self) + variance(other)).sqrt(),
            trials: self.trials.min(other.trials),
            ..Self::within_factor(value, libm::exp(reach))
        };
        (reach > 0.0 && reach.is_finite()).then(|| ratio.bounding(self.is_bound || other.is_bound))
    }

    /// True if `value` lies within the interval, the ends included: for tests of coverage.
    #[cfg(test)]
    pub(crate) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, assert_close, z_of_share};

    /// NumPy and SciPy, by tests/reference/analysis.py.
    #[test]
    fn mean_and_interval_are_numpys() {
        let mean = Estimate::mean(&[3, 141, 59, 26, 535, 897]);
        assert_close(
            &[mean.value, mean.error, mean.low, mean.high],
            &[
                276.8333333333333,
                147.76792991414314,
                70.196048239841,
                1091.7522619307206,
            ],
            1e-11,
        );
        // t(5) · error / mean, t(5) = 2.570582 by SciPy.
        let half = mean.log_half_width().expect("an interval");
        assert_close(
            &[half],
            &[2.570_581_835_6 * 147.767_929_914 / 276.833_333_333],
            1e-9,
        );
        let below_0 = Estimate::within(-2.0, [-4.0, -1.0]);
        let half = below_0.log_half_width().expect("an interval");
        assert_close(&[half], &[libm::log(2.0)], 1e-12);
        assert_eq!(Estimate::within(0.0, [-1.0, 1.0]).log_half_width(), None);
        let [single, none] = [&[7][..], &[0, 0]].map(Estimate::mean);
        assert_eq!([single, none].map(|mean| mean.log_half_width()), [None; 2]);
        assert_eq!([single.low, single.high], [0.0, f64::INFINITY]);
        assert_eq!(single.log_variance(), None);
        assert_eq!([none.low, none.high], [0.0, 0.0]);
    }

    /// By hand: the mean of −3, 1 and 5 is 1, s² = 16, the error 4 / √3; t(2) = 4.302653 (a table
    /// of Student's t).
    #[test]
    fn the_mean_of_reals_has_students_interval() {
        let mean = Estimate::mean_of_reals(&[-3.0, 1.0, 5.0]);
        let error = 4.0 / 3.0_f64.sqrt();
        let expected = [
            1.0,
            error,
            1.0 - 4.302_652_73 * error,
            1.0 + 4.302_652_73 * error,
        ];
        assert_close(
            &[mean.value, mean.error, mean.low, mean.high],
            &expected,
            1e-8,
        );
        let single = Estimate::mean_of_reals(&[-7.5]);
        let ends = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!((single.value, [single.low, single.high]), (-7.5, ends));
        let same = Estimate::mean_of_reals(&[-2.0; 4]);
        assert_eq!([same.low, same.high], [-2.0; 2]);
    }

    /// By hand: half widths of ln 2 each, so √2 ln 2 of the ratio; of a lower bound alone the lower
    /// half, which is ln 2 again.
    #[test]
    fn a_ratio_has_the_widths_of_both_and_the_bound_of_the_upper_number() {
        let number = |value: f64| Estimate::within_factor(value, 2.0);
        let reach = libm::exp2(2_f64.sqrt());
        let ratio = number(8.0).ratio_to(&number(2.0)).expect("two intervals");
        let found = [ratio.value, ratio.low, ratio.high];
        assert_close(&found, &[4.0, 4.0 / reach, 4.0 * reach], 1e-12);
        let bound = number(8.0).bounding(true);
        let least = bound.ratio_to(&number(2.0)).expect("a bound");
        assert_close(&[least.value, least.low], &[4.0, 4.0 / reach], 1e-12);
        assert!(least.is_bound && least.high.is_infinite());
        assert_eq!(number(8.0).ratio_to(&bound), None);
        let exact = Estimate::exactly(2.0);
        assert_eq!(exact.ratio_to(&exact), None);
        // The relative error of a ratio to an exact number is that of the other number: 1/8.
        let random = Estimate::with_error(8.0, 1.0, 30);
        let ratios = [random.ratio_to(&exact), exact.ratio_to(&random)];
        let errors = ratios.map(|ratio| ratio.map(|ratio| ratio.error / ratio.value));
        assert_eq!(errors, [Some(0.125), Some(0.125)]);
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
                    Estimate::mean(&times).holds(1e6 * (1.0 + 39.0 * slow))
                };
                let hits = (0..1000).filter(|_| holds()).count();
                let z = z_of_share((hits, 1000), (expected, of));
                assert!(z.abs() < 4.0, "{trials} trials, {slow} slow: z = {z}");
            }
        }
    }
}
