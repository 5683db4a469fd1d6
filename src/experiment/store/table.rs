//! Tables, in memory and as files of Parquet. The same rows give the same bytes: one chunk, fixed
//! row groups and pages, fixed compression, no parallel encoding. Here are their sizes (65 536 rows
//! in a group, 2²⁰ bytes in a page), the types of columns (signed integers), the compression, and
//! the messages of a value that no column holds.

pub(super) mod key;

mod joined;

mod part_file;

mod trial_ranges;

use std::io::{Cursor, Write};
use std::ops::Range;

use polars::io::parquet::write::KeyValueMetadata;
use polars::prelude::*;
use polars_parquet::parquet::metadata::{FileMetadata, KeyValue, RowGroupMetadata};
use polars_parquet::write::schema_to_metadata_key;

pub use self::joined::{JoinError, Joined};
pub use self::key::Axes;
use self::part_file::PartFile;
pub use self::trial_ranges::{PointRows, Stretch};
use super::Point;
use crate::experiment::spec::number::MOST_INTEGER;
use crate::solver::point::KEY_AXES;

/// Rows in a row group.
pub const GROUP: usize = 1 << 16;
/// Rows of a large table that are in memory at once: four row groups.
const PIECE: usize = 4 * GROUP;
/// Bytes in a data page, about.
const PAGE: usize = 1 << 20;
/// Bytes that a row may have: the longest are the numbers of a board of side 2000.
const ROW: u64 = 1 << 14;
/// The entry in the metadata of a part that names its run.
const RUN: &str = "run";
/// What is wrong with a part of another run.
pub const NOT_OWN: &str = "its rows are not this plan's";

/// Seed and trial index of each row of a table.
#[derive(Clone, Copy)]
pub struct TrialKeys<'t> {
    seeds: &'t [i64],
    trials: &'t [i64],
}

impl TrialKeys<'_> {
    /// Seed and trial index of the row at an index, which must be there.
    pub fn at(&self, row: usize) -> (u64, u32) {
        // A table with other numbers was refused.
        (self.seeds[row].cast_unsigned(), self.trials[row] as u32)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }
}

/// A table in memory, sorted by point, seed and trial: the rows of a point are a range.
pub struct Table {
    /// The columns, each in one piece.
    pub frame: DataFrame,
    /// The points in their order, each with its rows.
    pub points: Vec<(Point, Range<usize>)>,
}

impl Table {
    /// The table of these columns.
    ///
    /// # Errors
    /// Columns that say nothing of points.
    pub fn of(frame: DataFrame) -> PolarsResult<Self> {
        let points = key::points(&frame)?;
        Ok(Self { frame, points })
    }

    /// The table of the bytes of a file; its errors are those of [`TableFile::of`] and
    /// [`TableFile::read`].
    pub fn of_bytes(bytes: Vec<u8>, most: u64, run: Option<&str>) -> PolarsResult<Self> {
        let file = TableFile::of(bytes, most, run)?;
        file.read(0..file.rows())
    }

    /// Refuses seeds and trial indices that no trial has, as -1.
    fn refuse_other_keys(&self) -> PolarsResult<()> {
        let TrialKeys { seeds, trials } = self.trials()?;
        let of_no_trial = |trial: &&i64| u32::try_from(**trial).is_err();
        let columns = [
            ("seed", seeds.iter().find(|seed| **seed < 0)),
            ("trial", trials.iter().find(of_no_trial)),
        ];
        for (name, other) in columns {
            if let Some(other) = other {
                return Err(unexpected(name, &other.to_string()));
            }
        }
        Ok(())
    }

    /// The rows of a point; none where it has none.
    pub fn range(&self, point: &Point) -> Range<usize> {
        let found = self
            .points
            .binary_search_by(|(known, _)| known.order(point));
        found.map_or(0..0, |at| self.points[at].1.clone())
    }

    /// Seeds and trial indices of all rows.
    ///
    /// # Errors
    /// Columns of another type, or with a null.
    pub fn trials(&self) -> PolarsResult<TrialKeys<'_>> {
        let seeds = self.frame.column("seed")?.i64()?.cont_slice()?;
        let trials = self.frame.column("trial")?.i64()?.cont_slice()?;
        Ok(TrialKeys { seeds, trials })
    }

    /// How many rows of another table each of these trials has.
    ///
    /// # Errors
    /// Rows of no trial, or not in the order of the trials.
    pub fn lengths_in(&self, others: &Self) -> PolarsResult<Vec<usize>> {
        let trials = self.trials()?;
        let other_trials = others.trials()?;
        let mut lengths = Vec::with_capacity(trials.len());
        let mut next = 0;
        for (point, range) in &self.points {
            let own = others.range(point);
            for at in range.clone() {
                let start = next;
                while own.contains(&next) && other_trials.at(next) == trials.at(at) {
                    next += 1;
                }
                lengths.push(next - start);
            }
        }
        let mut points = others.points.iter();
        let Some((point, _)) = points.find(|point| point.1.contains(&next)) else {
            return Ok(lengths);
        };
        let (seed, trial) = other_trials.at(next);
        let reason = format!(
            "the row of trial {trial} of seed {seed} at {point} is of no trial of the run, or not in its place"
        );
        Err(PolarsError::ComputeError(reason.into()))
    }
}

