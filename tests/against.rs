//! `reines diff --against REV` with scripts in place of cargo and of the earlier program: what is
//! checked out, built, run and refused. A real build takes minutes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{Workplace, stderr, stdout};

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = 0.1\ntrials = 20\ncutoff = 1e6\n";

/// Notes which commit it builds, and puts the earlier program where cargo would.
const CARGO: &str = "git rev-parse HEAD >> \"$NOTES\"\nwhile [ \"$1\" != --target-dir ]; do shift; done\n\
                     mkdir -p \"$2/release\" && cp \"$EARLIER\" \"$2/release/reines\"\n";

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\nset -e\n{text}"))
        .expect("the temporary folder can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our own file");
}

fn git(place: &Workplace, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(place.path())
        .args(arguments)
        .output()
        .expect("git is there");
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        stderr(&output)
    );
    stdout(&output).trim().to_owned()
}

fn commit(place: &Workplace) -> String {
    git(place, &["add", "experiments"]);
    git(
        place,
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "commit",
            "--quiet",
            "--message",
            "a spec",
        ],
    );
    git(place, &["rev-parse", "HEAD"])
}

/// A repository of two commits and two specs, of which the earlier program knows the keys of one
/// only.
fn repository() -> (Workplace, [String; 2]) {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    git(&place, &["init", "--quiet"]);
    place.write("experiments/a.toml", SPEC);
    let first = commit(&place);
    place.write("experiments/new.toml", SPEC);
    let second = commit(&place);
    script(&place.path().join("cargo.sh"), CARGO);
    let refuse =
        "case \"$*\" in *new.toml*) echo 'error: new.toml:3: unknown key' >&2; exit 2;; esac\n";
    let reines = env!("CARGO_BIN_EXE_reines");
    let other_code = format!(
        "case \"$1$SAME\" in check) \"{reines}\" \"$@\" | sed 's/\"code_version\": \".*\"/\"code_version\": \"0.1.0-other\"/'; exit;; esac\n"
    );
    script(
        &place.path().join("earlier.sh"),
        &format!("{refuse}{other_code}exec \"{reines}\" \"$@\"\n"),
    );
    (place, [first, second])
}

fn against(place: &Workplace, arguments: &[&str]) -> Output {
    let mut command = place.command(&["diff", "--quick", "--against"]);
    let file = |name: &str| place.path().join(name);
    command
        .args(arguments)
        .env("CARGO", file("cargo.sh"))
        .env("EARLIER", file("earlier.sh"))
        .env("NOTES", file("notes"));
    command.output().expect("the program starts")
}

#[test]
fn a_revision_is_built_in_one_kept_place_and_runs_the_same_specs() {
    let (place, [first, second]) = repository();
    let output = against(&place, &["HEAD~1", "experiments/a.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("points: 1 identical (5 trials)"),
        "{}",
        stdout(&output)
    );
    assert!(
        stderr(&output).contains("A: HEAD~1, reines"),
        "{}",
        stderr(&output)
    );
    let output = against(&place, &["HEAD", "a"]);
    assert!(
        stdout(&output)
            .ends_with("nothing different: 1 points with identical rows (Holm, α = 0.05)\n"),
        "{}",
        stdout(&output)
    );
    assert_eq!(
        fs::read_to_string(place.path().join("notes")).expect("cargo was called"),
        format!("{first}\n{second}\n")
    );
    let kept = [
        "worktree/experiments/new.toml",
        "target/release/reines",
        &format!("results/{first}/a"),
    ];
    assert!(
        kept.iter()
            .all(|name| place.path().join("target/against").join(name).exists())
    );
}

#[test]
fn what_the_revision_cannot_run_is_not_comparable() {
    let (place, _) = repository();
    let output = against(&place, &["HEAD"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(
        told.contains(
            "not comparable: HEAD cannot run experiments/new.toml: error: new.toml:3: unknown key\n"
        ),
        "{told}"
    );
    assert!(
        told.contains("points: 1 identical (5 trials)"),
        "the others are compared all the same: {told}"
    );
    assert!(told.ends_with("not comparable: 0 of 1 points and 1 whole spec; nothing else is different (Holm, α = 0.05)\n"), "{told}");
    let json: serde_json::Value =
        serde_json::from_slice(&against(&place, &["HEAD", "--json"]).stdout).expect("JSON");
    assert_eq!(
        (&json["verdict"], json["refused"].as_array().map(Vec::len)),
        (&"not comparable".into(), Some(1))
    );
}

#[test]
fn an_unknown_revision_or_spec_is_bad_input() {
    let (place, _) = repository();
    for (arguments, words) in [
        (
            &["no-such-revision"][..],
            "git finds no revision \"no-such-revision\"",
        ),
        (&["HEAD", "b"], "there is no such spec"),
    ] {
        let output = against(&place, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

/// What the other side says of its progress is seen while it runs, and whose it is.
#[test]
fn progress_of_both_sides_is_passed_on() {
    let (place, _) = repository();
    let said = stderr(&against(&place, &["HEAD", "a"]));
    assert!(
        said.contains("A: a: 5 trials in ") && said.contains("B: a: 5 trials in "),
        "{said}"
    );
}

#[test]
fn nothing_runs_where_the_code_versions_agree() {
    let (place, _) = repository();
    let mut command = place.command(&["diff", "--against", "HEAD", "a"]);
    let file = |name: &str| place.path().join(name);
    command
        .env("CARGO", file("cargo.sh"))
        .env("EARLIER", file("earlier.sh"))
        .env("NOTES", file("notes"))
        .env("SAME", "code");
    let output = command.output().expect("the program starts");
    assert_eq!(
        stdout(&output),
        "nothing different: both sides have the same code version of 1 plan, so the rows are the same; nothing was run\n",
        "{}",
        stderr(&output)
    );
    assert!(output.status.success() && !place.runs_begun("results", "a"));
}

/// Two at once would mix their programs and results.
#[test]
fn one_comparison_at_a_time() {
    let (place, _) = repository();
    let home = place.path().join("target/against");
    fs::create_dir_all(&home).expect("a fresh folder");
    let lock = fs::File::create(home.join("lock")).expect("a fresh file");
    lock.try_lock().expect("nobody has it");
    let output = against(&place, &["HEAD", "a"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("another `reines diff --against` is under way"));
    drop(lock);
    assert!(against(&place, &["HEAD", "a"]).status.success());
}

/// git was killed while it checked out: its lock is still there.
#[test]
fn a_checkout_that_was_killed_is_made_anew() {
    let (place, [first, _]) = repository();
    let kept = place.path().join("target/against/worktree");
    for harm in ["index.lock", "HEAD", "worktree"] {
        let output = against(&place, &["HEAD~1", "experiments/a.toml"]);
        assert!(output.status.success(), "{harm}: {}", stderr(&output));
        assert_eq!(
            git(
                &place,
                &["-C", "target/against/worktree", "rev-parse", "HEAD"]
            ),
            first
        );
        let of_git = place.path().join(".git/worktrees/worktree");
        match harm {
            "worktree" => fs::remove_file(kept.join(".git")).expect("it is there"),
            name => fs::write(of_git.join(name), "").expect("the worktree's own folder"),
        }
    }
    let output = against(&place, &["HEAD~1", "experiments/a.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
}
