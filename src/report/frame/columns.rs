//! How a frame gets its columns: a definition of each, for all rows.

use itertools::Itertools;

use super::{AtPoint, Datum, Frame, Missing, NumberColumn, mean_is};
use crate::analysis::average::Average;
use crate::analysis::mean::{Estimate, Mean};
use crate::analysis::quantile::Quantile;
use crate::analysis::summary::{PointSummary, Summary};
use crate::report::table::{Table, TableCell};

/// What may be a number: a point may have none.
pub trait Known {
    fn number(self) -> Option<Datum>;
}

macro_rules! known {
    ($($of:ty),*) => {
        $(impl Known for $of {
            fn number(self) -> Option<Datum> {
                Some(self.into())
            }
        })*
    };
}

known!(Datum, Estimate, (Estimate, bool), Mean, &Summary, Average);

impl<K: Known> Known for Option<K> {
    fn number(self) -> Option<Datum> {
        self?.number()
    }
}

/// A frame that gets its columns, each from the same items.
pub struct Columns<'r, R> {
    pub(super) items: &'r [R],
    pub frame: Frame,
}

impl<R: AtPoint> Columns<'_, R> {
    /// The axes `always`, and every other that any of the items has.
    pub fn axes(mut self, always: &[&str]) -> Self {
        let axes = self.items.iter().flat_map(|it| it.point().axes.by_name());
        let others = axes.map(|(name, _)| name);
        let others = others.filter(|it| !always.contains(it)).sorted().dedup();
        for name in always.iter().copied().chain(others) {
            let value = |item: &R| item.point().axes.get(name).map(|value| value.to_string());
            self = self.column(name, value);
        }
        self
    }
}

impl<R> Columns<'_, R> {
    /// The definition of a column.
    pub fn column<C: Into<TableCell>>(mut self, name: &str, cell: impl Fn(&R) -> C) -> Self {
        let Table { header, rows, .. } = &mut self.frame.table;
        header.push(name.to_owned());
        for (row, item) in rows.iter_mut().zip(self.items) {
            row.push(cell(item).into());
        }
        self
    }

    /// Columns that only what was fitted to the points fills.
    pub fn empty(self, names: &[&str]) -> Self {
        names.iter().fold(self, |columns, name| {
            columns.column(name, |_| TableCell::Empty)
        })
    }

    /// Three columns: a number and the ends of its interval.
    pub fn estimate<N: Known>(self, name: &str, of: impl Fn(&R) -> N) -> Self {
        let mut columns = self.drawn(name, of);
        let Frame { table, numbers, .. } = &mut columns.frame;
        let numbers = numbers.last().map_or(&[][..], |it| &it.numbers);
        table
            .header
            .extend(["", "_low", "_high"].map(|end| format!("{name}{end}")));
        for (row, number) in table.rows.iter_mut().zip(numbers) {
            let ends = number.map(|it| it.estimate);
            let ends = ends.map(|it| [it.value, it.interval.low, it.interval.high]);
            row.extend([0, 1, 2].map(|end| ends.map(|it| it[end]).into()));
        }
        columns
    }

    /// What is drawn under this name and not written.
    pub fn drawn<N: Known>(mut self, name: &str, of: impl Fn(&R) -> N) -> Self {
        let numbers = self.items.iter().map(|it| of(it).number()).collect();
        let name = name.to_owned();
        self.frame.numbers.push(NumberColumn { name, numbers });
        self
    }

    /// Three columns: a quantile and the ends of its interval.
    pub fn quantile(self, name: &str, of: impl Fn(&R) -> Quantile) -> Self {
        let high = |item: &R| match of(item).high {
            Some(high) => high.into(),
            None => TableCell::Real(f64::INFINITY),
        };
        self.column(name, |item| of(item).value)
            .column(&format!("{name}_low"), |item| of(item).low)
            .column(&format!("{name}_high"), high)
    }

    /// What was measured on how many trials, and how.
    pub fn measured(self, of: impl Fn(&R) -> (&PointSummary, &Summary)) -> Self {
        self.column("quantity", |item| of(item).1.quantity.name())
            .column("trials", |item| of(item).0.trials)
            .column("censored", |item| of(item).1.censored)
            .column("cutoff", |item| of(item).0.cutoff)
            .column("mean_is", |item| mean_is(of(item).1.is_lower_bound()))
            .column("method", |item| of(item).1.method)
    }

    pub fn note(mut self, note: &str) -> Self {
        self.frame.table.notes.push(note.to_owned());
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
            self.frame.warn(words);
        }
        self
    }

    /// The frame with the points that it does not show.
    pub fn left_out(mut self, left_out: Vec<Missing>) -> Self {
        self.frame.left_out = left_out;
        self
    }
}
