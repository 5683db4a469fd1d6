//! What makes a result old: the build's own hashing on changed copies of the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reines::experiment::store::folder::RunFolder;
use reines::solver::ALGORITHMS;
use tempfile::TempDir;

use crate::program::{Workplace, stderr, stdout, write_manifest};

#[path = "../build/dependencies.rs"]
mod dependencies;

#[path = "../build/imports.rs"]
mod imports;

#[path = "../build/parts.rs"]
mod parts;

#[path = "../build/sources.rs"]
mod sources;

mod tokens;

use parts::ENGINE;
use sources::Part;

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

    fn parts(&self) -> BTreeMap<String, Part> {
        sources::parts(self.0.path()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn refusal(&self) -> String {
        sources::parts(self.0.path()).expect_err("the sources are refused")
    }
}

/// The hash of a part of the sources in a folder.
pub fn hash_of(root: &Path, part: &str) -> String {
    sources::parts(root).expect("sources like ours")[part]
        .hash
        .clone()
}

/// Cargo's two files and every file of `src`.
fn files(root: &Path) -> Vec<String> {
    let mut files = vec!["Cargo.toml".to_owned(), "Cargo.lock".to_owned()];
    let mut folders = vec![root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources are beside the tests") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below the root");
                files.push(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    files.sort();
    files
}

/// What the results of each algorithm depend on, by name and variant: its parts and their hashes,
/// from which the code version is made.
fn versions(parts: &BTreeMap<String, Part>) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut versions = BTreeMap::new();
    for algorithm in ALGORITHMS.iter() {
        let variants = match algorithm.variants() {
            Some(_) if algorithm.name() == "cp" => ["PN_PL", "PN_PR", "PA_PD", "PB_PW", "AA_DC"]
                .map(str::to_owned)
                .into(),
            Some(variants) => variants.all(),
            None => vec![String::new()],
        };
        for variant in variants {
            let own = algorithm.parts(&variant);
            assert!(!own.is_empty(), "{} says no part", algorithm.name());
            let used = own.iter().flat_map(|name| parts[name].uses.iter().cloned());
            let all: BTreeSet<String> = own.iter().cloned().chain(used).collect();
            let all = all.into_iter().chain([ENGINE.to_owned()]);
            versions.insert(
                format!("{} {variant}", algorithm.name()).trim().to_owned(),
                all.map(|name| (name.clone(), parts[&name].hash.clone()))
                    .collect(),
            );
        }
    }
    versions
}

/// The parts of the sources as they are.
static PARTS: LazyLock<BTreeMap<String, Part>> = LazyLock::new(|| Copy::new().parts());

/// The algorithms whose results a change of the sources makes old.
fn old_after(change: impl FnOnce(&Copy)) -> Vec<String> {
    let copy = Copy::new();
    change(&copy);
    let (before, after) = (versions(&PARTS), versions(&copy.parts()));
    let is_old =
        |(name, version): &(&String, &BTreeMap<String, String>)| before[*name] != **version;
    after
        .iter()
        .filter(is_old)
        .map(|(name, _)| name.clone())
        .collect()
}

/// The names of all that are simulated, of all that count, of all that are constraint models.
fn all() -> Vec<String> {
    versions(&PARTS).into_keys().collect()
}

fn those(is_one: impl Fn(&str) -> bool) -> Vec<String> {
    all().into_iter().filter(|name| is_one(name)).collect()
}

fn local() -> Vec<String> {
    those(|name| name.starts_with("pair") || name.starts_with("cell") && name != "cells")
}

fn models() -> Vec<String> {
    those(|name| name.starts_with("cp "))
}

fn synchronous() -> Vec<String> {
    those(|name| name.starts_with("synchronous"))
}

/// With what is common to all local rules.
fn using_local() -> Vec<String> {
    let mut names = [local(), synchronous()].concat();
    names.sort();
    names
}

fn exact() -> Vec<String> {
    let others = [using_local(), models(), vec!["factor".to_owned()]].concat();
    those(|name| !others.contains(&name.to_owned()))
}

const PAIR: &str = "src/solver/local/rules/pair.rs";
const STEPWISE: &str = "src/solver/local/stepwise.rs";

type Change<'a> = &'a dyn Fn(&Copy);

#[test]
fn comments_whitespace_and_tests_make_no_result_old() {
    let none: [&str; 0] = [];
    let changes: [(&str, Change); 7] = [
        ("comments", &|copy| {
            for file in files(copy.0.path()) {
                if file.ends_with(".rs") {
                    let text = copy.read(&file);
                    copy.write(&file, &format!("{text}\n// One more.\n/* And one. */\n"));
                }
            }
        }),
        ("a doc comment", &|copy| {
            copy.replace(
                PAIR,
                "/// The pair rule on",
                "/// A better word for the pair rule on",
            );
            copy.replace(STEPWISE, "//! ", "//! Better: ");
        }),
        ("whitespace", &|copy| {
            for file in [PAIR, STEPWISE, "src/experiment/plan.rs"] {
                let text = copy
                    .read(file)
                    .replace("{\n", "{\n\n\t ")
                    .replace(";\n", " ;\n\n");
                copy.write(file, &text);
            }
        }),
        ("tests", &|copy| {
            for file in [
                PAIR,
                STEPWISE,
                "src/experiment/plan.rs",
                "src/solver/rng.rs",
            ] {
                let tests = "#[cfg(test)]\nmod more_tests {\n    #[test]\n    fn one() {}\n}\n\
                    #[doc = \"Words.\"]\n#[allow(dead_code)]\n#[cfg(test)]\npub(crate) fn two() {}\n\
                    #[cfg(test)]\nuse std::{fmt, fs};\n\
                    #[cfg(test)]\nconst THREE: [u8; 1] = { [3] };\n";
                copy.write(file, &format!("{}{tests}", copy.read(file)));
            }
        }),
        ("a file of tests alone", &|copy| {
            let text = copy.read(STEPWISE);
            copy.write(STEPWISE, &format!("{text}#[cfg(test)]\nmod slow;\n"));
            copy.write("src/solver/local/stepwise/slow.rs", "fn slow() {}\n");
            copy.replace("src/solver/local/properties.rs", "fn ", "fn not_");
        }),
        ("figures, statistics and the command line", &|copy| {
            copy.replace("src/report/style.rs", "const ", "pub const ");
            copy.replace("src/analysis/mean.rs", "fn ", "fn not_");
            copy.replace("src/cli.rs", "fn ", "fn not_");
            copy.write("src/report/figures/new.rs", "pub fn new() {}\n");
        }),
        ("dependencies of the figures and of the tests", &|copy| {
            copy.replace(
                "Cargo.toml",
                "plotters = { version = \"0.3\"",
                "plotters = { version = \"0.4\"",
            );
            copy.replace(
                "Cargo.toml",
                "criterion = { version = \"0.8\"",
                "criterion = { version = \"0.9\"",
            );
            copy.replace(
                "Cargo.lock",
                "name = \"plotters\"\nversion = \"0.3",
                "name = \"plotters\"\nversion = \"0.4",
            );
        }),
    ];
    let all_at_once = |copy: &Copy| changes.iter().for_each(|(_, change)| change(copy));
    if old_after(all_at_once) != none {
        for (what, change) in changes {
            assert_eq!(old_after(change), none, "{what}");
        }
        panic!("results are old after all changes together, and after none alone");
    }
}

#[test]
fn what_is_added_makes_no_result_old() {
    let none: [&str; 0] = [];
    let rule = |copy: &Copy| {
        copy.write(
            "src/solver/local/rules/knight.rs",
            &copy.read(PAIR).replace("pair", "knight"),
        );
        copy.replace(
            "src/solver/local/rules.rs",
            "pub mod cell;",
            "pub mod cell;\n\npub mod knight;",
        );
        copy.replace(
            "src/solver/local/rules.rs",
            "cell::CellRule,",
            "cell::CellRule,\n            knight::PairRule,",
        );
    };
    let method = |copy: &Copy| {
        let (list, rows) = (
            "src/solver/exact/methods.rs",
            "src/solver/exact/methods/rows.rs",
        );
        copy.write("src/solver/exact/methods/a_new_one.rs", &copy.read(rows));
        copy.replace(list, "mod attacks;", "mod a_new_one;\nmod attacks;");
        copy.replace(
            list,
            "attacks::METHOD,",
            "a_new_one::METHOD,\n    attacks::METHOD,",
        );
    };
    let branching = |copy: &Copy| {
        let (list, random) = (
            "src/solver/cp/branching.rs",
            "src/solver/cp/branching/random.rs",
        );
        copy.write("src/solver/cp/branching/last.rs", &copy.read(random));
        copy.replace(list, "mod random;", "mod last;\nmod random;");
        copy.replace(
            list,
            "random::HEURISTIC,",
            "random::HEURISTIC,\n    last::HEURISTIC,",
        );
    };
    let all_at_once = |copy: &Copy| {
        rule(copy);
        method(copy);
        branching(copy);
    };
    assert_eq!(old_after(all_at_once), none);
}

#[test]
fn a_change_makes_those_results_old_that_it_can_reach() {
    let changes: [(&str, &str, &str, Vec<String>); 18] = [
        (
            PAIR,
            "Class::Open",
            "Class::Contested",
            those(|name| ["pair", "pair-relaxation"].contains(&name)),
        ),
        (
            "src/solver/local/rules/pair_fewer.rs",
            "Class::Open",
            "Class::Contested",
            those(|name| name.starts_with("pair-fewer")),
        ),
        (
            "src/solver/local/rules/cell.rs",
            "= 0.1;",
            "= 0.2;",
            those(|name| ["cell", "cell-relaxation"].contains(&name)),
        ),
        (
            "src/solver/local/relaxation.rs",
            "min: 4",
            "min: 5",
            those(|name| name.ends_with("-relaxation")),
        ),
        (STEPWISE, "1", "2", using_local()),
        (
            "src/solver/local/rules.rs",
            "const fn new",
            "pub const fn new",
            using_local(),
        ),
        (
            "src/solver/synchronous.rs",
            "informed",
            "other",
            synchronous(),
        ),
        (
            "src/solver/factor/moves.rs",
            "self",
            "other",
            vec!["factor".to_owned()],
        ),
        (
            "src/solver/factor.rs",
            "1 << 20",
            "1 << 21",
            vec!["factor".to_owned()],
        ),
        (
            "src/solver/exact/methods/rows.rs",
            "all nⁿ",
            "all n^n",
            vec!["rows".to_owned()],
        ),
        (
            "src/solver/exact/methods/cells.rs",
            "n_max: 5",
            "n_max: 4",
            vec!["cells".to_owned(), "distinct-cells".to_owned()],
        ),
        (
            "src/solver/exact/methods.rs",
            "heap::METHOD",
            "heap::OTHER",
            vec!["heap".to_owned()],
        ),
        ("src/solver/exact/search.rs", "self.", "self.0.", exact()),
        (
            "src/solver/cp/branching/dom_wdeg.rs",
            "'W'",
            "'V'",
            vec!["cp PB_PW".to_owned()],
        ),
        ("src/solver/cp/search.rs", "self.", "self.0.", models()),
        ("src/solver/rng.rs", "u64", "u32", all()),
        ("src/experiment/plan.rs", "5;", "6;", all()),
        (
            "Cargo.toml",
            "rayon = \"1\"",
            "rayon = { version = \"1\", features = [\"x\"] }",
            all(),
        ),
    ];
    for (file, old, new, expected) in changes {
        assert_eq!(
            old_after(|copy| copy.replace(file, old, new)),
            expected,
            "{file}: {new}"
        );
    }
    let sequential = |copy: &Copy| {
        copy.replace("src/analysis/sequential.rs", "1.959963984540054", "1.96");
    };
    assert_eq!(old_after(sequential), all());
    let locked = |copy: &Copy| {
        copy.replace(
            "Cargo.lock",
            "name = \"rand_core\"\nversion = \"",
            "name = \"rand_core\"\nversion = \"9",
        );
    };
    assert_eq!(old_after(locked), all());
}

/// Attributes, text and the marks that stand together count; so does what is not sure to be a test.
#[test]
fn every_token_but_comments_and_tests_counts() {
    let texts = |source: &str| tokens::Tokens::of(source).expect("Rust").texts;
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
    let others = "#[cfg(not(test))] fn n() {} #[cfg(unix)] fn u() {} m!(#[cfg(test)] x, y; z);";
    for name in ["a", "b", "c", "d", "e", "n", "u", "x", "y", "z"] {
        let counts = |source| texts(source).contains(&name.to_owned());
        assert!(counts(counted) || counts(others), "{name}");
    }
    assert!(!texts("fn f() { #[cfg(test)] g(); h() }").contains(&"g".to_owned()));
    let left_out = [
        "#[cfg(test)] mod tests { fn f() {} }",
        "#[cfg(test)] mod tests;",
        "/// Doc.\n#[allow(x)]\n#[cfg(test)]\n#[rustfmt::skip]\npub(crate) unsafe fn f() -> [u8; 2] { x }",
        "#[cfg(test)] use a::{b, c};",
        "#[cfg(test)] pub const A: [u8; 2] = { [1, 2] };",
        "#[cfg(test)] const fn f() {}",
        "#[cfg(test)] impl<T> A for B<T> where T: C { fn f() {} }",
        "#[cfg(test)] struct S(u8);",
        "#[cfg(test)] macro_rules! m { () => {} }",
        "#![doc = \"text\"] // comment\n",
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
fn sources_that_do_not_say_what_depends_on_what_are_refused() {
    let cases: [(&str, &str, &[&str]); 7] = [
        (
            "src/solver/rng.rs",
            "use crate::solver::local::rules::pair::PairRule;",
            &[
                "src/solver/rng.rs: uses src/solver/local/rules/pair.rs",
                "the part pair",
            ],
        ),
        (
            "src/experiment/plan.rs",
            "use crate::analysis::{mean::Mean as M, summary};",
            &["src/experiment/plan.rs: uses src/analysis/mean.rs, which counts for nothing"],
        ),
        (
            "src/experiment/plan.rs",
            "fn f() { clap::f() }",
            &["plan.rs: uses clap, which counts for nothing"],
        ),
        (
            PAIR,
            "const X: &str = include_str!(\"x.txt\");",
            &["pair.rs: include_str! of a file"],
        ),
        (
            PAIR,
            "#[path = \"y.rs\"] mod y;",
            &["pair.rs: #[path] of a file"],
        ),
        (PAIR, "fn f( {", &["pair.rs: "]),
        (
            "src/solver/exact/methods/pair.rs",
            "",
            &[
                "src/solver/local/rules/pair.rs: counts for the part pair",
                "and so does src/solver/exact/methods/pair.rs",
            ],
        ),
    ];
    for (file, text, expected) in cases {
        let copy = Copy::new();
        let before = fs::read_to_string(copy.path(file)).unwrap_or_default();
        copy.write(file, &format!("{before}\n{text}\n"));
        let refusal = copy.refusal();
        for words in expected {
            assert!(refusal.contains(words), "{refusal}");
        }
    }
}

/// What a part uses of another one's it depends on, however it names it, and on what that uses.
#[test]
fn a_part_depends_on_what_its_files_import() {
    let names = files(Path::new(env!("CARGO_MANIFEST_DIR")));
    let cell = "src/solver/local/rules/cell.rs";
    for import in [
        "use crate::solver::local::rules::cell;",
        "use super::cell::CellRule;",
        "use super::{cell::{self, CellRule}};",
        "use super::cell as other;",
        "use super::super::rules::cell::*;",
        "use super::*; fn f() { cell::g() }",
        "fn f() { super::cell::g() }",
        "use crate::solver::local::rules; fn f() { rules::cell::g() }",
        "use crate::solver::local::rules as r; fn f() { r::cell::g() }",
        "mod inner { use super::super::cell::CellRule; } use super::super::stepwise;",
    ] {
        let texts = tokens::Tokens::of(import).expect("Rust").texts;
        assert!(
            imports::used_files(PAIR, &texts, &names).contains(cell),
            "{import}"
        );
    }
    for other in [
        "use crate::solver::local::rule;",
        "fn cell() { cell.g() }",
        "use std::cell::Cell;",
    ] {
        let texts = tokens::Tokens::of(other).expect("Rust").texts;
        assert!(
            !imports::used_files(PAIR, &texts, &names).contains(cell),
            "{other}"
        );
    }
    let copy = Copy::new();
    for (file, used) in [("rows", "heap"), ("heap", "lines")] {
        let file = format!("src/solver/exact/methods/{file}.rs");
        copy.write(
            &file,
            &format!("{}\nuse super::{used}::X;\n", copy.read(&file)),
        );
    }
    let parts = copy.parts();
    let uses = |part: &str| parts[part].uses.iter().cloned().collect::<Vec<_>>();
    assert_eq!(uses("heap"), ["exact", "lines"]);
    assert_eq!(uses("rows"), ["exact", "heap", "lines"]);
}

/// No file of `src/solver` and `src/experiment` counts for nothing; no rule, method or branching
/// depends on another; and what they depend on is what one would say.
#[test]
fn every_file_of_solver_and_experiment_counts() {
    let parts = &*PARTS;
    for file in files(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        let counts = ["src/solver", "src/experiment"]
            .iter()
            .any(|room| file.starts_with(room));
        assert_eq!(
            sources::part_of(&file).is_some(),
            counts || file == "src/analysis/sequential.rs",
            "{file}"
        );
    }
    let uses = |part: &str| {
        parts[part]
            .uses
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
    };
    for (part, expected) in [
        (ENGINE, &[][..]),
        ("local", &[]),
        ("exact", &[]),
        ("cp", &[]),
        ("relaxation", &["local"]),
        ("synchronous", &["local"]),
        ("factor", &[]),
    ] {
        assert_eq!(uses(part), expected, "{part}");
    }
    for part in parts.keys() {
        let expected = match sources_folder(part) {
            Some("src/solver/local/rules") => vec!["local"],
            Some("src/solver/exact/methods") => vec!["exact"],
            Some("src/solver/cp/branching") => vec!["cp"],
            _ => continue,
        };
        assert_eq!(uses(part), expected, "{part}");
    }
}

/// The list that a part is a module of.
fn sources_folder(part: &str) -> Option<&'static str> {
    let lists = parts::PARTS.iter().filter_map(|(path, pattern)| {
        let folder = path.strip_suffix("/*")?;
        let module = part
            .strip_prefix(pattern.trim_end_matches('*'))?
            .replace('-', "_");
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("{folder}/{module}.rs"))
            .exists()
            .then_some(folder)
    });
    lists.max_by_key(|folder| folder.len())
}

const PAIR_SWEEP: &str =
    "[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 10\ncutoff = 20000\n";
const CELL_SWEEP: &str = "[[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.1\neta = 0.1\ntrials = 10\ncutoff = 20000\n";

/// Makes a complete run one of other code: of another hash of `part`, in a folder of another name.
/// Returns the folder.
fn age(run: &Path, part: &str) -> PathBuf {
    let manifest = run.join("manifest.toml");
    let mut tree: toml::Table = fs::read_to_string(&manifest)
        .expect("complete")
        .parse()
        .expect("TOML");
    tree["parts"][part] = "00000000".into();
    tree["code_version"] = "0.1.0-00000000".into();
    tree["ended"] = "2020-01-01T00:00:00Z".into();
    write_manifest(&manifest, &tree.to_string());
    let name = run
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let plan = name.rsplit_once('-').expect("a plan hash").1;
    let old = run.with_file_name(format!("0.1.0-00000000-{plan}"));
    fs::rename(run, &old).expect("the folder can be renamed");
    old
}

#[test]
fn rows_are_taken_over_where_their_own_code_has_not_changed() {
    for (part, taken, reason) in [
        (
            "cell",
            Some("20 trials taken over from"),
            "the rest, since the code of cell has changed",
        ),
        (
            "pair",
            Some("10 trials taken over from"),
            "the rest, since the code of pair has changed",
        ),
        ("engine", None, ""),
        ("local", None, ""),
    ] {
        let place = Workplace::new();
        place.write("a.toml", &format!("seed = 1\n{PAIR_SWEEP}{CELL_SWEEP}"));
        place.succeed(&["run", "a.toml"]);
        let rows = place.bytes("results", "a", "trials.parquet");
        let old = age(&place.runs("results", "a")[0], part);
        let listed = stdout(&place.succeed(&["list", "--experiments", "."]));
        assert!(
            listed.contains(&format!("(old: {part} changed)")),
            "{listed}"
        );
        let drawn = stderr(&place.reines(&["report", "a.toml"]));
        let expected = format!("drawn from 0.1.0-00000000 (changed: {part})");
        assert!(drawn.contains(&expected), "{drawn}");
        let said = stderr(&place.succeed(&["run", "a.toml"]));
        match taken {
            Some(taken) => assert!(said.contains(taken) && said.contains(reason), "{said}"),
            None => assert!(!said.contains("taken over"), "{said}"),
        }
        place.succeed(&["verify-files"]);
        let new = place
            .runs("results", "a")
            .into_iter()
            .find(|it| *it != old)
            .expect("a new run");
        assert_eq!(
            fs::read(new.join("trials.parquet")).expect("complete"),
            rows,
            "{part}"
        );
        let sides = [old, new].map(|path| path.to_string_lossy().into_owned());
        let arguments = ["diff", &sides[0], &sides[1]];
        let text = stdout(&place.succeed(&arguments));
        assert!(text.contains(&format!("  changed: {part}\n")), "{text}");
        let json = stdout(&place.succeed(&[&arguments[..], &["--json"]].concat()));
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["experiments"][0]["changed"], serde_json::json!([part]));
        let listed = stdout(&place.succeed(&["list", "--experiments", ".", "--json"]));
        let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
        let runs = listed["experiments"][0]["runs"].as_array().expect("a list");
        let changed: Vec<_> = runs.iter().map(|run| run["changed"].clone()).collect();
        assert!(changed.contains(&serde_json::json!([part])), "{listed}");
        assert!(changed.contains(&serde_json::json!([])), "{listed}");
    }
}

