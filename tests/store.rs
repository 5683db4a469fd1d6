//! Parts and their merging: whatever way rows were saved, the table has the same bytes, and there
//! are never many parts.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use reines::experiment::store::folder::RunFolder;
use reines::experiment::store::parts::{FAN, Merged, Parts};
use reines::experiment::store::table::{Reader, Table};
use reines::experiment::store::{Point, Record, Row, schema};
use reines::results::rows::Rows;
use reines::solver::course::Course;
use reines::solver::{Dynamics, Ending, Outcome, Value};

use crate::program::encode;

fn key(n: u64) -> Arc<Point> {
    let axes = [("n", Value::Integer(n)), ("epsilon", Value::real(0.01))];
    Arc::new(Point::new("pair", axes))
}

fn record(point: &Arc<Point>, trial: u32, updates: u64) -> Record {
    let row = Row {
        seed: 1,
        trial,
        cutoff: 1 << 40,
        outcome: Outcome {
            absorption_time: Some(updates),
            hitting_time: Some(updates / 2),
            moves: Some(updates.min(7)),
            updates: Some(updates),
            solution: trial.is_multiple_of(2).then(|| {
                (0..point.integer("n").unwrap_or_default() as u32)
                    .rev()
                    .collect()
            }),
            ..Outcome::ended(Ending::Absorbed)
        },
    };
    Record {
        point: Arc::clone(point),
        row,
        dynamics: Some(Dynamics::Stepwise),
        repeat: 0,
        seconds: f64::from(trial),
        course: Course::default(),
    }
}

/// Rows of two points, in the order of the tables.
fn records(trials: u32) -> Vec<Record> {
    let mixed = |trial: u32| u64::from(trial).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30;
    [4, 5]
        .map(key)
        .iter()
        .flat_map(|point| (0..trials).map(|trial| record(point, trial, mixed(trial))))
        .collect()
}

/// The parts of the run in this folder.
fn empty(run: &Path) -> Parts {
    Parts::in_folder(&run.join("parts"), &mut |_| true)
        .expect("the folder can be written")
        .0
}

/// All rows of the parts in a `trials.parquet`.
fn table_of(parts: &Parts) -> Vec<u8> {
    let tables = parts.tables().expect("the parts are whole");
    let records = Merged::new(tables).collect::<Result<Vec<Record>, _>>();
    encode(&records.expect("the parts are sorted"))
}

fn reader(folder: &Path, bytes: &[u8]) -> Reader<Record> {
    let path = folder.join("table");
    fs::write(&path, bytes).expect("the folder can be written");
    Reader::new(schema::trials(), path, bytes.to_vec()).expect("our own bytes")
}

/// 70 000 rows are two row groups; each way of saving them gives the bytes of the rows written
/// at once.
#[test]
fn the_bytes_do_not_depend_on_how_rows_were_saved() {
    let all = records(35_000);
    let expected = encode(&all);
    // More parts than are kept beside each other.
    let pieces = FAN + 4;
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let mut parts = empty(folder.path());
    for piece in 0..pieces {
        let share = all.iter().skip(piece).step_by(pieces).rev().cloned();
        let mut share: Vec<Record> = share.collect();
        parts.save(&mut share).expect("the part can be saved");
    }
    assert!(table_of(&parts) == expected);
    let batches: Vec<Vec<Record>> = reader(folder.path(), &expected)
        .map(|batch| batch.expect("our own bytes"))
        .collect();
    let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
    assert_eq!(sizes, [65_536, 4464]);
    let read = batches.iter().flatten().map(|record| &record.row);
    assert!(
        read.eq(all.iter().map(|record| &record.row)),
        "what is read is what was written"
    );
}

/// Each point is a range of the rows: points of one row, of more than a row group, and of exactly
/// as many; several seeds; trials cut off; and a table without rows.
#[test]
fn points_have_all_rows() {
    for sizes in [
        vec![],
        vec![1],
        vec![65_536, 1],
        vec![1, 65_535, 2, 70_000, 1],
        vec![16_384, 16_385, 16_383],
    ] {
        let row = |point: &Arc<Point>, place: u32| {
            let mut record = record(point, place / 2, u64::from(place) * 977);
            record.row.seed = 5;
            if place % 7 == 3 {
                record.row.outcome.ending = Ending::Censored;
                record.row.outcome.absorption_time = None;
            }
            record
        };
        let all: Vec<Record> = (4..)
            .zip(&sizes)
            .flat_map(|(n, &size)| {
                let point = key(n);
                let mut records: Vec<Record> = (0..size).map(|it| row(&point, it)).collect();
                let second = records.iter_mut().skip(1).step_by(2);
                second.for_each(|record| record.row.seed = u64::MAX);
                records.sort_by_key(|record| (record.row.seed, record.row.trial));
                records
            })
            .collect();
        let bytes = encode(&all);
        let table = Table::of_bytes(bytes).expect("our own bytes");
        let points = Rows::by_point(table).expect("our own columns");
        let mut points = points.into_iter();
        let mut rest = &all[..];
        for size in sizes {
            let point = points.next().expect("one more");
            let expected;
            (expected, rest) = rest.split_at(size as usize);
            assert_eq!(point.point, *expected[0].point);
            assert!(
                point
                    .rows
                    .iter()
                    .eq(expected.iter().map(|it| it.row.clone()))
            );
        }
        assert!(points.next().is_none());
    }
}

#[test]
fn many_saves_leave_few_parts_and_every_row_once() {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let all = records(130);
    let mut parts = empty(folder.path());
    for batch in all.chunks(1) {
        parts
            .save(&mut batch.to_vec())
            .expect("the part can be saved");
        assert!(
            RunFolder::at(folder.path()).parts() <= 3 * (FAN - 1),
            "fewer than {FAN} of each of three sizes"
        );
    }
    assert!(table_of(&parts) == encode(&all));
    // As after a crash between a merge and the removal of what was merged: two parts of the same
    // rows.
    parts
        .save(&mut all[20..60].to_vec())
        .expect("the part can be saved");
    let (again, set_aside) = Parts::in_folder(&folder.path().join("parts"), &mut |_| true)
        .expect("the folder can be read");
    assert!(set_aside.is_empty());
    assert!(table_of(&again) == encode(&all));
    assert_eq!(
        fs::read_dir(folder.path().join("parts"))
            .expect("there are parts")
            .count(),
        RunFolder::at(folder.path()).parts(),
        "nothing else is left"
    );
}

/// Another process merges the parts while they are read: no row is lost.
#[test]
fn parts_that_are_merged_while_they_are_read_give_every_row() {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let (mut parts, all) = (empty(folder.path()), records(8));
    // One part fewer than are merged; the last one comes while the first one is read.
    for batch in all[1..].chunks(1) {
        parts
            .save(&mut batch.to_vec())
            .expect("the part can be saved");
    }
    let (mut seen, mut last) = (Vec::new(), Some(all[0].clone()));
    let damaged = RunFolder::at(folder.path()).scan_parts(&mut |records| {
        seen.extend(records.iter().map(Record::key));
        if let Some(last) = last.take() {
            parts.save(&mut [last]).expect("the part can be saved");
        }
        true
    });
    assert_eq!(damaged.expect("our own files are readable"), []);
    assert_eq!(RunFolder::at(folder.path()).parts(), 1, "they were merged");
    seen.sort();
    seen.dedup();
    let expected: Vec<_> = all.iter().map(Record::key).collect();
    assert!(seen == expected);
}
