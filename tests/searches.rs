//! The exhaustive methods through the whole program: from a spec to rows and times.

use std::time::Duration;

use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::results::PointTrials;
use reines::solver::Ending;
use reines::solver::goal::Goal;

use crate::program::{Workplace, stderr};

/// OEIS A000170.
const SOLUTIONS: [u64; 7] = [1, 0, 0, 2, 10, 4, 40];

fn points(workplace: &Workplace, results: &str) -> Vec<PointTrials> {
    workplace.trials(results, "a")
}

fn sweep(algorithm: &str, n: &str, more: &str) -> String {
    format!("[[sweep]]\nalgorithm = \"{algorithm}\"\nn = {n}\ncutoff = 1e9\n{more}\n")
}

#[test]
fn every_method_counts_from_a_spec() {
    const COUNTING: [&str; 10] = [
        "attacks",
        "backtracking",
        "bitboard",
        "fill",
        "heap",
        "lines",
        "partial-lists",
        "permutations",
        "quadrants",
        "rows",
    ];
    let counting: String = COUNTING
        .iter()
        .map(|name| sweep(name, "{ from = 1, to = 7, step = 1 }", ""))
        .collect();
    let slow: String = ["cells", "distinct-cells"]
        .iter()
        .map(|name| sweep(name, "[1, 2, 3, 4]", "goal = \"count\""))
        .collect();
    let workplace = Workplace::new();
    workplace.write(
        "a.toml",
        &format!(
            "seed = 1\n{counting}{slow}{}",
            sweep("construction", "[1, 2, 3, 4, 5, 6, 7]", "")
        ),
    );
    let told = workplace.succeed(&["run", "a.toml", "--threads", "1", "--results", "1"]);
    assert!(
        stderr(&told).contains(" 0 of them censored"),
        "a search of n = 2 comes to its end: {}",
        stderr(&told)
    );
    workplace.succeed(&["run", "a.toml", "--threads", "2", "--results", "2"]);
    assert_eq!(
        workplace.bytes("1", "a", "trials.parquet"),
        workplace.bytes("2", "a", "trials.parquet")
    );
    let points = points(&workplace, "1");
    assert_eq!(points.len(), 10 * 7 + 2 * 4 + 7);
    for PointTrials { point, rows } in &points {
        let solutions = SOLUTIONS[point.integer("n").expect("a side") as usize - 1];
        let row = rows.first().expect("a row");
        assert_eq!(rows.len(), 1, "{point:?}");
        assert_eq!(
            (
                row.outcome.updates,
                row.outcome.absorption_time,
                row.outcome.moves
            ),
            (None, None, None)
        );
        if point.algorithm == "construction" {
            let ending = if solutions > 0 {
                Ending::Solved
            } else {
                Ending::Exhausted
            };
            assert_eq!(
                (
                    point.goal,
                    row.outcome.ending,
                    row.outcome.solution.is_some()
                ),
                (Some(Goal::First), ending, solutions > 0)
            );
            assert_eq!(row.outcome.checks, None);
        } else {
            assert_eq!(
                (point.goal, row.outcome.ending, row.outcome.solutions),
                (Some(Goal::Count), Ending::Exhausted, Some(solutions)),
                "{point:?}"
            );
            assert!(row.outcome.checks.is_some() && row.outcome.solution.is_none());
        }
    }
}

/// The text's 15 720 squares for n = 8; a goal is part of a row's identity, so three sweeps of one
/// point are three rows.
#[test]
fn goals_stand_side_by_side_and_a_cutoff_is_exact() {
    let workplace = Workplace::new();
    let goals: String = ["first", "count", "all"]
        .iter()
        .map(|goal| sweep("backtracking", "8", &format!("goal = \"{goal}\"")))
        .collect();
    workplace.write(
        "a.toml",
        &format!(
            "seed = 1\n{goals}{}",
            sweep("lines", "8", "").replace("1e9", "1000")
        ),
    );
    workplace.succeed(&["run", "a.toml"]);
    let points = points(&workplace, "results");
    let goals: Vec<_> = points
        .iter()
        .map(|point| point.point.goal.map(Goal::name).unwrap_or_default())
        .collect();
    assert_eq!(goals, ["all", "count", "first", "count"]);
    let counts = |point: usize| {
        let outcome = points[point].rows.first().expect("a row").outcome;
        (outcome.ending, outcome.solutions, outcome.checks)
    };
    assert_eq!(
        [counts(0), counts(1)],
        [(Ending::Exhausted, Some(92), Some(15_720)); 2]
    );
    assert_eq!((counts(2).0, counts(2).1), (Ending::Solved, Some(1)));
    // The first board in lexicographic order, ♛ in the columns 0 4 7 5 2 6 1 3 of rows 0 to 7; here
    // the row of each column.
    assert_eq!(
        points[2]
            .rows
            .first()
            .and_then(|row| row.outcome.solution)
            .as_deref(),
        Some(&[0, 6, 4, 7, 1, 3, 5, 2][..])
    );
    assert_eq!((counts(3).0, counts(3).2), (Ending::Censored, Some(1000)));
}

