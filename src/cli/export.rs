//! `reines export`: the trials of several experiments in one table, each of them once.

mod columns;
mod distinct;

use std::path::PathBuf;
use std::process::ExitCode;

use self::distinct::Gathered;
use super::changed::OnlyArgs;
use super::text::counted;
use super::{Refused, named, output};
use crate::cli::terminal::say;

/// Write the trials of experiments into one table, each trial once
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines export -o trials.parquet
  reines export epsilon rules -o trials.csv             or *.arrow
  reines export --results results/reference --only 'n<=9' -o small.parquet

The columns are those of trials.parquet, after `experiment`: the experiments
that have the trial (a list; in CSV with ; between them). Each experiment has
its newest complete run of its present plan, else of another. A trial that runs
have under several cutoffs stands there with the largest. Two runs that
contradict each other are an error. All trials are in memory at once, about
0.8 GB for a million.")]
pub struct Args {
    /// Experiments, by their names, specs or runs [default: all that have a complete run]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The table: *.parquet, *.csv or *.arrow
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    only: OnlyArgs,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = columns::Form::of(&args.output)?;
    output::refuse_existing(&args.output, args.force)?;
    let runs = named::newest(&args.experiments, &args.results)?;
    let only = args.only.among(&runs)?;
    let mut gathered = Gathered::default();
    for run in &runs {
        gathered.add(run, only.as_ref())?;
    }
    let rows = gathered.rows;
    let trials = gathered.trials();
    let count = trials.records.len();
    if count == 0 {
        let all = args.results.display().to_string();
        return Err(match only {
            Some(only) => only.nothing(&all).into(),
            None => Refused::of_file(&all, "no trials").into(),
        });
    }
    output::write(&args.output, &form.encode(&trials)?, args.force)?;
    let file = args.output.display();
    let (trials, runs) = (
        counted(count as u64, "trial"),
        counted(runs.len() as u64, "run"),
    );
    say!("{file}: {trials}, from {} of {runs}", counted(rows, "row"));
    Ok(ExitCode::SUCCESS)
}
