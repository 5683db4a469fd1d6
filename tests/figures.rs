//! The shipped figures, drawn from the reference results: not a byte of a figure or of its table
//! changes unseen.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reines::experiment::spec;
use reines::report;

use crate::program::{Workplace, files_of, name_of, text_of};

/// A line for each file: its BLAKE3 hash and its name.
const HASHES: &str = include_str!("data/figures.txt");

/// The hashes of all figures and tables of `experiments/`. The code version is left out of what is
/// hashed: it changes with code that has nothing to do with figures. The wall-clock times in the
/// reference results are committed with them, so figures of times have fixed bytes here.
#[test]
fn figures_of_the_reference_results_have_the_bytes_that_they_had() {
    let found: String = drawn()
        .0
        .iter()
        .map(|(name, text)| format!("{}  {name}\n", blake3::hash(text.as_bytes()).to_hex()))
        .collect();
    let mut changed: Vec<&str> = found
        .lines()
        .chain(HASHES.lines())
        .filter(|line| found.contains(line) != HASHES.contains(line))
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    changed.sort_unstable();
    changed.dedup();
    if !changed.is_empty() {
        let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures.txt");
        fs::write(&renewed, &found).expect("cargo's temporary folder can be written");
        panic!(
            "other bytes than tests/data/figures.txt says: {changed:?}. If that is meant, look at the figures (`reines report --results results/reference \
             --figures DIR experiments/*.toml`) and renew the list: cp {} tests/data/figures.txt",
            renewed.display()
        );
    }
}

/// Figures that show seconds change with every run: git does not see those in figures/, and has
/// those of the reference results in docs/wall-clock.
#[test]
fn figures_of_wall_clock_times_leave_the_tree_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| text_of(root.join(name));
    let (ignored, makefile) = (read(".gitignore"), read("Makefile"));
    let named = makefile
        .lines()
        .find_map(|line| line.strip_prefix("WALL_CLOCK := "));
    let mut expected = Vec::new();
    for path in files_of(&root.join("experiments"), ".toml") {
        let spec = spec::read(&path, &report::kinds()).expect("a spec");
        let kind = |name: &str| report::figure(name).expect("a figure of the spec");
        let timed = spec
            .figures
            .iter()
            .filter(|it| kind(&it.kind).shows_seconds());
        expected.extend(timed.map(|figure| figure.name.clone()));
    }
    expected.sort();
    assert!(!expected.is_empty());
    for name in &expected {
        let line = format!("/figures/{name}.*");
        assert!(ignored.lines().any(|it| it == line), ".gitignore: {line}");
        for ending in ["svg", "csv", "md"] {
            let file = format!("docs/wall-clock/{name}.{ending}");
            assert!(root.join(&file).exists(), "{file}");
        }
    }
    assert_eq!(named, Some(&*expected.join(" ")), "Makefile, WALL_CLOCK");
}

/// Name and text of every file that `reines report` writes of the reference results, in order of
/// the names, and the page with all of them; drawn once for all tests.
pub fn drawn() -> &'static (Vec<(String, String)>, String) {
    static DRAWN: LazyLock<(Vec<(String, String)>, String)> = LazyLock::new(draw);
    &DRAWN
}

fn draw() -> (Vec<(String, String)>, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let specs = files_of(&root.join("experiments"), ".toml");
    let text = |path: &PathBuf| path.to_str().expect("our paths are text").to_owned();
    let results = text(&root.join("results/reference"));
    let options = [
        "report",
        "--figures",
        "figures",
        "--html",
        "index.html",
        "--results",
    ];
    let mut arguments: Vec<String> = options.map(str::to_owned).to_vec();
    arguments.push(results);
    arguments.extend(specs.iter().map(text));
    let workplace = Workplace::new();
    workplace.succeed(arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let files = files_of(&workplace.path().join("figures"), "");
    let file = |path: &PathBuf| (name_of(path), without_code_version(&text_of(path)));
    let files = files.iter().map(file).collect();
    let page = workplace.text("index.html");
    (files, page)
}

/// `…, code version 0.1.0-1a2b3c4d, plan …` without the version.
fn without_code_version(text: &str) -> String {
    const BEFORE: &str = ", code version ";
    let mut pieces = text.split(BEFORE);
    let mut left = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        left.push_str(BEFORE);
        left.push_str(piece.split_once(", plan ").map_or(piece, |(_, plan)| plan));
    }
    left
}
