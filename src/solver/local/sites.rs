//! Where updates take place: the sites of a board, what an update of a site reads and writes, and
//! the rules on each kind of site.

pub mod cells;

pub mod pairs;

use crate::solver::board::{Board, Cell, Direction};

/// The most cells whose signals an update may write.
pub const SIGNAL_CELLS_MAX: usize = 2;

/// The sites of one board.
///
/// An update of a site reads its signal cells and the neighbours of these in the directions of the
/// dependencies, and nothing else. It writes the dependencies' signals, and it moves at
/// most one queen: from the cell of a dependency to the neighbour in its direction. The
/// rejection-free dynamics relies on all of this (checked for every registered rule by the tests in
/// `properties.rs`).
pub trait Sites: Sized + 'static {
    /// What one update works on.
    type Site: Copy + std::fmt::Debug;

    /// The cells whose signals an update writes.
    type SignalCells: IntoIterator<Item = Cell> + AsRef<[Cell]>;

    /// The most dependencies that a site has: at most 8.
    const DEPENDENCIES: usize;

    /// Whether an update writes signals first and then decides on a move, so that a signal written
    /// may threaten a queen in the same update.
    const SIGNALS_FIRST: bool;

    /// The part of the sources (build/parts.rs) that has the rules on these sites.
    const PART: &'static str;

    /// The sites of `board`.
    fn on(board: Board) -> Self;

    /// How many sites there are, all equally likely to be updated: fewer than 2¹⁶.
    fn n_sites(&self) -> u64;

    /// The site of this number, which is below [`Sites::n_sites`].
    fn site(&self, number: u64) -> Self::Site;

    /// The cells whose signals an update of `site` writes, each once, at most [`SIGNAL_CELLS_MAX`]:
    /// the cells of its dependencies.
    fn signal_cells(&self, site: Self::Site) -> Self::SignalCells;

    /// The dependencies of `site`, those of one cell one after the other. Every cell has a
    /// dependency in the direction of each of its neighbours, and each belongs to exactly one site.
    fn dependencies(&self, site: Self::Site) -> impl IntoIterator<Item = Dependency>;
}

/// A signal that an update writes, and what it is written by: `s_c(d) ← [n_c' ≥ 1 or s_c'(d) = 1]`
/// for the cell c, the direction d and the neighbour c' of c in that direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    /// c.
    pub cell: Cell,
    /// d.
    pub direction: Direction,
}
