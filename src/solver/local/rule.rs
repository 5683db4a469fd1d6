//! What a local rule is: what an update of a site does, and how likely it is to change something.

use super::certainty::Certainty;
use super::configuration::{Configuration, Move};
use super::lanes::kernel::Kernel;
use super::sites::{Dependency, Sites};
use crate::solver::board::Board;
use crate::solver::rng::{Chance, RandomSource};
use crate::solver::{Axis, Point};

/// The sites of a rule.
pub type Site<R> = <<R as LocalRule>::Sites as Sites>::Site;

/// A local rule at one point: one update draws a site uniformly and updates it.
///
/// Chance is an argument, so that a test can try every random answer. Counting moves, hits and
/// absorption is the simulation's business, not the rule's.
///
/// [`LocalRule::update`] is the definition of the rule; the stepwise dynamics uses nothing else.
/// The rejection-free dynamics also relies on the classes ([`LocalRule::class_of_moves`]), and on
/// what [`Certainty::concern`] says of them. Tests hold both against `update`.
pub trait LocalRule: Clone + Sync + 'static {
    /// The sites, and what an update of a site reads and writes.
    type Sites: Sites;

    /// Which moves need no coin.
    type Certainty: Certainty;

    /// The rule in lanes, on boards of W words.
    type Kernel<const W: usize>: Kernel<W, Rule = Self>;

    /// Whether it runs in lanes.
    const HAS_LANES: bool;

    /// The rule at `point`, which has a value within its domain on each of the rule's axes, and the
    /// acronym of a variant if there are variants.
    fn at(point: &Point, board: Board) -> Self;

    /// The sites of the board.
    fn sites(&self) -> &Self::Sites;

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

    /// How likely an update of `site` is to move a queen; at sites with [`Sites::SIGNALS_FIRST`],
    /// if the signals of its dependencies are what an update would write. [`Class::Open`] is right
    /// for any site where a queen may move.
    fn class_of_moves(&self, configuration: &Configuration, site: Site<Self>) -> Class;

    /// ε.
    fn epsilon(&self) -> Chance;

    /// The same rule at another ε.
    #[must_use]
    fn with_epsilon(&self, epsilon: Chance) -> Self;
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
/// order of [`Sites::dependencies`].
pub(super) fn stale<S: Sites>(sites: &S, x: &Configuration, site: S::Site) -> u8 {
    let is_stale = |Dependency { cell, direction }| {
        let neighbour = x.board().neighbour(cell, direction);
        x[cell].signals.contains(direction) != x[neighbour].shows().contains(direction)
    };
    sites
        .dependencies(site)
        .into_iter()
        .enumerate()
        .fold(0, |bits, (place, dependency)| {
            bits | u8::from(is_stale(dependency)) << place
        })
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
