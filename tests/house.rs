//! The rules of the house, read from the sources: which module uses which, who prints, who knows a
//! clock, how wide a comment is, and how plainly the code is written.

mod plain;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use crate::code_version::{build, names_in, places};
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

/// A file of the library: its module, its lines without comments, and those without tests, too.
struct Source {
    path: PathBuf,
    module: String,
    lines: String,
    code: String,
}

impl Source {
    fn new(path: PathBuf, text: &str) -> Self {
        // Here it does not matter that a file brings in others.
        let text = text.replace("include_", "bring_in_");
        let inside = path.strip_prefix(root().join("src")).expect("below src");
        let first = inside.iter().next().expect("a name").to_string_lossy();
        Self {
            module: first.trim_end_matches(".rs").to_owned(),
            lines: build::code(
                &first,
                &text.replace("#[cfg(test)]\nmod tests {", "mod its {"),
            ),
            code: build::code(&first, &text),
            path,
        }
    }

    /// The file that has what a path names here.
    fn file_of(&self, path: &str) -> Option<PathBuf> {
        let mut at = self.path.with_extension("");
        for part in path.split("::") {
            match part {
                "crate" if self.module == "solver" => at = root().join("src/solver"),
                "crate" => at = root().join("src"),
                "super" => drop(at.pop()),
                part => at.push(part.trim_start_matches("self")),
            }
        }
        let mut files = at.ancestors().map(|it| it.with_extension("rs"));
        files.find(|file| file.is_file())
    }
}

/// Every Rust file below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let files = tree(folder).into_iter().map(|(path, _)| path);
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|it| it == "rs");
    files.filter(is_rust).collect()
}

/// The files of the library's modules, and `lib.rs`.
fn sources() -> Vec<Source> {
    let src = root().join("src");
    let mut files = rust_files(&src);
    // The solver's build script, which is no part of it.
    files.retain(|path| *path != src.join("solver/build.rs"));
    let sources = files.into_iter().map(|path| {
        let text = text_of(&path);
        Source::new(path, &text)
    });
    // Neither the program's file nor a module of the library that is of tests only.
    let library = text_of(src.join("lib.rs"));
    let its = library.lines().map(|line| line.trim_start_matches("pub "));
    let its: Vec<&str> = its.collect();
    let is_of_it = |module: &str| {
        ["lib", "solver"].contains(&module) || its.contains(&&*format!("mod {module};"))
    };
    sources.filter(|source| is_of_it(&source.module)).collect()
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
    assert_none(arrows(&sources()));
}

/// A line for each file that uses a module which its own may not use.
fn arrows(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let listed = MODULES.iter().find(|it| it.0 == source.module);
        // The solver is a package of its own, which the compiler keeps apart.
        let Some((module, may_use)) = listed.filter(|it| it.0 != "solver") else {
            continue;
        };
        let others = MODULES.iter().map(|(other, _)| *other);
        let others = others.filter(|it| it != module && !may_use.split(' ').any(|may| may == *it));
        for other in others.filter(|other| names_in(&source.lines, other)) {
            let file = source.path.display();
            found.push(format!("{file}: `{module}` uses `{other}`"));
        }
    }
    found
}

/// A module and the parts of it may use each other.
#[test]
fn no_files_use_each_other_in_a_circle() {
    assert_none(circles(&sources()));
}

/// A line for each circle of files of which each has a `use` of the next.
fn circles(sources: &[Source]) -> Vec<String> {
    let mut uses: BTreeMap<&Path, BTreeSet<PathBuf>> = BTreeMap::new();
    for source in sources {
        let used = paths(&source.code).into_iter();
        let used = used.filter_map(|path| source.file_of(&path));
        let outside = used.filter(|file| *file != source.path && !is_part(file, &source.path));
        uses.entry(&source.path).or_default().extend(outside);
    }
    let mut found = Vec::new();
    let mut told: BTreeSet<&Path> = BTreeSet::new();
    for &start in uses.keys() {
        if told.contains(start) {
            continue;
        }
        if let Some(circle) = shortest_way_back(start, &uses) {
            let files = circle.iter().map(|file| file.display().to_string());
            found.push(files.collect::<Vec<_>>().join(" uses "));
            told.extend(circle);
        }
    }
    found
}

