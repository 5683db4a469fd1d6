//! `diff --rev`: what of the sources counts, and that what is built is what is named; and, since it
//! builds the solver again ignored, with a real earlier program (`make test-diff`). What is said is
//! in `transcripts/diff-against.txt`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::code_version::tables::TABLES;
use crate::package::cargo;
use crate::program::{
    Workplace, bytes_of, copy_folder, files_of, has, name_of, root, stderr, stdout, text_of, words,
};
use crate::readme::blocks;

#[path = "../src/cli/sources.rs"]
#[allow(dead_code)]
mod sources;

/// A change of each rule's `update`: the rule, its file in `src/solver/local/sites`, text, and the
/// text in its place. Where both queens of a pair would move one does; the cell rule flips its coin
/// twice.
const PLANTED: [(&str, &str, &str, &str); 2] = [
    ("pair", "pairs.rs", "[true, false] =>", "[true, _] =>"),
    (
        "cell",
        "cells.rs",
        "if !is_certain && !random.flip(self.epsilon) {",
        "if !is_certain && !(random.flip(self.epsilon) && random.flip(self.epsilon)) {",
    ),
];

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

/// Every file that the build hashes can reach a row, and so can what makes all results old, how the
/// program is compiled, and what the command line changes of a plan; what draws and what is written
/// cannot.
#[test]
fn the_sources_that_can_reach_a_row_are_known() {
    let files = sources::read(root()).expect("our own sources");
    for name in TABLES {
        assert!(sources::reaches_rows(name), "{name}");
    }
    // The command line that makes a run of a plan, and what it calls to change one.
    let makes_runs = |name: &str, text: &str| {
        name.starts_with("src/cli/")
            && (text.contains("runner::run(") || text.contains("Setting {"))
    };
    for (name, bytes) in &files {
        if makes_runs(name, &String::from_utf8_lossy(bytes)) {
            assert!(sources::reaches_rows(name), "{name}");
        }
    }
    let with = |name: &str, old: &str, new: &str| {
        let mut files = files.clone();
        let bytes = files
            .get_mut(name)
            .unwrap_or_else(|| panic!("{name} is not there"));
        let text = String::from_utf8(bytes.clone()).expect("a text");
        assert!(text.contains(old), "{name}: {old}");
        *bytes = text.replacen(old, new, 1).into_bytes();
        files
    };
    for (name, old, new, counts) in [
        ("build/tables.rs", "ROWS: u32 = ", "ROWS: u32 = 1 + ", true),
        (
            "Cargo.toml",
            "overflow-checks = true",
            "overflow-checks = false",
            true,
        ),
        ("Cargo.toml", "opt-level = 3", "opt-level = 2", true),
        ("Cargo.lock", "version = ", "version = 1", true),
        ("src/cli/spec_options.rs", "self.quick", "!self.quick", true),
        ("src/experiment/runner.rs", "fn run", "fn  run", true),
        ("src/solver/local.rs", "fn ", "fn  ", true),
        ("src/solver/local.rs", "//! ", "//! More.\n\n//! ", false),
        ("Cargo.toml", "# Of dependencies", "# Of other ones", false),
        ("src/solver/README.md", " ", "  ", false),
        ("src/cli/diff.rs", "fn ", "fn  ", false),
        ("src/report.rs", "mod ", "mod  ", false),
    ] {
        let changed = with(name, old, new);
        let differs = sources::row_sources(&changed) != sources::row_sources(&files);
        assert_eq!(differs, counts, "{name}: {new}");
        assert_ne!(
            sources::stamp(&changed),
            sources::stamp(&files),
            "{name}: {new}"
        );
    }
}

