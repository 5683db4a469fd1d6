//! Measures: what is known of a point, of a point at a moment, or of a search. A table of them has
//! one function that makes its rows; a figure says which measures stand where.

use super::chart::{Chart, Panel, Scene, Scope, Sides};
use super::frame::Frame;
use super::legend::LegendEntry;
use super::sheet::Part;
use crate::analysis::summary::Quantity;
use crate::experiment::spec::Choices;
use crate::solver::Point;

/// A column of a table that a figure can show.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Name of the column, and in a spec's `y`.
    pub name: &'static str,
    /// Name in a legend, or of a panel; empty where the title says it.
    pub label: &'static str,
    /// Title of an axis, with the unit.
    pub title: &'static str,
}

/// The rows that a table is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Trials of the local rules and the like.
    Trials,
    /// Exhaustive searches, with their wall-clock times.
    Searches,
    /// The series that trials wrote down.
    Series,
    /// The moves that trials wrote down.
    Moves,
}

/// Rows of points, searches or moments, and the measures that are their columns.
pub struct MeasureTable {
    /// The name in a spec's `table = "…"`.
    pub name: &'static str,
    pub of: Of,
    pub measures: &'static [Measure],
    /// Columns that may stand across instead of an axis of the points, with their titles.
    pub across: &'static [(&'static str, &'static str)],
    /// The keys of a figure that are without effect on one of this table.
    pub ignores: &'static [&'static str],
    /// The panel of a measure, with what a figure chooses, as far as the table says it.
    pub panel: fn(&Self, &Choices, &str) -> Panel,
    /// True if the table shows a point, among all points.
    pub is_wanted: fn(&Point, &Sides) -> bool,
    /// True for the points whose curves are drawn where there are too many.
    pub is_plain: fn(&Chart, &Point) -> bool,
    pub rows: fn(&Scope) -> Result<Frame, String>,
    /// True if the table shows rules that count steps of n² updates each. Points of such rules are
    /// left out of all other figures, where their steps would be read as updates.
    pub takes_steps: fn(&Chart) -> bool,
    /// The x of a dashed upright line, in the colour of the curve.
    pub upright: Option<fn(&Point) -> Option<f64>>,
    /// The parts of the figure from top to bottom; by default the panels.
    pub parts: for<'s> fn(&'s Scene, &Choices) -> Vec<Part<'s>>,
    pub legend: fn(&Scene, &Choices) -> Vec<LegendEntry>,
    /// What bars, thin lines and marks mean.
    pub explained: fn(&Scene) -> String,
}

impl Measure {
    pub const fn new(name: &'static str, title: &'static str) -> Self {
        Self {
            name,
            label: "",
            title,
        }
    }

    pub const fn labelled(name: &'static str, label: &'static str, title: &'static str) -> Self {
        Self { name, label, title }
    }
}

impl MeasureTable {
    /// Keys that need standard errors, which the numbers of some tables have not.
    pub const OF_ERRORS: &'static [&'static str] = &["fit", "fit_from", "over"];

    /// What most tables have.
    pub const PLAIN: Self = Self {
        name: "",
        of: Of::Trials,
        measures: &[],
        across: &[],
        ignores: &[],
        panel: Self::column,
        is_wanted: |_, _| true,
        is_plain: |_, _| true,
        rows: |scope| scope.quantities(),
        takes_steps: |_| false,
        upright: None,
        parts: |scene, choices| Part::stack(scene.plots(choices)),
        legend: |scene, _| scene.legend(),
        explained: |scene| scene.explained(),
    };

    /// Times and moves until the absorption and the hit: a row for each of them.
    pub const TIMES: Self = Self {
        name: "times",
        measures: &[
            Measure::new("absorption_time", "mean absorption time (updates)"),
            Measure::new("hitting_time", "mean hitting time (updates)"),
            Measure::new("moves", "mean number of queen moves"),
            Measure::new(
                "moves_at_hit",
                "mean number of queen moves until the first solution",
            ),
        ],
        panel: |table, choices, name| Panel {
            only: name.to_owned(),
            y: "mean".to_owned(),
            quantity: Quantity::from_name(name),
            ..table.column(choices, name)
        },
        ..Self::PLAIN
    };

    /// A measure in a column of its own.
    pub(super) fn column(&self, _: &Choices, name: &str) -> Panel {
        let measure = self.measures.iter().find(|it| it.name == name);
        let measure = measure.expect("the parser knows the measures of the table");
        let words = measure.title.split(" (").next().unwrap_or_default();
        Panel {
            y: name.to_owned(),
            name: words.to_owned(),
            title: measure.title.to_owned(),
            label: measure.label.to_owned(),
            ..Panel::default()
        }
    }
}
