//! `reines prune`: removes what older code versions have left.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::text::{counted, size, tree_size};
use super::{Refused, named, output};
use crate::cli::terminal;
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::version::Code;
use crate::results::runs::{self, CompleteRun};

/// Remove runs of older code versions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines prune                 which runs it would remove, and how large they are
  reines prune --yes epsilon   remove those of one experiment

Never removed: an experiment's newest complete run and that of its present plan,
runs of the present code version, runs under way, and results/reference.")]
pub struct Args {
    /// Experiments, by their names, specs or runs [default: all]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Remove them
    #[arg(long)]
    yes: bool,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    refuse_reference(&args.results)?;
    named::refuse_elsewhere(&args.experiments, &args.results)?;
    let entries = catalog::runs(&args.results)?;
    let mut halves = catalog::half_removed(&args.results)?;
    let known = entries.iter().map(|it| &*it.experiment);
    let known: Vec<&str> = known.chain(halves.iter().map(|it| &*it.0)).collect();
    let lacking = format!("no run in {}", args.results.display());
    let experiments = named::experiments(&args.experiments, &known, &lacking)?;
    let old = old(entries, &experiments, args);
    halves.retain(|(experiment, _)| experiments.contains(experiment));
    if old.is_empty() && halves.is_empty() {
        let nothing = format!("nothing to remove in {}", args.results.display());
        terminal::print([nothing])?;
        return Ok(0);
    }
    let (mut lines, mut all) = (Vec::new(), 0);
    for entry in &old {
        let (path, code) = (entry.folder.path(), entry.code().in_brackets());
        let bytes = tree_size(path);
        all += bytes;
        let (path, size) = (path.display(), size(bytes.into()));
        lines.push(format!("{path}: {size}{code}"));
    }
    for (_, path) in &halves {
        let bytes = tree_size(path);
        all += bytes;
        let (path, size) = (path.display(), size(bytes.into()));
        lines.push(format!("{path}: {size} (its removal was interrupted)"));
    }
    terminal::print(lines)?;
    let end = match args.yes {
        true => "removed",
        false => "--yes removes them",
    };
    for entry in old.iter().filter(|_| args.yes) {
        catalog::remove(&entry.folder)?;
    }
    for (_, path) in halves.iter().filter(|_| args.yes) {
        fs::remove_dir_all(path).with_context(|| path.display().to_string())?;
    }
    let count = counted(old.len() + halves.len(), "old run");
    terminal::print([format!("{count}, {}: {end}", size(all.into()))])?;
    Ok(0)
}

/// The results that come with the sources are no rubbish, by whatever path they are named.
fn refuse_reference(results: &Path) -> Result<(), Refused> {
    let real = results.canonicalize().unwrap_or_else(|_| results.into());
    if real.file_name().is_some_and(|name| name == "reference") {
        let reason = "the reference is never removed; expected another folder of results";
        return Err(output::refused(results, reason));
    }
    Ok(())
}

/// The runs of other code that are meant, but for the newest complete run of each experiment and
/// the one that other commands take, those that a process holds, and those that cannot be read:
/// they may be of a newer program.
fn old(entries: Vec<RunEntry>, experiments: &[String], args: &Args) -> Vec<RunEntry> {
    let complete = entries.iter().filter(|it| it.folder.is_complete());
    let complete: Vec<CompleteRun> = complete
        .filter_map(|it| CompleteRun::read(it).ok())
        .collect();
    let taken = experiments.iter().filter_map(|name| {
        let plan = named::present_plan(name.as_ref(), &args.results);
        named::choose(name, plan.as_deref(), &complete).cloned()
    });
    let mut kept = runs::latest(&complete);
    kept.extend(taken);
    let is_old = |entry: &RunEntry| {
        named::is_meant(&args.experiments, entry)
            && entry.code() != Code::Present
            && kept.iter().all(|run| run.folder != entry.folder)
            && !entry.folder.is_locked()
            && match entry.folder.is_complete() {
                true => entry.folder.manifest().is_ok(),
                false => entry.plan().is_some(),
            }
    };
    entries.into_iter().filter(is_old).collect()
}
