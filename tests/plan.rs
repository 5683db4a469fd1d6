//! What names a point: key columns; and the largest plan. (`transcripts/check.txt` has the points
//! and the hashes of plans.)

use std::mem::discriminant;

use itertools::Itertools;

use reines::experiment::plan::Plan;
use reines::experiment::spec::MAX_BYTES;
use reines::solver::{ALGORITHMS, Domain, Dynamics, Point, Value};

use crate::program::{Workplace, has};
use crate::spec::parsed;

fn plan(text: &str) -> Plan {
    Plan::new(&parsed(text)).unwrap_or_else(|error| panic!("{error}"))
}

fn sweep(algorithm: &str, axes: &str, trials: u64, cutoff: u64) -> String {
    format!(
        "[[sweep]]\nalgorithm = \"{algorithm}\"\n{axes}\ntrials = {trials}\ncutoff = {cutoff}\n"
    )
}

/// A point that two sweeps have is recorded where one of them says so, up to its cutoff.
#[test]
fn points_that_are_recorded_have_no_lanes() {
    let unrecorded = sweep("pair", "n = [4, 5, 6]\nepsilon = 0.01", 2, 100);
    let recorded = sweep("pair", "n = 4\nepsilon = 0.01", 2, 100);
    let series = "[sweep.series]\nat = [0, 50]\n";
    let plan = plan(&format!("seed = 1\n{unrecorded}{recorded}{series}"));
    let dynamics = plan.points.iter().map(|it| it.dynamics);
    let expected = [Dynamics::RejectionFree, Dynamics::Lanes, Dynamics::Lanes];
    assert!(dynamics.eq(expected.map(Some)));
}

/// Otherwise two points that differ only there would count as one, or one value have two columns.
#[test]
fn every_axis_is_a_key_column_with_one_kind_of_values_and_one_symbol() {
    for algorithm in ALGORITHMS.iter() {
        for axis in algorithm.axes {
            let [a, b] = match axis.domain {
                Domain::Integer { min, max } => [min, max].map(Value::Integer),
                Domain::Real { min, max } => [min, max].map(Value::real),
            };
            let at = |value| Point::new(algorithm.name, [(axis.name, value)]);
            let none = Point::new(algorithm.name, []);
            assert!(at(a).order(&at(b)).is_lt() && none.order(&at(a)).is_lt());
            let fits = match axis.name {
                "n" => {
                    matches!(axis.domain, Domain::Integer { max, .. } if u32::try_from(max).is_ok())
                }
                "epsilon" | "eta" => matches!(axis.domain, Domain::Real { .. }),
                _ => true,
            };
            assert!(fits, "the column of {} cannot hold its values", axis.name);
            for other in ALGORITHMS.iter().flat_map(|other| other.axes) {
                let is_alike = axis.symbol == other.symbol
                    && discriminant(&axis.domain) == discriminant(&other.domain);
                assert!(axis.name != other.name || is_alike, "{}", axis.name);
            }
        }
    }
}

#[test]
fn the_largest_plan_that_a_spec_can_ask_for_is_counted_without_overflow() {
    let seeds = (0..1000).join(", ");
    let wide = "n = 4\nepsilon = { from = 0, to = 1, points = 100_000 }";
    let sweep = sweep("pair", wide, u32::MAX.into(), i64::MAX as u64);
    let plan = plan(&format!("seeds = [{seeds}]\n{sweep}"));
    let trials = 100_000 * 1000 * u64::from(u32::MAX);
    let updates = u128::from(trials) * i64::MAX as u128;
    assert_eq!(
        (plan.trials(), plan.worst_case_updates()),
        (trials, updates)
    );
}

/// What a command changes stands behind the spec that a run keeps, which may thus have more bytes
/// than a file.
#[test]
fn a_spec_of_the_most_bytes_can_be_changed() {
    let sweep = sweep("pair", "n = 4\nepsilon = 0.1", 3, 1000);
    let mut text = format!("seed = 1\n{sweep}# ");
    text.push_str(&"x".repeat(MAX_BYTES as usize - text.len()));
    let place = Workplace::new();
    place.write("large.toml", &text);
    place.succeed("run -q --only trial<2 large.toml");
    place.succeed("verify");
    place.succeed("export -q large.toml -o part.csv");
    place.succeed("run -q large.toml");
    place.succeed("run -q -s trials=4 large.toml");
    place.succeed("verify");
    place.write("larger.toml", &(text + "x"));
    let told = place.ends(2, "check larger.toml");
    has(&told, "it is larger than 1048576 bytes");
}
