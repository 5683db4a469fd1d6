//! Sites that are pairs of adjacent cells, and the rules on them: "Algorithm 1" of the source text.
//! One update changes two adjacent cells by each other. Here `pair` is decided: both moves by the
//! state before, the coins of ε, that none moves where both would (a swap), and the signals, which
//! follow the move.

use super::{Class, LocalRule};
use crate::Point;
use crate::board::{Board, Cell, Direction, Pair};
use crate::local::certainty::Certainty;
use crate::local::configuration::{CellState, Cells, Move};
use crate::local::{EPSILON, chance};
use crate::rng::{Chance, RandomSource};

/// A rule on the pairs of one board at one ε. The cells of a pair depend on each other.
#[derive(Debug, Clone)]
pub struct OnPairs {
    /// The (4n − 2)(n − 1) unordered pairs of adjacent cells.
    pairs: Box<[Pair]>,
    /// The moves that need no coin.
    pub(in crate::local) certainty: Certainty,
    epsilon: Chance,
}

/// The cells that updates of all pairs read: two each.
pub fn reads(board: Board) -> u64 {
    2 * board.n_pairs() as u64
}

/// The class by the number of threatened queens, and by whether one of them has a certain move.
const CLASSES: [[Class; 2]; 3] = [
    [Class::Idle; 2],
    [Class::Dangerous, Class::Open],
    [Class::Contested, Class::Open],
];

impl LocalRule for OnPairs {
    type Site = Pair;
    type SignalCells = [Cell; 2];

    const DEPENDENCIES: usize = 2;
    const SIGNALS_FIRST: bool = false;

    fn at(point: &Point, board: Board) -> Self {
        let numbers = 0..board.n_pairs();
        Self {
            pairs: numbers.map(|number| board.pair(number)).collect(),
            certainty: Certainty::of_variant(&point.variant),
            epsilon: chance(point, &EPSILON),
        }
    }

    fn sites_on(board: Board) -> u64 {
        board.n_pairs() as u64
    }

    #[inline]
    fn sites(&self) -> &[Pair] {
        &self.pairs
    }

    #[inline]
    fn signal_cells(&self, pair: Pair) -> Self::SignalCells {
        [pair.a, pair.b]
    }

    #[inline]
    fn dependencies(&self, pair: Pair) -> impl IntoIterator<Item = (Cell, Direction)> {
        [(pair.b, pair.from_a), (pair.a, pair.from_b)]
    }

    /// F = F_sign ∘ F_move: MOVE(a → b) and MOVE(b → a) are both found on the configuration before;
    /// exactly one of them moves a queen, two would swap the queens and change nothing; signals
    /// come after the move.
    ///
    /// The source's third case of MOVE, a coin of ε, covers `n_a = 0` as printed; that is a slip:
    /// without a queen nothing moves.
    #[inline(always)]
    fn update(
        &self,
        x: &mut impl Cells,
        pair: Pair,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let Pair {
            a,
            b,
            from_a,
            from_b,
        } = pair;
        let of_a = x.state(a);
        let of_b = x.state(b);
        let is_certain = |from, to, side| self.certainty.is_certain(from, to, side);
        let mut leaves = |from: CellState, to, side| {
            from.threatened() && (is_certain(from, to, side) || random.flip(self.epsilon))
        };
        let moved = match [leaves(of_a, of_b, from_a), leaves(of_b, of_a, from_b)] {
            [true, false] => Some((a, b, from_a)),
            [false, true] => Some((b, a, from_b)),
            _ => None,
        };
        let moved = moved.map(|(from, to, side)| Move {
            from,
            to,
            side,
            is_safe: x.state(to).safe_go(side),
            is_certain: is_certain(x.state(from), x.state(to), side),
        });
        if let Some(Move { from, to, .. }) = moved {
            x.move_queen(from, to);
        }
        let of_a = x.state(a);
        let of_b = x.state(b);
        let signals_of_a = of_a.signals.taking(from_b, of_b.shows());
        let signals_of_b = of_b.signals.taking(from_a, of_a.shows());
        x.set_signals(a, signals_of_a);
        x.set_signals(b, signals_of_b);
        moved
    }

