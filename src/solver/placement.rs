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

#[cfg(test)]
mod tests {
    use super::*;

    /// Attacks after random additions and removals, against every pair of queens compared by
    /// coordinates.
    #[test]
    fn attacks_are_kept_up_to_date() {
        let board = Board::new(5);
        let cells: Vec<Cell> = board.cells().collect();
        let mut queens: Vec<Cell> = Vec::new();
        let mut placement = Placement::empty(board);
        let mut state = 12345_u64;
        for _ in 0..2000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let choice = (state >> 33) as usize;
            if choice % 7 < 3 && !queens.is_empty() {
                placement.remove(queens.swap_remove(choice % queens.len()));
            } else if queens.len() < 8 {
                let cell = cells[choice % cells.len()];
                queens.push(cell);
                placement.add(cell);
            }
            let on_one_line = |a: &Cell, b: &Cell| {
                let ((ax, ay), (bx, by)) = (board.coordinates(*a), board.coordinates(*b));
                let lines = [ax == bx, ay == by, ax + ay == bx + by, ax + by == bx + ay];
                lines.into_iter().filter(|&shared| shared).count()
            };
            let expected: usize = (0..queens.len())
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| on_one_line(&queens[i], &queens[j]))
                .sum();
            assert_eq!(placement.attacks as usize, expected);
            assert_eq!(placement.is_solution(), expected == 0);
        }
    }

    #[test]
    fn known_solutions_are_solutions() {
        let solution = |rows: &[usize]| {
            let mut placement = Placement::empty(Board::new(rows.len()));
            rows.iter()
                .enumerate()
                .for_each(|(x, &y)| _ = placement.add(placement.board.cell(x, y)));
            placement.is_solution()
        };
        assert!(solution(&[0]) && solution(&[1, 3, 0, 2]) && solution(&[0, 4, 7, 5, 2, 6, 1, 3]));
        assert!(!solution(&[1, 3, 2, 0]) && !solution(&[0, 1]));
    }
}
