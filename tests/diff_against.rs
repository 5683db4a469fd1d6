//! What `scripts/diff-against` relies on; and, ignored since it builds the solver again, the script
//! with a real earlier program (`make test-diff`). In a small repository it is in
//! `transcripts/diff-against.txt`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::code_version::tables::TABLES;
use crate::package::cargo;
use crate::program::{Workplace, has, root, stderr, stdout, text_of, words};

/// A slip in what ε means: file, text, and the text in its place.
const PLANTED: (&str, &str, &str) = (
    "src/solver/local.rs",
    "        point\n            .real(axis.name)",
    "        0.5 * point\n            .real(axis.name)",
);

fn git(folder: &Path, arguments: impl AsRef<str>) -> String {
    let mut command = Command::new("git");
    let named = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let command = command.current_dir(folder).args(named);
    let output = command.args(words(&arguments)).output();
    let output = output.expect("git is there");
    let arguments = arguments.as_ref();
    assert!(output.status.success(), "{arguments}: {}", stderr(&output));
    stdout(&output).trim().to_owned()
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
    let options = ["metadata", "--no-deps", "--offline", "--format-version=1"];
    let printed = cargo(&folder, &options);
    fs::remove_dir_all(&folder).expect("our own folder");
    let found: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(found["workspace_root"], folder.to_string_lossy().as_ref());
}

/// A clone whose last commit plants a change in the pair rule, held against this program.
#[test]
#[ignore = "builds the program again: make test-diff"]
fn a_changed_rule_is_found_in_a_real_program() {
    let place = Workplace::new();
    let sources = root().display();
    git(
        place.path(),
        format!("clone --quiet --shared '{sources}' clone"),
    );
    let clone = place.path().join("a user's");
    fs::rename(place.path().join("clone"), &clone).expect("it was just made");
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
        let command = command.current_dir(&clone).args(words(arguments));
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
