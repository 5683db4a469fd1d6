//! Parts and their joining: whatever way rows were saved, the table has the same bytes, and a trial
//! that was saved twice counts once.

use std::sync::Arc;

use reines::experiment::store::schema;
use reines::experiment::store::table::{Axes, Groups, Table, joined};
use reines::experiment::store::{Point, Record, Row};
use reines::results::rows::Rows;
use reines::solver::course::Course;
use reines::solver::{Dynamics, Ending, Outcome, Value};

use crate::program::{Workplace, has, records_of, save_part};

fn key(n: u64, epsilon: f64) -> Arc<Point> {
    let axes = [("n", Value::Integer(n)), ("epsilon", Value::real(epsilon))];
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
        seconds: vec![f64::from(trial)],
        course: Course::default(),
    }
}

/// As many trials of each point, in the order of the tables.
fn records(points: u32, trials: u32) -> Vec<Record> {
    let mixed = |trial: u32| u64::from(trial).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 30;
    let points = (1..=points).map(|it| key(4, f64::from(it) / 100_000.0));
    points
        .flat_map(|point| (0..trials).map(move |trial| record(&point, trial, mixed(trial))))
        .collect()
}

/// A `trials.parquet` of these rows.
fn encode(records: &[Record]) -> Vec<u8> {
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let tables = schema::tables(&axes, &mut records.to_vec());
    let frame = tables.expect("our own columns").swap_remove(0).1;
    let mut bytes = Vec::new();
    let groups = Groups::new(frame, &mut bytes).expect("a vector can be written");
    groups.finish().expect("a vector can be written");
    bytes
}

fn table(records: &[Record]) -> Table {
    Table::of_bytes(encode(records), records.len() as u64).expect("our own bytes")
}

/// The rows of tables in a `trials.parquet`.
fn joined_bytes(tables: &[Table], must_agree: bool) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let groups = Groups::new(tables[0].frame.clear(), &mut bytes);
    let mut groups = groups.expect("a vector can be written");
    joined(tables, must_agree, &mut |table| groups.write(table.frame))
        .map_err(|error| error.to_string())?;
    groups.finish().expect("a vector can be written");
    Ok(bytes)
}

/// 70 000 rows are two row groups, of two points or of many; each way of saving them gives the
/// bytes of the rows written at once. Some are saved twice.
#[test]
fn the_bytes_do_not_depend_on_how_rows_were_saved() {
    for all in [records(2, 35_000), records(10_000, 7)] {
        let expected = encode(&all);
        let pieces = 20;
        let share = |piece: usize| {
            let share = all.iter().skip(piece).step_by(pieces).rev().cloned();
            table(&share.collect::<Vec<_>>())
        };
        let mut tables: Vec<Table> = (0..pieces).map(share).collect();
        tables.push(table(&all[20..60]));
        let bytes = joined_bytes(&tables, true).expect("the same rows");
        assert!(bytes == expected);
        let mut other = all[30].clone();
        other.row.outcome.moves = Some(8);
        tables.push(table(std::slice::from_ref(&other)));
        // As of times, which no two runs of a trial have in common: the first counts.
        let first = joined_bytes(&tables, false).expect("one of them");
        assert!(first == expected);
        let error = joined_bytes(&tables, true).expect_err("another row");
        let (trial, point) = (other.row.trial, &other.point);
        let words = format!("trial {trial} of seed 1 at {point} has two different rows");
        assert!(error.contains(&words), "{error}");
    }
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
                let point = key(n, 0.01);
                let mut records: Vec<Record> = (0..size).map(|it| row(&point, it)).collect();
                let second = records.iter_mut().skip(1).step_by(2);
                second.for_each(|record| record.row.seed = u64::MAX);
                records.sort_by_key(|record| (record.row.seed, record.row.trial));
                records
            })
            .collect();
        let points = Rows::by_point(table(&all)).expect("our own columns");
        let mut points = points.into_iter();
        let mut rest = &all[..];
        for size in sizes {
            let point = points.next().expect("one more");
            let expected;
            (expected, rest) = rest.split_at(size as usize);
            assert_eq!(point.point, *expected[0].point);
            let rows = expected.iter().map(|it| it.row.clone());
            assert!(point.rows.iter().eq(rows));
        }
        assert!(points.next().is_none());
    }
}

/// By a run that goes on, too.
#[test]
fn saved_trials_that_differ_are_refused() {
    let workplace = Workplace::with(
        "seed = 1\n[[sweep]]\nalgorithm = \"lines\"\nn = [4, 6]\ncutoff = 1e9\nrepeats = 3\n",
    );
    workplace.succeed("run a.toml --results whole");
    let run = workplace.save_some("", |it| it.point.integer("n") == Some(4));
    let place = workplace.copy();
    place.succeed("run a.toml");
    let bytes = |results| place.bytes(results, "a", "trials.parquet");
    assert!(bytes("results") == bytes("whole"));
    let whole = workplace.complete("whole", "a");
    let mut other = records_of(&whole);
    other.truncate(1);
    other[0].row.outcome.checks = Some(1);
    save_part(&whole, &run, other);
    has(&workplace.ends(1, "run a.toml"), "two different rows");
}
