//! The rows of a run, and the figures that are drawn from them. Here are the most trials that a
//! figure draws one by one (2000) and which of them, the words for a run in captions, and what
//! makes a point of each seed.

use crate::experiment::manifest::Manifest;
use crate::experiment::plan::Plan;
use crate::experiment::program::Programs;
use crate::experiment::store::Row;
use crate::experiment::store::rows::Rows;
use crate::experiment::store::rows::{PointCourses, PointTimings, PointTrials};
use crate::experiment::store::schema::TRIALS;
use crate::html::spaced;
use crate::report::keys::{SEED_KEY, TRIAL_KEY};
use crate::report::words::points::{enumerated, grouped};
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

    /// What is known beside the rows.
    fn without_rows(&self) -> Self {
        Self {
            machine: self.machine.clone(),
            provenance: self.provenance.clone(),
            remarks: self.remarks.clone(),
            in_steps: self.in_steps.clone(),
            planned: self.planned.clone(),
            programs: self.programs.clone(),
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
            ..self.without_rows()
        }
    }

    /// The same rows, those of each seed as a point of their own; wall-clock times, which do not
    /// name their seed, are left aside.
    pub fn by_seed(&self) -> Self {
        let trials = self.trials.iter().flat_map(|point| {
            let by_seed = grouped(point.rows.iter(), |row: &Row| row.seed).into_iter();
            let ran = by_seed.map(|rows| (rows[0].seed, rows.into()));
            let planned = self.planned_seeds();
            let planned = planned.map(|seed| (seed, point.rows.clone()));
            ran.chain(planned).map(|(seed, rows)| PointTrials {
                point: of_seed(&point.point, seed),
                rows,
            })
        });
        self.with_points(trials.collect())
    }

    /// The same rows, each trial as a point of its own: in equal shares of the points the first by
    /// seed and index, as many as a figure shows.
    pub fn by_trial(&self) -> Self {
        let of_each_point = (MOST_TRIALS / self.trials.len().max(1)).max(1);
        let trials = self.trials.iter().flat_map(|point| {
            let rows = point.rows.iter().take(of_each_point);
            let by_trial = grouped(rows, |row: &Row| (row.seed, row.trial)).into_iter();
            let ran = by_trial.map(|rows| {
                let trial = Value::Integer(rows[0].trial.into());
                let of_trial = of_seed(&point.point, rows[0].seed).with(TRIAL_KEY, trial);
                (of_trial, rows.into())
            });
            let planned = self.planned_seeds();
            let planned = planned.map(|seed| (of_seed(&point.point, seed), point.rows.clone()));
            let all = ran.chain(planned);
            all.map(|(point, rows)| PointTrials { point, rows })
        });
        let trials: Vec<PointTrials> = trials.take(MOST_TRIALS).collect();
        let n_shown = spaced(trials.len());
        let n_all: usize = self.trials.iter().map(|trial| trial.rows.len()).sum();
        let n_all = spaced(n_all);
        let mut rows = self.with_points(trials);
        let remark = format!("each mark is a trial: {n_shown} of {n_all}");
        rows.remarks.push(remark);
        rows
    }

    fn planned_seeds(&self) -> impl Iterator<Item = u64> {
        self.planned.iter().flatten().copied()
    }

    /// These trials in place of those that there are, and each seed's courses as a point.
    fn with_points(&self, trials: Vec<PointTrials>) -> Self {
        let courses = self.courses.iter().flat_map(|point| {
            let by_seed = grouped(point.trials.iter().cloned(), |(row, _)| row.seed).into_iter();
            let ran = by_seed.map(|trials| (trials[0].0.seed, trials));
            let planned = self.planned_seeds().map(|seed| (seed, Vec::new()));
            ran.chain(planned).map(|(seed, trials)| PointCourses {
                point: of_seed(&point.point, seed),
                trials,
            })
        });
        Self {
            trials,
            courses: courses.collect(),
            ..self.without_rows()
        }
    }
}

/// A point with a seed, as if that were one of its axes.
fn of_seed(point: &Point, seed: u64) -> Point {
    point.with(SEED_KEY, Value::Integer(seed))
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
