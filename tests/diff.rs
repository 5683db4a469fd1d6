//! `reines diff` as a user meets it: the three steps, the exit codes, both outputs.

use polars::prelude::Column;
use reines::analysis::comparison::{Finding, PointComparison};
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;

use crate::damage::forged;
use crate::program::{Workplace, bytes_of, forge, has, stdout};

const SPEC: &str =
    "[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = [0.05, 0.1]\ntrials = 60\ncutoff = 1e6\n";

fn run(place: &Workplace, seed: u32, results: &str) {
    place.write("a.toml", &format!("seed = {seed}\n{SPEC}"));
    place.succeed(format!("run a.toml --quiet --results {results}"));
}

#[test]
fn the_same_rows_are_identical_and_exit_code_0() {
    let place = Workplace::new();
    run(&place, 1, "results");
    place.write("a.toml", &format!("seed = 1\n{SPEC}"));
    place.succeed("run a.toml --quick --quiet --results quick");
    let told = stdout(&place.succeed("diff latest quick"));
    assert!(
        told.starts_with("a: identical, 2 points with 10 trials; wall-clock time, B / A: "),
        "{told}"
    );
    assert!(
        told.ends_with("nothing different: 2 points with identical rows (Holm, α = 0.05)\n"),
        "{told}"
    );
    let version = place.runs("results", "a")[0]
        .file_name()
        .expect("a name")
        .to_string_lossy()[..14]
        .to_owned();
    place.succeed("run a.toml --quiet --results results/reference");
    let told = place.json(format!("diff reference {version} --json"));
    let folder = told["experiments"][0]["b"]["folder"].as_str().expect("B");
    assert!(folder.starts_with("results/a/"), "{told}");
    assert_eq!(told["verdict"], "nothing different");
}

/// A run folder, the digits of a code version, a commit as the manifest has it (none outside a git
/// checkout), `reference` and `latest` beside it.
#[test]
fn every_kind_of_name_stands_for_its_runs() {
    let place = Workplace::new();
    run(&place, 1, "results");
    run(&place, 1, "results/reference");
    let folder = place.runs("results", "a")[0].clone();
    let manifest = RunFolder::at(&folder)
        .manifest()
        .expect("the run is complete");
    let digits = manifest
        .code_version
        .rsplit('-')
        .next()
        .expect("a code version")
        .to_owned();
    let mut names = vec![
        folder.to_string_lossy().into_owned(),
        digits,
        "latest".to_owned(),
        "results".to_owned(),
        "results/a".to_owned(),
        "a".to_owned(),
        "a.toml".to_owned(),
    ];
    names.extend((!manifest.commit.is_empty()).then(|| manifest.commit[..12].to_owned()));
    for name in &names {
        let told = place.json(format!("diff reference {name} --json"));
        let [a, b] = ["a", "b"].map(|side| told["experiments"][0][side]["folder"].to_string());
        assert!(
            a.contains("results/reference/a/") && b.contains("results/a/"),
            "{name}: {told}"
        );
        let points = told["experiments"][0]["points"].as_array().expect("points");
        let same = |point: &&serde_json::Value| point["outcome"] == "identical";
        assert_eq!(points.iter().filter(same).count(), 2, "{name}: {told}");
    }
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
        "2 of 2 points have different rows, of the same distributions as far as the tests see",
    );
    run(&place, 3, "other");
    // A slip in what ε means, as a change of code could make one.
    let swapped = swap_points(&place, "other");
    let output = place.reines(format!("diff one {swapped}"));
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(
        stdout(&output).ends_with("different: 2 of 2 points (Holm, α = 0.05)\n"),
        "{}",
        stdout(&output)
    );
    place.reines(format!("diff --html both.html one {swapped}"));
    let page = place.text("both.html");
    assert!(page.contains("a, pair n=5 epsilon="));
    let json: serde_json::Value =
        serde_json::from_slice(&place.reines(format!("diff --json one {swapped}")).stdout)
            .expect("JSON");
    assert_eq!(
        (
            &json["verdict"],
            &json["experiments"][0]["points"][0]["outcome"]
        ),
        (&"different".into(), &"different".into())
    );
    assert_eq!(
        json["experiments"][0]["points"][1]["tests"]
            .as_array()
            .map(Vec::len),
        Some(4)
    );
    assert!(json["experiments"][0]["points"][0]["tests"][0]["holm"].is_number());
}

/// The run with its two values of ε exchanged in the rows.
fn swap_points(place: &Workplace, results: &str) -> String {
    let run = place.run(results);
    let mut frame = forged::table(&bytes_of(run.join("trials.parquet")));
    let epsilon = frame.column("epsilon").and_then(|it| it.f64());
    let other = |epsilon: f64| if epsilon < 0.07 { 0.1 } else { 0.05 };
    let swapped = epsilon.expect("numbers").iter().map(|it| it.map(other));
    let swapped = Column::new("epsilon".into(), swapped.collect::<Vec<_>>());
    frame.with_column(swapped).expect("as many rows");
    let keys = ["algorithm", "variant", "n", "epsilon", "seed", "trial"];
    let sorted = frame.sort(keys, Default::default()).expect("its columns");
    forge(&run, "trials.parquet", &forged::bytes(sorted));
    results.to_owned()
}

