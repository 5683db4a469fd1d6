//! Trials of searches, and their times.

use itertools::Itertools;

use super::Draws;
use crate::experiment::store::rows::{PointTimings, PointTrials};
use crate::experiment::store::{Point, Row};
use crate::solver::goal::Goal;
use crate::solver::{Ending, Outcome, Value};

/// Trials of a search that may do so many steps: each the outcome of its steps, if it ended.
fn search(
    (algorithm, variant, goal): (&str, &str, Goal),
    (n, cutoff): (u32, u64),
    steps: impl IntoIterator<Item = u64>,
    outcome: impl Fn(u64, bool) -> Outcome,
) -> PointTrials {
    let row = |(trial, steps): (u32, u64)| Row {
        seed: 1,
        trial,
        cutoff,
        outcome: match steps < cutoff {
            true => outcome(steps, true),
            false => Outcome {
                ending: Ending::Censored,
                ..outcome(cutoff, false)
            },
        },
    };
    PointTrials {
        point: Point {
            variant: variant.into(),
            goal: Some(goal),
            ..Point::new(algorithm, [("n", Value::Integer(n.into()))])
        },
        rows: (0..).zip(steps).map(row).collect(),
    }
}

/// Two methods against n, the last search of the slower one cut off.
pub fn searches() -> Vec<PointTrials> {
    let method = |algorithm, base: u64| {
        (4..=8).map(move |n| {
            let outcome = |checks, _| Outcome {
                solutions: Some(1),
                checks: Some(checks),
                ..Outcome::ended(Ending::Exhausted)
            };
            let of = (algorithm, "", Goal::Count);
            search(of, (n, 100_000_000), [base.pow(n)], outcome)
        })
    };
    method("lines", 5).chain(method("rows", 10)).collect()
}

/// Variants of a constraint model: all boards at n = 8, 10 and 12 with the counts of Choco 6
/// (`tests/reference/choco.csv`), one board up to n = 60 with nodes that grow exponentially, 20
/// trials of a random branching; the last search of each goal is cut off.
pub fn constraint_searches() -> Vec<PointTrials> {
    const ALL: [(&str, [u64; 3]); 3] = [
        ("PA_PL", [472, 6334, 132_758]),
        ("PB_PL", [487, 6802, 145_205]),
        ("PN_PL", [507, 7389, 150_000]),
    ];
    const CUTOFF: u64 = 150_000;
    let outcome = |solutions, ending| {
        move |nodes, is_ended| Outcome {
            solutions: Some(if is_ended { solutions } else { 0 }),
            nodes: Some(nodes),
            failures: Some(nodes / 2),
            ..Outcome::ended(ending)
        }
    };
    let all = ALL.into_iter().flat_map(|(variant, counts)| {
        let points = [(8, 92), (10, 724), (12, 14_200)].into_iter().zip(counts);
        points.map(move |((n, solutions), nodes)| {
            let of = ("cp", variant, Goal::All);
            let outcome = outcome(solutions, Ending::Exhausted);
            search(of, (n, CUTOFF), [nodes], outcome)
        })
    });
    let mut draws = Draws::new(7);
    let variants = [("PA_PD", 1.05, 1), ("PA_PR", 1.14, 20), ("PN_PL", 1.3, 1)];
    let of_first = variants.into_iter().cartesian_product((4..=60).step_by(8));
    let first = of_first.map(|((variant, base, trials), n)| {
        let mean = f64::from(n) * libm::pow(base, f64::from(n));
        let nodes = (0..trials).map(|_| match trials {
            1 => mean as u64,
            _ => draws.exponential(mean).max(n.into()),
        });
        let of = ("cp", variant, Goal::First);
        search(of, (n, CUTOFF), nodes, outcome(1, Ending::Solved))
    });
    let mut points: Vec<PointTrials> = all.chain(first).collect();
    points.sort_by(|a, b| a.point.order(&b.point));
    points
}

/// Three times for each row, in proportion to the checks or else the nodes, or 1 s to 3 s.
pub fn timings(trials: &[PointTrials]) -> Vec<PointTimings> {
    let seconds = |row: Row| {
        let steps = row.outcome.checks.or(row.outcome.nodes);
        let unit = steps.map_or(1.0, |steps| steps as f64 * 1e-8);
        vec![unit, 3.0 * unit, 2.0 * unit]
    };
    let timings = |trials: &PointTrials| PointTimings {
        point: trials.point.clone(),
        rows: trials.rows.clone(),
        seconds: trials.rows.iter().map(seconds).collect(),
    };
    trials.iter().map(timings).collect()
}
