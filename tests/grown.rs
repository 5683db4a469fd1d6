//! A spec that grows takes over the rows it has; one that changes takes none and says why.

use std::fs;

use crate::program::{Workplace, stderr};

/// Trials and n's that the tests vary.
fn spec(seeds: &str, n: &str, trials: u32, cutoff: u32) -> String {
    format!(
        "{seeds}\n[[sweep]]\nalgorithm = \"pair\"\nn = {n}\nepsilon = [0.02, 0.03]\ntrials = {trials}\ncutoff = {cutoff}\n"
    )
}

/// A workplace in which the small spec has run.
fn workplace() -> Workplace {
    let workplace = Workplace::new();
    workplace.write("a.toml", &spec("seed = 1", "[4, 5]", 20, 50_000));
    workplace.succeed(&["run", "a.toml"]);
    workplace
}

/// Runs the changed spec; returns what it says.
fn run_changed(workplace: &Workplace, text: &str, options: &[&str]) -> String {
    workplace.write("a.toml", text);
    let fresh = [&["run", "a.toml", "--results", "fresh"], options].concat();
    workplace.succeed(&fresh);
    let name = workplace.runs("fresh", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    let said = stderr(&workplace.succeed(&[&["run", "a.toml"], options].concat()));
    let grown = fs::read(
        workplace
            .path()
            .join("results/a")
            .join(name)
            .join("trials.parquet"),
    )
    .expect("the run is complete");
    assert_eq!(
        grown,
        workplace.bytes("fresh", "a", "trials.parquet"),
        "{said}"
    );
    workplace.succeed(&["verify-files"]);
    fs::remove_dir_all(workplace.path().join("fresh")).expect("it can be removed");
    said
}

/// The same trials in two experiments run once, whichever is first; of one that shares none nothing
/// is said.
#[test]
fn trials_of_another_experiment_are_taken_over() {
    let workplace = workplace();
    workplace.write("b.toml", &spec("seed = 1", "[5, 6]", 30, 50_000));
    workplace.succeed(&["run", "b.toml", "--results", "fresh"]);
    let said = stderr(&workplace.succeed(&["run", "b.toml"]));
    assert!(
        said.contains("40 trials taken over from results/a/"),
        "{said}"
    );
    assert_eq!(
        workplace.bytes("results", "b", "trials.parquet"),
        workplace.bytes("fresh", "b", "trials.parquet")
    );
    workplace.succeed(&["verify-files"]);
    // Another seed, another cutoff: other trials, and another experiment.
    for (seed, cutoff) in [("seed = 2", 50_000), ("seed = 1", 40_000)] {
        workplace.write("c.toml", &spec(seed, "[5, 6]", 3, cutoff));
        let said = stderr(&workplace.succeed(&["run", "c.toml", "--force"]));
        assert!(!said.contains("taken over"), "{said}");
        let _ = fs::remove_dir_all(workplace.path().join("results/c"));
        let said = stderr(&workplace.succeed(&["run", "c.toml"]));
        assert!(!said.contains("taken over"), "{said}");
        let _ = fs::remove_dir_all(workplace.path().join("results/c"));
    }
}

#[test]
fn points_trials_and_seeds_that_are_added_leave_the_others_as_they_are() {
    let workplace = workplace();
    // 2 × 2 points of 20 trials have run.
    let said = run_changed(&workplace, &spec("seed = 1", "[4, 5, 6]", 30, 50_000), &[]);
    assert!(
        said.contains("80 trials taken over from results/a/"),
        "{said}"
    );
    let said = run_changed(&workplace, &spec("seeds = [1, 2]", "[5]", 10, 50_000), &[]);
    assert!(said.contains("20 trials taken over"), "{said}");
    // Nothing to run at all: a plan within another.
    let said = run_changed(&workplace, &spec("seed = 1", "6", 3, 50_000), &[]);
    assert!(said.contains("6 trials taken over"), "{said}");
}

#[test]
fn a_quick_run_is_the_beginning_of_the_whole_one() {
    let workplace = Workplace::new();
    workplace.write("a.toml", &spec("seed = 1", "[4, 5]", 20, 50_000));
    workplace.succeed(&["run", "a.toml", "--quick"]);
    let said = run_changed(&workplace, &spec("seed = 1", "[4, 5]", 20, 50_000), &[]);
    assert!(said.contains("20 trials taken over"), "{said}");
}

#[test]
fn what_an_interrupted_run_has_saved_is_taken_over_too() {
    let workplace = workplace();
    let (whole, records) = (
        workplace.runs("results", "a")[0].clone(),
        workplace.records("results", "a"),
    );
    fs::remove_file(whole.join("manifest.toml")).expect("it is there");
    fs::remove_file(whole.join("trials.parquet")).expect("it is there");
    let locked = reines::experiment::store::folder::RunFolder::at(&whole)
        .lock()
        .expect("nobody else runs this plan");
    let (mut parts, _) = locked
        .take_over_parts(&mut |_| true)
        .expect("the folder can be written");
    parts
        .save(&mut records[10..45].to_vec())
        .expect("the part can be saved");
    drop(locked);
    let said = run_changed(&workplace, &spec("seed = 1", "[4, 5, 6]", 30, 50_000), &[]);
    assert!(said.contains("35 trials taken over"), "{said}");
}

#[test]
fn a_change_of_seed_cutoff_or_dynamics_is_named_and_takes_nothing() {
    for (text, options, expected) in [
        (
            spec("seed = 2", "[4, 5]", 20, 50_000),
            &[][..],
            "the seed is 2, there it is 1",
        ),
        (
            spec("seed = 1", "[4, 5]", 20, 60_000),
            &[],
            "the cutoff at pair n=4 epsilon=0.02 is 60000, there it is 50000 (and at 3 other points)",
        ),
        (
            spec("seed = 1", "[4, 5]", 20, 50_000),
            &["--dynamics", "stepwise"],
            "the dynamics at pair n=4 epsilon=0.02 is stepwise, there it is lanes",
        ),
    ] {
        let said = run_changed(&workplace(), &text, options);
        assert!(
            said.contains("not taken over") && said.contains(expected),
            "{said}"
        );
        assert!(!said.contains("trials taken over from"), "{said}");
    }
}

#[test]
fn where_some_points_changed_the_others_are_taken_over() {
    let workplace = workplace();
    let sweep = |n: u32, cutoff: u32| spec("", &n.to_string(), 20, cutoff);
    let said = run_changed(
        &workplace,
        &format!("seed = 1\n{}{}", sweep(4, 50_000), sweep(5, 60_000)),
        &[],
    );
    assert!(
        said.contains("40 trials taken over")
            && said.contains("the rest, since the cutoff at pair n=5 epsilon=0.02 is 60000"),
        "{said}"
    );
}

#[test]
fn force_takes_nothing_over() {
    let workplace = workplace();
    workplace.write("a.toml", &spec("seed = 1", "[4, 5]", 30, 50_000));
    let said = stderr(&workplace.succeed(&["run", "a.toml", "--force"]));
    assert!(!said.contains("taken over"), "{said}");
}

#[test]
fn a_damaged_run_gives_nothing_and_its_damage_is_told() {
    let workplace = workplace();
    let path = workplace.runs("results", "a")[0].join("trials.parquet");
    let mut bytes = fs::read(&path).expect("the run is complete");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, bytes).expect("the file can be written");
    workplace.write("a.toml", &spec("seed = 1", "[4, 5]", 30, 50_000));
    let said = stderr(&workplace.succeed(&["run", "a.toml"]));
    assert!(
        said.contains("not taken over") && said.contains("BLAKE3"),
        "{said}"
    );
    assert!(!said.contains("trials taken over from"), "{said}");
}
