use std::sync::Arc;

use super::*;
use crate::experiment::store::Point;
use crate::experiment::store::table::{GROUP, Table, write};
use crate::solver::Value;
use crate::solver::course::Tally;

/// Name, type with `null` where a value may be missing, and the other cells of the lines of the
/// first table after these words in the documentation.
fn documented(after: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string("docs/data.md").expect("in the project's folder");
    let section = text.split(after).nth(1).expect("a section on the file");
    let table = section.lines().skip_while(|line| !line.starts_with("|---"));
    let lines = table.skip(1).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let cells = line[1..line.len() - 1].split(" | ");
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    lines.map(cells).collect()
}

/// Names and types of the columns of a table, in their order; without axes of a plan's own.
fn columns(table: &str) -> Vec<[String; 2]> {
    let part = part(&Axes::default(), &OwnColumns::new(), true, &[]).expect("an empty part");
    let frame = rows_in(table, &part).expect("its columns");
    let typed = |column: &Column| {
        let kind = match column.dtype() {
            DataType::String => "string".to_owned(),
            DataType::Boolean => "bool".to_owned(),
            other => other.to_string(),
        };
        [column.name().to_string(), kind]
    };
    frame.columns().iter().map(typed).collect()
}

#[test]
fn the_documentation_has_every_column_in_the_order_of_the_file() {
    let lines = documented("\n## trials.parquet");
    let plain = |cell: &str| cell.trim_matches('`').replace(", null", "");
    let found = lines.iter().map(|line| [plain(&line[0]), plain(&line[1])]);
    assert_eq!(found.collect::<Vec<_>>(), columns(TRIALS));
    for column in COLUMNS {
        let kind = match column.field {
            Field::Count(..) => "i64, null",
            Field::Board(..) => "string, null",
            Field::Own(_) => unreachable!("no fact"),
        };
        let line = [&format!("`{}`", column.name), kind, column.unit, column.doc];
        let text = line.join(" | ");
        let is_there = lines.iter().any(|it| *it == line);
        assert!(is_there, "docs/data.md lacks | {text} |");
    }
    let lines = documented("\n## series.parquet");
    let of_series = lines.iter().flat_map(|line| {
        let names = line[0].split(", ");
        names.map(|name| [plain(name), line[1].clone()])
    });
    let own = columns(SERIES).into_iter();
    assert!(of_series.eq(own.skip_while(|[name, _]| name != "update")));
}

fn record(trial: u32, observations: u64) -> Record {
    let observation = |update| Observation {
        signals: 3,
        true_signals: (update % 4) as u32,
        threatened: trial,
        attacked: 4,
        safe_cells: 5,
        truly_safe_cells: 6,
        safe_moves: 7,
        conflicts: u32::MAX,
        update,
        moves: (1 << 40) + update / 2,
        // Of a trial beside one of which nothing was counted.
        tally: (trial % 2 == 1).then(|| Tally {
            blocked_updates: update,
            missed_chances: 1 << 50,
            ..Tally::default()
        }),
    };
    let point = Arc::new(Point::new("pair", [("n", Value::Integer(8))]));
    Record {
        course: Course {
            series: (0..observations).map(observation).collect(),
        },
        ..Record::bare(&point, trial)
    }
}

/// The rows of a table of these trials, written and read.
fn again(table: &str, records: &[Record]) -> Table {
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let part = part(&axes, &OwnColumns::new(), true, records).expect("our own columns");
    let rows = rows_in(table, &part).expect("our own part");
    let mut bytes = Vec::new();
    let written = write(&rows.clear(), [Ok(rows)], GROUP, None, &mut bytes);
    written.expect("a vector can be written");
    Table::of_bytes(bytes, u64::MAX, None).expect("our own bytes")
}

/// A trial across the border of a row group, and trials without a row. (tests/store.rs has the rows
/// of `trials.parquet`.)
#[test]
fn what_was_written_is_read() {
    let lengths = [0, 5, 3, (1 << 16) + 7, 0, 1];
    let records: Vec<Record> = (0..)
        .zip(lengths)
        .map(|(trial, observations)| record(trial, observations))
        .collect();
    let series = again(SERIES, &records);
    let trials = again(TRIALS, &records);
    let found = trials.lengths_in(&series).expect("our own rows");
    assert!(found.iter().eq(&lengths.map(|it| it as usize)));
    let lists = lists_of(SERIES, &series.frame, &found).expect("our own rows");
    let part = trials.frame.hstack(&lists).expect("as many rows");
    let read = courses(&part).expect("our own lists");
    assert!(read.iter().eq(records.iter().map(|it| &it.course)));
    let exploded = rows_in(SERIES, &part).expect("a part");
    assert!(exploded.equals_missing(&series.frame));
}

/// A part is encoded for this program alone, and has the rows that a table for readers has.
#[test]
fn a_part_has_the_rows_of_a_table() {
    let records: Vec<Record> = (0..70_000)
        .map(|trial| record(trial, u64::from(trial % 3)))
        .collect();
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let part = part(&axes, &OwnColumns::new(), true, &records).expect("our own columns");
    let rows = |run: Option<&str>| {
        let mut bytes = Vec::new();
        let written = write(&part.clear(), [Ok(part.clone())], GROUP, run, &mut bytes);
        assert_eq!(written.expect("a vector can be written"), 70_000);
        let table = Table::of_bytes(bytes, 70_000, run).expect("our own bytes");
        table.frame
    };
    let plain = rows(None);
    assert!(rows(Some("a run")).equals_missing(&plain));
    assert!(plain.equals_missing(&part));
}

/// A row of no trial, and one that is not in its place.
#[test]
fn rows_of_no_trial_are_refused() {
    let all = [record(0, 2), record(1, 1), record(2, 2)];
    let trials = again(TRIALS, &all);
    for (rows, wrong) in [([0, 3, 2], 3), ([1, 0, 2], 0), ([0, 1, 4], 4)] {
        let series = again(SERIES, &rows.map(|trial| record(trial, 2)));
        let error = trials.lengths_in(&series).expect_err("no trial's");
        let words = format!("the row of trial {wrong} of seed 1");
        assert!(error.to_string().contains(&words), "{error}");
    }
}
