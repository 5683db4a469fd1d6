//! Tables as files of Parquet. The same rows give the same bytes: one chunk, fixed row groups and
//! pages, fixed compression, no parallel encoding.

use std::io::{Cursor, Write};
use std::ops::Range;

use polars::io::parquet::write::{BatchedWriter, KeyValueMetadata};
use polars::prelude::*;
use polars_parquet::write::schema_to_metadata_key;

use super::key;
use crate::experiment::store::Point;

/// Rows in a row group.
const GROUP: usize = 1 << 16;
/// Bytes in a data page, about.
const PAGE: usize = 1 << 20;

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

    /// The table of the bytes of a file.
    ///
    /// # Errors
    /// Bytes that are no table of this schema.
    pub fn of_bytes(bytes: Vec<u8>) -> PolarsResult<Self> {
        let mut reader = ParquetReader::new(Cursor::new(bytes)).set_rechunk(false);
        let schema = reader.schema()?;
        let wanted = key::wanted(&schema)?;
        let frame = reader.with_projection(Some(wanted)).finish()?;
        let rows = frame.height();
        // One by one, so that no more than one is in memory twice; what is null throughout takes
        // none.
        let columns =
            frame
                .into_columns()
                .into_iter()
                .map(|column| match column.null_count() == rows {
                    true => Column::full_null(column.name().clone(), rows, column.dtype()),
                    false => column.rechunk(),
                });
        Self::of(DataFrame::new(rows, columns.collect())?)
    }

    /// The rows of a point; none where it has none.
    pub fn range(&self, point: &Point) -> Range<usize> {
        let found = self.points.binary_search_by(|(own, _)| own.order(point));
        found.map_or(0..0, |at| self.points[at].1.clone())
    }

    /// Seeds and trial indices of all rows.
    ///
    /// # Errors
    /// Columns of another type, or with a null.
    pub fn trials(&self) -> PolarsResult<(&[u64], &[u32])> {
        let seeds = self.frame.column("seed")?.u64()?.cont_slice()?;
        let trials = self.frame.column("trial")?.u32()?.cont_slice()?;
        Ok((seeds, trials))
    }

    fn slice(&self, range: &Range<usize>) -> DataFrame {
        self.frame.slice(range.start as i64, range.len())
    }
}

/// A point's rows in one of several tables: the point, the index of the table, the rows.
type Piece<'t> = (&'t Point, usize, &'t Range<usize>);

/// Gives `take` the rows of several tables with the same columns, in the order of their points; a
/// trial that is in several tables counts in the first.
///
/// # Errors
/// Those of `take`; if tables `must_agree`, two different rows of one trial.
pub fn joined(
    tables: &[Table],
    must_agree: bool,
    take: &mut dyn FnMut(Table) -> PolarsResult<()>,
) -> PolarsResult<()> {
    let pieces = tables.iter().enumerate();
    let pieces = pieces.flat_map(|(of, table)| {
        let points = table.points.iter();
        points.map(move |(point, range)| (point, of, range))
    });
    let mut pieces: Vec<Piece> = pieces.collect();
    pieces.sort_by(|a, b| a.0.order(b.0).then(a.1.cmp(&b.1)));
    let points: Vec<&[Piece]> = pieces.chunk_by(|a, b| a.0 == b.0).collect();
    // Points that follow each other in one table, and are in no other, stay in one piece.
    let follow = |a: &&[Piece], b: &&[Piece]| match (a, b) {
        ([(_, of, range)], [(_, next_of, next)]) => of == next_of && range.end == next.start,
        _ => false,
    };
    for points in points.chunk_by(follow) {
        let (_, of, first) = points[0][0];
        if points[0].len() > 1 {
            take(merged(tables, points[0], must_agree)?)?;
            continue;
        }
        let own = points.iter().map(|pieces| {
            let (point, _, range) = pieces[0];
            (
                point.clone(),
                range.start - first.start..range.end - first.start,
            )
        });
        let points: Vec<(Point, Range<usize>)> = own.collect();
        let rows = points.last().map_or(0, |(_, range)| range.end);
        let frame = tables[of].slice(&(first.start..first.start + rows));
        take(Table { frame, points })?;
    }
    Ok(())
}

