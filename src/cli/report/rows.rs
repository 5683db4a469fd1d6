//! The rows of a run, and the figures that are drawn from them.

use crate::experiment::provenance::Manifest;
use crate::experiment::spec::{Choices, Conditions, Spec};
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
}

impl Rows {
    pub fn of(spec: &Spec, run: &CompleteRun) -> anyhow::Result<Self> {
        let trials = run.all_points()?;
        let timings = run.timings_of_searches(&trials)?;
        let mut kinds = spec
            .figures
            .iter()
            .filter_map(|it| report::figure(&it.kind));
        let courses = if kinds.any(Chart::draws_courses) {
            run.courses()?
        } else {
            Vec::new()
        };
        let machine = &run.manifest.machine;
        Ok(Self {
            trials,
            timings,
            courses,
            machine: format!("{}, {} logical processors", machine.cpu, machine.cores),
            provenance: provenance(&run.manifest),
            remarks: Vec::new(),
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

    pub fn input<'a>(&'a self, choices: &'a Choices) -> Input<'a> {
        Input {
            trials: &self.trials,
            courses: &self.courses,
            timings: &self.timings,
            machine: &self.machine,
            provenance: &self.provenance,
            choices,
            remarks: &self.remarks,
        }
    }

    pub fn draw(&self, kind: &Chart, choices: &Choices) -> Result<Drawing, NothingToDraw> {
        report::draw(kind, &self.input(choices))
    }
}

/// The figures of a run, by name; those that cannot be drawn are left out.
pub fn drawings(
    spec: &Spec,
    run: &CompleteRun,
) -> anyhow::Result<Vec<(String, &'static Chart<'static>, Drawing)>> {
    let rows = Rows::of(spec, run)?;
    let drawn = spec.figures.iter().filter_map(|figure| {
        let kind = report::figure(&figure.kind)?;
        let drawing = rows.draw(kind, &figure.choices).ok()?;
        Some((figure.name.clone(), kind, drawing))
    });
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
