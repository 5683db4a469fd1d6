//! The course of a trial: what happened on the way, apart from how it ended. Decided here: the
//! observables of `series.parquet`: their names, their order and what each counts (true signals,
//! threatened queens, free cells, safe moves, conflicts), and the counts of stretches and chances.
//! They are filled in `local/record.rs` and `local/tally.rs`.
//!
//! A trial is observed at the moments that its control asks for, and at none by default. Neither
//! the streams nor the outcome's facts depend on it.

use super::board::Direction;

/// What a trial wrote down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Course {
    /// The state at each moment that was asked for, up to the cutoff. After an absorption the state
    /// stands still, and the observations go on at all later moments, those after the cutoff
    /// included. (A plan asks for none after it.)
    pub series: Vec<Observation>,
}

/// Observables of the state after a number of updates (docs/rules.md). "True" means:
/// with true signals in the place of the stored ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Observation {
    /// Number of updates so far.
    pub update: u64,
    /// Pairs of a cell and a direction in which it has a neighbour: (4n − 2)(n − 1) · 2 of them.
    pub signals: u32,
    /// Signals whose stored value is true, rightly absent ones included.
    pub true_signals: u32,
    /// Queens on cells that are not SAFESTAY.
    pub threatened: u32,
    /// Queens on cells that truly are not SAFESTAY.
    pub attacked: u32,
    /// Empty cells without a stored signal.
    pub safe_cells: u32,
    /// Empty cells without a true signal.
    pub truly_safe_cells: u32,
    /// Ordered pairs of adjacent cells a, b with a threatened queen on a and SAFEGO(b, δ(a, b)).
    pub safe_moves: u32,
    /// Σ k(k − 1)/2 over all rows, columns and diagonals with k queens.
    pub conflicts: u32,
    /// Queen moves so far.
    pub moves: u64,
    /// What was counted so far; `None` in a file of a program that did not count it.
    pub tally: Option<Tally>,
}

/// What is counted of the updates 1 … t of a trial, up to its absorption (docs/rules.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Updates before which there was no safe move.
    pub blocked_updates: u64,
    /// Unbroken stretches of them.
    pub blocked_stretches: u64,
    /// Moves before which there was a safe move.
    pub choices: u64,
    /// Those of them that were dangerous.
    pub dangerous_choices: u64,
    /// Moves before which every signal was true.
    pub informed_moves: u64,
    /// Moves before which one move of one queen would have made a solution.
    pub chances: u64,
    /// Those of them that made none.
    pub missed_chances: u64,
}

/// A column of observations: an integer, or a share of one, and how it stands in an
/// [`Observation`]. Rows are stored and read by the list of them, [`OBSERVED`].
pub struct ObservedColumn {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub field: ObservedField,
}

/// How the values of an observed column stand in an [`Observation`].
pub enum ObservedField {
    /// An integer that every observation has.
    Count(GetCount, PutCount),
    /// An integer that an earlier program did not count: its files lack the column.
    Tallied(GetCount, PutCount),
    /// A share of an integer that is put before it.
    Share(GetShare, PutShare),
}

/// Reads an integer; `None` where it was not counted.
pub type GetCount = fn(&Observation) -> Option<u64>;
/// Puts an integer, or returns false where the field cannot hold it.
pub type PutCount = fn(&mut Observation, u64) -> bool;
/// Reads a share.
pub type GetShare = fn(&Observation) -> f64;
/// Puts a share, or returns false where it is none of its integer.
pub type PutShare = fn(&mut Observation, f64) -> bool;

/// A field of an observation as a column of its name.
macro_rules! count {
    ($name:ident) => {
        ObservedColumn {
            name: stringify!($name),
            field: ObservedField::Count(
                |observation| Some(u64::from(observation.$name)),
                |observation, value| {
                    let held = value.try_into().map(|held| observation.$name = held);
                    held.is_ok()
                },
            ),
        }
    };
}

/// A field of a tally as a column of its name.
macro_rules! tallied {
    ($name:ident) => {
        ObservedColumn {
            name: stringify!($name),
            field: ObservedField::Tallied(
                |observation| observation.tally.map(|tally| tally.$name),
                |observation, value| {
                    observation.tally.get_or_insert_default().$name = value;
                    true
                },
            ),
        }
    };
}

/// The columns of observations, in the order of `series.parquet`.
pub static OBSERVED: [ObservedColumn; 17] = [
    count!(update),
    ObservedColumn {
        name: "true_signals",
        field: ObservedField::Share(share_of_true_signals, put_share_of_true_signals),
    },
    count!(threatened),
    count!(attacked),
    count!(safe_cells),
    count!(truly_safe_cells),
    count!(safe_moves),
    count!(conflicts),
    count!(moves),
    count!(signals),
    tallied!(blocked_updates),
    tallied!(blocked_stretches),
    tallied!(choices),
    tallied!(dangerous_choices),
    tallied!(informed_moves),
    tallied!(chances),
    tallied!(missed_chances),
];

/// The share of the signals that are true; 1 where there are none.
fn share_of_true_signals(observation: &Observation) -> f64 {
    match observation.signals {
        0 => 1.0,
        signals => f64::from(observation.true_signals) / f64::from(signals),
    }
}

/// The share is of an integer below 2³², which it gives back.
fn put_share_of_true_signals(observation: &mut Observation, share: f64) -> bool {
    let n_true = (share * f64::from(observation.signals)).round();
    observation.true_signals = n_true as u32;
    share_of_true_signals(observation) == share
}

/// A move of a queen (docs/rules.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueenMove {
    /// The update in which it took place, counted from 1: the state after so many updates has it.
    pub update: u64,
    /// Cell that it left: row · n + column.
    pub from: u32,
    /// Cell that it reached: row · n + column.
    pub to: u32,
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// The queen's cell was SAFESTAY with true signals.
    pub needless: bool,
    /// SAFEGO of the destination differs between the stored and the true signals.
    pub deceived: bool,
    /// Queens on cells that are not SAFESTAY after the whole update.
    pub threatened: u32,
}

/// What one update changed. It is its own inverse but for the direction of the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The update, counted from 1.
    pub update: u64,
    /// The queen's move, if one took place.
    pub moved: Option<QueenMove>,
    /// The signals that were set or removed, each once, by cell and then by direction.
    pub toggled: Vec<Signal>,
}

/// The signal of a cell from a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal {
    /// Row · n + column.
    pub cell: u32,
    /// The direction from which the signal comes.
    pub direction: Direction,
}
