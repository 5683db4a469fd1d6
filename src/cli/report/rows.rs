//! The rows of a run, and the figures that are drawn from them.

use anyhow::{Context, bail};

use crate::cli::own_name;
use crate::cli::plan::at_most;
use crate::cli::terminal::say;
use crate::cli::text::spaced;
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{Conditions, FigureSpec, Spec};
use crate::experiment::store::catalog::RunEntry;
use crate::report::{self, Chart, Drawing, Input, NothingToDraw};
use crate::results::runs::CompleteRun;
use crate::results::{PointCourses, PointTimings, PointTrials};

/// What figures of a run are drawn from.
#[derive(Default)]
pub struct Rows {
    pub trials: Vec<PointTrials>,
    timings: Vec<PointTimings>,
    courses: Vec<PointCourses>,
    /// What took the times.
    machine: String,
    provenance: String,
    pub remarks: Vec<String>,
    /// How much of an unfinished run it is.
    pub partial: Option<String>,
}

impl Rows {
    pub fn of(spec: &Spec, run: &CompleteRun) -> anyhow::Result<Self> {
        let trials = run.all_points()?;
        let timings = run.timings_of_searches(&trials)?;
        let mut kinds = spec.figures.iter().map(kind);
        let courses = if kinds.any(Chart::draws_courses) {
            run.courses()?
        } else {
            Vec::new()
        };
        let machine = &run.manifest.machine;
        Ok(Self {
            timings,
            courses,
            machine: format!("{}, {} logical processors", machine.cpu, machine.cores),
            ..Self::of_trials(trials, provenance(&run.manifest))
        })
    }

    /// Of these trials alone.
    pub fn of_trials(trials: Vec<PointTrials>, provenance: String) -> Self {
        Self {
            trials,
            provenance,
            ..Self::default()
        }
    }

    /// What an unfinished run has so far.
    pub fn so_far(entry: &RunEntry, is_quiet: bool) -> anyhow::Result<Self> {
        let (folder, [experiment, code_version, plan_hash]) = (&entry.folder, entry.names());
        let path = folder.path().display();
        // What the run is to be in the end, by the spec that it keeps.
        let plan = entry.plan().with_context(|| {
            format!("{path}/spec.toml: not the spec of plan {plan_hash}, or of another program: nothing is drawn of the run")
        })?;
        let so_far = folder.so_far(&plan)?;
        // A figure without some of the rows would be biased, and nothing would say so.
        if let Some((first, others)) = so_far.damaged.split_first() {
            let more = match others.len() {
                0 => String::new(),
                more => format!(", and {more} more files are damaged"),
            };
            bail!(
                "{}: {}{more}; nothing is drawn of this run: `{} run` sets aside what is damaged and runs its trials again",
                first.path.display(),
                first.reason,
                own_name()
            );
        }
        let (finished, all) = (spaced(so_far.finished), spaced(plan.trials()));
        let remark = format!("partial: {finished} of {}{all} trials", at_most(&plan));
        if !is_quiet {
            let running = so_far.running;
            say!("{experiment}: {remark}, and {running} running, in {path}");
        }
        let provenance = format!(
            "experiment {experiment}, code version {code_version}, plan {plan_hash}, {remark}"
        );
        Ok(Self {
            partial: Some(remark),
            ..Self::of_trials(so_far.trials, provenance)
        })
    }

    /// Keeps the points that meet the conditions.
    pub fn retain(&mut self, only: &Conditions) {
        self.trials.retain(|it| only.admit(&it.point));
        self.timings.retain(|it| only.admit(&it.point));
        self.courses.retain(|it| only.admit(&it.point));
    }

    pub fn draw(&self, figure: &FigureSpec) -> Result<Drawing, NothingToDraw> {
        let input = Input {
            trials: &self.trials,
            courses: &self.courses,
            timings: &self.timings,
            machine: &self.machine,
            provenance: &self.provenance,
            choices: &figure.choices,
            remarks: &self.remarks,
        };
        match &self.partial {
            None => report::draw(kind(figure), &input),
            Some(remark) => report::draw_partial(kind(figure), &input, remark),
        }
    }
}

pub fn kind(figure: &FigureSpec) -> &'static Chart<'static> {
    report::figure(&figure.kind).expect("the spec's figure kinds were checked against this list")
}

/// The figures of a run; those that cannot be drawn are left out.
pub fn drawings<'s>(
    spec: &'s Spec,
    run: &CompleteRun,
) -> anyhow::Result<Vec<(&'s FigureSpec, Drawing)>> {
    let rows = Rows::of(spec, run)?;
    let drawn = spec.figures.iter();
    let drawn = drawn.filter_map(|figure| Some((figure, rows.draw(figure).ok()?)));
    Ok(drawn.collect())
}

/// Which code and plan the figure shows. Not the commit: it changes with every line of
/// documentation, the figure does not.
fn provenance(manifest: &Manifest) -> String {
    let (version, hash) = (&manifest.code_version, &manifest.plan_hash);
    let run = format!(
        "experiment {}, code version {version}, plan {hash}",
        manifest.experiment
    );
    match &manifest.dynamics[..] {
        [] => run,
        [only] => format!("{run}, {only} dynamics"),
        [first @ .., last] => format!("{run}, {} and {last} dynamics", first.join(", ")),
    }
}
