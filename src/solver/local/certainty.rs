//! The moves of threatened queens that need no coin of ε: a table made once for a point from its
//! [`Condition`]. Which moves a condition allows for certain is decided by the condition
//! (`condition.rs`); here is how a rule looks it up for a cell's state.

use std::sync::LazyLock;

use super::condition::{Condition, Facts};
use super::configuration::{CellState, Neighbourhood};
use crate::board::{Direction, Directions, N_MAX};

/// A condition, tabulated.
#[derive(Debug, Clone)]
pub struct Certainty {
    /// The rows by the number of queens of the destination, where the last entry stands for all
    /// greater numbers, and by its signals.
    rows: Box<[[Row; 256]]>,
    /// The column of a row for each set of signals of the queen's cell. Sets with one column are
    /// alike under the condition.
    columns: [u8; 256],
    /// The number of columns that are in use; one under SAFEGO.
    n_columns: usize,
    /// The column, plus 1, of the queens on a cell where they are threatened, else 0: by their
    /// number, 2 for more, and by the signals of the cell.
    leaving: [[u8; 256]; 3],
}

/// The directions, by the column of the queen's cell, from which a queen may come for certain.
type Row = [Directions; COUNTS];

/// The numbers of signals that a cell may have: 0 to 8. Each has a column of its own at most.
const COUNTS: usize = 9;

/// What a condition says of a destination with so many queens, by the number of its signals, and by
/// whether one of them comes from the queen's direction.
type Verdicts = [[bool; 2]; COUNTS];

impl Certainty {
    /// Tabulates a condition.
    pub fn of(condition: &Condition) -> Self {
        let verdicts: Vec<[Verdicts; COUNTS]> = (0..=N_MAX as u8)
            .map(|queens| std::array::from_fn(|count| verdicts(condition, count as u8, queens)))
            .collect();
        // Numbers of queens from which on nothing changes have one entry.
        let is_last = |&queens: &usize| {
            let mut from_here = verdicts[queens..].iter();
            from_here.all(|verdicts_of_queens| *verdicts_of_queens == verdicts[queens])
        };
        let last = (0..=N_MAX).find(is_last).unwrap_or(N_MAX);
        let (counts, column_of_count) = columns_of_counts(&verdicts[..=last]);
        let row = |queens: usize, signals: usize| {
            let mut row = [Directions::NONE; COUNTS];
            for (directions, &count) in row.iter_mut().zip(&counts) {
                *directions = certain_directions(&verdicts[queens][count], signals as u8);
            }
            row
        };
        let of_queens = |queens| std::array::from_fn(|signals| row(queens, signals));
        let columns: [u8; 256] =
            std::array::from_fn(|signals| column_of_count[signals.count_ones() as usize]);
        let leaving = |queens: usize, signals: usize| {
            let state = CellState {
                queens: queens as u8,
                signals: Directions::from_bits(signals as u8),
            };
            u8::from(state.threatened()) * (columns[signals] + 1)
        };
        Self {
            rows: (0..=last).map(of_queens).collect(),
            columns,
            n_columns: counts.len(),
            leaving: std::array::from_fn(|queens| {
                std::array::from_fn(|signals| leaving(queens, signals))
            }),
        }
    }

    /// The certainty of a point's variant.
    ///
    /// # Panics
    /// When the variant is no condition.
    pub fn of_variant(variant: &str) -> Self {
        static SAFE: LazyLock<Certainty> = LazyLock::new(|| Certainty::of(&Condition::SAFE));
        let variant = super::condition_of(variant);
        if variant.is_empty() {
            return SAFE.clone();
        }
        let condition = Condition::parse(variant);
        Self::of(&condition.expect("a plan is made of checked variants"))
    }

    /// True if the move of a threatened queen on a cell in state `a` to an adjacent cell in state
    /// `b` is certain; seen from `b` she comes from the direction `from`, δ(a, b).
    #[inline(always)]
    pub fn is_certain(&self, a: CellState, b: CellState, from: Direction) -> bool {
        let column = self.columns[usize::from(a.signals.bits())];
        self.row(b)[usize::from(column)].contains(from)
    }

    #[inline(always)]
    fn row(&self, b: CellState) -> &Row {
        let queens = usize::from(b.queens).min(self.rows.len() - 1);
        &self.rows[queens][usize::from(b.signals.bits())]
    }

    /// The moves whose class ([`Class`](super::sites::Class)) may be another after a cell's state
    /// has changed from `before` to `after`. Those of queens on the cell are at the sites of the
    /// cell's own dependencies; those of a queen beside it, by the direction in which she is, at
    /// the site at which her cell depends on this one.
    #[inline]
    pub fn concern(&self, before: CellState, after: CellState) -> Neighbourhood {
        let own = |state: CellState| {
            let queens = usize::from(state.queens.min(2));
            self.leaving[queens][usize::from(state.signals.bits())]
        };
        let before_row = self.row(before);
        let after_row = self.row(after);
        let mut beside = Directions::NONE;
        for column in 0..self.n_columns {
            beside = beside.union(before_row[column].difference(after_row[column]));
        }
        Neighbourhood::new(own(before) != own(after), beside)
    }
}

/// The numbers of signals of the queen's cell that differ in their verdicts, each with a column,
/// and the column of every number.
fn columns_of_counts(verdicts: &[[Verdicts; COUNTS]]) -> (Vec<usize>, [u8; COUNTS]) {
    let mut different: Vec<usize> = Vec::new();
    let column_of_count = std::array::from_fn(|count| {
        let is_same = |&other: &usize| {
            verdicts
                .iter()
                .all(|of_queens| of_queens[other] == of_queens[count])
        };
        let known = different.iter().position(is_same);
        let column = known.unwrap_or_else(|| {
            different.push(count);
            different.len() - 1
        });
        column as u8
    });
    (different, column_of_count)
}

fn verdicts(condition: &Condition, a_signals: u8, b_queens: u8) -> Verdicts {
    std::array::from_fn(|b_signals| {
        [false, true].map(|b_own| {
            condition.holds(Facts {
                a_signals,
                b_signals: b_signals as u8,
                b_queens,
                b_own,
            })
        })
    })
}

/// The directions from which a queen may come for certain to a cell with these signals.
fn certain_directions(verdicts: &Verdicts, signals: u8) -> Directions {
    let signals = Directions::from_bits(signals);
    let of_count = verdicts[signals.len() as usize];
    let mut directions = Directions::NONE;
    for direction in Direction::ALL {
        let is_certain = of_count[usize::from(signals.contains(direction))];
        directions = directions.with(direction, is_certain);
    }
    directions
}
