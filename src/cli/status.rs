//! `reines status`: how far a run and each of its shards is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::json;

use super::plan::{PlanArgs, planned_run};
use super::progress;
use super::text::counted;
use crate::cli::terminal;
use crate::cluster::{self, ShardState, ShardStatus, numbers};
use crate::experiment::runner::Progress;
use crate::experiment::shard::ranges;
use crate::experiment::store::catalog;

/// Print how far a run and its shards are
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines status epsilon
  reines status --json epsilon

Exits with 0 if the run is complete, with 1 if not. Asks Slurm where the run was
submitted to it.")]
pub struct Args {
    /// An experiment or a run
    #[arg(value_name = "EXPERIMENT")]
    experiment: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let (spec, plan) = args.plan.named(&args.experiment)?;
    let folder = planned_run(&spec, &plan, &args.plan.results).folder();
    let is_complete = folder.is_complete();
    let asked = cluster::of_run(&spec.name, &folder);
    let (shards, mut remark) = asked.with_context(|| spec.name.clone())?;
    if !folder.path().exists() {
        remark = others(&spec.name, &args.plan.results)?;
    }
    let (place, under_way) = (folder.path().display(), progress::of_run(&folder));
    if args.json {
        let count = |state: ShardState| (state.name(), numbers(&shards, &[state]).len());
        let status = json!({
            "experiment": spec.name,
            "folder": folder.path(),
            // Whether the run is there in one piece.
            "complete": is_complete,
            // How many shards there are in each state.
            "counts": BTreeMap::from(ShardState::ALL.map(count)),
            "shards": shards,
            // How far the run is, as it says itself, and the same in words.
            "progress": Progress::read(&folder).map(|(progress, _)| progress),
            "under_way": under_way,
            "remark": remark,
        });
        terminal::print([terminal::json(&status)?])?;
    } else {
        let head = |words: &str| format!("{}: {words}, in {place}", spec.name);
        let mut lines: Vec<String> = under_way.iter().map(|words| head(words)).collect();
        if !shards.is_empty() {
            lines.extend(in_words(&shards, head));
        }
        if is_complete {
            lines = vec![format!("{}: complete in {place}", spec.name)];
        } else if lines.is_empty() {
            lines.push(format!("{}: not begun", spec.name));
        }
        lines.extend(remark.map(|remark| format!("  {remark}")));
        terminal::print(lines)?;
    }
    Ok(u8::from(!is_complete))
}

/// The runs of an experiment, which are of other plans or code than what is asked for.
fn others(experiment: &str, results: &Path) -> anyhow::Result<Option<String>> {
    let mut words = Vec::new();
    for entry in catalog::runs(results)? {
        if entry.experiment == experiment {
            let far = match entry.folder.is_complete() {
                true => counted(entry.folder.manifest()?.rows, "trial"),
                false => "unfinished".to_owned(),
            };
            words.push(format!("{far} in {}", entry.folder.path().display()));
        }
    }
    Ok((!words.is_empty()).then(|| format!("of another plan or code: {}", words.join("; "))))
}

/// The shards of a run by their states.
fn in_words(shards: &[ShardStatus], head: impl Fn(&str) -> String) -> Vec<String> {
    let (done, all) = (numbers(shards, &[ShardState::Done]).len(), shards.len());
    let mut lines = vec![head(&format!("{done} of {all} shards done"))];
    for state in ShardState::ALL {
        let found = numbers(shards, &[state]);
        if !found.is_empty() {
            lines.push(format!("  {:<8} {}", state.name(), ranges(&found)));
        }
    }
    for it in shards.iter().filter(|it| it.state == ShardState::Failed) {
        let said = |task| format!("  shard {}: see slurm/array-{task}.out there", it.shard);
        lines.extend(it.task.as_ref().map(said));
    }
    if done == all {
        let run = super::own_name() + " run";
        lines.push(format!("  `{run}` puts them together"));
    }
    lines
}
