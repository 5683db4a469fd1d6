//! A table as typed columns: what a figure draws of its rows, and what is written of them.

mod columns;

use std::collections::{BTreeMap, BTreeSet};

pub use self::columns::Columns;
use super::series::{Digits, capital, grouped};
use super::table::FigureTable;
pub use super::table::TableCell;
use crate::analysis::estimate::Estimate;
use crate::analysis::regression::Agreement;
use crate::html::counted;
use crate::solver::Point;

/// What an item is of.
pub type PointOf<R> = fn(&R) -> &Point;

/// The end of the reasons of points that a linear axis would show.
pub const NOT_ON_LOGARITHMIC: &str = "has no place on a logarithmic axis";

/// The reason of points that are too few for a curve, which what is lacking says itself.
pub const ALONE: &str = "alone on its curve";

/// A point that a figure does not show, and why.
pub type Missing = (Point, String);

/// The cells of a column, one for each row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ColumnCells {
    /// What is written as it is.
    Plain(Vec<TableCell>),
    /// Numbers with their intervals, which are written as three columns.
    Estimates(Vec<Option<Estimate>>),
}

/// A row under those of the points: of what points share that differ in some axes alone.
#[derive(Debug, Clone, PartialEq)]
struct RowBelow {
    /// One of these points, and the axes on which they differ.
    shared: Option<(Point, Vec<String>)>,
    /// The cells that have a column of their name; all others are empty.
    cells: Vec<(String, TableCell)>,
}

/// Rows of points, under them rows of what was fitted to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// The points of the rows.
    pub keys: Vec<Point>,
    /// The columns that are written, in their order.
    columns: Vec<(String, ColumnCells)>,
    /// What is drawn in place of the column of this name.
    pub(super) drawn: BTreeMap<String, Vec<Option<Estimate>>>,
    below: Vec<RowBelow>,
    /// True if what is fitted is a quantity among others, with a mean; else it has columns of its
    /// own.
    has_quantities: bool,
    /// Definitions and warnings that belong under the table.
    pub notes: Vec<String>,
    /// The notes that belong in a caption too.
    pub warnings: Vec<String>,
    pub left_out: Vec<Missing>,
    /// Points that the rows are about without being theirs.
    pub also_shown: Vec<Point>,
    /// The points whose curves are drawn before others, where there are too many.
    pub plain: Vec<Point>,
    /// The best x of each curve, where it is marked and known.
    pub best: Vec<(Vec<String>, Estimate)>,
    /// The digits with which values of points are printed.
    pub digits: Digits,
}

/// Columns of what is fitted: its name, its value, and the ends of its interval.
const FITTED: [&str; 4] = ["fit", "value", "value_low", "value_high"];
/// The same in a frame of quantities.
const FITTED_QUANTITY: [&str; 4] = ["quantity", "mean", "mean_low", "mean_high"];

impl RowBelow {
    fn cell(&self, column: &String) -> TableCell {
        if let Some((_, cell)) = self.cells.iter().find(|(name, _)| name == column) {
            return cell.clone();
        }
        match (&self.shared, column.as_str()) {
            (Some((key, _)), "algorithm") => key.algorithm.as_str().into(),
            (Some((key, _)), "variant") => key.variant.as_str().into(),
            (Some((key, apart)), axis) if !apart.contains(column) => {
                key.axes.get(axis).map(|value| value.to_string()).into()
            }
            _ => TableCell::Empty,
        }
    }
}

