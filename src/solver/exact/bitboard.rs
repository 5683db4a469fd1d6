//! Bit masks of columns and diagonals: the whole row is asked at once, and only safe squares are
//! visited.
//!
//! The masks of a row move one column along for the next (see `Masks`), so a node costs a few
//! instructions. Boards come in lexicographic order. To count, one visits half of the tree, by the
//! mirror symmetry, and splits it by the first rows over the threads.
//!
//! - checks, nodes: nodes of the tree that were visited, that is safe partial boards, the empty and
//!   the complete ones included. A count to the end visits the root, one half of the others, and
//!   for odd n the middle square of the first row.
//! - a cutoff is exact for any number of threads. A censored count is that of the subtrees that
//!   come first, after their first rows; threads may have looked further, which is thrown away.

mod count;
mod kernel;
#[cfg(target_arch = "x86_64")]
mod wide;

use super::{Exhaustive, Goal, Halt, Measures, Search};

/// Elsewhere there are no wider instructions to choose.
#[cfg(not(target_arch = "x86_64"))]
mod wide {
    use super::{Halt, Masks, kernel::Tally};
    use crate::solver::exact::Pieces;

    pub(super) enum Lists {}

    impl Lists {
        pub fn new(_rows_left: usize) -> Option<Self> {
            None
        }

        pub fn count(
            &mut self,
            _board: Masks,
            _allowed: u64,
            _pieces: &Pieces<'_>,
        ) -> Result<Option<Tally>, Halt> {
            match *self {}
        }
    }
}

pub struct Bitboard;

impl Exhaustive for Bitboard {
    fn name(&self) -> &'static str {
        "bitboard"
    }

    fn doc(&self) -> &'static str {
        "bit masks of columns and diagonals; counts half the tree by mirror symmetry, on every thread it is given"
    }

    fn measures(&self) -> Measures {
        const VISITED: &str = "tree nodes visited, the root included; half of them when counting";
        Measures {
            nodes: Some(VISITED),
            checks: Some(VISITED),
            failures: None,
        }
    }

    fn n_max(&self) -> usize {
        u32::BITS as usize
    }

    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
        // Below 2 there is no mirror image to leave out.
        if search.goal() == Goal::Count && n >= 2 {
            return count::by_symmetry(n, search);
        }
        walk(n, Masks::empty(n), &mut Vec::with_capacity(n), search)
    }
}

/// Nodes at each depth of the whole tree, from the empty board to the solutions (n = 8: 1, 8, 42,
/// 140, 344, 568, 550, 312, 92).
///
/// Source: OEIS A319284.
///
/// # Panics
/// When n > 32.
pub fn profile(n: usize) -> Vec<u64> {
    fn visit(masks: Masks, depth: usize, nodes: &mut [u64]) {
        nodes[depth] += 1;
        masks
            .children()
            .for_each(|child| visit(child, depth + 1, nodes));
    }
    let mut nodes = vec![0; n + 1];
    visit(Masks::empty(n), 0, &mut nodes);
    nodes
}

/// What the queens above leave of a row: bit c is set where column c is taken by …
#[derive(Debug, Clone, Copy)]
struct Masks {
    /// … a queen in this column, or by the edge of the board: columns from n on are taken.
    columns: u32,
    /// … a diagonal that runs towards higher columns.
    rising: u32,
    /// … a diagonal that runs towards lower columns.
    falling: u32,
}

impl Masks {
    /// The first row of an empty board.
    ///
    /// # Panics
    /// When n > 32.
    fn empty(n: usize) -> Self {
        assert!(
            n <= u32::BITS as usize,
            "a row of {n} columns does not fit into its mask"
        );
        let board = (1_u64 << n) - 1;
        Self {
            columns: !(board as u32),
            rising: 0,
            falling: 0,
        }
    }

    /// The safe squares of the row.
    #[inline(always)]
    fn free(self) -> u32 {
        !(self.columns | self.rising | self.falling)
    }

    /// The next row, after a queen on the square with this bit.
    #[inline(always)]
    fn place(self, queen: u32) -> Self {
        Self {
            columns: self.columns | queen,
            rising: (self.rising | queen) << 1,
            falling: (self.falling | queen) >> 1,
        }
    }

    /// The next row after a queen on each safe square in turn, lowest column first.
    #[inline(always)]
    fn children(self) -> impl Iterator<Item = Self> {
        squares(self.free()).map(move |queen| self.place(queen))
    }
}

/// The bits of a set, one at a time, lowest first.
#[inline(always)]
fn squares(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set & set.wrapping_neg();
        set ^= square;
        (square != 0).then_some(square)
    })
}

/// The whole tree below `masks`, board by board.
fn walk(
    n: usize,
    masks: Masks,
    queens: &mut Vec<usize>,
    search: &mut Search<'_>,
) -> Result<(), Halt> {
    search.check()?;
    search.node()?;
    if queens.len() == n {
        return search.solution(queens);
    }
    for queen in squares(masks.free()) {
        queens.push(queen.trailing_zeros() as usize);
        walk(n, masks.place(queen), queens, search)?;
        queens.pop();
    }
    Ok(())
}
