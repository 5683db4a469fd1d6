//! The tables of measures that figures are drawn from, one per file, or a few alike, each
//! registered in [`TABLES`]; and what a figure shows of its table.
//!
//! Read `measure` (what a measure is), `columns` (any column of `trials.parquet` with any
//! statistic), then one of the others, as `restarts`, which is short. `rows` has what of a run they
//! are made from.
//!
//! Adding a measure: an entry in the `measures` of a table, and its column in the table's `rows`.
//! Names of measures are a format: specs and CSVs of others have them. Numbers with errors come
//! from `analysis`, none is computed here.

mod best_epsilon;
pub(crate) mod columns;
mod courses;
pub(crate) mod distribution;
pub(crate) mod measure;
mod moves_per_relaxation;
mod restarts;
pub(crate) mod rows;
pub(crate) mod searches;
mod solutions;
#[cfg(test)]
mod tests;

use itertools::Itertools;

use self::measure::{Measure, ShownMeasure};
use self::rows::provenance;
use crate::analysis::formula::{CENSORED, DIVISORS, DividedBy, Statistic, Summary};
use crate::experiment::spec::{did_you_mean, one_of};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::{OwnColumns, StoreError};
use crate::report::FigureRows;
use crate::report::figure::choose::table_in_words;
use crate::report::figure::{DERIVED, Figure, MeasureTable, Panel};
use crate::report::keys::{COLUMNS_TABLE, FigureSpec, PanelSpec};
use crate::report::words::points::enumerated;
use crate::solver::Kind;

/// What tables of measures are made of.
mod kit {
    pub use crate::analysis::estimate::Estimate;
    pub use crate::analysis::formula::updates_per_unit;
    pub use crate::analysis::measured::Measured;
    pub use crate::analysis::quantity::Quantity;
    pub use crate::experiment::store::rows::PointTrials;
    pub use crate::html::spaced;
    pub use crate::report::figure::{Figure, MeasureTable, Scope, only};
    pub use crate::report::keys::{FigureSpec, MarkShape};
    pub use crate::report::measures::measure::{Measure, RowsOf};
    pub use crate::report::table::{Columns, NOT_ON_LOGARITHMIC, Table, TableCell, between_ends};
    pub use crate::report::words::number::short;
    pub use crate::report::words::points::{Digits, fewer_axes_first, grouped};
    pub use crate::solver::Point;
    pub use crate::solver::point::KEY_AXES;
    pub use itertools::Itertools;
}

/// Every table of measures, one line each.
pub const TABLES: &[&MeasureTable] = &[
    &columns::TABLE,
    &courses::SERIES,
    &courses::EFFECTS_TABLE,
    &searches::SEARCHES,
    &distribution::DISTRIBUTION,
    &restarts::RESTARTS,
    &moves_per_relaxation::MOVES_PER_RELAXATION,
    &solutions::SOLUTION_CLASSES,
    &best_epsilon::BEST_EPSILON,
];

/// The table of this name.
pub fn table_named(name: &str) -> Option<&'static MeasureTable> {
    TABLES.iter().copied().find(|table| table.name == name)
}

/// A measure that a text names.
pub struct Named {
    pub table: &'static MeasureTable,
    /// The measure as tables and figures write it.
    pub name: String,
    /// What it says of the columns of trials; `None` of a measure of another table.
    pub summary: Option<Summary>,
}

