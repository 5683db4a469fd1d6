//! The inner loops in plain code: the reference, and what a processor without wider registers runs.

use super::list::List;
use super::table::{CHUNK, ENTRIES, Group};

/// Appends the union of each pair of masks, one of each list, that share no bit.
#[inline(always)]
pub(super) fn join(first: &[u64], second: &[u64], unions: &mut List) {
    for &one in first {
        let room = unions.room(second.len());
        let mut n_found = 0_usize;
        for &other in second {
            // The place is written again unless the pair counts: there is no branch to guess.
            room[n_found] = one | other;
            n_found = n_found.wrapping_add(usize::from(one & other == 0));
        }
        unions.grow(n_found);
    }
}

/// Appends the masks without `bit` to `without`, those with it to `with`, in their order.
#[inline(always)]
pub(super) fn part(masks: &[u64], bit: u64, [without, with]: [&mut List; 2]) {
    let (zeros, ones) = (without.room(masks.len()), with.room(masks.len()));
    let (mut n_zeros, mut n_ones) = (0_usize, 0_usize);
    for &mask in masks {
        let is_one = usize::from(mask & bit != 0);
        // Both are written, one of them counts.
        (zeros[n_zeros], ones[n_ones]) = (mask, mask);
        n_zeros = n_zeros.wrapping_add(1 - is_one);
        n_ones = n_ones.wrapping_add(is_one);
    }
    without.grow(n_zeros);
    with.grow(n_ones);
}

/// The number of pairs of one of `masks` and one of the boards in `free`, by [`super::table`], that
/// share no bit.
#[inline(always)]
pub(super) fn count<const CHUNKS: usize>(masks: &[u64], free: &[Group]) -> u64 {
    let free = &free[..CHUNKS * ENTRIES];
    let mut n_pairs = 0_u64;
    for &mask in masks {
        let mut left = free[mask as usize % ENTRIES];
        for chunk in 1..CHUNKS {
            let value = (mask >> (CHUNK * chunk)) as usize % ENTRIES;
            let others = &free[ENTRIES * chunk + value];
            for (word, other) in left.0.iter_mut().zip(others.0) {
                *word &= other;
            }
        }
        for word in left.0 {
            n_pairs = n_pairs.wrapping_add(u64::from(word.count_ones()));
        }
    }
    n_pairs
}

/// Exchanges rows and columns of eight 64 × 64 matrices of bits at once: bit i of word l of row j
/// becomes bit j of word l of row i.
#[inline(always)]
pub(super) fn transpose(rows: &mut [Group; 64]) {
    let (mut half, mut mask) = (32, u64::from(u32::MAX));
    while half > 0 {
        for from in (0..64).step_by(2 * half) {
            for at in from..from + half {
                for lane in 0..8 {
                    let (low, high) = (rows[at].0[lane], rows[at + half].0[lane]);
                    let differ = (low >> half ^ high) & mask;
                    rows[at].0[lane] = low ^ differ << half;
                    rows[at + half].0[lane] = high ^ differ;
                }
            }
        }
        half /= 2;
        mask ^= mask << half;
    }
}

/// For each chunk of diagonals: `free` of a set of diagonals from that of the set without its
/// lowest one, and `taken` of that one. The entries of the empty sets are there.
#[inline(always)]
pub(super) fn spread(taken: &[Group; 64], free: &mut [Group]) {
    for (chunk, entries) in free.chunks_exact_mut(ENTRIES).enumerate() {
        for set in 1..ENTRIES {
            let lowest = CHUNK * chunk + set.trailing_zeros() as usize;
            let rest = entries[set & (set - 1)];
            for lane in 0..8 {
                entries[set].0[lane] = rest.0[lane] & !taken[lowest].0[lane];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::solver::exact::methods::quadrants::instructions;
    use crate::solver::exact::methods::quadrants::list::List;
    use crate::solver::exact::methods::quadrants::table::Group;

    /// Masks of some lengths around eight, the width of a register: against the definitions.
    #[test]
    fn lists_are_joined_and_parted() {
        let list = |n: u64, by: u64| (1..=n).map(|k| k * by % 251).collect::<Vec<u64>>();
        for instructions in instructions::present() {
            for (n, m) in [(0, 5), (5, 0), (1, 1), (3, 8), (9, 7), (40, 17)] {
                let (first, second) = (list(n, 37), list(m, 101));
                let mut unions = List::default();
                unions.append(&[7]);
                instructions.join(&first, &second, &mut unions);
                let pairs = first
                    .iter()
                    .flat_map(|a| second.iter().map(move |b| (a, b)));
                let apart = pairs.filter(|(a, b)| *a & *b == 0).map(|(a, b)| a | b);
                let mut expected: Vec<u64> = [7].into_iter().chain(apart).collect();
                let mut found = unions.to_vec();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{instructions:?}");
                let (mut without, mut with) = (List::default(), List::default());
                instructions.part(&first, 4, [&mut without, &mut with]);
                let has: (Vec<u64>, Vec<u64>) = first.iter().partition(|&&mask| mask & 4 == 0);
                assert_eq!((without.to_vec(), with.to_vec()), has, "{instructions:?}");
            }
        }
    }

    /// Bit i of row j is bit j of row i, in each of the eight words.
    #[test]
    fn a_transpose_exchanges_rows_and_columns() {
        let bit = |row: usize, lane: usize, column: usize| {
            (row * 7 + lane * 5 + column * column) % 11 < 4
        };
        let word = |row, lane| {
            (0..64).fold(0, |word, column| {
                word | u64::from(bit(row, lane, column)) << column
            })
        };
        let mut rows: [Group; 64] =
            std::array::from_fn(|row| Group(std::array::from_fn(|lane| word(row, lane))));
        super::transpose(&mut rows);
        for (row, group) in rows.iter().enumerate() {
            for (lane, &word) in group.0.iter().enumerate() {
                for column in 0..64 {
                    assert_eq!(word >> column & 1 == 1, bit(column, lane, row));
                }
            }
        }
    }
}
