//! One experiment on both sides: its runs, and what was found at its points. Here are the values of
//! its JSON (parts that changed, conditions, courses, times), which tests are shown, and in which
//! order.

use std::collections::BTreeSet;

use itertools::Itertools;
use rayon::prelude::*;
use serde::Serialize;

use super::Pair;
use crate::analysis::comparison::end_point::EndPointTest;
use crate::analysis::comparison::seconds::Seconds;
use crate::analysis::comparison::{Comparison, Difference, PointComparison};
use crate::experiment::code_version;
use crate::experiment::laws::{self, OtherLaw};
use crate::experiment::manifest::Manifest;
use crate::experiment::store::atomic::real_path;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::rows::PointTrials;
use crate::results::conditions::{self, OtherCondition};
use crate::results::course_comparison::CourseComparison;
use crate::results::in_common;

/// An experiment compared.
#[derive(Serialize)]
pub struct Compared {
    pub experiment: String,
    /// What was found, in a line.
    pub words: String,
    pub a: RunSide,
    pub b: RunSide,
    /// True if both sides are one and the same folder.
    pub same_folder: bool,
    /// The parts of the sources that both sides depend on and that differ; null where a side does
    /// not name its parts and is of another code version.
    pub changed: Option<Vec<String>>,
    /// True if both manifests name the law of an update of every rule that ran on both sides, and
    /// these laws are the same; null where a side does not name them.
    pub laws_are_equal: Option<bool>,
    /// The rules whose laws differ.
    pub other_laws: Vec<OtherLaw>,
    /// True if both sides ran step by step since A names no law: each row of a local rule counts.
    pub rows_count: bool,
    /// Conditions of one rule of the spec that are others in B; their points are compared.
    pub other_conditions: Vec<OtherCondition>,
    /// Conditions in A and in B of points that are on one side alone.
    pub unmatched_conditions: [Vec<String>; 2],
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The courses of the trials with the same rows; null where no trial has one on both sides.
    pub courses: Option<CourseComparison>,
    /// Wall-clock times of the trials of both sides; null where none was timed on both.
    pub seconds: Option<TimesOfSides>,
}

/// The run of one side.
#[derive(Serialize)]
pub struct RunSide {
    pub folder: String,
    pub code_version: String,
    pub commit: String,
    pub dirty: bool,
}

/// The wall-clock times of both sides.
#[derive(Serialize)]
pub struct TimesOfSides {
    #[serde(flatten)]
    pub seconds: Seconds,
    /// Seconds of B / seconds of A; null where the sides ran on machines of two kinds, of which it
    /// would say which is the faster one.
    pub ratio: Option<f64>,
}

/// A test, and the point that it is of.
#[derive(Serialize)]
pub struct TestRow<'a> {
    point: &'a str,
    found: &'a Difference,
    test: &'a EndPointTest,
}

impl Compared {
    /// True if the law of a rule differs, or its condition in the spec.
    pub fn has_another_rule(&self) -> bool {
        !self.other_laws.is_empty() || !self.other_conditions.is_empty()
    }

    /// The tests of the points that differ, or of all; the least p-values first.
    pub fn tests(&self, all: bool) -> Vec<TestRow<'_>> {
        let points = self.comparison.points.iter();
        let mut rows = Vec::new();
        for point in points.filter(|point| all || point.is_different) {
            let (name, Some(found)) = (&point.name, point.difference()) else {
                continue;
            };
            let tests = found.tests.iter();
            rows.extend(tests.map(|test| TestRow {
                point: name,
                found,
                test,
            }));
        }
        // Numbers of at least 0 stand in the order of their bits.
        rows.sort_by_key(|row| [row.test.holm, row.test.test.p].map(f64::to_bits));
        rows
    }
}

