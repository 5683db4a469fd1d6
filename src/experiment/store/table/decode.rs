//! Parquet bytes → rows, some at a time, so that a table need not fit into memory.

mod bytes;
mod points;
mod schema;
mod times;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::io::Cursor;
use std::sync::Arc;

use polars::io::parquet::read::{FileMetadata, ParallelStrategy};
use polars::prelude::*;

pub use self::bytes::{Bytes, TableError, is_guarded};
pub use self::points::PointReader;
pub use self::times::Time;

use self::bytes::{footer, guarded, ranges};
use self::schema::{further_columns, wanted};
use self::times::duration;

use super::super::{PointKey, PointTrials, Record, RecordKey, Row};
use super::{FurtherColumns, Layout, course_bytes};
use crate::experiment::plan::Plan;
use crate::solver::course::Course;
use crate::solver::goal::Goal;
use crate::solver::outcome::{self, COLUMNS, Field, Since};
use crate::solver::point::KEY_AXES;
use crate::solver::{AxisValues, Ending, Outcome, Value};

/// The rows of a `trials.parquet`, grouped by point.
///
/// # Errors
/// Bytes that are no Parquet of this schema. Give it checked bytes only: a damaged file can make
/// the reader ask for absurd memory.
pub fn read_trials(bytes: &[u8]) -> Result<Vec<PointTrials>, TableError> {
    TableReader::new(Cursor::new(bytes), Layout::Trials)?.by_point()
}

/// Reads a table batch by batch.
pub struct TableReader<B> {
    layout: Layout,
    further: FurtherColumns,
    frames: Frames<B>,
    /// Of the row that was read last.
    last: Option<RecordKey>,
    /// What the rows must be of.
    plan: Option<Plan>,
}

/// Reads a file of Parquet some rows at a time.
pub(super) struct Frames<B> {
    source: B,
    metadata: FileMetadata,
    /// The same without row groups.
    bare: FileMetadata,
    schema: Arc<ArrowSchema>,
    /// Columns that are read.
    columns: Vec<usize>,
    most: usize,
    row_group: usize,
    /// Rows of the row group that were read.
    read: usize,
}

impl<B: Bytes> Frames<B> {
    /// At most `most` rows at a time, and never of two row groups.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are no Parquet with columns of our types.
    pub(super) fn new(source: B, most: usize) -> Result<Self, TableError> {
        let whole = source.in_place(std::slice::from_ref(&footer(&source)?))?;
        let (metadata, schema) = guarded(|| {
            let mut reader = ParquetReader::new(Cursor::new(&*whole));
            Ok((
                FileMetadata::clone(reader.get_metadata()?),
                reader.schema()?,
            ))
        })?;
        drop(whole);
        let bare = FileMetadata {
            row_groups: Vec::new(),
            ..metadata.clone()
        };
        Ok(Self {
            columns: wanted(&schema)?,
            source,
            metadata,
            bare,
            schema,
            most,
            row_group: 0,
            read: 0,
        })
    }

    pub(super) fn rows(&self) -> u64 {
        self.metadata.num_rows as u64
    }

    /// The next rows; `None` after the last.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are no Parquet.
    pub(super) fn next(&mut self) -> Result<Option<DataFrame>, TableError> {
        let groups = &self.metadata.row_groups;
        while groups
            .get(self.row_group)
            .is_some_and(|group| group.num_rows() == self.read)
        {
            self.row_group += 1;
            self.read = 0;
        }
        let Some(group) = groups.get(self.row_group) else {
            return Ok(None);
        };
        let rows = self.most.min(group.num_rows() - self.read);
        let names = self.columns.iter().filter_map(|&at| {
            let (name, _) = self.schema.get_at_index(at)?;
            Some(name.as_str())
        });
        let whole = self
            .source
            .in_place(&ranges(&self.metadata, self.row_group, names)?)?;
        // Of the one row group alone: the reader would go through all that come before it.
        let metadata = FileMetadata {
            num_rows: group.num_rows(),
            row_groups: vec![group.clone()],
            ..self.bare.clone()
        };
        let frame = guarded(|| {
            let mut reader = ParquetReader::new(Cursor::new(&*whole))
                .with_slice(Some((self.read, rows)))
                .with_projection(Some(self.columns.clone()))
                .read_parallel(ParallelStrategy::None);
            reader.set_metadata(Arc::new(metadata));
            reader.finish()
        })?;
        if frame.height() != rows {
            return Err(unexpected("row group", &format!("{} rows", frame.height())).into());
        }
        self.read += rows;
        Ok(Some(frame))
    }
}

