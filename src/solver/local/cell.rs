//! The cell rule, "Algorithm 2" of the source text: one update changes a cell by all of its neighbours.

use super::configuration::{Configuration, Move, State};
use super::rule::{self, Class, LocalRule, moves};
use super::{EPSILON, ETA, N};
use crate::solver::board::{Board, Cell, Direction, Directions};
use crate::solver::rng::{Chance, Coins};
use crate::solver::{Axis, Point};

/// The cell rule on one board at one ε and η.
#[derive(Debug, Clone)]
pub struct CellRule {
    board: Board,
    sites: Box<[Site]>,
    epsilon: Chance,
    eta: Chance,
}

/// A cell and the directions in which it has neighbours: V_c.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    pub cell: Cell,
    pub neighbours: Directions,
}

impl LocalRule for CellRule {
    const NAME: &'static str = "cell";
    const DOC: &'static str = "Algorithm 2: a random cell per update, ω chooses the destination";
    const AXES: &'static [Axis] = &[N, EPSILON, ETA];

    type Site = Site;

    fn at(point: &Point, board: Board) -> Self {
        let sites = board.cells().map(|cell| Site { cell, neighbours: board.directions(cell) }).collect();
        Self { board, sites, epsilon: rule::chance(point, &EPSILON), eta: rule::chance(point, &ETA) }
    }

    #[inline]
    fn n_sites(&self) -> u64 {
        self.sites.len() as u64
    }

    #[inline]
    fn site(&self, number: u64) -> Site {
        self.sites[number as usize]
    }

    /// First the signals of the cell, by all its neighbours; then one of its queens, if it is threatened, tries one destination.
    #[inline]
    fn update(&self, x: &mut Configuration, site: Site, coins: &mut impl Coins) -> Option<Move> {
        let c = site.cell;
        x.set_signals(c, self.signals(x, c));
        if x[c].queens == 0 || x[c].safe_stay() {
            return None;
        }
        let towards = self.destination(x, site, coins);
        let to = self.board.neighbour(c, towards);
        let queen = Move { from: c, to };
        moves(x[c], x[to], towards.opposite(), self.epsilon, coins).then(|| {
            x.move_queen(queen);
            queen
        })
    }

    #[inline]
    fn signal_cells(&self, site: Site) -> impl IntoIterator<Item = Cell> {
        [site.cell]
    }

    #[inline]
    fn looks(&self, site: Site) -> impl IntoIterator<Item = (Cell, Direction)> {
        site.neighbours.iter().map(move |direction| (site.cell, direction))
    }

    /// A threatened queen with true signals and a safe cell beside it moves with probability `ε + (1 − ε)·p_safe`,
    /// `p_safe = (1 − η)·|B ∩ S| / |B| + η·|S| / k`. Where S is not empty, a cell of S has ω ≤ 1, so B ∩ S is S or B and p_safe ≥ 1/8:
    /// leaving the decision to the update costs little.
    #[inline]
    fn class(&self, x: &Configuration, site: Site) -> Class {
        let c = site.cell;
        if self.signals(x, c) != x[c].signals {
            return Class::Open;
        }
        if !x[c].threatened() {
            return Class::Idle;
        }
        let safe = |d: Direction| x[self.board.neighbour(c, d)].safe_go(d.opposite());
        if site.neighbours.iter().any(safe) { Class::Open } else { Class::Dangerous }
    }

    fn epsilon(&self) -> Chance {
        self.epsilon
    }

    fn with_epsilon(&self, epsilon: Chance) -> Self {
        Self { epsilon, ..self.clone() }
    }
}

impl CellRule {
    /// For every direction d, c' the neighbour there: `[n_c' ≥ 1 or s_c'(d) = 1]`; nothing comes from beyond the edge.
    #[inline]
    fn signals(&self, x: &Configuration, c: Cell) -> Directions {
        Direction::ALL.into_iter().fold(Directions::NONE, |signals, d| {
            let shown = x[self.board.neighbour(c, d)].shows();
            signals.union(shown.intersection(Directions::only(d)))
        })
    }

    /// With probability η any neighbour, else one of those that minimise ω; uniformly.
    fn destination(&self, x: &Configuration, site: Site, coins: &mut impl Coins) -> Direction {
        let choice = if coins.flip(self.eta) { site.neighbours } else { self.least_dangerous(x, site) };
        choice.nth(coins.below(u64::from(choice.len())))
    }

    /// The neighbours that minimise ω: all of them where all are occupied.
    fn least_dangerous(&self, x: &Configuration, site: Site) -> Directions {
        let mut least = u32::MAX;
        let mut choice = Directions::NONE;
        for d in site.neighbours.iter() {
            let danger = omega(x[self.board.neighbour(site.cell, d)]);
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
}

/// ω: how dangerous a cell is: infinite with a queen on it, else the number of its signals.
pub fn omega(c: State) -> u32 {
    if c.queens > 0 { u32::MAX } else { c.signals.len() }
}
