//! The rows of a run, and the figures that are drawn from them.

use crate::experiment::plan::Plan;
use crate::experiment::program::Programs;
use crate::experiment::provenance::Manifest;
use crate::experiment::store::Row;
use crate::experiment::store::schema::TRIALS;
use crate::html::spaced;
use crate::report::keys::{SEED_KEY, TRIAL_KEY};
use crate::report::words::points::{enumerated, grouped};
use crate::results::rows::Rows;
use crate::results::{PointCourses, PointTimings, PointTrials};
use crate::solver::{Point, Value};

/// Trials that a figure shows at most: more marks would cover each other.
const MOST_TRIALS: usize = 2000;

/// What figures of a run are drawn from.
#[derive(Default)]
pub struct FigureRows {
    /// All rows, by point.
    pub trials: Vec<PointTrials>,
    /// Wall-clock times, in the order of the trials' points. Figures of them vary from run to run.
    pub(crate) timings: Vec<PointTimings>,
    /// What trials wrote down of their course, by point; empty unless a figure draws that.
    pub(crate) courses: Vec<PointCourses>,
    /// What took the times.
    pub(crate) machine: String,
    /// The run in words, for the caption.
    pub(crate) provenance: String,
    /// What is said in every figure's legend and table, beside its own words.
    pub remarks: Vec<String>,
    /// Points of rules that count steps, which a figure of updates leaves out.
    pub(crate) in_steps: Vec<Point>,
    /// The seeds of a plan whose points have not run: there are no rows yet.
    pub(crate) planned: Option<Vec<u64>>,
    /// The programs of a plan whose points have not run.
    pub(crate) programs: Programs,
}

impl FigureRows {
    /// The points of a plan, without rows.
    pub fn of_plan(plan: &Plan) -> Self {
        let none = Rows::from(Vec::new());
        let points = plan.points.iter().map(|planned| PointTrials {
            point: planned.point.clone(),
            rows: none.clone(),
        });
        let recorded = plan
            .points
            .iter()
            .filter(|point| !point.moments().is_empty());
        let courses = recorded.map(|recorded| PointCourses {
            point: recorded.point.clone(),
            trials: Vec::new(),
        });
        Self {
            courses: courses.collect(),
            planned: Some(plan.seeds.clone()),
            programs: plan.programs.clone(),
            ..Self::of_trials(points.collect(), String::new())
        }
    }

    /// The rows of these trials alone.
    pub fn of_trials(trials: Vec<PointTrials>, provenance: String) -> Self {
        Self {
            trials,
            provenance,
            ..Self::default()
        }
    }

    /// The rows of the points that are kept.
    pub fn kept(&self, is_kept: impl Fn(&Point) -> bool) -> Self {
        fn those<T: Clone>(all: &[T], is_kept: impl Fn(&T) -> bool) -> Vec<T> {
            all.iter().filter(|row| is_kept(row)).cloned().collect()
        }
        Self {
            trials: those(&self.trials, |trials| is_kept(&trials.point)),
            timings: those(&self.timings, |timings| is_kept(&timings.point)),
            courses: those(&self.courses, |courses| is_kept(&courses.point)),
            machine: self.machine.clone(),
            provenance: self.provenance.clone(),
            remarks: self.remarks.clone(),
            in_steps: self.in_steps.clone(),
            planned: self.planned.clone(),
            programs: self.programs.clone(),
        }
    }

    /// The same rows, those of each seed as a point of their own; wall-clock times, which do not
    /// name their seed, are left aside. Or those of each trial, in equal shares of the points the
    /// first by seed and index, as many as a figure shows.
    pub fn apart(&self, are_trials: bool) -> Self {
        let [most, each] = if are_trials {
            [MOST_TRIALS, (MOST_TRIALS / self.trials.len().max(1)).max(1)]
        } else {
            [usize::MAX; 2]
        };
        let of = |point: &Point, (seed, trial): (u64, Option<u32>)| {
            let point = point.with(SEED_KEY, Value::Integer(seed));
            let trial = trial.map(|trial| point.with(TRIAL_KEY, Value::Integer(trial.into())));
            trial.unwrap_or(point)
        };
        let planned = || self.planned.iter().flatten().copied();
        let trials = self.trials.iter().flat_map(|point| {
            let id = |row: &Row| (row.seed, are_trials.then_some(row.trial));
            let groups = grouped(point.rows.iter().take(each), id).into_iter();
            let ran = groups.map(move |rows| (id(&rows[0]), rows.into()));
            let planned = planned().map(|seed| ((seed, None), point.rows.clone()));
            ran.chain(planned).map(|(id, rows)| PointTrials {
                point: of(&point.point, id),
                rows,
            })
        });
        let courses = self.courses.iter().flat_map(|point| {
            let groups = grouped(point.trials.iter().cloned(), |(row, _)| row.seed).into_iter();
            let ran = groups.map(|trials| (trials[0].0.seed, trials));
            let planned = planned().map(|seed| (seed, Vec::new()));
            ran.chain(planned).map(|(seed, trials)| PointCourses {
                point: of(&point.point, (seed, None)),
                trials,
            })
        });
        let trials: Vec<PointTrials> = trials.take(most).collect();
        let shown = spaced(trials.len());
        let n_all: usize = self.trials.iter().map(|trial| trial.rows.len()).sum();
        let all = spaced(n_all);
        let words = are_trials.then(|| format!("each mark is a trial: {shown} of {all}"));
        Self {
            trials,
            courses: courses.collect(),
            timings: Vec::new(),
            machine: self.machine.clone(),
            provenance: self.provenance.clone(),
            remarks: self.remarks.iter().cloned().chain(words).collect(),
            in_steps: self.in_steps.clone(),
            planned: self.planned.clone(),
            programs: self.programs.clone(),
        }
    }
}

/// What the rows are: their plan and the beginning of the checksum of `trials.parquet`. Neither
/// the code version nor the commit: who draws the same rows anew draws the same figure, and the
/// manifest and the page say which code made them.
pub(crate) fn provenance(manifest: &Manifest) -> String {
    let experiment = &manifest.experiment;
    let plan = &manifest.plan_hash;
    let checksum = manifest
        .files
        .get(TRIALS)
        .and_then(|file| file.blake3.get(..8));
    let rows = checksum.map_or_else(String::new, |checksum| format!(", rows {checksum}"));
    let run = format!("experiment {experiment}, plan {plan}{rows}");
    match &manifest.dynamics[..] {
        [] => run,
        all => format!("{run}, {} dynamics", enumerated(all)),
    }
}
