//! A table as typed columns: what a figure draws of its rows, and what is written of them. Here are
//! the columns of what was fitted (`fit`, `value`, `value_low`, `value_high`), columns of trials
//! that differ from `trials`, and `…_between_ends`.
//!
//! Read `columns` (how a table gets its columns), then this file (`Table::written` has the header
//! and the order of columns), `divided` (`over`) and `written` (CSV, with its `_is_bound`, and
//! Markdown). Names of columns and the form of their numbers are a format (docs/data.md).

mod columns;
mod divided;
pub(crate) mod written;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

pub use self::columns::Columns;
use self::written::FigureTable;
pub use self::written::TableCell;
use crate::analysis::estimate::Estimate;
use crate::analysis::regression::Agreement;
use crate::html::counted;
use crate::report::words::points::{Digits, capital, grouped};
use crate::solver::Point;

/// What an item is of.
pub type PointOf<R> = fn(&R) -> &Point;

/// The end of the reasons of points that a linear axis would show.
pub const NOT_ON_LOGARITHMIC: &str = "has no place on a logarithmic axis";

/// The beginning of the reasons of points without a number.
pub const LACKS: &str = "has no ";

/// A point that a figure does not show, and why.
pub type Missing = (Point, String);

/// The cells of a column, one for each row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ColumnCells {
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
pub struct Table {
    /// The points of the rows.
    pub keys: Vec<Point>,
    /// The columns that are written, in their order.
    columns: Vec<(String, ColumnCells)>,
    /// What is drawn in place of the column of this name.
    pub(crate) drawn: BTreeMap<String, Vec<Option<Estimate>>>,
    /// Of numbers that are of other trials than the columns `trials` and `censored` say: trials,
    /// and those of them that were cut off.
    pub(crate) counts: BTreeMap<String, Vec<Option<[u64; 2]>>>,
    below: Vec<RowBelow>,
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

impl RowBelow {
    fn cell(&self, column: &String) -> TableCell {
        if let Some((_, cell)) = self.cells.iter().find(|(name, _)| name == column) {
            return cell.clone();
        }
        match (&self.shared, column.as_str()) {
            (Some((key, _)), "algorithm") => key.algorithm.as_str().into(),
            (Some((key, _)), "variant") => key.variant.as_str().into(),
            (Some((key, apart)), axis) if !apart.contains(column) => key.axes.get(axis).into(),
            _ => TableCell::Empty,
        }
    }
}

impl Table {
    /// The columns that say what was run, of items of these points: the algorithm, its variant, the
    /// axes `always`, and every other that any of the items has; the goal of searches.
    pub fn of<'r, R>(items: &'r [R], point: PointOf<R>, always: &[&str]) -> Columns<'r, R> {
        Self::bare(items, point)
            .column("algorithm", |item| point(item).algorithm.clone())
            .column("variant", |item| point(item).variant.clone())
            .axes(always)
            .goal()
    }

    /// A table without a column.
    pub fn bare<R>(items: &[R], point: PointOf<R>) -> Columns<'_, R> {
        let table = Self {
            keys: items.iter().map(|item| point(item).clone()).collect(),
            ..Self::default()
        };
        Columns { items, table }
    }

    /// A row under those of the points: of what points share that differ in the axes `apart` alone.
    /// Columns without a name are empty.
    pub fn push(&mut self, shared: Option<(&Point, &[String])>, named: &[(&str, TableCell)]) {
        let named = named.iter();
        self.below.push(RowBelow {
            shared: shared.map(|(key, apart)| (key.clone(), apart.to_vec())),
            cells: named
                .map(|(column, cell)| ((*column).to_owned(), cell.clone()))
                .collect(),
        });
    }

    /// [`push`](Self::push) of a number fitted to the points.
    pub fn push_fit(&mut self, shared: (&Point, &[String]), name: &str, fitted: Estimate) {
        self.push_number(Some(shared), &[], name, fitted);
    }

    /// [`push_number`](Self::push_number) of a number that is given, with its name.
    pub fn push_given(&mut self, name: &str, value: f64) {
        self.push_number(None, &[], name, Estimate::exactly(value));
    }

    /// A number under the rows of the points, after other cells of its row.
    pub fn push_number(
        &mut self,
        shared: Option<(&Point, &[String])>,
        others: &[(&str, TableCell)],
        name: &str,
        fitted: Estimate,
    ) {
        for name in FITTED {
            if self.column(name).is_none() {
                let cells = ColumnCells::Plain(vec![TableCell::Empty; self.keys.len()]);
                self.add(name, cells);
            }
        }
        let mut named = vec![(FITTED[0], name.into()), (FITTED[1], fitted.value.into())];
        if [fitted.low, fitted.high] != [fitted.value; 2] {
            named.push((FITTED[2], fitted.low.into()));
            named.push((FITTED[3], fitted.high.into()));
        }
        named.extend(others.iter().cloned());
        self.push(shared, &named);
    }

    /// What is written: a number with its interval in three columns. Each column goes when it is
    /// written: of 10⁵ points all of them have 70 MB.
    pub fn written(mut self) -> FigureTable {
        let trials = (0..self.keys.len()).map(|row| self.trials_of_row(row));
        let trials: Vec<Option<[u64; 2]>> = trials.collect();
        // A number may have two columns of counts, too.
        let most_columns = self.columns.len() + 4 * self.numbers().len();
        let rows = trials.iter().map(|_| Vec::with_capacity(most_columns));
        let mut table = FigureTable {
            rows: rows.collect(),
            notes: std::mem::take(&mut self.notes),
            ..FigureTable::default()
        };
        for (name, cells) in std::mem::take(&mut self.columns) {
            match cells {
                ColumnCells::Plain(cells) => table.add(&name, cells.into_iter()),
                ColumnCells::Estimates(numbers) => {
                    add_numbers(&mut table, &name, &numbers);
                    for (index, end) in [(0, "trials"), (1, "censored")] {
                        if let Some(counts) = self.own_counts(&name, index, &trials) {
                            table.add(&format!("{name}_{end}"), counts.into_iter());
                        }
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

    pub(crate) fn add(&mut self, name: &str, cells: ColumnCells) {
        self.columns.push((name.to_owned(), cells));
    }

    /// Leaves points out of the figure.
    pub fn leave_out(&mut self, points: impl IntoIterator<Item = Point>, reason: &str) {
        let missing = points.into_iter().map(|point| (point, reason.to_owned()));
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
        self.drawn
            .values_mut()
            .for_each(|numbers| kept(numbers, rows));
        self.counts
            .values_mut()
            .for_each(|counts| kept(counts, rows));
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
            .map(|(point, reason)| (reason.as_str(), point))
            .collect();
        let mut words = String::new();
        for points in grouped(left_out, |missing| missing.0).iter().take(3) {
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

    /// The names of the columns of numbers with intervals.
    pub(crate) fn numbers(&self) -> Vec<String> {
        let columns = self.columns.iter();
        let numbers = columns.filter(|(_, cells)| matches!(cells, ColumnCells::Estimates(_)));
        numbers.map(|(name, _)| name.clone()).collect()
    }

    fn column(&self, name: &str) -> Option<&ColumnCells> {
        Some(&self.columns.iter().find(|column| column.0 == name)?.1)
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
            number.is_some_and(|number| number.log_variance().is_some())
        })
    }

    /// The word in the column; empty where there is none.
    pub fn word(&self, row: usize, column: &str) -> &str {
        match self.plain(row, column) {
            Some(TableCell::Word(word)) => word,
            _ => "",
        }
    }

    /// How many trials a number of a column is of, and how many of them were cut off.
    pub fn trials(&self, row: usize, column: &str) -> Option<[u64; 2]> {
        match self.counts.get(column) {
            Some(counts) => counts[row],
            None => self.trials_of_row(row),
        }
    }

    /// How many trials a row is of, and how many of them were cut off.
    pub(crate) fn trials_of_row(&self, row: usize) -> Option<[u64; 2]> {
        let count = |column: &str| self.count(row, column);
        let cut_off = count("censored").unwrap_or(0);
        Some([count("trials")?, cut_off])
    }

    /// The counts of a column that are not those of its rows: trials, or those that were cut off.
    fn own_counts(
        &self,
        column: &str,
        index: usize,
        of_rows: &[Option<[u64; 2]>],
    ) -> Option<Vec<TableCell>> {
        let counts = self.counts.get(column)?;
        let is_other = |(known, of_row): (&Option<[u64; 2]>, &Option<[u64; 2]>)| {
            let both = known.zip(*of_row);
            both.is_some_and(|(known, of_row)| known[index] != of_row[index])
        };
        if !counts.iter().zip(of_rows).any(is_other) {
            return None;
        }
        let cells = counts
            .iter()
            .map(|known| known.map(|counts| counts[index]).into());
        Some(cells.collect())
    }

    /// Frames of points beside each other: a row for each point of one of them, in this order.
    pub fn beside(mut tables: Vec<Self>, order: impl Fn(&Point, &Point) -> Ordering) -> Self {
        if tables.len() == 1 {
            return tables.remove(0);
        }
        let keys = tables.iter().flat_map(|table| table.keys.iter().cloned());
        let points: BTreeSet<Point> = keys.collect();
        let keys: Vec<Point> = points.into_iter().sorted_by(order).collect();
        let mut all = Self {
            keys,
            ..Self::default()
        };
        for table in tables {
            let of: BTreeMap<&Point, usize> = table.keys.iter().zip(0..).collect();
            let rows: Vec<Option<usize>> =
                all.keys.iter().map(|key| of.get(key).copied()).collect();
            all.lay_beside(&table, &rows);
        }
        let drawn: BTreeSet<&Point> = all.keys.iter().collect();
        let is_elsewhere =
            |(point, reason): &Missing| reason.starts_with(LACKS) && drawn.contains(point);
        all.left_out.retain(|missing| !is_elsewhere(missing));
        all.notes = all.notes.into_iter().unique().collect();
        all.warnings = all.warnings.into_iter().unique().collect();
        all
    }

    /// Adds the columns of a table, whose row of each row is known.
    fn lay_beside(&mut self, table: &Self, rows: &[Option<usize>]) {
        for (name, cells) in &table.columns {
            let own = match cells {
                ColumnCells::Plain(cells) => {
                    let cell = |row: &Option<usize>| {
                        row.map_or(TableCell::Empty, |row| cells[row].clone())
                    };
                    ColumnCells::Plain(rows.iter().map(cell).collect())
                }
                ColumnCells::Estimates(numbers) => {
                    let counts = rows.iter().map(|row| table.trials((*row)?, name));
                    self.counts.insert(name.clone(), counts.collect());
                    let number = |row: &Option<usize>| row.and_then(|row| numbers[row]);
                    ColumnCells::Estimates(rows.iter().map(number).collect())
                }
            };
            let known = self.columns.iter_mut().find(|(other, _)| other == name);
            match (known, own) {
                (Some((_, ColumnCells::Plain(known))), ColumnCells::Plain(own)) => {
                    for (cell, other) in known.iter_mut().zip(own) {
                        if *cell == TableCell::Empty {
                            *cell = other;
                        }
                    }
                }
                (_, own) => self.add(name, own),
            }
        }
        self.below.extend(table.below.iter().cloned());
        self.notes.extend(table.notes.iter().cloned());
        self.warnings.extend(table.warnings.iter().cloned());
        self.left_out.extend(table.left_out.iter().cloned());
        self.also_shown.extend(table.also_shown.iter().cloned());
    }
}

/// Adds the columns of numbers and of the ends of their intervals.
fn add_numbers(table: &mut FigureTable, name: &str, numbers: &[Option<Estimate>]) {
    let numbers = || numbers.iter().copied();
    let value = |estimate: Estimate| TableCell::from(estimate.value).bound(estimate.is_bound);
    table.add(name, numbers().map(|number| number.map(value).into()));
    let low = numbers().map(|number| number.map(|estimate| estimate.low).into());
    table.add(&format!("{name}_low"), low);
    let high = numbers().map(|number| number.map(|estimate| estimate.high).into());
    table.add(&format!("{name}_high"), high);
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
