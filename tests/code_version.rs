//! What makes a result old: the builds' own hashing on changed copies of the sources.
//! (`transcripts/damaged.txt` has what is taken over of older results.)

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reines::solver::{ALGORITHMS, Algorithm};

use crate::program::{Workplace, has, root, text_of, tree, words};

/// Only its `main` is not called here.
#[path = "../src/solver/build.rs"]
#[allow(dead_code)]
pub mod build;

#[path = "../build/tables.rs"]
pub mod tables;

use build::{PARTS, code, files, parts};

type Files = BTreeMap<String, String>;

/// The code of the solver's files as they are.
static FILES: LazyLock<Files> = LazyLock::new(|| files(&solver().to_string_lossy()));

fn solver() -> PathBuf {
    root().join("src/solver")
}

/// The parts of these files: hash, and the parts that each uses, by name.
fn hashes(files: &Files) -> BTreeMap<String, (String, Vec<String>)> {
    let parts = parts(files);
    let part = |line: &str| {
        let mut words = line.split(' ').map(str::to_owned);
        let (hash, name) = (words.next()?, words.next()?);
        Some((name, (hash, words.collect())))
    };
    parts.split(';').filter_map(part).collect()
}

/// What the results of each algorithm depend on, by name: the hashes of its part, of what that
/// uses and of the engine, from which the code version is made.
fn versions(files: &Files) -> BTreeMap<&'static str, Vec<String>> {
    let parts = hashes(files);
    let hashes = |algorithm: &'static Algorithm| {
        let (own, used) = &parts[algorithm.part];
        let used = used.iter().map(String::as_str).chain(["engine"]);
        let used = used.map(|name| parts[name].0.clone());
        (algorithm.name, used.chain([own.clone()]).collect())
    };
    ALGORITHMS.iter().map(hashes).collect()
}

/// The algorithms whose results are old with these files.
fn old_in(files: &Files) -> Vec<&'static str> {
    static NOW: LazyLock<BTreeMap<&str, Vec<String>>> = LazyLock::new(|| versions(&FILES));
    let after = versions(files);
    let names = after.keys().copied();
    names.filter(|name| NOW[name] != after[name]).collect()
}

/// The sources with another text of a file, which need not be there.
fn with(file: &str, text: &str) -> Files {
    let mut files = FILES.clone();
    files.insert(file.to_owned(), code(file, text));
    files
}

fn text(file: &str) -> String {
    text_of(solver().join(file))
}

/// The algorithms of these parts of their own.
fn of_parts(parts: &str) -> Vec<&'static str> {
    let words = words(parts);
    let is_of =
        |it: &&'static Algorithm| parts == "all" || words.iter().any(|word| word == it.part);
    let of = ALGORITHMS.iter().filter(is_of);
    let mut names: Vec<_> = of.map(|it| it.name).collect();
    names.sort_unstable();
    names
}

const NONE: [&str; 0] = [];
const PAIRS: &str = "local/sites/pairs.rs";
const CELLS: &str = "local/sites/cells.rs";

/// A line before which each file of the solver has its code; behind it are tests alone.
const TESTS: &str = "#[cfg(test)]\nmod tests {\n";

/// The names of the solver's files, of tests and not.
fn names() -> Vec<String> {
    let name = |(path, _): (PathBuf, u64)| {
        let name = path.strip_prefix(solver()).ok()?.to_str()?.to_owned();
        (name.ends_with(".rs") && name != "build.rs").then_some(name)
    };
    tree(&solver()).into_iter().filter_map(name).collect()
}

fn write(place: &Workplace, name: &str, text: &str) {
    let folder = place.path().join(name).parent().map(fs::create_dir_all);
    folder.expect("below a folder").expect("a fresh folder");
    place.write(name, text);
}

fn is_of_tests(name: &str) -> bool {
    let name = Path::new(name).with_extension("");
    name.iter().any(|part| part == "tests")
}

