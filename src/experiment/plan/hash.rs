//! The plan hash: BLAKE3 over a text that anybody can write by hand.
//!
//! ```text
//! reines plan 1
//! seeds 1 2 3
//! pair epsilon=0.01 n=8 trials=200 cutoff=1000000000 dynamics=stepwise
//! ```
//!
//! Lines end with a newline. Points stand in the order of the key columns; a point is its
//! algorithm, its variant if there is one, its axes ordered by name, its trials under each seed
//! (`100..100000 precision=0.05` where rows decide how many), its cutoff and its dynamics; or, of a
//! search, its goal and its repeats. What its trials write down of their course follows, where they
//! do. Real values are the shortest decimal that parses to the same double, without exponent.
//! Documented for users in docs/inside.md.

use std::fmt::Write;

use super::{Plan, PlannedPoint};
use crate::experiment::spec::{Recorded, Sequential};
use crate::solver::Point;

/// First 8 hex digits of BLAKE3 over [`encoding`].
pub(super) fn hash(plan: &Plan) -> String {
    let mut digits = blake3::hash(encoding(plan).as_bytes()).to_hex().to_string();
    digits.truncate(8);
    digits
}

fn encoding(plan: &Plan) -> String {
    let mut text = String::from("reines plan 1\nseeds");
    for seed in &plan.seeds {
        add(&mut text, format_args!(" {seed}"));
    }
    for planned in &plan.points {
        let (point, manner) = (point(&planned.point), manner(planned));
        add(
            &mut text,
            format_args!(
                "\n{point} trials={} cutoff={} {manner}{}",
                trials(planned),
                planned.cutoff,
                recorded(&planned.recorded)
            ),
        );
    }
    text.push('\n');
    text
}

/// A number; of a sequential point the first batch, the most, and the precision.
fn trials(planned: &PlannedPoint) -> String {
    let most = planned.trials;
    planned.sequential.map_or_else(
        || most.to_string(),
        |Sequential { min, precision }| format!("{min}..{most} precision={precision}"),
    )
}

/// How a point's trials run: the dynamics, or a search's goal and repeats.
fn manner(planned: &PlannedPoint) -> String {
    let Some(goal) = planned.point.goal else {
        return format!("dynamics={}", planned.dynamics.name());
    };
    let repeats = planned
        .repeats
        .map_or_else(String::new, |repeats| format!(" repeats={repeats}"));
    format!("goal={}{repeats}", goal.name())
}

/// ` series=0,100,1000 events=moves`, or what there is of it.
fn recorded(recorded: &Recorded) -> String {
    let mut text = String::new();
    for (i, moment) in recorded.moments.iter().enumerate() {
        let before = if i == 0 { " series=" } else { "," };
        add(&mut text, format_args!("{before}{moment}"));
    }
    if recorded.moves {
        text += " events=moves";
    }
    text
}

/// `pair epsilon=0.01 n=8`: the algorithm, the variant if there is one, the axes ordered by name.
pub(super) fn point(point: &Point) -> String {
    let mut text = point.algorithm.clone();
    if !point.variant.is_empty() {
        add(&mut text, format_args!(" {}", point.variant));
    }
    for (axis, value) in point.axes.by_name() {
        add(&mut text, format_args!(" {axis}={value}"));
    }
    text
}

fn add(text: &mut String, more: std::fmt::Arguments) {
    text.write_fmt(more)
        .expect("writing to a String cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::goal::Goal;
    use crate::solver::{Dynamics, Value};

    #[test]
    fn the_encoding_is_the_documented_text() {
        let point = Point::new(
            "pair",
            [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))],
        );
        let planned = PlannedPoint {
            point,
            trials: 200,
            sequential: None,
            cutoff: 1_000_000_000,
            dynamics: Dynamics::Stepwise,
            repeats: None,
            recorded: Recorded::default(),
        };
        let plan = Plan {
            points: vec![planned],
            seeds: vec![1, 2, 3],
        };
        let text = "reines plan 1\nseeds 1 2 3\npair epsilon=0.01 n=8 trials=200 cutoff=1000000000 dynamics=stepwise\n";
        assert_eq!(encoding(&plan), text);
        // Computed by a separate implementation of BLAKE3.
        assert_eq!(plan.hash(), "c47ae9d8");
    }

    #[test]
    fn a_sequential_point_has_a_range_of_trials_and_a_precision() {
        let point = Point::new(
            "pair",
            [("n", Value::Integer(8)), ("epsilon", Value::real(0.01))],
        );
        let sequential = Some(Sequential {
            min: 100,
            precision: 0.05,
        });
        let planned = PlannedPoint {
            point,
            trials: 100_000,
            sequential,
            cutoff: 10,
            dynamics: Dynamics::Stepwise,
            repeats: None,
            recorded: Recorded::default(),
        };
        let plan = Plan {
            points: vec![planned],
            seeds: vec![1],
        };
        let text = "reines plan 1\nseeds 1\npair epsilon=0.01 n=8 trials=100..100000 precision=0.05 cutoff=10 dynamics=stepwise\n";
        assert_eq!(encoding(&plan), text);
        // Computed by a separate implementation of BLAKE3.
        assert_eq!(plan.hash(), "fd621e3a");
    }

    #[test]
    fn what_is_written_down_of_the_course_stands_last() {
        let planned = PlannedPoint {
            point: Point::new("pair", [("n", Value::Integer(8))]),
            trials: 2,
            sequential: None,
            cutoff: 10,
            dynamics: Dynamics::Stepwise,
            repeats: None,
            recorded: Recorded {
                moments: [0, 3, 100].into(),
                moves: true,
            },
        };
        let plan = Plan {
            points: vec![planned],
            seeds: vec![1],
        };
        let text = "reines plan 1\nseeds 1\npair n=8 trials=2 cutoff=10 dynamics=stepwise series=0,3,100 events=moves\n";
        assert_eq!(encoding(&plan), text);
        assert_eq!(plan.hash(), "2bf7a91e");
    }

    #[test]
    fn a_search_has_a_goal_and_no_dynamics() {
        let point = Point {
            goal: Some(Goal::Count),
            ..Point::new("lines", [("n", Value::Integer(12))])
        };
        let planned = PlannedPoint {
            point,
            trials: 1,
            sequential: None,
            cutoff: 1_000_000_000,
            dynamics: Dynamics::Stepwise,
            repeats: Some(5),
            recorded: Recorded::default(),
        };
        let plan = Plan {
            points: vec![planned],
            seeds: vec![1],
        };
        assert_eq!(
            encoding(&plan),
            "reines plan 1\nseeds 1\nlines n=12 trials=1 cutoff=1000000000 goal=count repeats=5\n"
        );
    }
}
