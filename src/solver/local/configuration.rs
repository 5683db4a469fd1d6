//! A configuration: the state `(s_c, n_c)` of every cell. Whether its queens form a solution is
//! said by their [`Placement`]. Here are SAFESTAY, SAFEGO and what makes a queen threatened, the
//! true signals of a placement, and what a cell shows its neighbours. What an update makes of them
//! is in `sites`.

use std::ops::Index;

use crate::board::{Board, Cell, Direction, Directions};
use crate::solution::Placement;

/// The state of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CellState {
    /// n_c: queens on the cell.
    pub queens: u8,
    /// s_c: bit d is 1 when the cell carries a signal "there is a queen somewhere in direction d".
    pub signals: Directions,
}

impl CellState {
    /// SAFESTAY(c): `n_c ≤ 1` and no signal. A queen on a cell where it is false is threatened.
    #[inline]
    pub fn safe_stay(self) -> bool {
        self.queens <= 1 && self.signals.is_empty()
    }

    /// There is a queen on c, and SAFESTAY(c) is false.
    #[inline]
    pub fn threatened(self) -> bool {
        self.queens >= 1 && !self.safe_stay()
    }

    /// SAFEGO(c, d_from): `n_c = 0` and no signal but perhaps the one from `d_from`. It says of a
    /// move whether it is safe ([`Move::is_safe`]); which moves need no coin is said by a condition
    /// (`certainty.rs`).
    #[inline]
    pub fn safe_go(self, from: Direction) -> bool {
        self.queens == 0 && self.signals.without(from).is_empty()
    }

    /// The signals that the neighbours of c take over from c: for each d, the neighbour on the
    /// other side takes over `[n_c ≥ 1 or s_c(d) = 1]`.
    #[inline]
    pub fn shows(self) -> Directions {
        if self.queens >= 1 {
            Directions::ALL
        } else {
            self.signals
        }
    }
}

/// The queens on a cell, and those beside it by the direction in which they are: a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbourhood(u16);

/// The bit of the queens on the cell; the lower 8 bits are the directions.
const OWN: u16 = 1 << 8;

impl Neighbourhood {
    /// The set of all queens: on the cell and in every direction.
    pub const ALL: Self = Self(OWN | 0xFF);

    /// The set with the queens on the cell or without them, and with those beside it in these
    /// directions.
    #[inline]
    #[must_use]
    pub const fn new(own: bool, beside: Directions) -> Self {
        Self(if own { OWN } else { 0 } | beside.bits() as u16)
    }

    /// The queens that are in exactly one of the two sets.
    #[inline]
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// What is left of this where there are queens beside the cell in these directions alone.
    #[inline]
    #[must_use]
    pub fn among(self, queens: Directions) -> Self {
        Self(self.0 & (OWN | u16::from(queens.bits())))
    }

    /// True if the queens on the cell are in the set.
    #[inline]
    #[must_use]
    pub fn own(self) -> bool {
        self.0 & OWN != 0
    }

    /// The directions of the queens beside the cell.
    #[inline]
    #[must_use]
    pub fn directions(self) -> Directions {
        Directions::from_bits(self.0 as u8)
    }

    /// True if the set is empty.
    #[inline]
    #[must_use]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A queen's move from one cell to an adjacent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The cell that the queen leaves.
    pub from: Cell,
    /// The cell that it reaches.
    pub to: Cell,
    /// δ(from, to): the direction from which it comes.
    pub side: Direction,
    /// SAFEGO(to, δ(from, to)) in the configuration by which the move was decided.
    pub is_safe: bool,
    /// True if the move needed no coin of ε. Also at ε = 1, a move that needs the coin is not
    /// certain.
    pub is_certain: bool,
}

/// What an update reads and writes: the cells of a [`Configuration`], or of one trial of many in
/// lanes.
pub trait Cells {
    /// The board.
    fn board(&self) -> Board;

    /// The state of a cell, or of one beyond the edge, which is empty.
    fn state(&self, cell: Cell) -> CellState;

    /// Writes the signals of one cell.
    fn set_signals(&mut self, cell: Cell, signals: Directions);

