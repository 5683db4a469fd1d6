//! Rows ↔ Parquet bytes. The same rows give the same bytes: one chunk, fixed row groups and pages, fixed compression, no parallel encoding.

use std::io::Cursor;

use polars::prelude::*;

use super::{PointKey, PointTrials, Row};
use crate::solver::Ending;

/// Rows in a row group.
const ROW_GROUP: usize = 1 << 16;
/// Bytes in a data page, about.
const PAGE: usize = 1 << 20;

/// A row and its point.
pub type Keyed<'a> = (&'a PointKey, &'a Row);

/// `trials.parquet` of these rows, in the order given.
///
/// # Errors
/// Polars' own, none of which rows in memory can cause.
pub fn trials(rows: &[Keyed]) -> PolarsResult<Vec<u8>> {
    encode(trials_frame(rows)?)
}

/// `timings.parquet`: the key of each trial, the repeat (0: a trial is timed once) and the seconds it took.
///
/// # Errors
/// As [`trials`].
pub fn timings(rows: &[Keyed], seconds: &[f64]) -> PolarsResult<Vec<u8>> {
    let mut columns = key_columns(rows);
    columns.push(Column::new("repeat".into(), vec![0_u32; rows.len()]));
    columns.push(Column::new("seconds".into(), seconds));
    encode(DataFrame::new(rows.len(), columns)?)
}

/// A part of a run under way: the columns of `trials.parquet` and `seconds`.
///
/// # Errors
/// As [`trials`].
pub fn part(rows: &[Keyed], seconds: &[f64]) -> PolarsResult<Vec<u8>> {
    let mut frame = trials_frame(rows)?;
    frame.with_column(Column::new("seconds".into(), seconds))?;
    encode(frame)
}

/// The rows of a `trials.parquet`, grouped by point.
///
/// # Errors
/// Bytes that are no Parquet of this schema. Give it checked bytes only: a damaged file can make the reader ask for absurd memory.
pub fn read_trials(bytes: &[u8]) -> PolarsResult<Vec<PointTrials>> {
    rows(&decode(bytes)?)
}

/// The seconds in a `timings.parquet`, in the order written.
///
/// # Errors
/// As [`read_trials`].
pub fn read_seconds(bytes: &[u8]) -> PolarsResult<Vec<f64>> {
    seconds(&decode(bytes)?)
}

/// The rows and seconds of a part, in the order written.
///
/// # Errors
/// As [`read_trials`].
pub fn read_part(bytes: &[u8]) -> PolarsResult<(Vec<PointTrials>, Vec<f64>)> {
    let frame = decode(bytes)?;
    Ok((rows(&frame)?, seconds(&frame)?))
}

fn seconds(frame: &DataFrame) -> PolarsResult<Vec<f64>> {
    Ok(frame.column("seconds")?.f64()?.iter().map(|value| value.unwrap_or(f64::NAN)).collect())
}

fn encode(mut frame: DataFrame) -> PolarsResult<Vec<u8>> {
    frame.rechunk_mut();
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        // zstd's default level: which one that is, is fixed by Cargo.lock, as the code version is.
        .with_compression(ParquetCompression::Zstd(None))
        .with_row_group_size(Some(ROW_GROUP))
        .with_data_page_size(Some(PAGE))
        .set_parallel(false)
        .finish(&mut frame)?;
    Ok(bytes)
}

fn decode(bytes: &[u8]) -> PolarsResult<DataFrame> {
    ParquetReader::new(Cursor::new(bytes)).finish()
}

fn key_columns(rows: &[Keyed]) -> Vec<Column> {
    vec![
        column("algorithm", rows, |(point, _)| Some(point.algorithm.as_str())),
        column("variant", rows, |(point, _)| Some(point.variant.as_str())),
        Column::new("n".into(), rows.iter().map(|(point, _)| point.n).collect::<Vec<_>>()),
        Column::new("epsilon".into(), rows.iter().map(|(point, _)| point.epsilon).collect::<Vec<_>>()),
        Column::new("eta".into(), rows.iter().map(|(point, _)| point.eta).collect::<Vec<_>>()),
        Column::new("seed".into(), rows.iter().map(|(_, row)| row.seed).collect::<Vec<_>>()),
        Column::new("trial".into(), rows.iter().map(|(_, row)| row.trial).collect::<Vec<_>>()),
    ]
}

