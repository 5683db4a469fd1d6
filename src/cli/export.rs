//! `reines export`: the trials of several experiments in one table, each of them once.

mod columns;
mod distinct;

use std::path::PathBuf;
use std::process::ExitCode;

use self::distinct::Gathered;
use super::BadInput;
use super::conditions::{Conditions, conditions};
use super::output;
use super::text::did_you_mean;
use crate::cli::terminal::say;
use crate::experiment::store::catalog::{self, CompleteRun};

/// Write the trials of experiments into one table, each trial once
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines export -o trials.parquet\n  reines export epsilon rules -o trials.csv             or *.arrow\n  \
                        reines export --results results/reference --only 'algorithm=pair,n<=9' -o pair.parquet\n\n\
                        The columns are those of trials.parquet, after `experiment`: the experiments that have the trial (a list; in CSV with ; between them). \
                        Each experiment has its newest complete run, of the present code version if there is one. A trial that runs have under several cutoffs stands there with the largest. \
                        Two runs that contradict each other are an error."
)]
pub struct Args {
    /// Experiments [default: all that have a complete run]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// The table: *.parquet, *.csv or *.arrow
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Only these points: conditions on algorithm, variant, goal and axes, as
    /// 'algorithm=pair,n<=9,epsilon=0.01'
    #[arg(long, value_name = "CONDITIONS", value_parser = conditions)]
    only: Option<Conditions>,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
    /// Only errors
    #[arg(long, short)]
    quiet: bool,
}

/// # Errors
/// A file that is there or of another kind; experiments that are not there; damaged results; runs
/// that contradict each other; conditions that no point meets.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = columns::Form::of(&args.output)?;
    output::refuse_existing(&args.output, args.force)?;
    let runs = chosen(args)?;
    let mut gathered = Gathered::default();
    for run in &runs {
        gathered.add(run, args.only.as_ref())?;
    }
    let trials = gathered.trials();
    if trials.is_empty() {
        let all = args.results.display().to_string();
        return Err(match &args.only {
            Some(only) => only.nothing(&all).into(),
            None => BadInput(format!("{all}: no trials")).into(),
        });
    }
    let (count, rows) = (trials.len(), gathered.rows());
    output::write(&args.output, &form.encode(trials)?, args.force)?;
    if !args.quiet {
        let file = args.output.display();
        say!(
            "{file}: {count} trials, from {rows} rows of {} runs",
            runs.len()
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The newest run of each experiment that is named, or of all.
fn chosen(args: &Args) -> anyhow::Result<Vec<CompleteRun>> {
    let runs = catalog::complete(&args.results)?;
    let known = catalog::experiments(&runs);
    if let Some(name) = args.experiments.iter().find(|it| !known.contains(&&***it)) {
        let results = args.results.display();
        let near = did_you_mean(name, &known);
        let known = known.join(", ");
        return Err(BadInput(format!(
            "{name}: no complete run in {results}{near}; there are {known}"
        ))
        .into());
    }
    let is_meant =
        |name: &&str| args.experiments.is_empty() || args.experiments.iter().any(|it| it == name);
    let newest = |name| super::report::choose(name, None, &runs).cloned();
    let chosen = known.into_iter().filter(is_meant).filter_map(newest);
    Ok(chosen.collect())
}
