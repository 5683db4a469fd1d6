//! `scripts/diff-against` in a small repository, with scripts in place of cargo and of the earlier
//! program; and, ignored since it builds the solver again, with a real one (`make test-diff`).

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::code_version::tables::TABLES;
use crate::program::{Words, Workplace, has, lacks, root, stderr, stdout, text_of};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = 0.1\ntrials = 20\ncutoff = 1e6\n";

/// Notes each call, and puts the earlier program where cargo would.
const CARGO: &str = "echo \"$*\" >> notes\nwhile [ \"$1\" != --target-dir ]; do shift; done\n\
                     mkdir -p \"$2/release\" && cp earlier.sh \"$2/release/reines\"\n";

/// An earlier program, which cannot read a second ε, and no file `new.toml`.
const EARLIER: &str = "for last; do :; done\n\
     case $last in *.toml) ! grep -q 0.2 \"$last\" || { echo 'bad ε' >&2; exit 2; };; esac\n\
     case $last in *new.toml) echo 'unknown key' >&2; exit 2;; esac\n\
     exec \"$REINES\" \"$@\"\n";

/// A slip in what ε means: file, text, and the text in its place.
const PLANTED: (&str, &str, &str) = (
    "src/solver/local.rs",
    "        point\n            .real(axis.name)",
    "        0.5 * point\n            .real(axis.name)",
);

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\nset -e\n{text}")).expect("a folder of our own");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own file");
}

fn git(folder: &Path, arguments: impl Words) -> String {
    let mut command = Command::new("git");
    let named = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    command
        .current_dir(folder)
        .args(named)
        .args(arguments.words());
    let output = command.output().expect("git is there");
    let words = arguments.words();
    assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    stdout(&output).trim().to_owned()
}

/// A repository with two specs and a file that counts, all of it committed.
fn repository() -> Workplace {
    let place = Workplace::new();
    for folder in ["experiments", "my experiments", "scripts", "src/solver"] {
        fs::create_dir_all(place.path().join(folder)).expect("a fresh folder");
    }
    let name = "scripts/diff-against";
    fs::copy(root().join(name), place.path().join(name)).expect("it can be copied");
    for (file, text) in [
        ("Cargo.toml", ""),
        ("Cargo.lock", ""),
        ("src/solver/rng.rs", "//! Words.\nfn f() {}\n"),
        ("experiments/a.toml", SPEC),
        // Its path has a blank.
        ("my experiments/new.toml", SPEC),
    ] {
        place.write(file, text);
    }
    git(place.path(), "init --quiet");
    git(place.path(), "add .");
    git(place.path(), "commit --quiet --message all");
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
    let words = "//! Other words.\n\n// More.\nfn f() {}\n";
    place.write("src/solver/rng.rs", words);
    place.write("README.md", "Words.\n");
    let output = against(&place, "HEAD");
    let told = stdout(&output);
    let expected = "nothing different: no source";
    assert!(told.starts_with(expected), "{}", stderr(&output));
    assert!(output.status.success() && !place.path().join("target/against").exists());
}

#[test]
fn a_revision_is_built_once_and_runs_its_own_specs() {
    let place = repository();
    let commit = git(place.path(), "rev-parse HEAD");
    place.write("src/solver/rng.rs", "fn g() {}\n");
    // What the earlier program would refuse.
    let more = SPEC.replace("0.1", "[0.1, 0.2]");
    place.write("experiments/a.toml", &more);
    let home = place.path().join("target/against").join(commit);
    // As after a kill in the middle of each copy, and one of cargo.
    for part in ["source.part", "A--quick"] {
        fs::create_dir_all(home.join(part)).expect("a fresh folder");
    }
    place.write("half", "");
    fs::rename(place.path().join("half"), home.join("reines.part")).expect("one file system");
    script(&place.path().join("cargo.sh"), "exit 101\n");
    let output = against(&place, "HEAD");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    has(&stderr(&output), "HEAD cannot be built\n");
    script(&place.path().join("cargo.sh"), CARGO);
    for _ in 0..2 {
        let output = against(&place, "HEAD");
        let expected = "points: 1 identical (5 trials), 0 with different rows, 1 only in B\n";
        println!("{}", stderr(&output));
        has(&stdout(&output), expected);
        lacks(&stderr(&output), "not comparable");
    }
    let output = against(&place, "--json HEAD experiments/a.toml");
    assert!(stdout(&output).starts_with('{'), "{}", stderr(&output));
    assert_eq!(builds(&place), 1);
    let left = |name: &str| place.path().join(name).exists();
    assert!(!left("results") && !left(".git/worktrees"));
}

