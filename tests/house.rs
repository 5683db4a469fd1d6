//! The rules of the house, read from the sources: which module uses which, who prints, who knows a
//! clock, and how wide a comment is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::code_version::{names, tokens};
use crate::program::{root, text_of, tree};

/// Each module and the other modules that it may use. `cli` is the only one that may use all; a new
/// module needs a line here.
const MODULES: [(&str, &str); 11] = [
    ("analysis", "experiment results solver"),
    (
        "cli",
        "analysis drawing experiment html pages replay report results solver",
    ),
    ("drawing", "html solver theme"),
    ("experiment", "solver"),
    ("html", "theme"),
    (
        "pages",
        "analysis drawing experiment html report results solver",
    ),
    ("replay", "drawing html report solver"),
    (
        "report",
        "analysis drawing experiment html results solver theme",
    ),
    ("results", "experiment solver"),
    ("solver", ""),
    ("theme", ""),
];

const WIDTH: usize = 100;

/// A file of the library: its module, and its tokens as one text, words apart, without comments,
/// tests and the insides of texts.
struct Source {
    path: PathBuf,
    module: String,
    code: String,
}

impl Source {
    fn has(&self, words: &str) -> bool {
        self.code.contains(&format!(" {words} "))
    }
}

/// Every Rust file below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let files = tree(folder).into_iter().map(|(path, _)| path);
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|it| it == "rs");
    files.filter(is_rust).collect()
}

/// The tokens as the build has them; here it does not matter that a file brings in others.
fn tokens(path: &Path, with_tests: bool) -> Vec<String> {
    let text = text_of(path).replace("include_", "bring_in_");
    let text = if with_tests {
        text.replace("#[cfg(test)]", "")
    } else {
        text
    };
    let (texts, _) =
        tokens::of(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    texts
}

/// The files of the library's modules, and `lib.rs`.
fn sources() -> Vec<Source> {
    let src = root().join("src");
    let code = |path: &Path| {
        let texts = tokens(path, false).into_iter();
        let kept = texts.filter(|text| !text.contains(['"', '\'']));
        format!(" {} ", kept.collect::<Vec<_>>().join(" "))
    };
    let source = |path: PathBuf| {
        let mut inside = path.strip_prefix(&src).expect("below src").iter();
        let first = inside.next().expect("a name").to_string_lossy();
        Source {
            module: first.trim_end_matches(".rs").to_owned(),
            code: code(&path),
            path,
        }
    };
    let mut files = rust_files(&src);
    // The solver's build script, which is no part of it.
    files.retain(|path| !path.starts_with(src.join("solver/build")));
    let mut sources: Vec<Source> = files.into_iter().map(source).collect();
    // Neither the program's file nor a module of the library that is of tests only.
    let library = code(&src.join("lib.rs"));
    let is_of_it = |module: &str| {
        ["lib", "solver"].contains(&module) || library.contains(&format!(" mod {module} ;"))
    };
    sources.retain(|source| is_of_it(&source.module));
    sources
}

fn assert_none(found: Vec<String>) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_module_is_listed() {
    let sources = sources();
    let mut modules: BTreeSet<&str> = sources.iter().map(|source| &*source.module).collect();
    modules.remove("lib");
    assert_eq!(modules, MODULES.map(|(module, _)| module).into());
}

/// `solver` uses no other module, `experiment` only `solver`, and so on, tests included: data walks
/// one way.
#[test]
fn no_module_uses_one_that_comes_later() {
    let mut found = Vec::new();
    for source in sources() {
        let Some((module, may_use)) = MODULES.iter().find(|(module, _)| *module == source.module)
        else {
            continue;
        };
        // A package of its own, which the compiler keeps apart.
        if *module == "solver" {
            continue;
        }
        let texts = tokens(&source.path, true);
        let others = MODULES.iter().map(|(other, _)| *other);
        let others = others.filter(|it| it != module && !may_use.split(' ').any(|may| may == *it));
        for other in others.filter(|other| names(&texts, other)) {
            let file = source.path.display();
            found.push(format!("{file}: `{module}` uses `{other}`"));
        }
    }
    assert_none(found);
}

#[test]
fn solver_and_analysis_have_no_clock_and_no_environment() {
    const WORDS: [&str; 7] = [
        "Instant",
        "SystemTime",
        "std :: time",
        "chrono",
        "std :: env",
        "std :: fs",
        "std :: net",
    ];
    let modules = ["solver", "analysis"];
    assert_none(uses(&WORDS, |module| modules.contains(&module)));
}

/// A line for each of these words in the modules.
fn uses(words: &[&str], is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let mut sources = sources();
    sources.retain(|source| is_meant(&source.module));
    assert!(sources.len() > 10, "nothing is looked at");
    let of = |source: &Source| {
        let found = words.iter().filter(|words| source.has(words));
        let lines = found.map(|words| format!("{}: {words}", source.path.display()));
        lines.collect::<Vec<_>>()
    };
    sources.iter().flat_map(of).collect()
}

/// Only `cli` prints and reads a command line. `main.rs` is its door: it parses and prints the
/// error.
#[test]
fn only_the_command_line_prints() {
    const WORDS: [&str; 8] = [
        "print !",
        "println !",
        "dbg !",
        "stdout ( )",
        "stderr ( )",
        "clap",
        "indicatif",
        "signal_hook",
    ];
    assert_none(uses(&WORDS, |module| module != "cli"));
}

/// Rustfmt with its defaults keeps code to 100 columns but leaves comments alone. Lines of a table
/// and of an example cannot be wrapped.
#[test]
fn comments_are_no_wider_than_code() {
    for name in ["rustfmt.toml", ".rustfmt.toml"] {
        assert!(!root().join(name).exists(), "{name}: rustfmt's defaults");
    }
    let folders = ["src", "tests", "benches", "build", "examples"].map(|name| root().join(name));
    let there = folders.iter().filter(|folder| folder.is_dir());
    let mut files: Vec<PathBuf> = there.flat_map(|folder| rust_files(folder)).collect();
    files
        .extend(["Makefile", "Cargo.toml", "clippy.toml", ".ci/run"].map(|name| root().join(name)));
    let mut found = Vec::new();
    for path in files {
        let mark = if path.extension().is_some_and(|it| it == "rs") {
            "//"
        } else {
            "#"
        };
        let mut in_example = false;
        for (line, number) in text_of(&path).lines().zip(1..) {
            let text = line.trim_start();
            let after = line.rsplit_once(&format!(" {mark} ")).map(|(_, rest)| rest);
            let is_comment = text.starts_with(mark) || after.is_some_and(|it| !it.contains('"'));
            let words = text.trim_start_matches(['/', '!', '#']).trim_start();
            in_example ^= text.starts_with(mark) && words.starts_with("```");
            let width = line.chars().count();
            if width > WIDTH && is_comment && !in_example && !words.starts_with('|') {
                found.push(format!("{}:{number}: {width} columns", path.display()));
            }
        }
    }
    assert_none(found);
}
