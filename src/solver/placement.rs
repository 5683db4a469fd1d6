//! Placements of queens, seen by their lines: when do n queens form a solution?

use super::board::{Board, Cell, Direction, N_MAX};

/// How many queens stand on each row, column and diagonal, and how many attacks that makes; kept up
/// to date queen by queen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    rows: [u8; N_MAX],
    columns: [u8; N_MAX],
    /// By x + y.
    diagonals: [u8; 2 * N_MAX],
    /// By n + x − y.
    antidiagonals: [u8; 2 * N_MAX],
    board: Board,
    /// Pairs of queens on one line, summed over the lines (two queens on one cell share four).
    attacks: u32,
}

impl Placement {
    pub fn empty(board: Board) -> Self {
        let (lines, diagonals) = ([0; N_MAX], [0; 2 * N_MAX]);
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

/// A board as the results have it: the searches give the column of the queen in each row.
pub fn rows_of_columns(board: &[usize]) -> Box<[u32]> {
    let mut rows = vec![0; board.len()];
    for (row, &column) in board.iter().enumerate() {
        rows[column] = u32::try_from(row).expect("boards are far smaller than 2³²");
    }
    rows.into()
}
