//! `reines submit`: the shards of an experiment as jobs of Slurm.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use super::named;
use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use crate::cli::terminal;
use crate::cluster::quote;
use crate::cluster::state::ShardState;
use crate::cluster::submit::{self, Order};
use crate::experiment::shard::{MAX_SHARDS, ranges};

/// Submit shards of an experiment, and a merge after them, to Slurm
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines submit --dry-run epsilon
  reines submit --shards 64 --sbatch=--time=2:00:00 --sbatch=--mem=2G epsilon

The same command again submits what is still missing. docs/clusters.md
describes other queues.")]
pub struct Args {
    /// The experiment, by its name or its spec
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

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spec = named::spec(&args.experiment, &args.plan.results)?;
    let plan = args.plan.plan(&spec)?;
    let results = std::path::absolute(&args.plan.results)
        .with_context(|| args.plan.results.display().to_string())?;
    let run = planned_run(&spec, &plan, &results, &[]).folder();
    let text = if run.is_complete() {
        let place = run.path().display();
        format!("{}: complete already in {place}\n", spec.name)
    } else {
        let order = Order {
            experiment: &spec.name,
            spec: &spec.text,
            run: &run,
            results: &results,
            pieces: plan.pieces(),
            program: &std::env::current_exe().context("this program's own path")?,
            code_version: &plan.code_version(),
            options: &args.plan.words(),
            shards: args.shards,
            sbatch: &args.sbatch,
        };
        let done = if args.dry_run { rehearse } else { submit };
        done(&order).with_context(|| spec.name.clone())?
    };
    write!(terminal::out(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}

/// Submits, and says what.
fn submit(order: &Order) -> anyhow::Result<String> {
    let (proposal, [array, merge]) = submit::submit(order)?;
    let count = |state| {
        let own = proposal.states.iter().filter(|shard| shard.state == state);
        own.count()
    };
    let (done, shards) = (count(ShardState::Done), proposal.cut.shards);
    let tasks = match &array {
        Some(job) => format!(
            "shards {} as tasks {} of job {job}",
            ranges(&proposal.submitted()),
            proposal.tasks
        ),
        None => format!(
            "no shard needs a task: {} running, {} queued",
            count(ShardState::Running),
            count(ShardState::Queued)
        ),
    };
    let after = match &merge {
        Some(job) => format!("merge as job {job}, when they have ended"),
        None => "a merge is queued already".to_owned(),
    };
    let name = order.experiment;
    Ok(format!(
        "{name}: {done} of {shards} shards done before\n  {tasks}\n  {after}\n"
    ))
}

/// What would be written and submitted, as a shell would do it.
fn rehearse(order: &Order) -> anyhow::Result<String> {
    let (proposal, silence) = submit::rehearse(order)?;
    let mut text = String::new();
    for (path, content) in &proposal.files {
        text += &format!("# {}\n{content}\n", quote(&path.display().to_string()));
    }
    if let Some(folder) = proposal.files.first().and_then(|(path, _)| path.parent()) {
        let folder = quote(&folder.display().to_string());
        text += &format!("# submitted, in this order and from there\ncd {folder}\n");
    }
    let jobs = [&proposal.array, &proposal.merge];
    for arguments in jobs.into_iter().flatten() {
        let words: Vec<String> = arguments.iter().map(|word| quote(word)).collect();
        text += &format!("sbatch {}\n", words.join(" "));
    }
    if jobs.iter().all(|job| job.is_none()) {
        text += "# nothing: every shard is done or under way, and a merge is queued\n";
    }
    if let Some(error) = silence {
        text += &format!(
            "# Slurm was not asked what is queued and how large an array may be: {error:#}\n"
        );
    }
    Ok(text)
}

/// An option of sbatch. The first word that is none would be the script's name.
fn option(text: &str) -> Result<String, String> {
    if text.starts_with('-') && !text.chars().any(char::is_control) {
        Ok(text.into())
    } else {
        Err("an option of sbatch in one word, as --sbatch=--mem=2G".into())
    }
}
