//! `reines merge`: the shards of an experiment, put together.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Value, json};

use super::named;
use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use super::text::spaced;
use crate::cli::terminal::{self, say};
use crate::experiment::merge::{MergeError, Merged, merge};
use crate::experiment::shard::MAX_SHARDS;

/// Put shards together: the same bytes as a run in one piece
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines merge epsilon
  reines merge --shards 8 --json experiments/epsilon.toml

Exits with 1 and names the shards that are not done, if any; what is there
stays.")]
pub struct Args {
    /// The experiment, by its name or its spec
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// Which cut to take, where shards of more than one are there
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_SHARDS))]
    shards: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Only errors
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spec = named::spec(&args.experiment, &args.plan.results)?;
    let plan = args.plan.plan(&spec)?;
    let command = super::command_line();
    let planned = planned_run(&spec, &plan, &args.plan.results, &command);
    let merged = merge(&planned, args.shards);
    if args.json {
        writeln!(terminal::out(), "{}", terminal::json(&report(&merged))?)?;
    }
    let line = match merged.with_context(|| spec.name.clone())? {
        Merged::AlreadyComplete(folder) => {
            format!("complete already in {}", folder.path().display())
        }
        Merged::Complete {
            folder,
            shards,
            rows,
        } => {
            format!(
                "{} trials of {shards} shards, in {}",
                spaced(rows),
                folder.path().display()
            )
        }
    };
    if !args.quiet {
        say!("{}: {line}", spec.name);
    }
    Ok(ExitCode::SUCCESS)
}

fn report(merged: &Result<Merged, MergeError>) -> Value {
    let mut report = json!({ "merged": merged.is_ok() });
    match merged {
        Ok(Merged::AlreadyComplete(folder)) => report["folder"] = json!(folder.path()),
        Ok(Merged::Complete { folder, shards, .. }) => {
            report["folder"] = json!(folder.path());
            report["shards"] = json!(shards);
        }
        Err(error) => {
            if let MergeError::Missing { missing, count } = error {
                report["shards"] = json!(count);
                report["missing"] = json!(missing);
            }
            report["error"] = error.to_string().into();
        }
    }
    report
}
