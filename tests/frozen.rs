//! Runs of earlier formats, kept as they were written: each stays readable.

use std::path::PathBuf;

use reines::experiment::store::Row;
use reines::experiment::store::folder::RunFolder;
use reines::solver::Ending;
use reines::solver::outcome::{COLUMNS, Since};

fn frozen(name: &str) -> RunFolder {
    RunFolder::at(
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(name),
    )
}

/// Rows, updates, moves, updates until the hits, censored rows; counted with another reader of
/// Parquet (pyarrow).
#[test]
fn the_first_files_of_schema_1_are_read_though_they_know_no_search() {
    let folder = frozen("schema-1");
    let manifest = folder.manifest().expect("a manifest of schema 1");
    assert_eq!(
        (manifest.schema, manifest.rows, manifest.plan_hash.as_str()),
        (1, 32, "4c47d05d")
    );
    let points = folder
        .trials(&manifest)
        .expect("rows whose checksum is right");
    assert_eq!(points.len(), 4);
    for (algorithm, expected) in [
        ("cell", (16, 9_770, 236, 6_889, 1)),
        ("pair", (16, 10_426, 223, 8_242, 0)),
    ] {
        let rows: Vec<&Row> = points
            .iter()
            .filter(|point| point.point.algorithm == algorithm)
            .flat_map(|point| &point.rows)
            .collect();
        let sum =
            |value: fn(&Row) -> Option<u64>| rows.iter().filter_map(|row| value(row)).sum::<u64>();
        let censored = rows
            .iter()
            .filter(|row| {
                row.outcome.ending == Ending::Censored && row.outcome.absorption_time.is_none()
            })
            .count();
        let found = (
            rows.len(),
            sum(|row| row.outcome.updates),
            sum(|row| row.outcome.moves),
            sum(|row| row.outcome.hitting_time),
            censored,
        );
        assert_eq!(found, expected, "{algorithm}");
    }
    assert!(points.iter().all(|point| point.point.goal.is_none()));
    assert!(points.iter().flat_map(|point| &point.rows).all(|row| {
        COLUMNS
            .iter()
            .filter(|column| column.since == Since::Later)
            .all(|column| !column.is_filled(&row.outcome))
    }));
    // Nor of time limits.
    assert!(
        folder
            .timed(&manifest)
            .expect("no such file is missed")
            .is_empty()
    );
    assert_eq!(folder.all(&manifest).expect("as above").0, points);
    let timings = folder
        .timings(&manifest)
        .expect("times whose checksum is right");
    assert_eq!(
        timings
            .iter()
            .map(|timings| timings.trials.len())
            .collect::<Vec<_>>(),
        [8; 4]
    );
}
