//! The plan hash: BLAKE3 over a text that anybody can write by hand.
//!
//! ```text
//! reines plan 1
//! seeds 1 2 3
//! pair epsilon=0.01 n=8 trials=200 cutoff=1000000000 dynamics=stepwise
//! ```
//!
//! docs/inside.md has all of it.

use std::io::{self, Write};

use itertools::Itertools;

use super::{Plan, PlannedPoint};
use crate::solver::Point;

/// First 8 hex digits of BLAKE3 over the [`encoding`], which may have gigabytes: of many points
/// with many moments.
pub(super) fn hash(plan: &Plan) -> String {
    let mut hasher = blake3::Hasher::new();
    encoding(plan, &mut hasher).expect("a hasher takes every text");
    let mut digits = hasher.finalize().to_hex().to_string();
    digits.truncate(8);
    digits
}

fn encoding(plan: &Plan, text: &mut impl Write) -> io::Result<()> {
    write!(text, "reines plan 1\nseeds")?;
    for seed in &plan.seeds {
        write!(text, " {seed}")?;
    }
    // Thousands of moments are put into words once for all points of a sweep.
    let mut known = &[][..];
    let mut words = String::new();
    for planned in &plan.points {
        if *planned.recorded != *known {
            (known, words) = (&planned.recorded, recorded(&planned.recorded));
        }
        let point = point(&planned.point);
        let trials = trials(planned);
        let manner = manner(planned);
        let cutoff = planned.cutoff;
        write!(
            text,
            "\n{point} trials={trials} cutoff={cutoff} {manner}{words}"
        )?;
    }
    writeln!(text)
}

/// A number; of a piece that begins later `9..18`, from trial 9 up to 17.
fn trials(planned: &PlannedPoint) -> String {
    let PlannedPoint { first, trials, .. } = planned;
    match first {
        0 => trials.to_string(),
        first => format!("{first}..{}", first + trials),
    }
}

/// How a point's trials run: the dynamics, or a search's goal and repeats.
fn manner(planned: &PlannedPoint) -> String {
    let Some(goal) = planned.point.goal else {
        return format!("dynamics={}", planned.dynamics_name().unwrap_or_default());
    };
    let goal = format!("goal={}", goal.name());
    let repeats = planned.repeats.map(|repeat| format!(" repeats={repeat}"));
    goal + &repeats.unwrap_or_default()
}

/// ` series=0,100,1000`, or nothing.
fn recorded(moments: &[u64]) -> String {
    match moments {
        [] => String::new(),
        _ => format!(" series={}", moments.iter().join(",")),
    }
}

/// `pair epsilon=0.01 n=8`: algorithm, variant, axes ordered by name.
fn point(point: &Point) -> String {
    let mut text = point.algorithm.clone();
    if !point.variant.is_empty() {
        text += &format!(" {}", point.variant_in_line());
    }
    for (axis, value) in point.axes.by_name() {
        text += &format!(" {axis}={value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Dynamics, DynamicsChoice};

    /// The encoding of the plan of a spec, and its hash.
    fn encoded(spec: &str) -> (String, String) {
        let plan = Plan::example(spec, DynamicsChoice::Only(Dynamics::Stepwise));
        let mut text = Vec::new();
        encoding(&plan, &mut text).expect("a vector takes every text");
        (String::from_utf8(text).expect("a text"), plan.hash())
    }

    #[test]
    fn a_piece_says_which_trials_it_has() {
        const SPEC: &str = "seeds = [7, 3]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\n\
            epsilon = 0.1\ntrials = [20, 8]\ncutoff = 9\n";
        let line = |n: u32, trials: &str| {
            format!("pair epsilon=0.1 n={n} trials={trials} cutoff=9 dynamics=stepwise\n")
        };
        let [all, low] = [line(4, "20") + &line(5, "8"), line(4, "5") + &line(5, "5")];
        for (conditions, seeds, points) in [
            ("n>1", "3 7", all.clone()),
            ("seed=7", "7", all),
            ("trial<5,seed<7", "3", low),
            ("trial>=9,trial<18", "3 7", line(4, "9..18")),
            ("trial=7,n=5", "3 7", line(5, "7..8")),
        ] {
            let expected = format!("reines plan 1\nseeds {seeds}\n{points}");
            let found = encoded(&format!("only = \"{conditions}\"\n{SPEC}")).0;
            assert_eq!(found, expected, "{conditions}");
        }
    }

    /// The hash was computed by a separate implementation of BLAKE3.
    #[test]
    fn the_encoding_is_the_documented_text() {
        const SWEEP: &str = "[[sweep]]\nalgorithm = \"pair\"\nn = 8\nepsilon = 0.01\n";
        const POINT: &str = "pair epsilon=0.01 n=8";
        let spec = format!("seeds = [1, 2, 3]\n{SWEEP}trials = 200\ncutoff = 1e9");
        let (text, hash) = encoded(&spec);
        let line = "trials=200 cutoff=1000000000 dynamics=stepwise";
        let expected = format!("reines plan 1\nseeds 1 2 3\n{POINT} {line}\n");
        assert_eq!((text, &*hash), (expected, "c47ae9d8"));
        let course = "trials = 2\ncutoff = 100\nseries = { at = [0, 3, 100] }";
        let (text, _) = encoded(&format!("seed = 1\n{SWEEP}{course}"));
        let courses = "trials=2 cutoff=100 dynamics=stepwise series=0,3,100";
        let expected = format!("reines plan 1\nseeds 1\n{POINT} {courses}\n");
        assert_eq!(text, expected);
        let search = "[[sweep]]\nalgorithm = \"lines\"\nn = 12\ncutoff = 1e9\nrepeats = 5";
        let (text, _) = encoded(&format!("seed = 1\n{search}"));
        let line = "lines n=12 trials=1 cutoff=1000000000 goal=count repeats=5";
        assert_eq!(text, format!("reines plan 1\nseeds 1\n{line}\n"));
    }
}
