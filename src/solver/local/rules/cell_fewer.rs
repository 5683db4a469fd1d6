//! The cell rule with the certain moves that the source text mentions in passing: a threatened
//! queen also moves for certain to a cell that carries fewer signals than its own.

use crate::solver::board::Board;
use crate::solver::local::cell_update::update_cell;
use crate::solver::local::configuration::{CellState, Configuration, Move};
use crate::solver::local::fewer_signals::{self, Reading, VARIANTS};
use crate::solver::local::geometry::{CellSite, Cells, Geometry as _};
use crate::solver::local::rule::{self, Class, Concern, LocalRule};
use crate::solver::local::{EPSILON, ETA, N};
use crate::solver::rng::{Chance, RandomSource};
use crate::solver::variants::Variants;
use crate::solver::{Axis, Point};

/// The rule on one board at one ε and η, in one reading of "fewer signals".
#[derive(Debug, Clone)]
pub struct CellFewerRule {
    board: Board,
    cells: Cells,
    epsilon: Chance,
    eta: Chance,
    reading: Reading,
}

impl LocalRule for CellFewerRule {
    const NAME: &'static str = "cell-fewer";
    const DOC: &'static str =
        "Algorithm 2 with certain moves to cells that carry fewer signals than the start";
    const AXES: &'static [Axis] = &[N, EPSILON, ETA];
    const REJECTION_FREE_UP_TO: f64 = 0.1;

    type Geometry = Cells;

    fn variants() -> Option<&'static dyn Variants> {
        Some(&*VARIANTS)
    }

    fn at(point: &Point, board: Board) -> Self {
        Self {
            board,
            cells: Cells::on(board),
            epsilon: rule::chance(point, &EPSILON),
            eta: rule::chance(point, &ETA),
            reading: Reading::of(point),
        }
    }

    #[inline]
    fn geometry(&self) -> &Cells {
        &self.cells
    }

    /// The destination is chosen as in the cell rule: ω counts all its signals, in every reading.
    #[inline(always)]
    fn update(
        &self,
        x: &mut Configuration,
        site: CellSite,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        update_cell(x, site, self.eta, random, |a, b, from, random| {
            let certain = self.reading.is_certain(a, b, from);
            (certain || random.flip(self.epsilon)).then_some(certain)
        })
    }

    const SIGNALS_FIRST: bool = true;

    /// Open where some neighbour would be a certain destination, whether ω chooses it or not.
    #[inline]
    fn class_of_moves(&self, x: &Configuration, site: CellSite) -> Class {
        let c = site.cell;
        if !x[c].threatened() {
            return Class::Idle;
        }
        let is_certain = site.neighbours.iter().any(|d| {
            let to = x[self.board.neighbour(c, d)];
            self.reading.is_certain(x[c], to, d.opposite())
        });
        if is_certain {
            Class::Open
        } else {
            Class::Dangerous
        }
    }

    #[inline]
    fn concern(before: CellState, after: CellState) -> Option<Concern> {
        Some(fewer_signals::concern(before, after))
    }

    fn epsilon(&self) -> Chance {
        self.epsilon
    }

    fn with_epsilon(&self, epsilon: Chance) -> Self {
        Self {
            epsilon,
            ..self.clone()
        }
    }
}