impl<B: Bytes> TableReader<B> {
    /// A reader of checked bytes.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are no Parquet of this schema.
    pub fn new(source: B, layout: Layout) -> Result<Self, TableError> {
        let frames = Frames::new(source, layout.batch())?;
        Ok(Self {
            layout,
            further: further_columns(&frames.schema),
            frames,
            last: None,
            plan: None,
        })
    }

    /// The same rows, refused where the plan has none such.
    #[must_use]
    pub fn of_plan(self, plan: Option<Plan>) -> Self {
        Self { plan, ..self }
    }

    /// The same rows, their courses left unread and empty.
    #[must_use]
    pub fn without_courses(mut self) -> Self {
        let schema = &self.frames.schema;
        let is_course = |at: &usize| {
            schema
                .get_at_index(*at)
                .is_some_and(|(name, _)| *name == course_bytes::NAME)
        };
        self.frames.columns.retain(|at| !is_course(at));
        self
    }

    /// The columns beyond those of every table.
    pub fn further(&self) -> &FurtherColumns {
        &self.further
    }

    /// All rows of the table.
    pub fn rows(&self) -> u64 {
        self.frames.rows()
    }

    /// The next rows, as many as stand in a row group; `None` after the last. Without a column
    /// `seconds` they took NaN.
    ///
    /// # Errors
    /// Bytes that cannot be read; a table of another schema, or whose rows are not sorted, each
    /// once.
    pub fn next_batch(&mut self) -> Result<Option<Vec<Record>>, TableError> {
        let Some(frame) = self.frames.next()? else {
            return Ok(None);
        };
        let records = records(&frame, self.layout == Layout::Part)?;
        records
            .iter()
            .try_for_each(|record| self.follow(record.key()))?;
        if self.plan.as_ref().is_some_and(|it| !it.has_rows(&records)) {
            let reason = "its rows are not this plan's";
            return Err(PolarsError::ComputeError(reason.into()).into());
        }
        Ok(Some(records))
    }

    /// Refuses a row that does not come after the one before.
    fn follow(&mut self, next: RecordKey) -> PolarsResult<()> {
        let order = self.last.as_ref().map(|last| last.cmp(&next));
        if let Some(order) = order.filter(|order| order.is_ge()) {
            return Err(out_of_order(&next, order));
        }
        self.last = Some(next);
        Ok(())
    }
}

fn records(frame: &DataFrame, timed: bool) -> PolarsResult<Vec<Record>> {
    let ending = frame.column("outcome")?.str()?;
    let trial = frame.column("trial")?.u32()?;
    let count = |name: &str| frame.column(name)?.u64();
    let [seed, cutoff] = [count("seed")?, count("cutoff")?];
    let facts = facts(frame)?;
    let seconds = timed.then(|| frame.column("seconds")?.f64()).transpose()?;
    let repeat = timed.then(|| frame.column("repeat")?.u32()).transpose()?;
    let courses = later(frame, course_bytes::NAME).map(Column::binary);
    let courses = courses.transpose()?;
    let mut records: Vec<Record> = Vec::with_capacity(frame.height());
    for (i, point) in points(frame)?.into_iter().enumerate() {
        let ending = present("outcome", ending.get(i))?;
        let ending = Ending::from_name(ending).ok_or_else(|| unexpected("outcome", ending))?;
        let mut outcome = Outcome::ended(ending);
        for fact in &facts {
            fact.put(i, &mut outcome)?;
        }
        if let Some(board) = &outcome.solution {
            check_board(board, point.integer("n"))?;
        }
        let row = Row {
            seed: present("seed", seed.get(i))?,
            trial: present("trial", trial.get(i))?,
            cutoff: present("cutoff", cutoff.get(i))?,
            outcome,
        };
        check_counts(&row, point.integer("n"))?;
        let seconds = match seconds {
            // How long a trial takes that runs yet is not known.
            Some(_) if row.is_running() => f64::NAN,
            Some(seconds) => duration(seconds.get(i))?,
            None => f64::NAN,
        };
        let repeat = repeat.map_or(Ok(0), |repeat| present("repeat", repeat.get(i)))?;
        records.push(Record {
            point,
            row,
            repeat,
            seconds,
            course: courses
                .and_then(|courses| courses.get(i))
                .map_or(Ok(Course::default()), course)?,
        });
    }
    Ok(records)
}

