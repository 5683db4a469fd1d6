//! What `reines check` makes of results of another machine. (`transcripts/check.txt` has the rest.)

use std::fs;
use std::path::Path;

use crate::program::{Workplace, files_of, has, text_of, write_manifest};
use crate::spec::GOOD;

/// [`GOOD`] without its figure, whatever figures there are.
fn plain() -> &'static str {
    GOOD.split("\n[[figure]]").next().unwrap_or_default()
}

/// No experiment of the repository may wait until somebody runs it: its plan can be run, and its
/// figures can be drawn of it. No trial runs here.
#[test]
fn every_experiment_of_the_repository_is_accepted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let folders = [root.clone(), root.join("large")];
    let paths = folders.map(|folder| files_of(&folder, ".toml"));
    assert!(paths.iter().all(|of_folder| !of_folder.is_empty()));
    let paths = paths.concat();
    let words = paths.iter().map(|it| it.to_str().expect("a text"));
    let command: Vec<&str> = ["check"].into_iter().chain(words).collect();
    Workplace::new().ends(0, command);
}

/// Results of another processor tell of this one, with twice the doubt.
#[test]
fn results_of_another_processor_are_marked() {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    place.write("experiments/small.toml", plain());
    let stepwise = ["--dynamics", "stepwise", "small"];
    let run = ["run", "--quiet", "--results", "results/reference"];
    place.succeed([&run[..], &stepwise].concat());
    let manifest = place.runs("results/reference", "small")[0].join("manifest.toml");
    let forecast = || {
        let checked = place.json([&["check", "--json"], &stepwise[..]].concat());
        let time = checked[0]["points"][0]["run_time"].clone();
        [&time["seconds"], &time["interval"]["high"]].map(|it| it.as_f64().expect("a number"))
    };
    let [seconds, high] = forecast();
    let text = text_of(&manifest);
    let cpu = text.lines().find(|line| line.starts_with("cpu = "));
    let text = text.replace(cpu.expect("a processor"), "cpu = \"another\"");
    write_manifest(&manifest, &text);
    let told = place.ends(0, [&["check"], &stepwise[..]].concat());
    has(&told, "results on other kinds of processors too (");
    let [as_long, twice] = forecast();
    let is_twice = (twice / high - 2.0).abs() < 1e-12;
    assert!(as_long == seconds && is_twice, "{high}, {twice}");
    has(&place.ends(0, "list"), "  reference only  ");
}