#[test]
fn repeats_are_times_and_no_rows() {
    let workplace = Workplace::new();
    let spec = |more: &str| {
        format!(
            "seeds = [1, 2]\n{}{}",
            sweep("lines", "[4, 6]", more),
            sweep("bitboard", "[5, 9]", more)
        )
    };
    workplace.write("a.toml", &spec(""));
    workplace.succeed(&["run", "a.toml", "--results", "once"]);
    workplace.write("a.toml", &spec("repeats = 3"));
    workplace.succeed(&["run", "a.toml", "--results", "thrice"]);
    assert_eq!(
        workplace.bytes("once", "a", "trials.parquet"),
        workplace.bytes("thrice", "a", "trials.parquet")
    );
    let timings = |results| {
        let folder = RunFolder::at(&workplace.runs(results, "a")[0]);
        let run = CompleteRun::at(folder).expect("a complete run");
        let manifest = &run.manifest;
        assert_eq!((manifest.rows, manifest.dynamics.len()), (8, 0));
        let trials = workplace.trials(results, "a");
        let timings = run.timings_of_searches(&trials);
        timings.expect("its times")
    };
    // At each of four points one trial under each of two seeds.
    for (results, times) in [("once", 1), ("thrice", 3)] {
        let timings = timings(results);
        for timings in &timings {
            let trials: Vec<_> = timings
                .trials
                .iter()
                .map(|trial| (trial.seed, trial.trial, trial.seconds.len()))
                .collect();
            assert_eq!(trials, [(1, 0, times), (2, 0, times)]);
        }
        assert_eq!(timings.len(), 4);
        let seconds = timings
            .iter()
            .flat_map(|timings| &timings.trials)
            .flat_map(|trial| &trial.seconds);
        assert!(
            seconds
                .into_iter()
                .all(|seconds| (0.0..60.0).contains(seconds))
        );
    }
}

#[test]
fn a_repeat_that_is_missing_runs_again_and_one_that_differs_is_refused() {
    let workplace = Workplace::new();
    workplace.write(
        "a.toml",
        &format!("seed = 1\n{}", sweep("lines", "[4, 6]", "repeats = 3")),
    );
    workplace.succeed(&["run", "a.toml", "--results", "whole"]);
    let name = workplace.runs("whole", "a")[0]
        .file_name()
        .expect("a run folder has a name")
        .to_owned();
    for (results, differs) in [("same", false), ("other", true)] {
        let mut records = workplace.records("whole", "a");
        records[0].repeat = 1;
        records[0].row.outcome.checks = records[0]
            .row
            .outcome
            .checks
            .map(|checks| checks + u64::from(differs));
        let folder = RunFolder::at(workplace.path().join(results).join("a").join(&name))
            .lock()
            .expect("nobody else runs this plan");
        let (mut parts, _) = folder
            .take_over_parts(&mut |_| true)
            .expect("the folder can be written");
        parts.save(&mut records).expect("the part can be saved");
        drop((parts, folder));
        let resumed = workplace.reines(&["run", "a.toml", "--results", results]);
        assert_eq!(resumed.status.success(), !differs, "{}", stderr(&resumed));
        assert_eq!(
            stderr(&resumed).contains("two different rows"),
            differs,
            "{}",
            stderr(&resumed)
        );
    }
    assert_eq!(
        workplace.bytes("same", "a", "trials.parquet"),
        workplace.bytes("whole", "a", "trials.parquet")
    );
}

/// What a search has counted before its end is kept nowhere, and no damage.
#[test]
fn an_interrupted_search_leaves_a_sound_run() {
    let workplace = Workplace::new();
    let sweeps = ["backtracking", "bitboard", "quadrants", "cp"].map(|it| sweep(it, "20", ""));
    let sweeps = sweeps.concat().replace("1e9", "1e18");
    workplace.write("a.toml", &format!("seed = 1\n{sweeps}"));
    let run = ["run", "a.toml", "--threads", "4"];
    let ended = workplace.interrupt(&run, Duration::from_millis(500));
    assert_eq!(ended.status.code(), Some(1), "{}", stderr(&ended));
    workplace.succeed(&["verify-files"]);
}

#[test]
fn what_a_search_cannot_be_asked_is_refused() {
    let workplace = Workplace::new();
    for (spec, sentence) in [
        (
            sweep("construction", "4", "goal = \"count\""),
            "a.toml:6: goal = \"count\": unknown goal of this algorithm; allowed is one of first",
        ),
        (
            sweep("rows", "4", "goal = \"frist\""),
            "allowed is one of all, count, first; did you mean \"first\"?",
        ),
        (
            sweep("rows", "4", "trials = 2"),
            "a.toml:6: trials = 2: allowed is 1, since every trial would be the same; repeats times it several times",
        ),
        (
            sweep("rows", "4", "repeats = 0"),
            "a.toml:6: repeats = 0: allowed is an integer from 1 to 1000",
        ),
        (
            sweep("rows", "4", "time_limit = \"1 s\""),
            "a.toml:6: time_limit = \"1 s\": unknown key; allowed are algorithm, trials, cutoff, ",
        ),
        (
            sweep("rows", "4", "parallel = true"),
            "a.toml:6: parallel = true: unknown key; allowed are algorithm, ",
        ),
        (
            sweep("cells", "6", ""),
            "a.toml:4: n = 6: allowed is an integer from 1 to 5",
        ),
        (
            sweep("pair", "4", "epsilon = 0.1\ntrials = 5\nrepeats = 2"),
            "a.toml:8: repeats = 2: the algorithm pair is no search",
        ),
        (
            sweep("rows", "4", "eta = 0.1"),
            "the algorithm rows has no such axis",
        ),
    ] {
        workplace.write("a.toml", &format!("seed = 1\n{spec}"));
        let output = workplace.reines(&["check", "a.toml"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains(sentence),
            "{}\n{sentence}",
            stderr(&output)
        );
    }
}
