//! Bit masks of columns and diagonals: a row is tested at once, and only safe squares are visited.
//!
//! The masks of a row move one column along for the next (`Masks`), so a node costs a few
//! instructions. Boards come in lexicographic order. A count visits half of the tree, by the mirror
//! symmetry, and splits it by the first rows over the threads.
//!
//! - checks, nodes: nodes of the tree that were visited, that is safe partial boards, the empty and
//!   the complete ones included. A count to the end visits the root, one half of the others, and
//!   for odd n the middle square of the first row.
//! - a cutoff is exact for any number of threads. A censored count is that of the subtrees that
//!   come first, after their first rows; what threads counted beyond them is dropped.

mod count;

use crate::exact::{Goal, Halt, Measures, Method, Search};

const VISITED: &str = "tree nodes visited, the root included; half of them when counting";

/// The entry in the list of methods.
pub const METHOD: Method = Method {
    name: "bitboard",
    definition: 1,
    doc: "bit masks of columns and diagonals; counts half the tree by mirror symmetry, on every thread it is given",
    measures: Measures {
        nodes: Some(VISITED),
        checks: Some(VISITED),
        failures: None,
    },
    goals: &Goal::EVERY,
    n_max: u32::BITS as usize,
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    // Below 2 there is no mirror image to leave out.
    if search.goal() == Goal::Count && n >= 2 {
        return count::by_symmetry(n, search);
    }
    walk(n, Masks::empty(n), &mut Vec::with_capacity(n), search)
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

/// What the queens above leave of a row: bit c is set where column c is taken by …
#[derive(Debug, Clone, Copy)]
pub(crate) struct Masks {
    /// … a queen in this column, or by the edge of the board: columns from n on are taken.
    pub columns: u32,
    /// … a diagonal that runs towards higher columns.
    pub rising: u32,
    /// … a diagonal that runs towards lower columns.
    pub falling: u32,
}

impl Masks {
    /// The first row of an empty board.
    ///
    /// # Panics
    /// When n > 32.
    pub fn empty(n: usize) -> Self {
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
    pub fn free(self) -> u32 {
        !(self.columns | self.rising | self.falling)
    }

    /// The next row, after a queen on the square with this bit.
    #[inline(always)]
    pub fn place(self, queen: u32) -> Self {
        Self {
            columns: self.columns | queen,
            rising: (self.rising | queen) << 1,
            falling: (self.falling | queen) >> 1,
        }
    }

    /// The next row after a queen on each safe square in turn, lowest column first.
    #[inline(always)]
    pub fn children(self) -> impl Iterator<Item = Self> {
        squares(self.free()).map(move |queen| self.place(queen))
    }
}

/// The bits of a set, one at a time, lowest first.
#[inline(always)]
pub(crate) fn squares(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set & set.wrapping_neg();
        set ^= square;
        (square != 0).then_some(square)
    })
}
