//! The README's snippets that read results, run where their interpreter is found.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use crate::program::{Workplace, stderr, stdout};

/// The README's first block of a language that has these words.
fn snippet(language: &str, words: &str) -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(readme).expect("the README");
    let fence = format!("```{language}\n");
    let blocks = text.split(&*fence).skip(1);
    let mut blocks = blocks.filter_map(|block| Some(block.split_once("```")?.0));
    let block = blocks.find(|block| block.contains(words)).expect(words);
    block.to_owned()
}

/// A folder with the reference results in `results/reference`, and what the README exports of them.
fn place() -> Workplace {
    let place = Workplace::new();
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/reference");
    fs::create_dir(place.path().join("results")).expect("a fresh folder");
    symlink(reference, place.path().join("results/reference")).expect("a link");
    let export = snippet("sh", "reines export");
    let line = export.lines().find(|line| line.contains("reines export"));
    let line = line
        .and_then(|line| line.split_once("reines "))
        .expect("a command")
        .1;
    let words = line
        .split('#')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    place.succeed(&words.collect::<Vec<_>>());
    place
}

/// Runs a snippet, unless there is no such interpreter here or it lacks the library.
fn run(program: &str, probe: &str, text: &str, place: &Workplace) -> Option<Output> {
    let call = |text: &str| {
        let mut command = Command::new(program);
        command
            .arg(if program == "Rscript" { "-e" } else { "-c" })
            .arg(text);
        command.current_dir(place.path()).output().ok()
    };
    if !call(probe).is_some_and(|it| it.status.success()) {
        eprintln!("skipped: no {program} with {probe}");
        return None;
    }
    let output = call(text)?;
    assert!(output.status.success(), "{program}: {}", stderr(&output));
    Some(output)
}

#[test]
fn the_snippets_of_the_readme_run() {
    let place = place();
    let python = snippet("python", "import polars");
    if let Some(output) = run("python3", "import polars", &python, &place) {
        let said = stdout(&output);
        assert!(
            said.contains("absorption_time") || said.contains("median"),
            "{said}"
        );
    }
    let sql = snippet("sql", "DuckDB");
    let duckdb = format!(
        "import duckdb\nrows = duckdb.sql(\"\"\"{sql}\"\"\").fetchall()\nassert len(rows) > 10\nassert any(row[0] == 'pair' and row[2] == 8 and row[5] >= 1000 for row in rows), rows"
    );
    run("python3", "import duckdb", &duckdb, &place);
    run(
        "Rscript",
        "library(nanoparquet)",
        &snippet("r", "nanoparquet"),
        &place,
    );
}

/// Every image of the README is in the package, which leaves out most figures.
#[test]
fn the_images_of_the_readme_are_in_the_package() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("our own file");
    let (readme, manifest) = (read("README.md"), read("Cargo.toml"));
    let images: Vec<&str> = readme
        .split("](")
        .filter_map(|text| text.split_once(')'))
        .map(|(path, _)| path)
        .filter(|path| path.ends_with(".svg"))
        .collect();
    assert!(images.len() >= 4, "{images:?}");
    for image in images {
        assert!(root.join(image).exists(), "{image}");
        let is_kept = manifest.contains(&format!("\"!/{image}\""));
        assert!(is_kept || !image.starts_with("figures/"), "{image}");
    }
}
