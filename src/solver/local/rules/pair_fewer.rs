//! The pair rule with the certain moves that the source text mentions in passing: a threatened
//! queen also moves for certain to a cell that carries fewer signals than its own.

use crate::solver::board::{Board, Direction, Pair};
use crate::solver::local::configuration::{CellState, Configuration, Move};
use crate::solver::local::fewer_signals::{self, Reading, VARIANTS};
use crate::solver::local::geometry::{Geometry as _, Pairs};
use crate::solver::local::lanes::pairs::LanesOnPairs;
use crate::solver::local::lanes::side::Side;
use crate::solver::local::lanes::vector::Bits;
use crate::solver::local::lanes::{self, LanesOf};
use crate::solver::local::pair_update::update_pair;
use crate::solver::local::rule::{self, Class, Concern, LocalRule};
use crate::solver::local::{EPSILON, N};
use crate::solver::rng::{Chance, RandomSource};
use crate::solver::variants::Variants;
use crate::solver::{Axis, Point};

/// The rule on one board at one ε, in one reading of "fewer signals".
#[derive(Debug, Clone)]
pub struct PairFewerRule {
    pairs: Pairs,
    epsilon: Chance,
    /// What counts.
    pub(in crate::solver::local) reading: Reading,
}

/// By the number of threatened queens, and whether one of them has a certain move.
const CLASSES: [[Class; 2]; 3] = [
    [Class::Idle; 2],
    [Class::Dangerous, Class::Open],
    [Class::Contested, Class::Open],
];

impl LocalRule for PairFewerRule {
    const NAME: &'static str = "pair-fewer";
    const DOC: &'static str =
        "Algorithm 1 with certain moves to cells that carry fewer signals than the start";
    const AXES: &'static [Axis] = &[N, EPSILON];
    const REJECTION_FREE_UP_TO: f64 = 0.02;

    const LANES: Option<LanesOf> = Some(lanes::on_pairs::<Self>);
    const LANES_UP_TO: &'static [(u64, f64)] = &[(8, 0.03)];

    type Geometry = Pairs;

    fn variants() -> Option<&'static dyn Variants> {
        Some(&*VARIANTS)
    }

    fn at(point: &Point, board: Board) -> Self {
        Self {
            pairs: Pairs::on(board),
            epsilon: rule::chance(point, &EPSILON),
            reading: Reading::of(point),
        }
    }

    #[inline]
    fn geometry(&self) -> &Pairs {
        &self.pairs
    }

    #[inline(always)]
    fn update(
        &self,
        x: &mut Configuration,
        pair: Pair,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let certainties = [
            self.certainty(x[pair.a], x[pair.b], pair.from_a),
            self.certainty(x[pair.b], x[pair.a], pair.from_b),
        ];
        let moves = certainties
            .map(|certainty| certainty.is_some_and(|certain| certain || random.flip(self.epsilon)));
        update_pair(x, pair, moves, |a, b, from| {
            self.certainty(a, b, from) == Some(true)
        })
    }

    const SIGNALS_FIRST: bool = false;

    #[inline]
    fn class_of_moves(
        &self,
        x: &Configuration,
        Pair {
            a,
            b,
            from_a,
            from_b,
        }: Pair,
    ) -> Class {
        let leaving = [
            self.certainty(x[a], x[b], from_a),
            self.certainty(x[b], x[a], from_b),
        ];
        let threatened = leaving.iter().flatten().count();
        CLASSES[threatened][usize::from(leaving.contains(&Some(true)))]
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

impl LanesOnPairs for PairFewerRule {
    const COUNTS_SIGNALS: bool = true;

    #[inline(always)]
    fn certain<B: Bits>(&self, from: &Side<B>, to: &Side<B>) -> B {
        self.reading.certain(from, to)
    }
}

impl PairFewerRule {
    /// MOVE(a → b) for the states of two cells, the first of which is in the direction `from` of
    /// the second: `None` where no queen on a is threatened, else whether the move needs no coin.
    #[inline]
    fn certainty(&self, a: CellState, b: CellState, from: Direction) -> Option<bool> {
        a.threatened().then(|| self.reading.is_certain(a, b, from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Value;
    use crate::solver::board::Directions;
    use crate::solver::local::answers::every_answer;

    /// Probability that the queens on a cell in state a, in the west, move to the cell b beside it,
    /// in each reading at ε = 1/4.
    fn chances_of_move(a: (u8, u8), b: (u8, u8)) -> [f64; 3] {
        let board = Board::new(5);
        let (west, east) = (board.cell(1, 2), board.cell(2, 2));
        let queens = [(west, a.0), (east, b.0)]
            .into_iter()
            .flat_map(|(cell, queens)| (0..queens).map(move |_| cell));
        let mut x = Configuration::with_queens(board, queens);
        x.set_signals(west, Directions::from_bits(a.1));
        x.set_signals(east, Directions::from_bits(b.1));
        ["literal", "empty", "considerate"].map(|word| {
            let point = Point {
                variant: word.to_owned(),
                ..Point::new("pair-fewer", [("epsilon", Value::real(0.25))])
            };
            let rule = PairFewerRule::at(&point, board);
            let pair = Pair {
                a: west,
                b: east,
                from_a: Direction::W,
                from_b: Direction::E,
            };
            every_answer(|random| rule.update(&mut x.clone(), pair, random))
                .into_iter()
                .filter(|(_, moved)| moved.is_some_and(|queen| queen.from == west))
                .map(|(p, _)| p)
                .sum()
        })
    }

    const W: u8 = 1 << Direction::W as u8;
    const N: u8 = 1 << Direction::N as u8;
    const S: u8 = 1 << Direction::S as u8;

    /// In the order literal, empty, considerate.
    #[test]
    fn each_reading_counts_its_signals() {
        // Two against one from elsewhere: certain in all. Two against two: in none, unless one of
        // them comes from the mover's direction.
        assert_eq!(chances_of_move((1, N | S), (0, N)), [1.0, 1.0, 1.0]);
        assert_eq!(chances_of_move((1, N | S), (0, N | S)), [0.25, 0.25, 0.25]);
        assert_eq!(chances_of_move((1, N | S), (0, N | W)), [0.25, 0.25, 1.0]);
        // SAFEGO is certain in all, also where b carries no fewer signals than a.
        assert_eq!(chances_of_move((2, 0), (0, W)), [1.0, 1.0, 1.0]);
        assert_eq!(chances_of_move((2, 0), (0, N)), [0.25, 0.25, 0.25]);
        // Onto a queen only in the literal reading.
        assert_eq!(chances_of_move((1, N), (1, 0)), [1.0, 0.25, 0.25]);
        // A threatened queen there may swap with it: 1 − ε in place of 1, ε(1 − ε) in place of ε.
        assert_eq!(
            chances_of_move((1, N | S), (1, N)),
            [0.75, 3.0 / 16.0, 3.0 / 16.0]
        );
        // A queen that is not threatened stays.
        assert_eq!(chances_of_move((1, 0), (0, 0)), [0.0; 3]);
    }
}
