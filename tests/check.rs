//! What `reines check` makes of results of another machine. (`transcripts/check.txt` has the rest.)

use std::fs;
use std::process::Command;

use crate::program::{Workplace, experiments, has, lacks, stdout, text_of, write_manifest};
use crate::spec::GOOD;

/// [`GOOD`] without its figure, whatever figures there are.
fn plain() -> &'static str {
    GOOD.split("\n[[figure]]").next().unwrap_or_default()
}

/// No experiment of the repository may wait until somebody runs it: its plan can be run, and its
/// figures can be drawn of it. No trial runs here.
#[test]
fn every_experiment_of_the_repository_is_accepted() {
    let paths = experiments();
    let words = paths.iter().map(|it| it.to_str().expect("a text"));
    let command: Vec<&str> = ["check"].into_iter().chain(words).collect();
    Workplace::new().ends(0, command);
}

/// Results of another processor tell of this one, and it is said.
#[test]
fn results_of_another_processor_are_marked() {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    place.write("experiments/small.toml", plain());
    place.succeed("run --quiet --results results/reference small");
    let elsewhere = " on another kind of processor";
    lacks(&place.ends(0, "check small"), elsewhere);
    let manifest = place.runs("results/reference", "small")[0].join("manifest.toml");
    let text = text_of(&manifest);
    let cpu = text.lines().find(|line| line.starts_with("cpu = "));
    let text = text.replace(cpu.expect("a processor"), "cpu = \"another\"");
    write_manifest(&manifest, &text);
    has(&place.ends(0, "check small"), elsewhere);
    let checked = place.json("check --json small");
    assert_eq!(checked[0]["points"][0]["run_time"]["is_elsewhere"], true);
    has(&place.ends(0, "list"), "  reference only  ");
}

/// Twenty thousand points with earlier results: `check` and `run` take a time in proportion. Where
/// each point was held against all earlier ones it was 95 and 190 processor seconds.
#[test]
fn many_points_are_foretold_and_run_in_no_time() {
    let sweep = |seed| {
        format!(
            "seed = {seed}\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\n\
             epsilon = {{ from = 0.1, to = 0.2, points = 20_000 }}\ntrials = 1\ncutoff = 1\n"
        )
    };
    let place = Workplace::with(&sweep(1));
    place.succeed("run -q a.toml");
    place.write("b.toml", &sweep(2));
    for command in ["check", "run"] {
        let script = "\"$0\" \"$1\" b.toml > out 2>&1 || exit 1; times > times; tail -1 times";
        let mut shell = Command::new("bash");
        let shell = shell.args(["-c", script, env!("CARGO_BIN_EXE_reines"), command]);
        let output = shell.current_dir(place.path()).output();
        let output = output.expect("there is a bash");
        assert!(output.status.success(), "{}", place.text("out"));
        let seconds = processor_seconds(&stdout(&output));
        println!("{command}: {seconds} s");
        assert!(seconds < 10.0, "{command}: {seconds} s");
    }
}

/// The sum of `0m1.250s 0m0.030s`.
fn processor_seconds(times: &str) -> f64 {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let all = times
        .split_whitespace()
        .map(|it| seconds(it).expect("a time"));
    all.sum()
}
