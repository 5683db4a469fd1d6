//! `reines verify-files`: whether the results are what was written.

use std::path::PathBuf;

use super::output;
use super::text::{counted, courses_in_words};
use crate::cli::terminal;
use crate::results::audit::{self, Audit, State};

/// Compare every checksum and manifest in a results folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines verify-files
  reines verify-files results/reference

Exit code 1 where something is damaged. Nothing is written: `reines run` sets
damaged parts of an unfinished run aside and runs their trials again; beside a
complete run `reines run --force` makes another.")]
pub struct Args {
    /// Where results are kept
    #[arg(value_name = "RESULTS", default_value = "results")]
    results: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let refused = |reason: &str| {
        output::refused(
            &args.results,
            format!("{reason}; expected a folder of results"),
        )
    };
    if !args.results.is_dir() {
        return Err(refused("no such folder").into());
    }
    let audits = audit::audit(&args.results)?;
    if audits.is_empty() {
        return Err(refused("nothing was checked, since no run is in it").into());
    }
    terminal::print(audits.iter().flat_map(lines))?;
    let is_sound = audits.iter().all(Audit::is_sound);
    Ok(u8::from(!is_sound))
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
    let path = audit.entry.folder.path().display();
    let mut lines = vec![format!("{word:<8} {path}: {state}")];
    lines.extend(audit.damage.iter().map(|it| format!("         {it}")));
    let beside = audit.beside.iter();
    lines.extend(beside.map(|it| format!("         beside it: {it}")));
    lines
}
