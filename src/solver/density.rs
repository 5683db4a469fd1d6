//! How rare solutions are: known numbers of boards, and the probabilities that a random position is
//! a solution.

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

/// N₁ for n = 1 … 16. The numbers from n = 9 on are those of a search row by row, which an earlier
/// version of this program had (commit cf299741, `density/one_conflict.rs`).
const ONE_CONFLICT: [u64; 16] = [
    0,
    6,
    8,
    24,
    64,
    364,
    1_016,
    4_760,
    21_448,
    96_108,
    467_256,
    2_513_096,
    15_085_648,
    94_756_780,
    632_332_480,
    4_496_979_780,
];

/// Number S(n) of solutions of the n-queens problem, mirror images and rotations counted apart;
/// `None` outside n = 1 … 27.
///
/// Source: OEIS A000170.
pub fn solution_count(n: u32) -> Option<u64> {
    entry(&SOLUTIONS, n)
}

/// N₁(n): the placements of n queens on different cells with exactly one pair of queens on one
/// line; `None` outside n = 1 … 16.
///
/// A pair counts on each row, column and diagonal that has both queens, whatever stands between
/// them, as in the observable `conflicts`; so N₁ counts the placements where `conflicts` is 1. (Two
/// queens on one cell would share four lines.)
pub fn one_conflict_count(n: u32) -> Option<u64> {
    entry(&ONE_CONFLICT, n)
}

fn entry(table: &[u64], n: u32) -> Option<u64> {
    let index = usize::try_from(n).ok()?.checked_sub(1)?;
    table.get(index).copied()
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
        assert_eq!([0, 2, 3, 28].map(inverse_density), [None; 4]);
        assert_eq!(inverse_density(1), Some(1.0));
    }

    /// Placements of n queens on different cells, by trying every set of cells: pairs are compared
    /// by their coordinates. `most` is the largest number of pairs on one line.
    fn placements(n: i32, most: usize) -> Vec<(usize, Vec<(i32, i32)>)> {
        fn place(
            n: i32,
            queens: &mut Vec<(i32, i32)>,
            pairs: usize,
            most: usize,
            found: &mut Vec<(usize, Vec<(i32, i32)>)>,
        ) {
            if queens.len() as i32 == n {
                return found.push((pairs, queens.clone()));
            }
            let first = queens.last().map_or(0, |&(x, y)| y * n + x + 1);
            for cell in first..n * n {
                let (x, y) = (cell % n, cell / n);
                let on_line =
                    |&&(a, b): &&(i32, i32)| a == x || b == y || (a - x).abs() == (b - y).abs();
                let met = pairs + queens.iter().filter(on_line).count();
                if met <= most {
                    queens.push((x, y));
                    place(n, queens, met, most, found);
                    queens.pop();
                }
            }
        }
        let mut found = Vec::new();
        place(n, &mut Vec::new(), 0, most, &mut found);
        found
    }

    #[test]
    fn small_numbers_are_those_of_trying_every_set_of_cells() {
        for n in 1..=7 {
            let all = placements(n as i32, 1);
            let [solutions, one_conflict] =
                [0, 1].map(|pairs| all.iter().filter(|it| it.0 == pairs).count() as u64);
            assert_eq!(solution_count(n), Some(solutions), "n = {n}");
            assert_eq!(one_conflict_count(n), Some(one_conflict), "n = {n}");
        }
    }

    #[test]
    fn the_tables_end() {
        assert_eq!([0, 28].map(solution_count), [None; 2]);
        assert_eq!([0, 17].map(one_conflict_count), [None; 2]);
    }
}
