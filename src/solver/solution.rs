//! Whether queens form a solution: a [`Placement`] counts them by their lines, and how many attacks
//! that makes. The local rules and the synchronous one judge by it. What counts as an attack (a
//! conflict) is here: pairs of queens on one row, column or diagonal, also with others between
//! them.
//!
//! Others judge in a way of their own: trials in lanes by masks (`local/lanes/boards.rs`),
//! min-conflicts by the attackers of a queen, searches by the checks that they count
//! (`exact/methods`), models by their constraints (`cp`).

use crate::board::{Board, Cell, Direction, N_MAX};

/// How many queens stand on each row, column and diagonal, and how many attacks that makes; kept up
/// to date queen by queen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    rows: [u8; N_MAX],
    columns: [u8; N_MAX],
    /// Queens on each diagonal, by x + y.
    diagonals: [u8; 2 * N_MAX],
    /// Queens on each antidiagonal, by n + x − y.
    antidiagonals: [u8; 2 * N_MAX],
    board: Board,
    /// Pairs of queens on one line, summed over the lines (two queens on one cell share four).
    attacks: u32,
}

impl Placement {
    /// No queen.
    pub fn empty(board: Board) -> Self {
        let lines = [0; N_MAX];
        let diagonals = [0; 2 * N_MAX];
        Self {
            rows: lines,
            columns: lines,
            diagonals,
            antidiagonals: diagonals,
            board,
            attacks: 0,
        }
    }

    /// Returns the number of attacks that this makes.
    pub fn add(&mut self, cell: Cell) -> u32 {
        let mut attacks = 0;
        self.on_lines(cell, |queens| {
            attacks += u32::from(*queens);
            *queens += 1;
        });
        self.attacks += attacks;
        attacks
    }

    /// Returns the number of attacks that this ends.
    pub fn remove(&mut self, cell: Cell) -> u32 {
        let mut attacks = 0;
        self.on_lines(cell, |queens| {
            *queens -= 1;
            attacks += u32::from(*queens);
        });
        self.attacks -= attacks;
        attacks
    }

    /// Pairs of queens on one line, summed over the lines.
    pub fn attacks(&self) -> u32 {
        self.attacks
    }

    /// No two queens attack each other. With n queens on the board, that is a solution.
    pub fn is_solution(&self) -> bool {
        self.attacks == 0
    }

    /// Queens on the line through `cell` that runs in this direction and its opposite.
    pub fn on_line(&self, cell: Cell, direction: Direction) -> u8 {
        let (x, y) = self.board.coordinates(cell);
        match direction {
            Direction::E | Direction::W => self.rows[y],
            Direction::N | Direction::S => self.columns[x],
            Direction::NE | Direction::SW => self.diagonals[x + y],
            Direction::NW | Direction::SE => self.antidiagonals[self.board.n() + x - y],
        }
    }

    fn on_lines(&mut self, cell: Cell, mut change: impl FnMut(&mut u8)) {
        let (x, y) = self.board.coordinates(cell);
        change(&mut self.rows[y]);
        change(&mut self.columns[x]);
        change(&mut self.diagonals[x + y]);
        change(&mut self.antidiagonals[self.board.n() + x - y]);
    }
}
