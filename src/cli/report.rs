//! `reines report`: draw the figures of what has run.

mod partial;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use super::changed::{self, Changes};
use super::conditions::{Conditions, conditions};
use super::{BadInput, page};
use crate::cli::terminal::{self, say};
use crate::cli::text::all_of;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{self, Choices, Spec};
use crate::experiment::store::catalog::{self, CompleteRun, RunEntry, newest_first};
use crate::experiment::store::courses::PointCourses;
use crate::experiment::store::{PointTimings, PointTrials, StoreError};
use crate::experiment::version::Code;
use crate::pages::page::{Section, Shown};
use crate::report::{self, Drawing, Figure, Format, Input, NothingToDraw};

/// Draw the figures and tables of complete runs
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines report experiments/*.toml\n  reines report --results results/reference --figures /tmp/figures\n  \
                        reines report --format svg,pdf experiments/size.toml\n  \
                        reines report --html figures/index.html experiments/*.toml\n\n\
                        An experiment is drawn from the present code version's run, else from the newest one, and a line says so."
)]
pub struct Args {
    /// Spec files whose figures to draw [default: every experiment in the results, by the spec kept
    /// with its run]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
    /// Only these points, in figures of another name: conditions on algorithm, variant, goal and
    /// axes, as 'algorithm=pair,n<=9,epsilon=0.01'
    #[arg(long, value_name = "CONDITIONS", value_parser = conditions, conflicts_with = "partial")]
    only: Option<Conditions>,
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
    /// Formats to draw in: PNG has 300 dots per inch; PNG and PDF have an embedded font
    #[arg(
        long,
        value_name = "FORMATS",
        value_delimiter = ',',
        default_value = "svg",
        value_parser = format
    )]
    format: Vec<Format>,
    /// Also write one page with everything: figures, tables, specs, plans, manifests; it needs no
    /// other file and no network
    #[arg(long, value_name = "FILE", conflicts_with = "partial")]
    html: Option<PathBuf>,
    /// Only errors
    #[arg(long, short)]
    quiet: bool,
}

fn format(word: &str) -> Result<Format, String> {
    let known = Format::ALL.into_iter();
    let found = known.into_iter().find(|format| format.extension() == word);
    found.ok_or_else(|| "allowed are svg, png and pdf, with commas between them".to_owned())
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let entries = catalog::runs(&args.results)?;
    let (complete, unfinished): (Vec<RunEntry>, Vec<RunEntry>) = entries
        .into_iter()
        .partition(|entry| entry.folder.is_complete());
    let mut undrawn = Undrawn::default();
    let (runs, unread) = with_manifests(&complete);
    let mut drawn = Vec::new();
    let mut specs = if args.files.is_empty() {
        if !args.changes.set.is_empty() {
            return Err(BadInput("-s: needed is a spec file".to_owned()).into());
        }
        stored_specs(&runs)?
    } else {
        args.changes.read(&args.files, None)?
    };
    if args.files.is_empty() && args.partial {
        partial::add_stored_specs(&mut specs, &unfinished)?;
    }
    let mut code = ExitCode::SUCCESS;
    let asked: Vec<String> = specs.iter().map(|spec| spec.name.clone()).collect();
    let mut on_page = Vec::new();
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
            (Some(entry), _) => {
                let drawn = partial::draw(&spec, entry, args, &mut undrawn);
                undrawn.keep(drawn.with_context(|| spec.name.clone()));
            }
            (None, Some(run)) => {
                drawn.push(run);
                let figures = draw_run(&spec, &plan_hash, run, args, &mut undrawn);
                let figures = undrawn.keep(figures.with_context(|| spec.name.clone()));
                let section = figures.and_then(|figures| {
                    let section = page::section(&page::folder(&args.results), &spec, run, figures);
                    undrawn.keep(section.with_context(|| spec.name.clone()))
                });
                on_page.extend(section.map(|section| (section, &run.manifest)));
            }
            (None, None) => {
                say!(
                    "{}: no complete run in {}; `reines run` makes one",
                    spec.name,
                    args.results.display()
                );
                code = ExitCode::from(1);
            }
        }
    }
    if let Some(file) = &args.html {
        write_page(file, on_page, args.quiet)?;
    }
    let is_asked = |entry: &RunEntry| args.files.is_empty() || asked.contains(&entry.experiment);
    for (entry, error) in unread.into_iter().filter(|(entry, _)| is_asked(entry)) {
        undrawn.add_unread(&entry, error, &drawn);
    }
    undrawn.end()?;
    Ok(code)
}

/// The page of what has been drawn.
fn write_page(file: &Path, on_page: Vec<(Section, &Manifest)>, quiet: bool) -> anyhow::Result<()> {
    let (sections, manifests): (Vec<Section>, Vec<&Manifest>) = on_page.into_iter().unzip();
    page::write(file, &page::of_experiments(sections, &manifests))?;
    if !quiet {
        writeln!(terminal::out(), "{}", file.display())?;
    }
    Ok(())
}

/// The figures that could not be drawn: the others are drawn before the command fails.
#[derive(Default)]
struct Undrawn {
    figures: Vec<anyhow::Error>,
}

impl Undrawn {
    /// The result, unless it is an error, which is kept for the end.
    fn keep<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.map_err(|error| self.figures.push(error)).ok()
    }

    /// A run whose manifest cannot be read: it may be the one that should have been drawn, unless
    /// another of the same code and plan was.
    fn add_unread(&mut self, entry: &RunEntry, error: StoreError, drawn: &[&CompleteRun]) {
        let is_repeated = drawn.iter().any(|CompleteRun { manifest, .. }| {
            let ours = (&entry.experiment, &entry.code_version, &entry.plan_hash);
            ours == (
                &manifest.experiment,
                &manifest.code_version,
                &manifest.plan_hash,
            )
        });
        let experiment = &entry.experiment;
        if is_repeated {
            say!("{experiment}: not drawn: {error}");
        } else {
            let error = anyhow::Error::from(error);
            self.figures
                .push(error.context(format!("{experiment}: not drawn")));
        }
    }

    /// Names all of them but the last, with which it ends.
    fn end(mut self) -> anyhow::Result<()> {
        let Some(last) = self.figures.pop() else {
            return Ok(());
        };
        for error in &self.figures {
            super::print_error(error);
        }
        Err(last)
    }
}

/// The runs whose manifest can be read, and the others.
fn with_manifests(complete: &[RunEntry]) -> (Vec<CompleteRun>, Vec<(RunEntry, StoreError)>) {
    let (mut runs, mut unread) = (Vec::new(), Vec::new());
    for entry in complete {
        match CompleteRun::read(entry) {
            Ok(run) => runs.push(run),
            Err(error) => unread.push((entry.clone(), error)),
        }
    }
    (runs, unread)
}

/// The spec of each experiment as the newest run kept it, of the present code version if there is
/// one.
fn stored_specs(runs: &[CompleteRun]) -> anyhow::Result<Vec<Spec>> {
    let parse = |run: &CompleteRun| {
        let label = run.folder.path().join("spec.toml").display().to_string();
        let text = run.folder.checked_spec(&run.manifest)?;
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
pub(super) fn choose<'a>(
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

fn draw_run(
    spec: &Spec,
    plan_hash: &str,
    run: &CompleteRun,
    args: &Args,
    undrawn: &mut Undrawn,
) -> anyhow::Result<Vec<Drawn>> {
    let mut rows = Rows::of(spec, run)?;
    let mut suffix = String::new();
    if let Some(only) = &args.only {
        rows.retain(only);
        if rows.trials.is_empty() {
            return Err(only.nothing(&spec.file).into());
        }
        let words = only.to_string();
        suffix = changed::name("", &[words]).replacen("-with-", "-only-", 1);
    }
    let Rows {
        trials,
        timings,
        courses,
    } = rows;
    let machine = machine(&run.manifest);
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
        choices: &Choices::default(),
        remarks: &[],
    };
    draw_figures(spec, args, &suffix, undrawn, |kind, choices| {
        report::draw(kind, &Input { choices, ..input })
    })
}

/// What figures of a run are drawn from.
struct Rows {
    trials: Vec<PointTrials>,
    timings: Vec<PointTimings>,
    courses: Vec<PointCourses>,
}

impl Rows {
    fn of(spec: &Spec, run: &CompleteRun) -> anyhow::Result<Self> {
        let trials = run.folder.trials(&run.manifest)?;
        let timings = run.folder.timings_of_searches(&run.manifest, &trials)?;
        let mut kinds = spec
            .figures
            .iter()
            .filter_map(|it| report::figure(&it.kind));
        let courses = if kinds.any(Figure::draws_courses) {
            run.folder.courses(&run.manifest)?
        } else {
            Vec::new()
        };
        Ok(Self {
            trials,
            timings,
            courses,
        })
    }

    /// Keeps the points that meet the conditions.
    fn retain(&mut self, only: &Conditions) {
        self.trials.retain(|it| only.admit(&it.point));
        self.timings.retain(|it| only.admit(&it.point));
        self.courses.retain(|it| only.admit(&it.point));
    }
}

/// The figures of a run, by name; those that cannot be drawn are left out.
///
/// # Errors
/// A damaged run.
pub(super) fn drawings(
    spec: &Spec,
    run: &CompleteRun,
) -> anyhow::Result<Vec<(String, &'static dyn Figure, Drawing)>> {
    let rows = Rows::of(spec, run)?;
    let (machine, provenance) = (machine(&run.manifest), provenance(&run.manifest));
    let drawn = spec.figures.iter().filter_map(|figure| {
        let kind = report::figure(&figure.kind)?;
        let input = Input {
            title: spec.title.as_deref().unwrap_or(&spec.name),
            trials: &rows.trials,
            courses: &rows.courses,
            timings: &rows.timings,
            machine: &machine,
            provenance: &provenance,
            choices: &figure.choices,
            remarks: &[],
        };
        let drawing = report::draw(kind, &input).ok()?;
        Some((figure.name.clone(), kind, drawing))
    });
    Ok(drawn.collect())
}

/// A figure as it is on a page, and what it finds.
type Drawn = (Shown, Vec<String>);

/// Draws each figure of a spec into files of its name and `suffix`; what cannot be drawn is kept
/// for the end.
fn draw_figures(
    spec: &Spec,
    args: &Args,
    suffix: &str,
    undrawn: &mut Undrawn,
    draw: impl Fn(&dyn Figure, &Choices) -> Result<Drawing, NothingToDraw>,
) -> anyhow::Result<Vec<Drawn>> {
    let (mut figures, results) = (Vec::new(), page::folder(&args.results));
    for figure in &spec.figures {
        let kind = report::figure(&figure.kind)
            .expect("the spec's figure kinds were checked against this list");
        let name = format!("{}{suffix}", figure.name);
        let drawn = draw(kind, &figure.choices).map_err(anyhow::Error::from);
        let place = || format!("{}:{}: figure {name:?}", spec.file, figure.line);
        match drawn.with_context(place) {
            Ok(drawing) => match write_figure(spec, args, &name, &drawing) {
                Ok(()) => figures.push(page::shown(&results, spec, name, kind, drawing)),
                Err(error) => undrawn.figures.push(error),
            },
            Err(error) => undrawn.figures.push(error),
        }
    }
    Ok(figures)
}

/// Writes a figure unless its name is that of another experiment's, and says what it leaves out.
fn write_figure(spec: &Spec, args: &Args, name: &str, drawing: &Drawing) -> anyhow::Result<()> {
    let folder = || format!("{}: {name}", args.figures.display());
    let owner = report::owner(&args.figures, name).with_context(folder)?;
    if let Some(owner) = owner.filter(|owner| *owner != spec.name) {
        return Err(BadInput(format!(
            "{}: the figure {name:?} there is of the experiment {owner}; allowed is another name in {}, another folder (--figures), or to remove that figure's files first",
            args.figures.display(),
            spec.file
        ))
        .into());
    }
    report::write(&args.figures, name, drawing, &args.format).with_context(folder)?;
    if !args.quiet {
        for format in &args.format {
            let file = args.figures.join(format!("{name}.{}", format.extension()));
            writeln!(terminal::out(), "{}", file.display())?;
        }
        for sentence in &drawing.left_out {
            say!("{name}: {sentence}");
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
        say!(
            "{experiment}: no complete run of the present code; drawn from {code_version}{}, ended {ended}",
            code.in_brackets()
        );
    }
    if plan_hash != planned {
        say!(
            "{experiment}: drawn from a run of another plan ({plan_hash}; the spec's is {planned})"
        );
    }
}

/// What took the times.
fn machine(manifest: &Manifest) -> String {
    let machine = &manifest.machine;
    format!("{}, {} logical processors", machine.cpu, machine.cores)
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
        format!("{run}, {} dynamics", all_of(dynamics))
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
