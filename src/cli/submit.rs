//! `reines submit`: the shards of an experiment as jobs of Slurm.

use std::path::PathBuf;

use anyhow::Context;

use super::number::whole;
use super::plan::{self, PlanArgs};
use super::{Common, named};
use crate::cli::terminal;
use crate::cluster::submit::{Order, submit};
use crate::experiment::shard::MAX_SHARDS;
use crate::experiment::store::atomic::real_path;

/// Submit shards of an experiment, and after them the run that finishes it, to Slurm
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines submit --dry-run epsilon
  reines submit --shards 64 --sbatch=--time=2:00:00 --sbatch=--mem=2G epsilon

The same command again submits what is still missing. docs/clusters.md
describes other queues.")]
pub struct Args {
    /// An experiment or a run
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    /// Into how many shards to cut the run [default: as before, else 16]
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_SHARDS))]
    shards: Option<u32>,
    /// An option for sbatch in one word, as --sbatch=--time=2:00:00, or --sbatch=--cpus-per-task=4
    /// for as many threads; once for each
    #[arg(long, value_name = "OPTION", value_parser = option, allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Print what would be written and submitted, and do neither; needs no Slurm
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    plan: PlanArgs,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let experiment = std::slice::from_ref(&args.experiment);
    let specs = args.plan.read(experiment, &common.results)?;
    let words: Vec<PathBuf> = specs.iter().map(|(word, _)| word.clone()).collect();
    named::refuse_elsewhere(&words, &common.results)?;
    let [(word, spec)] = &specs[..] else {
        return Err(named::one_of(&args.experiment, &words).into());
    };
    let plan = args.plan.plan(spec)?;
    let results = real_path(&common.results);
    let order = Order {
        request: plan::request(word, spec, &plan, &results),
        program: &std::env::current_exe().context("this program's own path")?,
        shards: args.shards,
        sbatch: &args.sbatch,
        is_dry: args.dry_run,
    };
    let said = submit(&order).with_context(|| spec.name.clone())?;
    terminal::print([said.trim_end().to_owned()])?;
    Ok(0)
}

/// An option of sbatch. The first word that is none would be the script's name.
fn option(text: &str) -> Result<String, String> {
    if text.starts_with('-') && !text.chars().any(char::is_control) {
        Ok(text.into())
    } else {
        Err("expected an option of sbatch in one word, as --sbatch=--mem=2G".into())
    }
}
