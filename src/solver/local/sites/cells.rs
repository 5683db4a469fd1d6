//! Sites that are cells, and the rules on them: "Algorithm 2" of the source text. One update
//! changes a cell by all of its neighbours. Here `cell` is decided: the order of signals and move,
//! ω (how dangerous a neighbour is), the choice by η, and the coin of ε.

use super::{Class, LocalRule};
use crate::Point;
use crate::board::{Board, Cell, Direction, Directions};
use crate::local::certainty::Certainty;
use crate::local::configuration::{CellState, Cells, Move};
use crate::local::{EPSILON, ETA, chance};
use crate::rng::{Chance, RandomSource};

/// A cell and the directions in which it has neighbours: V_c.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellSite {
    /// c.
    pub cell: Cell,
    /// The directions of the cells of V_c.
    pub neighbours: Directions,
}

/// The n² cells of a board; each depends on all its neighbours.
pub fn cells_of(board: Board) -> Box<[CellSite]> {
    let site = |cell| CellSite {
        cell,
        neighbours: board.directions(cell),
    };
    board.cells().map(site).collect()
}

/// A rule on the cells of one board at one ε and η.
#[derive(Debug, Clone)]
pub struct OnCells {
    cells: Box<[CellSite]>,
    /// The moves that need no coin.
    pub(in crate::local) certainty: Certainty,
    epsilon: Chance,
    /// Probability of any neighbour as the destination; else one of those of least ω.
    pub(in crate::local) eta: Chance,
}

/// The cells that updates of all cells read: each reads itself and its neighbours, and every pair
/// of neighbours counts twice. That is (3n − 2)².
pub fn reads(board: Board) -> u64 {
    (board.n() * board.n() + 2 * board.n_pairs()) as u64
}

impl LocalRule for OnCells {
    type Site = CellSite;
    type SignalCells = [Cell; 1];

    const DEPENDENCIES: usize = 8;
    const SIGNALS_FIRST: bool = true;

    fn at(point: &Point, board: Board) -> Self {
        Self {
            cells: cells_of(board),
            certainty: Certainty::of_variant(&point.variant),
            epsilon: chance(point, &EPSILON),
            eta: chance(point, &ETA),
        }
    }

    fn sites_on(board: Board) -> u64 {
        (board.n() * board.n()) as u64
    }

    #[inline]
    fn sites(&self) -> &[CellSite] {
        &self.cells
    }

    #[inline]
    fn signal_cells(&self, site: CellSite) -> Self::SignalCells {
        [site.cell]
    }

    #[inline]
    fn dependencies(&self, site: CellSite) -> impl IntoIterator<Item = (Cell, Direction)> {
        let directions = site.neighbours.iter();
        directions.map(move |direction| (site.cell, direction))
    }

    /// First the signals of the cell, by all its neighbours; then one of its queens, if it is
    /// threatened, tries one destination.
    #[inline(always)]
    fn update(
        &self,
        x: &mut impl Cells,
        site: CellSite,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let board = x.board();
        let c = site.cell;
        x.set_signals(c, heard(x, c));
        if !x.state(c).threatened() {
            return None;
        }
        let towards = destination(x, site, self.eta, random);
        let to = board.neighbour(c, towards);
        let side = towards.opposite();
        let is_certain = self.certainty.is_certain(x.state(c), x.state(to), side);
        if !is_certain && !random.flip(self.epsilon) {
            return None;
        }
        let queen = Move {
            from: c,
            to,
            side,
            is_safe: x.state(to).safe_go(side),
            is_certain,
        };
        x.move_queen(c, to);
        Some(queen)
    }

    /// Open where some neighbour would be a certain destination, whether ω chooses it or not.
    ///
    /// Where only SAFEGO is certain: a threatened queen with true signals and a safe cell beside it
    /// moves with probability `ε + (1 − ε)·p_safe`, `p_safe = (1 − η)·|B ∩ S| / |B| + η·|S| / k`.
    /// Where S is not empty, a cell of S has ω ≤ 1, so B ∩ S is S or B and p_safe ≥ 1/8: leaving
    /// the decision to the update costs little.
    #[inline]
    fn class_of_moves(&self, x: &impl Cells, site: CellSite) -> Class {
        let c = site.cell;
        if !x.state(c).threatened() {
            return Class::Idle;
        }
        let is_certain = |d: Direction| {
            let to = x.state(x.board().neighbour(c, d));
            self.certainty.is_certain(x.state(c), to, d.opposite())
        };
        // All eight, which is faster than to stop at the first.
        let some_certain = Direction::ALL.into_iter().fold(false, |any, d| {
            any | (site.neighbours.contains(d) & is_certain(d))
        });
        if some_certain {
            Class::Open
        } else {
            Class::Dangerous
        }
    }

    #[inline]
    fn certainty(&self) -> &Certainty {
        &self.certainty
    }

    fn epsilon(&self) -> Chance {
        self.epsilon
    }

    fn set_epsilon(&mut self, epsilon: Chance) {
        self.epsilon = epsilon;
    }
}