/// Whether one of two files is a part of the other: `plan/hash.rs` of `plan.rs`.
fn is_part(one: &Path, other: &Path) -> bool {
    one.starts_with(other.with_extension("")) || other.starts_with(one.with_extension(""))
}

/// The files from one by what each uses back to it, breadth first: the first is the last again.
fn shortest_way_back<'a>(
    start: &'a Path,
    uses: &'a BTreeMap<&'a Path, BTreeSet<PathBuf>>,
) -> Option<Vec<&'a Path>> {
    let mut ways = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let last = way.last().expect("a way has a start");
        for next in uses.get(last).into_iter().flatten() {
            let longer: Vec<&Path> = way.iter().copied().chain([next.as_path()]).collect();
            if next == start {
                return Some(longer);
            }
            if seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
}

/// The path of each name in each `use`.
fn paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (_, behind) in places(code, "use") {
        let statement = behind.split_inclusive(';').next().unwrap_or_default();
        let statement = statement
            .replace(" as ", "::")
            .replace(char::is_whitespace, "");
        let (mut path, mut above) = (String::new(), Vec::new());
        for letter in statement.chars() {
            match letter {
                '{' => above.push(path.clone()),
                ',' | ';' | '}' => {
                    paths.push(path);
                    above.truncate(above.len().saturating_sub((letter == '}').into()));
                    path = above.last().cloned().unwrap_or_default();
                }
                _ => path.push(letter),
            }
        }
    }
    paths.retain(|path| !path.ends_with("::"));
    paths
}

#[test]
fn solver_and_analysis_have_no_clock_and_no_environment() {
    assert_none(uses(&sources(), &CLOCKS, |module| {
        ["solver", "analysis"].contains(&module)
    }));
}

const CLOCKS: [&str; 8] = [
    "Instant",
    "SystemTime",
    "std::time",
    "chrono",
    "std::env",
    "std::fs",
    "std::net",
    "polars",
];

/// A line for each of these words in the modules.
fn uses(sources: &[Source], words: &[&str], is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let sources = sources.iter().filter(|source| is_meant(&source.module));
    let of = |source: &Source| {
        let found = words
            .iter()
            .filter(|words| places(&source.code, words).next().is_some());
        let lines = found.map(|words| format!("{}: {words}", source.path.display()));
        lines.collect::<Vec<_>>()
    };
    sources.flat_map(of).collect()
}

/// Only `cli` prints and reads a command line. `main.rs` is its door: it parses and prints the
/// error.
#[test]
fn only_the_command_line_prints() {
    assert_none(uses(&sources(), &PRINTS, |module| module != "cli"));
}

const PRINTS: [&str; 8] = [
    "print!",
    "println!",
    "dbg!",
    "stdout()",
    "stderr()",
    "clap",
    "indicatif",
    "signal_hook",
];

/// Other programs are started by `cli` (git and cargo, for `diff --rev`), and by the one file that
/// starts the programs of specs.
#[test]
fn one_file_beside_the_command_line_starts_programs() {
    let mut others = sources();
    let (file, command) = (
        "experiment/program/process.rs",
        ["Command::new", "process::Command"],
    );
    others.retain(|source| !source.path.ends_with(file));
    assert_none(uses(&others, &command, |module| module != "cli"));
    let of_cli = source_of(
        "experiment/plan.rs",
        "fn f() {\n    std::process::Command::new(\"sh\");\n}",
    );
    assert_eq!(uses(&[of_cli], &command, |_| true).len(), 2);
}

/// What stores and runs trials names no axis, no column and no rule of the queens: what it knows
/// of an algorithm is in the algorithm.
#[test]
fn experiment_and_results_name_nothing_of_queens() {
    let mut found = words_of_queens(&sources());
    for (file, word, reason) in MAY_NAME {
        let before = found.len();
        found.retain(|line| !line.ends_with(&format!("{file}: {word}")));
        assert_ne!(
            found.len(),
            before,
            "{file} has no {word} any more: {reason}"
        );
    }
    assert_none(found);
    let planted = |line: &str| {
        let line = format!("fn f() {{\n    {line};\n}}");
        words_of_queens(&[source_of("experiment/runner.rs", &line)]).len()
    };
    assert_eq!(planted(""), 0);
    let slips = [
        "\"hitting_time\"",
        "own.moves_at_hit",
        "solver::local::rule(name)",
    ];
    assert_eq!(slips.map(planted), [1; 3]);
}

