//! What the trials of a run write down of their course: from a spec to its file and back.
//! (`transcripts/takeover.txt` has what is taken over.)

use reines::experiment::plan::Plan;
use reines::experiment::runner::{self, Finish, Request};
use reines::experiment::spec;
use reines::experiment::store::complete::CompleteRun;
use reines::experiment::store::folder::RunFolder;
use reines::solver::{Control, Key, prepare};

use crate::program::{Workplace, forge_column, has};

/// Trials that are absorbed before, between and after the moments, and trials that are censored.
const SPEC: &str = "seeds = [7, 3]\n\
    [[sweep]]\nalgorithm = \"pair\"\nn = [1, 4, 5]\nepsilon = 0.02\ntrials = 12\ncutoff = 3000\n\
    [sweep.series]\nat = { from = 1, to = 1e5, points = 11, scale = \"log\" }\n\
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
    let plan = Plan::new(&spec::parse("a", "a.toml", SPEC).expect("a spec")).expect("a plan");
    let points = run.courses().expect("whole files");
    let mut series = 0;
    for point in &points {
        let planned = plan.at(&point.point).expect("a point of the plan");
        assert_eq!(point.trials.len(), 24);
        let prepared = prepare(&planned.point, planned.dynamics);
        let control = Control::unstopped().observing(planned.moments());
        for (row, course) in &point.trials {
            let key = Key {
                seed: row.seed,
                trial: row.trial,
            };
            let expected = prepared(key, planned.cutoff, &control);
            let expected = expected.expect("nothing stops it");
            assert_eq!((&row.outcome, course), (&expected.0, &expected.1));
            series += course.series.len() as u64;
        }
    }
    // Not the cell rule at n = 5, whose sweep asks for nothing.
    assert_eq!(points.len(), 4);
    assert_eq!(u128::from(series), plan.series_rows());
    // 1, 3, 10, 32, 100, 316, 1000 of the first sweep; 0, 251, 1000 of the second.
    assert_eq!(series, 24 * (3 * 7 + 3));
    assert_eq!(series, manifest.series_rows);
}

/// Who has asked a run to stop does not wait until it has read all other runs.
#[test]
fn a_run_that_is_to_stop_takes_nothing_over() {
    let workplace = workplace();
    let results = workplace.path().join("whole");
    let grown = SPEC.replacen("trials = ", "trials = 1", 1);
    let spec = spec::parse("a", "a.toml", &grown).expect("a spec");
    let plan = Plan::new(&spec).expect("a plan");
    let request = Request::new(&spec, &plan, &results);
    let finish = runner::run(&request, &true.into(), &mut ()).expect("no error");
    let Finish::Interrupted { progress, .. } = finish else {
        panic!("{finish:?}");
    };
    assert_eq!(progress.trials, 0);
}

#[test]
fn diff_counts_the_courses_that_differ() {
    let place = workplace();
    place.succeed("run a.toml -q");
    let same = "a: identical, 5 points with 120 trials";
    has(&place.ends(0, "diff whole results"), same);
    let run = place.run("results");
    let changed = |row: usize, threatened: u64| if row == 8 { 5 } else { threatened };
    forge_column(&run, "series.parquet", "threatened", changed);
    let told = place.ends(1, "diff whole results");
    has(
        &told,
        "different: the courses of 1 trial with the same rows",
    );
    let output = place.reines("diff --json whole results");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["experiments"][0]["courses"]["differing"], 1);
}
