//! Rows ↔ Parquet bytes. The same rows give the same bytes: one chunk, fixed row groups and pages,
//! fixed compression, no parallel encoding; nothing is read that was not checked first.

mod decode;

use std::io::Write;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

pub use self::decode::{TableReader, read_trials};

use super::Record;
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Field, Since};

/// Bytes in a data page, about.
const PAGE: usize = 1 << 20;

/// Which table a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `trials.parquet`.
    Trials,
    /// `timings.parquet`: the key of each trial, the repeat (0 where it is timed once) and the
    /// seconds it took.
    Timings,
    /// `timed.parquet`: the columns of `trials.parquet`, `repeat` and `seconds`, with a row for
    /// each run of a trial that had a time limit.
    Timed,
    /// A part of a run under way: the columns of `trials.parquet`, `repeat` and `seconds`.
    Part,
}

impl Layout {
    /// Rows in a row group, and in the batches that a [`TableWriter`] takes. Parts are read back
    /// many at a time, so theirs are smaller.
    pub fn batch(self) -> usize {
        match self {
            Self::Trials | Self::Timings | Self::Timed => 1 << 16,
            Self::Part => 1 << 14,
        }
    }
}

/// Writes one table, batch by batch: each batch becomes a row group, so that the bytes depend on
/// the rows and the size of the batches alone.
pub struct TableWriter<W: Write> {
    layout: Layout,
    writer: BatchedWriter<W>,
}

impl<W: Write> TableWriter<W> {
    /// # Errors
    /// Polars' own, none of which a writer that works can cause.
    pub fn new(layout: Layout, writer: W) -> PolarsResult<Self> {
        let writer = ParquetWriter::new(writer)
            // zstd's default level: which one that is, is fixed by Cargo.lock, as the code version
            // is.
            .with_compression(ParquetCompression::Zstd(None))
            .with_data_page_size(Some(PAGE))
            .set_parallel(false)
            .batched(frame(layout, &[])?.schema())?;
        Ok(Self { layout, writer })
    }

    /// Adds a row group; a trial that was timed several times has one row in `trials.parquet`.
    ///
    /// # Errors
    /// Those of the writer underneath.
    pub fn write(&mut self, records: &[Record]) -> PolarsResult<()> {
        let repeated =
            self.layout == Layout::Trials && records.iter().any(|record| record.repeat > 0);
        let once: Vec<Record> = if repeated {
            records
                .iter()
                .filter(|record| record.repeat == 0)
                .cloned()
                .collect()
        } else {
            Vec::new()
        };
        let records = if repeated { &once } else { records };
        if records.is_empty() {
            Ok(())
        } else {
            self.writer.write_batch(&frame(self.layout, records)?)
        }
    }

    /// Writes the footer.
    ///
    /// # Errors
    /// Those of the writer underneath.
    pub fn finish(self) -> PolarsResult<()> {
        self.writer.finish().map(drop)
    }
}

/// All of `records` as one table.
///
/// # Errors
/// Polars' own, none of which rows in memory can cause.
pub fn encode(layout: Layout, records: &[Record]) -> PolarsResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = TableWriter::new(layout, &mut bytes)?;
    for batch in records.chunks(layout.batch()) {
        writer.write(batch)?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn frame(layout: Layout, records: &[Record]) -> PolarsResult<DataFrame> {
    let mut columns = key_columns(records);
    let has_outcome = layout != Layout::Timings;
    if has_outcome {
        columns.push(text("outcome", records, |record| {
            Some(record.row.outcome.ending.name())
        }));
        columns.push(number("cutoff", records, |record| record.row.cutoff));
        columns.extend(facts(records, Since::First));
    }
    if layout != Layout::Trials {
        columns.push(number("repeat", records, |record| record.repeat));
        columns.push(number("seconds", records, |record| record.seconds));
    }
    // Part of the key, though it came later and stands after the columns that were there before.
    columns.push(text("goal", records, |record| {
        record.point.goal.map(Goal::name)
    }));
    if has_outcome {
        columns.extend(facts(records, Since::Later));
    }
    DataFrame::new(records.len(), columns)
}

fn key_columns(records: &[Record]) -> Vec<Column> {
    vec![
        text("algorithm", records, |record| {
            Some(record.point.algorithm.as_str())
        }),
        text("variant", records, |record| {
            Some(record.point.variant.as_str())
        }),
        number("n", records, |record| record.point.n),
        number("epsilon", records, |record| record.point.epsilon),
        number("eta", records, |record| record.point.eta),
        number("seed", records, |record| record.row.seed),
        number("trial", records, |record| record.row.trial),
    ]
}

fn text<'a>(
    name: &str,
    records: &'a [Record],
    text: impl Fn(&'a Record) -> Option<&'a str>,
) -> Column {
    Column::new(name.into(), records.iter().map(text).collect::<Vec<_>>())
}

fn number<T>(name: &str, records: &[Record], value: fn(&Record) -> T) -> Column
where
    Series: NamedFrom<Vec<T>, [T]>,
{
    Column::new(name.into(), records.iter().map(value).collect::<Vec<T>>())
}

/// The facts of the outcomes that files have since then.
fn facts(records: &[Record], since: Since) -> impl Iterator<Item = Column> {
    let columns = COLUMNS.iter().filter(move |column| column.since == since);
    columns.map(|column| {
        let outcomes = records.iter().map(|record| &record.row.outcome);
        match column.field {
            Field::Count(get, _) => Column::new(
                column.name.into(),
                outcomes
                    .map(|outcome| *get(outcome))
                    .collect::<Vec<Option<u64>>>(),
            ),
            Field::Board(get, _) => Column::new(
                column.name.into(),
                outcomes
                    .map(|outcome| get(outcome).as_deref().map(solution_text))
                    .collect::<Vec<Option<String>>>(),
            ),
        }
    })
}

fn solution_text(rows: &[u32]) -> String {
    rows.iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(",")
}
