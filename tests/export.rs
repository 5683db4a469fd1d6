//! `reines export` of runs that contradict each other.
//! (`transcripts/export.txt` has the rest.)

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::program::{Workplace, csv, forge_column, has, stdout};

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

/// η is 0 in the first rows, and no mean need have a decimal: what a program reads still says which
/// columns are real.
#[test]
fn a_real_number_is_one_wherever_a_program_reads_it() {
    let place = Workplace::new();
    let eta = SPEC
        .replace("pair", "cell")
        .replace("epsilon", "eta = [0, 1]\nepsilon");
    place.write(
        "a.toml",
        &eta.replace("epsilon = 0.1", "epsilon = [0.00001, 1]"),
    );
    place.succeed("run -q a.toml");
    let listed = csv(&stdout(&place.succeed("list a --csv")));
    assert_eq!(listed.len(), 4);
    const REAL: [&str; 8] = [
        "epsilon",
        "eta",
        "mean",
        "mean_low",
        "mean_high",
        "median",
        "median_low",
        "median_high",
    ];
    for (name, cell) in listed.iter().flatten() {
        let is_number = cell.parse::<f64>().is_ok() && name != "plan_hash";
        let is_real = cell.contains(['.', 'e']);
        let expected = REAL.contains(&name.as_str());
        assert!(!is_number || is_real == expected, "{name}: {cell}");
    }
    assert!(
        listed
            .iter()
            .any(|row| row["epsilon"] == "1e-5" && row["eta"] == "1.0")
    );
    for command in ["list a --json", "diff --json results results"] {
        let mut kinds = BTreeMap::new();
        let found = serde_json::from_str(&stdout(&place.succeed(command))).expect("JSON");
        note_numbers("", &found, &mut kinds);
        assert!(kinds.values().any(|is_real| *is_real), "{kinds:?}");
    }
}

/// Notes for each name in a value whether its numbers are real, and fails where some are and some
/// are not.
fn note_numbers(name: &str, value: &Value, kinds: &mut BTreeMap<String, bool>) {
    match value {
        Value::Number(number) => {
            let is_real = number.is_f64();
            assert_eq!(
                *kinds.entry(name.to_owned()).or_insert(is_real),
                is_real,
                "{name}"
            );
        }
        Value::Array(values) => {
            values
                .iter()
                .for_each(|value| note_numbers(name, value, kinds));
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            fields.for_each(|(key, value)| note_numbers(&format!("{name}.{key}"), value, kinds));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
