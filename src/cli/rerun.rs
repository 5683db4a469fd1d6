//! `reines rerun`: repeat a run from what it kept, and compare.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};

use super::progress::Display;
use super::text::trials_in_words;
use crate::analysis::sequential::is_precise;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::runner::{self, Finish, Request};
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;

/// Repeat a run from its manifest and say whether the bytes agree
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines rerun results/epsilon/0.1.0-1a2b3c4d-00ff00ff/manifest.toml\n\n\
                        The repetition is kept nowhere unless --results is given. Exit code 1 where the bytes differ."
)]
pub struct Args {
    /// The manifest of a complete run, or its folder
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// Keep the repetition in this results folder
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Threads that run trials [default: one per processor]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// No progress and no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// # Errors
/// A run whose manifest or spec cannot be read, and those of running.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = folder(&args.manifest)?;
    let manifest = folder.manifest()?;
    if let Some(shard) = &manifest.shard {
        bail!(
            "{}: holds share {shard} of a run; only a whole run is repeated",
            folder.path().display()
        );
    }
    if manifest.rows == 0 && manifest.timed_rows > 0 {
        bail!(
            "{}: every trial had a time limit; what the clock may stop depends on the machine, and is not repeated",
            folder.path().display()
        );
    }
    let (spec, plan) = plan(&folder, &manifest)?;
    if manifest.code() != Code::Present {
        eprintln!(
            "{}: made by code version {}, repeated by {}{}",
            spec.name,
            manifest.code_version,
            plan.code_version(),
            manifest.code().in_brackets()
        );
    }
    let temporary = tempfile::tempdir().context("no temporary folder")?;
    let results = args.results.as_deref().unwrap_or(temporary.path());
    let repeated = repeat(&spec, &plan, results, args)?;
    let Some(repeated) = repeated else {
        return Ok(ExitCode::from(1));
    };
    compare(&folder, &manifest, &repeated)
}

/// The run folder that a path to it, or to its manifest, means.
fn folder(path: &Path) -> anyhow::Result<RunFolder> {
    let folder = if path.is_dir() {
        path
    } else {
        path.parent().unwrap_or(Path::new(""))
    };
    let folder = RunFolder::at(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    });
    anyhow::ensure!(
        folder.is_complete(),
        "{}: no manifest of a complete run",
        path.display()
    );
    Ok(folder)
}

/// What the run ran, from the spec that it kept.
fn plan(folder: &RunFolder, manifest: &Manifest) -> anyhow::Result<(Spec, Plan)> {
    folder.open_checked(manifest, "spec.toml")?;
    let label = folder.path().join("spec.toml").display().to_string();
    let spec = spec::parse_without_figures(&manifest.experiment, &label, &folder.spec_text()?)?;
    match Plan::recover(&spec, &manifest.plan_hash) {
        Some(plan) => Ok((spec, plan)),
        None => bail!(
            "{label}: this program makes no plan {} of it; code version {} did",
            manifest.plan_hash,
            manifest.code_version
        ),
    }
}

/// Runs the plan from the first trial on; `None` when it was interrupted.
fn repeat(
    spec: &Spec,
    plan: &Plan,
    results: &Path,
    args: &Args,
) -> anyhow::Result<Option<RunFolder>> {
    let stop: &AtomicBool = super::run::stop_on_signals()?;
    let command = super::command_line();
    let threads = args.threads.map_or(0, usize::from);
    let request = Request {
        spec,
        plan,
        results,
        shard: None,
        threads,
        force: true,
        rule: is_precise,
        command: &command,
    };
    let mut display = Display::new(&spec.name, args.quiet);
    match runner::run(&request, stop, &mut display).with_context(|| spec.name.clone())? {
        Finish::Complete {
            folder,
            rows,
            timed_rows,
        } => {
            display.finish(&format!("{} repeated", trials_in_words(rows, timed_rows)));
            Ok(Some(folder))
        }
        Finish::AlreadyComplete(folder) => Ok(Some(folder)),
        Finish::Interrupted { .. } => {
            display.finish("interrupted; nothing was compared");
            Ok(None)
        }
    }
}

fn compare(
    original: &RunFolder,
    manifest: &Manifest,
    repeated: &RunFolder,
) -> anyhow::Result<ExitCode> {
    const TRIALS: &str = "trials.parquet";
    let mut out = std::io::stdout().lock();
    let again = repeated.manifest()?;
    let damage = original.open_checked(manifest, TRIALS).err();
    if let Some(damage) = &damage {
        writeln!(out, "{damage}")?;
    }
    let agrees = manifest.files.get(TRIALS) == again.files.get(TRIALS);
    let path = original.path().display();
    if agrees {
        writeln!(
            out,
            "{path}: the repetition gives the same {} rows, byte for byte",
            again.rows
        )?;
    } else if damage.is_none() {
        writeln!(
            out,
            "{path}: the repetition differs: {}",
            difference(original, manifest, repeated, &again)?
        )?;
    } else {
        writeln!(
            out,
            "{path}: the repetition differs from what the manifest says of trials.parquet"
        )?;
    }
    if manifest.timed_rows > 0 {
        writeln!(
            out,
            "{path}: {} rows of timed.parquet not compared: their trials had a time limit, and depend on the machine",
            manifest.timed_rows
        )?;
    }
    Ok(ExitCode::from(u8::from(!agrees || damage.is_some())))
}

/// How many rows differ, and the first of them.
fn difference(
    original: &RunFolder,
    manifest: &Manifest,
    repeated: &RunFolder,
    again: &Manifest,
) -> anyhow::Result<String> {
    let (before, after) = (original.trials(manifest)?, repeated.trials(again)?);
    let rows = |points: Vec<_>| -> Vec<_> {
        let of_point = |points: crate::experiment::store::PointTrials| {
            points
                .rows
                .into_iter()
                .map(move |row| (points.point.clone(), row))
        };
        points.into_iter().flat_map(of_point).collect()
    };
    let (before, after) = (rows(before), rows(after));
    let differing: Vec<_> = before
        .iter()
        .zip(&after)
        .filter(|(before, after)| before != after)
        .collect();
    Ok(match differing.first() {
        _ if before.len() != after.len() => {
            format!("{} rows instead of {}", after.len(), before.len())
        }
        Some(((point, row), _)) => format!(
            "{} of {} rows; the first is trial {} of seed {} at {} n = {}",
            differing.len(),
            before.len(),
            row.trial,
            row.seed,
            point.algorithm,
            point.n
        ),
        None => "the same rows in other bytes".into(),
    })
}