/// Where a file may name something of the queens all the same: the file, the word, and why.
const MAY_NAME: [(&str, &str, &str); 7] = [
    (
        "program/answer.rs",
        ".absorption_time",
        "the protocol takes the outcome of a program from its time",
    ),
    (
        "program/answer.rs",
        ".hitting_time",
        "a time above the cutoff is refused",
    ),
    (
        "program/answer.rs",
        ".updates",
        "a program that fills a time need not give its updates",
    ),
    (
        "experiment/plan.rs",
        "solver::local",
        "a dynamics is taken where it has the law of its rule",
    ),
    ("experiment/laws.rs", "solver::local", "laws are compared"),
    (
        "store/known_laws.rs",
        "solver::local",
        "the word of a run that its dynamics had the law",
    ),
    (
        "spec/conditions.rs",
        "solver::local",
        "a condition of moves has one form",
    ),
];

/// A line for each name of an axis, a column or an algorithm that `experiment` and `results` have
/// as a text, for each column that they read as a field, and for the module of the rules.
fn words_of_queens(sources: &[Source]) -> Vec<String> {
    use reines::solver::ALGORITHMS;
    use reines::solver::outcome::COLUMNS;
    let columns = COLUMNS.iter().map(|column| column.name);
    let axes = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
    let algorithms = ALGORITHMS.iter().map(|algorithm| algorithm.name);
    let names = columns.clone().chain(axes.map(|axis| axis.name));
    let names: BTreeSet<&str> = names.chain(algorithms).collect();
    let mut found = Vec::new();
    let modules = ["experiment", "results"];
    for source in sources {
        let is_of_tests = source.path.ends_with("tests.rs");
        if is_of_tests || !modules.contains(&&*source.module) {
            continue;
        }
        let file = source.path.display();
        let has = |word: &str| places(&source.code, word).next().is_some();
        let texts = names.iter().map(|name| format!("\"{name}\""));
        let texts = texts.chain(["solver::local".to_owned()]);
        found.extend(
            texts
                .filter(|text| has(text))
                .map(|text| format!("{file}: {text}")),
        );
        for name in columns.clone() {
            let mut uses = places(&source.code, name);
            let is_field =
                |(before, after): (&str, &str)| before.ends_with('.') && !after.starts_with('(');
            if uses.any(is_field) {
                found.push(format!("{file}: .{name}"));
            }
        }
    }
    found
}

/// Rows are facts: where they are read, analysed and drawn, no trial runs again.
#[test]
fn no_trial_runs_where_rows_are_read() {
    let reads_rows = |module: &str| ["results", "analysis", "report"].contains(&module);
    let mut sources = sources();
    sources.retain(|source| !source.path.ends_with("tests.rs"));
    assert_none(uses(&sources, &RUNS, reads_rows));
    for line in [
        "use crate::experiment::runner::run;",
        "use crate::solver::{\n    Point, prepare,\n};",
    ] {
        let planted = [source_of("analysis/valley.rs", line)];
        assert_eq!(uses(&planted, &RUNS, reads_rows).len(), 1, "{line}");
    }
}

/// What runs a trial.
const RUNS: [&str; 4] = [
    "experiment::runner",
    "run_side_by_side",
    "prepare",
    "Prepared",
];

/// A file of the library with a line before it.
fn source_of(file: &str, line: &str) -> Source {
    let path = root().join("src").join(file);
    let text = text_of(&path);
    Source::new(path, &format!("{line}\n{text}"))
}

