//! A position: the queens of a square board, and its signals where they are given.

use super::coordinates::{Coordinates, NoDrawing};
use crate::solver::board::{Board, Direction, Directions, N_MAX};
use crate::solver::local::configuration::{CellState, Configuration};

/// Side of the largest board whose squares can still be seen in a drawing.
pub const SIDE_MAX: usize = 128;

/// Queens on the cells of a square board, any number of them, and the signals on the cells if they
/// are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    side: usize,
    /// Row by row from the north.
    queens: Box<[u8]>,
    /// The signals that the cells carry.
    signals: Option<Box<[Directions]>>,
    /// The signals that would be true.
    truth: Box<[Directions]>,
}

impl Position {
    /// Queens on the cells, row by row from the north; no signals are given.
    ///
    /// # Errors
    /// For a side that cannot be drawn, and for another number of cells than side².
    pub fn new(side: usize, queens: Vec<u8>) -> Result<Self, NoDrawing> {
        check_side(side)?;
        let (cells, found) = (side * side, queens.len());
        if found != cells {
            let reason = format!("{found} cells of a board of side {side}; expected {cells}");
            return Err(NoDrawing(reason));
        }
        Ok(Self {
            side,
            truth: true_signals(side, &queens).into(),
            queens: queens.into(),
            signals: None,
        })
    }

    /// The queens and the signals of a configuration.
    pub fn of(configuration: &Configuration) -> Self {
        let board = configuration.board();
        let states = || board.cells().map(|cell| configuration[cell]);
        let queens: Vec<u8> = states().map(|state| state.queens).collect();
        Self {
            side: board.n(),
            truth: true_signals(board.n(), &queens).into(),
            queens: queens.into(),
            signals: Some(states().map(|state| state.signals).collect()),
        }
    }

    /// The same queens and signals as a configuration of the rules, with no signals where none are
    /// given; `None` for a board that is too large for them.
    pub fn configuration(&self) -> Option<Configuration> {
        if self.side > N_MAX {
            return None;
        }
        let board = Board::new(self.side);
        let cells = board.cells().zip(&self.queens);
        let queens = cells.flat_map(|(cell, &queens)| (0..queens).map(move |_| cell));
        let mut configuration = Configuration::with_queens(board, queens);
        for (cell, &signals) in board.cells().zip(self.signals.iter().flatten()) {
            configuration.set_signals(cell, signals);
        }
        Some(configuration)
    }

    /// Returns the position with these signals, row by row from the north.
    ///
    /// # Panics
    /// For another number of cells than side².
    #[must_use]
    pub fn with_signals(self, signals: Vec<Directions>) -> Self {
        assert_eq!(signals.len(), self.queens.len(), "signals of each cell");
        Self {
            signals: Some(signals.into()),
            ..self
        }
    }

    /// Returns the position with all true signals and no other.
    #[must_use]
    pub fn with_true_signals(self) -> Self {
        let truth = self.truth.to_vec();
        self.with_signals(truth)
    }

    /// Rows, and columns.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Queens on the whole board.
    pub fn n_queens(&self) -> usize {
        self.queens.iter().copied().map(usize::from).sum()
    }

    /// Queens on a cell.
    pub fn queens(&self, cell: Coordinates) -> u8 {
        self.queens[cell.index(self.side)]
    }

    /// Returns whether signals are given.
    pub fn has_signals(&self) -> bool {
        self.signals.is_some()
    }

    /// The signals that a cell carries; none where no signals are given.
    pub fn signals(&self, cell: Coordinates) -> Directions {
        let given = self.signals.as_ref();
        given.map_or(Directions::NONE, |signals| signals[cell.index(self.side)])
    }

    /// The signals that a cell would carry if all were true.
    pub fn true_signals(&self, cell: Coordinates) -> Directions {
        self.truth[cell.index(self.side)]
    }

    /// Returns the true and the false signals that a cell carries.
    pub fn signals_by_truth(&self, cell: Coordinates) -> [Directions; 2] {
        let carried = self.signals(cell);
        let both = carried.intersection(self.true_signals(cell));
        [both, carried.difference(both)]
    }

    /// A cell's state: with the signals that it carries, or with the true ones if none are given.
    pub fn state(&self, cell: Coordinates) -> CellState {
        CellState {
            queens: self.queens(cell),
            signals: if self.has_signals() {
                self.signals(cell)
            } else {
                self.true_signals(cell)
            },
        }
    }

