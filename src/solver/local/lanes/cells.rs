//! Cells in lanes: one mask. Here are the sites whose moves need a coin of ε, and how many coins
//! come before it.

use super::kernel::Kernel;
use super::layout::{Layout, any, coordinates};
use crate::local::sites::LocalRule as _;
use crate::local::sites::cells::{CellSite, OnCells};

impl Kernel<1> for OnCells {
    const SITES_PER_CELL: u64 = 1;
    const COINS_BEFORE: u32 = 1;

    #[inline(always)]
    fn sites_of(dependencies: [u64; 8]) -> [u64; 1] {
        [any(dependencies)]
    }

    #[inline(always)]
    fn dependencies_of([cells]: [u64; 1]) -> [u64; 8] {
        [cells; 8]
    }

    fn closed(threatened: u64) -> [[u64; 1]; 2] {
        [[threatened], [0]]
    }

    #[inline(always)]
    fn place(&self, layout: &Layout, _: usize, index: u32) -> CellSite {
        let (x, y) = coordinates(index);
        self.site((y * layout.board.n() + x) as u64)
    }
}
