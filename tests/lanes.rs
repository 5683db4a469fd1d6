//! `--dynamics lanes` from a spec to stored rows: the same bytes however the trials come to be side
//! by side, and one clear error where there are no lanes.

use std::time::Duration;

use reines::solver::Ending;

use crate::program::{Workplace, stderr, stdout};

const SPEC: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = [0.02, 0.05]\ntrials = 30\ncutoff = 2e4\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = [4, 9]\nepsilon = 0.05\neta = [0, 0.1]\ntrials = 20\ncutoff = 20_000\n";

const LANES: [&str; 2] = ["--dynamics", "lanes"];

#[test]
fn threads_and_shards_leave_the_bytes_alone() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    let run = |more: &[&str]| {
        workplace.succeed(&[&["run", "a.toml", "--quiet"], &LANES[..], more].concat())
    };
    for threads in ["1", "3"] {
        run(&["--threads", threads, "--results", threads]);
    }
    let expected = workplace.bytes("1", "a", "trials.parquet");
    assert!(workplace.bytes("3", "a", "trials.parquet") == expected);
    for shard in ["0/2", "1/2"] {
        run(&["--shard", shard]);
    }
    workplace.succeed(&[&["merge", "a.toml"], &LANES[..]].concat());
    assert!(workplace.bytes("results", "a", "trials.parquet") == expected);
    let points = workplace.trials("1", "a");
    let rows: Vec<_> = points.iter().flat_map(|point| &point.rows).collect();
    assert_eq!(rows.len(), 2 * (6 * 30 + 4 * 20));
    for ending in [Ending::Absorbed, Ending::Censored] {
        assert!(
            rows.iter().any(|row| row.outcome.ending == ending),
            "{ending:?}"
        );
    }
    let manifest = workplace.bytes("1", "a", "manifest.toml");
    let manifest = String::from_utf8(manifest).expect("text");
    assert!(manifest.contains("dynamics = [\"lanes\"]"), "{manifest}");
}

/// Points whose rows decide how many trials they have, with seats that wait for others' ends.
#[test]
fn sequential_points_have_the_same_rows_on_any_number_of_threads() {
    let workplace = Workplace::new();
    let trials = "{ min = 30, max = 200, precision = 0.1 }";
    workplace.write(
        "a.toml",
        &format!("seeds = [1, 2]\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.1\neta = 0.1\ntrials = {trials}\ncutoff = 1e6\n"),
    );
    for threads in ["1", "2"] {
        let arguments = [
            "run",
            "a.toml",
            "--quiet",
            "--threads",
            threads,
            "--results",
            threads,
        ];
        workplace.succeed(&[&arguments, &LANES[..]].concat());
    }
    let [one, two] = ["1", "2"].map(|results| workplace.bytes(results, "a", "trials.parquet"));
    assert!(one == two);
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let spec = "seed = 5\n[[sweep]]\nalgorithm = \"pair\"\nn = 7\nepsilon = 0.01\ntrials = 3000\ncutoff = 1e6\n";
    let workplace = Workplace::new();
    workplace.write("a.toml", spec);
    workplace.succeed(
        &[
            &["run", "a.toml", "--quiet", "--results", "whole"],
            &LANES[..],
        ]
        .concat(),
    );
    let arguments = [&["run", "a.toml", "--threads", "2"], &LANES[..]].concat();
    let ended = workplace.interrupt(&arguments, Duration::from_millis(20));
    assert_eq!(
        ended.status.code(),
        Some(1),
        "the run was too short to be interrupted"
    );
    workplace.succeed(&[&["run", "a.toml", "--quiet"], &LANES[..]].concat());
    let [whole, resumed] =
        ["whole", "results"].map(|results| workplace.bytes(results, "a", "trials.parquet"));
    assert!(whole == resumed);
}

