//! `reines merge`: the shards of an experiment, put together.

use std::path::PathBuf;

use anyhow::Context;

use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use super::terminal::say;
use super::text::{counted, spaced};
use crate::experiment::merge::merge;
use crate::experiment::shard::MAX_SHARDS;

/// Put shards together: the same bytes as a run in one piece
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines merge epsilon
  reines merge experiments/epsilon.toml

Exits with 1 and names the shards that are not done, if any; what is there
stays.")]
pub struct Args {
    /// An experiment or a run
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// Which cut to take, where shards of more than one are there
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_SHARDS))]
    shards: Option<u32>,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let (spec, plan) = args.plan.named(&args.experiment)?;
    let planned = planned_run(&spec, &plan, &args.plan.results);
    let name = &spec.name;
    let (folder, made) = merge(&planned, args.shards).with_context(|| name.clone())?;
    let place = folder.path().display();
    match made {
        None => say!("{name}: complete already in {place}"),
        Some(manifest) => {
            let shards = counted(manifest.shards.len(), "shard");
            let rows = spaced(manifest.rows);
            say!("{name}: {rows} trials of {shards}, in {place}");
        }
    }
    Ok(0)
}
