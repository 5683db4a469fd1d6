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

use super::{Plan, PlannedPoint};
use crate::experiment::spec::{Recorded, Sequential};
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
    let nothing = Recorded::default();
    let (mut known, mut words) = (&nothing, String::new());
    for planned in &plan.points {
        if planned.recorded != *known {
            (known, words) = (&planned.recorded, recorded(&planned.recorded));
        }
        let (point, trials, manner) = (point(&planned.point), trials(planned), manner(planned));
        let cutoff = planned.cutoff;
        write!(
            text,
            "\n{point} trials={trials} cutoff={cutoff} {manner}{words}"
        )?;
    }
    writeln!(text)
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
        text += &format!("{before}{moment}");
    }
    if recorded.moves {
        text += " events=moves";
    }
    text
}

/// `pair epsilon=0.01 n=8`, as the shards write it, too: algorithm, variant, axes ordered by name.
pub(in crate::experiment) fn point(point: &Point) -> String {
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

    /// The encoding without its first two lines, and the hash.
    fn encoded(sweep: &str, seeds: &str) -> (String, String) {
        let text = format!("seeds = [{seeds}]\n[[sweep]]\n{sweep}");
        let plan = Plan::example(&text, DynamicsChoice::Only(Dynamics::Stepwise));
        let mut text = Vec::new();
        encoding(&plan, &mut text).expect("a vector takes every text");
        let text = String::from_utf8(text).expect("a text");
        let first = format!("reines plan 1\nseeds {}\n", seeds.replace(',', " "));
        let points = text.strip_prefix(&first).expect(&text);
        (points.to_owned(), plan.hash())
    }

    /// The hashes were computed by a separate implementation of BLAKE3.
    #[test]
    fn the_encoding_is_the_documented_text() {
        const PAIR: &str = "algorithm = \"pair\"\nn = 8\nepsilon = 0.01\n";
        const POINT: &str = "pair epsilon=0.01 n=8";
        for (sweep, seeds, line, hash) in [
            (
                format!("{PAIR}trials = 200\ncutoff = 1e9"),
                "1,2,3",
                format!("{POINT} trials=200 cutoff=1000000000 dynamics=stepwise\n"),
                "c47ae9d8",
            ),
            (
                format!(
                    "{PAIR}trials = {{ min = 100, max = 100_000, precision = 0.05 }}\ncutoff = 10"
                ),
                "1",
                format!("{POINT} trials=100..100000 precision=0.05 cutoff=10 dynamics=stepwise\n"),
                "fd621e3a",
            ),
        ] {
            assert_eq!(encoded(&sweep, seeds), (line, hash.to_owned()));
        }
        let course = "trials = 2\ncutoff = 100\nseries = { at = [0, 3, 100] }\nevents = { keep = \"moves\" }";
        let (line, _) = encoded(&format!("{PAIR}{course}"), "1");
        let courses = "trials=2 cutoff=100 dynamics=stepwise series=0,3,100 events=moves";
        assert_eq!(line, format!("{POINT} {courses}\n"));
        let search = "algorithm = \"lines\"\nn = 12\ncutoff = 1e9\nrepeats = 5";
        let (line, _) = encoded(search, "1");
        assert_eq!(
            line,
            "lines n=12 trials=1 cutoff=1000000000 goal=count repeats=5\n"
        );
    }
}
