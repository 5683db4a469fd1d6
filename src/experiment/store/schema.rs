//! Every column of a table, and how its value is got from a trial. The names, units and meanings of
//! facts of a trial are in the solver's `outcome/columns`, those of what says which trial it is in
//! `table/key`. A part of a run has all columns, and the tables of a complete run follow from it;
//! tests hold the documentation against them. The order of columns, what `timings.parquet` and
//! `series.parquet` have of a trial, and how a board and an ending are written, are decided here.

use std::fmt::Write as _;

use polars::prelude::*;

use super::table::key::{self, counts, each, signed};
use super::table::{Axes, present, unexpected};
use super::{OwnColumns, Record};
use crate::solver::course::{self, Course, GetCount, Observation, ObservedField, PutCount};
use crate::solver::goal::Goal;
use crate::solver::outcome::{COLUMNS, Field};
use crate::solver::{Ending, Kind, OwnValue};

/// A row for each trial.
pub const TRIALS: &str = "trials.parquet";
/// A row for each time that a trial of a search took. Trials of a rule share the time of their
/// thread with those beside them; what they took together is in the manifest.
pub const TIMINGS: &str = "timings.parquet";
/// A row for each observation of a trial's course.
pub const SERIES: &str = "series.parquet";

/// A part's column of lists: the wall-clock time of each run of the trial.
pub const SECONDS: &str = "seconds";
/// Begins the names of a part's columns of lists that are columns of [`SERIES`].
const OBSERVED: &str = "series.";

/// The columns of a part: those of `trials.parquet`, the times, and if asked for the courses.
///
/// # Errors
/// A point with a value that its axis' column cannot hold.
pub fn part(
    axes: &Axes,
    own: &OwnColumns,
    has_series: bool,
    records: &[Record],
) -> PolarsResult<DataFrame> {
    let mut columns = key::columns(axes, records)?;
    columns.push(each("outcome", records, |record| {
        record.row.outcome.ending.name()
    }));
    columns.push(counts("cutoff", records, |record| Some(record.row.cutoff))?);
    columns.push(key::of_points("goal", records, |point| {
        Ok(point.goal.map(Goal::name))
    })?);
    // How it was simulated is part of what it is; null for a search.
    columns.push(each("dynamics", records, |record| {
        Some(record.dynamics?.name())
    }));
    for column in COLUMNS {
        columns.push(match column.field {
            Field::Count(get, _) => {
                counts(column.name, records, |record| *get(&record.row.outcome))?
            }
            Field::Board(get, _) => each(column.name, records, |record| {
                get(&record.row.outcome).as_deref().map(board_text)
            }),
            Field::Own(kind) => own_column(column.name, kind, records)?,
        });
    }
    for (name, column) in own {
        columns.push(own_column(name, column.kind, records)?);
    }
    columns.push(seconds_column(records));
    if has_series {
        columns.extend(observed(records)?);
    }
    DataFrame::new(records.len(), columns)
}

/// The wall-clock times of each trial, null where none is known.
fn seconds_column(records: &[Record]) -> Column {
    let n_records = records.len();
    let mut lists = ListPrimitiveChunkedBuilder::<Float64Type>::new(
        SECONDS.into(),
        n_records,
        n_records,
        DataType::Float64,
    );
    for record in records {
        if record.seconds.is_empty() {
            lists.append_null();
        } else {
            lists.append_slice(&record.seconds);
        }
    }
    lists.finish().into_series().into_column()
}

/// The column of the values that an algorithm has for itself; null where a trial has none.
fn own_column(name: &str, kind: Kind, records: &[Record]) -> PolarsResult<Column> {
    let value = |record: &'_ Record| record.row.outcome.own.get(name).cloned();
    Ok(match kind {
        Kind::Real => each(name, records, |record| match value(record) {
            Some(OwnValue::Real(real)) => Some(real),
            _ => None,
        }),
        Kind::Text => each(name, records, |record| match value(record) {
            Some(OwnValue::Text(text)) => Some(text.into_string()),
            _ => None,
        }),
        Kind::Count => counts(name, records, |record| match value(record) {
            Some(OwnValue::Count(count)) => Some(count),
            _ => None,
        })?,
    })
}

