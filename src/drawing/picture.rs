//! A position and what is drawn beside it. The title, `8 queens on a board of 8 × 8 cells`, is
//! here.

use super::coordinates::Arrow;
use super::position::Position;
use crate::html::counted;

/// A position and how it is drawn.
///
/// In the drawing a queen is a crown, several queens on a cell a crown and their number. A signal
/// is an arrowhead at the cell's edge on the side it comes from: a filled one if it is true, an
/// open one of another colour if it is false. Threatened queens have a ring; where no signals are
/// given, those that are threatened with true signals.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What is drawn. Signals are drawn where they are given.
    pub position: Position,
    /// The arrows from cell to cell.
    pub arrows: Vec<Arrow>,
}

impl Picture {
    /// The position with nothing beside it.
    pub fn new(position: Position) -> Self {
        Self {
            position,
            arrows: Vec::new(),
        }
    }

    /// The text for readers who cannot see the drawing.
    pub fn title(&self) -> String {
        let side = self.position.side();
        let queens = self.position.n_queens();
        let queens = counted(queens, "queen");
        format!("{queens} on a board of {side} × {side} cells")
    }
}
