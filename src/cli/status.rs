//! `reines status`: how far a run and each of its shards is.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use super::named;
use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use super::progress;
use super::text::counted;
use crate::cli::terminal;
use crate::cluster::state::{self, ShardState, ShardStatus};
use crate::experiment::runner::Progress;
use crate::experiment::shard::{MAX_SHARDS, ranges};
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;

/// Print how far a run and its shards are
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines status epsilon
  reines status --json epsilon

Exits with 0 if the run is complete, with 1 if not. Asks Slurm where the run was
submitted to it.")]
pub struct Args {
    /// The experiment, by its name or its spec
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// Which cut to look at, where shards of more than one are there
    #[arg(long, value_name = "K", value_parser = whole(1..=MAX_SHARDS))]
    shards: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Status {
    experiment: String,
    folder: PathBuf,
    /// Whether the run is there in one piece.
    complete: bool,
    /// How many shards there are in each state.
    counts: BTreeMap<&'static str, usize>,
    shards: Vec<ShardStatus>,
    /// How far the run is, as it says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    under_way: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spec = named::spec(&args.experiment, &args.plan.results)?;
    let plan = args.plan.plan(&spec)?;
    let folder = planned_run(&spec, &plan, &args.plan.results, &[]).folder();
    let mut status = status(spec.name.clone(), &folder, args.shards).context(spec.name)?;
    if !folder.path().exists() {
        status.remark = others(&status.experiment, &args.plan.results)?;
    }
    let mut out = terminal::out();
    if args.json {
        writeln!(out, "{}", terminal::json(&status)?)?;
    } else {
        write_text(&mut out, &status)?;
    }
    Ok(if status.complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

fn status(experiment: String, run: &RunFolder, count: Option<u32>) -> anyhow::Result<Status> {
    let complete = run.is_complete();
    let (shards, remark) = if complete {
        (Vec::new(), None)
    } else {
        state::of_run(&experiment, run, count)?
    };
    let count = |state: ShardState| {
        (
            state.name(),
            shards.iter().filter(|shard| shard.state == state).count(),
        )
    };
    let counts = ShardState::ALL.into_iter().map(count).collect();
    Ok(Status {
        experiment,
        folder: run.path().into(),
        complete,
        counts,
        shards,
        progress: Progress::read(run).map(|(progress, _)| progress),
        under_way: progress::of_run(run),
        remark,
    })
}

/// The complete runs of an experiment, which are of other plans or code than what is asked for.
fn others(experiment: &str, results: &Path) -> anyhow::Result<Option<String>> {
    let mut words = Vec::new();
    for entry in catalog::runs(results)? {
        if entry.experiment == experiment && entry.folder.is_complete() {
            let trials = counted(entry.folder.manifest()?.rows, "trial");
            words.push(format!("{trials} in {}", entry.folder.path().display()));
        }
    }
    Ok((!words.is_empty()).then(|| format!("of another plan or code: {}", words.join("; "))))
}

fn write_text(out: &mut dyn Write, status: &Status) -> io::Result<()> {
    let Status {
        experiment,
        folder,
        complete,
        counts,
        shards,
        under_way,
        remark,
        ..
    } = status;
    let place = folder.display();
    if *complete {
        return writeln!(out, "{experiment}: complete in {place}");
    }
    if let Some(words) = under_way {
        writeln!(out, "{experiment}: {words}, in {place}")?;
    }
    if shards.is_empty() {
        if under_way.is_none() {
            writeln!(out, "{experiment}: not begun, and no shards, in {place}")?;
        }
        if let Some(remark) = remark {
            writeln!(out, "  {remark}")?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "{experiment}: {} of {} shards done, in {place}",
        counts[ShardState::Done.name()],
        shards.len()
    )?;
    for state in ShardState::ALL {
        let found: Vec<u32> = shards
            .iter()
            .filter(|shard| shard.state == state)
            .map(|shard| shard.shard)
            .collect();
        if !found.is_empty() {
            writeln!(out, "  {:<8} {}", state.name(), ranges(&found))?;
        }
    }
    for ShardStatus { shard, task, .. } in shards
        .iter()
        .filter(|shard| shard.state == ShardState::Failed)
    {
        if let Some(task) = task {
            writeln!(out, "  shard {shard}: see slurm/array-{task}.out there")?;
        }
    }
    if shards.iter().all(|shard| shard.state == ShardState::Done) {
        let name = super::own_name();
        writeln!(out, "  not merged yet: `{name} merge` puts them together")?;
    }
    if let Some(remark) = remark {
        writeln!(out, "  {remark}")?;
    }
    Ok(())
}
