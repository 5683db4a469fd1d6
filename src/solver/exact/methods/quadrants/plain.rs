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

/// Fills, for each chunk of diagonals, `free` of a set of diagonals from that of the set without
/// its lowest one, and `taken` of that one. The entries of the empty sets are there.
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
