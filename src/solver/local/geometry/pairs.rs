//! Sites that are pairs of adjacent cells.

use super::{Dependency, Geometry};
use crate::solver::board::{Board, Cell, Pair};

/// The (4n − 2)(n − 1) unordered pairs of adjacent cells; the cells of a pair depend on each other.
#[derive(Debug, Clone)]
pub struct Pairs(Box<[Pair]>);

impl Geometry for Pairs {
    type Site = Pair;

    const DEPENDENCIES: usize = 2;

    fn on(board: Board) -> Self {
        Self(
            (0..board.n_pairs())
                .map(|number| board.pair(number))
                .collect(),
        )
    }

    #[inline]
    fn n_sites(&self) -> u64 {
        self.0.len() as u64
    }

    #[inline]
    fn site(&self, number: u64) -> Pair {
        self.0[number as usize]
    }

    #[inline]
    fn signal_cells(&self, pair: Pair) -> impl IntoIterator<Item = Cell> {
        [pair.a, pair.b]
    }

    #[inline]
    fn dependencies(&self, pair: Pair) -> impl IntoIterator<Item = Dependency> {
        [(pair.b, pair.from_a), (pair.a, pair.from_b)]
            .map(|(cell, direction)| Dependency { cell, direction })
    }
}
