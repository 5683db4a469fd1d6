//! A table as typed columns: what a figure draws of its rows, and what is written of them.

mod columns;
mod divided;

use std::collections::BTreeSet;

pub use self::columns::Columns;
use super::chart::capital;
use super::series::grouped;
use super::table::Table;
pub use super::table::TableCell;
use crate::analysis::average::Average;
use crate::analysis::course::waiting::WaitingTimes;
use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::run_length::RunLength;
use crate::analysis::search::SearchSummary;
use crate::analysis::summary::{PointSummary, Summary};
use crate::analysis::survival::SurvivalCurve;
use crate::html::counted;
use crate::results::PointCourses;
use crate::solver::Point;

/// What a row of a frame is about.
pub trait AtPoint {
    /// The point of the row.
    fn point(&self) -> &Point;
}

macro_rules! keyed {
    ($($of:ty: $($key:tt).*;)*) => {
        $(impl AtPoint for $of {
            fn point(&self) -> &Point {
                &self.$($key).*
            }
        })*
    };
}

keyed! {
    PointCourses: point;
    PointSummary: point;
    RunLength: summary.point;
    SearchSummary: point;
    WaitingTimes: point;
}

impl AtPoint for Point {
    fn point(&self) -> &Self {
        self
    }
}

impl<K: AtPoint> AtPoint for &K {
    fn point(&self) -> &Point {
        (*self).point()
    }
}

impl<K: AtPoint, T> AtPoint for (K, T) {
    fn point(&self) -> &Point {
        self.0.point()
    }
}

/// The end of the reasons of points that a linear axis would show.
pub const NOT_ON_LOGARITHMIC: &str = "has no place on a logarithmic axis";

/// The reason of points that are too few for a curve, which what is lacking says itself.
pub const ALONE: &str = "alone on its curve";

/// A point that a figure does not show, and why.
pub type Missing = (Point, String);

/// A number from the analysis to its mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Datum {
    pub estimate: Estimate,
    /// With the standard error that a fit weighs it by, where that is known.
    pub mean: Option<Mean>,
    /// True if the true number is this or larger.
    pub is_bound: bool,
}

impl Datum {
    /// The number divided by one that is exactly known.
    #[must_use]
    pub fn in_units(self, unit: f64) -> Self {
        Self {
            estimate: self.estimate.in_units(unit),
            mean: self.mean.map(|it| it.in_units(unit)),
            ..self
        }
    }
}

/// What a number may be made of.
macro_rules! numbers {
    ($($from:ty, $it:ident => $estimate:expr, $mean:expr, $is_bound:expr;)*) => {
        $(impl From<$from> for Datum {
            fn from($it: $from) -> Self {
                Self { estimate: $estimate, mean: $mean, is_bound: $is_bound }
            }
        })*
    };
}

numbers! {
    Estimate, it => it, None, false;
    (Estimate, bool), it => it.0, None, it.1;
    Mean, it => it.estimate(), Some(it), false;
    &Summary, it => it.estimate(), Some(it.mean), it.is_lower_bound();
    Average, it => it.estimate(), Some(it.mean), it.is_lower_bound;
}

/// Numbers that may be drawn, by their column.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberColumn {
    name: String,
    numbers: Vec<Option<Datum>>,
}

/// Rows of points, under them rows of what was fitted to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// What is written of it.
    pub table: Table,
    /// The points of the first rows.
    pub keys: Vec<Point>,
    /// What may be drawn; of two columns of one name the later one is.
    pub numbers: Vec<NumberColumn>,
    /// The notes that belong in a caption too.
    pub warnings: Vec<String>,
    pub left_out: Vec<Missing>,
    /// What else is missing, a sentence each without a full stop.
    pub said: Vec<String>,
    /// The survival curves of the rows that are drawn as such, in their order.
    pub survival: Vec<Survival>,
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

