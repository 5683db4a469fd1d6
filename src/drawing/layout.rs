//! The positions of the parts of a picture, in units of [`CELL`] to a cell. A cell is 8 mm wide, a
//! drawing at most 178 mm; how much room names and edges take is decided here.

use super::coordinates::column_name;
use super::glyphs::CELL;
use super::position::Position;

/// A cell is so many millimetres wide, unless that makes the picture wider than [`WIDTH_MAX_MM`].
const CELL_MM: f64 = 8.0;
const WIDTH_MAX_MM: f64 = 178.0;

/// Around the board, for half the width of its frame.
pub const EDGE: usize = 4;

/// Sizes of a picture. The board's north-western cell begins at (0, 0).
pub struct PictureLayout {
    /// Cells from west to east, and from north to south.
    pub side: usize,
    /// Space on the left of the board and below it.
    pub left: usize,
    pub below: usize,
    /// Size of the names of columns and rows.
    pub font: usize,
    /// Every how many columns and rows have their name written.
    pub step: usize,
}

impl PictureLayout {
    pub fn of(position: &Position) -> Self {
        let side = position.side();
        // Two millimetres high or so where a whole board is 60 mm wide.
        let font = (3 * side).max(40);
        let characters = |text: String| text.chars().count();
        let column = (0..side).map(|x| characters(column_name(x))).max();
        let row = characters(side.to_string());
        // Digits and letters are no wider than 0.62 of their size.
        let wide = |characters: usize| characters * font * 62 / 100;
        let needed = (wide(column.unwrap_or(1)) + font / 3).max(font);
        let step = [1, 2, 5, 10, 20, 50]
            .into_iter()
            .find(|step| step * CELL >= needed);
        Self {
            side,
            left: EDGE + font / 3 + wide(row),
            below: EDGE + font * 5 / 4,
            font,
            step: step.unwrap_or(100),
        }
    }

    /// Units from left to right.
    pub fn width(&self) -> usize {
        self.left + self.side * CELL + EDGE
    }

    /// Units from top to bottom.
    pub fn height(&self) -> usize {
        EDGE + self.side * CELL + self.below
    }

    /// `x y width height` of all that is drawn.
    pub fn view_box(&self) -> String {
        format!("-{} -{EDGE} {} {}", self.left, self.width(), self.height())
    }

    /// Width and height in millimetres: a cell is 8 mm wide, and all at most 178 mm.
    pub fn size_mm(&self) -> (f64, f64) {
        let width = (self.width() as f64 / CELL as f64 * CELL_MM).min(WIDTH_MAX_MM);
        (width, width * self.height() as f64 / self.width() as f64)
    }
}