#[test]
fn what_has_no_lanes_says_so() {
    let sweep = |algorithm: &str, n: &str, more: &str| {
        format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"{algorithm}\"\nn = {n}\nepsilon = 0.1\ntrials = 2\ncutoff = 10\n{more}"
        )
    };
    let cases = [
        (
            sweep("cell-fewer", "5", "eta = 0.1\n"),
            "does not simulate cell-fewer",
        ),
        (sweep("pair", "[16, 17]", ""), "takes n = 1 to 16, not 17"),
    ];
    for (spec, reason) in cases {
        let workplace = Workplace::new();
        workplace.write("a.toml", &spec);
        for command in ["check", "run"] {
            let refused = workplace.reines(&[&[command, "a.toml"], &LANES[..]].concat());
            let told = stderr(&refused);
            assert_eq!(refused.status.code(), Some(2), "{told}");
            assert!(
                told.contains("a.toml:2:") && told.contains(reason),
                "{told}"
            );
            assert!(
                told.contains(
                    "allowed are --dynamics auto, one-by-one, rejection-free and stepwise"
                ),
                "{told}"
            );
        }
        assert!(
            !workplace.path().join("results").exists(),
            "nothing was run"
        );
    }
    let workplace = Workplace::new();
    for (point, reason) in [
        (
            &["cell-fewer", "--n", "5", "--eta", "0.1"][..],
            "does not simulate cell-fewer",
        ),
        (&["pair", "--n", "17"], "takes n = 1 to 16, not 17"),
    ] {
        let played = [&["replay", "--epsilon", "0.1", "--algorithm"], point].concat();
        let refused = workplace.reines(&[&played[..], &LANES[..]].concat());
        let told = stderr(&refused);
        assert_eq!(refused.status.code(), Some(2), "{told}");
        assert!(
            told.contains(&format!("--dynamics lanes {reason}")),
            "{told}"
        );
    }
}

/// [`SPEC`] without and with series and moves: the same rows; their files are the same bytes
/// however the trials are divided.
#[test]
fn recorded_trials_are_the_same_trials() {
    const RECORDED: &str = "[sweep.series]\nat = { from = 1, to = 1e4, points = 9, scale = \"log\" }\n\
                            [sweep.events]\nkeep = \"moves\"\n";
    let workplace = Workplace::new();
    workplace.write("plain.toml", SPEC);
    let sweeps = SPEC.replace(
        "\n[[sweep]]\nalgorithm = \"cell\"",
        &format!("\n{RECORDED}[[sweep]]\nalgorithm = \"cell\""),
    );
    workplace.write("a.toml", &format!("{sweeps}{RECORDED}"));
    let run = |spec: &str, more: &[&str]| {
        workplace.succeed(&[&["run", spec, "--quiet"], &LANES[..], more].concat())
    };
    run("plain.toml", &["--results", "plain"]);
    let plain = workplace.bytes("plain", "plain", "trials.parquet");
    for threads in ["1", "2"] {
        run("a.toml", &["--threads", threads, "--results", threads]);
    }
    for shard in ["0/2", "1/2"] {
        run("a.toml", &["--shard", shard]);
    }
    workplace.succeed(&[&["merge", "a.toml"], &LANES[..]].concat());
    assert!(workplace.bytes("1", "a", "trials.parquet") == plain);
    for file in ["trials.parquet", "series.parquet", "moves.parquet"] {
        let expected = workplace.bytes("1", "a", file);
        for results in ["2", "results"] {
            assert!(
                workplace.bytes(results, "a", file) == expected,
                "{file} of {results}"
            );
        }
    }
    workplace.succeed(&["verify-files", "results"]);
}

/// A row in lanes is played again under its own dynamics, and held against the row; a trial that is
/// named by its parameters is the same one.
#[test]
fn a_row_in_lanes_is_played() {
    let workplace = Workplace::new();
    workplace.write("a.toml", SPEC);
    workplace.succeed(&[&["run", "a.toml", "--quiet"], &LANES[..]].concat());
    let place = "algorithm=pair,n=5,epsilon=0.05";
    let row = ["--only", place, "--seed", "3", "--trial", "7"];
    let told = stdout(&workplace.succeed(&[&["replay", "results/a"], &row[..]].concat()));
    assert!(
        told.contains("are those of the row in the results of a"),
        "{told}"
    );
    let named =
        "replay --algorithm pair --n 5 --epsilon 0.05 --seed 3 --trial 7 --cutoff 20000 -o b.html";
    let named: Vec<&str> = named.split(' ').collect();
    let again = stdout(&workplace.succeed(&[&named, &LANES[..]].concat()));
    assert_eq!(told.lines().next(), again.lines().next());
    let pages = ["replay.html", "b.html"].map(|page| {
        let page = std::fs::read_to_string(workplace.path().join(page)).expect("a page");
        let log = page.split_once("id=\"log\"").expect("a log").1;
        log.split_once("</script>").expect("its end").0.to_owned()
    });
    assert_eq!(pages[0], pages[1]);
}
