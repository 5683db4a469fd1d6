//! `reines replay` and `reines solve` against rows, and the pages that are kept in docs.
//! (`transcripts/replay.txt` has what is printed.)

use std::fs;
use std::path::Path;

use crate::program::{Workplace, age, encode, forge, has, name_of, stdout, text_of};

const SPEC: &str = "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\n\
                    trials = 6\ncutoff = 1e6\n[[sweep]]\nalgorithm = \"cell\"\nn = 5\n\
                    epsilon = 0.1\neta = 0.1\ntrials = 6\ncutoff = 900\n";

/// With results of [`SPEC`] in `results/a`.
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

/// A manifest of another version of the pair rule: its rows are refused, those of the cell rule
/// are not.
#[test]
fn rows_of_other_code_are_refused_with_both_versions() {
    let workplace = with_results();
    let run = workplace.run("results");
    let name = name_of(&run);
    let version = name.rsplit_once('-').expect("a plan hash").0;
    age(&run, "on-pairs", "12345678", "2020-01-01T00:00:00Z");
    let found = workplace.ends(2, "replay results/a --only n=4 --trial longest");
    for part in [
        "made by code version 0.1.0-12345678",
        version,
        "(other parts: on-pairs)",
    ] {
        has(&found, part);
    }
    let line = "replay results/a --only algorithm=cell --trial longest -o cell.html";
    workplace.succeed(line);
}

/// A row with another number of moves than its trial has: exit code 1, and nothing is written.
#[test]
fn a_trial_that_is_not_the_one_in_the_row_is_no_replay() {
    let workplace = with_results();
    let run = workplace.runs("results", "a").remove(0);
    let mut records = workplace.records("results", "a");
    let changed = records.last_mut().expect("rows");
    let moves = &mut changed.row.outcome.moves;
    *moves = moves.map(|moves| moves + 1);
    forge(&run, "trials.parquet", &encode(&records));
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

/// The pages in docs/ are those of `reines demo`; `make docs` renews them.
#[test]
fn the_pages_in_docs_are_what_the_program_writes() {
    let workplace = Workplace::new();
    let told = stdout(&workplace.succeed("demo"));
    assert_eq!(told, "Open demo/index.html in a browser.\n");
    let read = |path: &Path| text_of(path);
    let demo = |name: &str| read(&workplace.path().join("demo").join(name));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (name, kept, most) in [
        ("live.html", "live.html", 150_000),
        ("best.html", "replay.html", 200_000),
    ] {
        let kept = read(&docs.join(kept));
        assert!(
            kept == demo(name),
            "docs: {name} is another now; `make docs` writes it"
        );
        assert!(kept.len() < most, "{name}: {} bytes", kept.len());
    }
    let index = demo("index.html");
    for name in ["small", "best", "large", "trap", "live"] {
        assert!(index.contains(&format!("<a href=\"{name}.html\">")));
        assert!(demo(&format!("{name}.html")).ends_with("</html>\n"));
    }
    // An earlier demo is overwritten.
    workplace.succeed("demo");
}

/// The means that the page shows beside its own runs are in the tables of figures/.
#[test]
fn the_means_of_the_page_are_those_of_the_figures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect(path);
    let stored = [
        "pair-vs-cell",
        "convergence-vs-n",
        "convergence-vs-epsilon",
        "epsilon-eta",
    ];
    let stored = stored.iter().chain(&["time-vs-eta"]);
    let stored: String = stored
        .map(|it| read(&format!("figures/{it}.csv")))
        .collect();
    let best = read("figures/best-epsilon.csv");
    for line in read("src/replay/page/means.csv").lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let [what, rule, n, epsilon, eta, trials, mean] = row[..] else {
            panic!("{line}");
        };
        let is_there = if what == "stored" {
            let begin = format!("{rule},,{n},{epsilon},{eta},absorption_time,{trials},0,");
            let mut rows = stored.lines().filter(|row| row.starts_with(&begin));
            rows.any(|row| row.split(',').nth(11) == Some(mean))
        } else {
            let begin = format!("{rule},,{n},{eta},{trials},");
            let mut rows = best.lines().filter(|row| row.starts_with(&begin));
            rows.any(|row| row.contains(&format!(",{epsilon},")) && row.contains(mean))
        };
        assert!(is_there, "{line}");
    }
}
