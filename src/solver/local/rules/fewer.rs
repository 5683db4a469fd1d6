//! "The cell carries fewer signals than the start": what the source text mentions in passing, in
//! three readings. A threatened queen goes there for certain, as to a safe cell.

use crate::board::{Direction, Directions};
use crate::local::configuration::{CellState, Neighbourhood};
use crate::local::sites::Certainty;
use crate::variants::{Choice, Variants};

/// Certain moves to safe cells, and to those with fewer signals in one reading.
#[derive(Debug, Clone, Copy)]
pub struct Fewer(pub Reading);

/// What "the cell carries fewer signals than the start" means. All signals of the start count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// All signals of the destination count, and there may be queens on it.
    Literal,
    /// The destination is empty, and all of its signals count.
    Empty,
    /// The destination is empty, and the signal that may be the mover's own does not count.
    Considerate,
}

/// The readings by their words, the default first.
const READINGS: [(&str, Reading); 3] = [
    ("literal", Reading::Literal),
    ("empty", Reading::Empty),
    ("considerate", Reading::Considerate),
];

static VARIANTS: Variants = Variants::random(&[Choice {
    key: "reading",
    words: &[READINGS[0].0, READINGS[1].0, READINGS[2].0],
    letters: "",
    doc: "which signals of the destination count; in empty and considerate it holds no queen",
}]);

impl Certainty for Fewer {
    fn variants() -> Option<&'static Variants> {
        Some(&VARIANTS)
    }

    fn of(variant: &str) -> Self {
        let reading = READINGS.iter().find(|(word, _)| *word == variant);
        Self(reading.expect("a plan is made of checked variants").1)
    }

    #[inline]
    fn is_certain(&self, a: CellState, b: CellState, from: Direction) -> bool {
        let counted = match self.0 {
            Reading::Considerate => b.signals.without(from),
            Reading::Literal | Reading::Empty => b.signals,
        };
        let is_allowed = b.queens == 0 || self.0 == Reading::Literal;
        b.safe_go(from) || is_allowed && counted.len() < a.signals.len()
    }

    /// The class of a site reads whether queens on the cell are threatened, and if so its number of
    /// signals; for queens beside it whether it is empty, its number of signals and, where it is
    /// empty, whether the one from the queen's direction is among them.
    #[inline]
    fn concern(before: CellState, after: CellState) -> Neighbourhood {
        let own = |state: CellState| state.threatened().then_some(state.signals.len());
        let is_empty = |state: CellState| state.queens == 0;
        let beside =
            if is_empty(before) != is_empty(after) || before.signals.len() != after.signals.len() {
                Directions::ALL
            } else if is_empty(after) {
                before.signals.difference(after.signals)
            } else {
                Directions::NONE
            };
        Neighbourhood::new(own(before) != own(after), beside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Direction, Pair};
    use crate::local::configuration::Configuration;
    use crate::local::rules::OnPairs;
    use crate::local::samples::every_answer;
    use crate::local::sites::LocalRule as _;
    use crate::{Point, Value};

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
            let rule = OnPairs::<Fewer>::at(&point, board);
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

    /// The chances here are in the order literal, empty, considerate.
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
