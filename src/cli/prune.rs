//! `reines prune`: removes what older code versions have left.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::text::{counted, size, tree_size};
use super::{Common, Refused, named, output};
use crate::cli::terminal;
use crate::experiment::store::atomic::real_path;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::results::runs::{self, CompleteRun};

/// Remove runs of older code versions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines prune                 the runs it would remove, and how large they are
  reines prune epsilon         those of one experiment, and why the others stay
  reines prune --yes --plans   remove them, and runs of other plans

Never removed: an experiment's newest complete run and that of its present plan,
runs under way, and results/reference. A run's folder may also be removed by
hand (`rm -r`): no other run depends on it.")]
pub struct Args {
    /// Experiments, by their names, specs or runs [default: all]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// Also runs of the present code version that are of another plan than the spec's
    #[arg(long)]
    plans: bool,
    /// Remove them
    #[arg(long)]
    yes: bool,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    refuse_reference(&common.results)?;
    named::refuse_elsewhere(&args.experiments, &common.results)?;
    let entries = catalog::runs(&common.results)?;
    let mut halves = catalog::half_removed(&common.results)?;
    let known = entries.iter().map(|it| &*it.experiment);
    let known: Vec<&str> = known.chain(halves.iter().map(|it| &*it.0)).collect();
    let lacking = format!("no run in {}", common.results.display());
    let experiments = named::experiments(&args.experiments, &known, &lacking)?;
    let (old, kept) = sorted(entries, &experiments, args, common);
    halves.retain(|(experiment, _)| experiments.contains(experiment));
    let is_nothing = old.is_empty() && halves.is_empty();
    if is_nothing || !args.experiments.is_empty() {
        let line = |(entry, reason): &(RunFolder, &str)| {
            format!("{}: kept: {reason}", entry.path().display())
        };
        terminal::print(kept.iter().map(line))?;
    }
    if is_nothing {
        let nothing = format!("nothing to remove in {}", common.results.display());
        terminal::print([nothing])?;
        return Ok(0);
    }
    let old = old
        .iter()
        .map(|entry| (entry.path(), entry.code().in_brackets()));
    let halves = halves.iter().map(|(_, path)| {
        let why = " (its removal was interrupted)";
        (path.as_path(), why.to_owned())
    });
    let gone: Vec<(&Path, String)> = old.chain(halves).collect();
    let (mut lines, mut all) = (Vec::new(), 0);
    for (path, why) in &gone {
        let bytes = tree_size(path);
        all += bytes;
        let (path, size) = (path.display(), size(bytes.into()));
        lines.push(format!("{path}: {size}{why}"));
    }
    terminal::print(lines)?;
    let end = match args.yes {
        true => "removed",
        false => "--yes removes them",
    };
    for (path, _) in gone.iter().filter(|_| args.yes) {
        catalog::remove(path)?;
    }
    let count = counted(gone.len(), "old run");
    terminal::print([format!("{count}, {}: {end}", size(all.into()))])?;
    Ok(0)
}

/// The results that come with the sources are no rubbish, by whatever path they are named.
fn refuse_reference(results: &Path) -> Result<(), Refused> {
    let real = real_path(results);
    if real.file_name().is_some_and(|name| name == "reference") {
        let reason = "the reference is never removed; expected another folder of results";
        return Err(output::refused(results, reason));
    }
    Ok(())
}

/// The runs that are meant: those that are removed, and of the others why they stay.
fn sorted(
    entries: Vec<RunFolder>,
    experiments: &[String],
    args: &Args,
    common: &Common,
) -> (Vec<RunFolder>, Vec<(RunFolder, &'static str)>) {
    let complete = entries.iter().filter(|it| it.is_complete());
    let complete: Vec<CompleteRun> = complete
        .filter_map(|it| CompleteRun::read(it).ok())
        .collect();
    let newest = runs::latest(&complete);
    let plan = |name: &str| named::present_plan(name.as_ref(), &common.results);
    let plans: BTreeMap<&str, Option<String>> = experiments
        .iter()
        .map(|name| (&**name, plan(name)))
        .collect();
    let taken = plans.iter();
    let taken = taken.filter_map(|(name, plan)| runs::choose(name, plan.as_deref(), &complete));
    let taken: Vec<CompleteRun> = taken.cloned().collect();
    let is_one_of =
        |runs: &[CompleteRun], entry: &RunFolder| runs.iter().any(|run| run.folder == *entry);
    let why_kept = |entry: &RunFolder| {
        let is_readable = match entry.is_complete() {
            true => entry.manifest().is_ok(),
            false => entry.plan().is_some(),
        };
        let of_plan = plans.get(&*entry.experiment).and_then(Option::as_deref);
        let is_of_plan = of_plan.is_none_or(|plan| plan == entry.plan_hash);
        if entry.is_locked() {
            Some("a process works in it")
        } else if !is_readable {
            Some("it cannot be read, and may be of a newer program")
        } else if is_one_of(&newest, entry) {
            Some("the newest complete run of its experiment")
        } else if is_one_of(&taken, entry) {
            Some("the run that other commands take")
        } else if entry.code() != Code::Present || (args.plans && !is_of_plan) {
            None
        } else if is_of_plan {
            Some("of this code version and the present plan")
        } else {
            Some("of this code version; --plans removes runs of other plans")
        }
    };
    let meant = entries.into_iter();
    let meant = meant.filter(|entry| named::is_meant(&args.experiments, entry));
    let (mut old, mut kept) = (Vec::new(), Vec::new());
    for entry in meant {
        match why_kept(&entry) {
            None => old.push(entry),
            Some(reason) => kept.push((entry, reason)),
        }
    }
    (old, kept)
}