/// The rows of a point that are in several tables.
fn merged(tables: &[Table], pieces: &[Piece], must_agree: bool) -> PolarsResult<Table> {
    let (point, of, range) = pieces[0];
    let mut frame = tables[of].slice(range);
    let mut rows = Vec::new();
    for &(_, of, range) in pieces {
        let (seeds, trials) = tables[of].trials()?;
        let trials = range.clone().map(|at| (seeds[at], trials[at], of));
        rows.extend(trials);
    }
    for (_, of, range) in &pieces[1..] {
        frame.vstack_mut_owned(tables[*of].slice(range))?;
    }
    frame.rechunk_mut();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&at| rows[at]);
    let mut kept: Vec<IdxSize> = Vec::with_capacity(order.len());
    let is_one_trial = |a: &usize, b: &usize| {
        let [a, b] = [a, b].map(|at| (rows[*at].0, rows[*at].1));
        a == b
    };
    for same in order.chunk_by(is_one_trial) {
        let first = same[0];
        for &at in same {
            if rows[at].2 == rows[first].2 {
                kept.push(at as IdxSize);
            } else if must_agree {
                let [one, other] = [first, at].map(|at| frame.slice(at as i64, 1));
                if !one.equals_missing(&other) {
                    let (seed, trial, _) = rows[at];
                    let reason =
                        format!("trial {trial} of seed {seed} at {point} has two different rows");
                    return Err(PolarsError::ComputeError(reason.into()));
                }
            }
        }
    }
    let frame = frame.take(&IdxCa::from_vec("".into(), kept))?;
    let points = vec![(point.clone(), 0..frame.height())];
    Ok(Table { frame, points })
}

/// The Arrow types of a table's columns, with texts of the oldest kind: pyarrow and pandas cannot
/// filter, sort or group texts of the newer kind, `string_view`.
fn plain_types(schema: &Schema) -> ArrowSchema {
    let fields = schema.iter_fields();
    let named = fields.map(|it| (it.name().clone(), it.to_arrow(CompatLevel::oldest())));
    named.collect()
}

/// Writes columns in row groups, whatever pieces they come in.
pub struct Groups<W: Write> {
    writer: BatchedWriter<W>,
    waiting: DataFrame,
    rows: u64,
}

impl<W: Write> Groups<W> {
    /// A writer of the columns that `frame` has, and of its rows; with `plain_types` in the
    /// embedded Arrow schema: an entry of ours takes the place of Polars' own.
    pub fn new(frame: DataFrame, writer: W) -> PolarsResult<Self> {
        let types = schema_to_metadata_key(&plain_types(frame.schema()));
        let writer = ParquetWriter::new(writer)
            // zstd's default level, which Cargo.lock fixes, as the code version is.
            .with_compression(ParquetCompression::Zstd(None))
            .set_parallel(false)
            .with_key_value_metadata(Some(KeyValueMetadata::Static(vec![types])))
            .with_data_page_size(Some(PAGE))
            .batched(frame.schema())?;
        Ok(Self {
            writer,
            waiting: frame,
            rows: 0,
        })
    }

    /// Adds rows.
    pub fn write(&mut self, frame: DataFrame) -> PolarsResult<()> {
        self.waiting.vstack_mut_owned(frame)?;
        self.write_whole_groups()
    }

    fn write_whole_groups(&mut self) -> PolarsResult<()> {
        while self.waiting.height() >= GROUP {
            self.write_first(GROUP)?;
        }
        Ok(())
    }

    fn write_first(&mut self, rows: usize) -> PolarsResult<()> {
        let mut group = self.waiting.slice(0, rows);
        group.rechunk_mut();
        self.waiting = self.waiting.slice(rows as i64, usize::MAX);
        self.rows += rows as u64;
        self.writer.write_batch(&group)
    }

    /// Writes what is left and the footer; returns the number of rows.
    pub fn finish(mut self) -> PolarsResult<u64> {
        self.write_whole_groups()?;
        if self.waiting.height() > 0 {
            self.write_first(self.waiting.height())?;
        }
        self.writer.finish()?;
        Ok(self.rows)
    }
}
