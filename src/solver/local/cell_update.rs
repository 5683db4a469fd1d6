//! What every rule on cells has in common: the signals of a cell, the choice of a destination by ω
//! and η, and an update but for the decision whether the queen leaves.

use super::configuration::{CellState, Configuration, Move};
use super::geometry::CellSite;
use crate::solver::board::{Cell, Direction, Directions};
use crate::solver::rng::{Chance, RandomSource};

/// First the signals of the cell, by all its neighbours; then one of its queens, if it is
/// threatened, tries one destination, with probability η any neighbour.
///
/// `leaves(a, b, δ(a, b), random)` decides for a threatened queen on a cell in the first state
/// whether it goes to one in the second: `None` if it stays, else whether the move needed no coin.
#[inline(always)]
pub fn update_cell<R: RandomSource>(
    x: &mut Configuration,
    site: CellSite,
    eta: Chance,
    random: &mut R,
    leaves: impl FnOnce(CellState, CellState, Direction, &mut R) -> Option<bool>,
) -> Option<Move> {
    let (board, c) = (x.board(), site.cell);
    x.set_signals(c, heard(x, c));
    if !x[c].threatened() {
        return None;
    }
    let towards = destination(x, site, eta, random);
    let to = board.neighbour(c, towards);
    leaves(x[c], x[to], towards.opposite(), random).map(|certain| {
        let queen = Move {
            from: c,
            to,
            certain,
        };
        x.move_queen(queen);
        queen
    })
}

/// For every direction d, c' the neighbour there: `[n_c' ≥ 1 or s_c'(d) = 1]`; nothing comes from
/// beyond the edge.
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
#[inline(always)]
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
pub fn omega(c: CellState) -> u32 {
    if c.queens > 0 {
        u32::MAX
    } else {
        c.signals.len()
    }
}
