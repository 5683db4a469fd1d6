//! How long a plan will take, by the manifests of earlier runs, with twice the doubt where another
//! kind of processor made them.

use std::path::Path;
use std::thread::available_parallelism;

use crate::analysis::mean::Mean;
use crate::analysis::run_time::{Forecast, PastTrials, forecast};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::{Machine, Manifest, PointTotals};
use crate::experiment::store::{StoreError, catalog};
use crate::experiment::version;
use crate::solver::Dynamics;

/// The earlier runs that could be read, and how many could not.
pub(in crate::cli) struct Earlier {
    /// The trials, those of this kind of processor last, and of each kind the newest last.
    pub(super) trials: Vec<TimedPoint>,
    pub(super) unreadable: usize,
    pub(super) threads: usize,
    /// True if some are of another kind of processor.
    pub(super) is_elsewhere: bool,
}

/// The trials of a point in an earlier run.
pub(super) struct TimedPoint {
    past: PastTrials,
    /// Moves of all of them, where each row has them.
    moves: Option<u64>,
    /// The least cutoff at which one of them was cut off.
    cut_off_at: Option<u64>,
    /// `None` for a search.
    way: Option<Way>,
}

/// What the time of a trial depends on besides its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// The dynamics, by name.
    dynamics: &'static str,
    /// Not in lanes beside others, because the trial writes down its course: it takes some ten
    /// times as long.
    out_of_lanes: bool,
}

impl Way {
    /// How a plan runs the trials of a point.
    fn of(planned: &PlannedPoint) -> Option<Self> {
        Some(Self {
            dynamics: planned.dynamics_name()?,
            out_of_lanes: planned.dynamics == Dynamics::Lanes && !planned.recording().is_empty(),
        })
    }
}

impl TimedPoint {
    /// What a run with this manifest has of a point of its plan.
    fn of(summary: &PointTotals, planned: &PlannedPoint, of: &Manifest, doubt: f64) -> Self {
        let point = planned.point.clone();
        let changed = version::changed_of(&point.algorithm, &of.code_version, &of.parts);
        Self {
            moves: summary.moves,
            cut_off_at: (summary.censored > 0).then_some(planned.cutoff),
            way: Way::of(planned),
            past: PastTrials {
                code_version: (!changed.is_empty()).then(|| of.code_version.clone()),
                mean: Mean {
                    value: summary.mean_seconds().unwrap_or(f64::NAN) * 1e9,
                    standard_error: f64::INFINITY,
                    trials: summary.trials,
                },
                point,
                doubt,
            },
        }
    }

    /// True if none of its trials was cut off before the cutoff of the plan.
    fn ran_as_long_as(&self, planned: &PlannedPoint) -> bool {
        self.cut_off_at
            .is_none_or(|cutoff| cutoff >= planned.cutoff)
    }
}

impl Earlier {
    /// Reads the manifest of every complete run in `results`, and in its `reference`; a damaged one
    /// is counted.
    pub fn read(results: &Path) -> Result<Self, StoreError> {
        /// How much faster or slower another kind of processor may be.
        const ELSEWHERE: f64 = 2.0;
        // Where nothing has run yet, there is the reference that comes with the sources.
        let mut found = catalog::runs(&results.join("reference"))?;
        found.extend(catalog::runs(results)?);
        found.retain(|run| run.is_complete());
        let (own, mut runs, mut unreadable) = (Machine::here(0).cpu, Vec::new(), 0);
        for run in &found {
            let Ok(manifest) = run.own_manifest() else {
                unreadable += 1;
                continue;
            };
            // Of a spec that this program reads otherwise nothing is known.
            let Some(plan) = run.plan() else { continue };
            let is_own = manifest.machine.cpu == own;
            let doubt = if is_own { 1.0 } else { ELSEWHERE };
            let points = manifest.points.iter().zip(&plan.points);
            let points = points.map(|(it, planned)| TimedPoint::of(it, planned, &manifest, doubt));
            // What was measured here counts more than what other processors did.
            runs.push(((is_own, manifest.ended.clone()), points.collect::<Vec<_>>()));
        }
        runs.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self {
            is_elsewhere: runs.iter().any(|((is_own, _), _)| !is_own),
            trials: runs.into_iter().flat_map(|(_, trials)| trials).collect(),
            unreadable,
            threads: available_parallelism().map_or(1, usize::from),
        })
    }

    /// One forecast per point of `plan`, where earlier results allow one.
    pub fn forecasts(&self, plan: &Plan) -> Vec<Option<Forecast>> {
        let at = |planned: &PlannedPoint| {
            let trials = planned.runs() * plan.seeds.len() as u64;
            forecast(&self.like(planned), &planned.point, trials)
        };
        plan.points.iter().map(at).collect()
    }

    /// Seconds of a trial of each point of `plan`, where earlier results say it.
    pub fn of_a_trial(&self, plan: &Plan) -> Vec<Option<f64>> {
        let trials = |planned: &PlannedPoint| planned.runs() as f64 * plan.seeds.len() as f64;
        let forecasts = self.forecasts(plan).into_iter().zip(&plan.points);
        let of_a_trial = forecasts.map(|(it, planned)| Some(it?.seconds / trials(planned)));
        of_a_trial.collect()
    }

    /// Mean moves of the trials of a point in the newest run that has trials of it which were not
    /// cut off earlier, of the present code; `None` where there is none.
    pub fn mean_moves(&self, planned: &PlannedPoint) -> Option<f64> {
        let moves = |TimedPoint { past, moves, .. }: &TimedPoint| {
            let is_present = past.code_version.is_none() && past.point == planned.point;
            let sum = moves.filter(|_| is_present)?;
            Some(sum as f64 / past.mean.trials as f64)
        };
        let mut newest = self.trials.iter().rev();
        newest.find_map(|it| moves(it).filter(|_| it.ran_as_long_as(planned)))
    }

    /// What an estimate for `planned` rests on: trials that ran in the same way, none of them cut
    /// off earlier than its cutoff.
    fn like(&self, planned: &PlannedPoint) -> Vec<&PastTrials> {
        let way = Way::of(planned);
        let is_alike = |it: &&TimedPoint| {
            it.way == way
                && it.past.point.algorithm == planned.point.algorithm
                && it.ran_as_long_as(planned)
        };
        let alike = self.trials.iter().filter(is_alike);
        alike.map(|it| &it.past).collect()
    }
}