    /// Moves one queen; signals stay as they are.
    fn move_queen(&mut self, from: Cell, to: Cell);
}

/// The states of all cells of a board. Off the board there is no queen, and no signal comes from
/// there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configuration {
    board: Board,
    /// The states of the cells by [`Cell::index`]; those of the border are never written and stay
    /// empty.
    states: Box<[CellState]>,
}

impl Configuration {
    /// No queen, no signal.
    pub fn empty(board: Board) -> Self {
        Self {
            board,
            states: vec![CellState::default(); board.n_indices()].into(),
        }
    }

    /// Queens on these cells (with repetition), no signal.
    pub fn with_queens(board: Board, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut configuration = Self::empty(board);
        for cell in cells {
            configuration.states[cell.index()].queens += 1;
        }
        configuration
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Moves one queen; signals stay as they are.
    #[inline]
    pub fn move_queen(&mut self, from: Cell, to: Cell) {
        self.states[from.index()].queens -= 1;
        self.states[to.index()].queens += 1;
    }

    /// Writes the signals of one cell.
    #[inline]
    pub fn set_signals(&mut self, cell: Cell, signals: Directions) {
        self.states[cell.index()].signals = signals;
    }

    /// Queens per line.
    pub fn placement(&self) -> Placement {
        let mut placement = Placement::empty(self.board);
        for cell in self.board.cells() {
            for _ in 0..self[cell].queens {
                placement.add(cell);
            }
        }
        placement
    }

    /// The true signals of this placement of queens, by [`Cell::index`].
    ///
    /// `s_c(d) = [n_c' ≥ 1 or s_c'(d) = 1]`, c' the neighbour in direction d, taken from the far
    /// edge inwards.
    pub fn true_signals(&self) -> Box<[Directions]> {
        let mut truth: Box<[Directions]> = vec![Directions::NONE; self.states.len()].into();
        // The neighbours in directions NW to W come before the cell, row by row; those in the
        // others after it.
        let (before, after) = Direction::ALL.split_at(Direction::E as usize);
        for cell in self.board.cells() {
            let signals = self.taken_over(cell, before, &truth);
            truth[cell.index()] = signals;
        }
        for cell in self.board.cells().rev() {
            let signals = self.taken_over(cell, after, &truth);
            truth[cell.index()] = truth[cell.index()].union(signals);
        }
        truth
    }

    /// The true signals of a cell in these directions, from those of its neighbours.
    #[inline]
    fn taken_over(&self, cell: Cell, from: &[Direction], truth: &[Directions]) -> Directions {
        let shown = |direction: Direction| {
            let neighbour = self.board.neighbour(cell, direction);
            let state = CellState {
                queens: self[neighbour].queens,
                signals: truth[neighbour.index()],
            };
            state.shows().intersection(Directions::only(direction))
        };
        from.iter().fold(Directions::NONE, |signals, &direction| {
            signals.union(shown(direction))
        })
    }

    /// The row of the queen in each column, if the queens form a solution.
    pub fn solution(&self) -> Option<Box<[u32]>> {
        let n = self.board.n();
        let row_of = |x: usize| {
            (0..n)
                .find(|&y| self[self.board.cell(x, y)].queens >= 1)
                .map(|y| y as u32)
        };
        if self.placement().is_solution() {
            (0..n).map(row_of).collect()
        } else {
            None
        }
    }
}

impl Cells for Configuration {
    #[inline]
    fn board(&self) -> Board {
        self.board
    }

    #[inline]
    fn state(&self, cell: Cell) -> CellState {
        self[cell]
    }

    #[inline]
    fn set_signals(&mut self, cell: Cell, signals: Directions) {
        self.set_signals(cell, signals);
    }

    #[inline]
    fn move_queen(&mut self, from: Cell, to: Cell) {
        self.move_queen(from, to);
    }
}

impl Index<Cell> for Configuration {
    type Output = CellState;

    #[inline]
    fn index(&self, cell: Cell) -> &CellState {
        &self.states[cell.index()]
    }
}