    /// Returns whether a cell has queens on it that are threatened, by [`Position::state`].
    pub fn threatened(&self, cell: Coordinates) -> bool {
        self.state(cell).threatened()
    }

    /// All cells, row by row from the north.
    pub fn cells(&self) -> impl Iterator<Item = Coordinates> + use<> {
        cells(self.side)
    }
}

/// The cells of a board of this side, row by row from the north.
fn cells(side: usize) -> impl Iterator<Item = Coordinates> {
    (0..side * side).map(move |at| Coordinates {
        x: at % side,
        y: at / side,
    })
}

fn check_side(side: usize) -> Result<(), NoDrawing> {
    if (1..=SIDE_MAX).contains(&side) {
        return Ok(());
    }
    Err(NoDrawing(format!(
        "a board of side {side} cannot be drawn; expected 1 to {SIDE_MAX}"
    )))
}

/// Returns for each cell the directions in which a queen is, at any distance: each queen is seen
/// from every cell that its lines reach. Unlike those of a [`Configuration`], boards may be of any
/// side.
fn true_signals(side: usize, queens: &[u8]) -> Vec<Directions> {
    let mut truth = vec![Directions::NONE; queens.len()];
    for cell in cells(side) {
        if queens[cell.index(side)] == 0 {
            continue;
        }
        for away in Direction::ALL {
            let mut reached = cell;
            while let Some(next) = neighbour(side, reached, away) {
                let signals = &mut truth[next.index(side)];
                *signals = signals.with(away.opposite(), true);
                reached = next;
            }
        }
    }
    truth
}

/// The cell next to a cell; `None` off the board.
fn neighbour(side: usize, cell: Coordinates, direction: Direction) -> Option<Coordinates> {
    let (dx, dy) = direction.step();
    let step = |at: usize, by: i32| at.checked_add_signed(by as isize).filter(|&at| at < side);
    Some(Coordinates {
        x: step(cell.x, dx)?,
        y: step(cell.y, dy)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Point;
    use crate::solver::rng::TrialStream;

    /// The solver's recurrence gives the same truth, queens on shared cells included.
    #[test]
    fn true_signals_are_those_of_the_solver() {
        let mut stream = TrialStream::new("tests/drawing", 1, &Point::new("test", []), 0);
        for n in [1, 2, 3, 5, 8, 13] {
            for _ in 0..20 {
                let x = Configuration::random_start(Board::new(n), &mut stream);
                let position = Position::of(&x);
                let truth = x.true_signals();
                let (board, cells) = (x.board(), position.cells());
                for (of_board, cell) in board.cells().zip(cells) {
                    assert_eq!(board.coordinates(of_board), (cell.x, cell.y));
                    assert_eq!(position.true_signals(cell), truth[of_board.index()]);
                    assert_eq!(position.queens(cell), x[of_board].queens);
                }
                assert_eq!(position.configuration(), Some(x.clone()));
                let told = position.with_true_signals();
                let again = told.configuration().expect("a small board");
                assert_eq!(Position::of(&again), told);
                assert_eq!(again.true_signals(), truth);
            }
        }
    }

    #[test]
    fn without_signals_the_true_ones_say_who_is_threatened() {
        let position = Position::new(4, vec![1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0])
            .expect("a small board");
        let threatened = |position: &Position| {
            let threatened = position.cells().filter(|&cell| position.threatened(cell));
            threatened.map(|cell| cell.name(4)).collect::<Vec<_>>()
        };
        assert_eq!(threatened(&position), ["a4", "b4"]);
        let start = position.with_signals(vec![Directions::NONE; 16]);
        assert_eq!(threatened(&start), [] as [String; 0]);
        let shared = Position::new(2, vec![0, 2, 0, 0]).expect("a small board");
        assert!(shared.threatened(Coordinates { x: 1, y: 0 }));
        assert_eq!(shared.n_queens(), 2);
    }

    #[test]
    fn a_board_has_its_cells_and_a_side_that_can_be_drawn() {
        let large = |side| Position::new(side, vec![0; side * side]);
        assert!(large(129).is_err());
        assert!(large(128).is_ok_and(|large| large.configuration().is_none()));
        let error = Position::new(2, vec![0; 3]).expect_err("3 cells");
        assert_eq!(
            error.to_string(),
            "3 cells of a board of side 2; expected 4"
        );
    }
}
