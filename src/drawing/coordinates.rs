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

/// Why there is no such board or cell.
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
        for cell in (0..6400).map(|at| Coordinates {
            x: at % 80,
            y: at / 80,
        }) {
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
}
