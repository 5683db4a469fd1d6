//! What makes a result old: the build's own hashing on changed copies of the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::mem::replace;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reines::solver::{ALGORITHMS, Algorithm};
use tempfile::TempDir;

use crate::program::{Words, Workplace, age, bytes_of, has, stderr, stdout, text_of};

#[path = "../build/parts.rs"]
pub mod parts;

#[path = "../build/sources.rs"]
pub mod sources;

#[path = "../build/tokens.rs"]
pub mod tokens;

use parts::{CHOICE, ENGINE, NOTHING, OUTSIDE, PARTS};
use sources::Parts;

/// All that the hashes are made of, in a folder of its own: links to the sources, and files in the
/// place of those that are changed.
struct Copy(TempDir);

impl Copy {
    fn new() -> Self {
        let copy = Self(tempfile::tempdir().expect("the system has a temporary folder"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for name in ["Cargo.toml", "Cargo.lock", "src"] {
            symlink(root.join(name), copy.path(name)).expect("the sources can be linked");
        }
        copy
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn write(&self, file: &str, text: &str) {
        let folder = Path::new(file).parent().expect("a folder");
        let folders: Vec<&Path> = folder.ancestors().collect();
        folders.into_iter().rev().for_each(|it| self.unlink(it));
        // Through a link the source itself would be changed.
        let _ = fs::remove_file(self.path(file));
        fs::write(self.path(file), text).expect("the copy can be written");
    }

    /// Makes a link to a folder a folder of links, and a folder that is not there.
    fn unlink(&self, folder: &Path) {
        let own = self.0.path().join(folder);
        let entries = fs::read_link(&own).map(fs::read_dir);
        let _ = fs::remove_file(&own);
        fs::create_dir_all(&own).expect("writable");
        for entry in entries.into_iter().flatten().flatten() {
            let source = entry.expect("readable").path();
            let name = source.file_name().expect("an entry has a name");
            symlink(&source, own.join(name)).expect("the sources can be linked");
        }
    }

    /// Replaces `old`, which is there, in all places.
    fn replace(&self, file: &str, old: &str, new: &str) {
        let text = self.read(file);
        assert!(text.contains(old), "{file} has no {old:?}");
        self.write(file, &text.replace(old, new));
    }

    fn parts(&self) -> Parts {
        sources::parts(self.0.path()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Adds to the end of a file, which need not be there.
    fn append(&self, file: &str, text: &str) {
        let before = fs::read_to_string(self.path(file)).unwrap_or_default();
        self.write(file, &format!("{before}\n{text}\n"));
    }
}

/// What the results of each algorithm depend on, by name: its parts and their hashes, from which
/// the code version is made.
fn versions(parts: &Parts) -> BTreeMap<&'static str, BTreeMap<&'static str, String>> {
    let hashes = |algorithm: &&'static dyn Algorithm| {
        let own = algorithm.part();
        let names = [own, ENGINE]
            .into_iter()
            .chain(parts[own].uses.iter().copied());
        let hashes = names.map(|name| (name, parts[name].hash()));
        (algorithm.name(), hashes.collect())
    };
    ALGORITHMS.iter().map(hashes).collect()
}

/// The code versions of the sources as they are.
static VERSIONS: LazyLock<BTreeMap<&str, BTreeMap<&str, String>>> =
    LazyLock::new(|| versions(&Copy::new().parts()));

/// The tokens of the sources as they are.
static FILES: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| sources::files(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("our own"));

/// The algorithms whose results a change of the sources makes old.
fn old_after(change: impl FnOnce(&Copy)) -> Vec<&'static str> {
    let copy = Copy::new();
    change(&copy);
    old_in(&copy.parts())
}

/// The algorithms whose results are old where the parts are these.
fn old_in(parts: &Parts) -> Vec<&'static str> {
    let after = versions(parts);
    let names = after.keys().copied();
    names.filter(|name| VERSIONS[name] != after[name]).collect()
}

/// The algorithms of these parts of their own.
fn of_parts(parts: &str) -> Vec<&'static str> {
    let words = parts.words();
    let is_of =
        |it: &&&'static dyn Algorithm| parts == "all" || words.iter().any(|word| word == it.part());
    let mut names: Vec<_> = ALGORITHMS
        .iter()
        .filter(is_of)
        .map(|it| it.name())
        .collect();
    names.sort_unstable();
    names
}

const NONE: [&str; 0] = [];
const PAIRS: &str = "src/solver/local/sites/pairs.rs";
const CELLS: &str = "src/solver/local/sites/cells.rs";
const STEPWISE: &str = "src/solver/local/stepwise.rs";
const PLAN: &str = "src/experiment/plan.rs";

#[test]
fn comments_tests_and_what_is_outside_make_no_result_old() {
    let old = old_after(|copy| {
        copy.replace(PAIRS, "/// A rule on", "/// A better word for it on");
        copy.replace(STEPWISE, "//! ", "//! Better: ");
        for file in [PAIRS, CELLS, STEPWISE, PLAN, "src/solver/rng.rs"] {
            copy.write(file, &copy.read(file).replace("{\n", "{\n\n\t "));
            let more = "// One more.\n/* And one. */\n\
                #[cfg(test)]\nmod more_tests {\n    #[test]\n    fn one() {}\n}\n\
                #[doc = \"Words.\"]\n#[cfg(test)]\npub(crate) fn two() {}\n\
                #[cfg(test)]\nuse std::{fmt, fs};\n";
            copy.append(file, more);
        }
        copy.append(STEPWISE, "#[cfg(test)]\nmod slow;");
        copy.write("src/solver/local/stepwise/slow.rs", "fn slow() {}\n");
        copy.replace("src/solver/local/properties.rs", "fn ", "fn not_");
        for file in [
            "src/report/style.rs",
            "src/analysis/mean.rs",
            "src/cli.rs",
            "src/experiment/spec/figure.rs",
            "src/solver/density.rs",
        ] {
            copy.append(file, "pub fn more() {}");
        }
        copy.write("src/report/figures/new.rs", "pub fn new() {}\n");
        let plotters = |version| format!("plotters = {{ version = \"0.{version}");
        copy.replace("Cargo.toml", &plotters(3), &plotters(99));
        copy.replace(
            "Cargo.lock",
            "\"plotters\"\nversion = \"0.3",
            "\"plotters\"\nversion = \"0.4",
        );
    });
    assert_eq!(old, NONE);
}

/// Another algorithm beside those that are there, in a module of its own.
#[test]
fn an_algorithm_that_is_added_makes_no_result_old() {
    let old = old_after(|copy| {
        copy.replace("src/solver/registry.rs", "&Factor,", "&Factor, &Another,");
        copy.append("src/solver/dynamics.rs", "pub fn more() {}");
    });
    assert_eq!(old, NONE);
}

/// A folder counts with all that is in it.
#[test]
fn a_file_counts_however_deep_it_lies() {
    let deep = "src/solver/exact/methods/quadrants/a/b/c/d.rs";
    let old = old_after(|copy| copy.write(deep, "pub fn more() {}"));
    assert_eq!(old, of_parts("exact"));
}

#[test]
fn a_change_makes_those_results_old_that_it_can_reach() {
    const CARGO: &str = "Cargo.toml";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = FILES.clone();
    let features = "rayon = { version = \"1\", features = [\"x\"] }";
    let package = "\"rand_core\"\nversion = \"";
    for (file, old, new, expected) in [
        (
            PAIRS,
            "Class::Open",
            "Class::Contested",
            "local synchronous",
        ),
        (
            CELLS,
            "Directions::NONE",
            "Directions::ALL",
            "local synchronous",
        ),
        (STEPWISE, "1", "2", "local synchronous"),
        (
            "src/solver/synchronous.rs",
            "informed",
            "other",
            "synchronous",
        ),
        ("src/solver/factor/moves.rs", "self", "other", "factor"),
        ("src/solver/exact/methods/rows.rs", "== 0", "!= 0", "exact"),
        ("src/solver/cp/branching.rs", "== 0", "!= 0", "cp"),
        ("src/solver/rng.rs", "u64", "u32", "all"),
        (PLAN, "5;", "6;", "all"),
        (CARGO, "rayon = \"1\"", features, "all"),
        ("src/solver/Cargo.toml", "rayon = \"1\"", features, "all"),
        (
            CARGO,
            "rayon = \"1\"",
            "rayon = \"1\"\nrand_core = \"0.10\"",
            "all",
        ),
        ("Cargo.lock", package, &format!("{package}9"), "all"),
    ] {
        let text = text_of(root.join(file));
        assert!(text.contains(old), "{file} has no {old:?}");
        let text = text.replace(old, new);
        let now = |name: &str| match name == file {
            true => text.clone(),
            false => text_of(root.join(name)),
        };
        let (manifests, lock) = (sources::MANIFESTS.map(now).concat(), now("Cargo.lock"));
        let changed = || tokens::of(&text).expect("Rust").0;
        let sound = files.get_mut(file).map(|own| replace(own, changed()));
        let parts = sources::of(&files, &manifests, &lock).expect("no table of dependencies");
        files.extend(sound.map(|sound| (file.to_owned(), sound)));
        assert_eq!(old_in(&parts), of_parts(expected), "{file}: {new}");
    }
}

/// Attributes, text and the marks that stand together count; so does what is not sure to be a test.
#[test]
fn every_token_but_comments_and_tests_counts() {
    let texts = |source: &str| tokens::of(source).expect("Rust").0;
    let plain = texts("fn f() -> u8 { g(\"a b\", 'x', 1_0u8) }");
    assert_eq!(
        plain,
        [
            "fn", "f", "(", ")", "->", "u8", "{", "g", "(", "\"a b\"", ",", "'x'", ",", "1_0u8",
            ")", "}"
        ]
    );
    assert_eq!(texts("#[cold] fn f() {}")[..4], ["#", "[", "cold", "]"]);
    for other in [
        "fn f() -> u8 { g(\"a  b\", 'x', 1_0u8) }",
        "fn f() -> u8 { g(\"a b\", 'y', 1_0u8) }",
        "fn f() -> u8 { g(\"a b\", 'x', 10u8) }",
        "#[cold] fn f() -> u8 { g(\"a b\", 'x', 1_0u8) }",
        "#[cfg(not(test))] fn f() -> u8 { g(\"a b\", 'x', 1_0u8) }",
        "#![allow(x)] fn f() -> u8 { g(\"a b\", 'x', 1_0u8) }",
    ] {
        assert_ne!(texts(other), plain, "{other}");
    }
    assert_ne!(texts("a & &b"), texts("a && b"));
    let counted =
        "struct S { #[cfg(test)] a: u8, b: u8 } fn f() { #[cfg(test)] if c { d(); } e(); }";
    let others = "#[cfg(not(test))] fn n() {} #[cfg(unix)] fn u() {} m!(#[cfg(test)] x, y; z); \
        #[cfg(test)] const V: u8 = 1;";
    for name in ["a", "b", "c", "d", "e", "n", "u", "x", "y", "z", "V"] {
        let counts = |source| texts(source).contains(&name.to_owned());
        assert!(counts(counted) || counts(others), "{name}");
    }
    let left_out = [
        "#[cfg(test)] mod tests { fn f() {} }",
        "#[cfg(test)] mod tests;",
        "/// Doc.\n#[cfg(test)]\npub(crate) unsafe fn f<A, B>() -> [u8; 2] { x }",
        "#[cfg(test)] use a::{b, c};",
        "#[cfg(test)] const fn f() {}",
        "#[cfg(test)] impl<T> A for B<T> where T: C { fn f() {} }",
        "#[cfg(test)] struct S(u8);",
        "#[cfg(test)] macro_rules! m { () => {} }",
        "//! Words.\n",
    ];
    for source in left_out {
        assert_eq!(
            texts(&format!("{source} fn after() {{}}")),
            texts("fn after() {}"),
            "{source}"
        );
    }
}

#[test]
fn sources_that_would_not_count_are_refused() {
    for (file, text, expected) in [
        (
            CELLS,
            "const X: &str = include_str!(\"x.txt\");",
            "cells.rs: include_str !: a file that would not count",
        ),
        (
            CELLS,
            "#[path = \"y.rs\"] mod y;",
            "cells.rs: # [ path =: a file",
        ),
        (CELLS, "fn f( {", "cells.rs: "),
        (
            "Cargo.toml",
            "[dependencies.rayon]",
            "expected one line for each dependency",
        ),
        (
            "Cargo.toml",
            "[target.'cfg(unix)'.dependencies]",
            "expected one line for each dependency",
        ),
    ] {
        let copy = Copy::new();
        copy.append(file, text);
        let refusal = sources::parts(copy.0.path()).expect_err("the sources are refused");
        has(&refusal, expected);
    }
}

/// A file of a part names no file but those of its own part, of the engine, and of the parts that
/// its own is declared to use.
#[test]
fn no_part_names_what_it_does_not_declare() {
    let mut files = FILES.clone();
    assert_eq!(undeclared(&files), NONE);
    let used = PARTS
        .iter()
        .flat_map(|row| row.2.iter().map(|used| (used, row.2)));
    for (&used, uses) in used {
        let row = PARTS.iter().find(|row| row.0 == used);
        assert!(
            row.is_some_and(|row| row.2.iter().all(|it| uses.contains(it))),
            "{used}: what it uses is not passed on"
        );
    }
    let own = files[CELLS].clone();
    for (import, found) in [
        (
            "use crate::factor::lattice;",
            "lattice.rs, of the part factor; expected local, engine",
        ),
        (
            "use super::{super::super::factor::{self, lattice::X}};",
            "of the part factor",
        ),
        (
            "use super::super::super::factor::lattice as other;",
            "lattice.rs",
        ),
        ("use super::super::super::factor::lattice::*;", "lattice.rs"),
        ("fn f() { crate::factor::lattice::g() }", "lattice.rs"),
        (
            "use crate::factor as r; fn f() { r::lattice::g() }",
            "factor",
        ),
        (
            "use super::{super::sites::X, super::super::cp::Y};",
            "cp.rs",
        ),
        (
            "use crate::density::{density as d, solution_count};",
            ", of the part nothing",
        ),
        ("fn f() { clap::f() }", "clap, of the part nothing"),
        ("use crate::local::rules; fn lattice() { lattice.g() }", ""),
        ("use std::lattice::Cell;", ""),
    ] {
        let texts = tokens::of(import).expect("Rust").0;
        files.insert(CELLS.to_owned(), [own.clone(), texts].concat());
        let told = undeclared(&files);
        assert_eq!(told.is_empty(), found.is_empty(), "{import}: {told:?}");
        assert!(
            told.iter().all(|line| line.contains(found)),
            "{import}: {told:?}"
        );
    }
}

/// It hands on what the other reads for figures, and looks into none of it.
const HANDS_ON: (&str, &str) = ("src/experiment/spec.rs", "src/experiment/spec/figure.rs");

/// A line for each name of a file that the part of the naming file does not declare.
fn undeclared(files: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut told = Vec::new();
    for (file, texts) in files {
        let &(part, _, uses) = sources::part_of(file).expect("of a part");
        if [CHOICE, NOTHING].contains(&part) {
            continue;
        }
        for named in named(file, texts) {
            let other = sources::part_of(&named).map_or(NOTHING, |row| row.0);
            let is_allowed = [part, ENGINE, CHOICE].contains(&other) || uses.contains(&other);
            if !is_allowed && (&**file, &*named) != HANDS_ON {
                let mut allowed = [&[part, ENGINE], uses].concat();
                allowed.dedup();
                let allowed = allowed.join(", ");
                told.push(format!(
                    "{file}: names {named}, of the part {other}; expected {allowed} (build/parts.rs)"
                ));
            }
        }
    }
    told
}

/// The files of the sources, and the dependencies of [`OUTSIDE`], that a file names: by paths that
/// begin with `crate`, `self`, `super`, a module of its own, or a name that it imports.
pub fn named(file: &str, texts: &[String]) -> BTreeSet<String> {
    let words = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let place = words(file[4..file.len() - 3].trim_end_matches("/lib"));
    let exists = |path: &[String]| {
        let ends = [".rs", "/lib.rs"].into_iter();
        let mut files = ends.map(|end| format!("src/{}{end}", path.join("/")));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        files.find(|file| root.join(file).exists())
    };
    // The solver is a crate of its own.
    let own_crate = &place[..usize::from(place[0] == "solver")];
    let (mut imported, mut named) = (BTreeMap::<String, Vec<String>>::new(), BTreeSet::new());
    let mut paths = paths(texts);
    // Those that begin with an imported name come last.
    paths.sort_by_key(|(path, _)| !["crate", "self", "super"].contains(&&*path[0]));
    for (path, alias) in paths {
        let inside = [&place[..], &path[..1]].concat();
        let mut from_root = match path[0].as_str() {
            "crate" => own_crate.to_vec(),
            "self" => place.clone(),
            "super" => place[..place.len() - 1].to_vec(),
            _ if path.len() == 1 => continue,
            _ if exists(&inside).is_some() => inside,
            name if OUTSIDE.split(' ').any(|it| it.replace('-', "_") == name) => {
                named.insert(name.to_owned());
                continue;
            }
            name => match imported.get(name) {
                Some(path) => path.clone(),
                None => continue,
            },
        };
        for name in &path[1..] {
            match name.as_str() {
                "super" => drop(from_root.pop()),
                "self" => {}
                name => from_root.push(name.to_owned()),
            }
        }
        named.extend(
            (1..=from_root.len())
                .rev()
                .find_map(|length| exists(&from_root[..length])),
        );
        let alias = if alias == "self" {
            from_root.last().cloned()
        } else {
            Some(alias)
        };
        imported.insert(alias.unwrap_or_default(), from_root);
    }
    named
}

/// The paths in a source, each with the name by which what follows knows it.
fn paths(texts: &[String]) -> Vec<(Vec<String>, String)> {
    let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let text = |at: usize| texts.get(at).map_or("", String::as_str);
    let (mut paths, mut around, mut path) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..texts.len() {
        let before = text(at.wrapping_sub(1));
        match text(at) {
            "{" if before == "::" => around.push(path.clone()),
            "}" => drop(around.pop()),
            name if is_name(name) => {
                if before != "::" {
                    path = around.last().cloned().unwrap_or_default();
                }
                path.push(name.to_owned());
                if text(at + 1) != "::" {
                    let alias = if text(at + 1) == "as" { at + 2 } else { at };
                    paths.push((path.clone(), text(alias).to_owned()));
                }
            }
            _ => {}
        }
    }
    paths
}

const PAIR_SWEEP: &str =
    "[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 10\ncutoff = 20000\n";
const FACTOR_SWEEP: &str =
    "[[sweep]]\nalgorithm = \"factor\"\nproduct = 6\nepsilon = 0.1\ntrials = 10\ncutoff = 20000\n";
/// Its part, `synchronous`, uses the part `local`.
const SYNCHRONOUS_SWEEP: &str = "[[sweep]]\nalgorithm = \"synchronous\"\nvariant = \"blind\"\nn = 5\nepsilon = 0.1\ntrials = 7\ncutoff = 2000\n";

#[test]
fn rows_are_taken_over_where_their_own_code_has_not_changed() {
    for (part, taken, reason) in [
        (
            "factor",
            Some("27 trials taken over from"),
            "the rest, since the code of factor has changed",
        ),
        (
            "synchronous",
            Some("30 trials taken over from"),
            "the rest, since the code of synchronous has changed",
        ),
        (
            "local",
            Some("10 trials taken over from"),
            "the rest, since the code of local has changed",
        ),
        ("engine", None, ""),
    ] {
        let sweeps = format!("{PAIR_SWEEP}{FACTOR_SWEEP}{SYNCHRONOUS_SWEEP}");
        let place = Workplace::with(&format!("seed = 1\n{sweeps}"));
        place.succeed("run a.toml");
        let rows = place.bytes("results", "a", "trials.parquet");
        let old = age(
            &place.run("results"),
            part,
            "00000000",
            "2020-01-01T00:00:00Z",
        );
        let listed = stdout(&place.reines("list a.toml"));
        has(&listed, &format!("(old: {part} changed)"));
        let drawn = stderr(&place.reines("report a.toml"));
        let expected =
            format!("the rows of code version 0.1.0-00000000 (changed: {part}) (commit ");
        has(&drawn, &expected);
        let said = stderr(&place.succeed("run a.toml"));
        match taken {
            Some(taken) => assert!(said.contains(taken) && said.contains(reason), "{said}"),
            None => assert!(!said.contains("taken over"), "{said}"),
        }
        place.succeed("verify");
        let new = place
            .runs("results", "a")
            .into_iter()
            .find(|it| *it != old)
            .expect("a new run");
        assert_eq!(bytes_of(new.join("trials.parquet")), rows, "{part}");
        let sides = [old, new].map(|path| path.to_string_lossy().into_owned());
        let arguments = ["diff", &sides[0], &sides[1]];
        let text = stdout(&place.succeed(arguments));
        has(&text, &format!("changed: {part}"));
        let json = place.json([&arguments[..], &["--json"]].concat());
        assert_eq!(json["experiments"][0]["changed"], serde_json::json!([part]));
        let listed = place.json("list a.toml --json");
        let runs = listed["experiments"][0]["runs"].as_array().expect("a list");
        let changed: Vec<_> = runs.iter().map(|run| run["changed"].clone()).collect();
        assert!(changed.contains(&serde_json::json!([part])), "{listed}");
        assert!(changed.contains(&serde_json::json!([])), "{listed}");
    }
}
