//! `reines report`: draw the figures of what has run.

mod partial;
mod rows;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

pub(super) use self::rows::{Rows, drawings};
use super::changed::{self, OnlyArgs};
use super::named::{self, choose, kept_spec, meant};
use super::{output, page};
use crate::cli::terminal::{self, say};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{Choices, Conditions, Refused, Spec};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::version::Code;
use crate::pages::page::{Section, Shown, html};
use crate::report::{self, Chart, Drawing, Format, NothingToDraw};
use crate::results::runs::{self, CompleteRun};

/// Draw the figures and tables of complete runs
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines report experiments/*.toml
  reines report --results results/reference --figures reference-figures
  reines report --format svg,pdf size
  reines report --html all.html

An experiment is drawn from this program's run of its plan, else from the newest
run of the plan, and a line says whose rows these are. Exit code 1 where there
is only a run of another plan, unless --stale is given.")]
pub struct Args {
    /// Experiments, by their names, specs or runs [default: all in the results, by the specs kept
    /// with their runs]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    #[command(flatten)]
    only: OnlyArgs,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Where figures go
    #[arg(long, value_name = "DIR", default_value = "figures")]
    figures: PathBuf,
    /// Draw what an unfinished run has so far, as FIGURE-partial; trials still running count as
    /// censored where they are
    #[arg(long, conflicts_with = "only")]
    partial: bool,
    /// Exit with 0 where only a run of another plan than the spec's can be drawn
    #[arg(long)]
    stale: bool,
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
    /// Write over that page if it is there
    #[arg(long, requires = "html")]
    force: bool,
    /// Only errors
    #[arg(long, short)]
    quiet: bool,
}

fn format(word: &str) -> Result<Format, String> {
    let mut known = Format::ALL.into_iter();
    let found = known.find(|format| format.extension().eq_ignore_ascii_case(word));
    found.ok_or_else(|| "allowed are svg, png and pdf, with commas between them".to_owned())
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some(file) = &args.html {
        output::refuse_existing(file, args.force)?;
    }
    let entries = catalog::runs(&args.results)?.into_iter();
    let (complete, unfinished): (Vec<RunEntry>, Vec<RunEntry>) =
        entries.partition(|entry| entry.folder.is_complete());
    let (mut runs, mut unread) = (Vec::new(), Vec::new());
    for entry in &complete {
        match CompleteRun::read(entry) {
            Ok(run) => runs.push(run),
            Err(error) => unread.push((entry, error)),
        }
    }
    let named = args.experiments.iter();
    let named = named.filter_map(|word| named::own_run(word).transpose());
    let named: Vec<CompleteRun> = named.collect::<Result<_, _>>()?;
    let mut specs = super::read_specs(&args.experiments, &args.results)?;
    if args.experiments.is_empty() {
        specs = stored_specs(&runs, &args.results)?;
        if args.partial {
            partial::add_stored_specs(&mut specs, &unfinished)?;
        }
    }
    let mut report = Report {
        args,
        named: &named,
        drawn: Vec::new(),
        on_page: Vec::new(),
        undrawn: Vec::new(),
        is_whole: true,
    };
    for spec in &specs {
        report.draw(spec, &runs, &unfinished)?;
    }
    if let Some(file) = &args.html {
        let page = html(&page::of_experiments(report.on_page));
        output::replace(file, page.as_bytes())?;
        if !args.quiet {
            writeln!(terminal::out(), "{}", file.display())?;
        }
    }
    for (entry, error) in unread {
        let experiment = &entry.experiment;
        // It may be the run that should have been drawn, unless another of the same code and plan
        // was.
        let names =
            |it: &Manifest| [&it.experiment, &it.code_version, &it.plan_hash] == entry.names();
        if report.drawn.iter().any(|it| names(&it.manifest)) {
            say!("{experiment}: not drawn: {error}");
        } else if args.experiments.is_empty() || specs.iter().any(|it| it.name == *experiment) {
            let error = anyhow::Error::from(error);
            let error = error.context(format!("{experiment}: not drawn"));
            report.undrawn.push(error);
        }
    }
    let last = report.undrawn.pop();
    report.undrawn.iter().for_each(super::print_error);
    last.map_or(Ok(()), Err)?;
    Ok(u8::from(!report.is_whole))
}

/// What is drawn of some experiments.
struct Report<'a> {
    args: &'a Args,
    /// Runs that are meant by their folders.
    named: &'a [CompleteRun],
    drawn: Vec<&'a CompleteRun>,
    on_page: Vec<Section>,
    /// Why figures could not be drawn: the others are drawn before the command fails.
    undrawn: Vec<anyhow::Error>,
    /// Each experiment has a run of its plan, or another one will do.
    is_whole: bool,
}

impl<'a> Report<'a> {
    /// Draws the figures of an experiment.
    fn draw(
        &mut self,
        spec: &Spec,
        runs: &'a [CompleteRun],
        unfinished: &[RunEntry],
    ) -> anyhow::Result<()> {
        let args = self.args;
        let plan_hash = Plan::new(spec)?.hash();
        let mut named = self.named.iter();
        let complete = named
            .find(|run| run.manifest.experiment == spec.name)
            .or_else(|| choose(&spec.name, Some(&plan_hash), runs));
        let is_own = complete.is_some_and(|CompleteRun { manifest, .. }| {
            manifest.code() == Code::Present && manifest.plan_hash == plan_hash
        });
        let name = || spec.name.clone();
        if args.partial
            && !is_own
            && let Some(entry) = partial::choose(&spec.name, &plan_hash, unfinished)
        {
            let drawn = self.draw_partial(spec, entry).with_context(name);
            self.keep(drawn);
            return Ok(());
        }
        let Some(run) = complete else {
            let (results, program) = (args.results.display(), super::own_name());
            let name = &spec.name;
            let is_begun = unfinished.iter().any(|it| it.experiment == *name);
            let way = if is_begun {
                "goes on with what is there, `--partial` draws it"
            } else {
                "makes one"
            };
            say!("{name}: no complete run in {results}; `{program} run {name}` {way}");
            self.is_whole = false;
            return Ok(());
        };
        self.drawn.push(run);
        let stale = stale(spec, &plan_hash, run, args.only.only.as_ref());
        self.is_whole &= stale.is_none() || args.stale;
        let figures = self.draw_run(spec, stale, run).with_context(name);
        if let Some(figures) = self.keep(figures) {
            let section = page::section(&page::folder(&args.results), spec, run, figures);
            let section = self.keep(section);
            self.on_page.extend(section);
        }
        Ok(())
    }

    /// The result, unless it is an error, which is kept for the end.
    fn keep<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.map_err(|error| self.undrawn.push(error)).ok()
    }

    fn draw_run(
        &mut self,
        spec: &Spec,
        stale: Option<String>,
        run: &CompleteRun,
    ) -> anyhow::Result<Vec<Shown>> {
        let mut rows = Rows::of(spec, run)?;
        let mut suffix = String::new();
        if let Some(only) = self.args.only.among(std::slice::from_ref(run))? {
            rows.retain(&only);
            if rows.trials.is_empty() {
                return Err(only.nothing(&spec.file).into());
            }
            let words = only.to_string();
            suffix = changed::name("", &[words]).replacen("-with-", "-only-", 1);
        }
        rows.remarks.extend(stale);
        if !self.args.quiet {
            remarks(&spec.name, &rows.remarks, &run.manifest);
        }
        Ok(self.draw_figures(spec, &suffix, |kind, choices| rows.draw(kind, choices)))
    }

    /// Draws each figure of a spec into files of its name and `suffix`.
    fn draw_figures(
        &mut self,
        spec: &Spec,
        suffix: &str,
        draw: impl Fn(&Chart, &Choices) -> Result<Drawing, NothingToDraw>,
    ) -> Vec<Shown> {
        let (mut figures, results) = (Vec::new(), page::folder(&self.args.results));
        for figure in &spec.figures {
            let kind = report::figure(&figure.kind)
                .expect("the spec's figure kinds were checked against this list");
            let name = format!("{}{suffix}", figure.name);
            let drawn: anyhow::Result<Drawing> = draw(kind, &figure.choices).map_err(|error| {
                let message = format!("figure {name:?}: {error}");
                Refused::of_line(&spec.file, figure.line, message).into()
            });
            let written = drawn.and_then(|drawing| {
                self.write_figure(spec, &name, &drawing)?;
                Ok(page::shown(&results, spec, name, kind, drawing))
            });
            figures.extend(self.keep(written));
        }
        figures
    }

    /// Writes a figure unless its name is that of another experiment's, and says what it leaves
    /// out.
    fn write_figure(&self, spec: &Spec, name: &str, drawing: &Drawing) -> anyhow::Result<()> {
        let (args, figures) = (self.args, &self.args.figures);
        let folder = || format!("{}: {name}", figures.display());
        let owner = report::owner(figures, name).with_context(folder)?;
        if let Some(owner) = owner.filter(|owner| *owner != spec.name) {
            return Err(Refused::new(format!(
                "{}: the figure {name:?} there is of the experiment {owner}; allowed is another name in {}, another folder (--figures), or to remove that figure's files first",
                figures.display(),
                spec.file
            ))
            .into());
        }
        report::write(figures, (name, &spec.name), drawing, &args.format).with_context(folder)?;
        if !args.quiet {
            let file = |it: &Format| figures.join(format!("{name}.{}", it.extension()));
            let files = args.format.iter().map(file);
            terminal::print(files.map(|file| file.display().to_string()))?;
            for sentence in &drawing.left_out {
                say!("{name}: {sentence}");
            }
        }
        Ok(())
    }
}

/// The spec of each experiment as the run that it means has kept it.
fn stored_specs(runs: &[CompleteRun], results: &Path) -> anyhow::Result<Vec<Spec>> {
    let parse = |run: &CompleteRun| {
        let (name, text) = (&run.manifest.experiment, run.spec_text()?);
        Ok(kept_spec(name, &run.folder, &text)?)
    };
    runs::experiments(runs)
        .into_iter()
        .filter_map(|name| meant(Path::new(name), results, runs))
        .map(parse)
        .collect()
}

/// What there is to say of a run that is of no plan of the spec, whole or quick.
fn stale(
    spec: &Spec,
    planned: &str,
    run: &CompleteRun,
    only: Option<&Conditions>,
) -> Option<String> {
    let plan_hash = &run.manifest.plan_hash;
    let is_of = |spec: &Spec| Plan::recover(spec, plan_hash).is_some();
    let restricted = || only.and_then(|only| changed::only(spec, only).ok());
    let is_own = plan_hash == planned || is_of(spec) || restricted().is_some_and(|it| is_of(&it));
    (!is_own)
        .then(|| format!("drawn from a run of another plan ({plan_hash}; the spec's is {planned})"))
}

/// Remarks on a run that is not the one that the spec and the program of today would make.
fn remarks(experiment: &str, stale: &[String], manifest: &Manifest) {
    let code = manifest.code();
    if code != Code::Present {
        let (version, ended) = (&manifest.code_version, &manifest.ended);
        let digits = manifest.commit.get(..10).unwrap_or("not known");
        let code = code.in_brackets();
        say!(
            "{experiment}: no complete run of this program; drawn from the rows of code version {version}{code} (commit {digits}, ended {ended})"
        );
    }
    for remark in stale {
        let program = super::own_name();
        say!("{experiment}: {remark}; `{program} run {experiment}` makes that one");
    }
}
