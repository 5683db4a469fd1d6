//! What `reines check` makes of results of another machine. (`transcripts/check.txt` has the rest.)

use std::fs;

use crate::program::{Workplace, experiments, has, lacks, stderr, text_of, write_manifest};
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

/// User seconds of `check` and of `run`, with earlier results of the same points: a plan of so many
/// has one trial more of each than was run before.
fn user_seconds(points: u32) -> [f64; 2] {
    let spec = |trials: u32| {
        format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\n\
             epsilon = {{ from = 0.1, to = 0.2, points = {points} }}\ntrials = {trials}\ncutoff = 100\n"
        )
    };
    let place = Workplace::with(&spec(2));
    place.succeed("run -q a.toml");
    place.write("a.toml", &spec(3));
    [("check", "run time: about"), ("run", "taken over")].map(|(command, words)| {
        let script = "TIMEFORMAT=%U; time \"$0\" \"$1\" a.toml > out 2>&1";
        let mut shell = place.tool("bash");
        shell.args(["-ec", script, env!("CARGO_BIN_EXE_reines"), command]);
        let output = shell.output().expect("there is a bash");
        assert!(output.status.success(), "{}", place.text("out"));
        has(&place.text("out"), words);
        stderr(&output).trim().parse().expect("seconds")
    })
}

/// Ten times as many points take about ten times as long, whatever the machine. Where each was held
/// against all earlier ones it was 40 times and more.
#[test]
fn the_time_for_many_points_is_in_proportion_to_their_number() {
    let [few, many] = [2000, 20_000].map(user_seconds);
    for (at, command) in ["check", "run"].into_iter().enumerate() {
        let told = format!("{command}: {} s and {} s", few[at], many[at]);
        println!("{told}");
        assert!(many[at] < 25.0 * few[at], "{told}");
    }
}
