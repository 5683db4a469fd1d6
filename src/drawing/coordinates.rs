//! Names of cells as on a chess board: columns a, b … z, aa, ab … from the west, rows 1, 2 … from
//! the south. Positions in texts and captions (a8, b7) are named here.

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_those_of_a_chess_board() {
        let name = |x, y, side| Coordinates { x, y }.name(side);
        assert_eq!([name(0, 7, 8), name(7, 0, 8)], ["a1", "h8"]);
        assert_eq!(name(27, 2, 30), "ab28");
        let last = [25, 26, 51, 52, 701, 702].map(column_name);
        assert_eq!(last, ["z", "aa", "az", "ba", "zz", "aaa"]);
    }
}
