//! Where updates take place: the sites of a board, and what an update of a site reads and writes.
//!
//! Rules share geometries, so that a rule with another way of moving on the same sites needs no
//! code of its own for them.

mod cells;

mod pairs;

pub use self::cells::{CellSite, Cells};
pub use self::pairs::Pairs;

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
pub trait Geometry: Sized + 'static {
    /// What one update works on.
    type Site: Copy + std::fmt::Debug;

    /// The most dependencies that a site has: at most 8.
    const DEPENDENCIES: usize;

    /// The sites of `board`.
    fn on(board: Board) -> Self;

    /// How many sites there are, all equally likely to be updated: fewer than 2¹⁶.
    fn n_sites(&self) -> u64;

    /// The site of this number, which is below [`Geometry::n_sites`].
    fn site(&self, number: u64) -> Self::Site;

    /// The cells whose signals an update of `site` writes, each once, at most [`SIGNAL_CELLS_MAX`]:
    /// the cells of its dependencies.
    fn signal_cells(&self, site: Self::Site) -> impl IntoIterator<Item = Cell>;

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
