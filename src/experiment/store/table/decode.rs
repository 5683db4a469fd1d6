//! Parquet bytes → rows, some at a time, so that a table need not fit into memory.

use std::io::Cursor;
use std::sync::Arc;

use polars::io::mmap::MmapBytesReader;
use polars::io::parquet::read::{FileMetadata, ParallelStrategy};
use polars::prelude::*;

use super::super::{PointKey, PointTimings, PointTrials, Record, Row, TrialTimes};
use super::Layout;
use crate::solver::goal::Goal;
use crate::solver::outcome::{self, COLUMNS, Field, Since};
use crate::solver::{Ending, Outcome};

/// The rows of a `trials.parquet`, grouped by point.
///
/// # Errors
/// Bytes that are no Parquet of this schema. Give it checked bytes only: a damaged file can make
/// the reader ask for absurd memory.
pub fn read_trials(bytes: &[u8]) -> PolarsResult<Vec<PointTrials>> {
    TableReader::new(Cursor::new(bytes), Layout::Trials)?.by_point()
}

/// Reads a table batch by batch.
pub struct TableReader<R> {
    source: R,
    layout: Layout,
    metadata: Arc<FileMetadata>,
    next: usize,
}

impl<R: MmapBytesReader> TableReader<R> {
    /// A reader of checked bytes.
    ///
    /// # Errors
    /// Bytes that are no Parquet.
    pub fn new(mut source: R, layout: Layout) -> PolarsResult<Self> {
        let metadata = ParquetReader::new(&mut source).get_metadata()?.clone();
        Ok(Self {
            source,
            layout,
            metadata,
            next: 0,
        })
    }

    /// All rows of the table.
    pub fn rows(&self) -> u64 {
        self.metadata.num_rows as u64
    }

