//! A table as typed columns: what a figure draws of its rows, and what is written of them.

mod points;

pub use self::points::{of_points, quantities};
use super::chart::capital;
pub use super::table::Cell;
use super::table::Table;
use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::quantile::Quantile;
use crate::analysis::run_length::RunLength;
use crate::analysis::search::SearchSummary;
use crate::analysis::summary::{PointSummary, Summary};
use crate::analysis::survival::SurvivalCurve;
use crate::solver::Point;

/// What stands in `mean_is` where trials were cut off.
pub const LOWER_BOUND: &str = "lower bound";

/// What a row of a frame is about.
pub trait Keyed {
    fn key(&self) -> &Point;
}

impl Keyed for Point {
    fn key(&self) -> &Point {
        self
    }
}

impl Keyed for PointSummary {
    fn key(&self) -> &Point {
        &self.point
    }
}

impl Keyed for RunLength {
    fn key(&self) -> &Point {
        &self.summary.point
    }
}

impl Keyed for SearchSummary {
    fn key(&self) -> &Point {
        &self.point
    }
}

impl<K: Keyed, T> Keyed for (K, T) {
    fn key(&self) -> &Point {
        self.0.key()
    }
}

impl<K: Keyed> Keyed for &K {
    fn key(&self) -> &Point {
        (*self).key()
    }
}

/// A point that a figure does not show, and why.
pub type Missing = (Point, String);

/// Of each row a mean, and whether it is a lower bound.
pub type Means = Vec<Option<(Mean, bool)>>;
/// A number with its interval, and whether it is a lower bound.
pub type Drawn = (Estimate, bool);

/// Rows of points, under them rows of what was fitted to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    pub header: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// Of the first rows.
    pub keys: Vec<Point>,
    /// What laws may be fitted to, by column; "" for those without means of their own.
    pub means: Vec<(&'static str, Means)>,
    /// What is drawn of each row and not written.
    pub drawn: Vec<(&'static str, Vec<Option<Drawn>>)>,
    /// Definitions and warnings that belong under the table.
    pub notes: Vec<String>,
    /// Of the notes, those that belong into a caption too.
    pub warnings: Vec<String>,
    pub left_out: Vec<Missing>,
    /// What else is missing, a sentence each without a full stop.
    pub said: Vec<String>,
    /// Of rows that are drawn as survival curves, in their order.
    pub survival: Vec<Survival>,
    /// What was found while the rows were made, a sentence each without a full stop.
    pub findings: Vec<String>,
    /// Points that the rows are about without being theirs.
    pub also_shown: Vec<Point>,
}

/// The survival curve of a row, and its unit of time in updates.
#[derive(Debug, Clone, PartialEq)]
pub struct Survival {
    pub row: usize,
    pub curve: SurvivalCurve,
    pub scale: f64,
}

/// A frame that gets its columns, each from the same items.
pub struct Columns<'r, R> {
    items: &'r [R],
    pub frame: Frame,
}

