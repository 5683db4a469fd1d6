//! `reines status`: how far a run and each of its shards is.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use super::number::whole;
use super::plan::{PlanArgs, planned_run};
use super::underway::Underway;
use crate::cli::terminal;
use crate::cluster::slurm::{self, TaskStates};
use crate::cluster::state::{self, Known, ShardState, ShardStatus};
use crate::cluster::submission::{self, Submission};
use crate::cluster::submit::job_names;
use crate::experiment::shard::{MAX_SHARDS, ranges};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::shards::Shards;

/// Print how far a run under way is, and which shards of it are done, running, queued, failed or
/// missing
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines status experiments/epsilon.toml\n  reines status --json experiments/epsilon.toml\n\n\
                        Exits with 0 if the run is complete, with 1 if not. Asks Slurm where the run was submitted to it."
)]
pub struct Args {
    /// The experiment's spec file
    #[arg(value_name = "FILE")]
    file: PathBuf,
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
    progress: Option<Underway>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    under_way: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let spec = super::read_specs(std::slice::from_ref(&args.file))?.remove(0);
    let plan = args.plan.plan(&spec)?;
    let folder = planned_run(&spec, &plan, &args.plan.results, &[]).folder();
    let status = status(spec.name.clone(), &folder, args.shards).context(spec.name)?;
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
    let (mut shards, mut remark) = (Vec::new(), None);
    if !complete {
        let submissions = submission::read(run)?;
        if let Some(count) = count.or(newest_cut(run, &submissions)?) {
            let (queue, history) = ask_slurm(&experiment, &submissions, &mut remark);
            shards = state::statuses(
                run,
                count,
                Known {
                    submissions: &submissions,
                    queue: queue.as_ref(),
                    history: &history,
                },
            )?;
        }
    }
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
        progress: Underway::of(run).map(|(underway, _)| underway),
        under_way: Underway::in_words(run),
        remark,
    })
}

/// The cut that was submitted last, else the one of which most is done.
fn newest_cut(run: &RunFolder, submissions: &[Submission]) -> anyhow::Result<Option<u32>> {
    let submitted = submissions.last().map(|submission| submission.shards);
    let cuts = Shards::cuts(run)?;
    let fullest = cuts.iter().max_by_key(|shards| {
        u64::from(u32::MAX) * shards.done.len() as u64 / u64::from(shards.count)
    });
    Ok(submitted.or(fullest.map(|shards| shards.count)))
}

/// The queue and what became of earlier tasks, where the run was submitted to Slurm and Slurm
/// answers.
fn ask_slurm(
    experiment: &str,
    submissions: &[Submission],
    remark: &mut Option<String>,
) -> (Option<TaskStates>, TaskStates) {
    let jobs: Vec<String> = submissions
        .iter()
        .filter_map(|submission| submission.array_job.clone())
        .collect();
    if jobs.is_empty() {
        return (None, TaskStates::new());
    }
    match slurm::queue(&job_names(experiment)) {
        Ok(queue) => (Some(queue), slurm::history(&jobs)),
        Err(error) => {
            *remark = Some(format!("from files alone: {error}"));
            (None, TaskStates::new())
        }
    }
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
    for ShardStatus {
        shard, task, slurm, ..
    } in shards
        .iter()
        .filter(|shard| shard.state == ShardState::Failed)
    {
        if let Some(task) = task {
            let reason = slurm
                .as_ref()
                .map_or_else(String::new, |slurm| format!(" ended as {slurm}"));
            writeln!(
                out,
                "  shard {shard}: task {task}{reason}, see slurm/array-{task}.out there"
            )?;
        }
    }
    if shards.iter().all(|shard| shard.state == ShardState::Done) {
        writeln!(out, "  not merged yet: `reines merge` puts them together")?;
    }
    if let Some(remark) = remark {
        writeln!(out, "  {remark}")?;
    }
    Ok(())
}
