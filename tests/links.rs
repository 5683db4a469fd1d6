//! The tables beside the runs: links to those of the run that is meant, or files in their place, as
//! a copy has them.

use std::fs;
use std::path::Path;

use crate::program::{Workplace, has, lacks, stderr};

const SERIES: &str = "series = { at = [0, 100] }\n";

fn spec(trials: u32, series: &str) -> String {
    format!(
        "seed = 1\ndynamics = \"stepwise\"\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = {trials}\n\
         cutoff = 1_000_000\n{series}"
    )
}

/// A complete run, of whose results a copy has files in the place of links.
fn copied(spec: &str) -> Workplace {
    let place = Workplace::with(spec);
    place.succeed("run -q a.toml");
    let mut copy = place.tool("cp");
    let copied = copy.args(["-rL", "results", "copy"]).status();
    assert!(copied.expect("there is a cp").success());
    place
}

/// 20 trials stand where 200 should: told under `--quiet`, too, with exit code 1, until the file is
/// removed. The same rows are as good as a link.
#[test]
fn a_file_with_other_rows_in_the_place_of_a_link_is_told() {
    let place = copied(&spec(20, ""));
    let table = Path::new("copy/a/trials.parquet");
    assert_eq!(place.ends(0, "run -q a.toml --results copy"), "");
    place.succeed("verify copy");
    place.write("a.toml", &spec(200, ""));
    for command in ["run -q a.toml --results copy", "run a.toml --results copy"] {
        let said = place.ends(1, command);
        has(
            &said,
            "copy/a/trials.parquet: no link can be made (a file is in its place)",
        );
        has(&said, "remove it, and run again");
    }
    let said = place.ends(1, "verify copy");
    has(
        &said,
        "180 of 200 trials are missing, the first is pair n=4 epsilon=0.1 seed=1 trial=20",
    );
    fs::remove_file(place.path().join(table)).expect("it is there");
    place.succeed("run -q a.toml --results copy");
    place.succeed("verify copy");
    assert!(place.path().join(table).is_symlink());
}

/// The spec loses its series: the courses beside the runs are of the run before.
#[test]
fn a_file_of_courses_that_the_run_does_not_have_is_told() {
    let place = copied(&spec(20, SERIES));
    place.write("a.toml", &spec(20, ""));
    let said = place.ends(1, "run -q a.toml --results copy");
    has(&said, "copy/a/series.parquet: no link can be made");
    lacks(&said, "trials.parquet:");
    has(&place.ends(1, "verify copy"), "copy/a/series.parquet");
    // Where it was a link, it is gone.
    place.succeed("run -q a.toml");
    assert!(!place.path().join("results/a/series.parquet").is_symlink());
}

/// A link that cannot be replaced leads to the rows of an earlier plan.
#[test]
fn a_link_that_cannot_be_renewed_is_told() {
    let place = Workplace::with(&spec(20, SERIES));
    place.succeed("run -q a.toml");
    place.write("a.toml", &spec(30, ""));
    place.succeed("run -q a.toml --only trial<30");
    let folder = place.path().join("results/a");
    let begun = fs::create_dir(folder.join(".partial-trials.parquet"));
    begun.expect("the folder can be written");
    fs::write(folder.join(".partial-trials.parquet/x"), "").expect("it can be written");
    let said = place.ends(1, "run -q a.toml");
    has(&said, "results/a/trials.parquet: no link can be made");
}

/// A file system without links: said once, of the first of several experiments, and no error.
#[test]
fn where_no_link_can_be_made_and_nothing_stands_a_line_says_so_once() {
    let place = Workplace::with(&spec(20, ""));
    place.write("b.toml", &spec(30, ""));
    for experiment in ["a", "b"] {
        let folder = place.path().join("results").join(experiment);
        let begun = folder.join(".partial-trials.parquet");
        fs::create_dir_all(&begun).expect("the folder can be written");
        fs::write(begun.join("x"), "").expect("it can be written");
    }
    let said = stderr(&place.succeed("run a.toml b.toml"));
    assert_eq!(said.matches("no link can be made").count(), 1, "{said}");
    assert_eq!(place.ends(0, "run -q a.toml b.toml"), "");
}
