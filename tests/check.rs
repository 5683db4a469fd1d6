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

/// Each shipped experiment by the manifests of all others: the seconds of the points that these
/// foretell are those that its own manifest has, within a factor of five and a second. Of the
/// points of the same values nothing is to be seen here.
#[test]
fn other_experiments_foretell_how_long_one_takes() {
    let reference = root().join("results/reference");
    let names = files_of(&root().join("experiments"), ".toml").into_iter();
    let names = names.map(|it| name_of(&it.with_extension("")));
    let mut total = [0.0; 2];
    for name in names.filter(|it| reference.join(it).is_dir()) {
        let place = Workplace::new();
        let others = place.path().join("results");
        fs::create_dir(&others).expect("a fresh folder");
        for folder in fs::read_dir(&reference).expect("there").flatten() {
            if folder.file_name() != *name {
                symlink(folder.path(), others.join(folder.file_name())).expect("a link");
            }
        }
        let spec = root().join(format!("experiments/{name}.toml"));
        let told = place.succeed(format!("check --json '{}'", spec.display()));
        let told: serde_json::Value = serde_json::from_str(&stdout(&told)).expect("JSON");
        let run = fs::read_dir(reference.join(&name))
            .expect("there")
            .flatten();
        let run = run
            .map(|it| it.path().join("manifest.toml"))
            .find(|it| it.is_file());
        let manifest: toml::Table = text_of(run.expect("a run")).parse().expect("TOML");
        let measured = manifest["points"].as_array().expect("points").iter();
        let planned = told[0]["points"].as_array().expect("points").iter();
        let mut sums = [0.0; 2];
        for (measured, planned) in measured.zip(planned) {
            assert_eq!(
                measured["point"].as_str(),
                planned["point"].as_str(),
                "{name}"
            );
            // Of rows that were taken over from another experiment no time is known.
            let number = |key: &str| match measured.get(key) {
                Some(toml::Value::Float(seconds)) => *seconds,
                it => it.and_then(|it| it.as_integer()).unwrap_or(0) as f64,
            };
            let foretold = planned["run_time"]["seconds"].as_f64();
            if let (Some(foretold), true) = (foretold, number("timed") > 0.0) {
                let number_of = |key: &str| planned[key].as_f64().unwrap_or(1.0);
                let runs = number_of("trials") * number_of("repeats");
                sums[0] += number("seconds_sum") / number("timed") * runs;
                sums[1] += foretold;
            }
        }
        println!(
            "{name}: {:.1} s measured, {:.1} s foretold",
            sums[0], sums[1]
        );
        let factor = (sums[1] + 1.0) / (sums[0] + 1.0);
        assert!((0.2..5.0).contains(&factor), "{name}: {sums:?}");
        total = [total[0] + sums[0], total[1] + sums[1]];
    }
    assert!((0.5..2.0).contains(&(total[1] / total[0])), "{total:?}");
}
