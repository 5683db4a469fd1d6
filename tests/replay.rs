//! `reines replay`, and `reines solve --trial --start`, as a user meets them.

use std::fs;
use std::path::Path;

use reines::experiment::store::Record;

use crate::program::{
    Workplace, age, bytes_of, encode, forge, has, name_of, stderr, stdout, text_of,
};

const SPEC: &str = "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.1\n\
                    trials = 6\ncutoff = 1e6\n[[sweep]]\nalgorithm = \"cell\"\nn = 5\n\
                    epsilon = 0.1\neta = 0.1\ntrials = 6\ncutoff = 900\n";

/// With results of [`SPEC`] in `results/a`.
fn with_results() -> Workplace {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml");
    workplace
}

/// The error of a command that is bad input and writes nothing.
fn refused(workplace: &Workplace, line: &str) -> String {
    let output = workplace.reines(line);
    assert_eq!(output.status.code(), Some(2), "{line}: {}", stderr(&output));
    assert!(!workplace.path().join("replay.html").exists(), "{line}");
    stderr(&output)
}

/// What a page says of its film.
fn facts(workplace: &Workplace, page: &str) -> serde_json::Value {
    let page = workplace.text(page);
    let rest = page.split_once("id=\"facts\">").expect("facts").1;
    serde_json::from_str(rest.split_once("</script>").expect("their end").0).expect("JSON")
}

const PAIR: &str = "--algorithm pair --n 6 --epsilon 0.05 --seed 3 --trial 17";