    #[inline]
    fn class_of_moves(&self, x: &impl Cells, pair: Pair) -> Class {
        let a = x.state(pair.a);
        let b = x.state(pair.b);
        let a_leaves = a.threatened();
        let b_leaves = b.threatened();
        let certainly = a_leaves & self.certainty.is_certain(a, b, pair.from_a)
            | b_leaves & self.certainty.is_certain(b, a, pair.from_b);
        CLASSES[usize::from(a_leaves) + usize::from(b_leaves)][usize::from(certainly)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Directions;
    use crate::local::configuration::Configuration;
    use crate::local::tests::samples::every_answer;
    use crate::local::tests::samples::{
        chance_of_change, class, rule_at, sites, stream, swapped, unreached,
    };

    /// ε is high enough that a coin decided by it is seen.
    fn rule(board: Board) -> OnPairs {
        rule_at("", board.n(), 0.25, 0.0)
    }

    /// Cells 1 (west) and 2 (east) of the source's pictures, in the middle of a board with nothing
    /// else near.
    fn picture(queen_on_1: bool) -> (Configuration, Pair) {
        let board = Board::new(5);
        let (one, two) = (board.cell(1, 2), board.cell(2, 2));
        let queens = queen_on_1.then_some(one);
        (
            Configuration::with_queens(board, queens),
            Pair {
                a: one,
                b: two,
                from_a: Direction::W,
                from_b: Direction::E,
            },
        )
    }

    /// The one configuration that an update leads to, under any random answers.
    fn updated(x: &Configuration, pair: Pair) -> (Configuration, Option<Move>) {
        let mut results = every_answer(|random| {
            let mut x = x.clone();
            let moved = rule(x.board()).update(&mut x, pair, random);
            (x, moved)
        });
        assert_eq!(results.len(), 1, "no coin is flipped");
        results.remove(0).1
    }

    /// Figure 2: the queen on 1, threatened from the north, moves to 2, which is safe; there is now
    /// a queen on 2, so an east signal appears on 1.
    #[test]
    fn figure_2_a_threatened_queen_moves_to_a_safe_cell() {
        let (mut x, pair) = picture(true);
        x.set_signals(pair.a, Directions::only(Direction::N));
        for pair in [pair, swapped(pair)] {
            let (after, moved) = updated(&x, pair);
            let (one, two) = (Board::new(5).cell(1, 2), Board::new(5).cell(2, 2));
            assert_eq!(
                moved,
                Some(Move {
                    from: one,
                    to: two,
                    side: Direction::W,
                    is_safe: true,
                    is_certain: true,
                })
            );
            assert_eq!((after[one].queens, after[two].queens), (0, 1));
            assert_eq!(
                after[one].signals,
                Directions::only(Direction::N).with(Direction::E, true)
            );
            assert_eq!(after[two].signals, Directions::NONE);
        }
    }

    /// Figure 3: the signal on 1 from the west is passed on to 2.
    #[test]
    fn figure_3_a_signal_is_passed_on() {
        let (mut x, pair) = picture(false);
        x.set_signals(pair.a, Directions::only(Direction::W));
        for pair in [pair, swapped(pair)] {
            let (after, moved) = updated(&x, pair);
            x.set_signals(Board::new(5).cell(2, 2), Directions::only(Direction::W));
            assert_eq!((after, moved), (x.clone(), None));
            x.set_signals(Board::new(5).cell(2, 2), Directions::NONE);
        }
    }

    /// Figure 4: the signal on 1 from the east disappears, as nothing on 2 speaks for it; other
    /// signals stay.
    #[test]
    fn figure_4_a_signal_disappears() {
        let (mut x, pair) = picture(false);
        let others = Directions::only(Direction::N).with(Direction::W, true);
        x.set_signals(pair.a, others.with(Direction::E, true));
        x.set_signals(pair.b, others);
        for pair in [pair, swapped(pair)] {
            let (after, moved) = updated(&x, pair);
            let mut expected = x.clone();
            expected.set_signals(Board::new(5).cell(1, 2), others);
            assert_eq!((after, moved), (expected, None));
        }
    }

    /// [`Class::Open`] leaves nothing to the update.
    #[test]
    fn an_open_pair_changes_for_certain() {
        let mut stream = stream("tests/open-pair", 1);
        for epsilon in [0.0, 0.003, 0.3, 0.9, 1.0] {
            let rule: OnPairs = rule_at("", 4, epsilon, 0.0);
            for _ in 0..200 {
                let x = unreached(Board::new(4), &mut stream);
                let mut open = sites(&rule).filter(|&site| class(&rule, &x, site) == Class::Open);
                assert!(open.all(|site| chance_of_change(&rule, &x, site) >= 1.0 - 1e-12));
            }
        }
    }
}
