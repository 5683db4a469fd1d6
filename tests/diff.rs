//! `reines diff` where distributions differ. (`transcripts/diff.txt` has the rest.)

use polars::prelude::Column;

use crate::program::{
    Workplace, bytes_of, csv, forge, forge_column, has, lacks, stdout, table, table_bytes, text_of,
    write_manifest,
};

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

/// By hand: with one differing pair paired t has no degree of freedom, with two p is at least
/// 0.389.
#[test]
fn a_row_of_the_same_seed_that_differs_is_said_first() {
    let place = Workplace::new();
    for results in ["one", "other"] {
        run(&place, 1, results);
    }
    let other = place.run("other");
    for (row, rows, differ) in [(3, "1", "differs"), (7, "2", "differ")] {
        forge_column(&other, "trials.parquet", "moves", |at, moves| {
            moves + u64::from(at == row)
        });
        let told = place.ends(3, "diff one other");
        let first = format!(
            "{rows} of 120 rows {differ} with the same seeds: the law of an update is the same, random numbers are used otherwise\n"
        );
        assert!(told.starts_with(&first), "{told}");
        let last = format!(
            "not comparable: only {rows} of 60 rows {differ}; 1 of 2 points have different rows, and no test can tell them from chance (Holm, α = 0.05)\n"
        );
        assert!(told.ends_with(&last), "{told}");
    }
    let json = place.ends(3, "diff --json one other");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["same_seeds"]["differing"], 2);
    assert_eq!(json["same_seeds"]["rows"], 120);
    let told = place.ends(1, "diff --identical one other");
    has(&told, "\ndifferent: 1 of 2 points (every row counts)\n");
    // In other dynamics the same seeds draw other numbers.
    place.succeed("run a.toml -q --dynamics stepwise --results stepwise");
    lacks(&stdout(&place.succeed("diff one stepwise")), "same seeds");
}

/// Seeds 1 and 2 with two trials each against seeds 2 to 16 with ten: two trials of four are in
/// common, which is half. So few against so many are no matter for the log-rank test.
#[test]
fn few_common_seeds_are_no_reason_to_leave_trials_out() {
    let place = Workplace::new();
    let spec = |seeds: &str, trials: u32| {
        format!(
            "seeds = {seeds}\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = {trials}\ncutoff = 1e9\n"
        )
    };
    place.write("a.toml", &spec("[1, 2]", 2));
    place.succeed("run a.toml -q --results one");
    place.write("a.toml", &spec("\"2..16\"", 10));
    place.succeed("run a.toml -q --results other");
    let told = stdout(&place.reines("diff --all one other"));
    lacks(&told, "log-rank");
    has(
        &told,
        "compared: all 4 trials of A with all 150 of B as independent samples, since only 2 (0 with another row) have the same seed and index on both sides",
    );
    lacks(&told, "same seeds:");
}

/// What was found comes last and is named, the experiments with identical rows share a line, and
/// the figure shows the others alone.
#[test]
fn what_was_found_is_named_and_drawn() {
    let place = Workplace::new();
    for name in ["a", "b", "c"] {
        place.write(&format!("{name}.toml"), &format!("seed = 1\n{SPEC}"));
        for results in ["one", "other"] {
            place.succeed(format!("run {name}.toml -q --results {results}"));
        }
    }
    let b = place.runs("other", "b").remove(0);
    forge_column(&b, "trials.parquet", "updates", |_, updates| 2 * updates);
    for name in ["absorption_time", "hitting_time"] {
        forge_column(&b, "trials.parquet", name, |_, time| 2 * time);
    }
    let told = place.ends(1, "diff one other --figure drawn.svg");
    let lines: Vec<&str> = told.lines().collect();
    has(lines[0], "120 of 360 rows differ with the same seeds: ");
    has(lines[1], "a, c: identical, 4 points with 240 trials");
    has(lines[2], "b: different, 2 different");
    let [found, figure] = lines[lines.len() - 2..] else {
        panic!("{told}");
    };
    assert_eq!(found, "different: 2 of 6 points, in b (2) (Holm, α = 0.05)");
    assert_eq!(figure, "figure: drawn.svg, its numbers in drawn.csv");
    let table = csv(&place.text("drawn.csv"));
    assert_eq!(table.len(), 4);
    for row in &table {
        assert_eq!((&*row["experiment"], &*row["different"]), ("b", "true"));
        assert_eq!(row["ratio"], "2.00000", "twice the updates of A");
    }
    let drawing = place.text("drawn.svg");
    has(&drawing, "ring: different");
    lacks(&drawing, ">c<");
    // A file is not overwritten unasked; where nothing differs none is left behind.
    has(&place.ends(2, "diff one one --figure drawn.svg"), "--force");
    has(
        &place.ends(2, "diff one one --figure drawn.png"),
        "expected a file *.svg",
    );
    let told = stdout(&place.succeed("diff one one --figure drawn.svg --force"));
    has(&told, "\nfigure: none, since no row differs\n");
    assert!(!place.path().join("drawn.svg").exists());
}

/// The manifest of one side names another law: that is a difference, though all rows are the same.
/// Where a side names no law, as runs of earlier programs, rows alone count.
#[test]
fn another_law_is_a_difference_whatever_the_rows() {
    let place = Workplace::new();
    run(&place, 1, "one");
    run(&place, 1, "other");
    let file = place.run("other").join("manifest.toml");
    let mut manifest: toml::Table = text_of(&file).parse().expect("TOML");
    let group = "west-east: threatened queen, threatened queen";
    assert_eq!(manifest["laws"].as_table().map(toml::Table::len), Some(1));
    let law = &mut manifest["laws"]["pair"];
    assert!(law[group].as_str().is_some_and(|hash| hash.len() == 8));
    law[group] = "00000000".into();
    write_manifest(&file, &manifest.to_string());
    let told = place.ends(1, "diff one other");
    has(
        &told,
        &format!("different: the rule of pair is another: {group}\n"),
    );
    let json = place.ends(1, "diff --json one other");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["experiments"][0]["other_laws"][0]["groups"][0], group);
    manifest.remove("laws");
    write_manifest(&file, &manifest.to_string());
    has(&place.ends(0, "diff one other"), "identical: 2 points");
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

/// A rule that is written in a spec is a rule: points with one name for their conditions, or with
/// the only condition of each side, are compared though it was changed. Without such a point the
/// conditions are named.
#[test]
fn a_changed_condition_is_a_changed_rule() {
    let place = Workplace::new();
    let head = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 30\ncutoff = 1e6\n";
    let run = |results: &str, condition: &str| {
        place.write("a.toml", &format!("{head}certain{condition}\n"));
        place.succeed(format!("run a.toml --quiet --results {results}"));
    };
    run("one", ".two = \"b.queens == 0\"");
    run("other", ".two = \"b.queens == 1\"");
    run("renamed", ".three = \"b.queens == 1\"");
    run("plain", " = \"b.queens == 0\"");
    run("changed", " = \"b.queens == 1\"");
    let words = "differs: b.queens == 0, b.queens == 1";
    has(
        &place.ends(1, "diff one other"),
        &format!("\ndifferent: the condition of two {words}"),
    );
    has(
        &place.ends(1, "diff plain changed"),
        &format!("\ndifferent: the condition {words}"),
    );
    let told = place.ends(3, "diff one renamed");
    has(
        &told,
        "conditions in A alone: b.queens == 0; conditions in B alone: b.queens == 1",
    );
    has(&place.ends(0, "diff one one"), "\nidentical: 2 points");
}
