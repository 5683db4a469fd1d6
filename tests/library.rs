//! The library as another program calls it.

use reines::analysis::summary::{PointSummary, Quantity};
use reines::experiment::plan::Plan;
use reines::experiment::runner::{self, Finish, Request};
use reines::experiment::spec;
use reines::experiment::store::complete::CompleteRun;
use reines::solver::{Control, Dynamics, Ending, Interrupted, Key, Point, Value, prepare};

#[test]
fn one_trial_of_a_rule() -> Result<(), Interrupted> {
    let values = [("n", Value::Integer(6)), ("epsilon", Value::real(0.01))];
    let prepared = prepare(&Point::new("pair", values), Some(Dynamics::RejectionFree));
    let (key, cutoff) = (Key { seed: 1, trial: 0 }, 1_000_000_000);
    let (outcome, _) = prepared(key, cutoff, &Control::unstopped())?;
    assert_eq!(outcome.ending, Ending::Absorbed);
    Ok(())
}

#[test]
fn a_spec_run_and_read() -> anyhow::Result<()> {
    let results = tempfile::tempdir()?;
    let text = "seed = 1\n[[sweep]]\nalgorithm = 'pair'\nn = 4\nepsilon = 0.01\ntrials = 20\n\
                cutoff = 1e9";
    let spec = spec::parse_plan("small", "small.toml", text)?;
    let plan = Plan::new(&spec)?;
    let request = Request::new(&spec, &plan, results.path());
    let Finish::Complete { folder, .. } = runner::run(&request, &false.into(), &mut ())? else {
        unreachable!("nothing stops the run")
    };
    let point = PointSummary::of(&CompleteRun::at(folder)?.points()?[0]);
    let point = point.expect("there are rows");
    let time = point.quantity(Quantity::AbsorptionTime);
    let time = time.expect("measured by every rule");
    let mean = time.measured.estimate;
    assert!(mean.low < mean.value && mean.value < mean.high);
    Ok(())
}
