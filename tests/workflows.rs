//! The examples of docs/clusters.md, run where their tool is found.

use std::fs;

use crate::program::{Workplace, bytes_of, skipped, stderr};
use crate::readme::blocks;

const SPEC: &str = "seeds = [1, 2, 3, 4]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\ntrials = 6\ncutoff = 1e5\n\
                    [[figure]]\nkind = \"convergence-vs-n\"\n";

/// The block of a language on the page that has these words.
fn example(language: &str, words: &str) -> String {
    let mut blocks = blocks("docs/clusters.md").into_iter();
    let block = blocks.find(|it| it.0 == language && it.1.contains(words));
    block.expect("the page has it").1
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

/// The bytes are those of a run in one piece, and all four pieces have run.
fn assert_complete(place: &Workplace) {
    let runs = place.runs("results", "mine");
    let whole = runs.iter().map(|run| bytes_of(run.join("trials.parquet")));
    let longest = whole.max_by_key(Vec::len).expect("there are runs");
    place.succeed("run -q experiments/mine.toml --results whole");
    assert_eq!(longest, place.bytes("whole", "mine", "trials.parquet"));
    assert_eq!(runs.len(), 5, "{runs:?}");
}

#[test]
fn snakemake_runs_the_pieces_and_draws() {
    let text = example("snakemake", "rule piece");
    if let Some(place) = run("snakemake", "Snakefile", &text, &["--cores", "2"]) {
        assert_complete(&place);
        assert!(
            place
                .path()
                .join("figures/mine-convergence-vs-n.svg")
                .exists()
        );
    }
}

/// With a shell in place of `ssh`.
#[test]
fn a_loop_over_machines_runs_the_pieces() {
    let text = example("sh", "for host in");
    let local = "SSH=here\nhere() { sh -c \"$2\"; }\n";
    let place = run("sh", "loop.sh", &format!("{local}{text}"), &["loop.sh"]);
    assert_complete(&place.expect("there is a shell"));
}
