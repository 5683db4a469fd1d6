//! Times against the rarity of solutions: ln T = a + b ln(1/d) + c n.

use super::least_squares::{Fit, Observation};
use super::mean::{Estimate, Mean};
use crate::solver::density::inverse_density;

/// A weighted least-squares fit of ln y = a + b ln(1/d(n)) + c n, or without c.
///
/// T and 1/d both grow exponentially with n, so a line of one against the other says little. With n
/// beside it, b is identified by what 1/d does apart from growing: the rarity at n = 6 and the
/// difference of even and odd n. Intervals are those of [`Fit::coefficient`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DensityLaw {
    /// b: 1 if times are proportional to 1/d at equal n.
    pub power: Estimate,
    /// c; `None` where it was not fitted.
    pub per_row: Option<Estimate>,
    pub points: u64,
    /// See [`Fit::reduced_chi_square`].
    pub reduced_chi_square: f64,
}

impl DensityLaw {
    /// Of (n, mean), each weighted by the inverse of the variance of ln mean. With `beside_n` the
    /// term c n is fitted too. Points without solutions or without a known error are left out;
    /// `None` unless more points are left than coefficients, at different n.
    pub fn fit(means: &[(u32, Mean)], beside_n: bool) -> Option<Self> {
        if beside_n {
            Self::of(means, |rarity, n| [1.0, rarity, n])
        } else {
            Self::of(means, |rarity, _| [1.0, rarity])
        }
    }

    /// `row` makes the regressors of ln(1/d) and n.
    fn of<const K: usize>(means: &[(u32, Mean)], row: fn(f64, f64) -> [f64; K]) -> Option<Self> {
        let point = |&(n, mean): &(u32, Mean)| {
            mean.log_observation(row(libm::log(inverse_density(n)?), f64::from(n)))
        };
        let points: Vec<Observation<K>> = means.iter().filter_map(point).collect();
        let fit = Fit::of(&points)?;
        Some(Self {
            power: fit.coefficient(1)?,
            per_row: (K > 2).then(|| fit.coefficient(2)).flatten(),
            points: fit.points,
            reduced_chi_square: fit.reduced_chi_square()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
