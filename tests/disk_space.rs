//! Sizes in `reines list` and `reines prune`.

use std::path::{Path, PathBuf};

use crate::program::{Workplace, age, copy_folder, has, name_of, stdout};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 5\ncutoff = 1e5\n";

/// A copy of a run as if another code version had made it, on this day.
fn copy_of(run: &Path, digits: &str, day: &str) -> PathBuf {
    let copy = run.with_file_name(format!("copy-{}", name_of(run)));
    copy_folder(run, &copy);
    age(&copy, "local", digits, day)
}

#[test]
fn old_runs_are_removed_and_no_others() {
    let place = Workplace::new();
    for name in ["a.toml", "b.toml"] {
        place.write(name, SPEC);
    }
    place.succeed("run -q a.toml b.toml");
    place.succeed("run -q a.toml --results results/reference");
    let [a, b] = ["a", "b"].map(|name| place.runs("results", name)[0].clone());
    let reference = place.runs("results/reference", "a")[0].clone();
    let old = copy_of(&a, "11111111", "2020-01-01T00:00:00Z");
    let newest = copy_of(&a, "22222222", "2099-01-01T00:00:00Z");
    let other = copy_of(&b, "11111111", "2020-01-01T00:00:00Z");
    let kept = copy_of(&reference, "11111111", "2020-01-01T00:00:00Z");
    let listed = stdout(&place.succeed("list a b --experiments ."));
    assert_eq!(
        listed.matches(" kB (").count() + listed.matches(" B (").count(),
        5,
        "{listed}"
    );
    // Of one plan, the run of this program comes before a newer one.
    has(&stdout(&place.succeed("verify --rerun -q a")), &name_of(&a));
    let told = stdout(&place.succeed("prune"));
    assert!(told.contains("2 old runs, ") && told.contains("--yes removes them"));
    // A run is meant alone, and nothing by a path to other results.
    place.succeed(format!("prune --yes results/a/{}", name_of(&newest)));
    has(
        &place.ends(2, "prune --yes results/reference/a"),
        "not in results",
    );
    assert!(old.exists() && kept.exists());
    place.succeed("prune --yes a");
    assert!(!old.exists());
    for run in [&a, &b, &newest, &other, &kept, &reference] {
        assert!(run.join("manifest.toml").exists(), "{}", run.display());
    }
    taken_is_kept(&place, &newest);
    for (arguments, words) in [
        (
            "prune --results results/reference",
            "the reference is never removed",
        ),
        ("prune d", "d: no run in results; there are a"),
    ] {
        has(&place.ends(2, arguments), words);
    }
    assert!(kept.exists());
}

/// What other commands take is kept, though a small run is newer.
fn taken_is_kept(place: &Workplace, newest: &Path) {
    place.write("e.toml", &SPEC.replace("= 5", "= 20"));
    place.succeed("run -q e.toml");
    let whole = place.runs("results", "e").remove(0);
    let taken = copy_of(&whole, "11111111", "2020-01-01T00:00:00Z");
    std::fs::remove_dir_all(whole).expect("it is there");
    place.succeed("run -q --quick e.toml");
    place.succeed("prune --yes e");
    assert!(taken.exists());
    // A removal that was interrupted goes on.
    let half = PathBuf::from(format!("{}.removed", taken.display()));
    std::fs::create_dir(&half).expect("it can be made");
    std::fs::write(half.join("trials.parquet"), "left").expect("it can be written");
    has(
        &stdout(&place.succeed("prune")),
        "its removal was interrupted",
    );
    place.succeed("prune --yes e");
    assert!(!half.exists() && taken.exists());
    let said = stdout(&place.succeed("prune"));
    assert!(said.ends_with("nothing to remove in results\n"), "{said}");
    // Why each stays.
    for (run, reason) in [
        (&*taken, "the run that other commands take"),
        (newest, "the newest complete run of its experiment"),
    ] {
        has(&said, &format!("{}: kept: {reason}", name_of(run)));
    }
    // Runs of the present code that are of no present plan go with --plans.
    place.succeed("run -q --again --quick e.toml");
    let count = || place.runs("results", "e").len();
    place.succeed("prune --yes e");
    assert_eq!(count(), 3);
    place.succeed("prune --yes --plans e");
    assert!(taken.exists() && count() == 2);
}
