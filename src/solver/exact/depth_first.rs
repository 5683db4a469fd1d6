//! The walk that four methods share: row by row, depth first, back to the last choice when no
//! square of a row is safe.
//!
//! They differ in how they find out that a square is safe, see `Watch`. Common to them:
//! - nodes: safe partial boards entered, the empty and the complete ones included;
//! - failures: dead ends, that is incomplete partial boards of which the next row has no safe
//!   square.

use super::{Halt, Search};

pub(super) const NODES: &str = "safe partial boards entered, the empty one included";
pub(super) const FAILURES: &str = "incomplete partial boards without a safe square in the next row";

/// What a method keeps about the queens on the board. Each method counts its
/// own checks.
pub(super) trait Watch {
    /// No queen on the board attacks this square.
    fn is_safe(&self, row: usize, column: usize, search: &mut Search<'_>) -> Result<bool, Halt>;

    /// Places a queen on this square.
    fn place(&mut self, row: usize, column: usize, search: &mut Search<'_>) -> Result<(), Halt>;

    /// Removes the queen of this square, the last that was placed.
    fn take_back(&mut self, row: usize, column: usize, search: &mut Search<'_>)
    -> Result<(), Halt>;
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
        if watch.is_safe(row, column, search)? {
            is_dead_end = false;
            watch.place(row, column, search)?;
            queens.push(column);
            walk(n, queens, watch, search)?;
            queens.pop();
            watch.take_back(row, column, search)?;
        }
    }
    if is_dead_end {
        search.fail();
    }
    Ok(())
}
