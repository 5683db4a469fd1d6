//! Bit masks of columns and diagonals: a row is tested at once, and only safe squares are visited.
//!
//! The masks of a row move one column along for the next (see `masks.rs`), so a node costs a few
//! instructions. Boards come in lexicographic order. A count visits half of the tree, by the mirror
//! symmetry, and splits it by the first rows over the threads.
//!
//! - checks, nodes: nodes of the tree that were visited, that is safe partial boards, the empty and
//!   the complete ones included. A count to the end visits the root, one half of the others, and
//!   for odd n the middle square of the first row.
//! - a cutoff is exact for any number of threads. A censored count is that of the subtrees that
//!   come first, after their first rows; what threads counted beyond them is dropped.

mod count;
mod kernel;
mod masks;

use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

pub(crate) use self::masks::{Masks, squares};

const VISITED: &str = "tree nodes visited, the root included; half of them when counting";

/// The entry in the list of methods.
pub(crate) const METHOD: Method = Method {
    name: "bitboard",
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
