//! Measures: what is known of a point, of a point at a moment, or of a search. A table of them has
//! one function that makes its rows; a figure says which measures stand where.

use super::chart::Scope;
use super::figure::Figure;
use super::figures::columns;
use super::frame::Frame;
use crate::analysis::formula::Statistic;

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

/// A measure as a figure shows it: a column of a frame.
#[derive(Debug, Clone)]
pub struct ShownMeasure {
    /// A column of numbers with intervals.
    pub y: String,
    /// The word in column `quantity` of the rows drawn; empty: all rows.
    pub only: String,
    /// The words of it, without the unit.
    pub name: String,
    /// The name in a legend, or of a panel; may be empty.
    pub label: String,
    /// The title of an axis, with the unit.
    pub title: String,
    /// True for shares.
    pub is_share: bool,
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

/// Rows of points, searches or moments, and the measures that are their columns.
pub struct MeasureTable {
    /// The name in a spec's `table = "…"`.
    pub name: &'static str,
    pub of: RowsOf,
    /// None in the table of any column of trials, whose measures are formulas.
    pub measures: &'static [Measure],
    /// Columns that may stand across instead of an axis of the points, with their titles.
    pub across: &'static [(&'static str, &'static str)],
    /// The keys of a figure that are without effect on one of this table.
    pub ignores: &'static [&'static str],
    /// The rows of what the figure shows, with the measures as their columns.
    pub rows: fn(&Scope) -> Result<Frame, String>,
    /// True if the table shows rules that count steps of n² updates each. Points of such rules are
    /// left out of all other figures, where their steps would be read as updates.
    pub takes_steps: bool,
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

impl MeasureTable {
    /// Keys that need standard errors, which the numbers of some tables have not.
    pub const OF_ERRORS: &'static [&'static str] = &["fit", "fit_from", "over"];

    /// What most tables have.
    pub const PLAIN: Self = Self {
        name: "",
        of: RowsOf::Trials,
        measures: &[],
        across: &[],
        ignores: &[],
        rows: |_| Ok(Frame::default()),
        takes_steps: false,
    };

    /// The measure of this name as a figure shows it.
    pub(super) fn shown(&self, choices: &Figure, name: &str) -> ShownMeasure {
        let Some(measure) = self.measures.iter().find(|it| it.name == name) else {
            return columns::shown(choices, name);
        };
        let title = match choices.column {
            Some(_) => &*measure.title.replace("absorbed", "ended"),
            None => measure.title,
        };
        let words = match measure.label {
            "" => title.split(" (").next().unwrap_or_default(),
            label => label,
        };
        ShownMeasure {
            y: name.to_owned(),
            only: String::new(),
            name: words.to_owned(),
            label: measure.label.to_owned(),
            title: title.to_owned(),
            is_share: measure.is_share || choices.statistic == Statistic::Share,
        }
    }
}
