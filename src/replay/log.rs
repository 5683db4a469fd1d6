//! The log of a replay: the updates of a trial that change something, and their numbers in a page.
//!
//! ```text
//! log     n from moves queens… signals… change…
//! change  gap head [from to] signal…
//! ```
//!
//! Cells are row · n + column, directions 0 to 7 (NW N NE W E SW S SE). `from` is the update after
//! which the log begins, `moves` counts the queen's moves up to it; then each cell has its number
//! of queens, and its signals with bit d for direction d. A gap is the number of updates since the
//! change before, or since `from`. In the head, bit 0 says that a queen moved, bits 1, 2 and 3 that
//! the move was dangerous, needless and deceived; the rest counts the signals. A signal (cell · 8 +
//! direction) is set if it was not, and removed if it was. The page reads it (`page/tape.js`).

use std::ops::RangeInclusive;

use crate::solver::Change;
use crate::solver::board::{Board, Cell, Directions};
use crate::solver::local::configuration::Configuration;

const MOVED: u64 = 1;
const DANGEROUS: u64 = 2;
const NEEDLESS: u64 = 4;
const DECEIVED: u64 = 8;

/// Changes of a trial within a window of its updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The state with which the log begins.
    pub start: Configuration,
    /// The update after which the trial is in the state `start`.
    pub from: u64,
    /// The last update whose change is kept.
    pub until: u64,
    /// Queen moves up to the update `from`.
    pub moves_before: u64,
    /// The updates of the window that change something: the first ones, at most so many.
    pub changes: Vec<Change>,
    most: usize,
    /// The number of changes in the window, those that were not kept included.
    pub n_changes: u64,
}

impl Log {
    /// The log of a trial that starts here: it begins with the state after the first update of the
    /// window, and keeps at most so many of the changes up to its last.
    pub fn new(start: Configuration, window: RangeInclusive<u64>, most: usize) -> Self {
        Self {
            start,
            from: *window.start(),
            until: *window.end(),
            moves_before: 0,
            changes: Vec::new(),
            most,
            n_changes: 0,
        }
    }

    /// An update has changed something. The updates are in order, and each is here at most once.
    pub fn add(&mut self, change: Change) {
        if change.update <= self.from {
            self.moves_before += u64::from(change.moved.is_some());
            apply(&mut self.start, &change);
        } else if change.update <= self.until {
            self.n_changes += 1;
            if self.changes.len() < self.most {
                self.changes.push(change);
            }
        }
    }

    /// The log as it goes into a page.
    pub fn numbers(&self) -> Vec<u64> {
        let board = self.start.board();
        let mut numbers = vec![board.n() as u64, self.from, self.moves_before];
        let cells = || board.cells().map(|cell| self.start[cell]);
        numbers.extend(cells().map(|cell| u64::from(cell.queens)));
        numbers.extend(cells().map(|cell| u64::from(cell.signals.bits())));
        let mut last = self.from;
        for change in &self.changes {
            numbers.extend([change.update - last, head(change)]);
            last = change.update;
            if let Some(moved) = change.moved {
                numbers.extend([moved.from, moved.to].map(u64::from));
            }
            let signals = change.toggled.iter();
            numbers
                .extend(signals.map(|signal| u64::from(8 * signal.cell + signal.direction as u32)));
        }
        numbers
    }
}

/// What kind of change this is, and how many signals it sets or removes.
fn head(change: &Change) -> u64 {
    let kinds = change.moved.map_or(0, |moved| {
        let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        MOVED
            | bit(moved.dangerous, DANGEROUS)
            | bit(moved.needless, NEEDLESS)
            | bit(moved.deceived, DECEIVED)
    });
    kinds | (change.toggled.len() as u64) << 4
}

/// Takes what a change did: signals set or removed, and the queen's move.
///
/// # Panics
/// When there is no queen that could move so.
pub fn apply(x: &mut Configuration, change: &Change) {
    for signal in &change.toggled {
        let cell = cell(x.board(), signal.cell);
        let signals = x[cell].signals;
        x.set_signals(cell, signals.difference(Directions::only(signal.direction)));
    }
    if let Some(moved) = change.moved {
        let board = x.board();
        x.move_queen(cell(board, moved.from), cell(board, moved.to));
    }
}

/// The cell of this number, row · side + column.
fn cell(board: Board, number: u32) -> Cell {
    let number = number as usize;
    let n = board.n();
    board.cell(number % n, number / n)
}

#[cfg(test)]
mod tests;