fn course(bytes: &[u8]) -> PolarsResult<Course> {
    let length = || format!("{} bytes", bytes.len());
    course_bytes::decode(bytes).ok_or_else(|| unexpected(course_bytes::NAME, &length()))
}

/// The values of one column of the outcomes, and where each is put.
enum Fact<'a> {
    Count(
        &'a UInt64Chunked,
        fn(&mut Outcome) -> &mut Option<outcome::Count>,
    ),
    Board(
        &'a StringChunked,
        fn(&mut Outcome) -> &mut Option<outcome::Board>,
    ),
}

impl Fact<'_> {
    fn put(&self, row: usize, outcome: &mut Outcome) -> PolarsResult<()> {
        match self {
            Self::Count(values, field) => *field(outcome) = values.get(row),
            Self::Board(values, field) => {
                *field(outcome) = values.get(row).map(solution_rows).transpose()?;
            }
        }
        Ok(())
    }
}

/// The columns of the outcomes that the file has.
fn facts(frame: &DataFrame) -> PolarsResult<Vec<Fact<'_>>> {
    let mut facts = Vec::new();
    for column in COLUMNS {
        let values = match column.since {
            Since::First => frame.column(column.name)?,
            Since::Later => match later(frame, column.name) {
                Some(values) => values,
                None => continue,
            },
        };
        facts.push(match column.field {
            Field::Count(_, field) => Fact::Count(values.u64()?, field),
            Field::Board(_, field) => Fact::Board(values.str()?, field),
        });
    }
    Ok(facts)
}

/// The point of each row; neighbours of one point share it. Every column between `variant` and
/// `seed` is an axis.
pub(super) fn points(frame: &DataFrame) -> PolarsResult<Vec<Arc<PointKey>>> {
    let text = |name: &str| frame.column(name)?.str();
    let [algorithm, variant] = [text("algorithm")?, text("variant")?];
    let axes = frame
        .columns()
        .iter()
        .skip_while(|column| column.name() != "variant")
        .skip(1)
        .take_while(|column| column.name() != "seed")
        .map(AxisColumn::of)
        .collect::<PolarsResult<Vec<_>>>()?;
    let goal = later(frame, "goal")
        .map(|column| column.str())
        .transpose()?;
    let goal = |i| goal.and_then(|column| column.get(i));
    let mut points: Vec<Arc<PointKey>> = Vec::with_capacity(frame.height());
    for i in 0..frame.height() {
        let is_as_before = |before: usize| {
            (algorithm.get(i), variant.get(i)) == (algorithm.get(before), variant.get(before))
                && goal(i) == goal(before)
                && axes.iter().all(|axis| axis.is_equal(i, before))
        };
        if let Some(last) = points.last().filter(|_| is_as_before(i - 1)) {
            points.push(Arc::clone(last));
            continue;
        }
        let mut values = AxisValues::default();
        for axis in &axes {
            if let Some(value) = axis.value(i)? {
                values.set(axis.name.clone(), value);
            }
        }
        points.push(Arc::new(PointKey {
            algorithm: present("algorithm", algorithm.get(i))?.into(),
            variant: present("variant", variant.get(i))?.into(),
            axes: values,
            goal: goal(i)
                .map(|name| Goal::from_name(name).ok_or_else(|| unexpected("goal", name)))
                .transpose()?,
        }));
    }
    Ok(points)
}

