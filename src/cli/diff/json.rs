//! A comparison for programs; every number is that of the table for people, not rounded.

use serde_json::{Value, json};

use super::{Compared, Verdict};
use crate::analysis::comparison::{Finding, PointComparison};
use crate::results::course_comparison::CourseComparison;
use crate::results::runs::CompleteRun;

pub fn document(compared: &[Compared], refused: &[String], alpha: f64, verdict: Verdict) -> Value {
    let experiments: Vec<Value> = compared.iter().map(experiment).collect();
    json!({
        "verdict": verdict.name(),
        "alpha": alpha,
        "refused": refused,
        "experiments": experiments,
    })
}

fn experiment(compared: &Compared) -> Value {
    let (pair, comparison) = (&compared.pair, &compared.comparison);
    json!({
        "experiment": pair.experiment,
        "a": run(&pair.a),
        "b": run(&pair.b),
        // The parts of the sources that both depend on and that differ; null where not known.
        "changed": pair.changed(),
        "only_in_a": comparison.alone[0],
        "only_in_b": comparison.alone[1],
        "points": comparison.points.iter().map(point).collect::<Vec<_>>(),
        "courses": courses(&compared.courses),
        "seconds_ratio": compared.seconds,
    })
}

/// Null where no trial has a course on both sides.
fn courses(courses: &CourseComparison) -> Value {
    let [series_rows, move_rows] = courses.rows;
    if courses.trials + courses.other_rows == 0 {
        return Value::Null;
    }
    json!({
        "trials": courses.trials,
        "other_rows": courses.other_rows,
        "series_rows": series_rows,
        "move_rows": move_rows,
        "differing": courses.differing,
        "first": courses.first,
    })
}

fn run(run: &CompleteRun) -> Value {
    let manifest = &run.manifest;
    json!({
        "folder": run.folder.path().display().to_string(),
        "code_version": manifest.code_version,
        "commit": manifest.commit,
        "dirty": manifest.dirty,
    })
}

fn point(PointComparison { point, finding }: &PointComparison) -> Value {
    let (outcome, reason, rows, tests) = match finding {
        Finding::NotComparable(reason) => ("not comparable", Some(reason), None, &[][..]),
        Finding::Identical { trials } => {
            ("identical", None, Some(([*trials; 2], *trials, 0)), &[][..])
        }
        Finding::Different(found) => {
            let rows = (found.trials, found.common, found.differing);
            ("different", None, Some(rows), &found.tests[..])
        }
    };
    json!({
        "point": point.to_string(),
        "outcome": outcome,
        "reason": reason,
        "trials": rows.map(|it| it.0),
        "common": rows.map(|it| it.1),
        "differing": rows.map(|it| it.2),
        // A statistic that is infinite is null.
        "tests": tests,
    })
}
