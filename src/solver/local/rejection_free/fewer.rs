//! Tests only: a registered rule with other declarations than its own, to test what the exactness
//! tests find out.

use std::marker::PhantomData;

use crate::solver::board::Board;
use crate::solver::local::configuration::{CellState, Configuration, Move};
use crate::solver::local::geometry::Pairs;
use crate::solver::local::rule::{self, Class, Concern, LocalRule, Site};
use crate::solver::local::rules::pair_fewer::PairFewerRule;
use crate::solver::rng::{Chance, RandomSource};
use crate::solver::variants::Variants;
use crate::solver::{Axis, Point};

/// The rule, with one of two declarations.
#[derive(Debug, Clone)]
pub(super) struct Fewer<D>(PairFewerRule, PhantomData<fn() -> D>);

/// What is declared as [`LocalRule::concern`].
pub(super) trait Declaration: Clone + 'static {
    fn concern(before: CellState, after: CellState) -> Option<Concern>;
}

/// Nothing, as by default.
#[derive(Debug, Clone)]
pub(super) struct Nothing;

impl Declaration for Nothing {
    fn concern(_: CellState, _: CellState) -> Option<Concern> {
        None
    }
}

/// The declaration of the source's rules, copied with the rest: wrong here, where classes read the
/// number of signals too.
#[derive(Debug, Clone)]
pub(super) struct AsTheSourceRules;

impl Declaration for AsTheSourceRules {
    fn concern(before: CellState, after: CellState) -> Option<Concern> {
        Some(rule::concern_of_safety(before, after))
    }
}

impl<D: Declaration> LocalRule for Fewer<D> {
    const NAME: &'static str = PairFewerRule::NAME;
    const DOC: &'static str = PairFewerRule::DOC;
    const AXES: &'static [Axis] = PairFewerRule::AXES;

    type Geometry = Pairs;

    fn variants() -> Option<&'static dyn Variants> {
        PairFewerRule::variants()
    }

    fn at(point: &Point, board: Board) -> Self {
        Self(PairFewerRule::at(point, board), PhantomData)
    }

    fn geometry(&self) -> &Pairs {
        self.0.geometry()
    }

    fn update(
        &self,
        x: &mut Configuration,
        pair: Site<Self>,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        self.0.update(x, pair, random)
    }

    const SIGNALS_FIRST: bool = PairFewerRule::SIGNALS_FIRST;

    fn class_of_moves(&self, x: &Configuration, pair: Site<Self>) -> Class {
        self.0.class_of_moves(x, pair)
    }

    fn concern(before: CellState, after: CellState) -> Option<Concern> {
        D::concern(before, after)
    }

    fn epsilon(&self) -> Chance {
        self.0.epsilon()
    }

    fn with_epsilon(&self, epsilon: Chance) -> Self {
        Self(self.0.with_epsilon(epsilon), PhantomData)
    }
}
