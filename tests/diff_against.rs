//! `scripts/diff-against` in a small repository, with scripts in place of cargo and of the earlier
//! program. A real build takes minutes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{Words, Workplace, has, stderr, stdout};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = 0.1\ntrials = 20\ncutoff = 1e6\n";

/// Notes each call, and puts the earlier program where cargo would.
const CARGO: &str = "echo \"$*\" >> notes\nwhile [ \"$1\" != --target-dir ]; do shift; done\n\
                     mkdir -p \"$2/release\" && cp earlier.sh \"$2/release/reines\"\n";

/// A program of another code version, which does not know the keys of one spec.
const EARLIER: &str = "case \"$*\" in *new.toml*) echo 'unknown key' >&2; exit 2;; esac\n\
                       [ \"$1\" = check ] || exec \"$REINES\" \"$@\"\n\
                       \"$REINES\" \"$@\" | sed 's/\"code_version\": \"/&9/'\n";

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\nset -e\n{text}")).expect("a folder of our own");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own file");
}

fn git(place: &Workplace, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    let named = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    command
        .current_dir(place.path())
        .args(named)
        .args(arguments.words());
    let output = command.output().expect("git is there");
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output).trim().to_owned()
}

/// A repository with two specs and a file that counts, all of it committed.
fn repository() -> Workplace {
    let place = Workplace::new();
    for folder in [
        "build",
        "experiments",
        "my experiments",
        "scripts",
        "src/solver",
        "target/release/.fingerprint",
        "target/release/build",
        "target/release/deps",
    ] {
        fs::create_dir_all(place.path().join(folder)).expect("a fresh folder");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["scripts/diff-against", "build/parts.rs"] {
        fs::copy(root.join(file), place.path().join(file)).expect("it can be copied");
    }
    for (file, text) in [
        ("Cargo.toml", ""),
        ("Cargo.lock", ""),
        ("src/solver/rng.rs", "//! Words.\nfn f() {}\n"),
        ("src/solver/registry.rs", "fn f() {}\n"),
        ("experiments/a.toml", SPEC),
        // Its path has a blank.
        ("my experiments/new.toml", SPEC),
    ] {
        place.write(file, text);
    }
    git(&place, &["init", "--quiet"]);
    git(
        &place,
        &[
            "add",
            "build",
            "experiments",
            "my experiments",
            "src",
            "Cargo.toml",
            "Cargo.lock",
        ],
    );
    git(&place, &["commit", "--quiet", "--message", "all"]);
    script(&place.path().join("cargo.sh"), CARGO);
    script(&place.path().join("earlier.sh"), EARLIER);
    place
}

fn against(place: &Workplace, arguments: impl Words) -> Output {
    let mut command = Command::new("scripts/diff-against");
    let command = command
        .current_dir(place.path())
        .arg("--quick")
        .args(arguments.words());
    let command = command.env("REINES", env!("CARGO_BIN_EXE_reines"));
    command
        .env("CARGO", "./cargo.sh")
        .output()
        .expect("a shell is there")
}

fn builds(place: &Workplace) -> usize {
    fs::read_to_string(place.path().join("notes")).map_or(0, |notes| notes.lines().count())
}

#[test]
fn nothing_is_built_where_no_source_that_counts_has_changed() {
    let place = repository();
    place.write(
        "src/solver/rng.rs",
        "//! Other words.\n\n// More.\nfn f() {}\n",
    );
    place.write("src/solver/registry.rs", "fn g() {}\n");
    let output = against(&place, ["HEAD", "experiments/a.toml"]);
    let told = stdout(&output);
    assert!(
        told.starts_with("nothing different: no source"),
        "{}",
        stderr(&output)
    );
    assert!(output.status.success() && !place.path().join("target/against").exists());
}

#[test]
fn a_revision_is_built_once_and_runs_the_same_specs() {
    let place = repository();
    let commit = git(&place, &["rev-parse", "HEAD"]);
    place.write("src/solver/rng.rs", "fn g() {}\n");
    let home = place.path().join("target/against").join(commit);
    // As after a kill in the middle of each copy, and one of cargo.
    for part in [
        "source.part",
        "target.part",
        "reines--quick.part",
        "results--quick.part",
    ] {
        fs::create_dir_all(home.join(part).join("half")).expect("a fresh folder");
    }
    script(&place.path().join("cargo.sh"), "exit 101\n");
    assert_eq!(
        against(&place, ["HEAD", "experiments/a.toml"])
            .status
            .code(),
        Some(101)
    );
    script(&place.path().join("cargo.sh"), CARGO);
    for _ in 0..2 {
        let output = against(&place, ["HEAD", "experiments/a.toml"]);
        let told = stdout(&output);
        assert!(output.status.success(), "{}", stderr(&output));
        has(&told, "a: identical, 1 point with 5 trials");
    }
    let output = against(&place, ["--json", "HEAD", "experiments/a.toml"]);
    assert!(stdout(&output).starts_with('{'), "{}", stderr(&output));
    assert_eq!(builds(&place), 1);
    let output = against(
        &place,
        ["HEAD", "experiments/a.toml", "my experiments/new.toml"],
    );
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(
        told.ends_with("not comparable: HEAD cannot run my experiments/new.toml\n"),
        "{told}"
    );
    assert!(
        !place.path().join("results").exists() && !place.path().join(".git/worktrees").exists()
    );
    // The same code version, whatever else has changed.
    script(&home.join("reines--quick"), "exec \"$REINES\" \"$@\"\n");
    let output = against(&place, ["HEAD", "experiments/a.toml"]);
    let told = stdout(&output);
    assert!(
        told.ends_with("of every plan; nothing was run\n"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn bad_input_is_one_sentence() {
    let place = repository();
    place.write("src/solver/rng.rs", "fn g() {}\n");
    for (arguments, words) in [
        (
            "no-such experiments/a.toml",
            "git finds no revision 'no-such'\n",
        ),
        ("HEAD", "expected [--quick]"),
        ("HEAD experiments/b.toml", "experiments/b.toml"),
    ] {
        let output = against(&place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        has(&stderr(&output), words);
    }
}
