//! `reines report`: draw the figures of what has run.

mod partial;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{self, Spec};
use crate::experiment::store::catalog::{self, CompleteRun, RunEntry, newest_first};
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

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let entries = catalog::runs(&args.results)?;
    let (complete, unfinished): (Vec<RunEntry>, Vec<RunEntry>) = entries
        .into_iter()
        .partition(|entry| entry.folder.is_complete());
    let runs = with_manifests(&complete);
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
        let plan_hash = Plan::new(&spec)?.hash();
        let complete = choose(&spec.name, Some(&plan_hash), &runs);
        let is_own =
            complete.is_some_and(|run| is_present(run) && run.manifest.plan_hash == plan_hash);
        let partial = if args.partial && !is_own {
            partial::choose(&spec.name, &plan_hash, &unfinished)
        } else {
            None
        };
        match (partial, complete) {
            (Some(entry), _) => partial::draw(&spec, entry, args)?,
            (None, Some(run)) => draw_run(&spec, &plan_hash, run, args)?,
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
fn with_manifests(complete: &[RunEntry]) -> Vec<CompleteRun> {
    let read = |entry: &RunEntry| match CompleteRun::read(entry) {
        Ok(run) => Some(run),
        Err(error) => {
            eprintln!("{}: not drawn: {error}", entry.experiment);
            None
        }
    };
    complete.iter().filter_map(read).collect()
}

/// The spec of each experiment as the newest run kept it, of the present code version if there is
/// one.
fn stored_specs(runs: &[CompleteRun]) -> anyhow::Result<Vec<Spec>> {
    let parse = |run: &CompleteRun| {
        let label = run.folder.path().join("spec.toml").display().to_string();
        let text = run.folder.spec_text()?;
        let figures = report::kinds();
        Ok(spec::parse(
            &run.manifest.experiment,
            &label,
            &text,
            &figures,
        )?)
    };
    catalog::experiments(runs)
        .into_iter()
        .filter_map(|name| choose(name, None, runs))
        .map(parse)
        .collect()
}

/// The newest run of this plan under the present code version; else the newest under the present
/// code version; else the newest.
fn choose<'a>(
    experiment: &str,
    plan_hash: Option<&str>,
    runs: &'a [CompleteRun],
) -> Option<&'a CompleteRun> {
    let own = newest_first(runs, experiment);
    let mut present = own.iter().filter(|run| is_present(run));
    present
        .clone()
        .find(|run| Some(run.manifest.plan_hash.as_str()) == plan_hash)
        .or_else(|| present.next())
        .or(own.first())
        .copied()
}

fn is_present(run: &CompleteRun) -> bool {
    run.manifest.code() == Code::Present
}

fn draw_run(spec: &Spec, plan_hash: &str, run: &CompleteRun, args: &Args) -> anyhow::Result<()> {
    let (trials, timings) = run.folder.all(&run.manifest)?;
    let kinds = spec
        .figures
        .iter()
        .filter_map(|it| report::figure(&it.kind));
    let courses = if kinds.into_iter().any(Figure::draws_courses) {
        run.folder.courses(&run.manifest)?
    } else {
        Vec::new()
    };
    let machine = format!(
        "{}, {} logical processors",
        run.manifest.machine.cpu, run.manifest.machine.cores
    );
    let title = spec.title.as_deref().unwrap_or(&spec.name);
    let provenance = provenance(&run.manifest);
    if !args.quiet {
        remarks(&spec.name, plan_hash, &run.manifest);
    }
    let input = Input {
        title,
        trials: &trials,
        courses: &courses,
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

/// Remarks on a run that is not the one that the spec and the program of today would make.
fn remarks(experiment: &str, planned: &str, manifest: &Manifest) {
    let Manifest {
        code_version,
        ended,
        plan_hash,
        ..
    } = manifest;
    let code = manifest.code();
    if code != Code::Present {
        eprintln!(
            "{experiment}: no complete run of the present code; drawn from {code_version}{}, ended {ended}",
            code.in_brackets()
        );
    }
    if plan_hash != planned {
        eprintln!(
            "{experiment}: drawn from a run of another plan ({plan_hash}; the spec's is {planned})"
        );
    }
}

/// Which code and plan the figure shows. Not the commit: it changes with every line of
/// documentation, the figure does not.
fn provenance(manifest: &Manifest) -> String {
    let Manifest {
        experiment,
        code_version,
        plan_hash,
        dynamics,
        ..
    } = manifest;
    let run = format!("experiment {experiment}, code version {code_version}, plan {plan_hash}");
    if dynamics.is_empty() {
        run
    } else {
        format!("{run}, {} dynamics", dynamics.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::version::PROGRAM;

    #[test]
    fn the_present_code_version_comes_before_the_plan_and_the_plan_before_the_time() {
        let run = |plan_hash, day: u32, is_present| {
            let mut run = CompleteRun::example("a", plan_hash, &format!("2026-01-0{day}"), day);
            if is_present {
                let (_, engine) = PROGRAM.rsplit_once('-').expect("its digits");
                run.manifest.code_version = PROGRAM.to_owned();
                run.manifest.parts = [("engine".to_owned(), engine.to_owned())].into();
            }
            run
        };
        let runs = [
            run("other", 1, true),
            run("own", 2, true),
            run("own", 3, true),
            run("other", 4, true),
            run("own", 5, false),
        ];
        let chosen = |plan_hash, runs| choose("a", plan_hash, runs).map(|run| run.repeat);
        assert_eq!(chosen(Some("own"), &runs), Some(3));
        assert_eq!(chosen(Some("third"), &runs), Some(4));
        assert_eq!(chosen(None, &runs), Some(4));
        assert_eq!(chosen(Some("third"), &runs[4..]), Some(5));
        assert_eq!(chosen(Some("own"), &[]), None);
    }
}