impl Frame {
    /// The columns that say what was run: the algorithm, its variant, the axes `always`, and every
    /// other that any of the items has.
    pub fn of<'r, R: Keyed>(items: &'r [R], always: &[&str]) -> Columns<'r, R> {
        Self::bare(items)
            .column("algorithm", |item| item.key().algorithm.clone())
            .column("variant", |item| item.key().variant.clone())
            .axes(always)
    }

    /// Without a column.
    pub fn bare<R: Keyed>(items: &[R]) -> Columns<'_, R> {
        let keys: Vec<Point> = items.iter().map(|item| item.key().clone()).collect();
        let frame = Self {
            rows: vec![Vec::new(); items.len()],
            keys,
            ..Self::default()
        };
        Columns { items, frame }
    }

    /// A row under those of the points: of what points share that differ in the axes `apart` alone.
    /// Cells without a name are empty.
    pub fn push(&mut self, shared: Option<(&Point, &[String])>, named: &[(&str, Cell)]) {
        let cell = |name: &String| {
            if let Some((_, cell)) = named.iter().find(|(column, _)| column == name) {
                return cell.clone();
            }
            match (shared, name.as_str()) {
                (Some((key, _)), "algorithm") => key.algorithm.as_str().into(),
                (Some((key, _)), "variant") => key.variant.as_str().into(),
                (Some((key, apart)), axis) if !apart.contains(name) => {
                    key.axes.get(axis).map(|value| value.to_string()).into()
                }
                _ => Cell::Empty,
            }
        };
        self.rows.push(self.header.iter().map(cell).collect());
    }

    /// [`push`](Self::push) of a number fitted to the points: in the columns `fit` and `value` of a
    /// table that has them, else as a `quantity`.
    pub fn push_fit(&mut self, shared: (&Point, &[String]), name: &str, fitted: Estimate) {
        self.push_fit_at(None, shared, name, fitted);
    }

    /// [`push_fit`](Self::push_fit) at one n.
    pub fn push_fit_at(
        &mut self,
        n: Option<u64>,
        shared: (&Point, &[String]),
        name: &str,
        Estimate { value, interval }: Estimate,
    ) {
        let names = if self.header.iter().any(|it| it == "fit") {
            ["fit", "value", "value_low", "value_high"]
        } else {
            ["quantity", "mean", "mean_low", "mean_high"]
        };
        let mut named = vec![
            (names[0], name.into()),
            ("mean_is", "fit".into()),
            (names[1], value.into()),
        ];
        if interval != Interval::exactly(value) {
            named.push((names[2], interval.low.into()));
            named.push((names[3], interval.high.into()));
        }
        named.extend(n.map(|n| ("n", n.into())));
        self.push(Some(shared), &named);
    }

    pub fn noted(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }

    /// Adds a note that the caption has too.
    pub fn warn(&mut self, words: &str) {
        self.notes.push(format!("{}.", capital(words)));
        self.warnings.push(words.to_owned());
    }

    fn cell(&self, row: usize, column: &str) -> &Cell {
        let index = self.header.iter().position(|name| name == column);
        index.map_or(&Cell::Empty, |index| &self.rows[row][index])
    }

    pub fn number(&self, row: usize, column: &str) -> Option<f64> {
        match self.cell(row, column) {
            Cell::Real(value) => Some(*value),
            Cell::Count(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// Whether a whole number stands there.
    pub fn counts(&self, row: usize, column: &str) -> bool {
        matches!(self.cell(row, column), Cell::Count(_))
    }

    /// What a law may be fitted to, and whether it is a lower bound.
    pub fn mean(&self, row: usize, column: &str) -> Option<(Mean, bool)> {
        let of = |name: &str| self.means.iter().find(|it| it.0 == name);
        *of(column).or_else(|| of(""))?.1.get(row)?
    }

    /// Whether the row's number, or its mean, is a lower bound.
    pub fn is_bound(&self, row: usize, column: &str) -> bool {
        match self.drawn.iter().find(|it| it.0 == column) {
            Some((_, drawn)) => drawn[row].is_some_and(|(_, is_bound)| is_bound),
            None => self.mean(row, column).is_some_and(|(_, is_bound)| is_bound),
        }
    }

    /// A column of [`Columns::estimate`] or [`Columns::drawn`].
    pub fn estimate(&self, row: usize, column: &str) -> Option<Estimate> {
        if let Some((_, drawn)) = self.drawn.iter().find(|it| it.0 == column) {
            return drawn[row].map(|(estimate, _)| estimate);
        }
        let end = |end: &str| self.number(row, &format!("{column}{end}"));
        Some(Estimate {
            value: self.number(row, column)?,
            interval: Interval {
                low: end("_low")?,
                high: end("_high")?,
            },
        })
    }

    /// The word in the column; empty where there is none.
    pub fn word(&self, row: usize, column: &str) -> &str {
        match self.cell(row, column) {
            Cell::Word(word) => word,
            _ => "",
        }
    }

    /// How many trials a row is of, and how many of them were cut off.
    pub fn trials(&self, row: usize) -> Option<[u64; 2]> {
        let count = |column: &str| match self.cell(row, column) {
            Cell::Count(count) => Some(*count),
            _ => None,
        };
        let cut_off = count("censored").or_else(|| count("cut_off"));
        Some([count("trials")?, cut_off.unwrap_or(0)])
    }

    /// What is written of it.
    pub fn table(&self) -> Table {
        Table {
            header: self.header.clone(),
            rows: self.rows.clone(),
            notes: self.notes.clone(),
        }
    }
}

impl<R: Keyed> Columns<'_, R> {
    /// The axes `always`, and every other that any of the items has.
    pub fn axes(mut self, always: &[&str]) -> Self {
        let axes = self.items.iter().flat_map(|it| it.key().axes.by_name());
        let others = axes.map(|(name, _)| name);
        let mut others: Vec<&str> = others.filter(|name| !always.contains(name)).collect();
        others.sort_unstable();
        others.dedup();
        for name in always.iter().copied().chain(others) {
            let value = |item: &R| item.key().axes.get(name).map(|value| value.to_string());
            self = self.column(name, value);
        }
        self
    }
}

impl<R> Columns<'_, R> {
    /// The definition of a column.
    pub fn column<C: Into<Cell>>(mut self, name: &str, cell: impl Fn(&R) -> C) -> Self {
        self.frame.header.push(name.to_owned());
        for (row, item) in self.frame.rows.iter_mut().zip(self.items) {
            row.push(cell(item).into());
        }
        self
    }

    /// Three columns: a number and the ends of its interval.
    pub fn estimate<E>(self, name: &str, of: impl Fn(&R) -> E) -> Self
    where
        E: Into<Option<Estimate>>,
    {
        let of = |item: &R| -> Option<Estimate> { of(item).into() };
        self.column(name, |item| of(item).map(|it| it.value))
            .column(&format!("{name}_low"), |item| {
                of(item).map(|it| it.interval.low)
            })
            .column(&format!("{name}_high"), |item| {
                of(item).map(|it| it.interval.high)
            })
    }

    /// Three columns: a quantile and the ends of its interval.
    fn quantile(self, name: &str, of: impl Fn(&R) -> Quantile) -> Self {
        let high = |item: &R| match of(item).high {
            Some(high) => high.into(),
            None => Cell::Real(f64::INFINITY),
        };
        self.column(name, |item| of(item).value)
            .column(&format!("{name}_low"), |item| of(item).low)
            .column(&format!("{name}_high"), high)
    }

    /// What a law may be fitted to, and whether it is a lower bound.
    pub fn means(self, of: impl Fn(&R) -> Option<(Mean, bool)>) -> Self {
        self.means_of("", of)
    }

    /// [`means`](Self::means) of one column.
    pub fn means_of(
        mut self,
        column: &'static str,
        of: impl Fn(&R) -> Option<(Mean, bool)>,
    ) -> Self {
        let means = self.items.iter().map(of).collect();
        self.frame.means.insert(0, (column, means));
        self
    }

    /// What is drawn under this name and not written, and whether it is a lower bound.
    pub fn drawn(
        mut self,
        name: &'static str,
        of: impl Fn(&R) -> Option<(Estimate, bool)>,
    ) -> Self {
        let drawn = self.items.iter().map(of).collect();
        self.frame.drawn.push((name, drawn));
        self
    }

    /// What was measured on how many trials, and how.
    pub fn measured<'s>(self, of: impl Fn(&R) -> (&'s PointSummary, &'s Summary)) -> Self {
        self.column("quantity", |item| of(item).1.quantity.name())
            .column("trials", |item| of(item).0.trials)
            .column("censored", |item| of(item).1.censored)
            .column("cutoff", |item| of(item).0.cutoff)
            .column("mean_is", |item| mean_is(of(item).1.is_lower_bound()))
            .column("method", |item| of(item).1.method)
    }

    pub fn note(self, note: &str) -> Self {
        Self {
            frame: self.frame.noted(note),
            ..self
        }
    }
}

/// The word in `mean_is`.
pub fn mean_is(is_lower_bound: bool) -> &'static str {
    if is_lower_bound { LOWER_BOUND } else { "mean" }
}