/// In a copy: every file has a comment and a blank line more at each of its lines, and other tests.
#[test]
fn comments_and_tests_make_no_result_old() {
    let place = Workplace::new();
    for name in names() {
        let text = text(&name);
        let (code, tests) = text.split_once(TESTS).unwrap_or((&text, ""));
        let more = |code: &str| code.replace(";\n", ";\n\n    // One more.\n");
        let changed = match (is_of_tests(&name), tests) {
            (true, _) => text + "fn one_more() {}\n",
            (false, "") => more(code),
            _ => format!("{}{TESTS}    fn one_more() {{}}\n{tests}", more(code)),
        };
        write(&place, &name, &changed);
    }
    write(&place, "local/tests/deep/more.rs", "fn more() {}\n");
    let first = format!("{}{TESTS}}}\n", text("goal.rs"));
    write(&place, "goal.rs", &first);
    assert_eq!(files(place.path().to_str().expect("UTF-8")), *FILES);
}

/// In every file, wherever an item for tests stands before it.
#[test]
fn every_line_of_code_counts() {
    let mut lines = 0;
    for name in names().iter().filter(|name| !is_of_tests(name)) {
        let text = text(name);
        let its = text.split(TESTS).next().expect("its code");
        let mut before = String::new();
        for line in its.split_inclusive('\n') {
            let word = line.trim_start();
            let is_of_tests = word.starts_with("#[cfg(test)]") || word.contains("mod tests;");
            if !word.is_empty() && !word.starts_with("//") && !is_of_tests {
                let behind = &text[before.len() + line.len()..];
                let changed = format!("{before}{} more\n{behind}", line.trim_end());
                assert_ne!(code(name, &changed), FILES[name], "{name}: {line}");
                lines += 1;
            }
            before += line;
        }
        let more = with(name, &format!("fn more() {{}}\n{text}"));
        assert_ne!(hashes(&more), hashes(&FILES), "{name}");
    }
    assert!(lines > 8_000, "{lines} lines");
}

