//! Quarters of the board, filled one by one, joined to halves and then to boards: counts without
//! visiting a single solution.
//!
//! 1. The board is cut between two columns (west: ⌈n/2⌉ of them, east: ⌊n/2⌋). A *set of rows* says
//!    which rows have their queen in the east; the others have theirs in the west.
//! 2. Each half is cut between two rows. All placements of a quarter's queens are listed by the
//!    columns that they take; a placement in the north and one in the south make a *half board*
//!    when their columns complete each other and no diagonal meets. Of a half board only the
//!    2(n − 1) diagonals that lead to the other half are kept: one word.
//! 3. The solutions of a set of rows are the pairs of half boards, one of each side, that share no
//!    diagonal. They are counted 512 at a time: 512 half boards of the east are stored by diagonal
//!    instead of by board, so that a half board of the west meets them all in a few instructions.
//!
//! *Symmetry.* A solution has at most one queen on each long diagonal. A reflection in one of them
//! moves the queen of the other one from the one half to the other, so that as many solutions have
//! it in the east as in the west: only boards without such a queen in the east are counted, twice
//! for each such queen in the west outside of the centre. Upside down, such boards become such
//! boards: of a set of rows and its mirror image one is taken, and counts twice. All this leaves a
//! sixth to an eighth of the pairs.
//!
//! *Memory* is bounded: half boards come in blocks, and tables of placements are made for a few
//! sets of rows at a time (`count`).
//!
//! *Why it is fast.* A search visits each solution, and S(18) has 666 million of them; here pairs
//! of half boards are visited. There are more pairs than solutions, but 512 of them cost one step:
//! for each six of the diagonals that both halves may take, one table entry has the bits of the
//! eastern half boards that leave a set of these free, so that nine loads, eight ands of 512 bits
//! and a count of bits answer for 512 pairs (n = 27; four loads at n = 14). Half boards are sorted
//! by their most frequent diagonals, so that groups which cannot fit are left out as a whole.
//!
//! *Read* this file (which sets of rows there are), `halves.rs` (diagonals as bits, quarters, half
//! boards), `table.rs` (512 half boards by diagonal), `count.rs` (what is held against what), and
//! last `loops.rs` (the same four loops for three kinds of processor).
//!
//! - checks: sets of rows taken up, mirror images left out: the cutoff, and what progress counts;
//! - nodes: none; no tree is walked, and no board seen;
//! - a cutoff leaves the first sets of rows, in a fixed order, each whole. A censored count is
//!   theirs.
//!
//! The idea of joining quarters is public (E. Kluev, *N Queens Count Solutions*, and before it the
//! *deepgreen* pages on n queens); the arrangement here is our own.

mod count;
mod halves;
mod loops;
mod table;

use crate::exact::{ALGORITHM, Goal, Halt, Method, Search};
use crate::{Algorithm, Axis, Column};

/// Side of the largest board: S(27) is the last that is known, and fits into 64 bits.
const N_MAX: usize = 27;

/// The entry in the list of methods.
pub const METHOD: Method = Method {
    algorithm: Algorithm {
        name: "quadrants",
        doc: "quarters of the board joined to halves, and 512 halves at once held against one; counts only, on every thread it is given",
        axes: &[Axis::side(N_MAX as u64)],
        goals: &[Goal::Count],
        columns: &[
            Column::named("solution"),
            Column::named("solutions"),
            Column::named("checks")
                .meaning("sets of rows given to one half of the board, mirror images left out"),
        ],
        ..ALGORITHM
    },
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    if n == 0 {
        return search.solution(&[]);
    }
    count::by_quadrants(n, search)
}

/// Sets of northern rows for which placements are kept at a time.
fn block_len(n: usize) -> usize {
    match n {
        0..=20 => 64,
        21..=22 => 16,
        _ => 2,
    }
}

/// Sets of rows with one part in the north from a list, and all parts in the south that go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    /// Sets of rows of the north.
    norths: Vec<u32>,
    /// What they are joined with.
    units: Vec<Unit>,
}

/// Sets of rows with one southern part.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unit {
    /// The part in the south, as bits of rows of the whole board.
    south: u32,
    /// The parts in the north, as indices of [`Block::norths`], and the multiplicity: 2 for a set
    /// that stands for its mirror image too.
    members: Vec<(usize, u64)>,
}

