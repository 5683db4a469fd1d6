//! Times against the rarity of solutions: ln T = a + b ln(1/d) + c n, and ln T = a + b ln(n!/S) + c
//! ln n.

use super::least_squares::Observation;
use super::mean::{Estimate, Mean};
use super::regression::{RandomEffects, lacks_no_fit};
use crate::solver::density::{inverse_density, solution_count};

/// What a mean is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rarity {
    /// ln(1/d(n)) alone.
    Density,
    /// ln(1/d(n)), and n.
    DensityBesideN,
    /// ln(n!/S(n)) alone, permutations for each solution.
    Permutations,
    /// ln(n!/S(n)), and ln n.
    PermutationsBesideLogN,
}

/// A fit of ln y = a + b r, or of ln y = a + b r + c s, with the r and s of a [`Rarity`].
///
/// T and 1/d both grow exponentially with n, so a line of one against the other says little. With n
/// beside it, b is identified by what 1/d does apart from growing: the rarity at n = 6 and the
/// difference of even and odd n. Each mean has its sampling error and the scatter about the law
/// ([`RandomEffects`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DensityLaw {
    /// b: 1 if times are proportional to the rarity at equal n.
    pub power: Estimate,
    /// c, per row or the power of n; `None` where it was not fitted.
    pub beside: Option<Estimate>,
    pub points: u64,
    /// By the sampling errors alone.
    pub reduced_chi_square: f64,
    /// Standard deviation of ln y about the law beyond the sampling errors.
    pub scatter: f64,
}

impl DensityLaw {
    /// Whether the lack of fit is not significant.
    pub fn fits(&self) -> bool {
        let coefficients = 2 + u64::from(self.beside.is_some());
        lacks_no_fit(self.reduced_chi_square, self.points - coefficients)
    }

    /// Of (n, mean). Points without solutions or without a known error are left out; `None` unless
    /// more points are left than coefficients, at different n.
    pub fn fit(means: &[(u32, Mean)], rarity: Rarity) -> Option<Self> {
        let density = |n: u32| inverse_density(n).map(libm::log);
        match rarity {
            Rarity::Density => Self::of(means, |n| Some([1.0, density(n)?])),
            Rarity::DensityBesideN => Self::of(means, |n| Some([1.0, density(n)?, f64::from(n)])),
            Rarity::Permutations => Self::of(means, |n| Some([1.0, log_permutations(n)?])),
            Rarity::PermutationsBesideLogN => Self::of(means, |n| {
                Some([1.0, log_permutations(n)?, libm::log(f64::from(n))])
            }),
        }
    }

    fn of<const K: usize>(
        means: &[(u32, Mean)],
        row: impl Fn(u32) -> Option<[f64; K]>,
    ) -> Option<Self> {
        let point = |&(n, mean): &(u32, Mean)| mean.log_observation(row(n)?);
        let points: Vec<Observation<K>> = means.iter().filter_map(point).collect();
        let RandomEffects {
            fit,
            scatter,
            sampling,
        } = RandomEffects::of(&points)?;
        Some(Self {
            power: fit.coefficient(1)?,
            beside: (K > 2).then(|| fit.coefficient(2)).flatten(),
            points: fit.points,
            reduced_chi_square: sampling.reduced_chi_square()?,
            scatter,
        })
    }
}

/// ln(n!/S(n)): of how many boards with one queen in each row and column one is a solution. `None`
/// where S(n) is 0 or not known.
fn log_permutations(n: u32) -> Option<f64> {
    let solutions = solution_count(n).filter(|&count| count > 0)?;
    let factorial: f64 = (1..=n).map(f64::from).product();
    Some(libm::log(factorial / solutions as f64))
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
        let power = DensityLaw::fit(&means, Rarity::Density)
            .expect("nine points")
            .power;
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
        let law = DensityLaw::fit(&means, Rarity::DensityBesideN).expect("nine points");
        let per_row = law.beside.expect("fitted");
        assert!(
            (law.power.value - 0.4).abs() < 1e-9 && (per_row.value - libm::log(1.7)).abs() < 1e-9,
            "{law:?}"
        );
        let alone = DensityLaw::fit(&means, Rarity::Density).expect("nine points");
        assert!(
            alone.power.value > 0.55 && alone.beside.is_none(),
            "{alone:?}"
        );
        assert_eq!(DensityLaw::fit(&means[..3], Rarity::DensityBesideN), None);
        assert_eq!(
            DensityLaw::fit(&[means[0]; 5], Rarity::DensityBesideN),
            None
        );
    }

    /// n!/S(n) by hand at n = 4 and 8, and T = 3 n²·(n!/S)^1.1 without scatter: both powers found.
    #[test]
    fn permutations_for_each_solution_and_a_power_of_n_are_told_apart() {
        let log = |n| log_permutations(n).expect("solvable");
        assert!((log(4) - libm::log(12.0)).abs() < 1e-12);
        assert!((log(8) - libm::log(40_320.0 / 92.0)).abs() < 1e-12);
        assert_eq!((log_permutations(3), log_permutations(28)), (None, None));
        let mean = |n: u32| {
            let value = 3.0 * libm::pow(f64::from(n), 2.0) * libm::exp(1.1 * log(n));
            Mean {
                value,
                standard_error: 0.05 * value,
                trials: 400,
            }
        };
        let means: Vec<(u32, Mean)> = (4..=12).map(|n| (n, mean(n))).collect();
        let law = DensityLaw::fit(&means, Rarity::PermutationsBesideLogN).expect("nine points");
        let beside = law.beside.expect("fitted").value;
        assert!((law.power.value - 1.1).abs() < 1e-9, "{law:?}");
        assert!((beside - 2.0).abs() < 1e-9 && law.scatter == 0.0, "{law:?}");
        // Without n, the rarity takes its growth too.
        let alone = DensityLaw::fit(&means, Rarity::Permutations).expect("nine points");
        assert!(
            alone.power.value > 1.2 && alone.beside.is_none(),
            "{alone:?}"
        );
    }

    /// T = 3 (n!/S)^0.9 without scatter: the power is found without n.
    #[test]
    fn permutations_alone_have_their_power() {
        let mean = |n: u32| {
            let value = 3.0 * libm::exp(0.9 * log_permutations(n).expect("solvable"));
            Mean {
                value,
                standard_error: 0.05 * value,
                trials: 400,
            }
        };
        let means: Vec<(u32, Mean)> = (4..=12).map(|n| (n, mean(n))).collect();
        let law = DensityLaw::fit(&means, Rarity::Permutations).expect("nine points");
        assert!((law.power.value - 0.9).abs() < 1e-9, "{law:?}");
        assert_eq!((law.beside, law.points), (None, 9));
    }
}
