//! The rows of `moves.parquet`: a move of a queen each.

use polars::prelude::*;

use super::super::number;
use super::{Entry, EntryRow, first_difference, whole};
use crate::solver::course::{Course, QueenMove};

impl Entry for QueenMove {
    const FILE: &'static str = "moves.parquet";
    const MAY_DIFFER_IN_UPDATES: bool = false;

    fn of(course: &Course) -> &[Self] {
        &course.moves
    }

    fn update(&self) -> u64 {
        self.update
    }

    /// Several queens may move in an update; no queen twice, so that no move is there twice.
    fn may_follow(&self, other: &Self) -> bool {
        self.update > other.update || self.update == other.update && self.from != other.from
    }

    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let pair = |name, of: fn(&Self) -> u64| (name, of(self), of(other));
        first_difference(vec![
            pair("update", |it| it.update),
            pair("from", |it| it.from.into()),
            pair("to", |it| it.to.into()),
            pair("dangerous", |it| it.dangerous.into()),
            pair("needless", |it| it.needless.into()),
            pair("deceived", |it| it.deceived.into()),
            pair("threatened", |it| it.threatened.into()),
        ])
    }

    fn columns(rows: &[EntryRow<Self>]) -> Vec<Column> {
        vec![
            number("update", rows, |row| row.entry.update),
            number("from", rows, |row| row.entry.from),
            number("to", rows, |row| row.entry.to),
            number("dangerous", rows, |row| row.entry.dangerous),
            number("needless", rows, |row| row.entry.needless),
            number("deceived", rows, |row| row.entry.deceived),
            number("threatened", rows, |row| row.entry.threatened),
        ]
    }

    fn read(frame: &DataFrame) -> PolarsResult<Vec<Self>> {
        let updates = whole("update", frame.column("update")?.u64()?.iter())?;
        let [from, to, threatened] = [
            whole("from", frame.column("from")?.u32()?.iter())?,
            whole("to", frame.column("to")?.u32()?.iter())?,
            whole("threatened", frame.column("threatened")?.u32()?.iter())?,
        ];
        let [dangerous, needless, deceived] = [
            whole("dangerous", frame.column("dangerous")?.bool()?.iter())?,
            whole("needless", frame.column("needless")?.bool()?.iter())?,
            whole("deceived", frame.column("deceived")?.bool()?.iter())?,
        ];
        let entry = |(i, update)| Self {
            update,
            from: from[i],
            to: to[i],
            dangerous: dangerous[i],
            needless: needless[i],
            deceived: deceived[i],
            threatened: threatened[i],
        };
        Ok(updates.into_iter().enumerate().map(entry).collect())
    }
}
