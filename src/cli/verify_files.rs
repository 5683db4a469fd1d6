//! `reines verify-files`: whether the results are what was written.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::text::{counted, courses_in_words};
use crate::cli::terminal::{self, say};
use crate::results::audit::{self, Audit, State};

/// Compare every checksum and manifest in a results folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines verify-files
  reines verify-files results/reference

Exit code 1 where something is damaged. Nothing is written: `reines run` sets
damaged parts aside and runs their trials again.")]
pub struct Args {
    /// Where results are kept
    #[arg(value_name = "RESULTS", default_value = "results")]
    results: PathBuf,
}

/// # Errors
/// A folder that cannot be listed.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.results.is_dir(),
        "{}: no such folder",
        args.results.display()
    );
    let audits = audit::audit(&args.results)?;
    if audits.is_empty() {
        say!("{}: no run in it", args.results.display());
    }
    let mut out = terminal::out();
    audits.iter().try_for_each(|audit| write(&mut out, audit))?;
    Ok(ExitCode::from(u8::from(
        !audits.iter().all(Audit::is_sound),
    )))
}

fn write(out: &mut impl Write, audit: &Audit) -> io::Result<()> {
    let word = if audit.is_sound() { "ok" } else { "DAMAGED" };
    let state = match audit.state {
        State::Complete { rows, course_rows } => {
            let courses = courses_in_words(course_rows);
            format!("complete, {}{courses}", counted(rows, "trial"))
        }
        State::Unfinished { parts, rows } => {
            let (rows, parts) = (counted(rows, "trial"), counted(parts as u64, "part"));
            format!("unfinished, {rows} in {parts}")
        }
    };
    writeln!(
        out,
        "{word:<8} {}: {state}",
        audit.entry.folder.path().display()
    )?;
    audit
        .damage
        .iter()
        .try_for_each(|damage| writeln!(out, "         {damage}"))?;
    audit
        .beside
        .iter()
        .try_for_each(|beside| writeln!(out, "         beside it: {beside}"))
}
