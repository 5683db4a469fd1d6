//! A comparison for programs.

use std::io::Write;

use serde::Serialize;

use super::{Compared, Verdict};
use crate::analysis::comparison::{Finding, PointComparison};
use crate::analysis::mean::Estimate;
use crate::cli::terminal;
use crate::experiment::store::catalog::CompleteRun;
use crate::experiment::store::course_comparison::CourseComparison;

#[derive(Serialize)]
struct Document<'a> {
    verdict: &'static str,
    alpha: f64,
    refused: &'a [String],
    experiments: Vec<Experiment>,
}

#[derive(Serialize)]
struct Experiment {
    experiment: String,
    a: Run,
    b: Run,
    /// The parts of the sources that both depend on and that differ; null where that is not known.
    changed: Option<Vec<String>>,
    only_in_a: usize,
    only_in_b: usize,
    points: Vec<Point>,
    pooled: Vec<Pooled>,
    /// Null where no trial has a course on both sides.
    courses: Option<Courses>,
    seconds_ratio: Option<Ratio>,
}

#[derive(Serialize)]
struct Run {
    folder: String,
    code_version: String,
    commit: String,
    dirty: bool,
}

/// `outcome` is `not comparable`, `identical` or `different`.
#[derive(Serialize)]
struct Point {
    point: String,
    outcome: &'static str,
    reason: Option<String>,
    trials: Option<[usize; 2]>,
    common: Option<usize>,
    differing: Option<usize>,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    end_point: &'static str,
    test: &'static str,
    /// Null where it is infinite.
    statistic: f64,
    p: f64,
    holm: f64,
    ratio: Option<Ratio>,
}

#[derive(Serialize)]
struct Pooled {
    algorithm: String,
    end_point: &'static str,
    points: usize,
    z: f64,
    p: f64,
    holm: f64,
}

/// Courses of trials whose rows are the same; and of how many their rows differ.
#[derive(Serialize)]
struct Courses {
    trials: u64,
    other_rows: u64,
    series_rows: u64,
    move_rows: u64,
    differing: u64,
    first: Option<String>,
}

#[derive(Serialize)]
struct Ratio {
    value: f64,
    low: f64,
    high: f64,
}

/// One JSON document; every number is that of the table for people, not rounded.
///
/// # Errors
/// Those of writing.
pub fn write(
    out: &mut dyn Write,
    compared: &[Compared],
    refused: &[String],
    alpha: f64,
    verdict: Verdict,
) -> anyhow::Result<()> {
    let experiments = compared.iter().map(experiment).collect();
    let document = Document {
        verdict: verdict.name(),
        alpha,
        refused,
        experiments,
    };
    Ok(writeln!(out, "{}", terminal::json(&document)?)?)
}

fn experiment(compared: &Compared) -> Experiment {
    let pooled = compared.comparison.pooled.iter().map(|pooled| Pooled {
        algorithm: pooled.algorithm.clone(),
        end_point: pooled.end_point.name(),
        points: pooled.points,
        z: pooled.test.statistic,
        p: pooled.test.p,
        holm: pooled.holm,
    });
    Experiment {
        experiment: compared.pair.experiment.clone(),
        a: run(&compared.pair.a),
        b: run(&compared.pair.b),
        changed: compared.pair.changed(),
        only_in_a: compared.comparison.alone[0],
        only_in_b: compared.comparison.alone[1],
        points: compared.comparison.points.iter().map(point).collect(),
        pooled: pooled.collect(),
        courses: courses(&compared.courses),
        seconds_ratio: compared.seconds.map(ratio),
    }
}

fn courses(courses: &CourseComparison) -> Option<Courses> {
    let [series_rows, move_rows] = courses.rows;
    (courses.trials + courses.other_rows > 0).then(|| Courses {
        trials: courses.trials,
        other_rows: courses.other_rows,
        series_rows,
        move_rows,
        differing: courses.differing,
        first: courses.first.clone(),
    })
}

fn run(run: &CompleteRun) -> Run {
    let manifest = &run.manifest;
    Run {
        folder: run.folder.path().display().to_string(),
        code_version: manifest.code_version.clone(),
        commit: manifest.commit.clone(),
        dirty: manifest.dirty,
    }
}

fn point(compared: &PointComparison) -> Point {
    let bare = |outcome| Point {
        point: compared.point.to_string(),
        outcome,
        reason: None,
        trials: None,
        common: None,
        differing: None,
        tests: Vec::new(),
    };
    match &compared.finding {
        Finding::NotComparable(reason) => Point {
            reason: Some(reason.clone()),
            ..bare("not comparable")
        },
        Finding::Identical { trials } => Point {
            trials: Some([*trials; 2]),
            common: Some(*trials),
            differing: Some(0),
            ..bare("identical")
        },
        Finding::Different(difference) => {
            let test = |test: &crate::analysis::comparison::end_point::EndPointTest| Test {
                end_point: test.end_point.name(),
                test: test.method.name(),
                statistic: test.test.statistic,
                p: test.test.p,
                holm: test.holm,
                ratio: test.ratio.map(ratio),
            };
            Point {
                trials: Some(difference.trials),
                common: Some(difference.common),
                differing: Some(difference.differing),
                tests: difference.tests.iter().map(test).collect(),
                ..bare("different")
            }
        }
    }
}

fn ratio(Estimate { value, interval }: Estimate) -> Ratio {
    Ratio {
        value,
        low: interval.low,
        high: interval.high,
    }
}
