//! What every rule on cells has in common: the signals that a cell takes over from its neighbours,
//! and the choice of a destination by ω.

use super::configuration::{CellState, Configuration};
use super::geometry::CellSite;
use crate::solver::board::{Cell, Direction, Directions};
use crate::solver::rng::{Chance, RandomSource};

/// For every direction d, c' the neighbour of c there: `[n_c' ≥ 1 or s_c'(d) = 1]`; nothing comes
/// from beyond the edge.
#[inline]
pub fn heard(x: &Configuration, c: Cell) -> Directions {
    Direction::ALL
        .into_iter()
        .fold(Directions::NONE, |signals, d| {
            let shown = x[x.board().neighbour(c, d)].shows();
            signals.union(shown.intersection(Directions::only(d)))
        })
}

/// With probability η any neighbour, else one of those that minimise ω; uniformly.
#[inline]
pub fn destination(
    x: &Configuration,
    site: CellSite,
    eta: Chance,
    random: &mut impl RandomSource,
) -> Direction {
    let choice = if random.flip(eta) {
        site.neighbours
    } else {
        least_dangerous(x, site)
    };
    choice.nth(random.below(u64::from(choice.len())))
}

/// The neighbours that minimise ω: all of them where all are occupied.
#[inline]
fn least_dangerous(x: &Configuration, site: CellSite) -> Directions {
    let mut least = u32::MAX;
    let mut choice = Directions::NONE;
    for d in site.neighbours.iter() {
        let danger = omega(x[x.board().neighbour(site.cell, d)]);
        if danger < least {
            least = danger;
            choice = Directions::NONE;
        }
        if danger == least {
            choice = choice.with(d, true);
        }
    }
    choice
}

/// ω: how dangerous a cell is: infinite with a queen on it, else the number of its signals.
#[inline]
pub fn omega(c: CellState) -> u32 {
    if c.queens > 0 {
        u32::MAX
    } else {
        c.signals.len()
    }
}
