//! `reines report`: draw the figures of what has run.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;

use super::progress::{about, so_far};
use super::text::{counted, in_line};
use super::word::{self, Word};
use super::{Common, Failures, SpecAndFigures, output};
use crate::cli::terminal::{self, remark};
use crate::experiment::plan::Plan;
use crate::experiment::runner::Progress;
use crate::experiment::spec::{Refused, Spec};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::version::Code;
use crate::pages::{PageFigure, Section, html};
use crate::report::{self, Chart, Drawing, ENDINGS, FigureRows};
use crate::results::runs::CompleteRun;

/// Draw the figures and tables of runs
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines report experiments/*.toml
  reines report --results results/reference --figures reference-figures
  reines report --html all.html

An experiment is drawn from this program's run of its plan, else from the newest
run of the plan, and a line says whose rows these are. Exit code 1 where there
is only a run of another plan, or only an unfinished one, of which nothing is
drawn.")]
pub struct ReportArgs {
    /// Experiments, by their names, specs or runs [default: all in the results]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The folder of the figures
    #[arg(long, value_name = "DIR", default_value = "figures")]
    figures: PathBuf,
    /// Also write one page with all figures, their tables and specs; it needs no other file and no
    /// network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write over that page if it is there
    #[arg(long, requires = "html")]
    force: bool,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &ReportArgs) -> anyhow::Result<u8> {
    let common = &args.common;
    output::refuse_file(&args.figures)?;
    output::refuse_run(&args.figures)?;
    if let Some(file) = &args.html {
        // No figure has a file of this ending, so that the page is written over none.
        output::ending(file, &["html"])?;
        // That folder is made with the first figure.
        if args.figures.is_dir() || !file.starts_with(&args.figures) {
            output::check(file, args.force)?;
        }
    }
    let words = word::words(&args.experiments, &common.results)?;
    if words.is_empty() {
        let reason = "no run to draw; expected other --results, or names";
        return Err(output::refused(&common.results, reason).into());
    }
    let meant = super::read_specs(words, |_, spec| Ok(spec));
    let mut report = Report {
        args,
        on_page: Vec::new(),
        failures: Failures::of(meant.len()),
        is_whole: true,
    };
    for (word, read) in meant {
        report.draw(&word, read)?;
    }
    if let Some(file) = &args.html {
        let page = html(report.on_page);
        if file.starts_with(&args.figures) {
            fs::create_dir_all(&args.figures)
                .with_context(|| args.figures.display().to_string())?;
        }
        output::write(file, page.as_bytes(), args.force)?;
        terminal::print_remarks([file.display().to_string()])?;
    }
    let code = report.failures.end();
    Ok(code.max(u8::from(!report.is_whole)))
}

/// What is drawn of some experiments.
struct Report<'a> {
    args: &'a ReportArgs,
    on_page: Vec<Section>,
    failures: Failures,
    /// Each experiment has a run of its plan.
    is_whole: bool,
}

impl Report<'_> {
    /// Draws the figures of the experiment that is meant by a word; of one of several a line says
    /// how many.
    fn draw(&mut self, word: &Word, read: anyhow::Result<SpecAndFigures>) -> anyhow::Result<()> {
        let (started, name) = (Instant::now(), word.name());
        let Some(read) = self.failures.keep(&name, read) else {
            return Ok(());
        };
        let before = self.on_page.len();
        let drawn = self.try_draw(word, &read);
        self.failures
            .keep(&name, drawn.with_context(|| format!("{name}: not drawn")));
        if let ([section], 2..) = (&self.on_page[before..], self.failures.all) {
            let figures = counted(section.figures.len(), "figure");
            let words = format!("{figures}, {}", about(started.elapsed().as_secs_f64()));
            terminal::print_remarks([format!("{name}: {}", in_line(&read.0, &words))])?;
        }
        Ok(())
    }

    fn try_draw(&mut self, word: &Word, read: &SpecAndFigures) -> anyhow::Result<()> {
        let spec = &read.0;
        let name = &spec.name;
        let plan = || Plan::new(spec).map(|plan| plan.hash());
        let planned = word.plan_hash()?.map_or_else(plan, Ok)?;
        if let Some(run) = word.run()? {
            let mut rows = FigureRows::of(&read.1, &run)?;
            rows.remarks.extend(of_other_plan(spec, &planned, &run));
            self.is_whole &= rows.remarks.is_empty();
            let figures = self.draw_figures(read, &rows);
            let results = &self.args.common.results;
            let section = Section::of(results, spec, &run.manifest, figures);
            self.on_page.push(section);
            return Ok(());
        }
        self.is_whole = false;
        let (results, program) = (self.args.common.results.display(), super::own_name());
        let is_present = |run: &RunFolder| run.plan_hash == planned && run.code() == Code::Present;
        let Some(run) = word.folders()?.into_iter().find(is_present) else {
            remark!("{name}: no complete run in {results}; `{program} run {name}` makes one");
            return Ok(());
        };
        let saved = Progress::of_saved(&run).map(|it| format!(", {}", so_far(&it)));
        let (saved, folder) = (saved.unwrap_or_default(), run.path().display());
        remark!("{name}: unfinished{saved}, in {folder}; `{program} run` goes on with it");
        Ok(())
    }

    /// Draws each figure of a spec into files of its name.
    fn draw_figures(
        &mut self,
        (spec, asked): &SpecAndFigures,
        rows: &FigureRows,
    ) -> Vec<PageFigure> {
        let (mut figures, mut empty) = (Vec::new(), Vec::new());
        if asked.is_empty() {
            remark!("{}: the spec asks for no figure", spec.name);
        }
        for figure in asked {
            let name = &*figure.name;
            let chart = Chart::of(figure);
            let drawing = match chart.draw(rows) {
                Ok(drawing) => drawing,
                Err(error) => {
                    let message = format!("figure {name:?}: {error}");
                    empty.push(Refused::of_place(&spec.file, (figure.line, 1), message));
                    continue;
                }
            };
            let written = self.write_figure(spec, name, &drawing);
            let shown = |()| PageFigure::of(name, &chart, &drawing);
            figures.extend(self.failures.keep(&spec.name, written.map(shown)));
        }
        // Beside others that are drawn, one that has nothing to show is no failure.
        for error in empty {
            if figures.is_empty() {
                self.failures.keep::<()>(&spec.name, Err(error.into()));
            } else {
                remark!("not drawn: {error}");
            }
        }
        figures
    }

    /// Writes a figure unless its name is that of another experiment's, and says what it leaves
    /// out.
    fn write_figure(&self, spec: &Spec, name: &str, drawing: &Drawing) -> anyhow::Result<()> {
        let (figures, shown) = (&self.args.figures, self.args.figures.display());
        let folder = || format!("{shown}: {name}");
        let owner = report::owner(figures, name).with_context(folder)?;
        let files = ENDINGS.map(|it| figures.join(format!("{name}.{it}")));
        let foreign = match &owner {
            Some(owner) if *owner == spec.name => None,
            Some(owner) => Some(format!(
                "{shown}: the figure {name:?} there is of the experiment {owner}"
            )),
            None => files
                .iter()
                .find(|file| file.exists())
                .map(|file| format!("{}: it is of no figure", file.display())),
        };
        if let Some(foreign) = foreign {
            return Err(Refused::new(format!(
                "{foreign}; expected another name in {}, another folder (--figures), or to remove what is there first",
                spec.file
            ))
            .into());
        }
        let owned = (name, &*spec.name);
        report::write(figures, owned, drawing).with_context(folder)?;
        if self.failures.all == 1 {
            let file = figures.join(format!("{name}.svg"));
            terminal::print_remarks([file.display().to_string()])?;
        }
        for sentence in &drawing.left_out {
            remark!("{name}: {sentence}");
        }
        Ok(())
    }
}

/// Says whose rows they are, where these are not of this program; what the figures are to say where
/// they are of no plan of the spec, whole or quick.
fn of_other_plan(spec: &Spec, planned: &str, run: &CompleteRun) -> Option<String> {
    let (name, manifest) = (&spec.name, &run.manifest);
    let (code, hash) = (manifest.code(), &manifest.plan_hash);
    if code != Code::Present {
        let (version, ended) = (&manifest.code_version, &manifest.ended);
        let digits = manifest.commit.get(..10).unwrap_or("not known");
        let code = code.in_brackets();
        remark!(
            "{name}: no complete run of this program; drawn from the rows of code version {version}{code} (commit {digits}, ended {ended})"
        );
    }
    let kept = match run.plan() {
        Ok((kept, _)) => kept,
        Err(error) => {
            remark!("{error}; the run has its rows and no plan");
            return None;
        }
    };
    if *hash == *planned {
        return None;
    }
    // A quick run of the spec's own plan, or one under other dynamics.
    let mut own = spec.clone();
    (own.quick, own.dynamics) = (kept.quick, kept.dynamics);
    let is_own = Plan::new(&own).is_ok_and(|own| own.hash() == *hash);
    (!is_own).then(|| format!("drawn from a run of another plan ({hash}; the spec's is {planned})"))
}
