//! How rare solutions are: known numbers of boards, and the probabilities that a random position is
//! a solution. Here are the table S(n) for n = 1 … 27, d(n), 1/d and n!/S(n), by which formulas of
//! figures divide and multiply.

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
    let solutions = solution_count(n)? as f64;
    // Only products, so that it is the same on every platform.
    Some((1..=n).fold(solutions, |product, queen| {
        product * (f64::from(queen) / cells)
    }))
}

/// 1/d(n), d as in [`density`]: how many random starts there are per solved one; `None` outside n =
/// 1 … 27 and where there is no solution.
pub fn inverse_density(n: u32) -> Option<f64> {
    density(n).filter(|&density| density > 0.0).map(f64::recip)
}

/// n!/S(n): of how many boards with one queen in each row and column one is a solution; `None`
/// where S(n) is 0 or not known.
pub fn permutations_per_solution(n: u32) -> Option<f64> {
    let solutions = solution_count(n).filter(|&count| count > 0)?;
    let factorial: f64 = (1..=n).map(f64::from).product();
    Some(factorial / solutions as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_solution_there_is_no_inverse() {
        assert_eq!(density(3), Some(0.0));
        assert_eq!([0, 28].map(solution_count), [None; 2]);
        assert_eq!([0, 2, 3, 28].map(inverse_density), [None; 4]);
        assert_eq!(inverse_density(1), Some(1.0));
    }
}
