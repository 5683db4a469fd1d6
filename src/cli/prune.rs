//! `reines prune`: removes what older code versions have left.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use super::BadInput;
use super::text::{did_you_mean, size, tree_size};
use crate::cli::terminal;
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::version::Code;
use crate::results::runs::{CompleteRun, newest_first};

/// Remove runs of older code versions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines prune                  which runs, how large, and whether to remove them\n  reines prune --yes epsilon\n\n\
                        Never removed: an experiment's newest complete run, runs of the present code version, runs under way, and results/reference."
)]
pub struct Args {
    /// Experiments [default: all]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Remove without asking
    #[arg(long)]
    yes: bool,
}

/// # Errors
/// An experiment without results; a folder that cannot be removed; no answer where one is needed.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    refuse_reference(&args.results)?;
    let entries = catalog::runs(&args.results)?;
    refuse_unknown(&entries, args)?;
    let old = old(entries, &args.experiments);
    let mut out = terminal::out();
    if old.is_empty() {
        writeln!(out, "nothing to remove in {}", args.results.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut all = 0;
    for entry in &old {
        let path = entry.folder.path();
        let bytes = tree_size(path);
        all += bytes;
        let code = entry.code();
        writeln!(
            out,
            "{}: {}{}",
            path.display(),
            size(bytes.into()),
            code.in_brackets()
        )?;
    }
    let noun = if old.len() == 1 { "run" } else { "runs" };
    writeln!(out, "{} old {noun}, {}", old.len(), size(all.into()))?;
    if !args.yes && !agreed(&mut out)? {
        writeln!(out, "nothing was removed")?;
        return Ok(ExitCode::from(1));
    }
    for entry in &old {
        remove(entry.folder.path())?;
    }
    writeln!(out, "removed")?;
    Ok(ExitCode::SUCCESS)
}

/// The results that come with the sources are no rubbish, by whatever path they are named.
fn refuse_reference(results: &Path) -> Result<(), BadInput> {
    let real = results.canonicalize().unwrap_or_else(|_| results.into());
    if real.file_name().is_some_and(|name| name == "reference") {
        let reason = "the reference is never removed; allowed is another folder of results";
        return Err(BadInput(format!("{}: {reason}", results.display())));
    }
    Ok(())
}

fn refuse_unknown(entries: &[RunEntry], args: &Args) -> Result<(), BadInput> {
    let mut known: Vec<&str> = entries.iter().map(|it| &*it.experiment).collect();
    known.dedup();
    let unknown = args.experiments.iter().find(|it| !known.contains(&&***it));
    match unknown {
        None => Ok(()),
        Some(name) => Err(BadInput(format!(
            "{name}: no run in {}{}; there are {}",
            args.results.display(),
            did_you_mean(name, &known),
            known.join(", ")
        ))),
    }
}

/// The runs of other code, but for the newest complete run of each experiment and for those that a
/// process holds.
fn old(entries: Vec<RunEntry>, experiments: &[String]) -> Vec<RunEntry> {
    let complete = entries.iter().filter(|it| it.folder.is_complete());
    let complete: Vec<CompleteRun> = complete
        .filter_map(|it| CompleteRun::read(it).ok())
        .collect();
    let is_newest = |entry: &RunEntry| {
        let newest = newest_first(&complete, &entry.experiment);
        newest.first().is_some_and(|run| run.folder == entry.folder)
    };
    let is_meant =
        |entry: &RunEntry| experiments.is_empty() || experiments.contains(&entry.experiment);
    // It may be of a newer program.
    let is_unread =
        |entry: &RunEntry| entry.folder.is_complete() && entry.folder.manifest().is_err();
    let is_old = |entry: &RunEntry| {
        is_meant(entry)
            && entry.code() != Code::Present
            && !is_newest(entry)
            && !entry.folder.is_locked()
            && !is_unread(entry)
    };
    entries.into_iter().filter(is_old).collect()
}

/// Whether a person says yes; without a terminal there is nobody to ask.
fn agreed(out: &mut dyn Write) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(BadInput("nobody to ask here; --yes removes without asking".to_owned()).into());
    }
    write!(out, "remove them? [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Under another name first: a run that is half removed must not be taken for one that can go on.
fn remove(path: &Path) -> anyhow::Result<()> {
    let named = || path.display().to_string();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".removed");
    let gone = path.with_file_name(name);
    fs::rename(path, &gone).with_context(named)?;
    fs::remove_dir_all(&gone).with_context(named)
}
