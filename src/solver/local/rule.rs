//! What a local rule is: what an update of a site does, and how likely it is to change something.

pub use super::concern::Concern;
pub use super::lanes::LanesOf;

use super::configuration::{CellState, Configuration, Move};
use super::geometry::{Dependency, Geometry};
use crate::solver::board::{Board, Direction};
use crate::solver::rng::{Chance, RandomSource};
use crate::solver::variants::Variants;
use crate::solver::{Axis, Point};

/// The sites of a rule.
pub type Site<R> = <<R as LocalRule>::Geometry as Geometry>::Site;

/// A local rule at one point: one update draws a site uniformly and updates it.
///
/// Chance is an argument, so that a test can try every random answer. Counting moves, hits and
/// absorption is the simulation's business, not the rule's.
///
/// [`LocalRule::update`] is the definition of the rule; the stepwise dynamics uses nothing else.
/// The rejection-free dynamics also relies on the classes ([`LocalRule::class_of_moves`]), and on
/// what [`LocalRule::concern`] says of them where it is written. Tests hold both against `update`.
pub trait LocalRule: Clone + 'static {
    /// Registry name.
    const NAME: &'static str;
    /// One line for `reines list --algorithms`.
    const DOC: &'static str;
    /// The parameters that [`LocalRule::at`] reads.
    const AXES: &'static [Axis];

    /// The greatest ε at which [`crate::solver::DynamicsChoice::Auto`] takes the rejection-free
    /// dynamics and not the stepwise one, where it does not take lanes: near where both take the
    /// same time. The dynamics is a part of what a trial is, so this never changes for a rule that
    /// has results.
    const REJECTION_FREE_UP_TO: f64 = 0.01;

    /// The dynamics in lanes, for a rule that says by masks what its updates do: `lanes::on_pairs`
    /// or `lanes::on_cells`; `None` where there is none.
    const LANES: Option<LanesOf> = None;

    /// Where [`crate::solver::DynamicsChoice::Auto`] takes the dynamics in lanes: up to this n, and
    /// there up to this ε, by any of the pairs. Near where lanes and the faster one of the others
    /// take the same time on a processor with AVX2. It never changes for a rule that has results,
    /// as [`LocalRule::REJECTION_FREE_UP_TO`].
    const LANES_UP_TO: &'static [(u64, f64)] = &[];

    /// The sites, and what an update of a site reads and writes.
    type Geometry: Geometry;

    /// The variants that the rule comes in; `None` where there is one way only.
    fn variants() -> Option<&'static dyn Variants> {
        None
    }

    /// The rule at `point`, which has a value within its domain on each of the rule's axes, and the
    /// acronym of a variant if there are variants.
    fn at(point: &Point, board: Board) -> Self;

    /// The sites of the board.
    fn geometry(&self) -> &Self::Geometry;

    /// Updates `site`. Returns the queen's move, if one took place; it is certain if no coin of ε
    /// could have prevented it.
    ///
    /// The signals of all dependencies of the site are written, whatever the random answers.
    fn update(
        &self,
        configuration: &mut Configuration,
        site: Site<Self>,
        random: &mut impl RandomSource,
    ) -> Option<Move>;

    /// Whether an update writes signals first and then decides on a move, so that a signal written
    /// may threaten a queen in the same update.
    const SIGNALS_FIRST: bool;

    /// How likely an update of `site` is to move a queen; under a rule with
    /// [`LocalRule::SIGNALS_FIRST`], if the signals of its dependencies are what an update would
    /// write. [`Class::Open`] is right for any site where a queen may move.
    fn class_of_moves(&self, configuration: &Configuration, site: Site<Self>) -> Class;

    /// The moves whose class may be another after a cell's state has changed from `before` to
    /// `after`. Those of queens on the cell are at the sites of the cell's own dependencies; those
    /// of a queen beside it at the site at which the queen's cell depends on this one.
    ///
    /// Without a declaration (`None`) the class of every site that reads the cell is found anew,
    /// which is right for every rule and slow. A declaration is right if the class of a site where
    /// no move is concerned stays what it was. Where the class reads of a cell no more than
    /// [`CellState::threatened`] for queens on it and [`CellState::safe_go`] for queens beside it,
    /// [`concern_of_safety`] is such a declaration.
    #[inline]
    fn concern(_before: CellState, _after: CellState) -> Option<Concern> {
        None
    }

    /// ε.
    fn epsilon(&self) -> Chance;

    /// The same rule at another ε.
    #[must_use]
    fn with_epsilon(&self, epsilon: Chance) -> Self;
}

/// [`LocalRule::concern`] for classes that read of a cell no more than [`CellState::safety`] says.
#[inline]
pub fn concern_of_safety(before: CellState, after: CellState) -> Concern {
    before.safety().concern_of_change(after.safety())
}

/// How likely an update of a site is to change the configuration, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Probability 0.
    Idle,
    /// Any probability: the update itself decides. Right for every site; an update of such a site
    /// that changes nothing costs time.
    Open,
    /// Probability ε: one queen's one possible move is dangerous. At ε = 1 an update moves the
    /// queen for certain, and its law is that of an update at ε if it moves a queen.
    Dangerous,
    /// Probability 2ε(1 − ε): two queens face each other with dangerous moves of which exactly one
    /// must succeed. An update flips two coins of ε and nothing else.
    Contested,
}

impl Class {
    pub(super) const COUNT: usize = 4;
}

/// The dependencies of `site` whose signals are not what an update would write, as bits in the
/// order of [`Geometry::dependencies`].
pub(super) fn stale<G: Geometry>(geometry: &G, x: &Configuration, site: G::Site) -> u8 {
    let is_stale = |Dependency { cell, direction }| {
        let neighbour = x.board().neighbour(cell, direction);
        x[cell].signals.contains(direction) != x[neighbour].shows().contains(direction)
    };
    geometry
        .dependencies(site)
        .into_iter()
        .enumerate()
        .fold(0, |bits, (place, dependency)| {
            bits | u8::from(is_stale(dependency)) << place
        })
}

/// MOVE(a → b): whether a queen on a cell in state `a` leaves for the adjacent cell in state `b`,
/// from which the first lies in direction `from` = δ(a, b). ε is the probability of a dangerous
/// move.
///
/// The source's third case, a coin of ε, covers `n_a = 0` as printed; that is a slip: without a
/// queen nothing moves.
#[inline]
pub fn moves(
    a: CellState,
    b: CellState,
    from: Direction,
    epsilon: Chance,
    random: &mut impl RandomSource,
) -> bool {
    a.threatened() && (b.safe_go(from) || random.flip(epsilon))
}

/// The board of a point of a local rule.
///
/// # Panics
/// When the point has no n from 1 to 64.
pub(in crate::solver) fn board(point: &Point) -> Board {
    let n = point
        .integer("n")
        .expect("a point of a local rule was validated against its axes, and n is one of them");
    Board::new(usize::try_from(n).expect("n was validated to be at most 64"))
}

/// The probability on this axis of a point.
///
/// # Panics
/// When the point has no probability there.
pub fn chance(point: &Point, axis: &Axis) -> Chance {
    Chance::new(
        point
            .real(axis.name)
            .expect("a point was validated against its algorithm's axes, and this is one of them"),
    )
}
