//! Rows ↔ Parquet bytes. The same rows give the same bytes: one chunk, fixed row groups and pages,
//! fixed compression, no parallel encoding; nothing is read that was not checked first.

mod decode;

use std::collections::BTreeMap;
use std::io::Write;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

pub use self::decode::{TableReader, read_trials};

use super::{PointKey, Record};
use crate::solver::Value;
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Field, Since};
use crate::solver::point::KEY_AXES;

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

/// The axes of a table's points beyond [`KEY_AXES`], for which every table has a column: a table has
/// a column for each, sorted by name, and none where no point has any, so that an algorithm with an
/// axis of its own changes no bytes of others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FurtherAxes(BTreeMap<String, Kind>);

/// What the values on an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Real,
}

impl FurtherAxes {
    /// Those that any of the points has.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a PointKey>) -> Self {
        let mut axes = BTreeMap::new();
        for (name, value) in points.into_iter().flat_map(|point| point.axes.further()) {
            if !axes.contains_key(name) {
                let kind = match value {
                    Value::Integer(_) => Kind::Integer,
                    Value::Real(_) => Kind::Real,
                };
                axes.insert(name.to_owned(), kind);
            }
        }
        Self(axes)
    }

    /// Those of any of the tables.
    pub fn of_all(tables: impl IntoIterator<Item = Self>) -> Self {
        Self(tables.into_iter().flat_map(|axes| axes.0).collect())
    }
}

/// Writes one table, batch by batch: each batch becomes a row group, so that the bytes depend on
/// the rows and the size of the batches alone.
pub struct TableWriter<W: Write> {
    layout: Layout,
    axes: FurtherAxes,
    writer: BatchedWriter<W>,
}

impl<W: Write> TableWriter<W> {
    /// A writer of rows of points that have no further axes than `axes`.
    ///
    /// # Errors
    /// Polars' own, none of which a writer that works can cause.
    pub fn new(layout: Layout, axes: &FurtherAxes, writer: W) -> PolarsResult<Self> {
        let writer = ParquetWriter::new(writer)
            // zstd's default level: which one that is, is fixed by Cargo.lock, as the code version
            // is.
            .with_compression(ParquetCompression::Zstd(None))
            .with_data_page_size(Some(PAGE))
            .set_parallel(false)
            .batched(frame(layout, axes, &[])?.schema())?;
        Ok(Self {
            layout,
            axes: axes.clone(),
            writer,
        })
    }

    /// Adds a row group; a trial that was timed several times has one row in `trials.parquet`.
    ///
    /// # Errors
    /// Those of the writer underneath; a point with a value that its axis' column cannot hold.
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
            self.writer
                .write_batch(&frame(self.layout, &self.axes, records)?)
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
    let axes = FurtherAxes::of(records.iter().map(|record| &*record.point));
    let mut writer = TableWriter::new(layout, &axes, &mut bytes)?;
    for batch in records.chunks(layout.batch()) {
        writer.write(batch)?;
    }
    writer.finish()?;
    Ok(bytes)
}

fn frame(layout: Layout, axes: &FurtherAxes, records: &[Record]) -> PolarsResult<DataFrame> {
    let mut columns = key_columns(axes, records)?;
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

fn key_columns(axes: &FurtherAxes, records: &[Record]) -> PolarsResult<Vec<Column>> {
    let [n, epsilon, eta] = KEY_AXES;
    let mut columns = vec![
        text("algorithm", records, |record| {
            Some(record.point.algorithm.as_str())
        }),
        text("variant", records, |record| {
            Some(record.point.variant.as_str())
        }),
        axis(n, records, |value| u32::try_from(integer(value)?).ok())?,
        axis(epsilon, records, real)?,
        axis(eta, records, real)?,
    ];
    for (name, kind) in &axes.0 {
        columns.push(match kind {
            Kind::Integer => axis(name, records, integer)?,
            Kind::Real => axis(name, records, real)?,
        });
    }
    columns.push(number("seed", records, |record| record.row.seed));
    columns.push(number("trial", records, |record| record.row.trial));
    Ok(columns)
}

/// The values on one axis, null where a point does not have it.
fn axis<T>(name: &str, records: &[Record], held: fn(Value) -> Option<T>) -> PolarsResult<Column>
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    let held = |value: Value| {
        held(value).ok_or_else(|| {
            PolarsError::ComputeError(format!("the column {name} cannot hold {value}").into())
        })
    };
    let values = records
        .iter()
        .map(|record| record.point.axes.get(name).map(held).transpose());
    let values = values.collect::<PolarsResult<Vec<Option<T>>>>()?;
    Ok(Column::new(name.into(), values))
}

fn integer(value: Value) -> Option<u64> {
    match value {
        Value::Integer(value) => Some(value),
        Value::Real(_) => None,
    }
}

fn real(value: Value) -> Option<f64> {
    match value {
        Value::Integer(_) => None,
        Value::Real(value) => Some(value),
    }
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
