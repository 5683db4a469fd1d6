//! `reines diff --against REV` with scripts in place of cargo and of the earlier program: what is
//! checked out, built, run and refused. A real build takes minutes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{Workplace, stderr, stdout, write_manifest};

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
    let names = ["experiments", "results", "src", "Cargo.toml", "Cargo.lock"];
    let is_there = |name: &&str| place.path().join(name).exists();
    let names: Vec<&str> = names.into_iter().filter(is_there).collect();
    git(place, &[&["add"], names.as_slice()].concat());
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
    script(
        &place.path().join("earlier.sh"),
        &format!("{refuse}exec \"{reines}\" \"$@\"\n"),
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

/// Gives the repository the sources of this program.
fn copy_sources(place: &Workplace) {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("the temporary folder can be written");
        for entry in fs::read_dir(from).expect("the sources are here") {
            let path = entry.expect("readable").path();
            let target = to.join(path.file_name().expect("an entry has a name"));
            if path.is_dir() {
                copy(&path, &target);
            } else {
                fs::copy(&path, &target).expect("it can be copied");
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("src"), &place.path().join("src"));
    for name in ["Cargo.toml", "Cargo.lock"] {
        fs::copy(root.join(name), place.path().join(name)).expect("it can be copied");
    }
}

/// Commits a change of a file, and takes it back in the working tree.
fn commit_changed(place: &Workplace, file: &str, change: &dyn Fn(&str) -> String) {
    let text = fs::read_to_string(place.path().join(file)).expect("it is there");
    place.write(file, &change(&text));
    commit(place);
    place.write(file, &text);
}

/// The sources decide before anything is built: whether a plan depends on what was changed.
#[test]
fn nothing_is_built_where_the_code_versions_agree() {
    const RULE: &str = "src/solver/local/rules/pair.rs";
    let (place, _) = repository();
    copy_sources(&place);
    let cell = SPEC.replace("\"pair\"", "\"cell\"") + "eta = 0.1\n";
    place.write("experiments/b.toml", &cell);
    let same = |plans: &str| {
        format!(
            "nothing different: both sides have the same code version of {plans}, so the rows are the same; nothing was built or run\n"
        )
    };
    commit_changed(&place, RULE, &|text| {
        text.to_owned() + "// Unlike before.\n"
    });
    let output = against(&place, &["HEAD", "a", "b"]);
    assert_eq!(stdout(&output), same("2 plans"), "{}", stderr(&output));
    assert!(output.status.success());
    commit_changed(&place, RULE, &|text| {
        text.to_owned() + "const MORE: u8 = 0;\n"
    });
    let output = against(&place, &["HEAD", "b"]);
    assert_eq!(stdout(&output), same("1 plan"), "{}", stderr(&output));
    let is_built = || place.path().join("notes").exists();
    assert!(!is_built() && !place.path().join("results").exists());
    let output = against(&place, &["HEAD", "a", "b"]);
    let said = stderr(&output);
    assert!(output.status.success() && is_built(), "{said}");
    let left = "experiments/b.toml: not run, both sides have the same code version";
    assert!(said.contains(left), "{said}");
    assert!(place.runs_begun("results", "a") && !place.runs_begun("results", "b"));
}

/// A run that the revision's own code has made is taken as it stands in its reference results.
#[test]
fn a_reference_run_of_the_revision_is_not_run_again() {
    const RULE: &str = "src/solver/local/rules/pair.rs";
    let (place, _) = repository();
    copy_sources(&place);
    place.succeed(&[
        "run",
        "experiments/a.toml",
        "-q",
        "--results",
        "results/reference",
    ]);
    let manifest = place.runs("results/reference", "a")[0].join("manifest.toml");
    let sound = fs::read_to_string(&manifest).expect("complete");
    // As if the changed rule had made it.
    let rule = place.path().join(RULE);
    let text = fs::read_to_string(&rule).expect("it is there");
    let hash = || crate::code_version::hash_of(place.path(), "pair");
    let own = hash();
    place.write(RULE, &(text.clone() + "const MORE: u8 = 0;\n"));
    write_manifest(&manifest, &sound.replace(&own, &hash()));
    commit(&place);
    place.write(RULE, &text);
    fs::remove_dir_all(place.path().join("results")).expect("it is there");
    let output = against(&place, &["HEAD", "a"]);
    let said = stderr(&output);
    assert!(
        said.contains("a.toml: A is the reference run of HEAD"),
        "{said}"
    );
    assert!(
        !place.path().join("notes").exists(),
        "nothing is built: {said}"
    );
    let told = stdout(&output);
    assert!(told.contains("points: 1 identical (5 trials)"), "{told}");
    // Of another plan, or made by other code, it is no run of the revision.
    place.write(
        "experiments/a.toml",
        &SPEC.replace("trials = 20", "trials = 21"),
    );
    let said = stderr(&against(&place, &["HEAD", "a"]));
    assert!(place.path().join("notes").exists(), "{said}");
    fs::remove_file(place.path().join("notes")).expect("it is there");
    place.write("experiments/a.toml", SPEC);
    place.write(RULE, &(text.clone() + "const LESS: u8 = 0;\n"));
    commit(&place);
    place.write(RULE, &text);
    let said = stderr(&against(&place, &["HEAD", "a"]));
    assert!(place.path().join("notes").exists(), "{said}");
}

/// Another version of the package is another code version of every plan.
#[test]
fn another_package_version_is_other_code() {
    let (place, _) = repository();
    copy_sources(&place);
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let other = |text: &str| text.replacen(&version, "version = \"9.9.9\"", 1);
    commit_changed(&place, "Cargo.toml", &other);
    let output = against(&place, &["HEAD", "a"]);
    assert!(place.path().join("notes").exists(), "{}", stderr(&output));
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
