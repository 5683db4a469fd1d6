//! From a spec to a run's folder: what is not run again, in which shards, and what a spec that has
//! grown or changed takes over.

use std::fs;
use std::path::PathBuf;

use reines::experiment::store::folder::RunFolder;

use crate::program::{Workplace, bytes_of, has, lacks, name_of, stderr, stdout};

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

#[test]
fn quick_is_a_subset_of_the_same_rows() {
    let place = workplace();
    place.succeed("run a.toml --results quick --quick");
    let points = |results| place.trials(results, "a");
    let (full, quick) = (points("results"), points("quick"));
    assert_eq!(full.len(), quick.len());
    for (full, quick) in full.iter().zip(&quick) {
        assert_eq!(full.point, quick.point);
        assert!(full.rows.iter().take(5).eq(&quick.rows));
    }
}

/// A spec is drawn from the run of its own plan, though another of the same experiment and code
/// version came later.
#[test]
fn a_report_takes_the_run_of_the_specs_own_plan() {
    let place = Workplace::new();
    let figure = "[[figure]]\nkind = \"convergence-vs-epsilon\"\n";
    let specs = [7, 9].map(|trials| spec("seed = 1", "4", trials, 200_000) + figure);
    for spec in &specs {
        place.write("a.toml", spec);
        place.succeed("run a.toml -q");
    }
    for (spec, trials) in specs.iter().zip(["7", "9"]) {
        place.write("a.toml", spec);
        place.succeed("report a.toml -q");
        let table = place.text("figures/a-convergence-vs-epsilon.csv");
        let mut lines = table
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let column = header
            .iter()
            .position(|name| *name == "trials")
            .expect("a column");
        assert!(
            lines.all(|cells| cells[column] == trials),
            "{trials}: {table}"
        );
    }
}

fn run_shards(place: &Workplace, count: u32) {
    for index in 0..count {
        place.succeed(format!("run a.toml -q --threads 1 --shard {index}/{count}"));
    }
}

fn shard(place: &Workplace, name: &str) -> PathBuf {
    place.run("results").join("shards").join(name)
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

/// A run that waits for its shards is not listed as an empty one.
#[test]
fn shards_are_listed() {
    let place = Workplace::with(&small());
    for shard in ["0/3", "2/3"] {
        place.succeed(format!("run a.toml -q --shard {shard}"));
    }
    let told = stdout(&place.succeed("list a"));
    has(&told, "unfinished, 0 parts saved, 2 of 3 shards complete");
    let json = place.json("list --json");
    has(
        &json.to_string(),
        r#""shards":[{"begun":2,"complete":2,"of":3}]"#,
    );
}

#[test]
fn a_merge_names_the_shards_that_are_missing_and_loses_none() {
    let place = Workplace::with(&small());
    has(&place.ends(1, "merge a.toml"), "no shards");
    run_shards(&place, 4);
    fs::remove_dir_all(shard(&place, "1-of-4")).expect("the shard is there");
    fs::remove_file(shard(&place, "2-of-4").join("manifest.toml")).expect("it is complete");
    let incomplete = place.ends(1, "merge a.toml");
    has(&incomplete, "2 of 4 shards are not done: 1-2");
    // Only the two run again; a complete shard is left alone.
    let other = || bytes_of(shard(&place, "0-of-4").join("manifest.toml"));
    let before = other();
    run_shards(&place, 4);
    assert_eq!(other(), before);
    place.succeed("merge a.toml");
}

#[test]
fn shards_of_two_cuts_are_not_mixed() {
    let place = Workplace::with(&small());
    run_shards(&place, 3);
    place.succeed("run a.toml -q --shard 1/2");
    fs::remove_dir_all(shard(&place, "2-of-3")).expect("the shard is there");
    has(&place.ends(1, "merge a.toml"), "--shards");
    has(
        &place.ends(1, "merge a.toml --shards 2"),
        "1 of 2 shards are not done: 0",
    );
    run_shards(&place, 3);
    place.succeed("merge a.toml");
}

#[test]
fn a_bad_shard_is_refused_in_one_sentence() {
    let place = Workplace::with(&small());
    for text in [
        "8/8", "9/8", "0/0", "1/0", "1/1", "a/8", "1", "", "-1/8", "1/8/2", "0/100001",
    ] {
        has(
            &place.ends(2, format!("run a.toml --shard={text}")),
            "shard",
        );
    }
    place.ends(2, "run a.toml --shard 0/2 --force");
    assert!(!place.path().join("results").exists());
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
