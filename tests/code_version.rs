//! What makes a result old: the builds' own hashing on changed copies of the sources.
//! (`transcripts/damaged.txt` has what is taken over of older results.)

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use reines::solver::{ALGORITHMS, Algorithm};

use crate::program::{Workplace, has, root, text_of, words};

#[path = "../src/solver/build/parts.rs"]
pub mod parts;

#[path = "../src/solver/build/sources.rs"]
mod sources;

#[path = "../build/tables.rs"]
pub mod tables;

#[path = "../src/solver/build/tokens.rs"]
pub mod tokens;

use parts::{CHOICE, ENGINE, NOTHING, PARTS};
use sources::Parts;

type Files = BTreeMap<String, Vec<String>>;

/// The tokens of the solver's sources as they are.
static FILES: LazyLock<Files> =
    LazyLock::new(|| sources::files(&root().join("src/solver")).expect("our own"));

/// What the results of each algorithm depend on, by name: its parts and their hashes, from which
/// the code version is made.
fn versions(parts: &Parts) -> BTreeMap<&'static str, BTreeMap<&'static str, String>> {
    let hashes = |algorithm: &&'static Algorithm| {
        let own = algorithm.part;
        let names = [own, ENGINE]
            .into_iter()
            .chain(parts[own].uses.iter().copied());
        let hashes = names.map(|name| (name, parts[name].hash()));
        (algorithm.name, hashes.collect())
    };
    ALGORITHMS.iter().map(hashes).collect()
}

/// The algorithms whose results are old with these files.
fn old_in(files: &Files) -> Vec<&'static str> {
    static NOW: LazyLock<BTreeMap<&str, BTreeMap<&str, String>>> =
        LazyLock::new(|| versions(&sources::parts(&FILES)));
    let after = versions(&sources::parts(files));
    let names = after.keys().copied();
    names.filter(|name| NOW[name] != after[name]).collect()
}

/// The sources with another text of a file, which need not be there.
fn with(file: &str, text: &str) -> Files {
    let mut files = FILES.clone();
    files.insert(file.to_owned(), tokens::of(text).expect("Rust").0);
    files
}

fn text(file: &str) -> String {
    text_of(root().join("src/solver").join(file))
}

/// The algorithms of these parts of their own.
fn of_parts(parts: &str) -> Vec<&'static str> {
    let words = words(parts);
    let is_of =
        |it: &&&'static Algorithm| parts == "all" || words.iter().any(|word| word == it.part);
    let of = ALGORITHMS.iter().filter(is_of);
    let mut names: Vec<_> = of.map(|it| it.name).collect();
    names.sort_unstable();
    names
}

const NONE: [&str; 0] = [];
const PAIRS: &str = "local/sites/pairs.rs";
const CELLS: &str = "local/sites/cells.rs";
const STEPWISE: &str = "local/stepwise.rs";

#[test]
fn comments_and_tests_make_no_result_old() {
    for file in [PAIRS, CELLS, STEPWISE, "rng.rs"] {
        let more = "// One more.\n/* And one. */\n\
            #[cfg(test)]\nmod more_tests {\n    #[test]\n    fn one() {}\n}\n\
            #[doc = \"Words.\"]\n#[cfg(test)]\npub(crate) fn two() {}\n\
            #[cfg(test)]\nuse std::{fmt, fs};\n";
        let better = text(file)
            .replace("{\n", "{\n\n\t ")
            .replace("//! ", "//! Better: ");
        assert_eq!(
            old_in(&with(file, &format!("{better}{more}"))),
            NONE,
            "{file}"
        );
    }
}

#[test]
fn a_change_makes_those_results_old_that_it_can_reach() {
    let both = "local synchronous";
    for (file, old, new, expected) in [
        (PAIRS, "Class::Open", "Class::Contested", both),
        (CELLS, "Directions::NONE", "Directions::ALL", both),
        (STEPWISE, "+= 1", "+= 2", both),
        ("synchronous.rs", "informed", "other", "synchronous"),
        ("factor/moves.rs", "self", "other", "factor"),
        ("exact/methods/rows.rs", "== 0", "!= 0", "exact"),
        ("cp/branching.rs", "== 0", "!= 0", "cp"),
        ("rng.rs", "u64", "u32", "all"),
        ("lib.rs", "mod", "pub mod", "all"),
        // What chooses, and what only replays, live pages and densities use.
        (
            "registry.rs",
            "factor::ALGORITHM,",
            "factor::ALGORITHM, more,",
            "",
        ),
        ("dynamics.rs", "fn ", "fn not_", ""),
        ("density.rs", "fn ", "fn not_", ""),
        ("build/parts.rs", "ENGINE", "MOTOR", ""),
    ] {
        let sound = text(file);
        assert!(sound.contains(old), "{file} has no {old:?}");
        let files = with(file, &sound.replace(old, new));
        assert_eq!(old_in(&files), of_parts(expected), "{file}: {new}");
    }
    // A folder counts with all that is in it, and a file that has no part for the engine.
    let deep = with("exact/methods/rows/a/b/c/d.rs", "pub fn more() {}");
    assert_eq!(old_in(&deep), of_parts("exact"));
    assert_eq!(
        old_in(&with("more.rs", "pub fn more() {}")),
        of_parts("all")
    );
}