impl Block {
    /// Sets of rows in it.
    fn n_sets(&self) -> u64 {
        self.units
            .iter()
            .map(|unit| unit.members.len() as u64)
            .sum()
    }

    /// Leaves the first so many sets.
    fn truncate(&mut self, mut n_sets: u64) {
        for unit in &mut self.units {
            let kept = unit
                .members
                .len()
                .min(usize::try_from(n_sets).unwrap_or(usize::MAX));
            unit.members.truncate(kept);
            n_sets -= kept as u64;
        }
        self.units.retain(|unit| !unit.members.is_empty());
    }
}

/// All sets of ⌊n/2⌋ of n rows, 1 ≤ n < 32, the first ⌈n/2⌉ of them the north: the rows whose
/// queens stand in the east, one set of each two that are each other upside down, in an order that
/// never changes.
fn blocks(n: usize) -> impl Iterator<Item = Block> {
    let (n_north, n_east) = (n.div_ceil(2), n / 2);
    let n_south = n - n_north;
    (n_east - n_south.min(n_east)..=n_east.min(n_north)).flat_map(move |k| {
        let norths = subsets(n_north, k);
        let souths: Vec<u32> = subsets(n_south, n_east - k)
            .into_iter()
            .map(|rows| rows << n_north)
            .collect();
        let blocks: Vec<Vec<u32>> = norths.chunks(block_len(n)).map(<[u32]>::to_vec).collect();
        blocks.into_iter().map(move |norths| {
            let units = souths.iter().map(|&south| unit(n, &norths, south));
            let units = units.filter(|unit| !unit.members.is_empty()).collect();
            Block { norths, units }
        })
    })
}

fn unit(n: usize, norths: &[u32], south: u32) -> Unit {
    let multiplicity = |north: u32| {
        let rows = north | south;
        let upside_down = rows.reverse_bits() >> (u32::BITS as usize - n);
        match rows.cmp(&upside_down) {
            std::cmp::Ordering::Less => Some(2),
            std::cmp::Ordering::Equal => Some(1),
            std::cmp::Ordering::Greater => None,
        }
    };
    let members = norths.iter().enumerate();
    let members = members.filter_map(|(at, &north)| Some((at, multiplicity(north)?)));
    Unit {
        south,
        members: members.collect(),
    }
}

/// The set of these rows.
fn row_set(rows: std::ops::Range<usize>) -> u32 {
    rows.fold(0, |set, row| set | 1 << row)
}

/// The sets of `k` of the first `of` bits, in ascending order.
fn subsets(of: usize, k: usize) -> Vec<u32> {
    (0..1_u32 << of)
        .filter(|set| set.count_ones() as usize == k)
        .collect()
}

/// The number of sets in all blocks: (C(n, ⌊n/2⌋) + those that are their own mirror image) / 2.
pub fn n_sets(n: usize) -> u64 {
    let binomial = |of: u64, k: u64| (1..=k).fold(1, |product, i| product * (of - k + i) / i);
    let (n, k) = (n as u64, n as u64 / 2);
    // Rows come in pairs; for odd n the middle one is taken where ⌊n/2⌋ is odd.
    let symmetric = if n % 2 == 0 && k % 2 == 1 {
        0
    } else {
        binomial(k, k / 2)
    };
    (binomial(n, k) + symmetric) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every set of rows comes exactly once when mirror images are included.
    #[test]
    fn every_set_of_rows_is_taken_or_stands_for_its_mirror_image() {
        for n in 1..=13 {
            let mut seen = BTreeSet::new();
            let mut n_listed = 0;
            for block in blocks(n) {
                n_listed += block.n_sets();
                for unit in block.units {
                    for (at, multiplicity) in unit.members {
                        let rows = block.norths[at] | unit.south;
                        let mirrored =
                            (0..n).fold(0, |set, row| set | (rows >> row & 1) << (n - 1 - row));
                        let n_new = u64::from(seen.insert(rows)) + u64::from(seen.insert(mirrored));
                        assert_eq!(n_new, multiplicity, "n = {n}");
                    }
                }
            }
            let all: BTreeSet<u32> = subsets(n, n / 2).into_iter().collect();
            assert_eq!((seen, n_listed), (all, n_sets(n)), "n = {n}");
        }
        // C(20, 10) = 184 756 and C(10, 5) = 252.
        assert_eq!(n_sets(20), (184_756 + 252) / 2);
    }
}