#[test]
fn a_trial_is_named_by_its_parameters() {
    let workplace = Workplace::new();
    let told = stdout(&workplace.succeed(format!("replay {PAIR}")));
    let solved = stdout(&workplace.succeed(format!("solve {PAIR} --json")));
    let solved: serde_json::Value = serde_json::from_str(&solved).expect("JSON");
    assert_eq!(solved["trial"], 17);
    let facts = facts(&workplace, "replay.html");
    assert_eq!(facts["absorbed"], solved["absorption_time"]);
    assert_eq!(facts["hit"], solved["hitting_time"]);
    assert!(
        told.starts_with("Absorbed after ") && told.contains("\nreplay.html: "),
        "{told}"
    );
    // The same bytes, and never over a file that is there and that the user has named.
    let first = bytes_of(workplace.path().join("replay.html"));
    let output = workplace.reines(format!("replay {PAIR} -o replay.html"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: replay.html: it exists; --force overwrites it\n"
    );
    for rest in ["", " --force -o replay.html"] {
        workplace.succeed(format!("replay {PAIR}{rest}"));
        assert_eq!(bytes_of(workplace.path().join("replay.html")), first);
    }
}

/// Trials differ, trial 0 is what is shown when nothing is said, and both commands agree on the
/// row that an experiment stores.
#[test]
fn solve_shows_any_trial() {
    let workplace = with_results();
    let rows = workplace.records("results", "a");
    for record in rows.iter().filter(|it| it.point.algorithm == "pair") {
        let (n, row) = (record.point.integer("n").expect("n"), &record.row);
        let (seed, trial) = (row.seed, row.trial);
        let line = format!(
            "solve --algorithm pair --n {n} --epsilon 0.1 --cutoff 1000000 --json --seed {seed} --trial {trial}"
        );
        let output = workplace.reines(&line);
        let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(told["updates"].as_u64(), row.outcome.updates);
        assert_eq!(told["moves"].as_u64(), row.outcome.moves);
    }
    let of_trial_0 = |extra: &str| {
        let line = format!("solve --algorithm pair --n 5 --epsilon 0.1{extra}");
        stdout(&workplace.succeed(&line))
    };
    assert!(!of_trial_0("").contains("trial"));
    assert_eq!(
        of_trial_0(" --trial 0").replace(", trial 0", ""),
        of_trial_0("")
    );
    assert!(
        refused(&workplace, "solve --n 5 --trial 1").contains("--trial: bitboard draws nothing")
    );
}

#[test]
fn a_row_is_played_and_held_against_the_row() {
    let workplace = with_results();
    let rows = workplace.records("results", "a");
    let run = workplace.runs("results", "a").remove(0);
    let run = run
        .strip_prefix(workplace.path())
        .unwrap_or(&run)
        .display()
        .to_string();
    for results in ["results/a", &run, &format!("{run}/manifest.toml")] {
        for (place, seed) in [("n=4", 1), ("n=4", 2), ("n=5,algorithm=pair", 2)] {
            for trial in [0, 5] {
                let line = format!(
                    "replay {results} --only {place} --seed {seed} --trial {trial} --force -o a.html"
                );
                let told = stdout(&workplace.succeed(&line));
                has(
                    &told,
                    "are those of the row in the results of a, code version",
                );
                let row = rows.iter().find(|it| {
                    let n = if place == "n=4" { 4 } else { 5 };
                    it.point.algorithm == "pair"
                        && it.point.integer("n") == Some(n)
                        && (it.row.seed, it.row.trial) == (seed, trial)
                });
                let outcome = &row.expect("a row").row.outcome;
                let facts = facts(&workplace, "a.html");
                assert_eq!(facts["absorbed"].as_u64(), outcome.absorption_time);
                assert_eq!(facts["hit"].as_u64(), outcome.hitting_time);
            }
        }
    }
}

/// By the rows: one that was cut off is longer than any that was not.
#[test]
fn the_longest_and_the_one_in_the_middle() {
    let workplace = with_results();
    for (place, algorithm) in [("n=5,algorithm=cell", "cell"), ("n=4", "pair")] {
        let n = if algorithm == "pair" { 4 } else { 5 };
        let mut rows = workplace.records("results", "a");
        rows.retain(|it| it.point.algorithm == algorithm && it.point.integer("n") == Some(n));
        let key = |it: &Record| {
            let outcome = &it.row.outcome;
            (
                outcome.absorption_time.is_none(),
                outcome.updates,
                it.row.seed,
                it.row.trial,
            )
        };
        rows.sort_by_key(key);
        assert_eq!(rows.len(), 12);
        let longest = rows.iter().find(|it| {
            let last = rows.last().expect("rows");
            (key(it).0, key(it).1) == (key(last).0, key(last).1)
        });
        for (which, row) in [("median", Some(&rows[5])), ("longest", longest)] {
            let line = format!("replay a --only {place} --trial {which} --force -o a.html");
            workplace.succeed(&line);
            let page = workplace.text("a.html");
            let row = &row.expect("a row").row;
            let (seed, trial) = (row.seed, row.trial);
            assert!(
                page.contains(&format!(", seed {seed}, trial {trial}</p>")),
                "{which}"
            );
        }
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
    let found = refused(&workplace, "replay results/a --only n=4 --trial longest");
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

/// Figure 7 of the source, with true signals: at η = 0 the cut-off run, and one at η = 0.1.
const FIGURE_7: &str = "6  . . . . Q .\n5  Q . . . . .\n4  × Q . . . .      × the free cell\n\
                        3  . . . Q . .\n2  . . . . . Q\n1  . . Q . . .\n   a b c d e f\n";

#[test]
fn a_position_of_the_users_can_be_watched() {
    let workplace = Workplace::new();
    workplace.write("figure7.txt", FIGURE_7);
    workplace.write("signals.txt", "a4 N NE\n");
    let rule = "--algorithm cell --epsilon 0.05 --start figure7.txt";
    for (signals, first) in [
        ("true", "true-"),
        ("none", ""),
        ("signals.txt", "#false-NE"),
    ] {
        let line = format!("replay {rule} --eta 0.1 --signals {signals} --force -o a.html");
        workplace.succeed(&line);
        let page = workplace.text("a.html");
        let figures = page.split_once("<g id=\"figures\">").expect("a board").1;
        let figures = figures.split_once("</svg>").expect("its end").0;
        assert_eq!(figures.matches("#queen\"").count(), 6);
        assert!(figures.contains(first), "{signals}");
        assert_eq!(figures.contains("true-"), signals != "none");
        let solved = format!("solve {rule} --eta 0.1 --signals {signals} --json");
        let solved = stdout(&workplace.succeed(&solved));
        let solved: serde_json::Value = serde_json::from_str(&solved).expect("JSON");
        assert_eq!(
            facts(&workplace, "a.html")["absorbed"],
            solved["absorption_time"]
        );
    }
    let trapped = format!("replay {rule} --eta 0 --signals true --cutoff 5000 -o trap.html");
    let told = stdout(&workplace.succeed(&trapped));
    assert!(
        told.starts_with("Cut off after 5\u{202F}000 updates"),
        "{told}"
    );
}

/// A run that is too long is refused with its size; a part of it is not.
#[test]
fn a_long_run_is_cut_by_from_and_to() {
    let workplace = Workplace::new();
    let rule = "replay --algorithm cell --n 12 --epsilon 1 --eta 1 --cutoff 2500000";
    let found = refused(&workplace, rule);
    has(&found, " MiB for the ");
    has(&found, "--from and --to");
    workplace.succeed(format!("{rule} --from 1000000 --to 1100000 -o part.html"));
    let facts = facts(&workplace, "part.html");
    assert_eq!(
        (&facts["from"], &facts["until"]),
        (&1_000_000.into(), &1_100_000.into())
    );
    for (line, expected) in [
        (
            "--from 9 --to 8",
            "--from 9 --to 8: a part that ends before it begins",
        ),
        (
            "--from 2500001",
            "the trial ends after 2500000 updates, before the window begins",
        ),
    ] {
        let found = refused(&workplace, &format!("{rule} {line}"));
        has(&found, expected);
    }
}

#[test]
fn an_animation_has_the_last_steps() {
    let workplace = Workplace::new();
    let told = stdout(&workplace.succeed(format!("replay {PAIR} -o a.svg --moves")));
    has(&told, "\na.svg: ");
    assert!(!workplace.path().join("replay.html").exists());
    let svg = workplace.text("a.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("@keyframes") && svg.contains("prefers-reduced-motion"));
    workplace.ends(2, format!("replay {PAIR} -o a.svg"));
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

/// By the command that docs/data.md names.
#[test]
fn the_animation_of_the_readme_is_drawn_again() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = text_of(root.join("docs/data.md"));
    let command = page
        .split("`reines ")
        .find(|it| it.contains("-o docs/last-moves.svg"));
    let command = command
        .and_then(|it| it.split('`').next())
        .expect("a command");
    let workplace = Workplace::new();
    fs::create_dir(workplace.path().join("docs")).expect("writable");
    workplace.succeed(command);
    let drawn = bytes_of(workplace.path().join("docs/last-moves.svg"));
    let kept = bytes_of(root.join("docs/last-moves.svg"));
    assert!(
        drawn == kept,
        "docs/last-moves.svg is another now; if that is meant, look at it and renew it: {command}"
    );
}
