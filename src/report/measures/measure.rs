//! Measures: what is known of a point, of a point at a moment, or of a search. Here are its name,
//! words and title, and what the caption says that bars and bands are (95 % intervals; of
//! wall-clock times the range or quartiles).

use crate::analysis::formula::{DividedBy, Formula, Statistic, Summary};
use crate::analysis::quantity::Quantity;

/// A measure that a figure can show.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// The name in a spec's `y`.
    pub name: &'static str,
    /// Name in a legend, or of a panel; empty where the title says it.
    pub label: &'static str,
    /// Title of an axis, with the unit.
    pub title: &'static str,
    /// True for shares.
    pub is_share: bool,
}

/// A measure as a figure shows it: a column of a table.
#[derive(Debug, Clone)]
pub struct ShownMeasure {
    /// The column of numbers with intervals, which has the name of the measure.
    pub column: String,
    /// The table that has the column.
    pub table: &'static str,
    /// What it says of the columns of trials; `None` of a measure of another table.
    pub summary: Option<Summary>,
    /// The words of it, without the unit.
    pub name: String,
    /// The name in a legend, or of a panel; may be empty.
    pub label: String,
    /// The title of an axis, with the unit.
    pub title: String,
    /// True for shares.
    pub is_share: bool,
}

impl ShownMeasure {
    /// The statistic of a column of trials.
    pub fn statistic(&self) -> Option<Statistic> {
        self.summary.as_ref().map(|summary| summary.statistic)
    }

    /// True for shares of trials.
    pub fn is_share_of_trials(&self) -> bool {
        self.statistic() == Some(Statistic::Share)
    }

    /// The time or the moves whose mean or quantile it is.
    pub fn quantity(&self) -> Option<Quantity> {
        let Summary { statistic, formula } = self.summary.as_ref()?;
        let is_plain = matches!(formula.by, DividedBy::One) && *statistic != Statistic::Share;
        Quantity::from_name(&formula.column).filter(|_| is_plain)
    }

    /// The same of the trials until the hit.
    pub fn at_hit(&self) -> Option<Summary> {
        let column = self.quantity()?.at_hit().name();
        let summary = self.summary.as_ref()?;
        Some(Summary {
            statistic: summary.statistic,
            formula: Formula::of(column),
        })
    }
}

/// The rows that a table is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsOf {
    /// Trials of the local rules and the like.
    Trials,
    /// Exhaustive searches, with their wall-clock times.
    Searches,
    /// The series that trials wrote down.
    Series,
}

impl RowsOf {
    /// What bars and bands are where a figure has numbers of searches and of other rows.
    pub const INTERVALS_OF_BOTH: &'static str = "95 % intervals; of wall-clock times from the least to the greatest of the repeats, of random searches quartiles over the trials";

    /// What the bars and bands of their numbers are.
    pub fn intervals(self) -> &'static str {
        match self {
            Self::Trials | Self::Series => "95 % intervals",
            Self::Searches => {
                "from the least to the greatest of the repeats; of random searches quartiles over the trials"
            }
        }
    }
}

impl Measure {
    pub const fn new(name: &'static str, title: &'static str) -> Self {
        Self::labelled(name, "", title)
    }

    pub const fn labelled(name: &'static str, label: &'static str, title: &'static str) -> Self {
        Self {
            name,
            label,
            title,
            is_share: false,
        }
    }

    /// A share, which is 1 at most.
    pub const fn share(name: &'static str, label: &'static str, title: &'static str) -> Self {
        Self {
            is_share: true,
            ..Self::labelled(name, label, title)
        }
    }
}