/// A module behind `#[cfg(test)]` lies beside `lib.rs`, or in the folder of another file.
#[test]
fn files_that_only_tests_compile_do_not_count() {
    let place = Workplace::new();
    fs::create_dir_all(place.path().join("local/slow")).expect("a fresh folder");
    for (file, text) in [
        ("lib.rs", "#[cfg(test)] mod testing; mod local;"),
        ("testing.rs", "fn help() {}"),
        ("local.rs", "#[cfg(test)]\npub(crate) mod slow;"),
        ("local/slow.rs", "mod deep;"),
        ("local/slow/deep.rs", "fn f() {}"),
        ("local/testing.rs", "fn counts() {}"),
    ] {
        place.write(file, text);
    }
    let files = sources::files(place.path()).expect("Rust");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["lib.rs", "local.rs", "local/testing.rs"]);
    assert!(!FILES.contains_key("testing.rs"));
}

/// The tables count line by line; of Cargo.lock, what the solver needs and what writes tables.
#[test]
fn what_is_around_the_solver_counts_where_it_can_reach_a_row() {
    let texts = tables::TABLES.map(|name| text_of(root().join(name)));
    let lock = text_of(root().join("Cargo.lock"));
    let now = tables::lines(&texts, &lock);
    let version = |name: &str| {
        let head = format!("name = \"{name}\"\nversion = \"");
        assert!(lock.contains(&head), "Cargo.lock has no {name}");
        tables::lines(&texts, &lock.replace(&head, &format!("{head}9")))
    };
    for name in [
        "rand_core",
        "libm",
        "rayon",
        "polars",
        "polars-parquet",
        "zstd",
    ] {
        assert_ne!(version(name), now, "{name}");
    }
    for name in ["clap", "plotters", "strsim", "toml", "reines-solver"] {
        assert_eq!(version(name), now, "{name}");
    }
    let mut other = texts.clone();
    other[0] = format!("// Words.\n\n{}", other[0].replace("    ", "\t"));
    assert_eq!(tables::lines(&other, &lock), now);
    other[0] += "fn more() {}\n";
    assert_ne!(tables::lines(&other, &lock), now);
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
    for (text, expected) in [
        (
            "const X: &str = include_str!(\"x.txt\");",
            "include_str !: a file that would not count",
        ),
        ("#[path = \"y.rs\"] mod y;", "# [ path =: a file"),
        ("fn f( {", "a.rs: "),
    ] {
        let place = Workplace::new();
        place.write("a.rs", text);
        let refusal = sources::files(place.path()).expect_err("the sources are refused");
        has(&refusal, expected);
    }
}

/// A file of a part names no module but those of its own part, of the engine, and of the parts that
/// its own is declared to use.
#[test]
fn no_part_names_what_it_does_not_declare() {
    assert_eq!(undeclared(&FILES), NONE);
    for (used, uses) in PARTS
        .iter()
        .flat_map(|row| row.2.iter().map(|used| (used, row.2)))
    {
        let row = PARTS.iter().find(|row| row.0 == *used);
        let are_passed_on = row.is_some_and(|row| row.2.iter().all(|it| uses.contains(it)));
        assert!(are_passed_on, "{used}: what it uses is not passed on");
    }
    let sound = text(CELLS);
    for (more, found) in [
        ("use crate::factor::lattice;", "factor"),
        ("use crate::{Point, cp::Y};", "cp"),
        ("use super::super::super::{factor, point};", "factor"),
        ("fn f() { crate::factor::lattice::g() }", "factor"),
        ("use crate::density;", "density"),
        ("use crate::local::rules; fn exact(cp: u8) -> u8 { cp }", ""),
    ] {
        let told = undeclared(&with(CELLS, &format!("{sound}\n{more}")));
        let expected = format!("{CELLS}: names {found} (src/solver/build/parts.rs)");
        let expected: Vec<String> = [expected].into_iter().take(found.len().min(1)).collect();
        assert_eq!(told, expected, "{more}");
    }
}

/// A line for each module that a file names and the file's part does not declare.
fn undeclared(files: &Files) -> Vec<String> {
    let mut told = Vec::new();
    for (file, texts) in files {
        let &(part, _, uses) = sources::part_of(file);
        if [CHOICE, NOTHING].contains(&part) {
            continue;
        }
        let is_free = |other: &str| [part, CHOICE].contains(&other) || uses.contains(&other);
        let others = PARTS.iter().filter(|row| !is_free(row.0));
        for name in others.flat_map(|row| row.1).filter(|it| names(texts, it)) {
            told.push(format!("{file}: names {name} (src/solver/build/parts.rs)"));
        }
    }
    told
}

/// True if the tokens have this name in a path or in a `use`.
pub fn names(texts: &[String], name: &str) -> bool {
    let text = |at: usize| texts.get(at).map_or("", String::as_str);
    let mut in_use = false;
    (0..texts.len()).any(|at| {
        in_use = text(at) == "use" || in_use && text(at) != ";";
        let before = at.checked_sub(1).map_or("", text);
        text(at) == name && (in_use || before == "::" || text(at + 1) == "::")
    })
}
