//! The library as another program calls it.

use std::process::Command;

use reines::analysis::estimate::Estimate;
use reines::analysis::measured::Measured;
use reines::experiment::plan::Plan;
use reines::experiment::runner::{self, Finish, Request};
use reines::experiment::spec;
use reines::experiment::store::complete::CompleteRun;
use reines::solver::{
    ALGORITHMS, Control, Dynamics, Ending, Key, OwnValue, Point, TrialError, Value, prepare,
};

#[test]
fn one_trial_of_a_rule() -> Result<(), TrialError> {
    let values = [("n", Value::Integer(6)), ("epsilon", Value::real(0.01))];
    let prepared = prepare(&Point::new("pair", values), Some(Dynamics::RejectionFree));
    let (key, cutoff) = (Key { seed: 1, trial: 0 }, 1_000_000_000);
    let (outcome, _) = prepared(key, cutoff, &Control::unstopped())?;
    assert_eq!(outcome.ending, Ending::Absorbed);
    Ok(())
}

/// Runs a spec with one point, and reads its mean absorption time.
fn mean_of(text: &str) -> anyhow::Result<Estimate> {
    let results = tempfile::tempdir()?;
    let spec = spec::parse_plan("small", "small.toml", text)?;
    let plan = Plan::new(&spec)?;
    let request = Request::new(&spec, &plan, results.path());
    let Finish::Complete { folder, .. } = runner::run(&request, &false.into(), &mut ())? else {
        unreachable!("nothing stops the run")
    };
    let time = Measured::mean(&CompleteRun::at(folder)?.points()?[0], "absorption_time");
    Ok(time.expect("a column of the algorithm").estimate)
}

#[test]
fn a_spec_run_and_read() -> anyhow::Result<()> {
    let text = "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = 4\nepsilon = 0.01\ntrials = 20\n\
                cutoff = 1e9";
    let mean = mean_of(text)?;
    assert!(mean.low < mean.value && mean.value < mean.high);
    Ok(())
}

// Its `main` is that of a program.
#[expect(dead_code)]
#[path = "../examples/own-algorithm/main.rs"]
mod own_algorithm;

const WALKS: &str =
    "seed = 1\n[[sweep]]\nalgorithm = 'walk'\nsize = [2, 4]\ntrials = 400\ncutoff = 1000";

/// A walk from the middle of −4 … 4 takes 16 steps on average to an end, with a standard deviation
/// of √(4⁴ · 2/3 − 4² · 2/3) = 12.65. 400 trials, |Z| < 4: a false failure has probability 6·10⁻⁵
/// (fixed seed). Alone in a process, since other tests list all algorithms.
#[test]
fn an_algorithm_of_another_package() -> anyhow::Result<()> {
    let lines = include_str!("../examples/own-algorithm/main.rs").lines();
    assert!(lines.count() <= 40);
    if std::env::var_os("ALONE").is_none() {
        let this = ["library::an_algorithm_of_another_package", "--exact"];
        let mut alone = Command::new(std::env::current_exe()?);
        let output = alone.args(this).env("ALONE", "1").output()?;
        let text = String::from_utf8(output.stdout)?;
        assert!(text.contains("test result: ok. 1 passed"), "{text}");
        return Ok(());
    }
    ALGORITHMS.with(own_algorithm::WALK);
    let spec = spec::parse_plan("small", "small.toml", WALKS)?;
    let plan = Plan::new(&spec)?;
    // Without a version it is the hash of this program.
    assert_eq!(plan.parts()["walk"].len(), 8);
    let results = tempfile::tempdir()?;
    let request = Request::new(&spec, &plan, results.path());
    let Finish::Complete { folder, .. } = runner::run(&request, &false.into(), &mut ())? else {
        unreachable!("nothing stops the run")
    };
    let run = CompleteRun::at(folder)?;
    assert_eq!(run.manifest.commit, "", "it stands in no sources of reines");
    let points = run.points()?;
    let time = Measured::mean(&points[1], "absorption_time").expect("a column of the walk");
    let z = (time.estimate.value - 16.0) / (12.65 / 20.0);
    assert!(z.abs() < 4.0, "Z = {z}");
    // It ends at −4 or 4, half of which is its energy: the mean of 400 has the error 2 / 20.
    let energy = Measured::mean(&points[1], "energy")
        .expect("an own column")
        .estimate;
    assert!(energy.value.abs() < 4.0 * 0.1 && energy.low < energy.value);
    let ends = points[1]
        .rows
        .iter()
        .map(|row| row.outcome.own.get("energy").cloned());
    let is_end = |end: Option<OwnValue>| {
        [2.0, -2.0]
            .map(|energy| Some(OwnValue::Real(energy)))
            .contains(&end)
    };
    assert!(ends.into_iter().all(is_end));
    Ok(())
}