/// The measure of this text: one of a table by its name, with its statistic or without; else what
/// it says of columns of trials, of which the spec has some of its `own`.
///
/// # Errors
/// A text that is no measure.
pub fn measure_named(own: &OwnColumns, text: &str) -> Result<Named, String> {
    let named = |table: &'static MeasureTable, measure: &Measure| Named {
        table,
        name: measure.name.to_owned(),
        summary: None,
    };
    if is_own_number(own, text) {
        return Ok(Named::of_columns(text.parse()?));
    }
    let of_tables = || {
        let tables = TABLES.iter().copied();
        tables.flat_map(|table| table.measures.iter().map(move |measure| (table, measure)))
    };
    if let Some((table, measure)) = of_tables().find(|(_, measure)| measure.name == text.trim()) {
        return Ok(named(table, measure));
    }

    let summary: Summary = text.parse()?;
    let is_bare = !text.trim().ends_with(&format!("({})", summary.formula));
    let of_same = of_tables().find(|(_, measure)| {
        let known = measure.name.parse::<Summary>().ok();
        let is_like = |known: &Summary| is_bare && known.formula == summary.formula;
        known.is_some_and(|known| known == summary || is_like(&known))
    });
    if let Some((table, measure)) = of_same.filter(|(_, measure)| measure.name.contains('(')) {
        return Ok(named(table, measure));
    }

    let numbers = columns::numbers(own);
    let is_censored = |column: &str| column == CENSORED && summary.statistic == Statistic::Share;
    let is_unknown = |column: &&str| !numbers.contains(column) && !is_censored(column);
    if let Some(unknown) = summary.formula.columns().find(is_unknown) {
        if own.contains_key(unknown) {
            return Err(format!("{unknown} is a text; a text has no measures"));
        }
        return Err(unknown_measure(unknown, &summary, &numbers));
    }
    Ok(Named::of_columns(summary))
}

/// True of the name of a column of numbers of the spec's own: it is what its author means, whatever
/// measures are called so.
fn is_own_number(own: &OwnColumns, text: &str) -> bool {
    let column = own.get(text.trim());
    column.is_some_and(|column| column.kind != Kind::Text)
}

impl Named {
    /// What a summary says of the columns of trials.
    fn of_columns(summary: Summary) -> Self {
        Self {
            table: TABLES[0],
            name: summary.to_string(),
            summary: Some(summary),
        }
    }
}

impl FigureSpec {
    /// The measure of this text, if it is one.
    pub fn named(&self, measure: &str) -> Option<Named> {
        measure_named(&self.own, measure).ok()
    }
}

/// What is said of a word that names no measure.
fn unknown_measure(unknown: &str, summary: &Summary, numbers: &[&str]) -> String {
    let of_tables = TABLES.iter().flat_map(|table| table.measures);
    let of_tables = of_tables.map(|measure| measure.name);
    let is_formula = unknown.contains('*') || !matches!(summary.formula.by, DividedBy::One);
    let divisors = DIVISORS.iter().filter(|_| is_formula);
    let divisors = divisors.map(|divisor| divisor.name);
    let numbers = numbers.iter().copied();
    let known: Vec<&str> = divisors.chain(numbers).chain(of_tables).collect();
    let censored = if unknown == CENSORED {
        "; of it there is share(censored) alone".to_owned()
    } else {
        did_you_mean(unknown, &known)
    };
    let expected = one_of(&known);
    format!("unknown measure {unknown:?}; expected {expected}{censored}")
}