#[test]
fn what_is_not_comparable_gets_no_number_and_exit_code_2() {
    let place = Workplace::new();
    run(&place, 1, "one");
    place.write(
        "a.toml",
        &format!("seed = 1\n{}", SPEC.replace("1e6", "2e6")),
    );
    place.succeed("run a.toml --quiet --results two");
    let told = place.ends(2, "diff one two");
    has(
        &told,
        "not comparable: pair n=5 epsilon=0.05: the cutoff is 1000000 in A and 2000000 in B",
    );
    has(&told, "0 identical (0 trials), 0 with different rows");
}

#[test]
fn bad_input_is_one_sentence_and_exit_code_2() {
    let place = Workplace::new();
    run(&place, 1, "results");
    let folder = place.runs("results", "a")[0].clone();
    let folder = folder.to_str().expect("our paths are text");
    let cases: [(&[&str], &str); 6] = [
        (
            &["diff", "latest", "results"],
            "a: A and B are the same folder, results/a/",
        ),
        (&["diff", folder, folder], "are the same folder, "),
        (&["diff", "latest"], "required arguments were not provided"),
        (
            &["diff", "latest", "0.9.9-00000000"],
            "\"0.9.9-00000000\" names no complete run in results",
        ),
        (
            &["diff", "reference", "latest"],
            "\"reference\" names no complete run",
        ),
        (
            &["diff", "--alpha", "5", "latest", "latest"],
            "allowed is a number between 0 and 1",
        ),
    ];
    for (arguments, words) in cases {
        has(&place.ends(2, arguments), words);
    }
}

/// The sweeps of a side: seeds, and the sides of the boards of both rules.
fn side(seeds: &str, pair: &str, cell: &str) -> String {
    let rest = "epsilon = 0.05\ntrials = 40\ncutoff = 3000\n";
    format!(
        "seeds = {seeds}\n[[sweep]]\nalgorithm = \"pair\"\nn = {pair}\n{rest}[[sweep]]\nalgorithm = \"cell\"\nn = {cell}\neta = 0.1\n{rest}"
    )
}

/// The points of both sides are read one after the other, and dropped; what is found is what all of
/// them in memory give: where a side lacks the first points, the last, some in the middle, one of
/// its seeds, and where most trials were cut off.
#[test]
fn points_read_one_by_one_give_what_all_at_once_give() {
    let place = Workplace::with(&side("[1, 2]", "[4, 6, 7]", "[3, 5]"));
    place.succeed("run a.toml --quiet --results one");
    place.write("a.toml", &side("[2, 3]", "[3, 4, 7, 8]", "[5]"));
    for shard in ["0/2", "1/2"] {
        place.succeed(format!("run a.toml -q --results other --shard {shard}"));
    }
    place.succeed("merge a.toml --results other");
    place.write("a.toml", &side("[7]", "[4, 8]", "[5]"));
    place.succeed("run a.toml -q --results third");
    let read = |results: &str| {
        let folder = RunFolder::at(&place.runs(results, "a")[0]);
        let run = CompleteRun::at(folder).expect("a complete run");
        (
            run.all_points().expect("a sound run"),
            run.manifest.definitions,
        )
    };
    for (a, b, [common, only_in_a, only_in_b]) in [
        ("one", "other", [3, 2, 2]),
        ("other", "one", [3, 2, 2]),
        ("third", "other", [3, 0, 2]),
        ("one", "third", [2, 3, 1]),
    ] {
        let told = place.reines(format!("diff --json {a} {b}")).stdout;
        let told: serde_json::Value = serde_json::from_slice(&told).expect("JSON");
        let told = &told["experiments"][0];
        assert_eq!(told["only_in_a"], only_in_a, "{a} {b}");
        assert_eq!(told["only_in_b"], only_in_b, "{a} {b}");
        let [(x, of_x), (y, of_y)] = [a, b].map(read);
        let pairs = x.iter().filter_map(|x| {
            let y = y.iter().find(|y| y.point == x.point)?;
            Some(PointComparison::of([&of_x, &of_y], x, y))
        });
        let expected: Vec<PointComparison> = pairs.collect();
        let points = told["points"].as_array().expect("a list");
        assert_eq!((points.len(), expected.len()), (common, common));
        for (told, expected) in points.iter().zip(&expected) {
            assert_eq!(told["point"], expected.point.to_string());
            let Finding::Different(expected) = &expected.finding else {
                assert_eq!(told["outcome"], "identical");
                continue;
            };
            assert_eq!(told["common"], expected.common);
            assert_eq!(told["differing"], expected.differing);
            let tests = told["tests"].as_array().expect("a list");
            assert_eq!(tests.len(), expected.tests.len());
            for (told, expected) in tests.iter().zip(&expected.tests) {
                // The reader of JSON rounds the last digit as it likes.
                let p = told["p"].as_f64().expect("a number");
                assert!((p / expected.test.p - 1.0).abs() < 1e-12, "{told}");
            }
        }
    }
}
