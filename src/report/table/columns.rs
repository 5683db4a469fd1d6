//! How a table gets its columns: a definition of each, for all rows. Which axes have a column in a
//! table is decided here.

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::analysis::measured::Measured;
use crate::report::table::written::TableCell;
use crate::report::table::{ColumnCells, Missing, Table};
use crate::solver::Point;
use crate::solver::goal::Goal;

/// A table that gets its columns, each from the same items.
pub struct Columns<'r, R> {
    pub(crate) items: &'r [R],
    pub table: Table,
}

impl<R> Columns<'_, R> {
    /// The axes `always`, and every other that any of the points has.
    pub fn axes(mut self, always: &[&str]) -> Self {
        let keys = self.table.keys.clone();
        let axes = keys.iter().flat_map(|key| key.axes.by_name());
        let others = axes.map(|(name, _)| name);
        let others = others
            .filter(|axis| !always.contains(axis))
            .sorted()
            .dedup();
        for name in always.iter().copied().chain(others) {
            let value = |key: &Point| key.axes.get(name).into();
            let cells = ColumnCells::Plain(keys.iter().map(value).collect());
            self.table.add(name, cells);
        }
        self
    }

    /// The goal, where any of the points has one.
    pub(crate) fn goal(self) -> Self {
        let goals = self
            .table
            .keys
            .iter()
            .map(|point| point.goal.map(Goal::name));
        let cells: Vec<TableCell> = goals.map(TableCell::from).collect();
        let mut columns = self;
        if cells.iter().any(|cell| *cell != TableCell::Empty) {
            columns.table.add("goal", ColumnCells::Plain(cells));
        }
        columns
    }

    /// The definition of a column.
    pub fn column<C: Into<TableCell>>(mut self, name: &str, cell: impl Fn(&R) -> C) -> Self {
        let cells = self.items.iter().map(|item| cell(item).into());
        self.table.add(name, ColumnCells::Plain(cells.collect()));
        self
    }

    /// Columns that only what was fitted to the points fills.
    pub fn empty(self, names: &[&str]) -> Self {
        names.iter().fold(self, |columns, name| {
            columns.column(name, |_| TableCell::Empty)
        })
    }

    /// A number with its interval; a point may have none.
    pub fn estimate<N: Into<Option<Estimate>>>(mut self, name: &str, of: impl Fn(&R) -> N) -> Self {
        let numbers = self.items.iter().map(|item| of(item).into()).collect();
        self.table.add(name, ColumnCells::Estimates(numbers));
        self
    }

    /// What is drawn under this name in place of what is written.
    pub fn drawn<N: Into<Option<Estimate>>>(mut self, name: &str, of: impl Fn(&R) -> N) -> Self {
        let numbers = self.items.iter().map(|item| of(item).into()).collect();
        self.table.drawn.insert(name.to_owned(), numbers);
        self
    }

    /// A number of a point with its trials.
    pub fn measured(mut self, name: &str, of: impl Fn(&R) -> Option<Measured>) -> Self {
        let counts = |found: Measured| [found.estimate.trials, found.censored];
        let counts = self.items.iter().map(|item| of(item).map(counts));
        self.table.counts.insert(name.to_owned(), counts.collect());
        self.estimate(name, |item| of(item).map(|found| found.estimate))
    }

    /// The trials that something was measured on.
    pub fn trials(self, of: impl Fn(&R) -> Measured) -> Self {
        self.column("trials", |item| of(item).estimate.trials)
            .column("censored", |item| of(item).censored)
            .column("cutoff", |item| of(item).cutoff)
    }

    pub fn note(mut self, note: &str) -> Self {
        self.table.notes.push(note.to_owned());
        self
    }

    /// A note, where any of the items is so.
    pub fn note_if(self, is_so: impl Fn(&R) -> bool, note: &str) -> Self {
        let is_there = self.items.iter().any(is_so);
        if is_there { self.note(note) } else { self }
    }

    /// A note that the caption has too, where any of the items is so.
    pub fn warn_if(mut self, is_so: impl Fn(&R) -> bool, words: &str) -> Self {
        if self.items.iter().any(is_so) {
            self.table.warn(words);
        }
        self
    }

    /// The table with the points that it does not show.
    pub fn left_out(mut self, left_out: Vec<Missing>) -> Self {
        self.table.left_out = left_out;
        self
    }
}
