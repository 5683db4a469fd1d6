//! Positions from text: drawings, and lists of signals.

mod board;

use super::coordinates::Coordinates;
use super::position::{Position, neighbour};
use crate::solver::board::{Direction, Directions};

/// A position as it was read, and the cells that its drawing marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// Queens; no signals are given.
    pub position: Position,
    /// Cells drawn as `×`.
    pub marks: Vec<Coordinates>,
}

/// What is wrong with a text, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The number of the line, from 1; none where it is the whole text.
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

/// The position of a drawing.
///
/// It is a line for each row from the north, a character for each cell: `Q` a queen, a digit from 2
/// to 9 so many queens, `.` a free cell, `×` (or `x`) a free cell that is marked. Spaces between
/// the cells are allowed, and so are the numbers of the rows before them, a line with the names of
/// the columns (the last or the first), blank lines, lines that begin with `#`, and a remark three
/// or more spaces after a row.
///
/// # Errors
/// For anything else.
pub fn drawing(text: &str) -> Result<Drawn, ReadError> {
    board::read(text)
}

/// A position with the signals of a list: a line for each cell that carries some, its name and
/// their directions, as in `a4 N NE`. Blank lines and what follows `#` are left out.
///
/// # Errors
/// For what is no cell of the board and no direction, for a direction that leads off the board (no
/// signal ever comes from there), and for a cell that is listed twice.
pub fn with_signals(position: Position, list: &str) -> Result<Position, ReadError> {
    let side = position.side();
    let mut signals = vec![Directions::NONE; side * side];
    let mut listed: Vec<Option<usize>> = vec![None; side * side];
    for (line, number) in list.lines().zip(1..) {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(name) = words.next() else { continue };
        let at = |reason: String| ReadError::at(number, reason);
        let cell = Coordinates::named(name, side).map_err(|error| at(error.to_string()))?;
        if let Some(before) = listed[cell.index(side)].replace(number) {
            return Err(at(format!(
                "{name} is in line {before} too; expected each cell once"
            )));
        }
        for word in words {
            let direction = direction(word).map_err(at)?;
            if neighbour(side, cell, direction).is_none() {
                let reason = format!("no signal of {name} comes from {word}: the board ends there");
                return Err(at(reason));
            }
            let carried = &mut signals[cell.index(side)];
            *carried = carried.with(direction, true);
        }
    }
    Ok(position.with_signals(signals))
}

/// The direction of this name.
fn direction(name: &str) -> Result<Direction, String> {
    let names = Direction::ALL.map(|direction| format!("{direction:?}"));
    let found = names.iter().position(|it| it == name);
    found.map(|at| Direction::ALL[at]).ok_or_else(|| {
        format!(
            "{name:?} is no direction; expected one of {}",
            names.join(", ")
        )
    })
}
