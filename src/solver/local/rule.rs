//! What a local rule is: which updates there are, and what one of them does.

use super::configuration::{Configuration, Move, State};
use crate::solver::board::{Board, Cell, Direction};
use crate::solver::rng::{Chance, Coins};
use crate::solver::{Axis, Point};

/// A local rule at one point: one update draws a site uniformly and updates it.
///
/// Chance is an argument, so that a test can take an update through all outcomes of its coins.
/// Counting moves, hits and absorption is the simulation's business, not the rule's.
pub trait LocalRule: Sized + 'static {
    /// Registry name.
    const NAME: &'static str;
    /// One line for `reines list --algorithms`.
    const DOC: &'static str;
    /// The parameters that [`LocalRule::at`] reads.
    const AXES: &'static [Axis];

    /// The greatest ε at which [`crate::solver::DynamicsChoice::Auto`] takes the rejection-free
    /// dynamics: near where both dynamics take the same time. It is a part of what a trial is:
    /// never change it for a rule that has results.
    const REJECTION_FREE_UP_TO: f64 = 0.01;

    /// What one update works on.
    type Site: Copy + std::fmt::Debug;

    /// The rule at `point`, which has a value within its domain on each of the rule's axes.
    fn at(point: &Point, board: Board) -> Self;

    /// How many sites there are, all equally likely.
    fn n_sites(&self) -> u64;

    /// The site of this number.
    fn site(&self, number: u64) -> Self::Site;

    /// Updates `site`; tells the queen move that took place, if one did.
    fn update(
        &self,
        configuration: &mut Configuration,
        site: Self::Site,
        coins: &mut impl Coins,
    ) -> Option<Move>;

    /// The cells whose signals an update of `site` can change.
    fn signal_cells(&self, site: Self::Site) -> impl IntoIterator<Item = Cell>;

    /// Whether an update writes signals first and then decides on a move, so that a signal on its
    /// way may threaten a queen in the same update.
    const SIGNALS_FIRST: bool;

    /// The most looks that a site has.
    const LOOKS: usize;

    /// From which cells and in which directions an update of `site` looks: it rewrites the signals
    /// of these directions on these cells, and moves a queen, if any, from one of these cells in
    /// one of these directions. Every cell looks in every direction at exactly one site.
    fn looks(&self, site: Self::Site) -> impl IntoIterator<Item = (Cell, Direction)>;

    /// How likely an update of `site` is to move a queen, if the signals that it rewrites are true
    /// already.
    fn class_of_moves(&self, configuration: &Configuration, site: Self::Site) -> Class;

    /// ε.
    fn epsilon(&self) -> Chance;

    /// The same rule at another ε.
    #[must_use]
    fn with_epsilon(&self, epsilon: Chance) -> Self;
}

/// How likely an update is to change the configuration: what the rejection-free dynamics knows
/// about a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Probability 0.
    Idle,
    /// Not decided by ε alone: it changes with probability 1, or with an unknown one and the update
    /// itself decides.
    Open,
    /// Signals are true, and a queen's one possible move is dangerous: probability ε.
    Dangerous,
    /// Signals are true, and two queens face each other with dangerous moves of which exactly one
    /// must succeed: probability 2ε(1 − ε).
    Contested,
}

impl Class {
    pub const COUNT: usize = 4;
}

/// The looks of `site` whose signals are not what an update would write, as bits in the order of
/// [`LocalRule::looks`].
pub fn stale<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> u8 {
    let is_stale = |(cell, direction)| {
        let neighbour = x.board().neighbour(cell, direction);
        x[cell].signals.contains(direction) != x[neighbour].shows().contains(direction)
    };
    rule.looks(site)
        .into_iter()
        .enumerate()
        .fold(0, |bits, (place, look)| {
            bits | u8::from(is_stale(look)) << place
        })
}

/// How likely an update of `site` is to change the configuration.
///
/// With a stale signal it does so whatever its coins say: a queen that moves leaves another number
/// of queens behind, and without a move the signal changes.
pub fn class<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> Class {
    if stale(rule, x, site) != 0 {
        Class::Open
    } else {
        rule.class_of_moves(x, site)
    }
}

/// MOVE(a → b): whether a queen on a cell in state `a` leaves for the adjacent cell in state `b`,
/// from which the first lies in direction `from` = δ(a, b). ε is the probability of a dangerous
/// move.
///
/// The source's third case, a coin of ε, covers `n_a = 0` as printed; that is a slip: without a
/// queen nothing moves.
#[inline]
pub fn moves(a: State, b: State, from: Direction, epsilon: Chance, coins: &mut impl Coins) -> bool {
    a.threatened() && (b.safe_go(from) || coins.flip(epsilon))
}

/// The board of a point of a local rule.
pub fn board(point: &Point) -> Board {
    let n = point
        .integer("n")
        .expect("a point of a local rule was validated against its axes, and n is one of them");
    Board::new(usize::try_from(n).expect("n was validated to be at most 64"))
}

/// The probability on this axis of a point.
pub fn chance(point: &Point, axis: &Axis) -> Chance {
    Chance::new(
        point
            .real(axis.name)
            .expect("a point was validated against its algorithm's axes, and this is one of them"),
    )
}