fn column<'a>(name: &str, rows: &[Keyed<'a>], text: impl Fn(&Keyed<'a>) -> Option<&'a str>) -> Column {
    Column::new(name.into(), rows.iter().map(text).collect::<Vec<_>>())
}

fn trials_frame(rows: &[Keyed]) -> PolarsResult<DataFrame> {
    let count = |name: &str, value: fn(&Row) -> Option<u64>| {
        Column::new(name.into(), rows.iter().map(|(_, row)| value(row)).collect::<Vec<Option<u64>>>())
    };
    let solutions: Vec<Option<String>> = rows.iter().map(|(_, row)| row.solution.as_deref().map(solution_text)).collect();
    let mut columns = key_columns(rows);
    columns.extend([
        column("outcome", rows, |(_, row)| Some(row.ending.name())),
        count("cutoff", |row| Some(row.cutoff)),
        count("absorption_time", |row| row.absorption_time),
        count("hitting_time", |row| row.hitting_time),
        count("moves", |row| row.moves),
        count("moves_at_hit", |row| row.moves_at_hit),
        count("updates", |row| Some(row.updates)),
        Column::new("solution".into(), solutions),
    ]);
    DataFrame::new(rows.len(), columns)
}

fn solution_text(rows: &[u8]) -> String {
    rows.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

fn solution_rows(text: &str) -> PolarsResult<Box<[u8]>> {
    text.split(',').map(|row| row.parse().map_err(|_| unexpected("solution", text))).collect()
}

fn unexpected(column: &str, found: &str) -> PolarsError {
    PolarsError::ComputeError(format!("column {column}: {found:?} is not a value of this schema").into())
}

fn rows(frame: &DataFrame) -> PolarsResult<Vec<PointTrials>> {
    let text = |name: &str| frame.column(name)?.str();
    let count = |name: &str| frame.column(name)?.u64();
    let [algorithm, variant, outcome, solution] = [text("algorithm")?, text("variant")?, text("outcome")?, text("solution")?];
    let [n, trial] = [frame.column("n")?.u32()?, frame.column("trial")?.u32()?];
    let [epsilon, eta] = [frame.column("epsilon")?.f64()?, frame.column("eta")?.f64()?];
    let [seed, cutoff, updates] = [count("seed")?, count("cutoff")?, count("updates")?];
    let [absorption, hitting] = [count("absorption_time")?, count("hitting_time")?];
    let [moves, moves_at_hit] = [count("moves")?, count("moves_at_hit")?];
    let mut points: Vec<PointTrials> = Vec::new();
    for i in 0..frame.height() {
        let point = PointKey {
            algorithm: present("algorithm", algorithm.get(i))?.into(),
            variant: present("variant", variant.get(i))?.into(),
            n: present("n", n.get(i))?,
            epsilon: epsilon.get(i),
            eta: eta.get(i),
        };
        let ending = present("outcome", outcome.get(i))?;
        let row = Row {
            seed: present("seed", seed.get(i))?,
            trial: present("trial", trial.get(i))?,
            ending: Ending::from_name(ending).ok_or_else(|| unexpected("outcome", ending))?,
            cutoff: present("cutoff", cutoff.get(i))?,
            absorption_time: absorption.get(i),
            hitting_time: hitting.get(i),
            moves: moves.get(i),
            moves_at_hit: moves_at_hit.get(i),
            updates: present("updates", updates.get(i))?,
            solution: solution.get(i).map(solution_rows).transpose()?,
        };
        match points.last_mut() {
            Some(last) if last.point == point => last.rows.push(row),
            _ => points.push(PointTrials { point, rows: vec![row] }),
        }
    }
    Ok(points)
}

fn present<T>(column: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| unexpected(column, "null"))
}
