//! The log of a replay: the updates of a trial that change something, as bytes.
//!
//! ```text
//! log     "RQL1" side from moves changes block…     four numbers after the name of the format
//! block   frame, then up to 1024 changes
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
//! direction) is set if it was not, and removed if it was.

use crate::solver::board::{Board, Cell, Direction, Directions, N_MAX};
use crate::solver::local::configuration::{Configuration, Move};
use crate::solver::local::watch::{Change, Moved, Signal, Watcher};

/// Changes after which the whole state is written down again.
pub const BLOCK: u64 = 1024;

const NAME: &[u8; 4] = b"RQL1";

const MOVED: u8 = 1;
const DANGEROUS: u8 = 2;
const NEEDLESS: u8 = 4;
const DECEIVED: u8 = 8;

/// The updates whose changes a log keeps: after `from`, up to `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The log begins with the state after so many updates.
    pub from: u64,
    /// The last update that it keeps.
    pub to: u64,
}

impl Window {
    /// Everything.
    pub const ALL: Self = Self {
        from: 0,
        to: u64::MAX,
    };
}

/// Sees a trial and writes its log.
#[derive(Debug)]
pub struct LogWriter {
    window: Window,
    /// Bytes that are kept at most; beyond, they are counted.
    most: usize,
    state: Option<Configuration>,
    /// The update of the last change, or the window's first.
    last: u64,
    moves_before: u64,
    n_changes: u64,
    body: Vec<u8>,
    /// Bytes of the body, kept or not.
    size: u64,
}

/// A log as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogBytes {
    /// The bytes; none of the body's after those that are kept at most.
    pub bytes: Vec<u8>,
    /// How many there would be.
    pub size: u64,
    /// Updates in the window that change something.
    pub n_changes: u64,
}

impl LogWriter {
    /// Of this window, keeping at most so many bytes.
    pub fn new(window: Window, most: usize) -> Self {
        Self {
            window,
            most,
            state: None,
            last: window.from,
            moves_before: 0,
            n_changes: 0,
            body: Vec::new(),
            size: 0,
        }
    }

    /// The log of a trial that has started.
    ///
    /// # Panics
    /// When it has not.
    pub fn finish(mut self) -> LogBytes {
        let state = self.state.take().expect("the trial has started");
        if self.n_changes == 0 {
            self.keep(&frame(&state));
        }
        let mut bytes = NAME.to_vec();
        let side = state.board().n() as u64;
        for value in [side, self.window.from, self.moves_before, self.n_changes] {
            write_number(&mut bytes, value);
        }
        let size = bytes.len() as u64 + self.size;
        bytes.append(&mut self.body);
        LogBytes {
            bytes,
            size,
            n_changes: self.n_changes,
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        if self.size + piece.len() as u64 <= self.most as u64 {
            self.body.extend_from_slice(piece);
        }
        self.size += piece.len() as u64;
    }
}

impl Watcher for LogWriter {
    fn started(&mut self, x: &Configuration) {
        self.state = Some(x.clone());
    }

    fn changed(&mut self, change: Change) {
        if change.update > self.window.to {
            return;
        }
        let Some(mut state) = self.state.take() else {
            return;
        };
        if change.update <= self.window.from {
            self.moves_before += u64::from(change.moved.is_some());
        } else {
            if self.n_changes.is_multiple_of(BLOCK) {
                self.keep(&frame(&state));
            }
            let mut piece = Vec::new();
            write_change(&mut piece, &change, self.last, state.board());
            self.keep(&piece);
            (self.last, self.n_changes) = (change.update, self.n_changes + 1);
        }
        apply(&mut state, &change);
        self.state = Some(state);
    }
}

/// A log that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The state that it begins with.
    pub start: Configuration,
    /// The update after which that is the state.
    pub from: u64,
    /// Queen moves up to that update.
    pub moves_before: u64,
    /// Every update after it that changes something.
    pub changes: Vec<Change>,
}

/// Not the bytes of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no log of a replay: byte {at}: {reason}")]
pub struct Damaged {
    /// Where.
    pub at: usize,
    /// Why.
    pub reason: &'static str,
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
pub fn cell(board: Board, number: u32) -> Cell {
    let (number, n) = (number as usize, board.n());
    board.cell(number % n, number / n)
}

fn frame(x: &Configuration) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, cell) in x.board().cells().enumerate() {
        for _ in 0..x[cell].queens {
            write_number(&mut bytes, number as u64);
        }
    }
    bytes.extend(x.board().cells().map(|cell| x[cell].signals.bits()));
    bytes
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

