//! The library as another program calls it.

use std::process::Command;

use reines::analysis::estimate::Estimate;
use reines::analysis::measured::Measured;
use reines::experiment::plan::Plan;
use reines::experiment::runner::{self, Finish, Request};
use reines::experiment::spec;
use reines::experiment::store::complete::CompleteRun;
use reines::solver::board::Board;
use reines::solver::local::configuration::Configuration;
use reines::solver::rng::TrialStream;
use reines::solver::{
    ALGORITHMS, Algorithm, Axis, Column, Control, Course, Domain, Dynamics, Ending, Key, Outcome,
    Point, TrialError, Value, prepare,
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

/// An axis that no shipped algorithm has.
const LUCK: Axis = Axis {
    name: "luck",
    symbol: "luck",
    domain: Domain::Integer { min: 0, max: 9 },
    doc: "without effect",
};

const GUESS: Algorithm = Algorithm {
    name: "guess",
    doc: "n queens on random squares, all anew until they form a solution",
    axes: &[Axis::side(8), LUCK],
    is_only_stepwise: true,
    columns: &[
        Column::named("absorption_time").meaning("until the queens form a solution"),
        Column::named("updates"),
        Column::named("solution"),
    ],
    version: "1.0",
    prepare: &|point, _| {
        let (point, board) = (point.clone(), Board::new(point.side()));
        Box::new(move |key, cutoff, control| {
            let mut random = TrialStream::new("guess/1", key.seed, &point, key.trial);
            for update in 1..=cutoff {
                control.poll(1)?;
                let queens = Configuration::random_start(board, &mut random);
                if let Some(solution) = queens.solution() {
                    let mut outcome = Outcome::ended(Ending::Absorbed);
                    outcome.absorption_time = Some(update);
                    (outcome.updates, outcome.solution) = (Some(update), Some(solution));
                    return Ok((outcome, Course::default()));
                }
            }
            let mut outcome = Outcome::ended(Ending::Censored);
            outcome.updates = Some(cutoff);
            Ok((outcome, Course::default()))
        })
    },
    ..Algorithm::UNNAMED
};

/// Of the 4⁸ placements of 4 queens, 2 · 4! are solutions: 65 536 / 48 updates on average, with a
/// standard deviation of about as much. 400 trials, |Z| < 4: a false failure has probability
/// 6·10⁻⁵ (fixed seed). Alone in a process, since other tests list all algorithms.
#[test]
fn an_algorithm_of_another_package() -> anyhow::Result<()> {
    if std::env::var_os("ALONE").is_none() {
        let this = ["library::an_algorithm_of_another_package", "--exact"];
        let mut alone = Command::new(std::env::current_exe()?);
        let output = alone.args(this).env("ALONE", "1").output()?;
        let text = String::from_utf8(output.stdout)?;
        assert!(text.contains("test result: ok. 1 passed"), "{text}");
        return Ok(());
    }
    ALGORITHMS.with(GUESS);
    let text =
        "seed = 1\n[[sweep]]\nalgorithm = 'guess'\nn = 4\nluck = 7\ntrials = 400\ncutoff = 1e6";
    let plan = Plan::new(&spec::parse_plan("small", "small.toml", text)?)?;
    assert_eq!(plan.parts()["guess"], "1.0");
    let expected = 65_536.0 / 48.0;
    let z = (mean_of(text)?.value - expected) / (expected / 20.0);
    assert!(z.abs() < 4.0, "Z = {z}");
    Ok(())
}