/// Compares two runs, point by point.
pub fn compare(pair: &Pair) -> anyhow::Result<Compared> {
    let run_a = &pair.a;
    let run_b = &pair.b;
    let a = run_a.points()?;
    let b = run_b.points()?;
    let of_a = &run_a.manifest;
    let of_b = &run_b.manifest;
    let same_folder = real_path(run_a.folder.path()) == real_path(run_b.folder.path());
    let seconds = if same_folder {
        None
    } else {
        times_of_sides([run_a, run_b], [&a, &b])?
    };
    let definitions = [&of_a.definitions, &of_b.definitions];
    let mut both: Vec<_> = in_common(&a, &b, |x, y| x.point.order(&y.point)).collect();
    let (renamed, unmatched_conditions) = conditions::pairs([run_a, run_b], [&a, &b]);
    both.extend(renamed.iter().map(|(x, y, _)| (*x, *y)));
    let compare = |(x, y): &(&PointTrials, &PointTrials)| PointComparison::of(definitions, x, y);
    let points: Vec<PointComparison> = both.par_iter().map(compare).collect();
    let other_conditions = renamed.iter().map(|(_, _, condition)| condition.clone());
    let courses = CourseComparison::of(run_a, run_b)?;
    Ok(Compared {
        experiment: of_a.experiment.clone(),
        words: String::new(),
        a: RunSide::of(run_a),
        b: RunSide::of(run_b),
        same_folder,
        changed: changed_parts(of_a, of_b),
        laws_are_equal: laws::are_equal(&of_a.laws, &of_b.laws),
        other_laws: laws::differing(&of_a.laws, &of_b.laws),
        rows_count: pair.rows_count,
        other_conditions: other_conditions.sorted().dedup().collect(),
        unmatched_conditions,
        comparison: Comparison {
            only_in_a: only_in(&a, both.iter().map(|(x, _)| *x)),
            only_in_b: only_in(&b, both.iter().map(|(_, y)| *y)),
            points,
        },
        courses: Some(courses).filter(|courses| courses.trials + courses.other_rows > 0),
        seconds,
    })
}

/// The names of the points of a side that are not compared with one of the other side.
fn only_in<'a>(
    side: &[PointTrials],
    compared: impl Iterator<Item = &'a PointTrials>,
) -> Vec<String> {
    let compared: BTreeSet<String> = compared.map(|trials| trials.point.to_string()).collect();
    let names = side.iter().map(|trials| trials.point.to_string());
    names.filter(|name| !compared.contains(name)).collect()
}

/// The parts of the sources that differ; `None` where that is not known.
fn changed_parts(a: &Manifest, b: &Manifest) -> Option<Vec<String>> {
    let are_known = !a.parts.is_empty() && !b.parts.is_empty();
    let is_known = are_known || a.code_version == b.code_version;
    is_known.then(|| code_version::differing(&a.parts, &b.parts))
}

/// The wall-clock times of two runs with these points.
fn times_of_sides(
    [run_a, run_b]: [&CompleteRun; 2],
    [a, b]: [&[PointTrials]; 2],
) -> anyhow::Result<Option<TimesOfSides>> {
    let searches = a.iter().filter(|trials| trials.point.goal.is_some());
    let searches: BTreeSet<String> = searches.map(|trials| trials.point.to_string()).collect();
    let of_searches = Seconds::of_searches(
        &run_a.timings_of_searches(a)?,
        &run_b.timings_of_searches(b)?,
    );
    let of_a = &run_a.manifest;
    let of_b = &run_b.manifest;
    let is_search = |point: &str| searches.contains(point);
    let of_others = Seconds::of_totals(&of_a.points, &of_b.points, is_search);
    let seconds = of_searches.and(of_others);
    let is_one_machine = of_a.machine.cpu == of_b.machine.cpu && of_a.machine.os == of_b.machine.os;
    let times = seconds.ratio().map(|ratio| TimesOfSides {
        seconds,
        ratio: Some(ratio).filter(|_| is_one_machine),
    });
    Ok(times)
}

impl RunSide {
    fn of(run: &CompleteRun) -> Self {
        let manifest = &run.manifest;
        Self {
            folder: run.folder.path().display().to_string(),
            code_version: manifest.code_version.clone(),
            commit: manifest.commit.clone(),
            dirty: manifest.dirty,
        }
    }
}
