//! The tables of measures that figures are drawn from, one per file, or a few alike, each
//! registered in [`TABLES`]; and what a figure shows of its table.

mod best_epsilon;
pub(super) mod columns;
mod courses;
pub(super) mod distribution;
mod factoring;
mod moves_per_relaxation;
mod restarts;
mod searches;
mod solutions;
#[cfg(test)]
mod tests;

use itertools::Itertools;

use super::FigureRows;
use super::chart::{Chart, DERIVED, MeasureTable, ShownPanel};
use super::choose::table_in_words;
use super::figure::{Figure, PanelChoice};
use super::measure::ShownMeasure;
use super::rows::provenance;
use super::series::enumerated;
use crate::analysis::formula::Statistic;
use crate::analysis::quantity::Quantity;
use crate::experiment::store::StoreError;
use crate::results::runs::CompleteRun;

/// What tables of measures are made of.
mod kit {
    pub use crate::analysis::estimate::Estimate;
    pub use crate::analysis::formula::updates_per_unit;
    pub use crate::analysis::measured::Measured;
    pub use crate::analysis::quantity::Quantity;
    pub use crate::html::spaced;
    pub use crate::report::chart::{Chart, MeasureTable, Scope};
    pub use crate::report::figure::{Figure, MarkShape};
    pub use crate::report::frame::{
        Columns, Frame, NOT_ON_LOGARITHMIC, TableCell, between_ends, mean_is,
    };
    pub use crate::report::measure::{Measure, RowsOf};
    pub use crate::report::number::short;
    pub use crate::report::series::{Digits, fewer_axes_first, grouped};
    pub use crate::results::PointTrials;
    pub use crate::solver::Point;
    pub use crate::solver::point::KEY_AXES;
    pub use itertools::Itertools;
}

/// Every table of measures, one line each.
pub const TABLES: &[&MeasureTable] = &[
    &columns::TABLE,
    &courses::SERIES,
    &courses::EFFECTS_TABLE,
    &searches::MODELS,
    &searches::SEARCHES,
    &distribution::DISTRIBUTION,
    &restarts::RESTARTS,
    &moves_per_relaxation::MOVES_PER_RELAXATION,
    &solutions::SOLUTION_CLASSES,
    &best_epsilon::BEST_EPSILON,
    &factoring::FACTORING,
];

/// The table of this name.
pub fn table_named(name: &str) -> Option<&'static MeasureTable> {
    TABLES.iter().copied().find(|it| it.name == name)
}

impl FigureRows {
    pub fn of(figures: &[Figure], run: &CompleteRun) -> Result<Self, StoreError> {
        let trials = run.points()?;
        let timings = run.timings_of_searches(&trials)?;
        let mut kinds = figures.iter().map(Chart::of);
        let courses = if kinds.any(|it| it.draws_courses()) {
            run.courses()?
        } else {
            Vec::new()
        };
        let machine = &run.manifest.machine;
        Ok(Self {
            timings,
            courses,
            machine: format!("{}, {} logical processors", machine.cpu, machine.cores),
            ..Self::of_trials(trials, provenance(&run.manifest))
        })
    }
}

impl<'f> Chart<'f> {
    /// The figure of a spec.
    pub fn of(choices: &'f Figure) -> Self {
        let table = table_named(&choices.table).expect("the parser knows the tables");
        let across = table.across.iter().find(|it| it.0 == choices.x);
        let shown = |column: &str| columns::shown(choices, column);
        let across = match (&choices.column, across) {
            _ if choices.has_column_across() => Some(shown(&choices.x).title),
            (Some(column), Some((distribution::IN_MEANS, _))) => {
                Some(format!("{0} / mean {0}", shown(column).name))
            }
            (Some(column), _) => Some(shown(column).title),
            (None, across) => across.map(|it| it.1.to_owned()),
        };
        let derived = DERIVED.iter().find(|it| it.name == choices.x);
        let axis = derived.map_or(&*choices.x, |it| it.axis);
        let x = across.is_none().then_some(axis);
        let vary = choices.vary.iter().filter(|it| **it != choices.x);
        let upwards = vary.chain(&choices.upwards).map(String::as_str);
        let panels = choices.y.iter();
        let panels = panels.map(|it| ShownPanel::of(it, table, choices));
        Self {
            axes: x.into_iter().chain(upwards).collect(),
            panels: panels.collect(),
            across,
            derived,
            table,
            choices,
        }
    }
}

impl<'f> ShownPanel<'f> {
    fn of(choice: &'f PanelChoice, table: &MeasureTable, choices: &Figure) -> Self {
        let measures = choice.measures.iter();
        let mut columns: Vec<ShownMeasure> = measures.map(|it| table.shown(choices, it)).collect();
        columns.truncate(if choice.has_names() { columns.len() } else { 1 });
        let over = choices.over.as_deref().map(table_in_words);
        let names: Vec<String> = columns.iter().map(|it| it.name.clone()).collect();
        for column in &mut columns {
            column.name = match choice.has_names() {
                false => String::new(),
                true if column.label.is_empty() => continue,
                true => column.label.clone(),
            };
        }
        let first = &columns[0];
        let titles: Vec<&str> = columns.iter().map(|it| &*it.title).unique().collect();
        let title = match (&choice.y_title, &over, &titles[..]) {
            (Some(title), ..) => title.clone(),
            // What is after the comma goes where the panel is too low for all.
            (None, Some(over), _) => format!("ratio to {over}, {}", names.join(", ")),
            (None, None, [_]) => first.title.clone(),
            (None, None, _) => names.join(", "),
        };
        let quantity = Quantity::from_name(&first.only);
        Self {
            quantity: quantity.filter(|_| over.is_none() && !first.is_share),
            label: match &choice.heading {
                Some(heading) => heading.clone(),
                None if choice.has_names() => String::new(),
                None => first.label.clone(),
            },
            name: match (&over, &names[..]) {
                (None, _) => enumerated(&names),
                (Some(over), [name]) => format!("{name} over that with {over}"),
                (Some(over), _) => format!("{} over those with {over}", enumerated(&names)),
            },
            title,
            choice,
            columns,
        }
    }
}

impl MeasureTable {
    /// The measure of this name as a figure shows it.
    fn shown(&self, choices: &Figure, name: &str) -> ShownMeasure {
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

/// The figure of this kind by itself.
#[cfg(test)]
pub fn preset(kind: &str) -> Chart<'static> {
    Chart::of(Box::leak(Box::new(Figure::of_kind(kind))))
}
