//! `reines report`: draw the figures of what has run. Here are its options and help, which
//! experiments it draws where none is named, what is left out, and its exit code; the marks of
//! quick and partial runs are in `report/share.rs`.

mod files;
pub(super) mod owner;
mod share;

use std::path::PathBuf;
use std::slice;
use std::time::Instant;

use anyhow::Context;

use super::progress::{about, so_far};
use super::target::{self, Target};
use super::terminal::{is_quiet, message};
use super::text::{counted, with_title};
use super::{Common, Failures, SpecAndFigures, user_files};
use crate::cli::terminal::{self, optional_message};
use crate::experiment::code_version::Code;
use crate::experiment::plan::Plan;
use crate::experiment::runner::Progress;
use crate::experiment::spec::{Refused, Spec};
use crate::experiment::store::atomic::above;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::RunFolder;
use crate::pages::{Missing, PageFigure, Section};
use crate::report::keys::FigureSpec;
use crate::report::{self, Figure, FigureRows, planned};
use owner::{AskedFigures, asked_figures, with_and_without_spec};
use share::{say_whose_rows, share_of_plan};

/// Draw the figures and tables of runs
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines report experiments/*.toml
  reines report --results results/reference --figures reference-figures
  reines report --html all.html

An experiment is drawn from this program's run of its plan, else from the newest
run of the plan, and a line says whose rows these are. Exit code 1 where there
is only a run of another plan, which figures and page say; where there is only
an unfinished one, of which nothing is drawn; and where a figure cannot be
drawn, whose old files are removed. The figures are those of the present spec;
where there is none any more, those that the run has kept. Without names,
experiments that have no spec any more are left out, if others have one.")]
pub struct ReportArgs {
    /// Experiments, by their names, specs or runs [default: all in the results]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<PathBuf>,
    /// The folder of the figures
    #[arg(long, value_name = "DIR", default_value = "figures")]
    figures: PathBuf,
    /// Draw what `run --quick` has run
    #[arg(long)]
    quick: bool,
    /// Also write NAME.vl.json beside each figure: its points as a Vega-Lite specification, for
    /// another look or another program
    #[arg(long)]
    vega: bool,
    /// Also write one page with all figures, their tables and specs; it needs no other file and no
    /// network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the page over one that is there, and also where something is missing on it, which it
    /// names; and figures over those of an experiment that has no spec any more, or whose spec has
    /// no such figure any more
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &ReportArgs) -> anyhow::Result<u8> {
    let common = &args.common;
    refuse_outputs(args)?;
    let (targets, unknown) = target::known_targets(&args.experiments, &common.results)?;
    if targets.is_empty() && unknown.is_empty() {
        let reason = "no run to draw; expected other --results, or names";
        return Err(user_files::refused(&common.results, reason).into());
    }
    let targets = if args.experiments.is_empty() {
        those_with_spec(targets)
    } else {
        targets
    };
    let meant = super::read_specs(targets, |target, spec| {
        let spec = with_present_figures(target, spec)?;
        Ok(asked_for(args, spec))
    });
    let read = meant.iter().filter_map(|(_, read)| read.as_ref().ok());
    let asked = asked_figures(read);
    let mut report = Report {
        args,
        on_page: Vec::new(),
        missing: Vec::new(),
        failures: Failures::among(meant.len() + unknown.len()),
        code: 0,
        asked,
    };
    for (name, error) in unknown {
        report.fail(&name, "there is no spec and no run of this name", error);
    }
    for (target, read) in meant {
        report.draw(&target, read)?;
    }
    if let Some(file) = &args.html {
        report.write_page(file)?;
    }
    let code = report.code;
    Ok(report.failures.end().max(code))
}

/// Refuses a folder of figures and a file of the page into which nothing can be written.
fn refuse_outputs(args: &ReportArgs) -> anyhow::Result<()> {
    user_files::refuse_file(&args.figures)?;
    user_files::refuse_run(&args.figures)?;
    let Some(file) = &args.html else {
        return Ok(());
    };
    // No figure has a file of this ending, so that the page is written over none.
    user_files::ending(file, &["html"])?;
    // That folder is made with the first figure.
    if args.figures.is_dir() || !file.starts_with(&args.figures) {
        user_files::check(file, args.force)?;
    }
    Ok(())
}

/// The spec under the options of the command.
fn asked_for(args: &ReportArgs, spec: Spec) -> Spec {
    Spec {
        quick: spec.quick || args.quick,
        ..spec
    }
}

/// The experiments that have a spec, and a line for each other one; all where none has one, as in
/// results that were handed over alone.
fn those_with_spec(targets: Vec<Target>) -> Vec<Target> {
    let (with_spec, without) = with_and_without_spec(targets);
    if with_spec.is_empty() {
        return without;
    }
    let program = super::program_name();
    for name in without.iter().map(Target::name) {
        optional_message!(
            "{name}: left out: it has no spec any more; `{program} report {name}` draws its run"
        );
    }
    with_spec
}

/// The spec whose figures are drawn: the present one, with the conditions of a run that is named by
/// its folder; that which the run has kept where there is no other, which a line says.
fn with_present_figures(target: &Target, spec: Spec) -> anyhow::Result<Spec> {
    if !spec.is_kept {
        return Ok(spec);
    }
    let present = match (target.present_beside(), target) {
        // A run's folder has all that is needed to show it.
        (Err(error), Target::Run(_)) => {
            let name = &spec.name;
            optional_message!(
                "{name}: the spec beside its results is refused, and the figures are those that its run has kept: {error:#}"
            );
            return Ok(spec);
        }
        (present, _) => present?,
    };
    match (present, target) {
        (Some(present), Target::Run(_)) => {
            return Ok(Spec {
                only: spec.only,
                quick: spec.quick,
                dynamics: spec.dynamics,
                ..present
            });
        }
        (Some(present), _) => return Ok(present),
        (None, _) => {}
    }
    let name = &spec.name;
    optional_message!(
        "{name}: no spec of it stands beside its results; the figures are those that its run has kept"
    );
    Ok(spec)
}

/// The hash of the plan that is meant, and the plan where it is that of the spec. A run that is
/// named by its folder is the one that was asked for, whatever its plan.
fn plan_meant(target: &Target, spec: &Spec) -> anyhow::Result<(String, Option<Plan>)> {
    let kept = match target {
        Target::Run(_) => target.plan_hash()?,
        _ if spec.is_kept => target.plan_hash()?,
        _ => None,
    };
    if let Some(hash) = kept {
        return Ok((hash, None));
    }
    let plan = target.plan(spec)?;
    Ok((plan.hash(), Some(plan)))
}

/// What is drawn of some experiments.
struct Report<'a> {
    args: &'a ReportArgs,
    on_page: Vec<Section>,
    /// The experiments of which nothing is drawn.
    missing: Vec<Missing>,
    failures: Failures,
    /// 1 where an experiment is not drawn from a run of its plan, or a figure cannot be drawn.
    code: u8,
    /// The figures of all experiments that are drawn.
    asked: AskedFigures,
}

impl Report<'_> {
    /// Tells the error of an experiment of which nothing is drawn; the page has the reason.
    fn fail(&mut self, name: &str, reason: &str, error: anyhow::Error) {
        self.failures.keep::<()>(name, Err(error));
        self.leave_out(name, reason);
    }

    fn leave_out(&mut self, name: &str, reason: &str) {
        self.code = 1;
        self.missing.push(Missing {
            name: name.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Draws the figures of the experiment that is meant by a word; of one of several a line says
    /// how many.
    fn draw(
        &mut self,
        target: &Target,
        read: anyhow::Result<SpecAndFigures>,
    ) -> anyhow::Result<()> {
        let started = Instant::now();
        let name = target.name();
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                self.fail(&name, "its spec is refused", error);
                return Ok(());
            }
        };
        let before = self.on_page.len();
        if let Err(error) = self.try_draw(target, &read) {
            let error = error.context(format!("{name}: not drawn"));
            self.fail(&name, "its run cannot be read", error);
        }
        if let ([section], 2..) = (&self.on_page[before..], self.failures.all) {
            let figures = counted(section.figures.len(), "figure");
            let words = format!("{figures}, {}", about(started.elapsed().as_secs_f64()));
            terminal::print_remarks([format!("{name}: {}", with_title(&read.0, &words))])?;
        }
        Ok(())
    }

    fn try_draw(&mut self, target: &Target, read: &SpecAndFigures) -> anyhow::Result<()> {
        let spec = &read.0;
        let (planned, plan) = plan_meant(target, spec)?;
        let Some(run) = target.run_of(plan.as_ref().map(|plan| (plan, &*planned)))? else {
            return self.say_unfinished(target, spec, &planned);
        };
        say_whose_rows(spec, &run);
        for line in run.points_of_one_row()? {
            optional_message!("{}: {line}", spec.name);
        }
        let hash_of_spec = plan.is_some().then_some(&*planned);
        let share = share_of_plan(spec, hash_of_spec, &run);
        // Of 10⁵ points it has 30 MB.
        drop(plan);
        if run.manifest.plan_hash != planned {
            self.code = 1;
            if let (Some(words), true) = (&share.words, is_quiet()) {
                message!("{}: {words}", spec.name);
            }
        }
        let mut rows = FigureRows::of(&read.1, &run)?;
        rows.remarks.extend(share.words.clone());
        let figures = self.draw_figures(read, (&run, &rows), share.words.as_deref())?;
        let results = &self.args.common.results;
        let section = Section::of(results, spec, &run.manifest, share, figures);
        self.on_page.push(section);
        Ok(())
    }

    /// Says of an experiment without a complete run how far it is.
    fn say_unfinished(
        &mut self,
        target: &Target,
        spec: &Spec,
        planned: &str,
    ) -> anyhow::Result<()> {
        let name = &spec.name;
        let results = &self.args.common.results;
        let is_present = |run: &RunFolder| run.plan_hash == planned && run.code() == Code::Present;
        let Some(run) = target.folders()?.into_iter().find(is_present) else {
            let shown = results.display();
            let command = super::run_command(results, &spec.name);
            message!("{name}: no complete run in {shown}; `{command}` makes one");
            self.leave_out(name, "it has no complete run");
            return Ok(());
        };
        let saved = Progress::of_saved(&run).map(|saved| format!(", {}", so_far(&saved)));
        let saved = saved.unwrap_or_default();
        let folder = run.path().display();
        let command = super::run_command(above(above(run.path())), name);
        message!("{name}: unfinished{saved}, in {folder}; `{command}` goes on with it");
        self.leave_out(name, &format!("its run is unfinished{saved}"));
        Ok(())
    }

    /// Draws each figure of a spec into files of its name; those that are drawn, and those that are
    /// not. The table of each says what its rows are, where these are not all of the plan.
    ///
    /// # Errors
    /// Rows of which a column cannot be read.
    fn draw_figures(
        &mut self,
        (spec, asked): &SpecAndFigures,
        (run, rows): (&CompleteRun, &FigureRows),
        share: Option<&str>,
    ) -> anyhow::Result<(Vec<PageFigure>, Vec<Missing>)> {
        let mut figures = Vec::new();
        let mut not_drawn = Vec::new();
        if asked.is_empty() {
            optional_message!("{}: the spec asks for no figure", spec.name);
        }
        for figure in asked {
            let name = figure.name.clone();
            let mut figure_of_spec = Figure::of(figure);
            let folder = &self.args.figures;
            figure_of_spec.has_vega = self.args.vega || report::has_vega(folder, &name);
            let drawing = figure_of_spec.draw(rows);
            run.refuse_unread(&rows.trials)?;
            match drawing {
                Ok(mut drawing) => {
                    let note = share.map(|words| format!("{}.", report::capital(words)));
                    drawing.table.notes.extend(note);
                    let written = self.write_figure(spec, &name, &drawing);
                    if self.failures.keep(&spec.name, written).is_some() {
                        figures.push(match self.args.html {
                            Some(_) => PageFigure::of(&name, &figure_of_spec, &drawing),
                            None => PageFigure::without_page(&name),
                        });
                    } else {
                        let reason = "its files are not written".to_owned();
                        not_drawn.push(Missing { name, reason });
                    }
                }
                Err(error) => {
                    let removed = self.say_not_drawn(spec, figure, &error.to_string());
                    self.failures.keep(&spec.name, removed);
                    let reason = error.to_string();
                    not_drawn.push(Missing { name, reason });
                }
            }
        }
        Ok((figures, not_drawn))
    }

    /// Says why a figure is not drawn, and removes what an earlier spec or run has drawn under its
    /// name: it would be taken for a figure of these rows. A quick run has few trials on purpose.
    fn say_not_drawn(
        &mut self,
        spec: &Spec,
        figure: &FigureSpec,
        reason: &str,
    ) -> anyhow::Result<()> {
        let name = &*figure.name;
        let shown = &self.args.figures;
        let folder = || format!("{}: {name}", shown.display());
        let owner = report::owner(shown, name).with_context(folder)?;
        let is_own = owner.is_some_and(|owner| owner == spec.name);
        let removed = if is_own && report::remove(shown, name).with_context(folder)? {
            "; its old files are removed"
        } else {
            ""
        };
        let message = format!("figure {name:?}: {reason}{removed}");
        let line = Refused::of_place(&spec.file, (figure.line, 1), message);
        let needs_all_trials = || {
            let plan = Plan::new(spec);
            plan.is_ok_and(|plan| {
                planned::drawings(slice::from_ref(figure), &plan, true)[0].is_ok()
            })
        };
        if spec.quick && needs_all_trials() {
            optional_message!("not drawn: {line}");
            return Ok(());
        }
        message!("not drawn: {line}");
        self.code = 1;
        Ok(())
    }
}
