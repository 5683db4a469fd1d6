//! What a local rule is: the sites of a board, what an update of a site reads, writes and does, how
//! likely it is to change something, and which moves are certain. The rules on each kind of site
//! have a file.

pub mod cells;
pub mod pairs;

use super::certainty::Certainty;
use super::configuration::{Cells, Move};
use crate::Point;
use crate::board::{Board, Cell, Direction};
use crate::rng::{Chance, RandomSource};

/// The most cells whose signals an update may write.
pub const SIGNAL_CELLS_MAX: usize = 2;

/// A local rule at one point: one update draws a site uniformly and updates it.
///
/// An update of a site reads its signal cells and the neighbours of these in the directions of the
/// dependencies, and nothing else. It writes the dependencies' signals, and it moves at
/// most one queen: from the cell of a dependency to the neighbour in its direction. The
/// rejection-free dynamics relies on all of this (checked for every registered rule by the tests in
/// `tests/properties.rs`).
///
/// Chance is an argument, so that a test can try every random answer. Counting moves, hits and
/// absorption is the simulation's business, not the rule's.
///
/// [`LocalRule::update`] is the definition of the rule; the stepwise dynamics uses nothing else.
/// The rejection-free dynamics also relies on the classes ([`LocalRule::class_of_moves`]), and on
/// what [`Certainty::concern`] says of them. Tests hold both against `update`.
pub trait LocalRule: Clone + Send + Sync + 'static {
    /// What one update works on.
    type Site: Copy + std::fmt::Debug;

    /// The cells whose signals an update writes.
    type SignalCells: IntoIterator<Item = Cell> + AsRef<[Cell]>;

    /// The most dependencies that a site has: at most 8.
    const DEPENDENCIES: usize;

    /// True if an update writes signals first and then decides on a move, so that a signal written
    /// may threaten a queen in the same update.
    const SIGNALS_FIRST: bool;

    /// The rule at `point`, which has a value within its domain on each of the rule's axes, and
    /// whose variant is a condition ([`super::condition`]).
    fn at(point: &Point, board: Board) -> Self;

    /// How many sites a board has.
    fn sites_on(board: Board) -> u64;

    /// The sites, all equally likely to be updated: fewer than 2¹⁶.
    fn sites(&self) -> &[Self::Site];

    /// How many sites there are.
    #[inline]
    fn n_sites(&self) -> u64 {
        self.sites().len() as u64
    }

    /// The site of this number, which is below [`LocalRule::n_sites`].
    #[inline]
    fn site(&self, number: u64) -> Self::Site {
        self.sites()[number as usize]
    }

    /// The cells whose signals an update of `site` writes, each once, at most [`SIGNAL_CELLS_MAX`]:
    /// the cells of its dependencies.
    fn signal_cells(&self, site: Self::Site) -> Self::SignalCells;

    /// The dependencies (c, d) of `site`, those of one cell one after the other: an update writes
    /// the signal `s_c(d) ← [n_c' ≥ 1 or s_c'(d) = 1]`, c' the neighbour of c in the direction d.
    /// Every cell has a dependency in the direction of each of its neighbours, and each belongs to
    /// exactly one site.
    fn dependencies(&self, site: Self::Site) -> impl IntoIterator<Item = (Cell, Direction)>;

    /// Updates `site`. Returns the queen's move, if one took place; it is certain if no coin of ε
    /// could have prevented it.
    ///
    /// The signals of all dependencies of the site are written, whatever the random answers.
    fn update(
        &self,
        x: &mut impl Cells,
        site: Self::Site,
        random: &mut impl RandomSource,
    ) -> Option<Move>;

    /// How likely an update of `site` is to move a queen; with [`LocalRule::SIGNALS_FIRST`], if the
    /// signals of its dependencies are what an update would write. [`Class::Open`] is right
    /// for any site where a queen may move.
    fn class_of_moves(&self, x: &impl Cells, site: Self::Site) -> Class;

    /// The moves that need no coin.
    fn certainty(&self) -> &Certainty;

    /// ε.
    fn epsilon(&self) -> Chance;

    /// Makes it the rule at another ε.
    fn set_epsilon(&mut self, epsilon: Chance);
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
/// order of [`LocalRule::dependencies`].
pub(super) fn stale<R: LocalRule>(rule: &R, x: &impl Cells, site: R::Site) -> u8 {
    let is_stale = |(cell, direction): (Cell, Direction)| {
        let shown = x.state(x.board().neighbour(cell, direction)).shows();
        x.state(cell).signals.contains(direction) != shown.contains(direction)
    };
    rule.dependencies(site)
        .into_iter()
        .enumerate()
        .fold(0, |bits, (bit, dependency)| {
            bits | u8::from(is_stale(dependency)) << bit
        })
}
