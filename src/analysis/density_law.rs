//! Times against the rarity of solutions: ln T = a + b ln(1/d) + c n.

use super::distribution::student_quantile;
use super::mean::{Estimate, Interval, Mean, UPPER_TAIL_95};
use crate::solver::density::inverse_density;

/// A weighted least-squares fit of ln y = a + b ln(1/d(n)) + c n, or without c.
///
/// T and 1/d both grow exponentially with n, so a line of one against the other says little. With n
/// beside it, b is identified by what 1/d does apart from growing: the rarity at n = 6 and the
/// difference of even and odd n. Intervals are ± t · standard error · √max(1, reduced χ²), t
/// Student's with points − coefficients degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DensityLaw {
    /// b: 1 if times are proportional to 1/d at equal n.
    pub power: Estimate,
    /// c; `None` where it was not fitted.
    pub per_row: Option<Estimate>,
    pub points: u64,
    /// χ² over its degrees of freedom.
    pub reduced_chi_square: f64,
}

impl DensityLaw {
    /// Of (n, mean), each weighted by the inverse of the variance of ln mean. With `beside_n` the
    /// term c n is fitted too. Points without solutions or without a known error are left out;
    /// `None` unless more points are left than coefficients, at different n.
    pub fn fit(means: &[(u32, Mean)], beside_n: bool) -> Option<Self> {
        let point = |&(n, mean): &(u32, Mean)| {
            let row = [1.0, libm::log(inverse_density(n)?), f64::from(n)];
            Some(Weighted {
                row,
                y: libm::log(mean.value),
                weight: 1.0 / mean.log_variance()?,
            })
        };
        let points: Vec<Weighted> = means.iter().filter_map(point).collect();
        let coefficients = if beside_n { 3 } else { 2 };
        let freedom = points
            .len()
            .checked_sub(coefficients)
            .filter(|&freedom| freedom > 0)? as u64;
        let fit = Fit::of(&points, coefficients)?;
        let reduced_chi_square = fit.chi_square / freedom as f64;
        let widened = student_quantile(UPPER_TAIL_95, freedom) * reduced_chi_square.max(1.0).sqrt();
        let coefficient = |index: usize| {
            let (value, reach) = (fit.values[index], widened * fit.errors[index]);
            Estimate {
                value,
                interval: Interval {
                    low: value - reach,
                    high: value + reach,
                },
            }
        };
        let per_row = beside_n.then(|| coefficient(2));
        Some(Self {
            power: coefficient(1),
            per_row,
            points: points.len() as u64,
            reduced_chi_square,
        })
    }
}

struct Weighted {
    row: [f64; 3],
    y: f64,
    weight: f64,
}

struct Fit {
    values: [f64; 3],
    errors: [f64; 3],
    chi_square: f64,
}

impl Fit {
    /// By orthogonal columns (modified Gram and Schmidt in the weighted product): no normal
    /// equations, whose condition would be squared. `None` where a column is a combination of those
    /// before it.
    fn of(points: &[Weighted], columns: usize) -> Option<Self> {
        let product = |a: &[f64], b: &[f64]| -> f64 {
            points
                .iter()
                .zip(a.iter().zip(b))
                .map(|(point, (a, b))| point.weight * a * b)
                .sum()
        };
        let mut basis: Vec<Vec<f64>> = (0..columns)
            .map(|column| points.iter().map(|point| point.row[column]).collect())
            .collect();
        let mut mixed = [[0.0; 3]; 3];
        let mut rest: Vec<f64> = points.iter().map(|point| point.y).collect();
        let (mut projections, mut norms) = ([0.0; 3], [1.0; 3]);
        for k in 0..columns {
            let before = product(&basis[k], &basis[k]);
            for j in 0..k {
                mixed[j][k] = product(&basis[j], &basis[k]) / norms[j];
                let earlier = basis[j].clone();
                basis[k]
                    .iter_mut()
                    .zip(earlier)
                    .for_each(|(value, earlier)| *value -= mixed[j][k] * earlier);
            }
            norms[k] = product(&basis[k], &basis[k]);
            if norms[k] <= 1e-18 * before {
                return None;
            }
            projections[k] = product(&basis[k], &rest) / norms[k];
            rest.iter_mut()
                .zip(&basis[k])
                .for_each(|(rest, value)| *rest -= projections[k] * value);
        }
        let inverse: Vec<[f64; 3]> = (0..columns).map(|k| column_of_inverse(&mixed, k)).collect();
        let values = std::array::from_fn(|i| {
            inverse
                .iter()
                .zip(projections)
                .map(|(column, projection)| column[i] * projection)
                .sum()
        });
        let variance = |i: usize| {
            inverse
                .iter()
                .zip(norms)
                .map(|(column, norm)| column[i] * column[i] / norm)
                .sum::<f64>()
        };
        let errors = std::array::from_fn(|i| variance(i).sqrt());
        Some(Self {
            values,
            errors,
            chi_square: product(&rest, &rest),
        })
    }
}

