use polars::prelude::DataType;

use super::*;
use crate::experiment::store::table::{Groups, Table};
use crate::solver::Value;

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

/// Names and types of the columns of a table, in their order; without those of the key.
fn columns<R: TableRow>(table: &StoredTable<R>) -> Vec<[String; 2]> {
    let frame = table.frame(&Axes::default(), &[]).expect("an empty table");
    let typed = |column: &polars::prelude::Column| {
        let kind = match column.dtype() {
            DataType::String => "string".to_owned(),
            DataType::Boolean => "bool".to_owned(),
            DataType::UInt32 => "u32".to_owned(),
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
    assert_eq!(found.collect::<Vec<_>>(), columns(&trials()));
    for column in COLUMNS {
        let kind = match column.field {
            Field::Count(..) => "u64, null",
            Field::Board(..) => "string, null",
        };
        let line = [&format!("`{}`", column.name), kind, column.unit, column.doc];
        let text = line.join(" | ");
        let is_there = lines.iter().any(|it| *it == line);
        assert!(is_there, "docs/data.md lacks | {text} |");
    }
    let lines = documented("`series.parquet` has a row for each");
    let of_series = lines.iter().flat_map(|line| {
        let names = line[0].split(", ");
        names.map(|name| [plain(name), line[1].clone()])
    });
    let own = columns(&series()).into_iter();
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
    };
    let point = Arc::new(Point::new("pair", [("n", Value::Integer(8))]));
    Record {
        course: Course {
            series: (0..observations).map(observation).collect(),
        },
        ..Record::bare(&point, trial)
    }
}

/// The rows of a table that was written and read.
fn again<E: Copy>(table: &StoredTable<OfTrial<E>>, records: &[Record]) -> Vec<OfTrial<E>>
where
    OfTrial<E>: TableRow,
{
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let (_, frame) = encoded(table, &axes, records).expect("our own columns");
    let mut bytes = Vec::new();
    let groups = Groups::new(frame, &mut bytes).expect("a vector can be written");
    groups.finish().expect("a vector can be written");
    let read = Table::of_bytes(bytes, u64::MAX).expect("our own bytes");
    table.rows(&read).expect("our own columns")
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
    let all = records.iter();
    let all = all.flat_map(|it| OfTrial::all(it, &it.course.series));
    assert!(all.eq(again(&series(), &records)));
}
