//! `reines merge`: the shards of an experiment, put together.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use super::text::spaced;
use crate::cli::terminal::{self, say};
use crate::experiment::merge::{MergeError, Merged, merge};
use crate::experiment::shard::MAX_SHARDS;

/// Put the shards of an experiment together: the same bytes as a run in one piece
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines merge experiments/epsilon.toml\n  reines merge --shards 8 --json experiments/epsilon.toml\n\n\
                        Exits with 1 and names the shards that are not done, if any; what is there stays."
)]
pub struct Args {
    /// The experiment's spec file
    #[arg(value_name = "FILE")]
    file: PathBuf,
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

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    merged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spec = super::read_specs(std::slice::from_ref(&args.file))?.remove(0);
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

fn report(merged: &Result<Merged, MergeError>) -> Report {
    let (folder, shards, missing) = match merged {
        Ok(Merged::AlreadyComplete(folder)) => (Some(folder), None, Vec::new()),
        Ok(Merged::Complete { folder, shards, .. }) => (Some(folder), Some(*shards), Vec::new()),
        Err(MergeError::Missing { missing, count }) => (None, Some(*count), missing.clone()),
        Err(_) => (None, None, Vec::new()),
    };
    let folder = folder.map(|folder| folder.path().to_owned());
    Report {
        merged: merged.is_ok(),
        folder,
        shards,
        missing,
        error: merged.as_ref().err().map(ToString::to_string),
    }
}
