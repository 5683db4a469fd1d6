//! The walk that four methods share: row by row, depth first, back to the last choice when no
//! square of a row is safe; and which squares queens attack.
//!
//! They differ in how they find out that a square is safe, see `Watch`. Common to them:
//! - nodes: safe partial boards entered, the empty and the complete ones included;
//! - failures: dead ends, that is incomplete partial boards of which the next row has no safe
//!   square.

use super::{Halt, Search};

pub(super) const NODES: &str = "safe partial boards entered, the empty one included";
pub(super) const FAILURES: &str = "incomplete partial boards without a safe square in the next row";

/// (row, column).
pub(super) type Square = (usize, usize);

/// What a method keeps about the queens on the board. Each method counts its own checks.
pub(super) trait Watch {
    /// No queen on the board attacks this square.
    fn is_safe(&self, square: Square, search: &mut Search<'_>) -> Result<bool, Halt>;

    /// Places a queen on this square or, if it is not to be there, removes it again: the last that
    /// was placed.
    fn put(&mut self, square: Square, is_there: bool, search: &mut Search<'_>) -> Result<(), Halt>;
}

/// Fills the rows from `queens.len()` on in every way that `watch` finds safe.
pub(super) fn walk<W: Watch>(
    n: usize,
    queens: &mut Vec<usize>,
    watch: &mut W,
    search: &mut Search<'_>,
) -> Result<(), Halt> {
    search.node()?;
    let row = queens.len();
    if row == n {
        return search.solution(queens);
    }
    let mut is_dead_end = true;
    for column in 0..n {
        if watch.is_safe((row, column), search)? {
            is_dead_end = false;
            watch.put((row, column), true, search)?;
            queens.push(column);
            walk(n, queens, watch, search)?;
            queens.pop();
            watch.put((row, column), false, search)?;
        }
    }
    if is_dead_end {
        search.fail();
    }
    Ok(())
}

/// (Δrow, Δcolumn) of the eight ways a queen moves: row, column, falling diagonal, rising diagonal,
/// each in both directions.
const STEPS: [(isize, isize); 8] = [
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
    (-1, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
];

/// The cells that a queen attacks on an otherwise empty board, along each line in
/// turn from the queen to the edge: 3 (n − 1) + 2 · (rings between it and the edge) of them.
#[inline]
pub(super) fn attacked(n: usize, queen: Square) -> impl Iterator<Item = Square> {
    STEPS.into_iter().flat_map(move |(down, across)| {
        let step = move |&(row, column): &Square| {
            let next = (
                row.checked_add_signed(down)?,
                column.checked_add_signed(across)?,
            );
            (next.0 < n && next.1 < n).then_some(next)
        };
        std::iter::successors(step(&queen), step)
    })
}

/// A queen in `column` of the next row shares neither column nor diagonal with one of `queens`, the
/// columns of the queens in the rows above.
#[inline]
pub(super) fn is_safe(column: usize, queens: &[usize]) -> bool {
    let row = queens.len();
    !queens.contains(&column)
        && !queens
            .iter()
            .enumerate()
            .any(|(i, &queen)| column.abs_diff(queen) == row - i)
}
