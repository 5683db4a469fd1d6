//! Rows ↔ files of Parquet. The same rows give the same bytes: one chunk, fixed row groups and
//! pages, fixed compression, no parallel encoding; nothing is read that was not checked first.

mod at_once;
mod column;
mod key;
mod pieces;

use std::cmp::Ordering;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

pub use self::at_once::{Output, write_at_once};
pub use self::column::Column;
pub use self::key::Axes;
pub use self::pieces::is_guarded;

use self::pieces::Pieces;
use super::checked::CheckedFile;
use super::{Point, Record, StoreError};
use crate::experiment::plan::Plan;
use crate::solver::outcome::Since;

/// Bytes in a data page, about.
const PAGE: usize = 1 << 20;

/// Rows in a row group of the tables of a complete run.
pub const GROUP: usize = 1 << 16;

/// Observations and moves in a row group of a part, and in a batch of records, at most, unless one
/// trial alone has more.
pub const MOST_IN_COURSES: usize = 1 << 16;

/// A row of a table, which is of a trial.
pub trait TableRow: Clone + Send + Sync + 'static {
    /// A row that says nothing else yet.
    fn blank(point: Arc<Point>, seed: u64, trial: u32) -> Self;

    /// Point, seed and index of its trial.
    fn trial(&self) -> (&Arc<Point>, u64, u32);

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
        let (point, seed, trial) = row.trial();
        let order = before.map_or(Ordering::Less, |before| {
            let (its_point, its_seed, its_trial) = before.trial();
            let points = match Arc::ptr_eq(its_point, point) {
                true => Ordering::Equal,
                false => its_point.order(point),
            };
            points.then((its_seed, its_trial).cmp(&(seed, trial)))
        });
        match order {
            Ordering::Less => (self.check)(row, None),
            Ordering::Equal => (self.check)(row, before),
            Ordering::Greater => Err(misplaced(row, "not in its place")),
        }
    }
}

/// A row that is not where it should be.
pub fn misplaced<R: TableRow>(row: &R, how: &str) -> PolarsError {
    let (point, seed, trial) = row.trial();
    let reason = format!("the row of trial {trial} of seed {seed} at {point} is there {how}");
    PolarsError::ComputeError(reason.into())
}

/// Writes a table, whose bytes depend on the rows alone, whatever batches they come in.
pub struct Writer<R, W: Write> {
    table: Table<R>,
    axes: Axes,
    writer: BatchedWriter<W>,
    waiting: Vec<R>,
    /// Observations and moves of those.
    entries: usize,
    rows: u64,
}

impl<R: TableRow, W: Write> Writer<R, W> {
    /// A writer of rows whose points have no further axes than these.
    ///
    /// # Errors
    /// Polars' own, none of which a writer that works can cause.
    pub fn new(table: Table<R>, axes: &Axes, writer: W) -> PolarsResult<Self> {
        let writer = ParquetWriter::new(writer)
            // zstd's default level: which one that is, is fixed by Cargo.lock, as the code version
            // is.
            .with_compression(ParquetCompression::Zstd(None))
            .with_data_page_size(Some(PAGE))
            .set_parallel(false)
            .batched(table.frame(axes, &[])?.schema())?;
        Ok(Self {
            table,
            axes: axes.clone(),
            writer,
            waiting: Vec::new(),
            entries: 0,
            rows: 0,
        })
    }

    /// Adds the rows of a record.
    ///
    /// # Errors
    /// Those of the writer underneath; a point with a value that its axis' column cannot hold.
    pub fn write(&mut self, record: &Record) -> PolarsResult<()> {
        let old = self.waiting.len();
        (self.table.of)(record, &mut self.waiting);
        let new: usize = self.waiting[old..].iter().map(TableRow::entries).sum();
        if old > 0 && self.entries + new > MOST_IN_COURSES {
            self.write_first(old)?;
        }
        self.entries += new;
        while self.waiting.len() >= self.table.group {
            self.write_first(self.table.group)?;
        }
        Ok(())
    }

    /// Writes what is left and the footer; returns the number of rows.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn finish(mut self) -> PolarsResult<u64> {
        if !self.waiting.is_empty() {
            self.write_first(self.waiting.len())?;
        }
        self.writer.finish()?;
        Ok(self.rows)
    }

    /// Writes a row group of the first rows that wait.
    fn write_first(&mut self, rows: usize) -> PolarsResult<()> {
        let frame = self.table.frame(&self.axes, &self.waiting[..rows])?;
        self.writer.write_batch(&frame)?;
        self.waiting.drain(..rows);
        self.entries = 0;
        self.rows += rows as u64;
        Ok(())
    }
}

/// Reads a table, batch by batch: as many rows as stand in a row group.
pub struct Reader<R> {
    table: Table<R>,
    pieces: Pieces,
    /// The row that was read last.
    last: Option<R>,
    /// What the rows must be of.
    plan: Option<Arc<Plan>>,
}

impl<R: TableRow> Reader<R> {
    /// A reader of a checked file.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are no Parquet of this schema.
    pub fn new(table: Table<R>, file: CheckedFile) -> Result<Self, StoreError> {
        Ok(Self {
            pieces: Pieces::new(file, table.group)?,
            table,
            last: None,
            plan: None,
        })
    }

    /// A reader of the file at `path`, which must have this checksum.
    ///
    /// # Errors
    /// As [`Self::new`]; another checksum.
    pub fn open(table: Table<R>, path: &Path, checksum: &str) -> Result<Self, StoreError> {
        Self::new(table, CheckedFile::open(path, checksum)?)
    }

    /// The same rows, refused where the plan has none such.
    #[must_use]
    pub fn of_plan(self, plan: Option<Arc<Plan>>) -> Self {
        Self { plan, ..self }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        self.pieces.path()
    }

    /// The axes beyond those of every table.
    pub fn axes(&self) -> Axes {
        self.pieces.axes()
    }

    /// All rows of the table.
    pub fn rows(&self) -> u64 {
        self.pieces.rows()
    }

    /// The rows that are left, one by one.
    pub fn one_by_one(self) -> impl Iterator<Item = Result<R, StoreError>> {
        self.flat_map(|batch| {
            let (rows, error) = match batch {
                Ok(rows) => (rows, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            rows.into_iter().map(Ok).chain(error)
        })
    }

    fn next_batch(&mut self) -> Result<Option<Vec<R>>, StoreError> {
        let Some(frame) = self.pieces.next()? else {
            return Ok(None);
        };
        let damaged = |error| StoreError::format(self.path(), error);
        let rows = self.table.rows(&frame).map_err(damaged)?;
        let mut last = self.last.as_ref();
        for row in &rows {
            self.table.refuse_wrong(row, last).map_err(damaged)?;
            last = Some(row);
        }
        if self.plan.as_ref().is_some_and(|it| !R::are_of(&rows, it)) {
            let reason = "its rows are not this plan's";
            return Err(StoreError::format(self.path(), reason));
        }
        self.last = rows.last().cloned().or(self.last.take());
        Ok(Some(rows))
    }
}

impl<R: TableRow> Iterator for Reader<R> {
    type Item = Result<Vec<R>, StoreError>;

    /// The rows of the next row group, or what is wrong with the table; then nothing is to be asked
    /// any more.
    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

/// A value that a column cannot have.
pub fn unexpected(column: &str, found: &str) -> PolarsError {
    PolarsError::ComputeError(
        format!("column {column}: {found:?} is not a value of this schema").into(),
    )
}