impl FigureRows {
    pub fn of(figures: &[FigureSpec], run: &CompleteRun) -> Result<Self, StoreError> {
        let trials = run.points_on_demand()?;
        let timings = run.timings_of_searches(&trials)?;
        let mut kinds = figures.iter().map(Figure::of);
        let courses = if kinds.any(|kind| kind.draws_courses()) {
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

impl<'f> Figure<'f> {
    /// The figure of a spec.
    pub fn of(spec: &'f FigureSpec) -> Self {
        let panels = spec.y.iter().map(|panel| Panel::of(panel, spec));
        let mut figure = Self {
            axes: Vec::new(),
            panels: panels.collect(),
            across: None,
            derived: DERIVED.iter().find(|derived| derived.name == spec.x),
            tables: Vec::new(),
            has_vega: true,
            spec,
        };
        let tables = figure.columns().map(|measure| measure.table);
        let of_x = spec.has_column_across().then_some(COLUMNS_TABLE);
        let tables = tables.chain(of_x).unique().filter_map(table_named);
        figure.tables = tables.collect();
        figure.across = figure.title_across();
        let axis = figure.derived.map_or(&*spec.x, |derived| derived.axis);
        let x = figure.across.is_none().then_some(axis);
        let vary = spec.vary.iter().filter(|axis| **axis != spec.x);
        let upwards = vary.chain(&spec.upwards).map(String::as_str);
        figure.axes = x.into_iter().chain(upwards).collect();
        figure
    }

    /// The title of what stands across, if that is a measure and no axis of the points.
    fn title_across(&self) -> Option<String> {
        let spec = self.spec;
        if spec.has_column_across() {
            return Some(shown(spec, &spec.x).title);
        }
        let across = self.tables.iter().flat_map(|table| table.across);
        let (name, title) = across.into_iter().find(|(column, _)| *column == spec.x)?;
        let of_bins = spec.bin.column.as_deref();
        let of_bins = of_bins.map(|column| columns::of_each_trial(spec, column));
        Some(match of_bins {
            Some(shown) if *name == distribution::IN_MEANS => {
                format!("{0} / mean {0}", shown.name)
            }
            Some(shown) => shown.title,
            None => (*title).to_owned(),
        })
    }
}

impl<'f> Panel<'f> {
    fn of(panel: &'f PanelSpec, spec: &FigureSpec) -> Self {
        let measures = panel.measures.iter();
        let mut columns: Vec<ShownMeasure> = measures.map(|measure| shown(spec, measure)).collect();
        columns.truncate(if panel.has_names() { columns.len() } else { 1 });
        let over = spec.over.as_deref().map(table_in_words);
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        for column in &mut columns {
            column.name = match panel.has_names() {
                false => String::new(),
                true if column.label.is_empty() => continue,
                true => column.label.clone(),
            };
        }
        let first = &columns[0];
        let title = title_upwards(panel, over.as_deref(), &columns, &names);
        let ends = panel.band.iter().map(|text| shown(spec, text));
        Self {
            band: ends.collect_tuple().map(|(low, high)| [low, high]),
            quantity: first.quantity().filter(|_| over.is_none()),
            label: if panel.has_names() {
                String::new()
            } else {
                first.label.clone()
            },
            name: match (&over, &names[..]) {
                (None, _) => enumerated(&names),
                (Some(over), [name]) => format!("{name} over that with {over}"),
                (Some(over), _) => format!("{} over those with {over}", enumerated(&names)),
            },
            title,
            spec: panel,
            columns,
        }
    }
}

/// The title of a panel's upright axis, where its measures have these names.
fn title_upwards(
    panel: &PanelSpec,
    over: Option<&str>,
    columns: &[ShownMeasure],
    names: &[String],
) -> String {
    let titles: Vec<&str> = columns
        .iter()
        .map(|column| &*column.title)
        .unique()
        .collect();
    match (&panel.y_title, over, &titles[..]) {
        (Some(title), ..) => title.clone(),
        // What is after the comma goes where the panel is too low for all.
        (None, Some(over), _) => format!("ratio to {over}, {}", names.join(", ")),
        (None, None, [alone]) => (*alone).to_owned(),
        (None, None, _) => names.join(", "),
    }
}

/// The measure of this text as a figure shows it.
fn shown(spec: &FigureSpec, text: &str) -> ShownMeasure {
    let Named {
        table,
        name,
        summary,
    } = measure_named(&spec.own, text).expect("the parser knows the measures");
    if let Some(summary) = summary {
        return columns::shown(spec, &summary, spec.draws_trials());
    }
    let mut measures = table.measures.iter();
    let measure = measures
        .find(|measure| measure.name == name)
        .expect("it is named");
    let title = match &spec.bin.column {
        Some(column) if spec.own.contains_key(column) => &*of_values(measure.title),
        Some(_) => &*measure.title.replace("absorbed", "ended"),
        None => measure.title,
    };
    let words = match measure.label {
        "" => title.split(" (").next().unwrap_or_default(),
        label => label,
    };
    ShownMeasure {
        column: name,
        table: table.name,
        summary: None,
        name: words.to_owned(),
        label: measure.label.to_owned(),
        title: title.to_owned(),
        is_share: measure.is_share,
    }
}

/// The title of a share of absorptions as that of the values of an own column.
fn of_values(title: &str) -> String {
    let above = title.replace(" not yet absorbed", " above it");
    let in_bin = above.replace(" absorbed in a bin", " in a bin");
    in_bin.replace(" absorbed", " up to it")
}

/// The figure of this kind by itself.
#[cfg(test)]
pub fn preset(kind: &str) -> Figure<'static> {
    Figure::of(Box::leak(Box::new(FigureSpec::of_kind(kind))))
}
