//! Sizes in `reines list` and `reines prune`; `reines man` and completions.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Workplace, stderr, stdout, write_manifest};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 5\ncutoff = 1e5\n";

/// A copy of a run as if another code version had made it, on this day.
fn copy_of(run: &Path, digits: &str, day: &str) -> PathBuf {
    let name = run
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let plan = name.rsplit_once('-').expect("a plan hash").1;
    let old = run.with_file_name(format!("0.1.0-{digits}-{plan}"));
    fs::create_dir(&old).expect("a fresh folder");
    for entry in fs::read_dir(run).expect("a run") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        fs::copy(&path, old.join(name)).expect("our own file");
    }
    let manifest = old.join("manifest.toml");
    let text = fs::read_to_string(&manifest).expect("complete");
    let mut tree: toml::Table = text.parse().expect("TOML");
    tree["parts"]["on-pairs"] = "00000000".into();
    tree["code_version"] = format!("0.1.0-{digits}").into();
    tree["ended"] = day.into();
    write_manifest(&manifest, &tree.to_string());
    old
}

#[test]
fn old_runs_are_removed_and_no_others() {
    let place = Workplace::new();
    for name in ["a.toml", "b.toml"] {
        place.write(name, SPEC);
    }
    place.succeed(&["run", "-q", "a.toml", "b.toml"]);
    place.succeed(&["run", "-q", "a.toml", "--results", "results/reference"]);
    let [a, b] = ["a", "b"].map(|name| place.runs("results", name)[0].clone());
    let reference = place.runs("results/reference", "a")[0].clone();
    let old = copy_of(&a, "11111111", "2020-01-01T00:00:00Z");
    let newest = copy_of(&a, "22222222", "2099-01-01T00:00:00Z");
    let other = copy_of(&b, "11111111", "2020-01-01T00:00:00Z");
    let kept = copy_of(&reference, "11111111", "2020-01-01T00:00:00Z");
    let listed = stdout(&place.succeed(&["list", "a", "b", "--experiments", "."]));
    assert_eq!(
        listed.matches(" kB (").count() + listed.matches(" B (").count(),
        5,
        "{listed}"
    );
    let asked = place.reines(&["prune"]);
    assert_eq!(asked.status.code(), Some(2));
    assert!(
        stderr(&asked).contains("--yes removes without asking"),
        "{}",
        stderr(&asked)
    );
    assert!(stdout(&asked).contains("2 old runs, ") && old.exists());
    place.succeed(&["prune", "--yes", "a"]);
    assert!(!old.exists());
    for run in [&a, &b, &newest, &other, &kept, &reference] {
        assert!(run.join("manifest.toml").exists(), "{}", run.display());
    }
    place.succeed(&["prune", "--yes"]);
    assert!(!other.exists() && newest.exists());
    let said = stdout(&place.succeed(&["prune"]));
    assert_eq!(said, "nothing to remove in results\n");
    for (arguments, words) in [
        (
            &["prune", "--results", "results/reference"][..],
            "the reference is never removed",
        ),
        (&["prune", "c"], "c: no run in results; there are a, b"),
    ] {
        let output = place.reines(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    assert!(kept.exists());
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Workplace::new();
    let said = stdout(&place.succeed(&["man", "man1"]));
    let read = |name: &str| fs::read_to_string(place.path().join("man1").join(name)).expect(name);
    assert!(
        said.contains("man1/reines.1\n") && said.contains("man1/reines-run.1\n"),
        "{said}"
    );
    assert!(read("reines.1").contains("reines\\-export") || read("reines.1").contains("export"));
    let run = read("reines-run.1");
    assert!(
        run.contains(".TH") && run.contains("force") && run.contains("Ctrl"),
        "{run}"
    );
}

#[test]
fn completions_have_the_values() {
    let script = stdout(&Workplace::new().succeed(&["completions", "bash"]));
    for word in [
        "cell-relaxation",
        "PN_PL",
        "reference latest",
        "rejection-free",
        "svg png pdf",
    ] {
        assert!(script.contains(word), "{word}");
    }
}
