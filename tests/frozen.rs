//! Trials of earlier code versions: each gives the same facts again.

use std::fs;
use std::path::PathBuf;

use reines::experiment::plan::PlannedPoint;
use reines::experiment::store::Row;
use reines::experiment::store::folder::RunFolder;
use reines::results::PointTrials;
use reines::results::runs::CompleteRun;
use reines::solver::local::rules::REGISTERED;
use reines::solver::outcome::COLUMNS;
use reines::solver::{Algorithm, Control, Job, algorithm};

/// The trial of a row has the row's values in all columns that the row has: those that came later
/// are null in older files.
fn assert_same_again(algorithm: &dyn Algorithm, planned: &PlannedPoint, row: &Row) {
    let job = Job {
        point: &planned.point,
        seed: row.seed,
        cutoff: row.cutoff,
        dynamics: planned.dynamics,
    };
    let outcome = algorithm
        .trial(&job, row.trial, &Control::unstopped())
        .expect("no stop is asked for");
    assert_eq!(outcome.ending, row.outcome.ending, "{}", planned.point);
    for column in COLUMNS {
        assert!(
            column.is_equal(&outcome, &row.outcome) || !column.is_filled(&row.outcome),
            "{} of trial {} of {}",
            column.name,
            row.trial,
            planned.point
        );
    }
}

/// Runs the first two trials of every point of a local rule again that has rows among these, unless
/// they take long. Returns how many.
fn again(points: &[PlannedPoint], trials: &[PointTrials]) -> u32 {
    let is_rule = |name| REGISTERED.iter().any(|rule| rule.name == name);
    let mut n_again = 0;
    for planned in points
        .iter()
        .filter(|planned| is_rule(&planned.point.algorithm))
    {
        let algorithm = algorithm(&planned.point.algorithm).expect("registered");
        let key = planned.point.clone();
        let rows = trials.iter().filter(|trials| trials.point == key);
        for row in rows.flat_map(|trials| trials.rows.iter()) {
            if row.trial < 2 && row.outcome.updates.is_some_and(|updates| updates < 500_000) {
                assert_same_again(algorithm, planned, &row);
                n_again += 1;
            }
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
        for entry in fs::read_dir(reference.join(experiment)).expect("a reference") {
            let folder = RunFolder::at(entry.expect("readable").path());
            let run = CompleteRun::at(folder).expect("a complete run");
            let (_, plan) = run.plan().expect("a spec of this program");
            let trials = run.all_points().expect("right checksums");
            n_again += again(&plan.points, &trials);
        }
    }
    assert!(n_again > 100, "{n_again} trials were short enough");
}
