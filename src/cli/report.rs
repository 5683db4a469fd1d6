//! `reines report`: draw the figures of what has run.

mod partial;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::version::Code;
use crate::report::{self, Drawing, Figure, Input, NothingToDraw};

/// Draw the figures and tables of complete runs
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines report experiments/*.toml\n  reines report --results results/reference --figures /tmp/figures\n\n\
                        An experiment is drawn from the present code version's run, else from the newest one, and a line says so."
)]
pub struct Args {
    /// Spec files whose figures to draw [default: every experiment in the results, by the spec kept
    /// with its run]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Where figures go
    #[arg(long, value_name = "DIR", default_value = "figures")]
    figures: PathBuf,
    /// Draw what an unfinished run has so far, as FIGURE-partial; trials still running count as
    /// censored where they are
    #[arg(long)]
    partial: bool,
    /// Only errors
    #[arg(long, short)]
    quiet: bool,
}

/// A complete run and its manifest.
struct Run {
    entry: RunEntry,
    manifest: Manifest,
}

impl Run {
    /// Whether this program would make the same rows.
    fn is_present(&self) -> bool {
        self.manifest.code() == Code::Present
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let entries = catalog::runs(&args.results)?;
    let (complete, unfinished): (Vec<RunEntry>, Vec<RunEntry>) = entries
        .into_iter()
        .partition(|entry| entry.folder.is_complete());
    let runs = with_manifests(complete);
    let mut specs = if args.files.is_empty() {
        stored_specs(&runs)?
    } else {
        super::read_specs(&args.files)?
    };
    if args.files.is_empty() && args.partial {
        partial::add_stored_specs(&mut specs, &unfinished)?;
    }
    let mut code = ExitCode::SUCCESS;
    for spec in specs {
        let complete = choose(&spec, &runs)?;
        let partial = if args.partial && !is_own(&spec, complete)? {
            partial::choose(&spec, &unfinished)?
        } else {
            None
        };
        match (partial, complete) {
            (Some(entry), _) => partial::draw(&spec, entry, args)?,
            (None, Some(run)) => draw_run(&spec, run, args)?,
            (None, None) => {
                eprintln!(
                    "{}: no complete run in {}; `reines run` makes one",
                    spec.name,
                    args.results.display()
                );
                code = ExitCode::from(1);
            }
        }
    }
    Ok(code)
}

/// The runs whose manifest can be read; the others are named.
fn with_manifests(complete: Vec<RunEntry>) -> Vec<Run> {
    let read = |entry: RunEntry| match entry.folder.manifest() {
        Ok(manifest) => Some(Run { entry, manifest }),
        Err(error) => {
            eprintln!("{}: not drawn: {error}", entry.experiment);
            None
        }
    };
    complete.into_iter().filter_map(read).collect()
}

/// The spec of each experiment as its chosen run was started from it.
fn stored_specs(runs: &[Run]) -> anyhow::Result<Vec<Spec>> {
    let mut names: Vec<&str> = runs
        .iter()
        .map(|run| run.entry.experiment.as_str())
        .collect();
    names.dedup();
    let newest = |name: &str| newest(runs.iter().filter(|run| run.entry.experiment == name));
    names
        .into_iter()
        .filter_map(|name| newest(name).map(|run| (name, run)))
        .map(|(name, run)| {
            let label = run.entry.folder.path().join("spec.toml");
            Ok(spec::parse(
                name,
                &label.display().to_string(),
                &run.entry.folder.spec_text()?,
                &report::kinds(),
            )?)
        })
        .collect()
}

/// The run of the present code version, of the spec's own plan if there is one; else the newest.
fn choose<'a>(spec: &Spec, runs: &'a [Run]) -> anyhow::Result<Option<&'a Run>> {
    let plan_hash = Plan::new(spec)?.hash();
    let own = || runs.iter().filter(|run| run.entry.experiment == spec.name);
    let same_plan = |run: &&Run| run.entry.plan_hash == plan_hash;
    let present = |run: &&Run| run.is_present();
    Ok(newest(own().filter(present).filter(same_plan))
        .or_else(|| newest(own().filter(present)))
        .or_else(|| newest(own())))
}

/// Whether a run is the spec's own plan's under the present code version.
fn is_own(spec: &Spec, run: Option<&Run>) -> anyhow::Result<bool> {
    let plan_hash = Plan::new(spec)?.hash();
    Ok(run.is_some_and(|run| run.is_present() && run.entry.plan_hash == plan_hash))
}

/// RFC 3339 in UTC orders as text; the repeat decides between runs of one second.
fn newest<'a>(runs: impl Iterator<Item = &'a Run>) -> Option<&'a Run> {
    runs.max_by_key(|run| (run.is_present(), &run.manifest.ended, run.entry.repeat))
}

fn draw_run(spec: &Spec, run: &Run, args: &Args) -> anyhow::Result<()> {
    let (trials, timings) = run.entry.folder.all(&run.manifest)?;
    let machine = format!(
        "{}, {} logical processors",
        run.manifest.machine.cpu, run.manifest.machine.cores
    );
    let title = spec.title.as_deref().unwrap_or(&spec.name);
    let provenance = provenance(run);
    if !args.quiet {
        remarks(spec, run)?;
    }
    let input = Input {
        title,
        trials: &trials,
        timings: &timings,
        machine: &machine,
        provenance: &provenance,
    };
    draw_figures(spec, args, "", |kind| kind.draw(&input))
}

/// Draws each figure of a spec into files of its name and `suffix`.
fn draw_figures(
    spec: &Spec,
    args: &Args,
    suffix: &str,
    draw: impl Fn(&dyn Figure) -> Result<Drawing, NothingToDraw>,
) -> anyhow::Result<()> {
    for figure in &spec.figures {
        let kind = report::figure(&figure.kind)
            .expect("the spec's figure kinds were checked against this list");
        let name = format!("{}{suffix}", figure.name);
        report::write(&args.figures, &name, &draw(kind)?)
            .with_context(|| format!("{}: {name}", args.figures.display()))?;
        if !args.quiet {
            writeln!(
                std::io::stdout(),
                "{}",
                args.figures.join(format!("{name}.svg")).display()
            )?;
        }
    }
    Ok(())
}

/// Says when the run is not the one that the spec and the program of today would make.
fn remarks(spec: &Spec, run: &Run) -> anyhow::Result<()> {
    let Manifest {
        code_version,
        ended,
        plan_hash,
        ..
    } = &run.manifest;
    let plan = Plan::new(spec)?;
    if !run.is_present() {
        eprintln!(
            "{}: no complete run of code version {}; drawn from {code_version}{}, ended {ended}",
            spec.name,
            plan.code_version(),
            run.manifest.code().in_brackets()
        );
    }
    let planned = plan.hash();
    if *plan_hash != planned {
        eprintln!(
            "{}: drawn from a run of another plan ({plan_hash}; the spec's is {planned})",
            spec.name
        );
    }
    Ok(())
}

/// Which code and plan the figure shows. Not the commit: it changes with every line of
/// documentation, the figure does not.
fn provenance(run: &Run) -> String {
    let Manifest {
        experiment,
        code_version,
        plan_hash,
        dynamics,
        ..
    } = &run.manifest;
    let run = format!("experiment {experiment}, code version {code_version}, plan {plan_hash}");
    if dynamics.is_empty() {
        run
    } else {
        format!("{run}, {} dynamics", dynamics.join(" and "))
    }
}