/// The values on one axis.
struct AxisColumn<'a> {
    name: Cow<'static, str>,
    values: AxisNumbers<'a>,
}

enum AxisNumbers<'a> {
    Small(&'a UInt32Chunked),
    Integer(&'a UInt64Chunked),
    Real(&'a Float64Chunked),
}

impl<'a> AxisColumn<'a> {
    fn of(column: &'a Column) -> PolarsResult<Self> {
        let name = column.name().as_str();
        let known = KEY_AXES.into_iter().find(|known| *known == name);
        Ok(Self {
            name: known.map_or_else(|| name.to_owned().into(), Into::into),
            values: match column.dtype() {
                DataType::UInt32 => AxisNumbers::Small(column.u32()?),
                DataType::UInt64 => AxisNumbers::Integer(column.u64()?),
                DataType::Float64 => AxisNumbers::Real(column.f64()?),
                other => return Err(unexpected(name, &other.to_string())),
            },
        })
    }

    fn is_equal(&self, i: usize, j: usize) -> bool {
        match self.values {
            AxisNumbers::Small(values) => values.get(i) == values.get(j),
            AxisNumbers::Integer(values) => values.get(i) == values.get(j),
            AxisNumbers::Real(values) => values.get(i) == values.get(j),
        }
    }

    fn value(&self, i: usize) -> PolarsResult<Option<Value>> {
        Ok(match self.values {
            AxisNumbers::Small(values) => values.get(i).map(|value| Value::Integer(value.into())),
            AxisNumbers::Integer(values) => values.get(i).map(Value::Integer),
            AxisNumbers::Real(values) => match values.get(i) {
                Some(value) if value.is_nan() => return Err(unexpected(&self.name, "NaN")),
                value => value.map(Value::real),
            },
        })
    }
}

/// A column that older files of schema 1 do not have, where it is null throughout.
fn later<'a>(frame: &'a DataFrame, name: &str) -> Option<&'a Column> {
    frame.column(name).ok()
}

fn solution_rows(text: &str) -> PolarsResult<Box<[u32]>> {
    text.split(',')
        .map(|row| row.parse().map_err(|_| unexpected("solution", text)))
        .collect()
}

/// Nothing takes place after the cutoff, and no queen moves twice in an update.
fn check_counts(row: &Row, n: Option<u64>) -> PolarsResult<()> {
    let facts = &row.outcome;
    let most_moves = facts.updates.zip(n).map(|(it, n)| it.saturating_mul(n));
    for (name, count, most) in [
        ("absorption_time", facts.absorption_time, Some(row.cutoff)),
        ("hitting_time", facts.hitting_time, Some(row.cutoff)),
        ("updates", facts.updates, Some(row.cutoff)),
        ("moves", facts.moves, most_moves),
        ("moves_at_hit", facts.moves_at_hit, most_moves),
    ] {
        if let (Some(count), Some(most)) = (count, most)
            && count > most
        {
            return Err(unexpected(name, &format!("{count}, more than {most}")));
        }
    }
    Ok(())
}

/// A board has a queen in each column, on a row that the board has.
fn check_board(board: &[u32], n: Option<u64>) -> PolarsResult<()> {
    let fits =
        n.is_none_or(|n| board.len() as u64 == n && board.iter().all(|&row| u64::from(row) < n));
    if fits {
        return Ok(());
    }
    let side = n.unwrap_or_default();
    Err(PolarsError::ComputeError(
        format!("column solution: {board:?} is no board of side {side}").into(),
    ))
}

fn out_of_order(RecordKey { point, place }: &RecordKey, order: Ordering) -> PolarsError {
    let (seed, trial, _) = place;
    let reason = match order {
        Ordering::Equal => "twice",
        _ => "not in its place",
    };
    PolarsError::ComputeError(
        format!("the row of trial {trial} of seed {seed} at {point} is there {reason}").into(),
    )
}

pub(super) fn present<T>(column: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| unexpected(column, "null"))
}

pub(super) fn unexpected(column: &str, found: &str) -> PolarsError {
    PolarsError::ComputeError(
        format!("column {column}: {found:?} is not a value of this schema").into(),
    )
}
