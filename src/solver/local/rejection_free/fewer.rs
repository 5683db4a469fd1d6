//! Tests only: a rule that is not registered, to test what the exactness tests find out. The pair
//! rule with one more certain move: a threatened queen also moves for certain to a cell with fewer
//! signals, whether a queen is on it or not.

use std::marker::PhantomData;

use crate::solver::board::{Board, Direction, Pair};
use crate::solver::local::configuration::{CellState, Configuration, Move};
use crate::solver::local::geometry::{Geometry as _, Pairs};
use crate::solver::local::rule::{self, Class, Concern, LocalRule, Site};
use crate::solver::local::{EPSILON, N};
use crate::solver::rng::{Chance, RandomSource};
use crate::solver::{Axis, Point};

/// The rule, with one of three declarations.
#[derive(Debug, Clone)]
pub(super) struct Fewer<D> {
    pairs: Pairs,
    epsilon: Chance,
    declaration: PhantomData<fn() -> D>,
}

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

/// Moves of queens on a cell and beside it depend on its queens and on its number of signals, and
/// those beside it also on the direction of a single one.
#[derive(Debug, Clone)]
pub(super) struct BySignals;

impl Declaration for BySignals {
    fn concern(before: CellState, after: CellState) -> Option<Concern> {
        let read = |state: CellState| (state.queens.min(2), state.signals.len());
        let other = read(before) != read(after);
        let beside = crate::solver::board::Directions::from_bits(if other { 0xFF } else { 0 });
        let by_safety = rule::concern_of_safety(before, after);
        Some(Concern::new(
            other || by_safety.own(),
            beside.union(by_safety.beside()),
        ))
    }
}

/// Whether a threatened queen in state `a` needs no coin to move to `b`.
fn is_certain(a: CellState, b: CellState, from: Direction) -> bool {
    b.safe_go(from) || b.signals.len() < a.signals.len()
}

fn moves(
    (a, b, from): (CellState, CellState, Direction),
    epsilon: Chance,
    random: &mut impl RandomSource,
) -> bool {
    a.threatened() && (is_certain(a, b, from) || random.flip(epsilon))
}

impl<D: Declaration> LocalRule for Fewer<D> {
    const NAME: &'static str = "fewer";
    const DOC: &'static str = "a rule of the tests";
    const AXES: &'static [Axis] = &[N, EPSILON];

    type Geometry = Pairs;

    fn at(point: &Point, board: Board) -> Self {
        Self {
            pairs: Pairs::on(board),
            epsilon: rule::chance(point, &EPSILON),
            declaration: PhantomData,
        }
    }

    fn geometry(&self) -> &Pairs {
        &self.pairs
    }

    fn update(
        &self,
        x: &mut Configuration,
        Pair {
            a,
            b,
            from_a,
            from_b,
        }: Pair,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let a_to_b = moves((x[a], x[b], from_a), self.epsilon, random);
        let b_to_a = moves((x[b], x[a], from_b), self.epsilon, random);
        let moved = match (a_to_b, b_to_a) {
            (true, false) => Some(Move {
                from: a,
                to: b,
                certain: is_certain(x[a], x[b], from_a),
            }),
            (false, true) => Some(Move {
                from: b,
                to: a,
                certain: is_certain(x[b], x[a], from_b),
            }),
            _ => None,
        };
        if let Some(queen) = moved {
            x.move_queen(queen);
        }
        let (signals_of_a, signals_of_b) = (
            x[a].signals.taking(from_b, x[b].shows()),
            x[b].signals.taking(from_a, x[a].shows()),
        );
        x.set_signals(a, signals_of_a);
        x.set_signals(b, signals_of_b);
        moved
    }

    const SIGNALS_FIRST: bool = false;

    fn class_of_moves(&self, x: &Configuration, pair: Site<Self>) -> Class {
        let (a, b) = (x[pair.a], x[pair.b]);
        let certain = a.threatened() && is_certain(a, b, pair.from_a)
            || b.threatened() && is_certain(b, a, pair.from_b);
        match (a.threatened(), b.threatened()) {
            (false, false) => Class::Idle,
            _ if certain => Class::Open,
            (true, true) => Class::Contested,
            _ => Class::Dangerous,
        }
    }

    fn concern(before: CellState, after: CellState) -> Option<Concern> {
        D::concern(before, after)
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
