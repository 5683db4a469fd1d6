//! How rare solutions are: the numbers S(n) of the exhaustive searches and the probabilities that a
//! random position is one of them.

pub mod exact;

/// S(n) for n = 1 … 27: OEIS A000170.
const SOLUTIONS: [u64; 27] = [
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// Number S(n) of solutions of the n-queens problem, mirror images and rotations counted apart;
/// `None` outside n = 1 … 27.
///
/// Source: OEIS A000170.
pub fn solution_count(n: u32) -> Option<u64> {
    let index = usize::try_from(n).ok()?.checked_sub(1)?;
    SOLUTIONS.get(index).copied()
}

/// d(n) = S(n) · n! / n^(2n): the probability that n queens, each on a cell drawn uniformly and
/// independently, form a solution; `None` outside n = 1 … 27.
///
/// The start of both local rules, hence the density of figure 6.
pub fn density(n: u32) -> Option<f64> {
    let cells = f64::from(n) * f64::from(n);
    Some(thinned(
        solution_count(n)?,
        (1..=n).map(|queen| f64::from(queen) / cells),
    ))
}

/// S(n) / C(n², n): the probability that n queens on distinct cells form a solution; `None` outside
/// n = 1 … 27.
///
/// Larger than [`density`] by a factor that tends to √e.
pub fn density_distinct_cells(n: u32) -> Option<f64> {
    let cells = f64::from(n) * f64::from(n);
    Some(thinned(
        solution_count(n)?,
        (0..n).map(|placed| f64::from(placed + 1) / (cells - f64::from(placed))),
    ))
}

/// S(n) / nⁿ: the probability that n queens, one per row, each in a column drawn uniformly and
/// independently, form a solution; `None` outside n = 1 … 27.
pub fn density_one_per_row(n: u32) -> Option<f64> {
    Some(thinned(
        solution_count(n)?,
        (0..n).map(|_| 1.0 / f64::from(n)),
    ))
}

/// 1/d(n), d as in [`density`]: how many random starts there are per solved one; `None` outside n =
/// 1 … 27 and where there is no solution.
pub fn inverse_density(n: u32) -> Option<f64> {
    density(n).filter(|&density| density > 0.0).map(f64::recip)
}

/// `count` times the product of `factors`; only products, so that it is the same on every platform.
fn thinned(count: u64, factors: impl Iterator<Item = f64>) -> f64 {
    factors.fold(count as f64, |product, factor| product * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solutions with queens in the rows from `row` on, by trying every column: no table, no
    /// symmetry.
    fn search(n: u32, columns: &mut Vec<u32>) -> u64 {
        let row = columns.len() as u32;
        if row == n {
            return 1;
        }
        let mut found = 0;
        for column in 0..n {
            let attacked = (0..row)
                .zip(columns.iter())
                .any(|(other, &at)| at == column || at.abs_diff(column) == row - other);
            if !attacked {
                columns.push(column);
                found += search(n, columns);
                columns.pop();
            }
        }
        found
    }

    #[test]
    fn counts_are_those_of_an_exhaustive_search() {
        for n in 1..=10 {
            assert_eq!(
                solution_count(n),
                Some(search(n, &mut Vec::new())),
                "n = {n}"
            );
        }
    }

    /// Exact rational arithmetic (Python's `fractions`), rounded once.
    #[test]
    fn densities_are_the_exact_fractions() {
        let exact = [
            (1, 1.0, 1.0, 1.0),
            (4, 0.000732421875, 0.001098901098901099, 0.0078125),
            (
                6,
                1.323053735033616e-06,
                2.053607366700346e-06,
                8.573388203017832e-05,
            ),
            (
                8,
                1.317857822868973e-08,
                2.078548638628271e-08,
                5.4836273193359375e-06,
            ),
            (
                16,
                9.083108463441807e-19,
                1.4657085106687098e-18,
                8.008194801734092e-13,
            ),
            (
                27,
                1.3008801083157324e-32,
                2.1179847150379168e-32,
                5.297562806518038e-22,
            ),
        ];
        for (n, independent, distinct, per_row) in exact {
            for (found, expected) in [
                (density(n), independent),
                (density_distinct_cells(n), distinct),
                (density_one_per_row(n), per_row),
            ] {
                let found = found.expect("n is within the table");
                assert!(
                    (found / expected - 1.0).abs() < 1e-14,
                    "n = {n}: {found} instead of {expected}"
                );
            }
        }
    }

    #[test]
    fn where_there_is_no_solution_there_is_no_inverse() {
        assert_eq!(density(3), Some(0.0));
        assert_eq!([0, 2, 3, 28].map(inverse_density), [None; 4]);
        assert_eq!(inverse_density(1), Some(1.0));
    }
}
