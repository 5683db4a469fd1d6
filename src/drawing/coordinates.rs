//! Names of cells as on a chess board: columns a, b … z, aa, ab … from the west, rows 1, 2 … from
//! the south.

/// A cell by its coordinates: x from the west, y from the north, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    /// The row, from the north.
    pub y: usize,
    /// The column, from the west.
    pub x: usize,
}

/// A queen's move, or any other pair of cells: an arrow from one to the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// The cell in which it begins.
    pub from: Coordinates,
    /// The cell in which its head is.
    pub to: Coordinates,
}

/// A rectangular part of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The north-western cell.
    pub corner: Coordinates,
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from north to south.
    pub rows: usize,
}

/// Why there is no such board, cell, pair of cells or part of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoDrawing(pub(super) String);

/// The name of column `x`: a, b … z, aa, ab … az, ba …
pub fn column_name(x: usize) -> String {
    let letter = char::from(b'a' + (x % 26) as u8);
    match x / 26 {
        0 => letter.into(),
        before => format!("{}{letter}", column_name(before - 1)),
    }
}

impl Coordinates {
    /// The cell's name on a board of this side.
    pub fn name(self, side: usize) -> String {
        format!("{}{}", column_name(self.x), side - self.y)
    }

    /// The cell of this name.
    ///
    /// # Errors
    /// For what is no cell of a board of this side.
    pub fn named(name: &str, side: usize) -> Result<Self, NoDrawing> {
        let digits = name.find(|c: char| c.is_ascii_digit());
        let (letters, digits) = name.split_at(digits.unwrap_or(name.len()));
        let column = (0..side).find(|&x| column_name(x) == letters);
        let row = (1..=side).find(|row| row.to_string() == digits);
        match (column, row) {
            (Some(x), Some(row)) => Ok(Self { x, y: side - row }),
            _ => Err(NoDrawing(format!(
                "{name:?} is no cell of this board; expected a1 to {}",
                last(side)
            ))),
        }
    }

    /// The index of this cell in lists row by row.
    pub fn index(self, side: usize) -> usize {
        self.y * side + self.x
    }
}

/// The name of the north-eastern cell.
fn last(side: usize) -> String {
    Coordinates {
        x: side.saturating_sub(1),
        y: 0,
    }
    .name(side)
}

/// Two cells, as in `a5-a4`.
fn pair(found: &str, side: usize) -> Result<(Coordinates, Coordinates), NoDrawing> {
    let (one, other) = found.split_once('-').ok_or_else(|| {
        let last = last(side);
        NoDrawing(format!(
            "{found:?} is no pair of cells; expected two with - between them, as in a1-{last}"
        ))
    })?;
    Ok((
        Coordinates::named(one, side)?,
        Coordinates::named(other, side)?,
    ))
}

impl Arrow {
    /// The arrow of this name: `a5-a4` begins on a5.
    ///
    /// # Errors
    /// For what is no pair of different cells of a board of this side.
    pub fn named(name: &str, side: usize) -> Result<Self, NoDrawing> {
        let (from, to) = pair(name, side)?;
        if from == to {
            let reason = format!("{name:?} is no arrow; expected two different cells");
            return Err(NoDrawing(reason));
        }
        Ok(Self { from, to })
    }
}

impl Window {
    /// The whole board.
    pub fn whole(side: usize) -> Self {
        Self {
            corner: Coordinates { x: 0, y: 0 },
            columns: side,
            rows: side,
        }
    }

    /// The part between two opposite corners: `a1-c3` holds nine cells.
    ///
    /// # Errors
    /// For what is no pair of cells of a board of this side.
    pub fn named(name: &str, side: usize) -> Result<Self, NoDrawing> {
        let (one, other) = pair(name, side)?;
        Ok(Self {
            corner: Coordinates {
                x: one.x.min(other.x),
                y: one.y.min(other.y),
            },
            columns: one.x.abs_diff(other.x) + 1,
            rows: one.y.abs_diff(other.y) + 1,
        })
    }

    /// Returns whether the cell is in it.
    pub fn contains(self, cell: Coordinates) -> bool {
        self.xs().contains(&cell.x) && self.ys().contains(&cell.y)
    }

    /// Returns its columns.
    pub fn xs(self) -> std::ops::Range<usize> {
        self.corner.x..self.corner.x + self.columns
    }

    /// Returns its rows, from the north.
    pub fn ys(self) -> std::ops::Range<usize> {
        self.corner.y..self.corner.y + self.rows
    }

    /// Returns its cells, row by row from the north.
    pub fn cells(self) -> impl Iterator<Item = Coordinates> {
        self.ys()
            .flat_map(move |y| self.xs().map(move |x| Coordinates { x, y }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_those_of_a_chess_board() {
        assert_eq!(Coordinates::named("a1", 8), Ok(Coordinates { x: 0, y: 7 }));
        assert_eq!(Coordinates::named("h8", 8), Ok(Coordinates { x: 7, y: 0 }));
        assert_eq!(
            Coordinates::named("ab28", 30),
            Ok(Coordinates { x: 27, y: 2 })
        );
        for cell in Window::whole(80).cells() {
            assert_eq!(Coordinates::named(&cell.name(80), 80), Ok(cell));
        }
        let last = [25, 26, 51, 52, 701, 702].map(column_name);
        assert_eq!(last, ["z", "aa", "az", "ba", "zz", "aaa"]);
        for wrong in [
            "", "a", "1", "i1", "a9", "a0", "a01", "A1", "1a", "a1 ", "a-1", "é1",
        ] {
            let error = Coordinates::named(wrong, 8).expect_err(wrong).to_string();
            let expected = "is no cell of this board; expected a1 to h8";
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn a_part_has_any_two_opposite_corners() {
        let part = Window {
            corner: Coordinates { x: 0, y: 5 },
            columns: 3,
            rows: 2,
        };
        for name in ["a3-c2", "c2-a3", "a2-c3", "c3-a2"] {
            assert_eq!(Window::named(name, 8), Ok(part));
        }
        assert_eq!(part.cells().count(), 6);
        assert!(
            part.contains(Coordinates { x: 2, y: 6 }) && !part.contains(Coordinates { x: 2, y: 7 })
        );
        assert!(Window::named("a3", 8).is_err() && Window::named("a3-i1", 8).is_err());
        assert!(Arrow::named("a3-a3", 8).is_err() && Arrow::named("a3-a2", 8).is_ok());
    }
}