impl Frame {
    /// The columns that say what was run, of items of these points: the algorithm, its variant, the
    /// axes `always`, and every other that any of the items has.
    pub fn of<'r, R>(items: &'r [R], point: PointOf<R>, always: &[&str]) -> Columns<'r, R> {
        Self::bare(items, point)
            .column("algorithm", |item| point(item).algorithm.clone())
            .column("variant", |item| point(item).variant.clone())
            .axes(always)
    }

    /// A frame without a column.
    pub fn bare<R>(items: &[R], point: PointOf<R>) -> Columns<'_, R> {
        let frame = Self {
            keys: items.iter().map(|item| point(item).clone()).collect(),
            ..Self::default()
        };
        Columns { items, frame }
    }

    /// A row under those of the points: of what points share that differ in the axes `apart` alone.
    /// Columns without a name are empty.
    pub fn push(&mut self, shared: Option<(&Point, &[String])>, named: &[(&str, TableCell)]) {
        let named = named.iter();
        self.below.push(RowBelow {
            shared: shared.map(|(key, apart)| (key.clone(), apart.to_vec())),
            cells: named.map(|it| (it.0.to_owned(), it.1.clone())).collect(),
        });
    }

    /// [`push`](Self::push) of a number that is given, with its name.
    pub fn push_given(&mut self, name: &str, value: f64) {
        let names = self.fitted_columns();
        let cells = [(names[0], name.into()), (names[1], value.into())];
        self.push(None, &cells);
    }

    /// The columns of what is fitted, which the frame has from now on.
    fn fitted_columns(&mut self) -> [&'static str; 4] {
        let names = if self.has_quantities {
            FITTED_QUANTITY
        } else {
            FITTED
        };
        for name in names {
            if self.column(name).is_none() && !self.has_quantities {
                let cells = ColumnCells::Plain(vec![TableCell::Empty; self.keys.len()]);
                self.add(name, cells);
            }
        }
        names
    }

    /// [`push`](Self::push) of a number fitted to the points.
    pub fn push_fit(&mut self, shared: (&Point, &[String]), name: &str, fitted: Estimate) {
        let names = self.fitted_columns();
        let mut named = vec![
            (names[0], name.into()),
            ("mean_is", "fit".into()),
            (names[1], fitted.value.into()),
        ];
        if [fitted.low, fitted.high] != [fitted.value; 2] {
            named.push((names[2], fitted.low.into()));
            named.push((names[3], fitted.high.into()));
        }
        self.push(Some(shared), &named);
    }

    /// What is written: a number with its interval in three columns.
    pub fn table(&self) -> FigureTable {
        let mut table = FigureTable {
            rows: vec![Vec::new(); self.keys.len()],
            notes: self.notes.clone(),
            ..FigureTable::default()
        };
        for (name, cells) in &self.columns {
            let ends = match cells {
                ColumnCells::Plain(_) => &[""][..],
                ColumnCells::Estimates(_) => &["", "_low", "_high"],
            };
            table
                .header
                .extend(ends.iter().map(|end| format!("{name}{end}")));
            for (index, row) in table.rows.iter_mut().enumerate() {
                match cells {
                    ColumnCells::Plain(cells) => row.push(cells[index].clone()),
                    ColumnCells::Estimates(numbers) => {
                        let number = numbers[index];
                        let value = number.map(|it| TableCell::from(it.value).bound(it.is_bound));
                        let ends = [number.map(|it| it.low), number.map(|it| it.high)];
                        row.push(value.into());
                        row.extend(ends.map(TableCell::from));
                    }
                }
            }
        }
        for row in &self.below {
            let cells = table.header.iter().map(|name| row.cell(name)).collect();
            table.rows.push(cells);
        }
        table
    }

    /// The number of rows that are written.
    pub fn height(&self) -> usize {
        self.keys.len() + self.below.len()
    }

    pub(super) fn add(&mut self, name: &str, cells: ColumnCells) {
        self.columns.push((name.to_owned(), cells));
    }

    /// Leaves points out of the figure.
    pub fn leave_out(&mut self, points: impl IntoIterator<Item = Point>, reason: &str) {
        let missing = points.into_iter().map(|it| (it, reason.to_owned()));
        self.left_out.extend(missing);
    }

    /// Leaves the points of these rows out of the figure.
    pub fn leave_out_rows(&mut self, rows: &[usize], reason: &str) {
        let points: Vec<Point> = rows.iter().map(|&row| self.keys[row].clone()).collect();
        self.leave_out(points, reason);
    }

    /// Keeps these rows alone.
    pub fn keep_rows(&mut self, rows: &[usize]) {
        fn kept<T: Clone>(all: &mut Vec<T>, rows: &[usize]) {
            *all = rows.iter().map(|&row| all[row].clone()).collect();
        }
        kept(&mut self.keys, rows);
        self.below.clear();
        self.drawn.values_mut().for_each(|it| kept(it, rows));
        for (_, cells) in &mut self.columns {
            match cells {
                ColumnCells::Plain(cells) => kept(cells, rows),
                ColumnCells::Estimates(numbers) => kept(numbers, rows),
            }
        }
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
        if words.is_empty() {
            lacking.to_owned()
        } else {
            format!("{words}without them {lacking}")
        }
    }

    /// Adds a note that the caption has too.
    pub fn warn(&mut self, words: &str) {
        self.notes.push(format!("{}.", capital(words)));
        self.warnings.push(words.to_owned());
    }

    fn column(&self, name: &str) -> Option<&ColumnCells> {
        Some(&self.columns.iter().find(|it| it.0 == name)?.1)
    }

    fn plain(&self, row: usize, column: &str) -> Option<&TableCell> {
        match self.column(column)? {
            ColumnCells::Plain(cells) => Some(&cells[row]),
            ColumnCells::Estimates(_) => None,
        }
    }

    /// The number in a column of [`Columns::estimate`] or [`Columns::drawn`].
    pub fn estimate(&self, row: usize, column: &str) -> Option<Estimate> {
        if let Some(numbers) = self.drawn.get(column) {
            return numbers[row];
        }
        match self.column(column)? {
            ColumnCells::Estimates(numbers) => numbers[row],
            ColumnCells::Plain(_) => None,
        }
    }

    /// The number of a row in any column of numbers.
    pub fn number(&self, row: usize, column: &str) -> Option<f64> {
        match (self.estimate(row, column), self.plain(row, column)) {
            (Some(number), _) => Some(number.value),
            (_, Some(TableCell::Real(value))) => Some(*value),
            (_, Some(TableCell::Count(value))) => Some(*value as f64),
            _ => None,
        }
    }

    /// The whole number of this row and column, if it is one.
    pub fn count(&self, row: usize, column: &str) -> Option<u64> {
        match self.plain(row, column) {
            Some(TableCell::Count(count)) => Some(*count),
            _ => None,
        }
    }

    /// True if a law may be fitted to the numbers of a column.
    pub fn has_errors(&self, column: &str) -> bool {
        let mut rows = 0..self.keys.len();
        rows.any(|row| {
            let number = self.estimate(row, column);
            number.is_some_and(|it| it.log_variance().is_some())
        })
    }

    /// The word in the column; empty where there is none.
    pub fn word(&self, row: usize, column: &str) -> &str {
        match self.plain(row, column) {
            Some(TableCell::Word(word)) => word,
            _ => "",
        }
    }

    /// How many trials a row is of, and how many of them were cut off.
    pub fn trials(&self, row: usize) -> Option<[u64; 2]> {
        let count = |column: &str| self.count(row, column);
        let cut_off = count("censored").or_else(|| count("cut_off"));
        Some([count("trials")?, cut_off.unwrap_or(0)])
    }
}

/// The word in `mean_is`.
pub fn mean_is(mean: Estimate) -> &'static str {
    if mean.is_bound { "lower bound" } else { "mean" }
}

/// What follows the name of a law's row where the points reject the law: the number is that between
/// the first and the last one.
pub fn between_ends(agreement: &Agreement) -> &'static str {
    if agreement.fits() {
        ""
    } else {
        "_between_ends"
    }
}
