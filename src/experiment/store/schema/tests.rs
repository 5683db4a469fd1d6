use polars::prelude::{DataType, NamedFrom, ParquetReader, ParquetWriter, SerReader, Series};

use super::*;
use crate::experiment::store::StoreError;
use crate::experiment::store::table::{Axes, Output, Reader, Writer};
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
    for (file, found) in [(SERIES, columns(&series())), (MOVES, columns(&moves()))] {
        let lines = documented(&format!("`{file}` has a row for each"));
        let columns = lines.iter().flat_map(|line| {
            let names = line[0].split(", ");
            names.map(|name| [plain(name), line[1].clone()])
        });
        let own = found.into_iter().skip_while(|[name, _]| name != "update");
        assert!(columns.eq(own), "{file}");
    }
}

fn record(trial: u32, observations: u64, moves: u64) -> Record {
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
    let queen_move = |update| QueenMove {
        update,
        from: 1,
        to: 2,
        dangerous: update % 2 == 0,
        needless: update % 3 == 0,
        deceived: update % 5 == 0,
        threatened: trial,
    };
    let point = Arc::new(Point::new("pair", [("n", Value::Integer(8))]));
    Record {
        course: Course {
            series: (0..observations).map(observation).collect(),
            moves: (1..=moves).map(queen_move).collect(),
        },
        ..Record::bare(&point, trial)
    }
}

fn written<R: TableRow>(table: StoredTable<R>, records: &[Record]) -> Vec<u8> {
    let axes = Axes::of(records.iter().map(|record| &record.point));
    let mut bytes = Vec::new();
    let mut writer = Writer::new(table, &axes, &mut bytes).expect("a vector");
    for record in records {
        writer.write(record).expect("a vector can be written");
    }
    writer.finish().expect("a vector can be written");
    bytes
}

fn read<R: TableRow>(table: StoredTable<R>, bytes: &[u8]) -> Result<Vec<R>, StoreError> {
    let reader = Reader::new(table, "table".into(), bytes.to_vec())?;
    reader.row_by_row().collect()
}

fn again<R: TableRow>(table: fn() -> StoredTable<R>, records: &[Record]) -> Vec<R> {
    read(table(), &written(table(), records)).expect("our own file")
}

/// A trial across the border of a row group, and trials without a row.
#[test]
fn what_was_written_is_read() {
    let lengths = [(0, 5), (3, 0), (3, GROUP as u64 + 7), (0, 0), (2, 1)];
    let records: Vec<Record> = (0..)
        .zip(lengths)
        .map(|(trial, (observations, moves))| record(trial, observations, moves))
        .collect();
    assert!(again(part, &records) == records, "courses come back");
    let rows = again(trials, &records);
    let rows = rows.iter().map(|record| &record.row);
    assert!(rows.eq(records.iter().map(|record| &record.row)));
    let all = records.iter();
    let all = all.flat_map(|it| OfTrial::all(it, &it.course.series));
    assert!(all.eq(again(series, &records)));
    let all = records.iter();
    let all = all.flat_map(|it| OfTrial::all(it, &it.course.moves));
    assert!(all.eq(again(moves, &records)));
}

/// The unknown column is one that a newer program might write; tests/frozen.rs has older files.
#[test]
fn a_column_that_is_not_known_is_not_read() {
    let bytes = written(trials(), &[record(0, 0, 0)]);
    let mut frame = ParquetReader::new(std::io::Cursor::new(bytes)).finish();
    let frame = frame.as_mut().expect("our own file");
    let unknown = polars::prelude::Column::new("of_tomorrow".into(), [7_u64]);
    frame.with_column(unknown).expect("as many rows");
    let mut bytes = Vec::new();
    let writer = ParquetWriter::new(&mut bytes);
    writer.finish(frame).expect("written to memory");
    let rows = read(trials(), &bytes).expect("a table of this schema");
    assert_eq!(rows[0].row, record(0, 0, 0).row);
}

/// The bytes of a course are those that docs/inside.md describes.
#[test]
fn a_course_is_the_numbers_of_its_columns() {
    let mut record = record(7, 1, 0);
    record.course.moves = vec![QueenMove {
        update: 1,
        from: 8,
        to: 9,
        dangerous: false,
        needless: true,
        deceived: true,
        threatened: 10,
    }];
    let column = course::column();
    let series = (column.encode)(&[record.clone(), Record::bare(&record.point, 8)]);
    let values = series.binary().expect("bytes");
    assert_eq!(values.get(1), None, "a trial without a course");
    let bytes = values.get(0).expect("a course");
    let numbers = bytes.as_chunks().0.iter();
    let numbers: Vec<u64> = numbers.map(|it| u64::from_le_bytes(*it)).collect();
    let share = 0_f64.to_bits();
    let largest = u32::MAX.into();
    let observation = [0, share, 7, 4, 5, 6, 7, largest, 1 << 40, 3];
    let queen_move = [1, 8, 9, 0, 1, 1, 10];
    assert_eq!(numbers, [&[1][..], &observation, &queen_move].concat());
    let decoded = |bytes: &[u8]| {
        let series = Series::new("course".into(), [bytes]);
        let mut row = [Record::bare(&record.point, 7)];
        (column.decode)(&series, &mut row).map(|()| row[0].course.clone())
    };
    assert_eq!(decoded(bytes).expect("as written"), record.course);
    for end in 0..bytes.len() {
        // Whole moves may be missing, and are looked for by their number.
        assert_eq!(decoded(&bytes[..end]).is_ok(), end == 8 * 11, "{end}");
    }
    // Neither true nor false, and without an end.
    for (word, number) in [(14, 2), (0, u64::MAX)] {
        let mut wrong = bytes.to_vec();
        wrong[8 * word..][..8].copy_from_slice(&u64::to_le_bytes(number));
        assert!(decoded(&wrong).is_err());
    }
}
