//! What the trials of a run write down of their course: from a spec to its two files and back.
//! (`transcripts/takeover.txt` has what is taken over.)

use std::path::Path;

use reines::experiment::plan::Plan;
use reines::experiment::runner::{self, Finish, Request, RunError};
use reines::experiment::spec;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::solver::{Control, Key, prepare};

use crate::program::{Workplace, forge_column, has};

/// Trials that are absorbed before, between and after the moments, and trials that are censored.
const SPEC: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = 0.02\ntrials = 12\ncutoff = 3000\n\
    [sweep.series]\nat = { from = 1, to = 1e5, points = 11, scale = \"log\" }\n\
    [sweep.events]\nkeep = \"moves\"\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = 4\nepsilon = 0.05\neta = 0.1\ntrials = 12\ncutoff = 1000\n\
    [sweep.series]\nat = [1000, 0, 250.5, 0]\n\
    [[sweep]]\nalgorithm = \"cell\"\nn = 5\nepsilon = 0.05\neta = 0.1\ntrials = 12\ncutoff = 1000\n";

/// `a.toml`, whose run stands in `whole/`.
fn workplace() -> Workplace {
    let workplace = Workplace::with(SPEC);
    workplace.succeed("run a.toml -q --results whole --threads 1");
    workplace
}

fn whole(workplace: &Workplace) -> RunFolder {
    RunFolder::at(&workplace.runs("whole", "a")[0])
}

/// Every row as the algorithm itself gives it.
#[test]
fn courses_are_read_back_with_their_trials() {
    let workplace = workplace();
    let folder = whole(&workplace);
    let run = CompleteRun::at(folder).expect("a complete run");
    let manifest = &run.manifest;
    let plan =
        Plan::new(&spec::parse("a", "a.toml", SPEC, &reines::report::kinds()).expect("a spec"))
            .expect("a plan");
    let points = run.courses().expect("whole files");
    let [mut series, mut moves] = [0, 0];
    for point in &points {
        let planned = plan.at(&point.point).expect("a point of the plan");
        assert_eq!(point.trials.len(), 24);
        let prepared = prepare(&planned.point, planned.dynamics);
        let control = Control::unstopped().recording(planned.recording());
        for (row, course) in &point.trials {
            let key = Key {
                seed: row.seed,
                trial: row.trial,
            };
            let expected = prepared.trial(key, planned.cutoff, &control);
            let expected = expected.expect("nothing stops it");
            assert_eq!((&row.outcome, course), (&expected.0, &expected.1));
            series += course.series.len() as u64;
            moves += course.moves.len() as u64;
        }
    }
    // Not the cell rule at n = 5, whose sweep asks for nothing.
    assert_eq!(points.len(), 4);
    assert_eq!(u128::from(series), plan.series_rows());
    // 1, 3, 10, 32, 100, 316, 1000 of the first sweep; 0, 251, 1000 of the second.
    assert_eq!(series, 24 * (3 * 7 + 3));
    assert_eq!([series, moves], [manifest.series_rows, manifest.move_rows]);
    assert!(moves > 100);
}

/// Runs the spec in the library; `stops`: as if somebody had asked for that.
fn run_in(results: &Path, text: &str, most_moves: u64, stops: bool) -> Result<Finish, RunError> {
    let spec = spec::parse("a", "a.toml", text, &reines::report::kinds()).expect("a spec");
    let plan = Plan::new(&spec).expect("a plan");
    let request = Request {
        threads: 2,
        most_moves,
        ..Request::new(&spec, &plan, results)
    };
    runner::run(&request, &stops.into(), &mut ())
}

/// Who has asked a run to stop does not wait until it has read all other runs.
#[test]
fn a_run_that_is_to_stop_takes_nothing_over() {
    let workplace = workplace();
    whole(&workplace);
    let (results, more) = (workplace.path().join("whole"), u64::MAX);
    let grown = SPEC.replacen("trials = ", "trials = 1", 1);
    let finish = run_in(&results, &grown, more, true).expect("no error");
    let Finish::Interrupted { progress, .. } = finish else {
        panic!("{finish:?}");
    };
    assert_eq!(progress.trials, 0);
}

/// One trial without end would fill the memory, if only the moves of those that have ended counted.
#[test]
fn the_moves_of_a_running_trial_count() {
    let workplace = workplace();
    let endless = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 8\nepsilon = 1\ntrials = 1\n\
                   cutoff = 1e15\n[sweep.events]\nkeep = \"moves\"\n";
    let results = workplace.path().join("results");
    let error = run_in(&results, endless, 10_000, false).expect_err("too many moves");
    let words = "more than 10000 rows of moves.parquet";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_run_of_too_many_moves_stops_and_goes_on_where_it_may() {
    let workplace = workplace();
    let manifest = whole(&workplace).manifest().expect("a complete run");
    let results = workplace.path().join("results");
    for most in [10, manifest.move_rows - 1] {
        let error = run_in(&results, SPEC, most, false).expect_err("more moves");
        let words = format!("more than {most} rows of moves.parquet");
        assert!(error.to_string().contains(&words), "{error}");
        assert!(
            error.to_string().contains("what is finished is kept"),
            "{error}"
        );
    }
    let finish = run_in(&results, SPEC, manifest.move_rows, false).expect("as many as may be");
    assert!(matches!(finish, Finish::Complete { .. }), "{finish:?}");
    for file in ["trials.parquet", "series.parquet", "moves.parquet"] {
        let [own, whole] = ["results", "whole"].map(|it| workplace.bytes(it, "a", file));
        assert!(own == whole, "{file}");
    }
    workplace.succeed("verify");
}

#[test]
fn diff_names_the_first_observation_that_differs() {
    let place = workplace();
    place.succeed("run a.toml -q");
    let same = "a: identical, 5 points with 120 trials, and their courses";
    has(&place.ends(0, "diff whole results"), same);
    let run = place.run("results");
    let changed = |row: usize, threatened: u64| if row == 8 { 5 } else { threatened };
    forge_column(&run, "series.parquet", "threatened", changed);
    let told = place.ends(1, "diff whole results");
    for words in [
        "1 trial with another course",
        "the first course that differs is of trial 2 of seed 3 of cell n=4 epsilon=0.05 eta=0.1 at update 1000 in series.parquet: threatened is",
        "different: the courses of 1 trial with the same rows",
    ] {
        has(&told, words);
    }
    let output = place.reines("diff --json whole results");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["experiments"][0]["courses"]["differing"], 1);
}
