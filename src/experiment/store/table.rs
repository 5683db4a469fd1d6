//! Rows ↔ Parquet bytes. The same rows give the same bytes: one chunk, fixed row groups and pages,
//! fixed compression, no parallel encoding; nothing is read that was not checked first.

mod decode;

use std::io::Write;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

pub use self::decode::{TableReader, read_trials};

use super::{Record, Row};
use crate::solver::goal::Goal;

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
    if layout != Layout::Timings {
        columns.extend(outcome_columns(records));
    }
    if layout != Layout::Trials {
        columns.push(Column::new(
            "repeat".into(),
            records
                .iter()
                .map(|record| record.repeat)
                .collect::<Vec<_>>(),
        ));
        columns.push(Column::new(
            "seconds".into(),
            records
                .iter()
                .map(|record| record.seconds)
                .collect::<Vec<_>>(),
        ));
    }
    // Part of the key, though it came later and stands after the columns that were there before.
    columns.push(text("goal", records, |record| {
        record.point.goal.map(Goal::name)
    }));
    if layout != Layout::Timings {
        columns.extend(count_columns(records));
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
        Column::new(
            "n".into(),
            records
                .iter()
                .map(|record| record.point.n)
                .collect::<Vec<_>>(),
        ),
        Column::new(
            "epsilon".into(),
            records
                .iter()
                .map(|record| record.point.epsilon)
                .collect::<Vec<_>>(),
        ),
        Column::new(
            "eta".into(),
            records
                .iter()
                .map(|record| record.point.eta)
                .collect::<Vec<_>>(),
        ),
        Column::new(
            "seed".into(),
            records
                .iter()
                .map(|record| record.row.seed)
                .collect::<Vec<_>>(),
        ),
        Column::new(
            "trial".into(),
            records
                .iter()
                .map(|record| record.row.trial)
                .collect::<Vec<_>>(),
        ),
    ]
}

fn text<'a>(
    name: &str,
    records: &'a [Record],
    text: impl Fn(&'a Record) -> Option<&'a str>,
) -> Column {
    Column::new(name.into(), records.iter().map(text).collect::<Vec<_>>())
}

fn outcome_columns(records: &[Record]) -> Vec<Column> {
    let count = |name, value| count_column(name, records, value);
    let solutions: Vec<Option<String>> = records
        .iter()
        .map(|record| record.row.solution.as_deref().map(solution_text))
        .collect();
    vec![
        text("outcome", records, |record| Some(record.row.ending.name())),
        count("cutoff", |row| Some(row.cutoff)),
        count("absorption_time", |row| row.absorption_time),
        count("hitting_time", |row| row.hitting_time),
        count("moves", |row| row.moves),
        count("moves_at_hit", |row| row.moves_at_hit),
        count("updates", |row| row.updates),
        Column::new("solution".into(), solutions),
    ]
}

fn count_columns(records: &[Record]) -> Vec<Column> {
    vec![
        count_column("solutions", records, |row| row.counts.solutions),
        count_column("nodes", records, |row| row.counts.nodes),
        count_column("checks", records, |row| row.counts.checks),
        count_column("failures", records, |row| row.counts.failures),
    ]
}

fn count_column(name: &str, records: &[Record], value: fn(&Row) -> Option<u64>) -> Column {
    Column::new(
        name.into(),
        records
            .iter()
            .map(|record| value(&record.row))
            .collect::<Vec<Option<u64>>>(),
    )
}

fn solution_text(rows: &[u32]) -> String {
    rows.iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(",")
}
