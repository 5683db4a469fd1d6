//! How the plan of a spec differs between two revisions. The words for other seeds, trials,
//! cutoffs, dynamics and points are here.

use std::fmt::Display;

use itertools::Itertools;

use crate::cli::text::{counted, first_of};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::results::in_common;

/// What differs between two plans, A's and B's, in words; empty where they run the same.
pub fn in_words(a: &Plan, b: &Plan) -> String {
    let mut words = Vec::new();
    if a.seeds != b.seeds {
        let of = |plan: &Plan| {
            let seeds = plan.seeds.iter().map(u64::to_string);
            first_of(3, ", ", seeds.collect())
        };
        words.push(format!("seeds {} in A, {} in B", of(a), of(b)));
    }
    let both = in_common(&a.points, &b.points, |x, y| x.point.order(&y.point));
    let both: Vec<(&PlannedPoint, &PlannedPoint)> = both.collect();
    for (side, plan) in [("A", a), ("B", b)] {
        let alone = plan.points.len() - both.len();
        if alone > 0 {
            words.push(format!("{} only in {side}", counted(alone, "point")));
        }
    }
    let trials = |point: &PlannedPoint| point.trials;
    let cutoff = |point: &PlannedPoint| point.cutoff;
    let dynamics = |point: &PlannedPoint| point.dynamics_name().unwrap_or("none");
    words.extend(differing("trials", &both, trials));
    words.extend(differing("cutoff", &both, cutoff));
    words.extend(differing("dynamics", &both, dynamics));
    let is_recorded_otherwise =
        |pair: &&(&PlannedPoint, &PlannedPoint)| pair.0.recorded != pair.1.recorded;
    let recorded = both.iter().filter(is_recorded_otherwise).count();
    if recorded > 0 {
        words.push(format!(
            "moments of the series at {}",
            counted(recorded, "point")
        ));
    }
    words.join("; ")
}

/// `trials 10 in A, 20 in B at 3 points`; nothing where no point differs.
fn differing<V: PartialEq + Display>(
    name: &str,
    both: &[(&PlannedPoint, &PlannedPoint)],
    value: impl Fn(&PlannedPoint) -> V,
) -> Option<String> {
    let values = both.iter().map(|(a, b)| (value(a), value(b)));
    let values: Vec<(V, V)> = values.filter(|(a, b)| a != b).collect();
    let (a, b) = values.first()?;
    let points = counted(values.len(), "point");
    if values.iter().all_equal() {
        return Some(format!("{name} {a} in A, {b} in B at {points}"));
    }
    Some(format!("{name} at {points}"))
}