fn lists<'r, N, I>(name: &str, records: &'r [Record], list: impl Fn(&'r Record) -> I) -> Column
where
    N: NumericNative,
    N::PolarsType: PolarsNumericType<Native = N>,
    I: Iterator<Item = Option<N>>,
{
    let kind = N::PolarsType::get_static_dtype();
    let mut lists =
        ListPrimitiveChunkedBuilder::<N::PolarsType>::new(name.into(), records.len(), 0, kind);
    for record in records {
        let list: Vec<Option<N>> = list(record).collect();
        if list.is_empty() {
            lists.append_null();
        } else {
            lists.append_iter(list.into_iter());
        }
    }
    lists.finish().into_series().into_column()
}

/// The columns of [`SERIES`], as lists.
///
/// # Errors
/// A number that no column holds.
fn observed(records: &[Record]) -> PolarsResult<Vec<Column>> {
    let columns = course::OBSERVED.iter().map(|column| {
        let name = list_of(column.name);
        match column.field {
            ObservedField::Count(get, _) | ObservedField::Tallied(get, _) => {
                refuse_large(column.name, records, get)?;
                Ok(lists(&name, records, |record| {
                    let series = record.course.series.iter();
                    series.map(move |observation| get(observation).map(u64::cast_signed))
                }))
            }
            ObservedField::Share(get, _) => Ok(lists(&name, records, |record| {
                let series = record.course.series.iter();
                series.map(move |observation| Some(get(observation)))
            })),
        }
    });
    columns.collect()
}

/// Refuses observations with a number that no column holds.
fn refuse_large(name: &str, records: &[Record], get: GetCount) -> PolarsResult<()> {
    let observations = records.iter().flat_map(|record| &record.course.series);
    for number in observations.filter_map(get) {
        signed(name, number)?;
    }
    Ok(())
}

/// The observations in the rows of a `series.parquet`.
///
/// # Errors
/// A column that is missing, and a value that it cannot have.
pub fn observations(frame: &DataFrame) -> PolarsResult<Vec<Observation>> {
    let mut all = vec![Observation::default(); frame.height()];
    for column in &course::OBSERVED {
        match column.field {
            ObservedField::Count(_, put) => {
                let values = frame.column(column.name)?.i64()?.iter();
                for (observation, value) in all.iter_mut().zip(values) {
                    put_count(column.name, observation, present(column.name, value)?, put)?;
                }
            }
            // A file of an earlier version has none of these columns.
            ObservedField::Tallied(_, put) => {
                let Ok(found) = frame.column(column.name) else {
                    continue;
                };
                for (observation, value) in all.iter_mut().zip(found.i64()?.iter()) {
                    if let Some(value) = value {
                        put_count(column.name, observation, value, put)?;
                    }
                }
            }
            ObservedField::Share(..) => {}
        }
    }
    put_shares(frame, &mut all)?;
    Ok(all)
}

fn put_count(
    name: &str,
    observation: &mut Observation,
    value: i64,
    put: PutCount,
) -> PolarsResult<()> {
    let is_put = u64::try_from(value).is_ok_and(|value| put(observation, value));
    match is_put {
        true => Ok(()),
        false => Err(unexpected(name, &value.to_string())),
    }
}

/// Puts the shares, behind the integers of which they are.
fn put_shares(frame: &DataFrame, all: &mut [Observation]) -> PolarsResult<()> {
    for column in &course::OBSERVED {
        let ObservedField::Share(_, put) = column.field else {
            continue;
        };
        let values = frame.column(column.name)?.f64()?.iter();
        for (observation, value) in all.iter_mut().zip(values) {
            let value = present(column.name, value)?;
            if !put(observation, value) {
                return Err(unexpected(column.name, &value.to_string()));
            }
        }
    }
    Ok(())
}

/// The name of a column of a part whose lists have what `series.parquet` has in this column.
fn list_of(column: &str) -> String {
    format!("{OBSERVED}{column}")
}

/// The columns of a part without the courses.
pub fn without_courses(part: &DataFrame) -> DataFrame {
    let names = part.get_column_names().into_iter();
    part.drop_many(names.filter(|name| name.starts_with(OBSERVED)).cloned())
}

/// A trial without a list has no row of it.
const NONE_FOR_NONE: ExplodeOptions = ExplodeOptions {
    empty_as_null: false,
    keep_nulls: false,
};

/// The rows that the trials of a part have in the table of this name.
pub fn rows_in(table: &str, part: &DataFrame) -> PolarsResult<DataFrame> {
    let names = part.columns().iter().map(|column| column.name().as_str());
    let is_list = |name: &&str| *name == SECONDS || name.starts_with(OBSERVED);
    let (lists, others): (Vec<&str>, Vec<&str>) = names.partition(is_list);
    let keys = others.iter().copied().take_while(|name| *name != "outcome");
    let keys: Vec<&str> = keys.collect();
    match table {
        TRIALS => part.select(others),
        TIMINGS => timings_in(part, &keys),
        _ => {
            let observed = lists.into_iter().filter(|name| *name != SECONDS);
            series_in(part, &keys, &observed.collect::<Vec<_>>())
        }
    }
}

/// A row for each time of each search of a part.
fn timings_in(part: &DataFrame, keys: &[&str]) -> PolarsResult<DataFrame> {
    let trials = part.select(keys.iter().copied().chain([SECONDS, "goal"]))?;
    let searches = trials.filter(&trials.column("goal")?.is_not_null())?;
    let ends = searches.column(SECONDS)?.list()?.offsets()?;
    let lengths = ends.as_slice().windows(2).map(|ends| ends[1] - ends[0]);
    let repeats: Vec<i64> = lengths.flat_map(|length| 0..length).collect();
    let mut rows = searches.explode([SECONDS], NONE_FOR_NONE)?;
    rows.insert_column(keys.len(), Column::new("repeat".into(), repeats))?;
    Ok(rows)
}

/// A row for each observation of each trial of a part, whose columns of lists are `observed`.
fn series_in(part: &DataFrame, keys: &[&str], observed: &[&str]) -> PolarsResult<DataFrame> {
    let trials = part.select(keys.iter().chain(observed).copied())?;
    let mut rows = trials.explode(observed.iter().copied(), NONE_FOR_NONE)?;
    // (`rename_many` leaves names by which no column is found.)
    let names = rows.columns().iter().map(|column| column.name().as_str());
    let plain = names.map(|name| name.strip_prefix(OBSERVED).unwrap_or(name).to_owned());
    rows.set_column_names(&plain.collect::<Vec<_>>())?;
    Ok(rows)
}

/// The columns of lists of a part that have the rows of a table, of which each trial has so many.
pub fn lists_of(table: &str, rows: &DataFrame, lengths: &[usize]) -> PolarsResult<Vec<Column>> {
    let columns = rows.columns().iter();
    let own = columns
        .skip_while(|column| column.name() != "trial")
        .skip(1);
    let own = own.filter_map(|column| match (table, column.name().as_str()) {
        (TIMINGS, SECONDS) => Some((column, SECONDS.to_owned())),
        (TIMINGS, _) => None,
        (_, name) => Some((column, list_of(name))),
    });
    let of_column = |(column, name): (&Column, String)| {
        let mut start = 0;
        let lists = lengths.iter().map(|&length| {
            let list = column.slice(start, length);
            start += length as i64;
            (length > 0).then(|| list.take_materialized_series())
        });
        let lists: ListChunked = lists.collect();
        // Of no rows, the lists have no type yet.
        let kind = DataType::List(column.dtype().clone().into());
        lists.with_name(name.into()).into_column().cast(&kind)
    };
    own.map(of_column).collect()
}

/// How long each run of each trial of a part took, as far as that is known.
pub struct Seconds {
    /// The times of all trials, one after the other.
    all: Vec<f64>,
    /// The index of the first time of each trial, and behind them the number of all.
    starts: Vec<i64>,
}

impl Seconds {
    /// Those of a part.
    ///
    /// # Errors
    /// No column of times.
    pub fn of(part: &DataFrame) -> PolarsResult<Self> {
        let lists = part.column(SECONDS)?.list()?.rechunk();
        Ok(Self {
            all: lists.get_inner().f64()?.cont_slice()?.to_vec(),
            starts: lists.offsets()?.as_slice().to_vec(),
        })
    }

    /// The times of the trial at an index, which must be there.
    pub fn at(&self, trial: usize) -> &[f64] {
        &self.all[self.starts[trial] as usize..self.starts[trial + 1] as usize]
    }
}

/// What each trial of a part wrote down of its course.
///
/// # Errors
/// A value that no observation has.
pub fn courses(part: &DataFrame) -> PolarsResult<Vec<Course>> {
    let mut observations = observations(&rows_in(SERIES, part)?)?.into_iter();
    let lists = part.column(&list_of("update"))?.list()?.rechunk();
    let course = |ends: &[i64]| Course {
        series: observations
            .by_ref()
            .take((ends[1] - ends[0]) as usize)
            .collect(),
    };
    Ok(lists.offsets()?.as_slice().windows(2).map(course).collect())
}

/// The columns of `header`, of `frame` where it has them.
pub fn aligned(header: &DataFrame, frame: &DataFrame) -> PolarsResult<DataFrame> {
    let columns = header.columns().iter().map(|wanted| {
        let name = wanted.name().clone();
        let kind = wanted.dtype();
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