/// Column `k` of the inverse of the matrix with ones on the diagonal and `mixed` above it.
fn column_of_inverse(mixed: &[[f64; 3]; 3], k: usize) -> [f64; 3] {
    let mut column = [0.0; 3];
    column[k] = 1.0;
    for i in (0..k).rev() {
        column[i] = -(i + 1..=k).map(|j| mixed[i][j] * column[j]).sum::<f64>();
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels' WLS with the covariance of the given errors, by tests/reference/statistics.py.
    #[test]
    fn fit_is_statsmodels() {
        let (x1, y) = (
            [7.2, 5.8, 13.5, 12.9, 18.1, 21.0, 24.9],
            [6.9, 7.1, 10.2, 10.6, 13.0, 14.5, 16.4],
        );
        let errors: [f64; 7] = [0.07, 0.06, 0.08, 0.07, 0.05, 0.07, 0.1];
        let points: Vec<Weighted> = (0..7)
            .map(|i| Weighted {
                row: [1.0, x1[i], 4.0 + i as f64],
                y: y[i],
                weight: 1.0 / (errors[i] * errors[i]),
            })
            .collect();
        let fit = Fit::of(&points, 3).expect("seven different points");
        let expected = [2.065229023036421, 0.3244476335800238, 0.6276204804236475];
        let expected_errors = [
            0.15855658304960454,
            0.01591084131126167,
            0.05271895683171073,
        ];
        for (found, expected) in fit
            .values
            .into_iter()
            .zip(expected)
            .chain(fit.errors.into_iter().zip(expected_errors))
        {
            assert!(
                (found / expected - 1.0).abs() < 1e-9,
                "{found} instead of {expected}"
            );
        }
        assert!((fit.chi_square / 4.0 - 0.34421967962312733).abs() < 1e-9);
    }

    /// By hand, without scatter: t(n − 2) · σ / √Σ(x − x̄)², with x = ln(1/d), σ = 0.05 and
    /// t(7) = 2.364624.
    #[test]
    fn the_interval_of_a_power_is_students() {
        let sides = 4..=12;
        let x = |n: u32| libm::log(inverse_density(n).expect("solvable"));
        let mean = |n: u32| Mean {
            value: 50.0 * libm::exp(0.4 * x(n)),
            standard_error: 0.05 * 50.0 * libm::exp(0.4 * x(n)),
            trials: 400,
        };
        let means: Vec<(u32, Mean)> = sides.clone().map(|n| (n, mean(n))).collect();
        let power = DensityLaw::fit(&means, false).expect("nine points").power;
        let centre = sides.clone().map(x).sum::<f64>() / 9.0;
        let spread: f64 = sides.map(|n| (x(n) - centre) * (x(n) - centre)).sum();
        let reach = 2.364624 * 0.05 / spread.sqrt();
        for found in [
            power.value - power.interval.low,
            power.interval.high - power.value,
        ] {
            assert!(
                (found / reach - 1.0).abs() < 1e-6,
                "{found} instead of {reach}"
            );
        }
    }

    /// T = 50 · (1/d)^0.4 · 1.7ⁿ without scatter: both coefficients are found, and the line without
    /// n takes the growth for a power of 1/d.
    #[test]
    fn powers_and_growth_are_told_apart() {
        let time = |n: u32| {
            50.0 * libm::pow(inverse_density(n).expect("solvable"), 0.4)
                * libm::pow(1.7, f64::from(n))
        };
        let means: Vec<(u32, Mean)> = (4..=12)
            .map(|n| {
                (
                    n,
                    Mean {
                        value: time(n),
                        standard_error: 0.05 * time(n),
                        trials: 400,
                    },
                )
            })
            .collect();
        let law = DensityLaw::fit(&means, true).expect("nine points");
        let per_row = law.per_row.expect("fitted");
        assert!(
            (law.power.value - 0.4).abs() < 1e-9 && (per_row.value - libm::log(1.7)).abs() < 1e-9,
            "{law:?}"
        );
        let alone = DensityLaw::fit(&means, false).expect("nine points");
        assert!(
            alone.power.value > 0.55 && alone.per_row.is_none(),
            "{alone:?}"
        );
        assert_eq!(DensityLaw::fit(&means[..3], true), None);
        assert_eq!(DensityLaw::fit(&[means[0]; 5], true), None);
    }
}
