//! Positions from text: drawings, the JSON of `reines solve`, and lists of signals.

mod board;

mod boards;

mod signals;

pub use self::signals::signals;

use super::place::Place;
use super::position::Position;

/// A position as it was read, and the cells that its drawing marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// Queens; no signals are given.
    pub position: Position,
    /// Cells drawn as `×`.
    pub marks: Vec<Place>,
}

/// What is wrong with a text, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// From 1; none where it is the whole text.
    pub line: Option<usize>,
    /// What was found, and what is allowed.
    pub reason: String,
}

impl ReadError {
    fn whole(reason: impl Into<String>) -> Self {
        Self {
            line: None,
            reason: reason.into(),
        }
    }

    fn at(line: usize, reason: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            reason: reason.into(),
        }
    }

    /// `name:line: reason`, the name being the file's.
    pub fn in_file(&self, name: &str) -> String {
        match self.line {
            Some(line) => format!("{name}:{line}: {}", self.reason),
            None => format!("{name}: {}", self.reason),
        }
    }
}

/// The positions of a text, at least one: a drawing holds one, the JSON of `reines solve` one for
/// each of its boards.
///
/// # Drawings
/// A line for each row from the north, a character for each cell: `Q` a queen, a digit from 2 to 9
/// so many queens, `.` a free cell, `×` (or `x`) a free cell that is marked. Spaces between the
/// cells are allowed, and so are the numbers of the rows before them, a line with the names of the
/// columns (the last or the first), blank lines, lines that begin with `#`, and a remark three or
/// more spaces after a row.
///
/// # Errors
/// For anything else.
pub fn positions(text: &str) -> Result<Vec<Drawn>, ReadError> {
    if text.trim_start().starts_with('{') {
        boards::read(text)
    } else {
        Ok(vec![board::read(text)?])
    }
}

/// The one position of a text; see [`positions`].
///
/// # Errors
/// For what is no position, and for more than one.
pub fn position(text: &str) -> Result<Drawn, ReadError> {
    let mut found = positions(text)?;
    if found.len() > 1 {
        let n = found.len();
        return Err(ReadError::whole(format!("{n} boards; allowed is one")));
    }
    Ok(found.remove(0))
}
