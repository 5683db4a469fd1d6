//! `reines replay` and `reines solve` against rows, and the means that the live page shows.
//! (`transcripts/replay.txt` has what is printed, and the pages that are kept in docs.)

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::program::{Workplace, csv, forge_column, has, stdout, text_of};

const SPEC: &str = "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\n\
                    trials = 6\ncutoff = 1e6\n[[sweep]]\nalgorithm = \"cell\"\nn = 5\n\
                    epsilon = 0.1\neta = 0.1\ntrials = 6\ncutoff = 900\n";

/// A folder with results of [`SPEC`] in `results/a`.
fn with_results() -> Workplace {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml");
    workplace
}

/// Both rules, every trial: both commands agree on the row that an experiment stores.
#[test]
fn solve_shows_any_trial() {
    let workplace = with_results();
    for record in workplace.records("results", "a") {
        let (point, row) = (&record.point, &record.row);
        let eta = point
            .real("eta")
            .map_or(String::new(), |eta| format!("--eta {eta}"));
        let line = format!(
            "solve --algorithm {} --n {} --epsilon 0.1 {eta} --cutoff {} --json --seed {} --trial {}",
            point.algorithm,
            point.integer("n").expect("n"),
            row.cutoff,
            row.seed,
            row.trial
        );
        let output = workplace.reines(&line);
        let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        let outcome = &row.outcome;
        for (name, stored) in [
            ("absorption_time", outcome.absorption_time),
            ("hitting_time", outcome.hitting_time),
            ("updates", outcome.updates),
            ("moves", outcome.moves),
            ("moves_at_hit", outcome.moves_at_hit),
        ] {
            assert_eq!(told[name].as_u64(), stored, "{name}: {line}");
        }
        let boards: Vec<_> = outcome.solution.iter().collect();
        assert_eq!(told["boards"], serde_json::json!(boards), "{line}");
    }
}

/// A row with another number of moves than its trial has: exit code 1, and nothing is written.
#[test]
fn a_trial_that_is_not_the_one_in_the_row_is_no_replay() {
    let workplace = with_results();
    let run = workplace.runs("results", "a").remove(0);
    // The last of 36 rows.
    let one_more = |row, moves| moves + u64::from(row == 35);
    forge_column(&run, "trials.parquet", "moves", one_more);
    let told = workplace.ends(
        1,
        "replay results/a --only algorithm=pair,n=5 --seed 2 --trial 5",
    );
    has(
        &told,
        "is not the one in the row of a: they differ in moves;",
    );
    assert!(!workplace.path().join("replay.html").exists());
    workplace.succeed("replay results/a --only n=4 --seed 2 --trial 5");
}

/// The means that the page shows beside its own runs are those of the tables in figures/, of each
/// point the mean of most trials; `make docs` writes them.
#[test]
fn the_means_of_the_page_are_those_of_the_figures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut most: BTreeMap<String, (u32, String)> = BTreeMap::new();
    for figure in [
        "pair-vs-cell",
        "convergence-vs-n",
        "convergence-vs-epsilon",
        "epsilon-eta",
        "time-vs-eta",
    ] {
        let table = text_of(root.join(format!("figures/{figure}.csv")));
        for row in csv(&table) {
            let is_meant = row["quantity"] == "absorption_time" && row["variant"].is_empty();
            if !is_meant || row["censored"] != "0" || row["n"].parse::<u32>().is_ok_and(|n| n > 12)
            {
                continue;
            }
            let point = ["algorithm", "n", "epsilon", "eta"].map(|name| &*row[name]);
            let trials = row["trials"].parse().expect("a number");
            let entry = most.entry(point.join(",")).or_default();
            if trials > entry.0 {
                *entry = (trials, row["mean"].to_owned());
            }
        }
    }
    let expected = most.iter();
    let expected: BTreeSet<String> = expected
        .map(|(point, (trials, mean))| format!("{point},{trials},{mean}"))
        .collect();
    let means = text_of(root.join("src/replay/page/means.csv"));
    let found: BTreeSet<String> = means.lines().skip(1).map(str::to_owned).collect();
    assert_eq!(found, expected);
}
