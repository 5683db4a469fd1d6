//! Times and moves against the rarity of solutions: ln T = a + b ln(1/d) + c n, and ln moves = a +
//! b ln(n!/S).

use super::least_squares::Observation;
use super::mean::{Estimate, Mean};
use super::regression::{Agreement, random_effects};
use crate::solver::density::{inverse_density, solution_count};

/// A law fitted to means, each with its sampling error and the scatter about the law
/// ([`random_effects`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DensityLaw {
    /// b: 1 if means are proportional to the rarity.
    pub power: Estimate,
    /// c, per row; `None` where it was not fitted.
    pub per_row: Option<Estimate>,
    pub agreement: Agreement,
}

impl DensityLaw {
    /// ln T = a + b ln(1/d) + c n of (n, T).
    ///
    /// T and 1/d both grow exponentially with n, so a line of one against the other says little.
    /// With n beside it, b is identified by what 1/d does apart from growing: the rarity at n = 6
    /// and the difference of even and odd n. Points without solutions or without a known error are
    /// left out; `None` unless more points are left than coefficients, at different n.
    pub fn of_times(means: &[(u32, Mean)]) -> Option<Self> {
        Self::of(means, |n| {
            Some([1.0, libm::log(inverse_density(n)?), f64::from(n)])
        })
    }

    /// ln moves = a + b ln(n!/S(n)) of (n, moves); `None` likewise.
    pub fn of_moves(means: &[(u32, Mean)]) -> Option<Self> {
        Self::of(means, |n| Some([1.0, log_permutations(n)?]))
    }

    fn of<const K: usize>(
        means: &[(u32, Mean)],
        row: impl Fn(u32) -> Option<[f64; K]>,
    ) -> Option<Self> {
        let point = |&(n, mean): &(u32, Mean)| mean.log_observation(row(n)?);
        let points: Vec<Observation<K>> = means.iter().filter_map(point).collect();
        let (fit, agreement) = random_effects(&points)?;
        Some(Self {
            power: fit.coefficient(1)?,
            per_row: (K > 2).then(|| fit.coefficient(2)).flatten(),
            agreement,
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
    use crate::analysis::synthetic::assert_close;

    /// Of n = 4 … 12, each known to 5 %.
    fn means(value: impl Fn(u32) -> f64) -> Vec<(u32, Mean)> {
        let mean = |n| Mean {
            value: value(n),
            standard_error: 0.05 * value(n),
            trials: 400,
        };
        (4..=12).map(|n| (n, mean(n))).collect()
    }

    /// T = 50 · (1/d)^0.4 · 1.7ⁿ without scatter: both coefficients are found.
    #[test]
    fn powers_and_growth_are_told_apart() {
        let rarity = |n| inverse_density(n).expect("solvable");
        let time = |n| 50.0 * libm::pow(rarity(n), 0.4) * libm::pow(1.7, f64::from(n));
        let law = DensityLaw::of_times(&means(time)).expect("nine points");
        let found = [law.power.value, law.per_row.expect("fitted").value];
        assert_close(&found, &[0.4, libm::log(1.7)], 1e-9);
        assert!(law.agreement.fits() && law.agreement.scatter == 0.0);
        assert_eq!(DensityLaw::of_times(&means(time)[..3]), None);
    }

    /// By hand: n!/S(n) at n = 4 and 8. Moves = 3 (n!/S)^0.9 without scatter: the power is found.
    #[test]
    fn permutations_have_their_power() {
        let log = |n| log_permutations(n).expect("solvable");
        let expected = [libm::log(12.0), libm::log(40_320.0 / 92.0)];
        assert_close(&[log(4), log(8)], &expected, 1e-12);
        assert_eq!((log_permutations(3), log_permutations(28)), (None, None));
        let moves = means(|n| 3.0 * libm::exp(0.9 * log(n)));
        let law = DensityLaw::of_moves(&moves).expect("nine points");
        assert_close(&[law.power.value], &[0.9], 1e-9);
    }
}
