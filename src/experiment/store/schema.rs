//! Every table, each of its columns declared once: name, type, how its value is got from a row and
//! put back. Writing, reading, comparing and exporting follow from it, and tests hold the
//! documentation against it.

use std::fmt::Write as _;
use std::sync::Arc;

use polars::prelude::{Column, DataFrame, PolarsResult};

use super::table::{Axes, StoredColumn, StoredTable, TableRow, unexpected};
use super::{Point, Record, Row};
use crate::solver::course::{Course, Observation};
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Ending, Outcome};

/// A row for each trial.
pub const TRIALS: &str = "trials.parquet";
/// A row for each time that a trial took.
pub const TIMINGS: &str = "timings.parquet";
/// A row for each observation of a trial's course.
pub const SERIES: &str = "series.parquet";

/// Columns of numbers, each with its field of a row.
macro_rules! numbers {
    ($row:ty: $($name:ident = $($field:ident).+),+ $(,)?) => {
        [$(StoredColumn::number(
            stringify!($name),
            |row: &$row| row.$($field).+,
            |row: &mut $row, value| {
                row.$($field).+ = value;
                true
            },
        )),+]
    };
}

/// `trials.parquet`.
pub fn trials() -> StoredTable<Record> {
    let outcome = StoredColumn::text("outcome", |row: &Record| {
        Some(row.row.outcome.ending.name().into())
    });
    let mut columns = vec![outcome];
    columns.extend(numbers!(Record: cutoff = row.cutoff));
    columns.push(goal());
    columns.push(dynamics());
    columns.extend(facts());
    StoredTable {
        file: TRIALS,
        columns,
        of: |record, rows| rows.push(record.clone()),
    }
}

impl TableRow for Record {
    fn blank(point: Arc<Point>, seed: u64, trial: u32) -> Self {
        Self {
            point,
            row: Row {
                seed,
                trial,
                cutoff: 0,
                outcome: Outcome::ended(Ending::Censored),
            },
            dynamics: None,
            seconds: Vec::new(),
            course: Course::default(),
        }
    }

    fn trial(&self) -> (&Arc<Point>, u64, u32) {
        (&self.point, self.row.seed, self.row.trial)
    }
}

/// `timings.parquet`: each time that a trial of a search took. Trials of a rule share the time of
/// their thread with those beside them; what they took together is in the manifest.
pub fn timings() -> StoredTable<OfTrial<Timing>> {
    let mut columns = Vec::from(numbers!(OfTrial<Timing>:
        repeat = entry.repeat,
        seconds = entry.seconds,
    ));
    columns.push(goal());
    StoredTable {
        file: TIMINGS,
        columns,
        of: |record, rows| {
            if record.point.goal.is_some() {
                let times = (0..).zip(&record.seconds);
                let times = times.map(|(repeat, &seconds)| Timing { repeat, seconds });
                rows.extend(OfTrial::all(record, &times.collect::<Vec<_>>()));
            }
        },
    }
}

/// How long a run of a trial took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timing {
    /// The number of the run of the trial, from 0.
    pub repeat: u32,
    /// Wall-clock time, finite and not negative.
    pub seconds: f64,
}

/// `series.parquet`: an observation each.
pub fn series() -> StoredTable<OfTrial<Observation>> {
    let [update, rest @ ..] = numbers!(OfTrial<Observation>:
        update = entry.update,
        threatened = entry.threatened,
        attacked = entry.attacked,
        safe_cells = entry.safe_cells,
        truly_safe_cells = entry.truly_safe_cells,
        safe_moves = entry.safe_moves,
        conflicts = entry.conflicts,
        moves = entry.moves,
        signals = entry.signals,
    );
    let true_signals = StoredColumn::number(
        "true_signals",
        |row: &OfTrial<Observation>| share(&row.entry),
        |row: &mut OfTrial<Observation>, read| {
            // The share is of an integer below 2³², which it gives back. `signals` has been put.
            row.entry.true_signals = (read * f64::from(row.entry.signals)).round() as u32;
            share(&row.entry) == read
        },
    );
    StoredTable {
        file: SERIES,
        columns: [update, true_signals].into_iter().chain(rest).collect(),
        of: |record, rows| rows.extend(OfTrial::all(record, &record.course.series)),
    }
}

/// Share of the signals that are true; 1 where there are none.
fn share(observation: &Observation) -> f64 {
    match observation.signals {
        0 => 1.0,
        signals => f64::from(observation.true_signals) / f64::from(signals),
    }
}

