//! Exponential growth: a weighted straight line through the logarithms of means.

use super::distribution::student_quantile;
use super::mean::{Interval, Mean, UPPER_TAIL_95};

/// A line ln y = a + b x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    pub intercept: f64,
    /// Change of ln y per unit of x.
    pub slope: f64,
    /// Standard error of the slope, widened by the lack of fit when there is one.
    pub slope_standard_error: f64,
    pub points: u64,
    /// χ² = Σ (residual² / variance) over its degrees of freedom, points − 2: near 1 when the
    /// scatter about the line is sampling noise alone, far above 1 when the line is not the law.
    pub reduced_chi_square: f64,
}

impl Growth {
    /// Weighted least squares of ln mean on x, each weight the inverse of the variance of ln mean;
    /// points without such a variance are left out. `None` with fewer than three points left or
    /// without two different x: then the lack of fit, hence the interval, is unknown.
    ///
    /// The slope's standard error is that of the weighted fit times √max(1, χ²/(points − 2)) (the
    /// Birge ratio): where means scatter about the line by more than their errors, the scatter sets
    /// the uncertainty.
    pub fn fit(means: &[(f64, Mean)]) -> Option<Self> {
        let points: Vec<Weighted> = means
            .iter()
            .filter_map(|(x, mean)| {
                Some(Weighted {
                    x: *x,
                    y: libm::log(mean.value),
                    weight: 1.0 / mean.log_variance()?,
                })
            })
            .collect();
        let line = Line::through(&points)?;
        let freedom = points.len().checked_sub(2).filter(|&freedom| freedom > 0)? as f64;
        let chi_square = sum(&points, |point| line.residual(point) * line.residual(point));
        let reduced_chi_square = chi_square / freedom;
        let slope_standard_error = (reduced_chi_square.max(1.0) / line.spread).sqrt();
        let Line {
            intercept, slope, ..
        } = line;
        Some(Self {
            intercept,
            slope,
            slope_standard_error,
            points: points.len() as u64,
            reduced_chi_square,
        })
    }

    /// e^b: y multiplies by this per unit of x.
    pub fn factor(&self) -> f64 {
        libm::exp(self.slope)
    }

    /// 95 % interval of [`factor`](Self::factor): exp(b ± t · standard error), Student's t with
    /// points − 2 degrees of freedom.
    pub fn factor_interval(&self) -> Interval {
        let Interval { low, high } = self.slope_interval();
        Interval {
            low: libm::exp(low),
            high: libm::exp(high),
        }
    }

    /// 95 % interval of the slope: where x is a logarithm, of the power.
    pub fn slope_interval(&self) -> Interval {
        let reach = student_quantile(UPPER_TAIL_95, self.points - 2) * self.slope_standard_error;
        Interval {
            low: self.slope - reach,
            high: self.slope + reach,
        }
    }

    /// e^(a + b x).
    pub fn at(&self, x: f64) -> f64 {
        libm::exp(self.intercept + self.slope * x)
    }
}

/// e^b of the unweighted line ln y = a + b x through values known exactly, which have no sampling
/// error; `None` without two different x.
///
/// # Panics
/// On a y that is not positive.
pub fn exact_factor(values: &[(f64, f64)]) -> Option<f64> {
    let log = |y: f64| {
        assert!(y > 0.0, "only positive values have a logarithm");
        libm::log(y)
    };
    let points: Vec<Weighted> = values
        .iter()
        .map(|&(x, y)| Weighted {
            x,
            y: log(y),
            weight: 1.0,
        })
        .collect();
    Some(libm::exp(Line::through(&points)?.slope))
}

struct Weighted {
    x: f64,
    y: f64,
    weight: f64,
}

struct Line {
    intercept: f64,
    slope: f64,
    /// Σ w (x − x̄)²
    spread: f64,
}

impl Line {
    fn through(points: &[Weighted]) -> Option<Self> {
        let total = sum(points, |_| 1.0);
        let (x, y) = (
            sum(points, |point| point.x) / total,
            sum(points, |point| point.y) / total,
        );
        let spread = sum(points, |point| (point.x - x) * (point.x - x));
        let slope = sum(points, |point| (point.x - x) * (point.y - y)) / spread;
        (spread > 0.0).then_some(Self {
            intercept: y - slope * x,
            slope,
            spread,
        })
    }

    fn residual(&self, point: &Weighted) -> f64 {
        point.y - (self.intercept + self.slope * point.x)
    }
}

/// Σ w · term, in the order of the points.
fn sum(points: &[Weighted], term: impl Fn(&Weighted) -> f64) -> f64 {
    points.iter().map(|point| point.weight * term(point)).sum()
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
        // By hand: Σ (x − 2)² = 10, each weight 1 / 0.1².
        assert_close(growth.slope_standard_error, 0.1 / 10.0_f64.sqrt());
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
        let holds = |interval: Interval| (interval.low..=interval.high).contains(&4.0);
        let hits = (0..sweeps)
            .filter(|_| {
                holds(
                    Growth::fit(&sweep(&mut draws))
                        .expect("seven points")
                        .factor_interval(),
                )
            })
            .count();
        let expected: f64 = 0.98946;
        let z = (hits as f64 / f64::from(sweeps) - expected)
            / (expected * (1.0 - expected) / f64::from(sweeps)).sqrt();
        assert!(z.abs() < 4.0, "z = {z}");
    }
}