/// Each line is planted in a file, and found.
#[test]
fn what_is_planted_is_found() {
    let planted = |file: &str, line: &str| {
        let source = [source_of(file, line)];
        let arrows = arrows(&source).len();
        (
            arrows,
            uses(&source, &CLOCKS, |_| true).len(),
            uses(&source, &PRINTS, |_| true).len(),
        )
    };
    let (plan, rules) = ("experiment/plan.rs", "solver/local/rules.rs");
    assert_eq!([plan, rules].map(|file| planted(file, "")), [(0, 0, 0); 2]);
    assert_eq!(planted(plan, "use crate::report;").0, 1);
    let nested = "use crate::{\n    report::Figure,\n    solver,\n};";
    let in_tests = "#[cfg(test)]\nmod more {\n    use crate::report;\n}";
    assert_eq!([nested, in_tests].map(|it| planted(plan, it).0), [1, 1]);
    assert_eq!(planted(rules, "fn f() {\n    println!(\"…\");\n}").2, 1);
    let clock = "fn f() -> std::time::Instant {\n    Instant::now()\n}";
    assert_eq!(planted(rules, clock).1, 2);
    assert_eq!(planted(rules, "use polars::prelude::*;").1, 1);
    let circles = |line: &str| {
        let runner = source_of("experiment/runner.rs", "");
        circles(&[source_of(plan, line), runner]).len()
    };
    assert_eq!(circles(""), 0);
    let nested = "use super::{\n    runner::{Request as R, Run},\n};";
    assert_eq!(
        [nested, "use crate::experiment::runner;"].map(circles),
        [1, 1]
    );

    let file = |name: &str, line: &str| Source::new(root().join("src").join(name), line);
    let mut circle = vec![
        file(plan, "use super::runner::Run;"),
        file("experiment/runner.rs", "use super::store::Row;"),
        file("experiment/store.rs", "use crate::experiment::plan::Plan;"),
    ];
    assert_eq!(self::circles(&circle).len(), 1);
    circle.pop();
    assert!(self::circles(&circle).is_empty());
}

/// The packages that the project was asked to stand on: what each does, and a file where it does.
const PACKAGES: [(&str, &str, &str); 8] = [
    ("serde", "Deserialize", "experiment/spec/read.rs"),
    ("toml", "DeTable", "experiment/spec/source.rs"),
    ("rand", "SeedableRng", "solver/rng.rs"),
    ("rand_xoshiro", "Xoshiro256PlusPlus", "solver/rng.rs"),
    ("rayon", "ThreadPoolBuilder", "experiment/runner/attempt.rs"),
    ("polars", "ParquetWriter", "experiment/store/table.rs"),
    ("plotters", "SVGBackend", "report/out/pen.rs"),
    ("indicatif", "ProgressBar", "cli/progress.rs"),
];

/// Beside them nothing else runs trials in parallel, and no figure writes its own shapes.
#[test]
fn eight_packages_do_what_they_were_asked_for() {
    let sources = sources();
    for (package, word, file) in PACKAGES {
        let mut sources = sources.iter();
        let source = sources.find(|it| it.path.ends_with(file)).expect(file);
        let has = |name| places(&source.code, name).next().is_some();
        assert!(has(package) && has(word), "{file}: no {word} of {package}");
    }
    let threads = ["thread::spawn", "thread::scope", "JoinHandle"];
    assert_none(uses(&sources, &threads, |_| true));
    let shapes = ["<path", "<circle", "<line", "<rect", "<poly"];
    assert_none(uses(&sources, &shapes, |module| module == "report"));
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

/// The targets of make that write to docs, and `test-renderers`, which reads it. To try programs or
/// long runs leaves docs as it is, with the numbers that its words are about.
const TARGETS_WITH_DOCS: [&str; 5] = [
    "docs",
    "reference",
    "programs-docs",
    "large-docs",
    "test-renderers",
];

#[test]
fn no_other_target_of_make_changes_docs() {
    assert_none(targets_with_docs(&text_of(root().join("Makefile"))));
    let planted = "large: build\n\tcp figures/a.csv docs/tables/\n";
    assert_eq!(targets_with_docs(planted), ["large"]);
}

/// The targets, beside those that are meant, with a command that names a path in docs.
fn targets_with_docs(makefile: &str) -> Vec<String> {
    let mut target = "";
    let mut found = Vec::new();
    for line in makefile.lines() {
        let is_command = line.starts_with('\t');
        if let Some((name, _)) = line.split_once(':').filter(|_| !is_command) {
            target = name;
        }
        let is_meant = TARGETS_WITH_DOCS.contains(&target);
        if is_command && line.contains("docs/") && !is_meant {
            found.push(target.to_string());
        }
    }
    found
}
