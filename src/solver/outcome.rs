//! What one trial gave: how it ended (the words absorbed, censored, exhausted and solved of the
//! column `outcome`), the values of an algorithm's own columns, and the facts that its row keeps.
//! `columns` has the names, units and meanings of the columns of `trials.parquet`, `counters` what
//! is counted on the way.
//!
//! # Adding a column
//! One entry in the list of facts in `columns`, and the place that fills it: an algorithm's trial,
//! and the algorithm's list of its columns. Writing, reading, comparing, `reines list` and `reines
//! solve` follow from the list; a test prints the line that the table in docs/data.md then lacks.
//!
//! An algorithm of another package, and a program, have columns of their own beside these facts:
//! [`Column::own`], whose values are in [`Outcome::own`].

mod columns;
mod counters;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use self::columns::{ABSORPTION_TIME, COLUMNS, Column, Field, HITTING_TIME, Outcome, UPDATES};
pub use self::counters::{Counters, Counts, Kinds};

impl Outcome {
    /// A trial that is absorbed after so many updates, or censored at its cutoff where there is no
    /// time; the updates follow from it.
    pub fn absorbed_at(time: Option<u64>, cutoff: u64) -> Self {
        let ending = match time {
            Some(_) => Ending::Absorbed,
            None => Ending::Censored,
        };
        Self {
            absorption_time: time,
            updates: Some(time.unwrap_or(cutoff)),
            ..Self::ended(ending)
        }
    }
}

/// What the values of an algorithm's own column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A real number, f64 in tables: finite, of any sign.
    Real,
    /// A whole number from 0 to 2⁶³ − 1. Of a trial that was cut off it is what it had come to.
    Count,
    /// A text.
    Text,
}

impl Kind {
    /// The word in a spec and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Count => "count",
            Self::Text => "text",
        }
    }
}

/// A value of an algorithm's own column.
#[derive(Debug, Clone)]
pub enum OwnValue {
    /// Of [`Kind::Real`].
    Real(f64),
    /// Of [`Kind::Count`].
    Count(u64),
    /// Of [`Kind::Text`].
    Text(Box<str>),
}

impl OwnValue {
    /// The kind of column that holds it.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Real(_) => Kind::Real,
            Self::Count(_) => Kind::Count,
            Self::Text(_) => Kind::Text,
        }
    }

    /// The value as a number; `None` of a text.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Real(real) => Some(*real),
            Self::Count(count) => Some(*count as f64),
            Self::Text(_) => None,
        }
    }
}

/// Real numbers are equal where their bits are, so that two rows are equal where their bytes are.
impl PartialEq for OwnValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => a.to_bits() == b.to_bits(),
            (Self::Count(a), Self::Count(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for OwnValue {}

impl fmt::Display for OwnValue {
    /// The shortest decimal that is read as the same number, or the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Count(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

/// The values of an algorithm's own columns, by name; a column without one has none here. Without
/// columns nothing is allocated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnValues(Vec<(Cow<'static, str>, OwnValue)>);

impl OwnValues {
    /// The value in the column of this name.
    pub fn get(&self, name: &str) -> Option<&OwnValue> {
        let found = self.0.iter().find(|(column, _)| column == name);
        found.map(|(_, value)| value)
    }

    /// Sets the value in the column of this name.
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: OwnValue) {
        let name = name.into();
        match self.0.binary_search_by(|(column, _)| column.cmp(&name)) {
            Ok(position) => self.0[position].1 = value,
            Err(position) => self.0.insert(position, (name, value)),
        }
    }

    /// The values, sorted by the names of their columns.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OwnValue)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Reached an absorbed configuration within the cutoff.
    Absorbed,
    /// Still running at its cutoff.
    Censored,
    /// Searched to the end: what was found is all there is.
    Exhausted,
    /// Found the one board that was wanted.
    Solved,
}

impl Ending {
    /// Word in the `outcome` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absorbed => "absorbed",
            Self::Censored => "censored",
            Self::Exhausted => "exhausted",
            Self::Solved => "solved",
        }
    }

    /// True if the trial was stopped before its end: what it counted is a lower bound.
    pub fn is_cut_off(self) -> bool {
        self == Self::Censored
    }

    /// The ending of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Absorbed,
            Self::Censored,
            Self::Exhausted,
            Self::Solved,
        ]
        .into_iter()
        .find(|ending| ending.name() == name)
    }
}

/// A board as the results have it: the searches give the column of the queen in each row.
pub fn rows_of_columns(board: &[usize]) -> Box<[u32]> {
    let mut rows = vec![0; board.len()];
    for (row, &column) in board.iter().enumerate() {
        rows[column] = u32::try_from(row).expect("boards are far smaller than 2³²");
    }
    rows.into()
}
