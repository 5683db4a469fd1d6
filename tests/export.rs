//! `reines export`: tables that others read, and runs that contradict each other.
//! (`transcripts/export.txt` has the rest.)

use std::fs;

use crate::program::{Workplace, encode, forge, has, text_of};

fn sweep(n: &str, trials: u32, cutoff: &str) -> String {
    format!(
        "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = {n}\nepsilon = 0.1\ntrials = {trials}\ncutoff = {cutoff}\n"
    )
}

/// More trials than are written at once: each has one row, in its place, and those that two runs
/// have name both.
#[test]
fn tables_that_are_written_in_pieces_have_each_trial_once() {
    let place = Workplace::with(&sweep("[4, 5]", 40_000, "10"));
    place.write("b.toml", &sweep("5", 30_000, "10"));
    place.succeed("run -q a.toml b.toml");
    place.succeed("export -o all.csv");
    let text = text_of(place.path().join("all.csv"));
    let rows: Vec<(&str, &str, u32)> = text.lines().skip(1).map(key).collect();
    let expected = [4, 5].into_iter().flat_map(|n| {
        (0..40_000).map(move |trial| match (n, trial) {
            (5, ..30_000) => ("a;b", "5", trial),
            (5, _) => ("a", "5", trial),
            _ => ("a", "4", trial),
        })
    });
    assert!(rows.into_iter().eq(expected));
}

/// Experiments, n and number of the trial of a row.
fn key(row: &str) -> (&str, &str, u32) {
    let cells: Vec<&str> = row.split(',').collect();
    (cells[0], cells[3], cells[7].parse().expect("a number"))
}

/// Two rows of one trial that cannot both be right, and what the message advises: without both runs
/// their experiments are run again, and each row is the same in both.
#[test]
fn the_advice_on_runs_that_contradict_each_other_can_be_followed() {
    let place = Workplace::with(&sweep("4", 5, "1e6"));
    place.write("b.toml", &sweep("4", 5, "1e6"));
    place.succeed("run -q a.toml b.toml");
    let runs = ["a", "b"].map(|name| place.runs("results", name).remove(0));
    let mut records = place.records("results", "b");
    let moves = &mut records[3].row.outcome.moves;
    *moves = moves.map(|moves| moves + 1);
    forge(&runs[1], "trials.parquet", &encode(&records));
    let said = place.ends(2, "export -o x.csv");
    has(
        &said,
        "trial 3 of seed 1 at pair n=4 epsilon=0.1: results/a/",
    );
    has(&said, "name one of them, or remove both and run");
    place.succeed(["export", "-o", "one.csv", &runs[0].to_string_lossy()]);
    for run in runs {
        fs::remove_dir_all(run).expect("our own folder");
    }
    place.succeed("run -q a.toml b.toml");
    place.succeed("export -o x.csv");
}