/// Reads a log; the frames are compared with what the changes before them make.
///
/// # Errors
/// For bytes that are no log, and for a log that does not agree with itself.
pub fn read(bytes: &[u8]) -> Result<Log, Damaged> {
    let mut reader = Reader { bytes, at: 0 };
    if !bytes.starts_with(NAME) {
        return Err(reader.damaged("it does not begin with RQL1"));
    }
    reader.at = NAME.len();
    let side = reader.number_below(N_MAX as u64 + 1)? as usize;
    if side == 0 {
        return Err(reader.damaged("a board of side 0"));
    }
    let (from, moves_before, n_changes) = (reader.number()?, reader.number()?, reader.number()?);
    let board = Board::new(side);
    let start = reader.frame(board)?;
    let (mut state, mut last, mut changes) = (start.clone(), from, Vec::new());
    for number in 0..n_changes {
        if number > 0 && number.is_multiple_of(BLOCK) && reader.frame(board)? != state {
            return Err(reader.damaged("a frame that is not the state at its place"));
        }
        let change = reader.change(&state, last)?;
        apply(&mut state, &change);
        last = change.update;
        changes.push(change);
    }
    if reader.at != bytes.len() {
        return Err(reader.damaged("more bytes than the log has"));
    }
    Ok(Log {
        start,
        from,
        moves_before,
        changes,
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn damaged(&self, reason: &'static str) -> Damaged {
        Damaged {
            at: self.at,
            reason,
        }
    }

    fn byte(&mut self) -> Result<u8, Damaged> {
        let byte = self.bytes.get(self.at).copied();
        let byte = byte.ok_or_else(|| self.damaged("it ends here"))?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u64, Damaged> {
        let mut value = 0;
        for place in 0..10 {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if place == 9 && bits > 1 {
                break;
            }
            value |= bits << (7 * place);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.damaged("a number above 2⁶⁴"))
    }

    fn number_below(&mut self, end: u64) -> Result<u64, Damaged> {
        let number = self.number()?;
        if number < end {
            Ok(number)
        } else {
            Err(self.damaged("a number that is too large for its place"))
        }
    }

    fn direction(&mut self) -> Result<Direction, Damaged> {
        let number = usize::from(self.byte()?);
        let direction = Direction::ALL.get(number).copied();
        direction.ok_or_else(|| self.damaged("no direction"))
    }

    fn frame(&mut self, board: Board) -> Result<Configuration, Damaged> {
        let n_cells = (board.n() * board.n()) as u64;
        let mut queens = Vec::new();
        for _ in 0..board.n() {
            queens.push(cell(board, self.number_below(n_cells)? as u32));
        }
        let mut state = Configuration::with_queens(board, queens);
        for cell in board.cells() {
            let signals = Directions::from_bits(self.byte()?);
            if signals.union(board.directions(cell)) != board.directions(cell) {
                return Err(self.damaged("a signal from off the board"));
            }
            state.set_signals(cell, signals);
        }
        Ok(state)
    }

    fn change(&mut self, state: &Configuration, last: u64) -> Result<Change, Damaged> {
        let board = state.board();
        let update = last.checked_add(self.number()?);
        let update = update.ok_or_else(|| self.damaged("an update above 2⁶⁴"))?;
        let head = self.byte()?;
        let n_cells = (board.n() * board.n()) as u64;
        let moved = if head & MOVED == 0 {
            None
        } else {
            let from = self.number_below(n_cells)? as u32;
            let direction = self.direction()?;
            let here = cell(board, from);
            if state[here].queens == 0 || !board.directions(here).contains(direction) {
                return Err(self.damaged("a move that no queen can make"));
            }
            let (x, y) = board.coordinates(board.neighbour(here, direction));
            Some(Moved {
                from,
                to: (y * board.n() + x) as u32,
                dangerous: head & DANGEROUS != 0,
                needless: head & NEEDLESS != 0,
                deceived: head & DECEIVED != 0,
            })
        };
        let mut toggled = Vec::new();
        for _ in 0..head >> 4 {
            let code = self.number_below(8 * n_cells)?;
            toggled.push(Signal {
                cell: (code / 8) as u32,
                direction: Direction::ALL[(code % 8) as usize],
            });
        }
        Ok(Change {
            update,
            moved,
            toggled,
        })
    }
}

#[cfg(test)]
mod tests;
