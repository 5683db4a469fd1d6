//! A table read: its bytes are decoded at once, and its rows made some at a time.

use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::*;

use super::{Axes, GROUP, StoredTable, TableRow, key};
use crate::experiment::provenance::FileSeal;
use crate::experiment::store::{Point, StoreError, checked};

/// A table in memory, sorted by point, seed and trial: the rows of a point are a range.
pub struct Table {
    /// The columns, each in one piece.
    pub frame: DataFrame,
    /// The points in their order, each with its rows.
    pub points: Vec<(Point, Range<usize>)>,
}

impl Table {
    /// The table of the bytes of a file.
    ///
    /// # Errors
    /// Bytes that are no table of this schema.
    pub fn of_bytes(bytes: Vec<u8>) -> PolarsResult<Self> {
        let frame = decode(bytes)?;
        let points = key::points(&frame)?;
        Ok(Self { frame, points })
    }

    /// The rows of a point; none where it has none.
    pub fn range(&self, point: &Point) -> Range<usize> {
        let found = self.points.binary_search_by(|(own, _)| own.order(point));
        found.map_or(0..0, |at| self.points[at].1.clone())
    }
}

/// The columns of a file, each in one piece.
fn decode(bytes: Vec<u8>) -> PolarsResult<DataFrame> {
    let mut reader = ParquetReader::new(Cursor::new(bytes)).set_rechunk(true);
    let schema = reader.schema()?;
    let wanted = key::wanted(&schema)?;
    reader.with_projection(Some(wanted)).finish()
}

/// Reads the rows of a table in batches.
pub struct Reader<R> {
    table: StoredTable<R>,
    path: PathBuf,
    frame: DataFrame,
    axes: Axes,
    /// Rows that were read.
    read: usize,
}

impl<R: TableRow> Reader<R> {
    /// A reader of the bytes of the file at `path`.
    ///
    /// # Errors
    /// Bytes that are no table of this schema.
    pub fn new(table: StoredTable<R>, path: PathBuf, bytes: Vec<u8>) -> Result<Self, StoreError> {
        let frame = decode(bytes).map_err(|error| StoreError::format(&path, error))?;
        let axes = Axes::of_frame(&frame);
        Ok(Self {
            table,
            path,
            frame,
            axes,
            read: 0,
        })
    }

    /// A reader of the file at `path`, which must have this seal.
    ///
    /// # Errors
    /// As [`Self::new`]; another checksum.
    pub fn open(table: StoredTable<R>, path: &Path, seal: &FileSeal) -> Result<Self, StoreError> {
        Self::new(table, path.into(), checked::read(path, seal)?)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The axes beyond those of every table.
    pub fn axes(&self) -> Axes {
        self.axes.clone()
    }

    /// All rows of the table.
    pub fn rows(&self) -> u64 {
        self.frame.height() as u64
    }

    /// The rows that are left, one by one.
    pub fn row_by_row(self) -> RowByRow<R> {
        RowByRow {
            reader: self,
            batch: Vec::new().into_iter(),
            same: None,
        }
    }

    fn next_batch(&mut self) -> Result<Option<Vec<R>>, StoreError> {
        if self.read >= self.frame.height() {
            return Ok(None);
        }
        let frame = self.frame.slice(self.read as i64, GROUP);
        self.read += frame.height();
        let rows = self.table.rows(&frame);
        rows.map(Some)
            .map_err(|error| StoreError::format(self.path(), error))
    }
}

impl<R: TableRow> Iterator for Reader<R> {
    type Item = Result<Vec<R>, StoreError>;

    /// The next rows, or what is wrong with the table; then nothing is to be asked any more.
    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

/// The rows of a table, one by one. After an error nothing more is to be asked.
pub struct RowByRow<R: TableRow> {
    reader: Reader<R>,
    /// What is left of those that were read last.
    batch: std::vec::IntoIter<R>,
    /// The points of a trial and of a row that were found to be the same last.
    same: Option<[Arc<Point>; 2]>,
}

impl<R: TableRow> Iterator for RowByRow<R> {
    type Item = Result<R, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.batch.next() {
            Some(row) => Some(Ok(row)),
            None => match self.read() {
                Ok(()) => self.batch.next().map(Ok),
                Err(error) => Some(Err(error)),
            },
        }
    }
}

impl<R: TableRow> RowByRow<R> {
    /// The path of the table.
    pub(crate) fn path(&self) -> &Path {
        self.reader.path()
    }

    /// Reads on where nothing is left of what was read.
    fn read(&mut self) -> Result<(), StoreError> {
        while self.batch.as_slice().is_empty() {
            match self.reader.next_batch()? {
                Some(rows) => self.batch = rows.into_iter(),
                None => break,
            }
        }
        Ok(())
    }

    /// The row that comes next.
    pub(crate) fn peek(&mut self) -> Result<Option<&R>, StoreError> {
        self.read()?;
        Ok(self.batch.as_slice().first())
    }

    /// The rows of a trial, if the next ones are: this must come after those of the calls before.
    pub(crate) fn take_of(&mut self, trial: &impl TableRow) -> Result<Vec<R>, StoreError> {
        let (point, seed, trial) = trial.trial();
        let mut taken = Vec::new();
        while let Some(row) = self.peek()? {
            let (its_point, its_seed, its_trial) = row.trial();
            if (its_seed, its_trial) != (seed, trial) {
                break;
            }
            let its_point = Arc::clone(its_point);
            let is_known = self.same.as_ref().is_some_and(|[of_trial, of_row]| {
                Arc::ptr_eq(of_trial, point) && Arc::ptr_eq(of_row, &its_point)
            });
            if !is_known && its_point != *point {
                break;
            }
            if !is_known {
                self.same = Some([Arc::clone(point), its_point]);
            }
            taken.extend(self.next().transpose()?);
        }
        Ok(taken)
    }

    /// [`Self::take_of`], at least one row.
    ///
    /// # Errors
    /// A trial without a row in its place.
    pub(crate) fn take_some_of(&mut self, trial: &impl TableRow) -> Result<Vec<R>, StoreError> {
        let rows = self.take_of(trial)?;
        if rows.is_empty() {
            let reason = format!("no row of {} in its place", trial.trial_in_words());
            return Err(StoreError::format(self.path(), reason));
        }
        Ok(rows)
    }

    /// Ends the reading; to be called after the last trial.
    ///
    /// # Errors
    /// A row that is of no trial, or not in its place.
    pub(crate) fn finish(&mut self) -> Result<(), StoreError> {
        let Some(row) = self.next().transpose()? else {
            return Ok(());
        };
        let trial = row.trial_in_words();
        let reason = format!("the row of {trial} is of no trial of the run, or not in its place");
        Err(StoreError::format(self.path(), reason))
    }
}
