//! The examples of docs/clusters.md, run where their tool is found.

use std::fs;
use std::path::Path;

use crate::program::{Workplace, skipped, stderr, text_of};

const SPEC: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 6\ncutoff = 1e5\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

/// The first block of a language on the page.
fn example(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/clusters.md");
    let text = text_of(page);
    let fence = format!("```{language}\n");
    let (_, block) = text.split_once(&fence).expect("a block");
    block
        .split_once("```")
        .expect("the block ends")
        .0
        .to_owned()
}

/// Runs a tool in a folder with the spec and the example, the program on its path; `None` where
/// there is no such tool.
fn run(tool: &str, file: &str, text: &str, arguments: &[&str]) -> Option<Workplace> {
    let place = Workplace::new();
    fs::create_dir(place.path().join("experiments")).expect("a fresh folder");
    place.write("experiments/mine.toml", SPEC);
    place.write(file, text);
    let mut command = place.tool(tool);
    let output = command.args(arguments).env_remove("MAKEFLAGS").output();
    let Ok(output) = output else {
        skipped(&format!("no {tool}"));
        return None;
    };
    assert!(output.status.success(), "{tool}: {}", stderr(&output));
    Some(place)
}

/// The bytes are those of a run in one piece, and the figure is drawn.
fn assert_complete(place: &Workplace) {
    let sharded = place.bytes("results", "mine", "trials.parquet");
    let figure = place.path().join("figures/mine-convergence-vs-n.svg");
    assert!(figure.exists());
    place.succeed("run -q experiments/mine.toml --results whole");
    assert_eq!(sharded, place.bytes("whole", "mine", "trials.parquet"));
}

#[test]
fn make_runs_the_shards_and_draws() {
    let text = example("make");
    if let Some(place) = run("make", "Makefile", &text, &["-j", "2"]) {
        assert_complete(&place);
    }
}

#[test]
fn snakemake_runs_the_shards_and_draws() {
    let text = example("snakemake");
    if let Some(place) = run("snakemake", "Snakefile", &text, &["--cores", "2"]) {
        assert_complete(&place);
    }
}
