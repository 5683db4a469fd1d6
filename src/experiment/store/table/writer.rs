//! Tables written, several of them from the same records in one pass.

use std::io::Write;
use std::thread;

use polars::io::parquet::write::{BatchedWriter, KeyValueMetadata};
use polars::prelude::*;
use polars_parquet::write::schema_to_metadata_key;

use super::{Axes, GROUP, StoredTable, TableRow};
use crate::experiment::store::{Record, StoreError};

/// Bytes in a data page, about.
const PAGE: usize = 1 << 20;

/// Observations and moves in a row group or batch, at most, unless one trial alone has more.
const MOST_IN_COURSES: usize = 1 << 16;

/// Writes a table, whose bytes depend on the rows alone, whatever batches they come in.
pub struct Writer<R, W: Write> {
    table: StoredTable<R>,
    axes: Axes,
    writer: BatchedWriter<W>,
    waiting: Vec<R>,
    /// Observations and moves of those.
    entries: usize,
    rows: u64,
}

impl<R: TableRow, W: Write> Writer<R, W> {
    /// A writer of rows whose points have no further axes than these.
    pub fn new(table: StoredTable<R>, axes: &Axes, writer: W) -> PolarsResult<Self> {
        let frame = table.frame(axes, &[])?;
        let writer = parquet(writer, frame.schema())?;
        Ok(Self {
            table,
            axes: axes.clone(),
            writer,
            waiting: Vec::new(),
            entries: 0,
            rows: 0,
        })
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

/// The Arrow types of a table's columns, with texts of the oldest kind: pyarrow and pandas cannot
/// filter, sort or group texts of the newer kind, `string_view`.
fn plain_types(schema: &Schema) -> ArrowSchema {
    let fields = schema.iter_fields();
    let named = fields.map(|it| (it.name().clone(), it.to_arrow(CompatLevel::oldest())));
    named.collect()
}

/// A writer of Parquet files whose bytes depend on the rows alone, with `plain_types` in the
/// embedded Arrow schema: an entry of ours takes the place of Polars' own.
fn parquet<W: Write>(writer: W, schema: &Schema) -> PolarsResult<BatchedWriter<W>> {
    let types = schema_to_metadata_key(&plain_types(schema));
    ParquetWriter::new(writer)
        // zstd's default level, which Cargo.lock fixes, as the code version is.
        .with_compression(ParquetCompression::Zstd(None))
        .set_parallel(false)
        .with_key_value_metadata(Some(KeyValueMetadata::Static(vec![types])))
        .with_data_page_size(Some(PAGE))
        .batched(schema)
}

/// Writes columns in row groups, whatever pieces they come in.
pub struct Groups<W: Write> {
    writer: BatchedWriter<W>,
    waiting: DataFrame,
}

impl<W: Write> Groups<W> {
    /// A writer of the columns that `frame` has, and of its rows.
    pub fn new(frame: DataFrame, writer: W) -> PolarsResult<Self> {
        Ok(Self {
            writer: parquet(writer, frame.schema())?,
            waiting: frame,
        })
    }

    /// Adds rows.
    pub fn write(&mut self, frame: &DataFrame) -> PolarsResult<()> {
        self.waiting.vstack_mut(frame)?;
        while self.waiting.height() >= GROUP {
            self.write_first(GROUP)?;
        }
        Ok(())
    }

    fn write_first(&mut self, rows: usize) -> PolarsResult<()> {
        let mut group = self.waiting.slice(0, rows);
        group.rechunk_mut();
        self.waiting = self.waiting.slice(rows as i64, usize::MAX);
        self.writer.write_batch(&group)
    }

    /// Writes what is left and the footer.
    pub fn finish(mut self) -> PolarsResult<()> {
        if self.waiting.height() > 0 {
            self.write_first(self.waiting.height())?;
        }
        self.writer.finish().map(drop)
    }
}

/// A [`Writer`] of whatever rows.
pub trait Output: Send {
    /// Adds the rows of a record.
    fn write(&mut self, record: &Record) -> PolarsResult<()>;

    /// Writes what is left and the footer; returns the number of rows.
    fn finish(&mut self) -> PolarsResult<u64>;
}

impl<R: TableRow, W: Write + Send> Output for Writer<R, W> {
    fn write(&mut self, record: &Record) -> PolarsResult<()> {
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

    fn finish(&mut self) -> PolarsResult<u64> {
        if !self.waiting.is_empty() {
            self.write_first(self.waiting.len())?;
        }
        self.writer.finish()?;
        Ok(self.rows)
    }
}

/// Writes the records into each of the tables and ends it; returns the rows of each. Each table is
/// encoded on a thread of its own, while further records are read.
pub fn write_at_once(
    mut tables: Vec<Box<dyn Output + '_>>,
    encoded: &dyn Fn(PolarsError) -> StoreError,
    mut records: impl Iterator<Item = Result<Record, StoreError>>,
) -> Result<Vec<u64>, StoreError> {
    let mut batch = next_batch(&mut records)?;
    while !batch.is_empty() {
        let (written, next) = thread::scope(|scope| {
            let batch = &batch;
            let started: Vec<_> = tables
                .iter_mut()
                .map(|table| {
                    let write = || batch.iter().try_for_each(|record| table.write(record));
                    thread::Builder::new().spawn_scoped(scope, write)
                })
                .collect();
            let next = next_batch(&mut records);
            let end = |thread: std::io::Result<thread::ScopedJoinHandle<_>>| {
                let ended = thread?.join();
                ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            (started.into_iter().try_for_each(end), next)
        });
        written.map_err(encoded)?;
        batch = next?;
    }
    let ended = tables.iter_mut().map(|table| table.finish());
    ended.collect::<PolarsResult<_>>().map_err(encoded)
}

/// Some records, a row group at most; none after the last.
fn next_batch(
    records: &mut impl Iterator<Item = Result<Record, StoreError>>,
) -> Result<Vec<Record>, StoreError> {
    let (mut batch, mut entries) = (Vec::new(), 0);
    while batch.len() < GROUP && entries < MOST_IN_COURSES {
        let Some(record) = records.next().transpose()? else {
            break;
        };
        entries += record.course.entries();
        batch.push(record);
    }
    Ok(batch)
}