    /// The next rows, as many as stand in a row group; `None` after the last. Without a column
    /// `seconds` they took NaN.
    ///
    /// # Errors
    /// A table of another schema.
    pub fn next_batch(&mut self) -> PolarsResult<Option<Vec<Record>>> {
        match self.next_frame()? {
            Some(frame) => {
                records(&frame, matches!(self.layout, Layout::Part | Layout::Timed)).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The rows that are left, grouped by point.
    ///
    /// # Errors
    /// A table of another schema.
    pub fn by_point(mut self) -> PolarsResult<Vec<PointTrials>> {
        let mut points: Vec<PointTrials> = Vec::new();
        while let Some(records) = self.next_batch()? {
            for Record { point, row, .. } in records {
                match points.last_mut() {
                    Some(last) if last.point == *point => last.rows.push(row),
                    _ => points.push(PointTrials {
                        point: PointKey::clone(&point),
                        rows: vec![row],
                    }),
                }
            }
        }
        Ok(points)
    }

    /// The next values of the column `seconds` alone, those of each trial's first run.
    ///
    /// # Errors
    /// A table of another schema.
    pub fn next_first_seconds(&mut self) -> PolarsResult<Option<Vec<f64>>> {
        let Some(frame) = self.next_frame()? else {
            return Ok(None);
        };
        let (repeat, seconds) = (
            frame.column("repeat")?.u32()?,
            frame.column("seconds")?.f64()?,
        );
        let first = repeat
            .iter()
            .zip(seconds.iter())
            .filter(|(repeat, _)| *repeat == Some(0));
        Ok(Some(
            first
                .map(|(_, seconds)| seconds.unwrap_or(f64::NAN))
                .collect(),
        ))
    }

    /// The times that are left, grouped by point and trial.
    ///
    /// # Errors
    /// A table of another schema.
    pub fn times_by_point(mut self) -> PolarsResult<Vec<PointTimings>> {
        let mut timings: Vec<PointTimings> = Vec::new();
        while let Some(frame) = self.next_frame()? {
            let (seed, trial) = (frame.column("seed")?.u64()?, frame.column("trial")?.u32()?);
            let seconds = frame.column("seconds")?.f64()?;
            for (i, point) in points(&frame)?.into_iter().enumerate() {
                if timings.last().is_none_or(|last| last.point != *point) {
                    timings.push(PointTimings {
                        point: PointKey::clone(&point),
                        trials: Vec::new(),
                    });
                }
                let trials = &mut timings
                    .last_mut()
                    .expect("one was pushed where there was none")
                    .trials;
                let (seed, trial) = (
                    present("seed", seed.get(i))?,
                    present("trial", trial.get(i))?,
                );
                let seconds = seconds.get(i).unwrap_or(f64::NAN);
                match trials
                    .last_mut()
                    .filter(|last| (last.seed, last.trial) == (seed, trial))
                {
                    Some(last) => last.seconds.push(seconds),
                    None => trials.push(TrialTimes {
                        seed,
                        trial,
                        seconds: vec![seconds],
                    }),
                }
            }
        }
        Ok(timings)
    }

    fn next_frame(&mut self) -> PolarsResult<Option<DataFrame>> {
        let rows = self.layout.batch().min(self.metadata.num_rows - self.next);
        if rows == 0 {
            return Ok(None);
        }
        let mut reader = ParquetReader::new(&mut self.source)
            .with_slice(Some((self.next, rows)))
            .read_parallel(ParallelStrategy::None);
        reader.set_metadata(Arc::clone(&self.metadata));
        self.next += rows;
        reader.finish().map(Some)
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
    let mut records: Vec<Record> = Vec::with_capacity(frame.height());
    for (i, point) in points(frame)?.into_iter().enumerate() {
        let ending = present("outcome", ending.get(i))?;
        let ending = Ending::from_name(ending).ok_or_else(|| unexpected("outcome", ending))?;
        let mut outcome = Outcome::ended(ending);
        for fact in &facts {
            fact.put(i, &mut outcome)?;
        }
        let row = Row {
            seed: present("seed", seed.get(i))?,
            trial: present("trial", trial.get(i))?,
            cutoff: present("cutoff", cutoff.get(i))?,
            outcome,
        };
        let seconds = seconds
            .and_then(|seconds| seconds.get(i))
            .unwrap_or(f64::NAN);
        records.push(Record {
            point,
            row,
            repeat: repeat.and_then(|repeat| repeat.get(i)).unwrap_or(0),
            seconds,
        });
    }
    Ok(records)
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

/// The point of each row; neighbours of one point share it.
fn points(frame: &DataFrame) -> PolarsResult<Vec<Arc<PointKey>>> {
    let text = |name: &str| frame.column(name)?.str();
    let [algorithm, variant] = [text("algorithm")?, text("variant")?];
    let n = frame.column("n")?.u32()?;
    let [epsilon, eta] = [frame.column("epsilon")?.f64()?, frame.column("eta")?.f64()?];
    let goal = later(frame, "goal")
        .map(|column| column.str())
        .transpose()?;
    let mut points: Vec<Arc<PointKey>> = Vec::with_capacity(frame.height());
    for i in 0..frame.height() {
        let [algorithm, variant] = [
            present("algorithm", algorithm.get(i))?,
            present("variant", variant.get(i))?,
        ];
        let (n, epsilon, eta) = (present("n", n.get(i))?, epsilon.get(i), eta.get(i));
        let goal = goal.and_then(|column| column.get(i));
        let goal = goal
            .map(|name| Goal::from_name(name).ok_or_else(|| unexpected("goal", name)))
            .transpose()?;
        let is_same = |last: &&Arc<PointKey>| {
            (
                last.algorithm == algorithm,
                last.variant == variant,
                last.n,
                last.epsilon,
                last.eta,
                last.goal,
            ) == (true, true, n, epsilon, eta, goal)
        };
        let point = match points.last().filter(is_same) {
            Some(last) => Arc::clone(last),
            None => Arc::new(PointKey {
                algorithm: algorithm.into(),
                variant: variant.into(),
                n,
                epsilon,
                eta,
                goal,
            }),
        };
        points.push(point);
    }
    Ok(points)
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

fn present<T>(column: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| unexpected(column, "null"))
}

fn unexpected(column: &str, found: &str) -> PolarsError {
    PolarsError::ComputeError(
        format!("column {column}: {found:?} is not a value of this schema").into(),
    )
}
