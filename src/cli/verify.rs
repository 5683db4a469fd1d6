//! `reines verify`: whether results are what was written, and what the program writes again.

use std::path::PathBuf;

use super::number::threads;
use super::text::{counted, courses_in_words};
use super::{Common, named, output, rerun};
use crate::cli::terminal;
use crate::results::audit::{self, Audit, State};

/// Compare every checksum of results, or repeat a run and compare its rows
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines verify                       every file of all results
  reines verify results/reference     of a folder of results
  reines verify epsilon               of the runs of an experiment
  reines verify --rerun epsilon       its newest run once more: the same bytes?
  reines verify --rerun epsilon.crate.zip

Exit code 1 where something is damaged, or a repetition differs. Nothing is
written: `reines run` sets damaged parts of an unfinished run aside and runs
their trials again; beside a complete run `reines run --again` makes another.")]
pub struct Args {
    /// An experiment, a run's folder or manifest, a folder of results, `latest`, `reference`, or
    /// with --rerun a crate of `reines pack` [default: all results]
    #[arg(value_name = "NAME")]
    pub name: Option<PathBuf>,
    /// Repeat the run, in a temporary folder, and compare the bytes
    #[arg(long, requires = "name")]
    pub rerun: bool,
    /// Threads that run trials, at most four per processor, or 64 [default: one per processor]
    #[arg(long, value_name = "K", value_parser = threads(), requires = "rerun")]
    pub threads: Option<u16>,
    /// Allow what `run` allows with this option
    #[arg(long, hide = true)]
    pub allow_huge: bool,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    if let (true, Some(run)) = (args.rerun, &args.name) {
        return rerun::run(run, args, common);
    }
    let audits = audits(args, common)?;
    let told = audits.iter().filter(|it| !common.quiet || !it.is_sound());
    terminal::print(told.flat_map(lines))?;
    let is_sound = audits.iter().all(Audit::is_sound);
    Ok(u8::from(!is_sound))
}

/// What was found in the runs that are meant, of which there is at least one.
fn audits(args: &Args, common: &Common) -> anyhow::Result<Vec<Audit>> {
    let expected = "expected a folder of results, an experiment, a run, `latest` or `reference`";
    let word = args.name.as_ref().unwrap_or(&common.results);
    if word.is_dir() {
        let audits = audit::audit(word, |_| true)?;
        if !audits.is_empty() {
            return Ok(audits);
        }
    }
    // A run's folder lies in that of its experiment, and this in the results.
    let above = named::folder(word).and_then(|run| Some(run.path().ancestors().nth(2)?.to_owned()));
    let results = above.filter(|it| it.is_dir());
    let results = results.as_ref().unwrap_or(&common.results);
    let words = named::each_run(std::slice::from_ref(word), results)?;
    let audits = audit::audit(results, |it| named::is_meant(&words, it))?;
    if audits.is_empty() {
        let reason = match word.is_dir() {
            true => "nothing was checked, since no run is in it",
            false => "no such folder, and no run of this name",
        };
        return Err(output::refused(word, format!("{reason}; {expected}")).into());
    }
    Ok(audits)
}

fn lines(audit: &Audit) -> Vec<String> {
    let word = if audit.is_sound() { "ok" } else { "DAMAGED" };
    let state = match audit.state {
        State::Complete { rows, course_rows } => {
            let courses = courses_in_words(course_rows);
            format!("complete, {}{courses}", counted(rows, "trial"))
        }
        State::Unfinished { rows } => format!("unfinished, {} saved", counted(rows, "trial")),
    };
    let path = audit.run.path().display();
    let mut lines = vec![format!("{word:<8} {path}: {state}")];
    lines.extend(audit.damage.iter().map(|it| format!("         {it}")));
    let beside = audit.beside.iter();
    lines.extend(beside.map(|it| format!("         beside it: {it}")));
    lines
}
