//! Rows ↔ Parquet bytes. The same rows give the same bytes: one chunk, fixed row groups and pages,
//! fixed compression, no parallel encoding; nothing is read that was not checked first.

mod at_once;

mod course_bytes;

pub mod course_table;

mod decode;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::*;

pub use self::at_once::write_at_once;
pub use self::decode::{Bytes, TableError, TableReader, Time, is_guarded};

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
    /// A part of a run under way: the columns of `trials.parquet`, `repeat` and `seconds`, and
    /// `course` where a trial of the part has one.
    Part,
}

impl Layout {
    /// Rows in a row group, and in the batches that a [`TableWriter`] takes. Parts are read back
    /// many at a time, so theirs are smaller.
    pub fn batch(self) -> usize {
        match self {
            Self::Trials | Self::Timings => 1 << 16,
            Self::Part => 1 << 14,
        }
    }
}

/// Observations and moves in a row group of a part, at most, unless one trial alone has more: parts
/// are read back many at a time.
pub(super) const MOST_IN_COURSES: usize = 1 << 16;

/// The first of `records` that go into one batch of at most `most` records: at least one.
pub(super) fn first_batch(records: &[Record], most: usize) -> usize {
    let mut entries = 0;
    let fits = |record: &Record| {
        entries += record.course.entries();
        entries <= MOST_IN_COURSES
    };
    let fitting = records.iter().take(most).map(fits).take_while(|&fits| fits);
    fitting.count().max(1)
}

/// The columns of a table that only some tables have, so that what a few algorithms or plans need
/// changes no bytes of others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FurtherColumns {
    /// The axes of the table's points beyond [`KEY_AXES`], for which every table has a column: a
    /// column for each, sorted by name.
    axes: BTreeMap<String, Kind>,
    /// Of a part: a column `course`.
    courses: bool,
}

/// What the values on an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Real,
}

impl FurtherColumns {
    /// Those that any of the records needs.
    pub fn of(records: &[Record]) -> Self {
        let mut axes = BTreeMap::new();
        let points = records.iter().map(|record| &record.point);
        for (name, value) in points.flat_map(|point| point.axes.further()) {
            if !axes.contains_key(name) {
                let kind = match value {
                    Value::Integer(_) => Kind::Integer,
                    Value::Real(_) => Kind::Real,
                };
                axes.insert(name.to_owned(), kind);
            }
        }
        Self {
            axes,
            courses: records.iter().any(|record| record.course.entries() > 0),
        }
    }

    /// Those of any of the tables.
    pub fn of_all(tables: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for table in tables {
            all.axes.extend(table.axes);
            all.courses |= table.courses;
        }
        all
    }
}

/// Writes one table, batch by batch: each batch becomes a row group, so that the bytes depend on
/// the rows and the size of the batches alone.
pub struct TableWriter<W: Write> {
    layout: Layout,
    further: FurtherColumns,
    writer: BatchedWriter<W>,
}

/// A writer of tables with these columns, whose bytes depend on the rows and the batches alone.
fn batched<W: Write>(columns: &DataFrame, writer: W) -> PolarsResult<BatchedWriter<W>> {
    ParquetWriter::new(writer)
        // zstd's default level: which one that is, is fixed by Cargo.lock, as the code version is.
        .with_compression(ParquetCompression::Zstd(None))
        .with_data_page_size(Some(PAGE))
        .set_parallel(false)
        .batched(columns.schema())
}