impl Frame {
    /// The columns that say what was run: the algorithm, its variant, the axes `always`, and every
    /// other that any of the items has.
    pub fn of<'r, R: AtPoint>(items: &'r [R], always: &[&str]) -> Columns<'r, R> {
        Self::bare(items)
            .column("algorithm", |item| item.point().algorithm.clone())
            .column("variant", |item| item.point().variant.clone())
            .axes(always)
    }

    /// A frame without a column.
    pub fn bare<R: AtPoint>(items: &[R]) -> Columns<'_, R> {
        let mut frame = Self::default();
        frame.table.rows = vec![Vec::new(); items.len()];
        frame.keys = items.iter().map(|item| item.point().clone()).collect();
        Columns { items, frame }
    }

    /// A row under those of the points: of what points share that differ in the axes `apart` alone.
    /// Cells without a name are empty.
    pub fn push(&mut self, shared: Option<(&Point, &[String])>, named: &[(&str, TableCell)]) {
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
                _ => TableCell::Empty,
            }
        };
        let row = self.table.header.iter().map(cell).collect();
        self.table.rows.push(row);
    }

    /// [`push`](Self::push) of a number fitted to the points: in the columns `fit` and `value` of a
    /// table that has them, else as a `quantity`; a table without either gets these columns.
    pub fn push_fit(
        &mut self,
        shared: (&Point, &[String]),
        name: &str,
        Estimate { value, interval }: Estimate,
    ) {
        const OWN: [&str; 4] = ["fit", "value", "value_low", "value_high"];
        let has = |names: &[&str; 4]| {
            let mut names = names.iter();
            names.all(|name| self.table.header.iter().any(|it| it == name))
        };
        let known = [
            OWN,
            ["quantity", "ratio", "ratio_low", "ratio_high"],
            ["quantity", "mean", "mean_low", "mean_high"],
        ];
        let names = known.into_iter().find(has).unwrap_or_else(|| {
            let own = &self.table.header;
            let lacking = OWN
                .into_iter()
                .filter(|it| !own.iter().any(|own| own == it));
            for name in lacking.collect::<Vec<_>>() {
                self.table.header.push(name.to_owned());
                let rows = self.table.rows.iter_mut();
                rows.for_each(|row| row.push(TableCell::Empty));
            }
            OWN
        });
        let mut named = vec![
            (names[0], name.into()),
            ("mean_is", "fit".into()),
            ("ratio_is", "fit".into()),
            (names[1], value.into()),
        ];
        if interval != Interval::exactly(value) {
            named.push((names[2], interval.low.into()));
            named.push((names[3], interval.high.into()));
        }
        self.push(Some(shared), &named);
    }

    /// What is lacking, after the reasons of the points that are left out.
    pub fn lacking(&self, lacking: &str) -> String {
        let left_out = self.left_out.iter();
        let left_out: BTreeSet<(&str, &Point)> = left_out
            .filter(|(_, reason)| reason != ALONE)
            .map(|(point, reason)| (reason.as_str(), point))
            .collect();
        let mut words = String::new();
        for points in grouped(left_out, |it| it.0).iter().take(3) {
            let count = counted(points.len(), "point");
            words += &format!("{} ({count}); ", points[0].0);
        }
        match words.is_empty() {
            true => lacking.to_owned(),
            false => format!("{words}without them {lacking}"),
        }
    }

    /// Adds a note that the caption has too.
    pub fn warn(&mut self, words: &str) {
        self.table.notes.push(format!("{}.", capital(words)));
        self.warnings.push(words.to_owned());
    }

    fn cell(&self, row: usize, column: &str) -> &TableCell {
        let index = self.table.header.iter().position(|name| name == column);
        index.map_or(&TableCell::Empty, |index| &self.table.rows[row][index])
    }

    pub fn number(&self, row: usize, column: &str) -> Option<f64> {
        match self.cell(row, column) {
            TableCell::Real(value) => Some(*value),
            TableCell::Count(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// True if the cell of this row and column is a whole number.
    pub fn counts(&self, row: usize, column: &str) -> bool {
        matches!(self.cell(row, column), TableCell::Count(_))
    }

    /// The number in a column of [`Columns::estimate`] or [`Columns::drawn`].
    pub fn drawn(&self, row: usize, column: &str) -> Option<Datum> {
        let mut columns = self.numbers.iter();
        columns.rfind(|it| it.name == column)?.numbers[row]
    }

    /// True if a law may be fitted to the numbers of a column.
    pub fn has_means(&self, column: &str) -> bool {
        let numbers = (0..self.keys.len()).filter_map(|row| self.drawn(row, column));
        numbers.into_iter().any(|it| it.mean.is_some())
    }

    /// What a law may be fitted to, and whether it is a lower bound.
    pub fn mean(&self, row: usize, column: &str) -> Option<(Mean, bool)> {
        let number = self.drawn(row, column)?;
        Some((number.mean?, number.is_bound))
    }

    /// True if the number is a lower bound.
    pub fn is_bound(&self, row: usize, column: &str) -> bool {
        self.drawn(row, column).is_some_and(|it| it.is_bound)
    }

    /// The number with its interval.
    pub fn estimate(&self, row: usize, column: &str) -> Option<Estimate> {
        Some(self.drawn(row, column)?.estimate)
    }

    /// The word in the column; empty where there is none.
    pub fn word(&self, row: usize, column: &str) -> &str {
        match self.cell(row, column) {
            TableCell::Word(word) => word,
            _ => "",
        }
    }

    /// How many trials a row is of, and how many of them were cut off.
    pub fn trials(&self, row: usize) -> Option<[u64; 2]> {
        let count = |column: &str| match self.cell(row, column) {
            TableCell::Count(count) => Some(*count),
            _ => None,
        };
        let cut_off = count("censored").or_else(|| count("cut_off"));
        Some([count("trials")?, cut_off.unwrap_or(0)])
    }
}

/// Each of the parts that some items have, with its item.
pub fn parts<I, P>(items: &[I], of: fn(&I) -> &[P]) -> Vec<(&I, &P)> {
    let parts = items.iter();
    let parts = parts.flat_map(|item| of(item).iter().map(move |part| (item, part)));
    parts.collect()
}

/// The word in `mean_is`.
pub fn mean_is(is_lower_bound: bool) -> &'static str {
    if is_lower_bound {
        "lower bound"
    } else {
        "mean"
    }
}