#[test]
fn a_change_makes_those_results_old_that_it_can_reach() {
    let both = "local synchronous";
    for (file, old, new, expected) in [
        (PAIRS, "Class::Open", "Class::Contested", both),
        (CELLS, "Directions::NONE", "Directions::ALL", both),
        ("local/stepwise.rs", "+= 1", "+= 2", both),
        ("synchronous.rs", "informed", "other", "synchronous"),
        ("factor/moves.rs", "self", "other", "factor"),
        ("exact/methods/rows.rs", "== 0", "!= 0", "exact"),
        ("cp/branching.rs", "== 0", "!= 0", "cp"),
        ("rng.rs", "u64", "u32", "all"),
        ("lib.rs", "pub mod rng", "mod rng", "all"),
        // What chooses, and what only replays and densities use.
        ("registry.rs", "factor::ALGORITHM,", "more,", ""),
        ("dynamics.rs", "fn ", "fn not_", ""),
        ("density.rs", "fn ", "fn not_", ""),
    ] {
        let sound = text(file);
        assert!(sound.contains(old), "{file} has no {old:?}");
        let files = with(file, &sound.replace(old, new));
        assert_eq!(old_in(&files), of_parts(expected), "{file}: {new}");
    }
    // A folder counts with all that is in it, and a file that has no part for the engine.
    let deep = with("exact/methods/rows/a/b/c/d.rs", "pub fn more() {}");
    assert_eq!(old_in(&deep), of_parts("exact"));
    let more = with("more.rs", "pub fn more() {}");
    assert_eq!(old_in(&more), of_parts("all"));
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
    for name in words("rand_core libm rayon polars polars-parquet zstd") {
        assert_ne!(version(&name), now, "{name}");
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

#[test]
fn sources_that_would_not_count_are_refused() {
    let tests = "#[cfg(test)]\nmod tests {";
    let foreign = "brings in what does not count";
    let behind = "code behind `mod tests { … }`";
    for (text, expected) in [
        ("const X: &str = include_str!(\"x.txt\");\n", foreign),
        ("#[path = \"y.rs\"]\nmod y;\n", foreign),
        ("#[cfg_attr(unix, path = \"y.rs\")]\nmod y;\n", foreign),
        ("pub mod tests;\n", foreign),
        (&format!("{tests}\n}}\nfn f() {{}}\n"), behind),
        (
            &format!("{tests}\n}}\nmod y;\n#[cfg(test)]\nmod more {{\n}}\n"),
            behind,
        ),
        (&format!("{tests}}} fn f() {{}}\n"), behind),
    ] {
        let refusal = catch_unwind(|| code("a.rs", text)).expect_err("the sources are refused");
        let words = refusal.downcast_ref::<String>().expect("words");
        has(words, &format!("a.rs: {expected}"));
    }
}

/// A file of a part names no module but those of its own part, of the engine, of what chooses, and
/// of the parts that its own is declared to use.
#[test]
fn no_part_names_what_it_does_not_declare() {
    assert_eq!(undeclared(&FILES), NONE);
    let parts = hashes(&FILES);
    for (name, (_, used)) in &parts {
        let mut passed_on = used.iter().flat_map(|it| &parts[it].1);
        let declares_all = passed_on.all(|it| used.contains(it));
        assert!(declares_all, "{name} does not declare all");
    }
    let sound = text(CELLS);
    for (more, found) in [
        ("use crate::factor::lattice;", "factor"),
        ("use crate::{\n    Point,\n    cp::Y,\n};", "cp"),
        ("use super::super::super::{factor, point};", "factor"),
        ("fn f() { crate::factor::lattice::g() }", "factor"),
        ("use crate::density;", "density"),
        ("use crate::local::rules; fn exact(cp: u8) -> u8 { cp }", ""),
    ] {
        let told = undeclared(&with(CELLS, &format!("{more}\n{sound}")));
        let expected = format!("{CELLS}: names {found} (src/solver/build.rs)");
        let expected: Vec<String> = [expected].into_iter().take(found.len().min(1)).collect();
        assert_eq!(told, expected, "{more}");
    }
}

/// A line for each module that a file names and the file's part does not declare.
fn undeclared(files: &Files) -> Vec<String> {
    const CHOICE: [&str; 2] = ["registry", "dynamics"];
    let mut told = Vec::new();
    for (file, code) in files {
        let top = file.split(['/', '.']).next().expect("a name");
        let row = PARTS.split(';').map(words).find(|row| row[0] == top);
        let free = row.unwrap_or_default();
        let others = PARTS.split(';').filter_map(|row| row.split(' ').next());
        for name in others.filter(|it| !CHOICE.contains(it) && !free.iter().any(|own| own == it)) {
            if !CHOICE.contains(&top) && names_in(code, name) {
                told.push(format!("{file}: names {name} (src/solver/build.rs)"));
            }
        }
    }
    told
}

/// True if the code has this name in a path or in a `use`.
pub fn names_in(code: &str, name: &str) -> bool {
    places(code, name).any(|(before, after)| {
        let statement = before.rsplit(';').next().expect("a piece");
        let is_used = places(statement, "use").next().is_some();
        is_used || before.ends_with("::") || after.starts_with("::")
    })
}

/// What stands before and after these words, wherever the code has them and not only as a part of
/// longer words.
pub fn places<'a>(code: &'a str, words: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let goes_on = |it: char| it.is_alphanumeric() || it == '_';
    let around = code.match_indices(words);
    let around = around.map(|(at, it)| (&code[..at], &code[at + it.len()..]));
    around.filter(move |(before, after)| {
        !(before.ends_with(goes_on) || words.ends_with(goes_on) && after.starts_with(goes_on))
    })
}
