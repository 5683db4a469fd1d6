//! The course of a trial as bytes: the number of observations, the observations, and the moves up
//! to the end, each as the numbers of its columns, 64 bits each. Documented for users in
//! docs/inside.md.

use std::sync::Arc;

use polars::prelude::*;

use super::{OfTrial, moves, series};
use crate::experiment::store::Record;
use crate::experiment::store::table::{StoredColumn, TableRow, unexpected};
use crate::solver::course::Course;

/// The column of parts; null where a trial has no course.
pub fn column() -> StoredColumn<Record> {
    const NAME: &str = "course";
    let (of_series, of_moves) = (series().columns, moves().columns);
    let encode = move |rows: &[Record]| {
        let mut column = BinaryChunkedBuilder::new(NAME.into(), rows.len());
        for record in rows {
            let Course { series, moves } = &record.course;
            let mut bytes = (series.len() as u64).to_le_bytes().to_vec();
            OfTrial::all(record, series).for_each(|row| pack(&of_series, &row, &mut bytes));
            OfTrial::all(record, moves).for_each(|row| pack(&of_moves, &row, &mut bytes));
            column.append_option((record.course.entries() > 0).then_some(bytes));
        }
        column.finish().into_series()
    };
    let (of_series, of_moves) = (series().columns, moves().columns);
    let decode = move |values: &Series, rows: &mut [Record]| {
        for (record, bytes) in rows.iter_mut().zip(values.binary()?.iter()) {
            let Some(bytes) = bytes else { continue };
            let unpacked = || {
                let (count, rest) = bytes.split_first_chunk()?;
                let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
                let length = count.checked_mul(8 * of_series.len())?;
                let (series, moves) = rest.split_at_checked(length)?;
                Some(Course {
                    series: unpack(&of_series, series, record)?,
                    moves: unpack(&of_moves, moves, record)?,
                })
            };
            let length = || unexpected(NAME, &format!("{} bytes", bytes.len()));
            record.course = unpacked().ok_or_else(length)?;
        }
        Ok(())
    };
    StoredColumn::of(NAME, encode, decode)
}

fn pack<R>(columns: &[StoredColumn<R>], row: &R, bytes: &mut Vec<u8>) {
    let numbers = columns.iter().filter_map(|column| column.numbers.as_ref());
    numbers.for_each(|number| bytes.extend((number.get)(row).to_le_bytes()));
}

/// The entries that the bytes spell; `None` where they spell none.
fn unpack<E: Copy>(
    columns: &[StoredColumn<OfTrial<E>>],
    bytes: &[u8],
    record: &Record,
) -> Option<Vec<E>>
where
    OfTrial<E>: TableRow,
{
    let (numbers, []) = bytes.as_chunks() else {
        return None;
    };
    let (point, seed, trial) = record.trial();
    let entries = numbers.chunks(columns.len()).map(|numbers| {
        let mut row = OfTrial::<E>::blank(Arc::clone(point), seed, trial);
        // From the last, as columns are read.
        for (at, column) in columns.iter().enumerate().rev() {
            let number = u64::from_le_bytes(*numbers.get(at)?);
            (column.numbers.as_ref()?.put)(&mut row, number).then_some(())?;
        }
        Some(row.entry)
    });
    entries.collect()
}
