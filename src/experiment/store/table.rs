//! Rows ↔ files of Parquet. The same rows give the same bytes: one chunk, fixed row groups and
//! pages, fixed compression, no parallel encoding; nothing is read that was not checked first.

mod column;
mod key;
mod reader;
mod writer;

use std::cmp::Ordering;
use std::sync::Arc;

use polars::prelude::*;

pub use self::column::Column;
pub use self::key::Axes;
pub use self::reader::{OneByOne, Reader, is_guarded};
pub use self::writer::{Output, Writer, write_at_once};

use super::{Point, Record};
use crate::experiment::plan::Plan;
use crate::solver::outcome::Since;

/// Rows in a row group of the tables of a complete run.
pub(crate) const GROUP: usize = 1 << 16;

/// A row of a table, which is of a trial.
pub trait TableRow: Clone + Send + Sync + 'static {
    /// A row that says nothing else yet.
    fn blank(point: Arc<Point>, seed: u64, trial: u32) -> Self;

    /// Point, seed and index of its trial.
    fn trial(&self) -> (&Arc<Point>, u64, u32);

    /// `trial 3 of seed 1 at pair n=8`.
    fn trial_in_words(&self) -> String {
        let (point, seed, trial) = self.trial();
        format!("trial {trial} of seed {seed} at {point}")
    }

    /// Observations and moves in it.
    fn entries(&self) -> usize {
        0
    }

    /// Whether each row may be that of a trial of the plan.
    fn are_of(_rows: &[Self], _plan: &Plan) -> bool {
        true
    }
}

/// What a table is: the columns beside the key, and what its rows must be.
pub struct Table<R> {
    /// Name of the file in a run's folder.
    pub file: &'static str,
    /// In their order.
    pub columns: Vec<Column<R>>,
    /// Rows in a row group, at most.
    pub group: usize,
    /// Adds the rows of a record.
    pub of: fn(&Record, &mut Vec<R>),
    /// What is wrong with a row as a whole, or after another one of its trial.
    pub check: fn(&R, Option<&R>) -> PolarsResult<()>,
}

impl<R: TableRow> Table<R> {
    /// The columns of these rows.
    ///
    /// # Errors
    /// A point with a value that its axis' column cannot hold.
    pub fn frame(&self, axes: &Axes, rows: &[R]) -> PolarsResult<DataFrame> {
        let mut columns = key::columns(axes, rows)?;
        let own = self.columns.iter().map(|column| (column.encode)(rows));
        columns.extend(own.map(Series::into_column));
        DataFrame::new(rows.len(), columns)
    }

    /// The rows of these columns.
    fn rows(&self, frame: &DataFrame) -> PolarsResult<Vec<R>> {
        let mut rows = key::rows(frame)?;
        // From the last: what a column says may depend on those after it.
        for column in self.columns.iter().rev() {
            match frame.column(column.name) {
                Ok(values) => (column.decode)(values.as_materialized_series(), &mut rows)?,
                // An older file, where it is null throughout.
                Err(_) if column.since == Since::Later => {}
                Err(error) => return Err(error),
            }
        }
        Ok(rows)
    }

    /// Refuses a row that is wrong, or may not come after the one before.
    fn refuse_wrong(&self, row: &R, before: Option<&R>) -> PolarsResult<()> {
        let order = before.map_or(Ordering::Less, |before| before.trial().cmp(&row.trial()));
        match order {
            Ordering::Less => (self.check)(row, None),
            Ordering::Equal => (self.check)(row, before),
            Ordering::Greater => Err(misplaced(row, "not in its place")),
        }
    }
}

/// A row that is not where it should be.
pub(crate) fn misplaced<R: TableRow>(row: &R, how: &str) -> PolarsError {
    let reason = format!("the row of {} is there {how}", row.trial_in_words());
    PolarsError::ComputeError(reason.into())
}

/// A value that a column cannot have.
pub(crate) fn unexpected(column: &str, found: &str) -> PolarsError {
    let reason = format!("column {column}: {found:?} is not a value of this schema");
    PolarsError::ComputeError(reason.into())
}
