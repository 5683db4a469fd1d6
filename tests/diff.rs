//! `reines diff` where distributions differ. (`transcripts/diff.txt` has the rest.)

use polars::prelude::Column;

use crate::program::{Workplace, bytes_of, forge, has, table, table_bytes};

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
    let mut frame = table(&bytes_of(run.join("trials.parquet")));
    for name in ["absorption_time", "hitting_time"] {
        let times = frame.column(name).and_then(|it| it.u64()).expect("numbers");
        let longer: Vec<_> = times.iter().map(|it| it.map(|time| time * 1000)).collect();
        frame
            .with_column(Column::new(name.into(), longer))
            .expect("as many rows");
    }
    forge(&run, "trials.parquet", &table_bytes(frame));
    has(
        &place.ends(1, "diff --identical one other"),
        "different: 2 of 2 points (every row counts)\n",
    );
    has(
        &place.ends(1, "diff one other"),
        "different: 1 of 2 points (Holm, α = 0.05)\n",
    );
    let json = place.ends(1, "diff --json one other");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let points = &json["experiments"][0]["points"];
    assert_eq!(json["verdict"], "different");
    assert!(points[0]["found"]["tests"][3]["holm"].is_number());
    let outcomes = [&points[0]["outcome"], &points[1]["outcome"]];
    assert!(outcomes.into_iter().any(|it| it == "different"), "{points}");
    place.ends(0, "diff --identical one same");
    // Ranks of five and five give no p below 0.0122, and there are eight tests.
    place.write("a.toml", &format!("seed = 2\n{FEW}"));
    place.succeed("run a.toml --quiet --results another");
    has(
        &place.ends(0, "diff one another"),
        "at 2 of them no difference can be found, with 5 + 5 trials or fewer",
    );
    place.ends(1, "diff --identical one another");
}