/// The signals that an update writes to a cell: for every direction d, c' the neighbour there,
/// `[n_c' ≥ 1 or s_c'(d) = 1]`; no signal comes from beyond the edge.
#[inline]
pub fn heard(x: &impl Cells, c: Cell) -> Directions {
    Direction::ALL
        .into_iter()
        .fold(Directions::NONE, |signals, d| {
            let shown = x.state(x.board().neighbour(c, d)).shows();
            signals.union(shown.intersection(Directions::only(d)))
        })
}

/// The direction that a queen tries, drawn uniformly: with probability η among all neighbours, else
/// among those that minimise ω.
#[inline(always)]
pub fn destination(
    x: &impl Cells,
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
#[inline(always)]
fn least_dangerous(x: &impl Cells, site: CellSite) -> Directions {
    let mut least = u32::MAX;
    let mut choice = Directions::NONE;
    // Of all eight, which is faster; what is beyond the edge is left out at the end.
    for d in Direction::ALL {
        let is_cell = site.neighbours.contains(d);
        let danger = omega(x.state(x.board().neighbour(site.cell, d)));
        let danger = if is_cell { danger } else { u32::MAX };
        choice = if danger < least {
            Directions::NONE
        } else {
            choice
        };
        least = least.min(danger);
        choice = choice.with(d, danger == least);
    }
    choice.intersection(site.neighbours)
}

/// ω: how dangerous a cell is: infinite with a queen on it, else the number of its signals.
pub fn omega(c: CellState) -> u32 {
    if c.queens > 0 {
        u32::MAX
    } else {
        c.signals.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::configuration::Configuration;
    use crate::local::tests::samples::every_answer;
    use crate::local::tests::samples::{
        chance_of_change, class, rule_at, sites, stream, unreached,
    };

    /// Cell (0, 0) and its neighbours east, south and south-east on a board of 5, at ε = η = 1/4.
    struct Corner {
        rule: OnCells,
        x: Configuration,
        site: CellSite,
    }

    impl Corner {
        fn with_queens(cells: &[(usize, usize)]) -> Self {
            let (board, rule) = (Board::new(5), rule_at::<OnCells>("", 5, 0.25, 0.25));
            Self {
                x: Configuration::with_queens(board, cells.iter().map(|&(x, y)| board.cell(x, y))),
                site: rule.site(0),
                rule,
            }
        }

        fn with_signals(mut self, x: usize, y: usize, directions: &[Direction]) -> Self {
            let signals = directions
                .iter()
                .fold(Directions::NONE, |set, &d| set.with(d, true));
            self.x.set_signals(self.x.board().cell(x, y), signals);
            self
        }

        /// Probability that a queen leaves for (x, y) when the corner is updated.
        fn chance_of_move(&self, x: usize, y: usize) -> f64 {
            let to = self.x.board().cell(x, y);
            let moves =
                every_answer(|random| self.rule.update(&mut self.x.clone(), self.site, random));
            moves
                .into_iter()
                .filter(|(_, moved)| moved.is_some_and(|queen| queen.to == to))
                .map(|(p, _)| p)
                .sum()
        }

        fn assert_chances(&self, expected: [f64; 3]) {
            let chances = [
                self.chance_of_move(1, 0),
                self.chance_of_move(0, 1),
                self.chance_of_move(1, 1),
            ];
            for (p, expected) in chances.into_iter().zip(expected) {
                assert!((p - expected).abs() < 1e-12, "{p}, not {expected}");
            }
        }
    }

    /// Two queens share the corner; ω is 1 in the east, 0 in the south, ∞ in the south-east. South
    /// is chosen with η/3 + (1 − η) = 5/6 and is safe; the others with η/3 = 1/12 and are
    /// dangerous: ε/12 = 1/48.
    #[test]
    fn destination_and_move_have_the_probabilities_of_the_text() {
        let corner =
            Corner::with_queens(&[(0, 0), (0, 0), (1, 1)]).with_signals(1, 0, &[Direction::S]);
        corner.assert_chances([1.0 / 48.0, 5.0 / 6.0, 1.0 / 48.0]);
    }

    /// East and south both carry one signal, so ω ties at 1: each is chosen with 1/12 + 3/8. The
    /// south's comes from the corner itself, so it is safe.
    #[test]
    fn a_tie_is_broken_evenly_and_the_signal_of_the_mover_is_no_danger() {
        let corner = Corner::with_queens(&[(0, 0), (0, 0), (1, 1)])
            .with_signals(1, 0, &[Direction::S])
            .with_signals(0, 1, &[Direction::N]);
        corner.assert_chances([11.0 / 96.0, 11.0 / 24.0, 1.0 / 48.0]);
    }

    /// The claim on which thinning rests: where a threatened queen has a safe cell beside it, an
    /// update moves it with probability 1/8 at least.
    #[test]
    fn an_open_cell_is_rarely_without_effect() {
        let mut stream = stream("tests/open-cell", 2);
        for eta in [0.0, 0.003, 0.3, 0.9, 1.0] {
            let rule: OnCells = rule_at("", 5, 0.0, eta);
            for _ in 0..2000 {
                let x = unreached(Board::new(5), &mut stream);
                let mut open = sites(&rule).filter(|&site| class(&rule, &x, site) == Class::Open);
                assert!(open.all(|site| chance_of_change(&rule, &x, site) >= 0.125 - 1e-12));
            }
        }
    }
}
