//! `reines verify`: whether results are what was written. Its help and exit codes are here, its
//! text is in `verify/verify.txt`, what it looks at in `results/audit.rs`.

use std::path::PathBuf;

use itertools::Itertools;

use super::target::{self, Target};
use super::terminal::is_quiet;
use super::view::JsonOption;
use super::{Common, user_files};
use crate::experiment::spec::RESERVED;
use crate::experiment::store::atomic::above;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::{LINKED, RunFolder};
use crate::results::audit::{self, Audit};

/// Compare every checksum of results
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines verify                       every file of all results
  reines verify results/reference     of a folder of results
  reines verify epsilon               of the runs of an experiment

Exit code 1 where something is damaged, or cannot be read; a sound run that lies
in the folder of another experiment is not damaged. --quiet leaves out sound
runs. Nothing is written: `reines run` sets what is damaged aside and runs its
trials again.")]
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
    let told = audits
        .iter()
        .filter(|audit| !is_quiet() || !audit.is_sound());
    let told: Vec<&Audit> = told.collect();
    args.view.print(&told, include_str!("verify/verify.txt"))?;
    let is_sound = audits.iter().all(Audit::is_sound);
    Ok(u8::from(!is_sound))
}

/// Adds what is wrong with files that stand in the place of links to tables, each to the run that
/// is meant there.
fn audit_beside(runs: &[RunFolder], audits: &mut [Audit]) {
    let folders = runs.iter().map(|run| above(run.path())).unique();
    for (folder, name) in folders.cartesian_product(LINKED) {
        let file = folder.join(name);
        let is_file = file
            .symlink_metadata()
            .is_ok_and(|symlink_metadata| symlink_metadata.is_file());
        if !is_file {
            continue;
        }
        let experiment = target::of_results(target::last_of(folder), above(folder));
        let Ok(Some(run)) = experiment.run() else {
            continue;
        };
        let meant = run.folder.path().display().to_string();
        let audit = audits.iter_mut().find(|audit| audit.folder == meant);
        let words = audit::file_beside(&run, &file, name);
        if let (Some(audit), Some(words)) = (audit, words) {
            audit.add_damage(words);
        }
    }
}

/// What was found in the runs that are meant, of which there is at least one.
fn audits(args: &VerifyArgs) -> anyhow::Result<Vec<Audit>> {
    let results = &args.common.results;
    let targets = target::targets(args.name.as_slice(), results)?;
    if let [Target::Run(run)] = &targets[..] {
        return Ok(vec![audit::audit_run(&run.clone().anywhere())]);
    }
    let runs = match args.name {
        Some(_) => targets
            .iter()
            .map(Target::folders)
            .flatten_ok()
            .collect::<Result<_, _>>()?,
        None => [
            catalog::runs(results)?,
            catalog::runs(&results.join(RESERVED))?,
        ]
        .concat(),
    };
    let mut audits: Vec<Audit> = runs.iter().map(audit::audit_run).collect();
    audit_beside(&runs, &mut audits);
    if audits.is_empty() {
        let name = args.name.as_ref().unwrap_or(results);
        return Err(user_files::refused(name, "nothing was checked, since it has no run").into());
    }
    Ok(audits)
}