/// It would be the worst fault to call what was not compared the same.
#[test]
fn an_experiment_that_is_not_compared_counts() {
    let place = repository();
    place.write("src/solver/rng.rs", "fn g() {}\n");
    let output = against(
        &place,
        ["HEAD", "experiments/a.toml", "my experiments/new.toml"],
    );
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    has(
        &stderr(&output),
        "not comparable: A cannot run my experiments/new.toml (exit code 2)\n",
    );
    has(&stdout(&output), "only in B: new\n");
    let output = against(&place, ["HEAD", "my experiments/new.toml"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    // An experiment that has come since, and one that went.
    fs::rename(
        place.path().join("experiments/a.toml"),
        place.path().join("experiments/b.toml"),
    )
    .expect("one file system");
    place.write("experiments/c.toml", SPEC);
    let output = against(&place, "HEAD");
    assert_ne!(output.status.code(), Some(0), "{}", stderr(&output));
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
        ("", "expected [--quick]"),
        ("HEAD experiments/b.toml", "experiments/b.toml"),
    ] {
        let output = against(&place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        has(&stderr(&output), words);
    }
    assert_eq!(builds(&place), 0);
}

/// Every file that the build hashes lies under a name that the script gives to git.
#[test]
fn the_script_names_what_counts() {
    let script = text_of(root().join("scripts/diff-against"));
    let line = script
        .lines()
        .find_map(|line| line.strip_prefix("counts='"));
    let names: Vec<&str> = line
        .expect("its names")
        .trim_end_matches('\'')
        .split(' ')
        .collect();
    for file in TABLES.iter().chain(&["src/solver/lib.rs", "Cargo.lock"]) {
        let is_in = |name: &&str| file == name || file.starts_with(&format!("{name}/"));
        assert!(names.iter().any(is_in), "{file} is under none of {names:?}");
    }
    for name in names {
        assert!(root().join(name).exists(), "{name} is not there");
    }
}

/// Cargo refuses a package inside of a workspace that does not name it; revisions before the solver
/// became a package were such ones.
#[test]
fn cargo_takes_a_package_without_a_workspace_for_one_of_its_own() {
    let folder = root().join(format!("target/against/test-{}", std::process::id()));
    fs::create_dir_all(folder.join("src")).expect("the target folder can be written");
    let manifest = "[package]\nname = \"reines\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(folder.join("Cargo.toml"), manifest).expect("writable");
    fs::write(folder.join("src/main.rs"), "fn main() {}\n").expect("writable");
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    let cargo = cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let output = cargo.current_dir(&folder).output().expect("cargo is there");
    fs::remove_dir_all(&folder).expect("our own folder");
    assert!(output.status.success(), "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["workspace_root"], folder.to_string_lossy().as_ref());
}

/// A clone whose last commit plants a change in the pair rule, held against this program.
#[test]
#[ignore = "builds the program again: make test-diff"]
fn a_changed_rule_is_found_in_a_real_program() {
    let place = Workplace::new();
    let root_path = root().to_string_lossy();
    git(
        place.path(),
        ["clone", "--quiet", "--shared", &root_path, "clone"],
    );
    let clone = place.path().join("clone");
    // What is not committed yet is tested, too.
    let changed = git(root(), "diff --name-only --diff-filter=d HEAD");
    for file in changed.lines() {
        fs::copy(root().join(file), clone.join(file)).expect("it can be copied");
    }
    let gone = git(root(), "diff --name-only --diff-filter=D HEAD");
    for file in gone.lines() {
        fs::remove_file(clone.join(file)).expect("it is there");
    }
    git(&clone, "add --all");
    git(&clone, "commit --quiet --allow-empty --message present");
    let (file, old, new) = PLANTED;
    let text = text_of(clone.join(file));
    assert!(text.contains(old), "{file} has no {old:?}");
    fs::write(clone.join(file), text.replace(old, new)).expect("writable");
    git(&clone, "commit --quiet --all --message planted");
    git(&clone, "checkout --quiet HEAD~1 -- .");
    symlink(root().join("target"), clone.join("target")).expect("a link");
    let commit = git(&clone, "rev-parse HEAD");
    let against = |arguments: &str| {
        let mut command = Command::new("scripts/diff-against");
        let command = command.current_dir(&clone).args(arguments.words());
        let command = command.env("REINES", env!("CARGO_BIN_EXE_reines"));
        let output = command.output().expect("a shell is there");
        println!("{arguments}:\n{}{}", stderr(&output), stdout(&output));
        output
    };
    let output = against("--quick HEAD~1");
    has(&stdout(&output), "nothing was built or run\n");
    let specs = "experiments/epsilon.toml experiments/four-methods.toml";
    let output = against(&format!("--quick HEAD {specs}"));
    let _ = fs::remove_dir_all(root().join("target/against").join(commit));
    assert_eq!(output.status.code(), Some(1));
    // The searches do not use what was changed.
    has(&stdout(&output), "four-methods: identical, ");
    has(&stdout(&output), "\ndifferent: ");
}