impl<W: Write> TableWriter<W> {
    /// A writer of rows that need no further columns than these.
    ///
    /// # Errors
    /// Polars' own, none of which a writer that works can cause.
    pub fn new(layout: Layout, further: &FurtherColumns, writer: W) -> PolarsResult<Self> {
        Ok(Self {
            layout,
            further: further.clone(),
            writer: batched(&frame(layout, further, &[])?, writer)?,
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
                .write_batch(&frame(self.layout, &self.further, records)?)
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

/// The columns of a table of all of `records`.
///
/// # Errors
/// A point with a value that its axis' column cannot hold.
pub fn columns(layout: Layout, records: &[Record]) -> PolarsResult<DataFrame> {
    frame(layout, &FurtherColumns::of(records), records)
}

fn frame(layout: Layout, further: &FurtherColumns, records: &[Record]) -> PolarsResult<DataFrame> {
    let mut columns = key_columns(further, records)?;
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
    if layout == Layout::Part && further.courses {
        columns.push(course_bytes::column(records));
    }
    DataFrame::new(records.len(), columns)
}

/// A row of any table: whose trial it is of.
trait Keyed {
    fn point(&self) -> &PointKey;
    fn seed(&self) -> u64;
    fn trial(&self) -> u32;
}

impl Keyed for Record {
    fn point(&self) -> &PointKey {
        &self.point
    }

    fn seed(&self) -> u64 {
        self.row.seed
    }

    fn trial(&self) -> u32 {
        self.row.trial
    }
}

fn key_columns<K: Keyed>(further: &FurtherColumns, rows: &[K]) -> PolarsResult<Vec<Column>> {
    let [n, epsilon, eta] = KEY_AXES;
    let mut columns = vec![
        text("algorithm", rows, |row| Some(&row.point().algorithm)),
        text("variant", rows, |row| Some(&row.point().variant)),
        axis(n, rows, |value| u32::try_from(integer(value)?).ok())?,
        axis(epsilon, rows, real)?,
        axis(eta, rows, real)?,
    ];
    for (name, kind) in &further.axes {
        columns.push(match kind {
            Kind::Integer => axis(name, rows, integer)?,
            Kind::Real => axis(name, rows, real)?,
        });
    }
    columns.push(number("seed", rows, Keyed::seed));
    columns.push(number("trial", rows, Keyed::trial));
    Ok(columns)
}

/// The values on one axis, null where a point does not have it.
fn axis<K, T>(name: &str, rows: &[K], held: fn(Value) -> Option<T>) -> PolarsResult<Column>
where
    K: Keyed,
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    let held = |value: Value| {
        held(value).ok_or_else(|| {
            PolarsError::ComputeError(format!("the column {name} cannot hold {value}").into())
        })
    };
    let values = rows
        .iter()
        .map(|row| row.point().axes.get(name).map(held).transpose());
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

fn text<'a, R>(name: &str, rows: &'a [R], text: impl Fn(&'a R) -> Option<&'a str>) -> Column {
    Column::new(name.into(), rows.iter().map(text).collect::<Vec<_>>())
}

fn number<R, T>(name: &str, rows: &[R], value: fn(&R) -> T) -> Column
where
    Series: NamedFrom<Vec<T>, [T]>,
{
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<T>>())
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
    let mut text = String::with_capacity(3 * rows.len());
    for row in rows {
        let comma = if text.is_empty() { "" } else { "," };
        write!(text, "{comma}{row}").expect("writing to a String cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Arc;

    use super::*;
    use crate::experiment::store::Row;

    /// Name, type with `null` where a value may be missing, unit, and meaning of the lines of the
    /// table of columns in the documentation.
    fn documented() -> Vec<[&'static str; 4]> {
        let text = include_str!("../../../docs/data.md");
        let section = text
            .split("\n## ")
            .find(|it| it.starts_with("trials.parquet"));
        let lines = section.expect("a section on the file").lines();
        let table = lines.skip_while(|line| !line.starts_with("|---")).skip(1);
        table
            .take_while(|line| line.starts_with('|'))
            .map(|line| {
                let cells: Vec<&str> = line[1..line.len() - 1]
                    .split(" | ")
                    .map(str::trim)
                    .collect();
                let [name, kind, unit, meaning] = cells[..] else {
                    panic!("four cells: {line}")
                };
                [name.trim_matches('`'), kind, unit, meaning]
            })
            .collect()
    }

    fn records() -> Vec<Record> {
        let record = |algorithm: &str, epsilon| {
            let values = [("n", Value::Integer(8)), ("epsilon", Value::real(epsilon))];
            Record::bare(&Arc::new(PointKey::new(algorithm, values)), 0)
        };
        vec![record("cell", 0.25), record("pair", 0.5)]
    }

    #[test]
    fn the_documentation_has_every_column_in_the_order_of_the_file() {
        let frame = frame(Layout::Trials, &FurtherColumns::default(), &[]).expect("an empty table");
        let typed = |column: &Column| {
            let kind = match column.dtype() {
                DataType::String => "string".to_owned(),
                DataType::UInt32 => "u32".to_owned(),
                other => other.to_string(),
            };
            [column.name().to_string(), kind]
        };
        let documented = documented();
        let [found, expected]: [Vec<[String; 2]>; 2] = [
            documented
                .iter()
                .map(|[name, kind, ..]| [(*name).to_owned(), kind.replace(", null", "")])
                .collect(),
            frame.columns().iter().map(typed).collect(),
        ];
        assert_eq!(found, expected);
        for column in COLUMNS {
            let kind = match column.field {
                Field::Count(..) => "u64, null",
                Field::Board(..) => "string, null",
            };
            let line = [column.name, kind, column.unit, column.doc];
            assert!(
                documented.contains(&line),
                "docs/data.md lacks | `{}` | {} | {} | {} |",
                line[0],
                line[1],
                line[2],
                line[3]
            );
        }
    }

    fn rows(bytes: &[u8]) -> Result<Vec<Row>, TableError> {
        let records = TableReader::new(Cursor::new(bytes), Layout::Trials)?.next_batch()?;
        let rows = records.into_iter().flatten().map(|record| record.row);
        Ok(rows.collect())
    }

    /// As in a file that an older program wrote.
    #[test]
    fn a_later_column_that_a_file_lacks_is_null_and_an_unknown_one_is_not_read() {
        let records = records();
        let mut table = frame(Layout::Trials, &FurtherColumns::default(), &records).expect("rows");
        for column in COLUMNS.iter().filter(|column| column.since == Since::Later) {
            table = table.drop(column.name).expect("a column of the table");
        }
        let unknown = Column::new("of_tomorrow".into(), vec![7_u64; records.len()]);
        table.with_column(unknown).expect("as many rows");
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .finish(&mut table)
            .expect("written to memory");
        let rows = rows(&bytes).expect("a table of this schema");
        let expected = records.into_iter().map(|record| record.row);
        assert_eq!(rows, expected.collect::<Vec<_>>());
    }

    /// A first column of schema 1 that is missing is damage.
    #[test]
    fn a_first_column_must_be_there() {
        let table = frame(Layout::Trials, &FurtherColumns::default(), &records()).expect("rows");
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .finish(&mut table.drop("hitting_time").expect("a column of the table"))
            .expect("written to memory");
        assert!(rows(&bytes).is_err());
    }

    #[test]
    fn what_a_column_cannot_hold_is_an_error() {
        let mut records = records();
        let large = Value::Integer(1 << 32);
        records[0].point = Arc::new(records[0].point.with("n", large));
        let error = columns(Layout::Trials, &records).expect_err("n is 32 bits wide");
        assert!(
            error
                .to_string()
                .contains("the column n cannot hold 4294967296")
        );
    }
}
