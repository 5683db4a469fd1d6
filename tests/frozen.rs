//! Trials of earlier code versions: each gives the same facts again.

use std::fs;
use std::path::PathBuf;

use reines::experiment::store::Record;
use reines::experiment::store::folder::RunFolder;
use reines::results::runs::CompleteRun;
use reines::solver::local;
use reines::solver::outcome::COLUMNS;
use reines::solver::{Control, Dynamics, Key, prepare};

use crate::program::records_of;

/// The trial of a row has the row's values in all columns that the row has: those that came later
/// are null in older files.
fn assert_same_again(record: &Record, dynamics: Dynamics) {
    let Record { point, row, .. } = record;
    let key = Key {
        seed: row.seed,
        trial: row.trial,
    };
    let prepared = prepare(point, Some(dynamics));
    let gave = prepared.trial(key, row.cutoff, &Control::unstopped());
    let (outcome, _) = gave.expect("no stop is asked for");
    assert_eq!(outcome.ending, row.outcome.ending, "{point}");
    for column in COLUMNS {
        assert!(
            column.is_equal(&outcome, &row.outcome) || !column.is_filled(&row.outcome),
            "{} of trial {} of {point}",
            column.name,
            row.trial,
        );
    }
}

/// Runs the first two trials of every point of a local rule again that says how it was simulated,
/// unless they take long. Returns how many.
fn again(records: &[Record]) -> u32 {
    let mut n_again = 0;
    for record in records {
        let is_rule = local::rule(&record.point.algorithm).is_some();
        let is_short = record
            .row
            .outcome
            .updates
            .is_some_and(|updates| updates < 500_000);
        if let (Some(dynamics), true) =
            (record.dynamics, is_rule && is_short && record.row.trial < 2)
        {
            assert_same_again(record, dynamics);
            n_again += 1;
        }
    }
    n_again
}

/// The reference was written by earlier versions: new columns have not changed a value of the old
/// ones.
#[test]
fn trials_of_the_reference_have_the_same_facts_again() {
    let reference = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    let mut n_again = 0;
    for experiment in ["epsilon", "rules", "epsilon-eta"] {
        let entries = fs::read_dir(reference.join(experiment)).expect("a reference");
        let paths = entries.map(|entry| entry.expect("readable").path());
        // Beside a run there is the link to its table.
        for path in paths.filter(|path| path.is_dir()) {
            let folder = RunFolder::at(path);
            let run = CompleteRun::at(folder).expect("a complete run");
            n_again += again(&records_of(&run));
        }
    }
    assert!(n_again > 100, "{n_again} trials were short enough");
}

/// Complete runs of an earlier program, under schema 2 and without the column `dynamics`, as the
/// library reads them. (`transcripts/damaged.txt` has the commands.)
#[test]
fn complete_runs_of_an_earlier_program_are_read() {
    let frozen = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/frozen");
    let run = |name: &str| {
        let folder = frozen.join("e1f2021f").join(name);
        let mut runs = fs::read_dir(folder).expect("a folder").flatten();
        let run = runs.next().expect("a run").path();
        CompleteRun::at(RunFolder::at(run)).expect("a complete run")
    };
    let search = run("four-methods");
    let points = search.points().expect("its own columns");
    let timings = search.timings_of_searches(&points).expect("its own times");
    assert_eq!((points.len(), timings.len()), (75, 75));
    let rule = run("signal-relaxation");
    let points = rule.points().expect("its own columns");
    assert_eq!(points.len(), 18);
    assert_eq!(rule.timings_of_searches(&points).expect("none"), []);
}
