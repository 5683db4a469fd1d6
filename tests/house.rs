//! The rules of the house, read from the sources: which room uses which, who prints, who knows a
//! clock, and how wide a comment is.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the other rooms that it may use. `cli` is the only one that may use all; a new
/// room needs a line here.
const ROOMS: [(&str, &[&str]); 11] = [
    ("analysis", &["experiment", "results", "solver"]),
    (
        "cli",
        &[
            "analysis",
            "cluster",
            "drawing",
            "experiment",
            "html",
            "pages",
            "replay",
            "report",
            "results",
            "solver",
        ],
    ),
    ("cluster", &["experiment"]),
    ("drawing", &["html", "solver"]),
    ("experiment", &["solver"]),
    ("html", &[]),
    ("pages", &["experiment", "html", "report"]),
    ("replay", &["drawing", "html", "report", "solver"]),
    (
        "report",
        &[
            "analysis",
            "drawing",
            "experiment",
            "html",
            "results",
            "solver",
        ],
    ),
    ("results", &["experiment", "solver"]),
    ("solver", &[]),
];

const WIDTH: usize = 100;

/// A source file below `src`: its path there, and its modules' names from the crate's root.
struct Source {
    path: String,
    modules: Vec<String>,
    /// Comments and the insides of texts as blanks.
    code: String,
}

