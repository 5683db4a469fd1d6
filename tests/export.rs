//! `reines export` of runs that contradict each other.
//! (`transcripts/export.txt` has the rest.)

use std::fs;

use crate::program::{Workplace, forge_column, has};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 5\ncutoff = 1e6\n";

/// Two rows of one trial that cannot both be right, and what the message advises: without both runs
/// their experiments are run again, and each row is the same in both.
#[test]
fn the_advice_on_runs_that_contradict_each_other_can_be_followed() {
    let place = Workplace::with(SPEC);
    place.write("b.toml", SPEC);
    place.succeed("run -q a.toml b.toml");
    let runs = ["a", "b"].map(|name| place.runs("results", name).remove(0));
    let one_more = |row, moves| moves + u64::from(row == 3);
    forge_column(&runs[1], "trials.parquet", "moves", one_more);
    let said = place.ends(2, "export -o x.csv");
    has(
        &said,
        "trial 3 of seed 1 at pair n=4 epsilon=0.1: results/a/",
    );
    has(&said, "name one of them, or remove both and run");
    place.succeed(format!("export -o one.csv '{}'", runs[0].display()));
    for run in runs {
        fs::remove_dir_all(run).expect("our own folder");
    }
    place.succeed("run -q a.toml b.toml");
    place.succeed("export -o x.csv");
}
