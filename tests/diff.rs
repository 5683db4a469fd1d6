//! `reines diff` where distributions differ. (`transcripts/diff.txt` has the rest.)

use polars::prelude::Column;

use crate::program::{Workplace, bytes_of, forge, forge_column, has, stdout, table, table_bytes};

const SPEC: &str =
    "[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = [0.05, 0.1]\ntrials = 60\ncutoff = 1e6\n";

fn run(place: &Workplace, seed: u32, results: &str) {
    place.write("a.toml", &format!("seed = {seed}\n{SPEC}"));
    place.succeed(format!("run a.toml --quiet --results {results}"));
}

/// Two seeds of one code give the same distributions; doubling ε does not. The p-values of the
/// latter are below 10⁻⁶ for updates per move.
#[test]
fn other_rows_are_tested() {
    let place = Workplace::new();
    run(&place, 1, "one");
    run(&place, 2, "two");
    let told = stdout(&place.succeed("diff one two"));
    has(
        &told,
        "compatible: 2 of 2 points; the seeds differ, so that no row can be the same",
    );
    run(&place, 3, "other");
    // A slip in what ε means, as a change of code could make one.
    swap_points(&place, "other");
    let told = place.ends(1, "diff one other");
    has(&told, "different: 2 of 2 points (Holm, α = 0.05)\n");
    let json = place.ends(1, "diff --json one other");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let points = &json["experiments"][0]["points"];
    assert_eq!(json["verdict"], "different");
    assert_eq!(points[0]["outcome"], "rows differ");
    assert_eq!(points[0]["different"], true);
    assert_eq!(
        points[1]["found"]["tests"].as_array().map(Vec::len),
        Some(4)
    );
    assert!(points[0]["found"]["tests"][0]["holm"].is_number());
}

const FEW: &str =
    "[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = [0.05, 0.1]\ntrials = 5\ncutoff = 1e9\n";

/// Times multiplied by 1000 at every trial: at one of the points no test of five trials proves it.
#[test]
fn rows_that_must_be_identical_are_not_tested() {
    let place = Workplace::new();
    place.write("a.toml", &format!("seed = 19\n{FEW}"));
    for results in ["one", "same", "other"] {
        place.succeed(format!("run a.toml --quiet --results {results}"));
    }
    let run = place.run("other");
    for name in ["absorption_time", "hitting_time"] {
        forge_column(&run, "trials.parquet", name, |_, time| time * 1000);
    }
    has(
        &place.ends(1, "diff --identical one other"),
        "different: 2 of 2 points (every row counts)\n",
    );
    has(
        &place.ends(1, "diff one other"),
        "different: 1 of 2 points; rows differ at 1 more (Holm, α = 0.05)\n",
    );
    place.ends(0, "diff --identical one same");
    // Times of four and four give no p below 0.0067, and there are eight tests: of times that are
    // multiplied by 1000 nothing can be said.
    for (seed, results) in [(2, "two"), (3, "three")] {
        place.succeed(format!(
            "run a.toml -q -s seed={seed} -s trials=4 --results {results}"
        ));
    }
    let two = place.runs("two", "a-with-seed-2-trials-4").remove(0);
    let times = ("trials.parquet", "absorption_time");
    forge_column(&two, times.0, times.1, |_, time| time * 1000);
    place.ends(1, "diff --identical two three");
    has(
        &place.ends(3, "diff two three"),
        "not comparable: 4 trials; 2 of 2 points have different rows, and no test can tell them from chance",
    );
}

/// The run with its two values of ε exchanged in the rows.
fn swap_points(place: &Workplace, results: &str) {
    let run = place.run(results);
    let mut frame = table(&bytes_of(run.join("trials.parquet")));
    let epsilon = frame.column("epsilon").and_then(|it| it.f64());
    let other = |epsilon: f64| if epsilon < 0.07 { 0.1 } else { 0.05 };
    let swapped = epsilon.expect("numbers").iter().map(|it| it.map(other));
    let swapped = Column::new("epsilon".into(), swapped.collect::<Vec<_>>());
    frame.with_column(swapped).expect("as many rows");
    let keys = ["algorithm", "variant", "n", "epsilon", "seed", "trial"];
    let sorted = frame.sort(keys, Default::default()).expect("its columns");
    forge(&run, "trials.parquet", &table_bytes(sorted));
}