impl Source {
    fn room(&self) -> &str {
        &self.modules[0]
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every Rust file below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are here") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The files of the library's rooms, and `lib.rs`.
fn sources() -> Vec<Source> {
    let src = root().join("src");
    let source = |path: PathBuf| {
        let inside = path
            .strip_prefix(&src)
            .expect("below src")
            .with_extension("");
        Source {
            path: path
                .strip_prefix(root())
                .expect("below")
                .display()
                .to_string(),
            modules: inside
                .iter()
                .map(|name| name.to_string_lossy().into_owned())
                .collect(),
            code: blanked(&read(&path)).0,
        }
    };
    let mut sources: Vec<Source> = rust_files(&src).into_iter().map(source).collect();
    // Neither the program's file nor a module of the library that is of tests only.
    let library = without_tests(&blanked(&read(&src.join("lib.rs"))).0);
    sources.retain(|source| {
        source.room() == "lib" || library.contains(&format!("mod {};", source.room()))
    });
    sources
}

/// The code with comments and the insides of texts as blanks, and the comments with all else as
/// blanks; lines keep their places.
fn blanked(text: &str) -> (String, String) {
    let chars: Vec<char> = text.chars().collect();
    let (mut code, mut comments) = (String::new(), String::new());
    let mut at = 0;
    while at < chars.len() {
        let (end, is_comment) = token(&chars, at);
        for &c in &chars[at..end] {
            let blank = if c == '\n' { '\n' } else { ' ' };
            code.push(if is_comment || end > at + 1 { blank } else { c });
            comments.push(if is_comment { c } else { blank });
        }
        at = end;
    }
    (code, comments)
}

/// The end of what begins here, a comment, a text or a character, and whether it is a comment.
fn token(chars: &[char], at: usize) -> (usize, bool) {
    let begins = |word: &str| {
        word.chars()
            .eq(chars[at..].iter().copied().take(word.len()))
    };
    let until = |from: usize, word: &str| {
        let word: Vec<char> = word.chars().collect();
        (from..chars.len())
            .find(|&i| chars[i..].starts_with(&word))
            .map_or(chars.len(), |i| i + word.len())
    };
    if begins("//") {
        return (until(at, "\n") - 1, true);
    }
    if begins("/*") {
        return (until(at + 2, "*/"), true);
    }
    let in_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    if begins("r\"") || begins("r#") && !in_word {
        let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
        if chars.get(at + 1 + hashes) == Some(&'"') {
            let close = format!("\"{}", "#".repeat(hashes));
            return (until(at + 2 + hashes, &close), false);
        }
    }
    if begins("\"") {
        return (quoted(chars, at + 1, '"'), false);
    }
    // A character, not a lifetime.
    if begins("'") && (chars.get(at + 1) == Some(&'\\') || chars.get(at + 2) == Some(&'\'')) {
        return (quoted(chars, at + 1, '\''), false);
    }
    (at + 1, false)
}

/// The place after a closing quote.
fn quoted(chars: &[char], mut at: usize, quote: char) -> usize {
    while at < chars.len() && chars[at] != quote {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The names, one after another, that `code` has as `crate::<name>` or reaches by `super::` from a
/// module as deep as `depth`.
fn top_names(code: &str, depth: usize) -> Vec<String> {
    let name = |rest: &str| -> String {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let mut names: Vec<String> = code.split("crate::").skip(1).map(name).collect();
    let mut rest = code;
    while let Some(place) = rest.find("super::") {
        rest = &rest[place..];
        let mut steps = 0;
        while let Some(above) = rest.strip_prefix("super::") {
            (steps, rest) = (steps + 1, above);
        }
        if steps >= depth {
            names.push(name(rest));
        }
    }
    names
}

/// Whether `word` stands in `code` with no letter, digit or `_` on either side.
fn has_word(code: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        !code[..at].ends_with(part_of_name) && !code[at + word.len()..].starts_with(part_of_name)
    })
}

/// The code without the items behind `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some((before, item)) = rest.split_once("#[cfg(test)]") {
        kept += before;
        let mut depth = 0;
        let end = item.char_indices().find(|&(_, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0 && (c == '}' || c == ';')
        });
        rest = &item[end.map_or(item.len(), |(at, _)| at + 1)..];
    }
    kept + rest
}

fn assert_none(found: Vec<String>) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_room_is_listed() {
    let mut rooms: Vec<String> = sources()
        .iter()
        .map(|source| source.room().to_owned())
        .filter(|room| room != "lib")
        .collect();
    rooms.sort();
    rooms.dedup();
    assert_eq!(rooms, ROOMS.map(|(room, _)| room));
}

/// `solver` uses no other room, `experiment` only `solver`, and so on: data walks one way.
#[test]
fn no_room_uses_one_that_comes_later() {
    let mut found = Vec::new();
    for source in sources() {
        let Some((room, may_use)) = ROOMS.iter().find(|(room, _)| *room == source.room()) else {
            continue;
        };
        assert!(
            !source.code.contains("crate::{"),
            "{}: one line for each `use crate::…`, which this test can read",
            source.path
        );
        for name in top_names(&source.code, source.modules.len()) {
            let is_room = ROOMS.iter().any(|(other, _)| *other == name);
            if is_room && name != *room && !may_use.contains(&name.as_str()) {
                found.push(format!("{}: `{room}` uses `{name}`", source.path));
            }
        }
    }
    assert_none(found);
}

#[test]
fn solver_and_analysis_have_no_clock_and_no_environment() {
    const WORDS: [&str; 7] = [
        "Instant",
        "SystemTime",
        "std::time",
        "chrono",
        "std::env",
        "std::fs",
        "std::net",
    ];
    let sources = sources();
    let found = sources
        .iter()
        .filter(|source| ["solver", "analysis"].contains(&source.room()))
        .flat_map(|source| {
            let code = without_tests(&source.code);
            WORDS
                .iter()
                .filter(move |word| has_word(&code, word))
                .map(move |word| format!("{}: {word}", source.path))
        });
    assert_none(found.collect());
}

/// Only `cli` prints and reads a command line. `main.rs` is its door: it parses and prints the
/// error.
#[test]
fn only_the_command_line_prints() {
    const PRINTS: [&str; 5] = ["print!(", "println!(", "dbg!(", "stdout()", "stderr()"];
    const WORDS: [&str; 3] = ["clap", "indicatif", "ctrlc"];
    let sources = sources();
    let found = sources
        .iter()
        .filter(|source| source.room() != "cli")
        .flat_map(|source| {
            let code = without_tests(&source.code);
            let prints = PRINTS.iter().filter(|word| code.contains(*word));
            let knows = WORDS.iter().filter(|word| has_word(&code, word));
            prints
                .chain(knows)
                .map(|word| format!("{}: {word}", source.path))
                .collect::<Vec<_>>()
        });
    assert_none(found.collect());
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
    files.extend(Some(root().join("build.rs")).filter(|path| path.exists()));
    let mut found = Vec::new();
    for path in files {
        let text = read(&path);
        let (_, comments) = blanked(&text);
        let mut in_example = false;
        for ((line, comment), number) in text.lines().zip(comments.lines()).zip(1..) {
            let words = comment.trim().trim_start_matches(['/', '!']).trim_start();
            in_example ^= words.starts_with("```");
            let is_free = words.is_empty() || words.starts_with('|') || in_example;
            let width = line.chars().count();
            if width > WIDTH && !is_free {
                found.push(format!("{}:{number}: {width} columns", path.display()));
            }
        }
    }
    for name in ["Makefile", "Cargo.toml", "clippy.toml", ".ci/run"] {
        for (line, number) in read(&root().join(name)).lines().zip(1..) {
            let width = line.chars().count();
            if line.trim_start().starts_with('#') && width > WIDTH {
                found.push(format!("{name}:{number}: {width} columns"));
            }
        }
    }
    assert_none(found);
}

/// The reader of sources, on what could mislead it.
#[test]
fn comments_and_texts_are_not_code() {
    let text =
        "a // crate::x \"\nb /* crate::y */ c \"crate::z \\\" //\" '\"' 'q: r#\"crate::w\"# d";
    let (code, comments) = blanked(text);
    assert_eq!(
        code.split_whitespace().collect::<Vec<_>>(),
        ["a", "b", "c", "'q:", "d"]
    );
    assert_eq!(
        comments.split_whitespace().collect::<Vec<_>>(),
        ["//", "crate::x", "\"", "/*", "crate::y", "*/"]
    );
    assert_eq!(code.lines().count(), comments.lines().count());
    let names = top_names("use super::super::report::x; crate::cli::y; super::z", 2);
    assert_eq!(names, ["cli", "report"]);
    assert_eq!(
        without_tests("a #[cfg(test)] mod t { { } } b #[cfg(test)] mod u; c")
            .split_whitespace()
            .collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    assert!(has_word("std::time::Instant;", "Instant") && !has_word("Instantiate", "Instant"));
}
