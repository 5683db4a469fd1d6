//! A table read some rows at a time, of which only those bytes are fetched that are decoded next.

use std::cell::Cell;
use std::io::Cursor;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use polars::io::parquet::read::{FileMetadata, ParallelStrategy};
use polars::prelude::*;

use super::{Axes, StoredTable, TableRow, key, unexpected};
use crate::experiment::plan::Plan;
use crate::experiment::store::checked::CheckedFile;
use crate::experiment::store::{Point, StoreError};

/// Bytes at the end of a file of Parquet that its reader looks at first.
const END: u64 = 1 << 16;
/// Bytes after the footer: its length and a word.
const AFTER_FOOTER: u64 = 8;

/// Reads a table in batches: no more rows than a row group of ours has, and of one row group.
pub struct Reader<R> {
    table: StoredTable<R>,
    file: CheckedFile,
    metadata: FileMetadata,
    /// The same without row groups.
    bare: FileMetadata,
    schema: Arc<ArrowSchema>,
    /// Columns that are read.
    columns: Vec<usize>,
    row_group: usize,
    /// Rows of the row group that were read.
    read: usize,
    /// The row that was read last.
    last: Option<R>,
    /// What the rows must be of.
    plan: Option<Arc<Plan>>,
}

impl<R: TableRow> Reader<R> {
    /// A reader of a checked file.
    pub fn new(table: StoredTable<R>, file: CheckedFile) -> Result<Self, StoreError> {
        let whole = file.in_place(&[footer(&file)?])?;
        let (metadata, schema, columns) = guarded(&file.path, || {
            let mut reader = ParquetReader::new(Cursor::new(&*whole));
            let metadata = FileMetadata::clone(reader.get_metadata()?);
            let schema = reader.schema()?;
            let columns = key::wanted(&schema)?;
            Ok((metadata, schema, columns))
        })?;
        let bare = FileMetadata {
            row_groups: Vec::new(),
            ..metadata.clone()
        };
        Ok(Self {
            table,
            file,
            metadata,
            bare,
            schema,
            columns,
            row_group: 0,
            read: 0,
            last: None,
            plan: None,
        })
    }

    /// A reader of the file at `path`, which must have this checksum.
    ///
    /// # Errors
    /// As [`Self::new`]; another checksum.
    pub fn open(table: StoredTable<R>, path: &Path, checksum: &str) -> Result<Self, StoreError> {
        Self::new(table, CheckedFile::open(path, checksum)?)
    }

    /// The same rows, refused where the plan has none such.
    #[must_use]
    pub(crate) fn of_plan(self, plan: Option<Arc<Plan>>) -> Self {
        Self { plan, ..self }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The axes beyond those of every table.
    pub fn axes(&self) -> Axes {
        Axes::of_file(&self.schema)
    }

    /// All rows of the table.
    pub fn rows(&self) -> u64 {
        self.metadata.num_rows as u64
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
        let Some(frame) = self.next_frame()? else {
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

    fn next_frame(&mut self) -> Result<Option<DataFrame>, StoreError> {
        let groups = &self.metadata.row_groups;
        let group = |at: usize| groups.get(at);
        while group(self.row_group).is_some_and(|it| it.num_rows() == self.read) {
            (self.row_group, self.read) = (self.row_group + 1, 0);
        }
        let Some(group) = group(self.row_group) else {
            return Ok(None);
        };
        let rows = self.table.group.min(group.num_rows() - self.read);
        let names = self.columns.iter().filter_map(|&at| {
            let (name, _) = self.schema.get_at_index(at)?;
            Some(name.as_str())
        });
        let columns = names.filter_map(|name| group.columns_under_root_iter(name));
        let ranges = guarded(self.path(), || {
            let columns = columns.flatten();
            Ok(columns.map(|it| it.byte_range()).collect::<Vec<_>>())
        })?;
        let whole = self.file.in_place(&ranges)?;
        // Of the one row group alone: the reader would go through all that come before it.
        let metadata = FileMetadata {
            num_rows: group.num_rows(),
            row_groups: vec![group.clone()],
            ..self.bare.clone()
        };
        let frame = guarded(self.path(), || {
            let mut reader = ParquetReader::new(Cursor::new(&*whole))
                .with_slice(Some((self.read, rows)))
                .with_projection(Some(self.columns.clone()))
                .read_parallel(ParallelStrategy::None);
            reader.set_metadata(Arc::new(metadata));
            let frame = reader.finish()?;
            match frame.height() {
                height if height == rows => Ok(frame),
                height => Err(unexpected("row group", &format!("{height} rows"))),
            }
        })?;
        self.read += rows;
        Ok(Some(frame))
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

/// The bytes of the footer, and those that its reader reads with it.
fn footer(file: &CheckedFile) -> Result<Range<u64>, StoreError> {
    let all = file.length();
    let Some(end) = all.checked_sub(AFTER_FOOTER) else {
        return Err(unreadable(&file.path, "it is too short"));
    };
    let last = file.in_place(std::slice::from_ref(&(end..all)))?;
    let length = last[last.len() - AFTER_FOOTER as usize..].first_chunk();
    let length = u64::from(u32::from_le_bytes(*length.expect("eight bytes")));
    match end.checked_sub(length) {
        Some(begin) => Ok(begin.min(all.saturating_sub(END))..all),
        None => Err(unreadable(&file.path, "its footer is longer than it is")),
    }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// True if a panic of this thread becomes an error now, so that nothing is to be printed of it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What the library of Parquet makes of the bytes of a file; where it panics, as it does on some
/// that no writer would write, an error says that they are no table.
fn guarded<T>(path: &Path, decode: impl FnOnce() -> PolarsResult<T>) -> Result<T, StoreError> {
    GUARDED.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    match decoded {
        Ok(decoded) => decoded.map_err(|error| StoreError::format(path, error)),
        Err(_) => Err(unreadable(path, "its reader gave up")),
    }
}

fn unreadable(path: &Path, reason: &str) -> StoreError {
    let reason = format!("no file of Parquet that can be read: {reason}");
    StoreError::format(path, reason)
}
