//! `reines check` of many experiments and of many points. (`transcripts/check.txt` has the rest.)

use std::fs;
use std::os::unix::fs::symlink;

use crate::program::{Workplace, experiments, files_of, name_of, root, stdout, text_of};

/// No experiment of the repository may wait until somebody runs it: its plan can be run, and its
/// figures can be drawn of it. No trial runs here.
#[test]
fn every_experiment_of_the_repository_is_accepted() {
    let paths = experiments();
    let words = paths.iter().map(|it| format!(" '{}'", it.display()));
    Workplace::new().succeed(format!("check{}", words.collect::<String>()));
}

/// A clean copy of the repository foretells of each shipped experiment the seconds that the
/// manifest of its reference has, within a factor of five.
#[test]
fn the_references_foretell_how_long_each_experiment_takes() {
    let reference = root().join("results/reference");
    let place = Workplace::new();
    fs::create_dir(place.path().join("results")).expect("a fresh folder");
    symlink(&reference, place.path().join("results/reference")).expect("a link");
    let mut total = [0.0; 2];
    for spec in files_of(&root().join("experiments"), ".toml") {
        let told = place.succeed(format!("check --json '{}'", spec.display()));
        let told: serde_json::Value = serde_json::from_str(&stdout(&told)).expect("JSON");
        let name = name_of(&spec.with_extension(""));
        let run = fs::read_dir(reference.join(&name)).expect("there");
        let mut files = run.flatten().map(|it| it.path().join("manifest.toml"));
        let file = files.find(|it| it.is_file()).expect("a run");
        let manifest: toml::Table = text_of(file).parse().expect("TOML");
        let measured = manifest["points"].as_array().expect("points").iter();
        let planned = told[0]["points"].as_array().expect("points").iter();
        let mut sums = [0.0; 2];
        for (measured, planned) in measured.zip(planned) {
            assert_eq!(
                measured["point"].as_str(),
                planned["point"].as_str(),
                "{name}"
            );
            let number = |key: &str| match measured.get(key) {
                Some(toml::Value::Float(seconds)) => *seconds,
                it => it.and_then(|it| it.as_integer()).unwrap_or(0) as f64,
            };
            let foretold = planned["run_time"]["seconds"].as_f64().expect("known");
            // Of rows that were taken over from another experiment no time is known.
            if number("timed") > 0.0 {
                let number_of = |key: &str| planned[key].as_f64().unwrap_or(1.0);
                let runs = number_of("trials") * number_of("repeats");
                sums[0] += number("seconds_sum") / number("timed") * runs;
                sums[1] += foretold;
            }
        }
        let factor = (sums[1] + 0.1) / (sums[0] + 0.1);
        assert!((0.2..5.0).contains(&factor), "{name}: {sums:?}");
        total = [total[0] + sums[0], total[1] + sums[1]];
    }
    assert!((0.5..2.0).contains(&(total[1] / total[0])), "{total:?}");
}
