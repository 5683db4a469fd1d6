//! The shipped figures, drawn from the reference results: not a byte of a figure or of its table
//! changes unseen.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reines::experiment::spec;
use reines::report;

use crate::program::{Workplace, files_of, name_of, text_of};

/// A file of `figures/` is what `report` draws of the reference results, and one of
/// `docs/wall-clock` where it shows seconds, so that `make figures` leaves a clone clean.
#[test]
fn the_figures_in_the_repository_are_those_of_the_reference_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let makefile = text_of(root.join("Makefile"));
    let timed = wall_clock(&makefile);
    let renewed = Path::new(env!("CARGO_TARGET_TMPDIR")).join("renewed");
    let mut changed = Vec::new();
    for (name, text) in &drawn().0 {
        let figure = name.split('.').next().unwrap_or_default();
        let is_timed = timed.split(' ').any(|it| it == figure);
        let folder = if is_timed {
            "docs/wall-clock"
        } else {
            "figures"
        };
        let file = format!("{folder}/{name}");
        if fs::read(root.join(&file)).ok().as_deref() != Some(text.as_bytes()) {
            fs::create_dir_all(renewed.join(folder)).expect("cargo's folder can be written");
            fs::write(renewed.join(&file), text).expect("cargo's folder can be written");
            changed.push(file);
        }
    }
    assert!(
        changed.is_empty(),
        "not as `report` draws them: {changed:?}. If that is meant, look at the figures in {renewed} and renew them: cp -r {renewed}/. .",
        renewed = renewed.display()
    );
}

/// The figures of seconds, as the Makefile lists them.
fn wall_clock(makefile: &str) -> &str {
    let mut lines = makefile.lines();
    let found = lines.find_map(|line| line.strip_prefix("WALL_CLOCK := "));
    found.expect("the Makefile lists them")
}

/// Figures that show seconds change with every run: git does not see those in figures/, and has
/// those of the reference results in docs/wall-clock.
#[test]
fn figures_of_wall_clock_times_leave_the_tree_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| text_of(root.join(name));
    let (ignored, makefile) = (read(".gitignore"), read("Makefile"));
    let named = wall_clock(&makefile);
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
    assert_eq!(named, expected.join(" "), "Makefile, WALL_CLOCK");
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
    let file = |path: &PathBuf| (name_of(path), text_of(path));
    let files = files.iter().map(file).collect();
    let page = workplace.text("index.html");
    (files, page)
}
