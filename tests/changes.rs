//! `-s` and `--only`: a spec changed for one command.

use std::fs;

use crate::program::{Workplace, has, lacks, stderr, stdout, text_of};

const SPEC: &str = "# kept\nseed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5, 6]\nepsilon = 0.1\ntrials = 6\ncutoff = 1e5\n\
                    [[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.1\neta = [0, 0.1]\ntrials = 6\ncutoff = 1e5\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\nname = \"times\"\n";

fn place() -> Workplace {
    Workplace::with(SPEC)
}

#[test]
fn a_changed_spec_runs_under_a_name_that_says_so() {
    let place = place();
    let changes = ["-s", "sweep[1].trials=2", "-s", "seed=7", "a.toml"];
    let said = stderr(&place.succeed([&["run"], &changes[..]].concat()));
    let name = "a-with-sweep-1-.trials-2-seed-7";
    has(&said, "7 points, 26 trials, ");
    has(&said, "times-with-sweep-1-.trials-2-seed-7: ");
    assert!(
        said.ends_with(&format!("next: reines report {name}\n")),
        "{said}"
    );
    let kept = String::from_utf8(place.bytes("results", name, "spec.toml")).expect("UTF-8");
    let second = SPEC.rfind("trials = 6").expect("two sweeps");
    let mut expected = SPEC.to_owned();
    expected.replace_range(second..second + 10, "trials = 2");
    let figure = "\"times-with-sweep-1-.trials-2-seed-7\"";
    let expected = expected.replace("seed = 1", "seed = 7");
    assert_eq!(kept, expected.replace("\"times\"", figure));
    place.succeed(["report", name]);
    let figure = "figures/times-with-sweep-1-.trials-2-seed-7.svg";
    assert!(place.path().join(figure).exists());
    assert!(!place.path().join("figures/times.svg").exists());
    // What was kept is enough to repeat it.
    let folder = &place.runs("results", name)[0];
    place.succeed(["rerun", "-q", folder.to_str().expect("UTF-8")]);
    assert!(!place.runs_begun("results", "a"));
}

/// Written after the run, they leave it as it is.
#[test]
fn tags_and_notes_change_no_run_and_are_listed() {
    let place = place();
    place.succeed("run -q a.toml");
    let text = format!("tags = [\"mine\", \"η\"]\nnotes = \"\"\"one\n\ntwo\"\"\"\n{SPEC}");
    place.write("a.toml", &text);
    let said = stderr(&place.succeed("run a.toml"));
    has(&said, "complete already");
    let listed = stdout(&place.succeed("list a --experiments ."));
    let start = "a\n  tags: mine, η\n  | one\n  |\n  | two\n  0.1.0-";
    assert!(listed.starts_with(start), "{listed}");
    let listed = stdout(&place.succeed("list --json --experiments ."));
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let of = &listed["experiments"][0];
    assert_eq!(of["tags"], serde_json::json!(["mine", "η"]));
    assert_eq!(of["notes"], "one\n\ntwo");
    assert_eq!(of["runs"][0]["current"], true);
}

#[test]
fn some_points_run_alone_and_the_whole_run_takes_them_over() {
    let place = place();
    let only = ["run", "--only", "algorithm=cell,n<=4", "a.toml"];
    let said = stderr(&place.succeed(only));
    has(&said, "2 points, 12 trials");
    assert_eq!(place.records("results", "a").len(), 12);
    let said = stderr(&place.succeed("run a.toml"));
    has(&said, "12 trials taken over from");
    place.succeed("report --only algorithm=pair,n!=5 a.toml");
    let table = place
        .path()
        .join("figures/times-only-algorithm-pair-n-5.csv");
    let table = text_of(table);
    has(&table, "pair,,4,");
    has(&table, "pair,,6,");
    lacks(&table, "pair,,5,");
    lacks(&table, "cell");
}

/// A smaller run, though it is newer, is meant only where there is no other.
#[test]
fn a_name_means_the_run_of_the_present_plan() {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    let spec = place.write("experiments/a.toml", SPEC);
    let exported = || stderr(&place.succeed("export a -o a.csv --force"));
    place.succeed("run -q --only n<=4 a");
    let smaller = "a: no complete run of its present plan; taken is one of 18 trials, results/a/";
    has(&exported(), smaller);
    place.succeed("run -q a");
    place.succeed("run -q --only n<=5 a");
    let whole = "a.csv: 42 trials, from 42 rows of 1 run\n";
    assert_eq!(exported(), whole);
    assert_eq!(stderr(&place.succeed("report -q")), "");
    has(&text_of(place.path().join("figures/times.csv")), "pair,,6,");
    fs::remove_file(place.path().join(spec)).expect("our own file");
    assert_eq!(exported(), whole, "by the specs that are kept");
}

/// `check` makes the plan that `run` runs, whatever the options.
#[test]
fn check_takes_the_options_of_run() {
    let place = place();
    for options in [
        &["--quick"][..],
        &["--dynamics", "stepwise"],
        &["--only", "n<=5"],
        &["-s", "sweep[0].trials=3"],
    ] {
        let with = |command: &[&'static str]| [command, options, &["a.toml"]].concat();
        place.succeed(with(&["check"]));
        assert!(!place.path().join("results").exists(), "nothing has run");
        let json = stdout(&place.succeed(with(&["check", "--json"])));
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        place.succeed(with(&["run", "-q"]));
        let name = json[0]["experiment"].as_str().expect("a name");
        let folder = &place.runs("results", name)[0];
        let hash = json[0]["plan_hash"].as_str().expect("a hash");
        assert!(folder.to_string_lossy().ends_with(hash), "{options:?}");
        fs::remove_dir_all(place.path().join("results")).expect("our own folder");
    }
}

#[test]
fn a_change_that_cannot_be_is_bad_input() {
    let place = place();
    for (arguments, words) in [
        (
            &["-s", "n=8"][..],
            "2 sweeps have the key; allowed is one of sweep[0].n (now [4, 5, 6])",
        ),
        (&["-s", "sweep[0].epslon=1"], "epslon"),
        (&["-s", "sweep[0].n=99999"], "a.toml with sweep[0].n=99999"),
        (&["--only", "n=12"], "--only n=12: a.toml has no such point"),
        (&["--only", "nn=12"], "no such key"),
    ] {
        let output = place.reines([&["run"], arguments, &["a.toml"]].concat());
        let said = stderr(&output);
        assert!(
            output.status.code() == Some(2) && said.contains(words),
            "{said}"
        );
    }
    assert!(!place.path().join("results").exists());
}