/// A time or an observation, and the trial that it is of.
#[derive(Debug, Clone, PartialEq)]
pub struct OfTrial<E> {
    point: Arc<Point>,
    seed: u64,
    trial: u32,
    /// What is written down.
    pub entry: E,
}

impl<E: Copy> OfTrial<E> {
    /// The entries of a record, each with its trial.
    pub fn all(record: &Record, entries: &[E]) -> impl Iterator<Item = Self> {
        let (point, seed, trial) = record.trial();
        entries.iter().map(move |&entry| Self {
            point: Arc::clone(point),
            seed,
            trial,
            entry,
        })
    }
}

impl<E: Copy + Default + Send + Sync + 'static> TableRow for OfTrial<E> {
    fn blank(point: Arc<Point>, seed: u64, trial: u32) -> Self {
        Self {
            point,
            seed,
            trial,
            entry: E::default(),
        }
    }

    fn trial(&self) -> (&Arc<Point>, u64, u32) {
        (&self.point, self.seed, self.trial)
    }
}

/// Part of the key.
fn goal<R: TableRow>() -> StoredColumn<R> {
    StoredColumn::text("goal", |row: &R| {
        row.trial().0.goal.map(|goal| goal.name().into())
    })
}

/// How the trial was simulated, which is part of what it is; null for a search, and in files of
/// earlier code versions.
fn dynamics() -> StoredColumn<Record> {
    StoredColumn::text("dynamics", |row: &Record| {
        row.dynamics.map(|it| it.name().into())
    })
}

/// The facts of the outcomes. A file that an earlier code version wrote may lack some.
fn facts() -> impl Iterator<Item = StoredColumn<Record>> {
    COLUMNS.iter().map(|column| match column.field {
        Field::Count(get, _) => {
            StoredColumn::count(column.name, move |row: &Record| *get(&row.row.outcome))
        }
        Field::Board(get, _) => StoredColumn::text(column.name, move |row: &Record| {
            Some(board_text(get(&row.row.outcome).as_deref()?).into())
        }),
    })
}

/// The rows of records as tables, each sorted: that of the trials, and those of times and courses
/// that have a row.
pub fn tables(axes: &Axes, records: &mut [Record]) -> PolarsResult<Vec<(&'static str, DataFrame)>> {
    records.sort_by_cached_key(Record::key);
    let all = [
        encoded(&trials(), axes, records)?,
        encoded(&timings(), axes, records)?,
        encoded(&series(), axes, records)?,
    ];
    let has_rows = |(name, frame): &(&str, DataFrame)| *name == TRIALS || frame.height() > 0;
    Ok(all.into_iter().filter(has_rows).collect())
}

fn encoded<R: TableRow>(
    table: &StoredTable<R>,
    axes: &Axes,
    records: &[Record],
) -> PolarsResult<(&'static str, DataFrame)> {
    let mut rows = Vec::new();
    records
        .iter()
        .for_each(|record| (table.of)(record, &mut rows));
    Ok((table.file, table.frame(axes, &rows)?))
}

/// The columns of the table of this name with these axes, of `frame` if it is given.
pub(crate) fn aligned(
    name: &str,
    axes: &Axes,
    frame: Option<&DataFrame>,
) -> PolarsResult<DataFrame> {
    let empty = match name {
        TRIALS => trials().frame(axes, &[]),
        TIMINGS => timings().frame(axes, &[]),
        _ => series().frame(axes, &[]),
    }?;
    let Some(frame) = frame else { return Ok(empty) };
    let columns = empty.columns().iter().map(|wanted| {
        let (name, kind) = (wanted.name().clone(), wanted.dtype());
        let own = frame.column(&name).cloned();
        own.unwrap_or_else(|_| Column::full_null(name, frame.height(), kind))
    });
    DataFrame::new(frame.height(), columns.collect())
}

/// The ending of a word in the column `outcome`.
pub(crate) fn ending(name: Option<&str>) -> PolarsResult<Ending> {
    let ending = name.and_then(Ending::from_name);
    ending.ok_or_else(|| unexpected("outcome", name.unwrap_or("null")))
}

/// A board as the column `solution` has it.
pub(crate) fn board_text(rows: &[u32]) -> String {
    let mut text = String::with_capacity(3 * rows.len());
    for row in rows {
        let comma = if text.is_empty() { "" } else { "," };
        write!(text, "{comma}{row}").expect("writing to a String cannot fail");
    }
    text
}

/// The board of a [`board_text`]; `None` where it is none.
pub(crate) fn board(text: &str) -> Option<Box<[u32]>> {
    text.split(',').map(|row| row.parse().ok()).collect()
}

#[cfg(test)]
mod tests;