/// A plan with one rule more has another code version, and takes over all that it has in common.
#[test]
fn a_grown_spec_takes_over_across_its_code_versions() {
    let place = Workplace::new();
    place.write("a.toml", &format!("seed = 1\n{PAIR_SWEEP}"));
    place.succeed(&["run", "a.toml"]);
    place.write("a.toml", &format!("seed = 1\n{PAIR_SWEEP}{CELL_SWEEP}"));
    let said = stderr(&place.succeed(&["run", "a.toml"]));
    assert!(said.contains("20 trials taken over from"), "{said}");
    let versions: BTreeSet<String> = place
        .runs("results", "a")
        .iter()
        .map(|run| {
            RunFolder::at(run)
                .manifest()
                .expect("complete")
                .code_version
        })
        .collect();
    assert_eq!(versions.len(), 2, "{versions:?}");
}

/// Manifests from before parts were kept: readable, of other code, and nothing is taken from them.
#[test]
fn a_run_without_parts_stays_readable_and_is_old() {
    let place = Workplace::new();
    place.write("a.toml", &format!("seed = 1\n{PAIR_SWEEP}"));
    place.succeed(&["run", "a.toml"]);
    let old = age(&place.runs("results", "a")[0], "pair");
    let manifest = old.join("manifest.toml");
    let mut tree: toml::Table = fs::read_to_string(&manifest)
        .expect("complete")
        .parse()
        .expect("TOML");
    tree.remove("parts");
    write_manifest(&manifest, &tree.to_string());
    place.succeed(&["verify-files"]);
    let listed = stdout(&place.succeed(&["list", "--experiments", "."]));
    assert!(listed.contains("(old: another code version)"), "{listed}");
    let said = stderr(&place.succeed(&["run", "a.toml"]));
    assert!(!said.contains("taken over"), "{said}");
    let text = stdout(&place.succeed(&["diff", "latest", old.to_str().expect("UTF-8")]));
    assert!(text.contains("changed: not known"), "{text}");
}