/// A file with a table, as its bytes, of which pieces are read.
pub struct TableFile {
    bytes: Vec<u8>,
    /// What the file says of itself, without its row groups.
    head: FileMetadata,
    groups: Vec<RowGroupMetadata>,
}

impl TableFile {
    /// The table of the bytes of a file.
    ///
    /// # Errors
    /// Bytes that are no Parquet; those of a table that has more rows than `most` or longer ones,
    /// of which none is read: a few compressed bytes can stand for more than fits into memory; and
    /// those of a part of another run.
    pub fn of(bytes: Vec<u8>, most: u64, run: Option<&str>) -> PolarsResult<Self> {
        let metadata = Arc::clone(ParquetReader::new(Cursor::new(&bytes)).get_metadata()?);
        let groups = &metadata.row_groups;
        let rows: usize = groups.iter().map(|group| group.num_rows()).sum();
        let columns = groups.iter().flat_map(|group| group.parquet_columns());
        let sizes =
            columns.map(|column| u64::try_from(column.uncompressed_size()).unwrap_or(u64::MAX));
        let size = sizes.fold(0, u64::saturating_add);
        if rows as u64 > most || size > most.saturating_mul(ROW).saturating_add(PAGE as u64) {
            let found = format!("{rows} rows of {size} bytes in all");
            let reason = format!("{found}; expected at most {most}, each of at most {ROW} bytes");
            return Err(PolarsError::ComputeError(reason.into()));
        }
        let mut entries = metadata.key_value_metadata().iter().flatten();
        let its_run = entries.find(|entry| entry.key == RUN);
        if its_run.and_then(|entry| entry.value.as_deref()) != run {
            return Err(PolarsError::ComputeError(NOT_OWN.into()));
        }
        let mut head = Arc::unwrap_or_clone(metadata);
        let groups = std::mem::take(&mut head.row_groups);
        Ok(Self {
            bytes,
            head,
            groups,
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.groups.iter().map(RowGroupMetadata::num_rows).sum()
    }

    /// The rows in pieces of some row groups, few enough for memory.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.rows();
        let starts = (0..rows).step_by(PIECE);
        starts.map(move |start| start..(start + PIECE).min(rows))
    }

    /// The table of these rows, which are there.
    ///
    /// # Errors
    /// Bytes that are no table of this schema.
    pub fn read(&self, rows: Range<usize>) -> PolarsResult<Table> {
        let columns = self.columns(rows.clone())?;
        let table = Table::of(DataFrame::new(rows.len(), columns)?)?;
        table.refuse_other_keys()?;
        Ok(table)
    }

    /// These rows of the columns that this program knows.
    fn columns(&self, rows: Range<usize>) -> PolarsResult<Vec<Column>> {
        let schema = self.reader(&rows).schema()?;
        let fields = key::wanted(&schema)?;

        // A column that is null throughout is not decoded, and takes no memory.
        let decoded = fields.iter().filter(|field| self.has_value(field.0));
        let decoded = decoded.map(|field| field.0.to_string()).collect();
        let reader = self.reader(&rows).with_columns(Some(decoded));
        let mut frame = reader.finish()?;

        // One by one, so that no more than one is in memory twice.
        let mut columns = Vec::with_capacity(fields.len());
        for (name, field) in fields {
            let read = frame.drop_in_place(name).map(|column| column.rechunk());
            let kind = DataType::from_arrow_field(field);
            let null = || Column::full_null(name.clone(), rows.len(), &kind);
            columns.push(as_signed(&read.unwrap_or_else(|_| null()))?);
        }
        Ok(columns)
    }

    /// These rows of a column, which the thread that calls this reads alone; `None` where the file
    /// has no such column, or one without a value.
    ///
    /// # Errors
    /// Those of [`TableFile::read`].
    pub fn column(&self, name: &str, rows: Range<usize>) -> PolarsResult<Option<Column>> {
        if !self.has_value(name) {
            return Ok(None);
        }
        let reader = self.reader(&rows).with_columns(Some(vec![name.to_owned()]));
        let reader = reader.read_parallel(ParallelStrategy::None);
        let column = reader.finish()?.drop_in_place(name)?;
        as_signed(&column.rechunk()).map(Some)
    }

    /// A reader of these rows. It is given their row groups alone: it would look into all others,
    /// too, and into all of them again for each piece.
    fn reader(&self, rows: &Range<usize>) -> ParquetReader<Cursor<&[u8]>> {
        let mut metadata = self.head.clone();
        let mut first_row = 0;
        let mut end = 0;
        for group in &self.groups {
            let start = end;
            end += group.num_rows();
            if end <= rows.start {
                first_row = end;
            } else if start < rows.end {
                metadata.row_groups.push(group.clone());
            }
        }
        let n_rows = metadata.row_groups.iter().map(RowGroupMetadata::num_rows);
        metadata.num_rows = n_rows.sum();
        let mut reader = ParquetReader::new(Cursor::new(&*self.bytes)).set_rechunk(false);
        reader.set_metadata(Arc::new(metadata));
        reader.with_slice(Some((rows.start - first_row, rows.len())))
    }

    /// True if a column has a value in any row, or that is not known.
    fn has_value(&self, name: &str) -> bool {
        let columns = |group| RowGroupMetadata::columns_under_root_iter(group, name);
        let columns = self.groups.iter().filter_map(columns);
        columns.flatten().any(|column| {
            let statistics = column.statistics(&self.head.footer_buf);
            let statistics = statistics.and_then(Result::ok);
            statistics.and_then(|found| found.null_count()) != Some(column.num_values())
        })
    }
}

/// Writes rows with the columns of `header` in row groups of so many, whatever pieces they come in;
/// returns how many. The rows of a part are named as those of its run, and encoded for this program
/// alone.
///
/// # Errors
/// Those of the pieces and of the file.
pub fn write(
    header: &DataFrame,
    pieces: impl IntoIterator<Item = PolarsResult<DataFrame>>,
    group: usize,
    run: Option<&str>,
    file: impl Write,
) -> PolarsResult<u64> {
    // An entry of ours takes the place of Polars' own.
    let types = schema_to_metadata_key(&plain_types(header.schema()));
    let run = run.map(|run| KeyValue::new(RUN.to_owned(), run.to_owned()));
    if let Some(run) = run {
        let mut file = PartFile::new(header, file)?;
        let rows = write_groups(header, pieces, group, |rows| file.write(rows))?;
        file.finish(vec![types, run])?;
        return Ok(rows);
    }
    let mut file = ParquetWriter::new(file)
        // zstd's default level, which Cargo.lock fixes, as the code version is.
        .with_compression(ParquetCompression::Zstd(None))
        .set_parallel(false)
        .with_key_value_metadata(Some(KeyValueMetadata::Static(vec![types])))
        .with_data_page_size(Some(PAGE))
        .batched(header.schema())?;
    let rows = write_groups(header, pieces, group, |rows| file.write_batch(rows))?;
    file.finish()?;
    Ok(rows)
}

/// Puts pieces of a table together to groups of so many rows, and the rest; returns the number of
/// rows.
fn write_groups(
    header: &DataFrame,
    pieces: impl IntoIterator<Item = PolarsResult<DataFrame>>,
    group: usize,
    mut write_group: impl FnMut(&DataFrame) -> PolarsResult<()>,
) -> PolarsResult<u64> {
    let mut waiting = header.clear();
    let mut rows = 0;
    let mut write = |waiting: &mut DataFrame, least: usize| {
        while waiting.height() >= least {
            let mut first = waiting.slice(0, group);
            first.rechunk_mut();
            *waiting = waiting.slice(first.height() as i64, usize::MAX);
            rows += first.height() as u64;
            write_group(&first)?;
        }
        PolarsResult::Ok(())
    };
    for piece in pieces {
        waiting.vstack_mut_owned(piece?)?;
        write(&mut waiting, group)?;
    }
    write(&mut waiting, 1)?;
    Ok(rows)
}

/// The Arrow types of a table's columns, with texts of the oldest kind: pyarrow and pandas cannot
/// filter, sort or group texts of the newer kind, `string_view`.
fn plain_types(schema: &Schema) -> ArrowSchema {
    let fields = schema.iter_fields();
    let named = fields.map(|field| (field.name().clone(), field.to_arrow(CompatLevel::oldest())));
    named.collect()
}

/// A column of whole numbers as this program writes it: those of schema 3 had no sign. `n` has 32
/// bits, since readers filter by it, and all others have 64.
///
/// # Errors
/// A number above [`MOST_INTEGER`].
fn as_signed(column: &Column) -> PolarsResult<Column> {
    let own = match column.dtype() {
        DataType::UInt32 if column.name() == KEY_AXES[0] => DataType::Int32,
        DataType::UInt32 | DataType::UInt64 => DataType::Int64,
        _ => return Ok(column.clone()),
    };
    let signed = column.cast(&own)?;
    if signed.null_count() == column.null_count() {
        return Ok(signed);
    }
    let most = column.cast(&DataType::UInt64)?.u64()?.max();
    Err(too_large(column.name(), most.unwrap_or(u64::MAX)))
}

/// A number that no column of this program holds. (Polars has no error that is nearer to it.)
pub(crate) fn too_large(column: &str, found: u64) -> PolarsError {
    let reason = format!("column {column}: {found}; this program reads integers to {MOST_INTEGER}");
    PolarsError::OutOfBounds(reason.into())
}

/// A value that a column cannot have.
pub(crate) fn unexpected(column: &str, found: &str) -> PolarsError {
    let reason = format!("column {column}: {found:?} is not a value of this schema");
    PolarsError::ComputeError(reason.into())
}

/// The value of a column that has one in every row.
pub(crate) fn present<T>(column: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| unexpected(column, "null"))
}