/// What `make test` tests was built of these sources; and of sources with one byte more it was not.
#[test]
fn the_program_names_the_sources_of_which_it_was_built() {
    let place = Workplace::new();
    place.succeed(format!("built-from '{}'", root().display()));
    for name in sources::SOURCES {
        let (from, to) = (root().join(name), place.path().join(name));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            fs::copy(from, to).expect("it can be copied");
        }
    }
    // To which the solver's package has links.
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(name), place.path().join(name)).expect("it can be copied");
    }
    place.succeed("built-from .");
    for file in ["src/report.rs", "src/solver/lib.rs", "Cargo.lock"] {
        let text = place.text(file);
        place.write(file, &format!("{text}\n"));
        let told = place.ends(3, "built-from .");
        has(&told, " was not built of the sources in ");
        let folder = place.path().canonicalize().expect("it is there");
        has(&told, &folder.to_string_lossy());
        place.write(file, &text);
    }
    place.succeed("built-from .");
}

/// A package that is built in a second. Its program notes its word, and is the present one then.
const TINY: &str = "fn main() {
    use std::os::unix::process::CommandExt;
    let notes = std::env::var(\"NOTES\").unwrap();
    let word = concat!(\"WORD\", \"\\n\");
    let file = std::fs::File::options().append(true).create(true).open(notes);
    std::io::Write::write_all(&mut file.unwrap(), word.as_bytes()).unwrap();
    let present = std::env::var(\"PRESENT\").unwrap();
    panic!(\"{}\", std::process::Command::new(present).args(std::env::args().skip(1)).exec());
}
";

const MANIFEST: &str = "[package]\nname = \"reines\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                        autobins = false\n[[bin]]\nname = \"reines\"\npath = \"src/main.rs\"\n";

const SPEC: &str =
    "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 5\nepsilon = 0.1\ntrials = 3\ncutoff = 1e6\n";

/// Revisions whose files have the time of their commit, before the first build: each runs its own
/// program, also where its build was interrupted by a build of another one.
#[test]
fn what_is_built_is_the_revision_that_is_named() {
    let place = Workplace::new();
    for folder in ["src", "experiments", "scripts"] {
        fs::create_dir(place.path().join(folder)).expect("a fresh folder");
    }
    place.write("Cargo.toml", MANIFEST);
    place.write("experiments/a.toml", SPEC);
    git(place.path(), "init --quiet");
    for word in ["one", "two", "three"] {
        place.write("src/main.rs", &TINY.replace("WORD", word));
        cargo(place.path(), &["generate-lockfile", "--offline"]);
        git(place.path(), "add .");
        git(place.path(), format!("commit --quiet --message {word}"));
        git(place.path(), format!("tag {word}"));
    }
    place.write("stopped.sh", "#!/bin/sh\nexit 1\n");
    let stopped = place.path().join("stopped.sh");
    fs::set_permissions(&stopped, fs::Permissions::from_mode(0o755)).expect("ours");
    let built_by = |cargo: &Path, rev: &str| {
        let mut command = place.command(format!("diff --rev {rev} a"));
        command
            .env("CARGO", cargo)
            .env("CARGO_TARGET_DIR", "target");
        command.env("NOTES", place.path().join("notes"));
        command.env("PRESENT", env!("CARGO_BIN_EXE_reines"));
        let output = command.output().expect("the program starts");
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let cargo = Path::new(&cargo);
    let (code, told) = built_by(&stopped, "three");
    assert_eq!(code, Some(3), "{told}");
    has(&told, "error: not comparable: three cannot be built");
    let mut command = place.command("diff --rev three --json a");
    let output = command.env("CARGO", &stopped).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("one object");
    assert_eq!(found["verdict"], "not comparable");
    has(&found.to_string(), "three cannot be built");
    for rev in ["one", "two", "three", "one", "two"] {
        let (code, told) = built_by(cargo, rev);
        assert_eq!(code, Some(0), "{told}");
        has(&told, "\nidentical: 1 point with identical rows\n");
    }
    // Each program has run once: later calls take its rows.
    assert_eq!(place.text("notes"), "one\ntwo\nthree\n");
    // A program that is cut short is built again, and its results are its own.
    let commit = git(place.path(), "rev-parse two");
    let home = place.path().join("target/against").join(commit);
    let programs = files_of(&home, "");
    let program = programs
        .iter()
        .find(|path| name_of(path).starts_with("program-"));
    let program = program.expect("it was built");
    let whole = bytes_of(program);
    fs::write(program, &whole[..whole.len() / 2]).expect("ours");
    let (code, told) = built_by(cargo, "two");
    assert_eq!(code, Some(0), "{told}");
    assert!(bytes_of(program) == whole);
}

/// A package whose program says a word, and whether it was built of the sources in a folder.
const STAMPED: &str = "fn main() {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() != Some(\"built-from\") {
        return println!(\"WORD\");
    }
    let folder = std::path::PathBuf::from(words.last().unwrap());
    let found = std::fs::read_to_string(folder.join(\"src/main.rs\")).unwrap();
    if found != include_str!(\"main.rs\") {
        eprintln!(\"not of {folder:?}\");
        std::process::exit(3);
    }
}
";

/// Two clones with one build folder, their files older than its first build: cargo takes the one
/// for the other, and `make` does not.
#[test]
fn two_clones_with_one_build_folder_have_programs_of_their_own() {
    let place = Workplace::new();
    let folder = place.path().display();
    for clone in ["one", "two"] {
        for file in ["src/solver", "build", "scripts"] {
            fs::create_dir_all(place.path().join(clone).join(file)).expect("a fresh folder");
        }
        let write = |file: &str, text: &str| {
            place.write(&format!("{clone}/{file}"), text);
        };
        write("Cargo.toml", MANIFEST);
        write("src/main.rs", &STAMPED.replace("WORD", clone));
        let others = [
            "src/lib.rs",
            "build/main.rs",
            "src/solver/lib.rs",
            "src/solver/build.rs",
        ];
        others.iter().for_each(|file| write(file, ""));
        let script = root().join("scripts/build");
        fs::copy(script, place.path().join(clone).join("scripts/build")).expect("it is there");
        cargo(
            &place.path().join(clone),
            &["generate-lockfile", "--offline"],
        );
    }
    let old = "find one two -type f -exec touch -d '2020-01-01' {} +";
    let build = |clone: &str, cargo: &str| {
        let line =
            format!("CARGO_TARGET_DIR='{folder}/shared' CARGO={cargo} {clone}/scripts/build");
        let mut shell = place.tool("/bin/sh");
        shell
            .args(["-c", &line])
            .output()
            .expect("there is a shell")
    };
    let run = |line: &str| {
        let mut shell = place.tool("/bin/sh");
        let output = shell.args(["-c", line]).output().expect("there is a shell");
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        stdout(&output)
    };
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut again = 0;
    for clone in ["one", "two", "one", "two"] {
        run(old);
        let output = build(clone, &cargo);
        assert!(output.status.success(), "{}", stderr(&output));
        again += usize::from(stderr(&output).contains("they are built once more"));
        assert_eq!(run("shared/release/reines"), format!("{clone}\n"));
    }
    // Else this test would hold nothing.
    assert!(again > 0, "cargo has told the clones apart");
    // A cargo that builds other sources whatever happens.
    let output = build("one", "true");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    has(&stderr(&output), "not of ");
}

/// The recipe of CONTRIBUTING.md finds the commit that has changed the rows, past one that does not
/// build.
#[test]
fn the_recipe_for_a_bisection_finds_the_commit() {
    let place = Workplace::new();
    let recipe = blocks("CONTRIBUTING.md").into_iter();
    let recipe = recipe
        .map(|(_, text)| text)
        .find(|text| text.contains("git bisect"));
    let recipe = recipe.expect("CONTRIBUTING.md has it");
    fs::create_dir_all(place.path().join("experiments")).expect("a fresh folder");
    fs::create_dir_all(place.path().join("bin")).expect("a fresh folder");
    let spec = SPEC.replace("trials = 3", "trials = 5");
    place.write("experiments/rules.toml", &spec);
    place.succeed("run -q --results results/reference experiments/rules.toml");
    // In place of cargo: what stands in the commit is the program.
    place.write(
        "bin/cargo",
        "#!/bin/sh -e\nmkdir -p target/release; cp program target/release/reines\n",
    );
    let present = env!("CARGO_BIN_EXE_reines");
    let program = |change: &str| {
        format!("#!/bin/sh -e\nfor last; do :; done\n{change}exec '{present}' \"$@\"\n")
    };
    let slip = "case $last in *.toml) sed -i '1s/1/2/' $last; trap 'git checkout -q experiments' 0;; esac\n";
    git(place.path(), "init --quiet");
    place.write(".gitignore", "target\n");
    let slip = program(slip).replace("exec ", "");
    let commits = [
        ("GOOD", program("")),
        ("words", program("# Words.\n")),
        ("broken", "exit".to_owned()),
        ("culprit", slip.clone()),
        ("later", format!("{slip}# More.\n")),
        ("last", format!("{slip}# And more.\n")),
    ];
    for (name, text) in commits {
        if text == "exit" {
            fs::remove_file(place.path().join("program")).expect("it is there");
        } else {
            place.write("program", &text);
            let file = place.path().join("program");
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("ours");
        }
        let bin = place.path().join("bin/cargo");
        fs::set_permissions(bin, fs::Permissions::from_mode(0o755)).expect("ours");
        git(place.path(), "add --all");
        git(place.path(), format!("commit --quiet --message {name}"));
        git(place.path(), format!("tag {name}"));
    }
    let temporary = place.path().join("temporary");
    fs::create_dir(&temporary).expect("a fresh folder");
    let recipe = recipe.replace("/tmp", &temporary.to_string_lossy());
    let mut shell = place.tool("/bin/sh");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", place.path().join("bin").display());
    let output = shell.args(["-c", &recipe]).env("PATH", path).output();
    let output = output.expect("there is a shell");
    let told = stdout(&output) + &stderr(&output);
    let first_bad = git(place.path(), "rev-parse refs/bisect/bad");
    let skipped = git(place.path(), "rev-parse broken");
    let culprits = [git(place.path(), "rev-parse culprit"), skipped];
    assert!(culprits.contains(&first_bad), "{told}");
    has(&told, "culprit");
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

/// A clone of the repository as it stands, with what is not committed yet.
fn present_clone(place: &Workplace) -> PathBuf {
    let sources = root().display();
    git(
        place.path(),
        format!("clone --quiet --shared '{sources}' clone"),
    );
    let clone = place.path().join("a user's");
    fs::rename(place.path().join("clone"), &clone).expect("it was just made");
    let changed = git(root(), "diff --name-only --diff-filter=d HEAD");
    let new = git(root(), "ls-files --others --exclude-standard");
    for file in changed.lines().chain(new.lines()) {
        fs::create_dir_all(clone.join(file).parent().expect("below")).expect("writable");
        fs::copy(root().join(file), clone.join(file)).expect("it can be copied");
    }
    let gone = git(root(), "diff --name-only --diff-filter=D HEAD");
    for file in gone.lines() {
        fs::remove_file(clone.join(file)).expect("it is there");
    }
    git(&clone, "add --all");
    git(&clone, "commit --quiet --allow-empty --message present");
    clone
}

/// `scripts/diff-against` in a clone, by the present program.
fn against(clone: &Path, arguments: &str) -> Output {
    let mut command = Command::new(root().join("scripts/diff-against"));
    let command = command.current_dir(clone).args(words(arguments));
    let command = command.env("REINES", env!("CARGO_BIN_EXE_reines"));
    let output = command.output().expect("a shell is there");
    println!("{arguments}:\n{}{}", stderr(&output), stdout(&output));
    output
}

/// Where no code that can reach a row differs, nothing is built, and what has the same plan is not
/// run, from any folder; a spec that was edited is run by both sides.
#[test]
fn the_same_code_runs_only_what_has_another_plan() {
    let place = Workplace::new();
    let clone = present_clone(&place);
    let words = text_of(clone.join("src/solver/rng.rs")) + "\n// More words.\n";
    fs::write(clone.join("src/solver/rng.rs"), words).expect("writable");
    fs::write(clone.join("README.md"), "Words.\n").expect("writable");
    git(&clone, "commit --quiet --all --message words");
    git(&clone, "mv experiments/rules.toml experiments/laws.toml");
    for folder in [clone.clone(), clone.join("docs"), clone.join("src/cli")] {
        let output = against(&folder, "HEAD~1 epsilon");
        assert_eq!(output.status.code(), Some(0));
        has(&stdout(&output), "nothing was built or run\n");
    }
    let output = against(&clone, "HEAD~1 --json");
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(found["experiments_only_in_a"], serde_json::json!(["rules"]));
    assert!(!clone.join("target").exists());

    let file = clone.join("experiments/epsilon.toml");
    let text = text_of(&file).replace("seed   = 2012", "seed   = 2013");
    fs::write(file, text).expect("writable");
    let output = against(&clone, "HEAD --quick epsilon size");
    let told = stdout(&output);
    has(
        &told,
        "epsilon: this spec differs from that of HEAD: seeds 2012 in A, 2013 in B; --present-specs runs the present spec on both sides\n",
    );
    has(
        &told,
        "1 experiment with the same code and plan: nothing was run\n",
    );
    let output = against(&clone, "HEAD --quick --present-specs epsilon size");
    has(&stdout(&output), "nothing was built or run\n");
}

/// Three commits of a clone, held against this program: one that changes no row, and one with each
/// planted change alone.
#[test]
#[ignore = "builds the program three times: make test-diff"]
fn a_changed_rule_is_found_in_a_real_program() {
    let place = Workplace::new();
    let clone = present_clone(&place);
    symlink(root().join("target"), clone.join("target")).expect("a link");
    let file = |name: &str| clone.join("src/solver/local/sites").join(name);
    let commit = |name: &str, text: &str, message: &str| {
        let present = text_of(file(name));
        fs::write(file(name), text).expect("writable");
        git(&clone, format!("commit --quiet --all --message {message}"));
        fs::write(file(name), present).expect("writable");
        git(&clone, "rev-parse HEAD")
    };
    let mut commits = Vec::new();
    for (rule, name, old, new) in PLANTED {
        let text = text_of(file(name));
        assert_eq!(text.matches(old).count(), 1, "{name}: {old:?}");
        commits.push(commit(name, &text.replace(old, new), rule));
        git(&clone, format!("commit --quiet --all --message no-{rule}"));
    }
    let tests = "#[cfg(test)]\nmod tests {";
    let text = text_of(file("pairs.rs"));
    assert_eq!(text.matches(tests).count(), 1);
    let text = text.replace(tests, &format!("const _: u8 = 0;\n\n{tests}"));
    let harmless = commit("pairs.rs", &text, "harmless");

    for ((rule, ..), commit) in PLANTED.into_iter().zip(&commits) {
        let output = against(&clone, &format!("{commit} --quick blocked four-methods"));
        assert_eq!(output.status.code(), Some(1), "{rule}");
        let told = stdout(&output);
        has(&told, "\ndifferent: ");
        has(&told, &format!("the rule of {rule} is another: "));
        for (other, ..) in PLANTED.into_iter().filter(|(other, ..)| *other != rule) {
            assert!(!told.contains(&format!("the rule of {other} is another")));
        }
        // The searches do not use what was changed.
        has(&told, "four-methods: identical, ");
    }
    let output = against(&clone, &format!("{harmless} --quick blocked four-methods"));
    assert_eq!(output.status.code(), Some(0));
    has(&stdout(&output), "\nidentical: ");
    commits.push(harmless);
    for commit in commits {
        let _ = fs::remove_dir_all(root().join("target/against").join(commit));
    }
}
