//! The rows of a run, and the figures that are drawn from them.

use super::{Chart, Drawing, Input, NothingToDraw, draw, draw_partial, figure};
use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{Conditions, FigureSpec, Spec};
use crate::experiment::store::StoreError;
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
    pub fn of(spec: &Spec, run: &CompleteRun) -> Result<Self, StoreError> {
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

    /// Keeps the points that meet the conditions.
    pub fn retain(&mut self, only: &Conditions) {
        self.trials.retain(|it| only.admit(&it.point));
        self.timings.retain(|it| only.admit(&it.point));
        self.courses.retain(|it| only.admit(&it.point));
    }

    pub fn draw(&self, drawn: &FigureSpec) -> Result<Drawing, NothingToDraw> {
        let input = Input {
            trials: &self.trials,
            courses: &self.courses,
            timings: &self.timings,
            machine: &self.machine,
            provenance: &self.provenance,
            choices: &drawn.choices,
            remarks: &self.remarks,
        };
        match &self.partial {
            None => draw(kind(drawn), &input),
            Some(remark) => draw_partial(kind(drawn), &input, remark),
        }
    }
}

/// The kind of a spec's figure.
pub fn kind(drawn: &FigureSpec) -> &'static Chart<'static> {
    figure(&drawn.kind).expect("the spec's figure kinds were checked against this list")
}

/// The figures of a run; those that cannot be drawn are left out.
pub fn drawings<'s>(
    spec: &'s Spec,
    run: &CompleteRun,
) -> Result<Vec<(&'s FigureSpec, Drawing)>, StoreError> {
    let rows = Rows::of(spec, run)?;
    let drawn = spec.figures.iter();
    let drawn = drawn.filter_map(|it| Some((it, rows.draw(it).ok()?)));
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
