//! Points of two runs that are one rule of a spec, whose condition was changed: alike in all other
//! axes, and with one name for their conditions, or without names where each side has one condition
//! alone. Which conditions differ, and the words for it, is decided here.

use std::collections::BTreeSet;
use std::fmt;

use itertools::Itertools;
use serde::Serialize;

use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::rows::PointTrials;
use crate::solver::{self, Point};

/// The conditions of one rule in A and in B.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct OtherCondition {
    /// Its name in both specs; `None` where neither spec names one.
    pub name: Option<String>,
    /// The condition in A.
    pub a: String,
    /// The condition in B.
    pub b: String,
}

impl fmt::Display for OtherCondition {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let of = self.name.as_ref().map(|name| format!(" of {name}"));
        let of = of.unwrap_or_default();
        write!(
            formatter,
            "the condition{of} differs: {}, {}",
            self.a, self.b
        )
    }
}

/// A side: its points, and the names that its spec has for conditions.
struct Side<'a> {
    points: &'a [PointTrials],
    names: Vec<(String, String)>,
}

impl<'a> Side<'a> {
    fn new(run: &CompleteRun, points: &'a [PointTrials]) -> Self {
        let spec = run.plan().ok().map(|(spec, _)| spec);
        let names = spec.iter().flat_map(|spec| spec.condition_names());
        let names = names.cloned().collect();
        Self { points, names }
    }

    /// The points with a condition that the other side lacks.
    fn alone(&self, other: &Side) -> Vec<&'a PointTrials> {
        let is_there = |point: &Point| {
            let found = other
                .points
                .binary_search_by(|trials| trials.point.order(point));
            found.is_ok()
        };
        let points = self.points.iter();
        let points =
            points.filter(|trials| has_condition(&trials.point) && !is_there(&trials.point));
        points.collect()
    }

    /// True if any point has the condition of this one.
    fn has_condition(&self, point: &Point) -> bool {
        let mut points = self.points.iter().map(|trials| &trials.point);
        points.any(|other| other.variant == point.variant)
    }

    fn name_of(&self, condition: &str) -> Option<&str> {
        let mut names = self.names.iter();
        let found = names.find(|(_, named)| named == condition);
        found.map(|(name, _)| name.as_str())
    }

    /// True if the points of an algorithm have one condition, without a name.
    fn has_one_condition(&self, algorithm: &str) -> bool {
        let points = self.points.iter().map(|trials| &trials.point);
        let points = points.filter(|point| point.algorithm == algorithm);
        let conditions: BTreeSet<&str> = points.map(|point| &*point.variant).collect();
        conditions.len() == 1 && self.names.is_empty()
    }
}

/// Points of A and of B that belong together though their conditions differ, and these conditions.
pub type Pair<'a> = (&'a PointTrials, &'a PointTrials, OtherCondition);

/// The points with other conditions that belong together; and of A and of B the conditions, sorted,
/// that the other side lacks and for which there is no such point.
///
/// Points belong together that are alike in all other axes if the specs have one name for their
/// conditions; without names, if each side has one condition alone.
pub fn pairs<'a>(
    [run_a, run_b]: [&CompleteRun; 2],
    [points_a, points_b]: [&'a [PointTrials]; 2],
) -> (Vec<Pair<'a>>, [Vec<String>; 2]) {
    let a = Side::new(run_a, points_a);
    let b = Side::new(run_b, points_b);
    let mut alone_in_a = a.alone(&b);
    let mut pairs = Vec::new();
    let mut alone_in_b = Vec::new();
    for y in b.alone(&a) {
        let belongs = |x: &&PointTrials| belong_together((&a, &x.point), (&b, &y.point));
        let Some(at) = alone_in_a.iter().position(belongs) else {
            alone_in_b.push(y);
            continue;
        };
        let x = alone_in_a.remove(at);
        let condition = OtherCondition {
            name: b.name_of(&y.point.variant).map(str::to_owned),
            a: condition(&x.point),
            b: condition(&y.point),
        };
        pairs.push((x, y, condition));
    }
    let lacking_in_b = lacking_conditions(&alone_in_a, &b);
    let lacking_in_a = lacking_conditions(&alone_in_b, &a);
    (pairs, [lacking_in_b, lacking_in_a])
}

/// True if a point of one side and a point of the other are one rule with another condition.
fn belong_together((a, point_a): (&Side, &Point), (b, point_b): (&Side, &Point)) -> bool {
    if !is_alike(point_a, point_b) {
        return false;
    }
    let algorithm = &point_b.algorithm;
    match (a.name_of(&point_a.variant), b.name_of(&point_b.variant)) {
        (Some(name_in_a), Some(name_in_b)) => name_in_a == name_in_b,
        (None, None) => a.has_one_condition(algorithm) && b.has_one_condition(algorithm),
        _ => false,
    }
}

/// The conditions of points that the other side does not have, sorted, each once.
fn lacking_conditions(points: &[&PointTrials], other: &Side) -> Vec<String> {
    let lacking = points
        .iter()
        .filter(|trials| !other.has_condition(&trials.point));
    let conditions = lacking.map(|trials| condition(&trials.point));
    conditions.sorted().dedup().collect()
}

/// True for a point of a rule that may have a condition.
fn has_condition(point: &Point) -> bool {
    let algorithm = solver::algorithm(&point.algorithm);
    algorithm.is_some_and(|algorithm| algorithm.condition.is_some())
}

/// True if two points are the same but for their variants.
fn is_alike(one: &Point, other: &Point) -> bool {
    let mut same = one.clone();
    same.variant.clone_from(&other.variant);
    same.order(other).is_eq()
}

/// The condition of a point, as a spec has it.
fn condition(point: &Point) -> String {
    match &*point.variant {
        "" => "safe".to_owned(),
        condition => condition.to_owned(),
    }
}
