//! Rows of which the file's statistics say what is constant, against those that are all decoded.

use std::sync::Arc;

use polars::prelude::{Column, DataFrame, DataType};

use crate::experiment::store::rows::{PointTrials, Rows};
use crate::experiment::store::schema::{self, TRIALS};
use crate::experiment::store::table::{self, Axes, TableFile};
use crate::experiment::store::{OwnColumns, Point, Record};
use crate::solver::dynamics::Dynamics;
use crate::solver::{Ending, Value};

/// A trial that was absorbed after `time` updates, or cut off.
fn record(point: &Arc<Point>, trial: u32, time: Option<u64>) -> Record {
    let mut record = Record::bare(point, trial);
    record.dynamics = Some(Dynamics::Stepwise);
    record.row.cutoff = 1000;
    let outcome = &mut record.row.outcome;
    if time.is_some() {
        outcome.ending = Ending::Absorbed;
    }
    outcome.absorption_time = time;
    outcome.updates = time.or(Some(1000));
    record
}

fn points(epsilons: &[f64]) -> Vec<Arc<Point>> {
    let point = |&epsilon: &f64| {
        let axes = [
            ("n", Value::Integer(8)),
            ("epsilon", Value::real(epsilon)),
            ("eta", Value::real(0.0)),
        ];
        Arc::new(Point::new("pair", axes))
    };
    epsilons.iter().map(point).collect()
}

/// The columns of `trials.parquet` of these trials.
fn frame(records: &[Record]) -> DataFrame {
    let axes = Axes::of(records.iter().map(|record| &*record.point));
    let part = schema::part(&axes, &OwnColumns::new(), false, records);
    schema::rows_in(TRIALS, &part.expect("our own columns")).expect("a part")
}

/// The file of a table in row groups of seven rows.
fn file(frame: &DataFrame) -> TableFile {
    let mut bytes = Vec::new();
    let written = table::write(&frame.clear(), [Ok(frame.clone())], 7, None, &mut bytes);
    let n_rows = written.expect("a vector can be written");
    TableFile::of(bytes, n_rows, None).expect("our own bytes")
}

/// What is made of a table by both ways, or both errors, which must be the same.
fn both(frame: &DataFrame) -> Result<[Vec<PointTrials>; 2], String> {
    let none = OwnColumns::new();
    let plain = Rows::of_file(file(frame), &none);
    let fast = Rows::on_demand(file(frame), &none);
    match (plain, fast) {
        (Ok(plain), Ok(fast)) => Ok([plain, fast]),
        (Err(plain), Err(fast)) => {
            assert_eq!(plain.to_string(), fast.to_string());
            Err(plain.to_string())
        }
        (plain, fast) => panic!("{:?} {:?}", plain.err(), fast.err()),
    }
}

fn assert_same(frame: &DataFrame) {
    let [plain, fast] = both(frame).expect("a table");
    assert_eq!(plain, fast);
    for (plain, fast) in plain.iter().zip(&fast) {
        assert!(plain.rows.cutoffs().eq(fast.rows.cutoffs()));
        assert_eq!(plain.rows.endings(), fast.rows.endings());
        assert_eq!(plain.rows.dynamics(), fast.rows.dynamics());
        for column in ["updates", "absorption_time", "moves"] {
            let is_counted = plain.rows.are_counted(column);
            assert_eq!(is_counted, fast.rows.are_counted(column), "{column}");
        }
    }
}

/// No row, one row, whole groups of one point, points and endings that change within a group, and
/// points of one row each; as this program writes them, in the types of schema 3, and not sorted.
#[test]
fn what_is_constant_is_what_each_row_has() {
    let epsilons = [0.01, 0.02, 0.5];
    let of_lengths = |lengths: [u32; 3], every: u32| {
        let mut records = Vec::new();
        for (point, n_trials) in points(&epsilons).iter().zip(lengths) {
            for trial in 0..n_trials {
                let is_absorbed = every == 0 || trial % every > 0;
                let time = is_absorbed.then_some(u64::from(trial * 7));
                records.push(record(point, trial, time));
            }
        }
        frame(&records)
    };
    for lengths in [[0, 0, 0], [1, 0, 0], [21, 14, 7], [30, 1, 20], [1, 1, 1]] {
        for every in [0, 1, 2, 20] {
            let frame = of_lengths(lengths, every);
            assert_same(&frame);
            assert_same(&in_types_of_schema_3(&frame));
            assert_same(&frame.reverse());
        }
    }
}

