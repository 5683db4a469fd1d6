//! Sites that are cells.

use super::{Dependency, Geometry};
use crate::solver::board::{Board, Cell, Directions};

/// The n² cells; each depends on all its neighbours.
#[derive(Debug, Clone)]
pub struct Cells(Box<[CellSite]>);

/// A cell and the directions in which it has neighbours: V_c.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellSite {
    /// c.
    pub cell: Cell,
    /// The directions of the cells of V_c.
    pub neighbours: Directions,
}

impl Geometry for Cells {
    type Site = CellSite;

    const DEPENDENCIES: usize = 8;

    fn on(board: Board) -> Self {
        let site = |cell| CellSite {
            cell,
            neighbours: board.directions(cell),
        };
        Self(board.cells().map(site).collect())
    }

    #[inline]
    fn n_sites(&self) -> u64 {
        self.0.len() as u64
    }

    #[inline]
    fn site(&self, number: u64) -> CellSite {
        self.0[number as usize]
    }

    #[inline]
    fn signal_cells(&self, site: CellSite) -> impl IntoIterator<Item = Cell> {
        [site.cell]
    }

    #[inline]
    fn dependencies(&self, site: CellSite) -> impl IntoIterator<Item = Dependency> {
        site.neighbours.iter().map(move |direction| Dependency {
            cell: site.cell,
            direction,
        })
    }
}
