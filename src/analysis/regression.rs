//! Exponential growth: a weighted straight line through the logarithms of means.

use super::least_squares::{Fit, Observation};
use super::mean::{Estimate, Interval, Mean};

/// A line ln y = a + b x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    pub intercept: f64,
    /// b, the change of ln y per unit of x; where x is a logarithm, the power of y. Its interval
    /// is that of [`Fit::coefficient`].
    pub slope: Estimate,
    pub points: u64,
    /// See [`Fit::reduced_chi_square`].
    pub reduced_chi_square: f64,
}

impl Growth {
    /// Weighted least squares of ln mean on x, each weight the inverse of the variance of ln mean;
    /// points without such a variance are left out. `None` with fewer than three points left or
    /// without two different x: then the lack of fit, hence the interval, is unknown.
    pub fn fit(means: &[(f64, Mean)]) -> Option<Self> {
        let points: Vec<Observation<2>> = means
            .iter()
            .filter_map(|&(x, mean)| mean.log_observation([1.0, x]))
            .collect();
        let fit = Fit::of(&points)?;
        Some(Self {
            intercept: fit.coefficients[0],
            slope: fit.coefficient(1)?,
            points: fit.points,
            reduced_chi_square: fit.reduced_chi_square()?,
        })
    }

    /// e^b: y multiplies by this per unit of x.
    pub fn factor(&self) -> f64 {
        libm::exp(self.slope.value)
    }

    /// 95 % interval of [`factor`](Self::factor).
    pub fn factor_interval(&self) -> Interval {
        self.slope.interval.map(libm::exp)
    }

    /// e^(a + b x).
    pub fn at(&self, x: f64) -> f64 {
        libm::exp(self.intercept + self.slope.value * x)
    }
}

/// e^b of the unweighted line ln y = a + b x through values known exactly, which have no sampling
/// error; `None` without two different x.
///
/// # Panics
/// On a y that is not positive.
pub fn exact_factor(values: &[(f64, f64)]) -> Option<f64> {
    let point = |&(x, y): &(f64, f64)| {
        assert!(y > 0.0, "only positive values have a logarithm");
        Observation {
            row: [1.0, x],
            y: libm::log(y),
            weight: 1.0,
        }
    };
    let points: Vec<Observation<2>> = values.iter().map(point).collect();
    Some(libm::exp(Fit::of(&points)?.coefficients[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::Draws;

    fn mean(value: f64, relative_error: f64) -> Mean {
        Mean {
            value,
            standard_error: value * relative_error,
            trials: 100,
        }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 1e-10,
            "{found} instead of {expected}"
        );
    }

    /// NumPy's normal equations and SciPy's t, by tests/reference/analysis.py: means that scatter
    /// more than their errors, with unequal weights.
    #[test]
    fn fit_and_interval_are_numpys() {
        let means = [
            (4.0, mean(1.1e3, 0.1)),
            (5.0, mean(2.9e3, 0.08)),
            (6.0, mean(3.1e4, 0.1)),
            (7.0, mean(6.2e4, 0.05)),
            (8.0, mean(4.4e5, 0.12)),
        ];
        let growth = Growth::fit(&means).expect("five points");
        assert_close(growth.factor(), 4.286511760253106);
        assert_close(growth.reduced_chi_square, 24.2680971893939);
        let Interval { low, high } = growth.factor_interval();
        assert_close(low, 2.722891710127807);
        assert_close(high, 6.7480403287598);
        assert_close(growth.at(6.5), 34673.788681141545);
    }

    #[test]
    fn an_exact_exponential_is_found_and_keeps_its_sampling_error() {
        let means: Vec<(f64, Mean)> = (0..5)
            .map(|x| (f64::from(x), mean(libm::pow(3.0, f64::from(x)), 0.1)))
            .collect();
        let growth = Growth::fit(&means).expect("five points");
        assert_close(growth.factor(), 3.0);
        assert!(growth.reduced_chi_square < 1e-20);
        // By hand: Σ (x − 2)² = 10, each weight 1 / 0.1²; t(3) = 3.18244630528371.
        assert_close(
            growth.slope.interval.high - growth.slope.value,
            3.18244630528371 * 0.1 / 10.0_f64.sqrt(),
        );
        assert_close(
            exact_factor(&[(1.0, 2.0), (3.0, 50.0)]).expect("two points"),
            5.0,
        );
    }

    #[test]
    fn too_few_points_have_no_fit() {
        let two = [(4.0, mean(1.0, 0.1)), (5.0, mean(2.0, 0.1))];
        assert_eq!(Growth::fit(&two), None);
        assert_eq!(Growth::fit(&[two[0], two[0], two[0]]), None);
        let unknown = Mean {
            value: 3.0,
            standard_error: f64::INFINITY,
            trials: 1,
        };
        assert_eq!(Growth::fit(&[two[0], two[1], (6.0, unknown)]), None);
        assert_eq!(exact_factor(&[(1.0, 2.0)]), None);
    }

    /// Sweeps of 7 points with 50 exponential times each, growth 4 per unit. The interval is
    /// conservative (the Birge ratio never narrows it): NumPy finds 0.98946 on 100 000 sweeps
    /// (tests/reference/analysis.py). Statistic: (share − that) by its standard error, n = 4000
    /// sweeps, threshold 4, a false failure in 16 000 (fixed seed).
    #[test]
    fn factor_interval_covers_as_an_independent_simulation_says() {
        let mut draws = Draws::new(77);
        let sweep = |draws: &mut Draws| -> Vec<(f64, Mean)> {
            let sample = |draws: &mut Draws, true_mean: f64| {
                Mean::of(
                    &(0..50)
                        .map(|_| draws.exponential(true_mean))
                        .collect::<Vec<_>>(),
                )
            };
            (0..7)
                .map(|x| {
                    (
                        f64::from(x),
                        sample(draws, 1e5 * libm::pow(4.0, f64::from(x))),
                    )
                })
                .collect()
        };
        let sweeps = 4000;
        let hits = (0..sweeps)
            .filter(|_| {
                let growth = Growth::fit(&sweep(&mut draws)).expect("seven points");
                growth.factor_interval().contains(4.0)
            })
            .count();
        let expected: f64 = 0.98946;
        let z = (hits as f64 / f64::from(sweeps) - expected)
            / (expected * (1.0 - expected) / f64::from(sweeps)).sqrt();
        assert!(z.abs() < 4.0, "z = {z}");
    }
}
