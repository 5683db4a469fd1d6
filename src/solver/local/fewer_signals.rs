//! "The cell carries fewer signals than the start": what the source text mentions in passing, in
//! three readings, and what the rules that move queens there for certain have in common.

use std::sync::LazyLock;

use super::configuration::CellState;
use super::lanes::side::Side;
use super::lanes::vector::Bits;
use super::rule::Concern;
use crate::solver::Point;
use crate::solver::board::{Direction, Directions};
use crate::solver::variants::{Choice, OneChoice};

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

/// The readings as the variants of a rule.
pub static VARIANTS: LazyLock<OneChoice> = LazyLock::new(|| {
    OneChoice::new(Choice {
        key: "reading",
        words: READINGS.iter().map(|&(word, _)| word).collect(),
        doc: "which signals of the destination count; in empty and considerate it holds no queen",
    })
});

impl Reading {
    /// The reading that is the variant of `point`.
    ///
    /// # Panics
    /// Where the point's variant is none of [`VARIANTS`].
    pub fn of(point: &Point) -> Self {
        let reading = READINGS.iter().find(|(word, _)| *word == point.variant);
        reading.expect("a plan is made of checked variants").1
    }

    /// Whether a move between two cells in these states, the first of which is in the direction
    /// `from` of the second, needs no coin: SAFEGO, or fewer signals.
    #[inline]
    pub fn is_certain(self, a: CellState, b: CellState, from: Direction) -> bool {
        b.safe_go(from) || self.is_fewer(a, b, from)
    }

    /// [`Reading::is_certain`] by masks.
    #[inline(always)]
    pub fn certain<B: Bits>(self, from: &Side<B>, to: &Side<B>) -> B {
        let (a, b) = (&from.signals, &to.signals);
        // A number less one, if that is counted, is below another if it is no more than that.
        let uncounted = match self {
            Self::Considerate => b.from_other,
            Self::Literal | Self::Empty => B::none(),
        };
        let bits = (0..4).map(|bit| (!b.number[bit], a.number[bit]));
        let is_fewer = bits.fold(uncounted, |lower, (b, a)| B::two_of(b, a, lower));
        let is_allowed = match self {
            Self::Literal => is_fewer,
            Self::Empty | Self::Considerate => is_fewer & !b.occupied,
        };
        to.safe | is_allowed
    }

    #[inline]
    fn is_fewer(self, a: CellState, b: CellState, from: Direction) -> bool {
        let signals = match self {
            Self::Literal => b.signals,
            Self::Empty if b.queens == 0 => b.signals,
            Self::Considerate if b.queens == 0 => b.signals.without(from),
            Self::Empty | Self::Considerate => return false,
        };
        signals.len() < a.signals.len()
    }
}

/// What a change of a cell's state concerns. The class of a site reads whether queens on the cell
/// are threatened, and if so its number of signals; for queens beside it whether it is empty, its
/// number of signals and, where it is empty, whether the one from the queen's direction is among
/// them. Right for every reading.
#[inline]
pub fn concern(before: CellState, after: CellState) -> Concern {
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
    Concern::new(own(before) != own(after), beside)
}
