//! A position: the queens of a board, and its signals where they are given. Which queens are drawn
//! as threatened, and which signals as true or false, is decided here.

use super::coordinates::Coordinates;
use crate::solver::board::{Board, Cell, Directions};
use crate::solver::local::configuration::{CellState, Configuration};

/// Queens on the cells of a board, any number of them, and the signals on the cells if they are
/// given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// No cell has signals where none are given.
    configuration: Configuration,
    has_signals: bool,
    /// The signals that would be true, by [`Cell::index`].
    truth: Box<[Directions]>,
}

impl Position {
    /// Queens on the cells of a board of this side, row by row from the north; no signals are
    /// given.
    ///
    /// # Panics
    /// For a side that a [`Board`] cannot have.
    pub fn of_queens(side: usize, queens: &[u8]) -> Self {
        let board = Board::new(side);
        let cells = board.cells().zip(queens);
        let cells = cells.flat_map(|(cell, &queens)| (0..queens).map(move |_| cell));
        Self {
            has_signals: false,
            ..Self::of(&Configuration::with_queens(board, cells))
        }
    }

    /// The queens and the signals of a configuration.
    pub fn of(configuration: &Configuration) -> Self {
        Self {
            configuration: configuration.clone(),
            has_signals: true,
            truth: configuration.true_signals(),
        }
    }

    /// The queens and signals, with no signals where none are given.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Returns the position with these signals, row by row from the north.
    #[must_use]
    pub fn with_signals(mut self, signals: impl IntoIterator<Item = Directions>) -> Self {
        for (cell, signals) in self.configuration.board().cells().zip(signals) {
            self.configuration.set_signals(cell, signals);
        }
        self.has_signals = true;
        self
    }

    /// Returns the position with all true signals and no other.
    #[must_use]
    pub fn with_true_signals(self) -> Self {
        let truth: Vec<_> = self.cells().map(|cell| self.true_signals(cell)).collect();
        self.with_signals(truth)
    }

    /// Rows, and columns.
    pub fn side(&self) -> usize {
        self.configuration.board().n()
    }

    /// Queens on the whole board.
    pub fn n_queens(&self) -> usize {
        let queens = self.cells().map(|cell| self.queens(cell));
        queens.map(usize::from).sum()
    }

    /// Queens on a cell.
    pub fn queens(&self, cell: Coordinates) -> u8 {
        self.configuration[self.cell(cell)].queens
    }

    /// Returns whether signals are given.
    pub fn has_signals(&self) -> bool {
        self.has_signals
    }

    /// The signals that a cell would carry if all were true.
    fn true_signals(&self, cell: Coordinates) -> Directions {
        self.truth[self.cell(cell).index()]
    }

    /// Returns the true and the false signals that a cell carries.
    pub fn signals_by_truth(&self, cell: Coordinates) -> [Directions; 2] {
        let carried = self.configuration[self.cell(cell)].signals;
        let both = carried.intersection(self.true_signals(cell));
        [both, carried.difference(both)]
    }

    /// Returns whether a cell has queens on it that are threatened: by the signals that it carries,
    /// or by the true ones if none are given.
    pub fn threatened(&self, cell: Coordinates) -> bool {
        let carried = self.configuration[self.cell(cell)];
        let signals = if self.has_signals {
            carried.signals
        } else {
            self.true_signals(cell)
        };
        CellState { signals, ..carried }.threatened()
    }

    /// All cells, row by row from the north.
    pub fn cells(&self) -> impl Iterator<Item = Coordinates> + use<> {
        let board = self.configuration.board();
        board.cells().map(move |cell| {
            let (x, y) = board.coordinates(cell);
            Coordinates { x, y }
        })
    }

    fn cell(&self, Coordinates { x, y }: Coordinates) -> Cell {
        self.configuration.board().cell(x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_signals_the_true_ones_say_who_is_threatened() {
        let queens = [1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
        let position = Position::of_queens(4, &queens);
        let threatened = |position: &Position| {
            let threatened = position.cells().filter(|&cell| position.threatened(cell));
            threatened.map(|cell| cell.name(4)).collect::<Vec<_>>()
        };
        assert_eq!(threatened(&position), ["a4", "b4"]);
        let start = position.with_signals([Directions::NONE; 16]);
        assert_eq!(threatened(&start), [] as [String; 0]);
        let shared = Position::of_queens(2, &[0, 2, 0, 0]);
        assert!(shared.threatened(Coordinates { x: 1, y: 0 }));
        assert_eq!(shared.n_queens(), 2);
    }
}
