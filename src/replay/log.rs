//! The log of a replay: the updates of a trial that change something, and their bytes in a page.
//!
//! ```text
//! log     "RQL2" side from moves changes frame change…    four numbers after the format's name
//! frame   the cell of each queen (number), ascending; then the signals of each cell (one byte)
//! change  gap (number) head (one byte) [from (number) direction (one byte)] signal (number)…
//! ```
//!
//! A number is a LEB128 varint: seven bits a byte, the lowest first, the top bit set where more
//! follow. Cells are row · side + column, directions 0 to 7 (NW N NE W E SW S SE), the signals of a
//! cell a byte with bit d for direction d. `from` is the update after which the log begins, `moves`
//! counts the queen's moves up to it. A gap is the number of updates since the change before, or
//! since `from`. In the head, bit 0 says that a queen moved, bits 1, 2 and 3 that the move was
//! dangerous, needless and deceived; bits 4 to 7 count the signals, each of which (cell · 8 +
//! direction) is set if it was not, and removed if it was. The page reads it (`page/tape.js`).

use std::ops::RangeInclusive;

use crate::solver::board::{Board, Cell, Direction, Directions};
use crate::solver::local::configuration::{Configuration, Move};
use crate::solver::local::watch::{Change, Watcher};

const NAME: &[u8; 4] = b"RQL2";

const MOVED: u8 = 1;
const DANGEROUS: u8 = 2;
const NEEDLESS: u8 = 4;
const DECEIVED: u8 = 8;

/// Changes of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The state that it begins with.
    pub start: Configuration,
    /// The update after which that is the state.
    pub from: u64,
    /// Queen moves up to that update.
    pub moves_before: u64,
    /// The updates after it that change something; none after those that are kept at most.
    pub changes: Vec<Change>,
    /// How many there would be.
    pub n_changes: u64,
}

/// Sees a trial and keeps its log.
#[derive(Debug)]
pub struct LogWriter {
    /// It begins with the state after the first of these updates, and keeps the changes up to the
    /// last.
    window: RangeInclusive<u64>,
    /// Changes that are kept at most; beyond, they are counted.
    most: usize,
    log: Option<Log>,
}

impl LogWriter {
    /// Of this window, keeping at most so many changes.
    pub fn new(window: RangeInclusive<u64>, most: usize) -> Self {
        Self {
            window,
            most,
            log: None,
        }
    }

    /// The log of a trial that has started.
    ///
    /// # Panics
    /// When it has not.
    pub fn finish(self) -> Log {
        self.log.expect("the trial has started")
    }
}

impl Watcher for LogWriter {
    fn started(&mut self, x: &Configuration) {
        self.log = Some(Log {
            start: x.clone(),
            from: *self.window.start(),
            moves_before: 0,
            changes: Vec::new(),
            n_changes: 0,
        });
    }

    fn changed(&mut self, change: Change) {
        let Some(log) = &mut self.log else { return };
        if change.update <= log.from {
            log.moves_before += u64::from(change.moved.is_some());
            apply(&mut log.start, &change);
        } else if change.update <= *self.window.end() {
            log.n_changes += 1;
            if log.changes.len() < self.most {
                log.changes.push(change);
            }
        }
    }
}

impl Log {
    /// As it goes into a page.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = NAME.to_vec();
        let board = self.start.board();
        let (side, changes) = (board.n() as u64, self.changes.len() as u64);
        for value in [side, self.from, self.moves_before, changes] {
            write_number(&mut bytes, value);
        }
        for (number, cell) in board.cells().enumerate() {
            for _ in 0..self.start[cell].queens {
                write_number(&mut bytes, number as u64);
            }
        }
        bytes.extend(board.cells().map(|cell| self.start[cell].signals.bits()));
        let mut last = self.from;
        for change in &self.changes {
            write_change(&mut bytes, change, last, board);
            last = change.update;
        }
        bytes
    }
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
        let [from, to] = [moved.from, moved.to].map(|number| cell(x.board(), number));
        x.move_queen(Move {
            from,
            to,
            certain: false,
        });
    }
}

/// The cell of this number, row · side + column.
fn cell(board: Board, number: u32) -> Cell {
    let (number, n) = (number as usize, board.n());
    board.cell(number % n, number / n)
}

fn write_change(bytes: &mut Vec<u8>, change: &Change, last: u64, board: Board) {
    write_number(bytes, change.update - last);
    let kinds = change.moved.map_or(0, |moved| {
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        MOVED
            | bit(moved.dangerous, DANGEROUS)
            | bit(moved.needless, NEEDLESS)
            | bit(moved.deceived, DECEIVED)
    });
    // An update writes the signals of at most 8 dependencies.
    bytes.push(kinds | (change.toggled.len() as u8) << 4);
    if let Some(moved) = change.moved {
        write_number(bytes, moved.from.into());
        let to = cell(board, moved.to);
        let reaches = |d: &Direction| board.neighbour(cell(board, moved.from), *d) == to;
        let direction = Direction::ALL.into_iter().find(reaches);
        bytes.push(direction.expect("a queen moves to an adjacent cell") as u8);
    }
    for signal in &change.toggled {
        let direction = u64::from(signal.direction as u8);
        write_number(bytes, 8 * u64::from(signal.cell) + direction);
    }
}

fn write_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests;
