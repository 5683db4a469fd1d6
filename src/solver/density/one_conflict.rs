//! N₁(n): the placements of n queens on different cells of the n × n board with exactly one pair of
//! queens on one line.
//!
//! A pair counts on each row, column and diagonal that has both queens, whatever stands between
//! them, as in the observable `conflicts`; so N₁ counts the placements where `conflicts` is 1. (Two
//! queens on one cell would share four lines.)

use rayon::prelude::*;

use crate::exact::methods::bitboard::{Masks, squares};

/// Side of the largest board whose number is known here.
pub const N_MAX: u32 = 16;

/// N₁ for n = 1 … 16, by [`count`].
const KNOWN: [u64; N_MAX as usize] = [
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

/// N₁(n); `None` outside n = 1 … [`N_MAX`].
pub fn one_conflict_count(n: u32) -> Option<u64> {
    let index = usize::try_from(n).ok()?.checked_sub(1)?;
    KNOWN.get(index).copied()
}

/// N₁(n), counted on every thread of the present Rayon pool, for n = 1 … 31.
///
/// Where the pair shares a column or a diagonal, each row has one queen: rows are filled one by
/// one, and one cell that a single line attacks is allowed. As many placements have the pair in a
/// row as in a column.
pub fn count(n: u32) -> u64 {
    // With the first queen in the other half they are mirror images.
    let of_column = |column: u32| {
        let twice = 1 + u64::from(2 * column + 1 != n);
        let masks = Masks::empty(n as usize).place(1 << column);
        twice * one(masks, n - 1, u32::MAX >> (32 - n))
    };
    (0..n.div_ceil(2)).into_par_iter().map(of_column).sum()
}

/// Ways to fill the other rows of the board with one conflict; those in a column count for those in
/// a row, too.
fn one(masks: Masks, rows: u32, board: u32) -> u64 {
    if rows == 0 {
        return 0;
    }
    let Masks {
        columns,
        rising,
        falling,
    } = masks;
    let twice = columns & (rising | falling) | rising & falling;
    let once = board & !masks.free() & !twice;
    let free = masks.children().map(|next| one(next, rows - 1, board));
    let taken = squares(once).map(|queen| {
        let lines = 1 + u64::from(columns & queen > 0);
        lines * none(masks.place(queen), rows - 1)
    });
    free.sum::<u64>() + taken.sum::<u64>()
}

/// Ways to fill the other rows without another conflict.
fn none(masks: Masks, rows: u32) -> u64 {
    if rows == 0 {
        return 1;
    }
    masks.children().map(|next| none(next, rows - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Placements with exactly one pair on one line, by trying every set of cells: pairs are
    /// compared by their coordinates.
    fn by_every_set(n: i32, queens: &mut Vec<(i32, i32)>, from: i32, conflicts: usize) -> u64 {
        if queens.len() as i32 == n {
            return u64::from(conflicts == 1);
        }
        let mut found = 0;
        for cell in from..n * n {
            let (x, y) = (cell % n, cell / n);
            let on_line =
                |&&(a, b): &&(i32, i32)| a == x || b == y || (a - x).abs() == (b - y).abs();
            let met = conflicts + queens.iter().filter(on_line).count();
            if met <= 1 {
                queens.push((x, y));
                found += by_every_set(n, queens, cell + 1, met);
                queens.pop();
            }
        }
        found
    }

    #[test]
    fn the_search_counts_as_trying_every_set_does() {
        for n in 1..=7 {
            let plain = by_every_set(n, &mut Vec::new(), 0, 0);
            assert_eq!(count(n as u32), plain, "n = {n}");
        }
    }

    #[test]
    fn known_numbers_are_counted() {
        for n in 1..=10 {
            assert_eq!(one_conflict_count(n), Some(count(n)), "n = {n}");
        }
        assert_eq!([0, N_MAX + 1].map(one_conflict_count), [None; 2]);
    }

    #[test]
    #[ignore = "slow: make verify"]
    fn larger_known_numbers_are_counted() {
        for n in 11..=14 {
            assert_eq!(one_conflict_count(n), Some(count(n)), "n = {n}");
        }
    }
}
