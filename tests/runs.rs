//! From a spec to a run's folder: what is not run again, in which shards, and what a spec that has
//! grown or changed takes over.

use std::fs;

use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, bytes_of, has, lacks, name_of, stderr};

/// Seeds, n's, trials and cutoff that the tests vary.
fn spec(seeds: &str, n: &str, trials: u32, cutoff: u32) -> String {
    format!(
        "{seeds}\n[[sweep]]\nalgorithm = \"pair\"\nn = {n}\nepsilon = [0.02, 0.03]\ntrials = {trials}\ncutoff = {cutoff}\n"
    )
}

fn small() -> String {
    spec("seed = 1", "[4, 5]", 20, 50_000)
}

/// A workplace in which the small spec has run.
fn workplace() -> Workplace {
    let place = Workplace::with(&small());
    place.succeed("run a.toml");
    place
}

#[test]
fn a_complete_plan_is_not_run_again_unless_forced() {
    let place = workplace();
    let first = place.bytes("results", "a", "manifest.toml");
    has(&stderr(&place.succeed("run a.toml")), "complete already");
    assert_eq!(place.bytes("results", "a", "manifest.toml"), first);
    lacks(&place.ends(0, "run a.toml --force"), "taken over");
    let runs = place.runs("results", "a");
    assert!(runs.len() == 2 && name_of(&runs[1]).ends_with(".2"));
    assert_eq!(bytes_of(runs[0].join("manifest.toml")), first);
    let [one, other] = [0, 1].map(|run: usize| bytes_of(runs[run].join("trials.parquet")));
    assert!(one == other);
}

fn run_shards(place: &Workplace, count: u32) {
    for index in 0..count {
        place.succeed(format!("run a.toml -q --threads 1 --shard {index}/{count}"));
    }
}

/// Of 80 trials, some of 20 shards have none; a shard that is left, too, is not run again.
#[test]
fn a_merged_run_says_which_shards_it_is_made_of() {
    let place = workplace();
    fs::rename(place.path().join("results"), place.path().join("whole")).expect("it is there");
    run_shards(&place, 20);
    place.succeed("merge a.toml");
    let run = RunFolder::at(place.run("results"));
    let manifest = run.manifest().expect("a merged run has a manifest");
    let told = (manifest.rows, manifest.shards.len(), manifest.shard);
    assert_eq!(told, (80, 20, None));
    let [own, whole] = ["results", "whole"].map(|it| place.bytes(it, "a", "trials.parquet"));
    assert!(own == whole);
    assert!(
        !run.path().join("shards").exists(),
        "the run holds the rows, once"
    );
    for command in ["run a.toml --shard 2/20", "merge a.toml"] {
        has(&place.ends(0, command), "complete already");
    }
}

/// Runs the changed spec, whose rows are those of a fresh run; returns what it says.
fn run_changed(place: &Workplace, text: &str, options: &str) -> String {
    place.write("a.toml", text);
    let _ = fs::remove_dir_all(place.path().join("fresh"));
    place.succeed(format!("run a.toml --results fresh {options}"));
    let said = stderr(&place.succeed(format!("run a.toml {options}")));
    let folder = place
        .path()
        .join("results/a")
        .join(name_of(&place.run("fresh")));
    let grown = bytes_of(folder.join("trials.parquet"));
    assert!(
        grown == place.bytes("fresh", "a", "trials.parquet"),
        "{said}"
    );
    place.succeed("verify-files");
    said
}

/// Of one that shares none nothing is said.
#[test]
fn another_seed_or_cutoff_of_another_experiment_is_not_spoken_of() {
    let place = workplace();
    for (seed, cutoff) in [("seed = 2", 50_000), ("seed = 1", 40_000)] {
        place.write("c.toml", &spec(seed, "[5, 6]", 3, cutoff));
        lacks(&stderr(&place.succeed("run c.toml")), "taken over");
        fs::remove_dir_all(place.path().join("results/c")).expect("it is there");
    }
}

#[test]
fn what_is_added_leaves_the_rest_as_it_is() {
    let place = workplace();
    // 2 × 2 points of 20 trials have run.
    for (text, taken) in [
        (
            spec("seed = 1", "[4, 5, 6]", 30, 50_000),
            "80 trials taken over from results/a/",
        ),
        (
            spec("seeds = [1, 2]", "[5]", 10, 50_000),
            "20 trials taken over",
        ),
        // Nothing to run at all: a plan within another.
        (spec("seed = 1", "6", 3, 50_000), "6 trials taken over"),
    ] {
        has(&run_changed(&place, &text, ""), taken);
    }
    let place = Workplace::with(&small());
    place.succeed("run a.toml --quick");
    has(&run_changed(&place, &small(), ""), "20 trials taken over");
    let place = Workplace::with(&small());
    place.save_shards(&["0/2"], "");
    let grown = spec("seed = 1", "[4, 5, 6]", 30, 50_000);
    has(&run_changed(&place, &grown, ""), " trials taken over");
}

#[test]
fn a_change_of_seed_cutoff_or_dynamics_is_named_and_takes_nothing() {
    let cutoff =
        "the cutoff at pair n=4 epsilon=0.02 is 60000, there it is 50000 (and at 3 other points)";
    let dynamics = "the dynamics at pair n=4 epsilon=0.02 is stepwise, there it is lanes";
    for (text, options, words) in [
        (
            spec("seed = 2", "[4, 5]", 20, 50_000),
            "",
            "the seed is 2, there it is 1",
        ),
        (spec("seed = 1", "[4, 5]", 20, 60_000), "", cutoff),
        (small(), "--dynamics stepwise", dynamics),
    ] {
        let said = run_changed(&workplace(), &text, options);
        has(&said, "not taken over");
        has(&said, words);
        lacks(&said, "trials taken over from");
    }
}

#[test]
fn where_some_points_changed_the_others_are_taken_over() {
    let sweep = |n: u32, cutoff: u32| spec("", &n.to_string(), 20, cutoff);
    let text = format!("seed = 1\n{}{}", sweep(4, 50_000), sweep(5, 60_000));
    let said = run_changed(&workplace(), &text, "");
    has(&said, "40 trials taken over");
    has(
        &said,
        "the rest, since the cutoff at pair n=5 epsilon=0.02 is 60000",
    );
}