/// The numbers without a sign, and no goal.
fn in_types_of_schema_3(frame: &DataFrame) -> DataFrame {
    let mut columns = Vec::new();
    for column in frame.columns() {
        let own = match column.dtype() {
            DataType::Int32 => DataType::UInt32,
            DataType::Int64 => DataType::UInt64,
            other => other.clone(),
        };
        if column.name() != "goal" {
            columns.push(column.cast(&own).expect("no number is below 0"));
        }
    }
    DataFrame::new(frame.height(), columns).expect("as many rows")
}

/// Values that no key, outcome or cutoff has, in all rows of a group.
#[test]
fn what_no_row_has_is_refused_likewise() {
    let points = points(&[0.1]);
    let records: Vec<Record> = (0..20)
        .map(|trial| record(&points[0], trial, Some(5)))
        .collect();
    let frame = frame(&records);
    let refused = |column: Column| {
        let mut frame = frame.clone();
        frame.with_column(column).expect("as many rows");
        both(&frame).expect_err("no such value")
    };
    let of_rows = |name: &str, value: i64| Column::new(name.into(), vec![value; 20]);
    assert!(refused(of_rows("cutoff", -1)).contains("-1"));
    assert!(refused(Column::new("epsilon".into(), vec![f64::NAN; 20])).contains("epsilon"));
    assert!(refused(Column::new("outcome".into(), vec!["lost"; 20])).contains("lost"));
    assert!(refused(Column::new("n".into(), vec![-8_i32; 20])).contains("-8"));
    assert!(refused(Column::new("goal".into(), vec!["none such"; 20])).contains("none such"));
    let none = Column::full_null("outcome".into(), 20, &DataType::String);
    assert!(refused(none).contains("null"));
}

/// Zeros of both signs are one value of an axis, in either way.
#[test]
fn a_zero_has_no_sign() {
    let points = points(&[0.1]);
    let records: Vec<Record> = (0..20)
        .map(|trial| record(&points[0], trial, Some(5)))
        .collect();
    let zeros = [0.0, -0.0];
    for first in [0, 1] {
        let mut frame = frame(&records);
        let zeros: Vec<f64> = (0..20).map(|row| zeros[(row + first) % 2]).collect();
        let eta = Column::new("eta".into(), zeros);
        frame.with_column(eta).expect("as many rows");
        assert_same(&frame);
    }
}

/// Of most groups nothing is decoded: it would be no fast way.
#[test]
fn what_is_constant_is_known() {
    let points = points(&[0.01, 0.02]);
    let of_point = |point: &Arc<Point>| {
        let point = Arc::clone(point);
        (0..14).map(move |trial| record(&point, trial, Some(5)))
    };
    let records: Vec<Record> = points.iter().flat_map(of_point).collect();
    let frame = frame(&records);
    let file = file(&frame);
    for (group, rows) in file.row_groups().enumerate() {
        for name in [
            "algorithm",
            "n",
            "epsilon",
            "eta",
            "cutoff",
            "goal",
            "outcome",
        ] {
            let column = frame.column(name).expect("a column");
            let found = file.constant(name, group, column.dtype());
            let found = found.unwrap_or_else(|| panic!("{name} is constant"));
            for row in rows.clone() {
                assert_eq!(found.as_any_value(), column.get(row).expect("a row"));
            }
        }
        assert!(file.constant("trial", group, &DataType::Int64).is_none());
    }
    assert_eq!(file.row_groups().count(), 4);
    assert!(file.is_counted("updates") && !file.is_counted("moves"));
}
