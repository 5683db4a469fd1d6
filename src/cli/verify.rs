//! `reines verify`: whether results are what was written.

use std::path::PathBuf;

use itertools::Itertools;

use super::terminal::is_quiet;
use super::view::JsonOption;
use super::word::{self, Word};
use super::{Common, output};
use crate::experiment::spec::RESERVED;
use crate::experiment::store::catalog;
use crate::results::audit::{self, Audit};

/// Compare every checksum of results
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines verify                       every file of all results
  reines verify results/reference     of a folder of results
  reines verify epsilon               of the runs of an experiment

Exit code 1 where something is damaged, or cannot be read; a sound run that lies
in the folder of another experiment is not damaged. Nothing is written:
`reines run` sets what is damaged aside and runs its trials again.")]
pub struct VerifyArgs {
    /// An experiment, a run's folder or manifest, or a folder of results [default: all results]
    #[arg(value_name = "NAME")]
    name: Option<PathBuf>,
    #[command(flatten)]
    view: JsonOption,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &VerifyArgs) -> anyhow::Result<u8> {
    let audits = audits(args)?;
    let told = audits.iter().filter(|it| !is_quiet() || !it.is_sound());
    let told: Vec<&Audit> = told.collect();
    args.view.print(&told, include_str!("verify/verify.txt"))?;
    let is_sound = audits.iter().all(Audit::is_sound);
    Ok(u8::from(!is_sound))
}

/// What was found in the runs that are meant, of which there is at least one.
fn audits(args: &VerifyArgs) -> anyhow::Result<Vec<Audit>> {
    let results = &args.common.results;
    let words = word::words(args.name.as_slice(), results)?;
    if let [Word::Run(run)] = &words[..] {
        return Ok(vec![audit::audit_run(&run.clone().anywhere())]);
    }
    let runs = match args.name {
        Some(_) => words
            .iter()
            .map(Word::folders)
            .flatten_ok()
            .collect::<Result<_, _>>()?,
        None => [
            catalog::runs(results)?,
            catalog::runs(&results.join(RESERVED))?,
        ]
        .concat(),
    };
    let audits: Vec<Audit> = runs.iter().map(audit::audit_run).collect();
    if audits.is_empty() {
        let name = args.name.as_ref().unwrap_or(results);
        return Err(output::refused(name, "nothing was checked, since it has no run").into());
    }
    Ok(audits)
}
