//! Tables as files of Parquet. The same rows give the same bytes: one chunk, fixed row groups and
//! pages, fixed compression, no parallel encoding.

use std::collections::BTreeMap;
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
/// Bytes that a row may have: the longest are the numbers of a board of side 2000.
const ROW: u64 = 1 << 14;

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
    /// Bytes that are no table of this schema; those of a table that has more rows or longer ones,
    /// of which none is read: a few compressed bytes can stand for more than fits into memory.
    pub fn of_bytes(bytes: Vec<u8>, most: u64) -> PolarsResult<Self> {
        let mut reader = ParquetReader::new(Cursor::new(bytes)).set_rechunk(false);
        let groups = &reader.get_metadata()?.row_groups;
        let rows: usize = groups.iter().map(|group| group.num_rows()).sum();
        let columns = groups.iter().flat_map(|group| group.parquet_columns());
        let sizes = columns.map(|it| u64::try_from(it.uncompressed_size()).unwrap_or(u64::MAX));
        let size = sizes.fold(0, u64::saturating_add);
        if rows as u64 > most || size > most.saturating_mul(ROW).saturating_add(PAGE as u64) {
            let found = format!("{rows} rows of {size} bytes in all");
            let reason = format!("{found}; expected at most {most}, each of at most {ROW} bytes");
            return Err(PolarsError::ComputeError(reason.into()));
        }
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

/// Gives `take` the rows of several tables with the same columns, in the order of their points,
/// those of many small points together; a trial that is in several tables counts in the first.
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
    let mut left = &points[..];
    while !left.is_empty() {
        let mut rows = 0;
        let fitting = left.iter().take_while(|pieces| {
            rows += pieces.iter().map(|piece| piece.2.len()).sum::<usize>();
            rows <= GROUP
        });
        let (batch, others) = left.split_at(fitting.count().max(1));
        take(merged(tables, batch, must_agree)?)?;
        left = others;
    }
    Ok(())
}

/// The rows of points that follow each other, of each of which the pieces are given.
fn merged(tables: &[Table], points: &[&[Piece]], must_agree: bool) -> PolarsResult<Table> {
    // In each table these points are neighbours.
    let mut spans: BTreeMap<usize, Range<usize>> = BTreeMap::new();
    for &(_, of, range) in points.iter().copied().flatten() {
        spans.entry(of).or_insert_with(|| range.clone()).end = range.end;
    }
    if let (1, Some((&of, span))) = (spans.len(), spans.first_key_value()) {
        let own = points.iter().map(|pieces| {
            let (point, _, range) = pieces[0];
            let range = range.start - span.start..range.end - span.start;
            (point.clone(), range)
        });
        let (points, frame) = (own.collect(), tables[of].slice(span));
        return Ok(Table { frame, points });
    }
    let mut frame = tables[0].frame.clear();
    // Of each table, where its first row comes to lie.
    let mut starts = BTreeMap::new();
    for (&of, span) in &spans {
        starts.insert(of, frame.height());
        frame.vstack_mut_owned(tables[of].slice(span))?;
    }
    frame.rechunk_mut();
    let (mut kept, mut ranges) = (Vec::with_capacity(frame.height()), Vec::new());
    for pieces in points {
        let (start, point) = (kept.len(), pieces[0].0);
        let mut rows = Vec::new();
        for &(_, of, range) in *pieces {
            let (seeds, trials) = tables[of].trials()?;
            let trials = range.clone().map(|at| Placed {
                seed: seeds[at],
                trial: trials[at],
                of,
                at: starts[&of] + at - spans[&of].start,
            });
            rows.extend(trials);
        }
        rows.sort_unstable();
        for same in rows.chunk_by(|a, b| (a.seed, a.trial) == (b.seed, b.trial)) {
            let (own, others) = same.split_at(same.partition_point(|it| it.of == same[0].of));
            if must_agree {
                agree(&frame, point, &own[0], others)?;
            }
            kept.extend(own.iter().map(|row| row.at as IdxSize));
        }
        ranges.push((point.clone(), start..kept.len()));
    }
    Ok(Table {
        frame: frame.take(&IdxCa::from_vec("".into(), kept))?,
        points: ranges,
    })
}

/// A row of one of several tables, and where it has come to lie.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Placed {
    seed: u64,
    trial: u32,
    /// The table.
    of: usize,
    at: usize,
}

/// Compares the rows of one trial.
///
/// # Errors
/// Two that are different.
fn agree(frame: &DataFrame, point: &Point, first: &Placed, others: &[Placed]) -> PolarsResult<()> {
    for other in others {
        let [one, other] = [first, other].map(|it| frame.slice(it.at as i64, 1));
        if !one.equals_missing(&other) {
            let Placed { seed, trial, .. } = first;
            let reason = format!("trial {trial} of seed {seed} at {point} has two different rows");
            return Err(PolarsError::ComputeError(reason.into()));
        }
    }
    Ok(())
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
