//! `reines verify`: whether results are what was written.

use std::path::PathBuf;

use super::shelf::Shelf;
use super::terminal::is_quiet;
use super::view::JsonOption;
use super::word::Word;
use super::{Common, output};
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;
use crate::results::audit::{self, Audit};

/// Compare every checksum of results
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines verify                       every file of all results
  reines verify results/reference     of a folder of results
  reines verify epsilon               of the runs of an experiment

Exit code 1 where something is damaged, or cannot be read. Nothing is written:
`reines run` sets what is damaged aside and runs its trials again.")]
pub struct Args {
    /// An experiment, a run's folder or manifest, or a folder of results [default: all results]
    #[arg(value_name = "NAME")]
    name: Option<PathBuf>,
    #[command(flatten)]
    view: JsonOption,
}

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let audits = audits(args, common)?;
    let told = audits.iter().filter(|it| !is_quiet() || !it.is_sound());
    let told: Vec<&Audit> = told.collect();
    args.view.print(&told, include_str!("verify/verify.txt"))?;
    let is_sound = audits.iter().all(Audit::is_sound);
    Ok(u8::from(!is_sound))
}

/// What was found in the runs that are meant, of which there is at least one.
fn audits(args: &Args, common: &Common) -> anyhow::Result<Vec<Audit>> {
    let expected = "expected a folder of results, an experiment or a run";
    let word = args.name.as_ref().unwrap_or(&common.results);
    if word.is_dir() {
        let audits = audit::audit(word, |_| true)?;
        if !audits.is_empty() {
            return Ok(audits);
        }
        let copied = catalog::copied(word)?;
        if !copied.is_empty() {
            return Ok(copied.iter().map(audit::audit_run).collect());
        }
    }
    let shelf = Shelf::of(&common.results);
    if let Word::Run(run) = shelf.word(word)? {
        return Ok(vec![audit::audit_run(&run.anywhere())]);
    }
    let words = shelf.each(std::slice::from_ref(word))?;
    let is_meant = |run: &RunFolder| words.iter().any(|word| word.means(run));
    let audits = audit::audit(&common.results, is_meant)?;
    if audits.is_empty() {
        let reason = match word.is_dir() {
            true => "nothing was checked, since no run is in it",
            false => "no such folder, and no run of this name",
        };
        return Err(output::refused(word, format!("{reason}; {expected}")).into());
    }
    Ok(audits)
}
