//! How long a plan will take, from the results of earlier runs: as they were on this kind of
//! processor, and those of other ones scaled by trials of them that are run again here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Instant;

use crate::analysis::mean::Mean;
use crate::analysis::run_time::{Forecast, PastTrials, forecast};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::{Machine, Manifest};
use crate::experiment::store::catalog::{self, RunEntry};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::{Point, Record, Row, StoreError};
use crate::experiment::version;
use crate::solver::{self, Control, Dynamics, Ending, Job};

/// The earlier runs that could be read, and how many could not.
pub(in crate::cli) struct Earlier {
    /// Those of this kind of processor last, and of each the newest last.
    pub(super) trials: Vec<TimedPoint>,
    pub(super) unreadable: usize,
    pub(super) threads: usize,
    /// Whether some are of another kind of processor.
    pub(super) is_scaled: bool,
}

/// The trials of a point in an earlier run.
pub(super) struct TimedPoint {
    past: PastTrials,
    /// Moves of all of them, where each row has them.
    moves: Option<u64>,
    /// The least cutoff at which one of them was cut off.
    cut_off_at: Option<u64>,
    /// `None` for a search, and where the run's plan cannot be made again.
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
    /// Of records of one point, of a run with this manifest and plan.
    fn of(records: &[Record], of: &Manifest, plan: Option<&Plan>, slowness: f64) -> Self {
        let nanoseconds = |it: &Record| (it.seconds * slowness * 1e9) as u64;
        let nanoseconds: Vec<u64> = records.iter().map(nanoseconds).collect();
        let rows = records.iter().map(|it| &it.row);
        let cut_off = |row: &&Row| row.outcome.ending == Ending::Censored;
        let point = Point::clone(&records[0].point);
        let changed = version::changed_at(&point, &of.code_version, &of.parts);
        Self {
            moves: rows.clone().map(|row| row.outcome.moves).sum(),
            cut_off_at: rows.filter(cut_off).map(|row| row.cutoff).min(),
            way: plan.and_then(|plan| Way::of(plan.at(&point)?)),
            past: PastTrials {
                code_version: (!changed.is_empty()).then(|| of.code_version.clone()),
                mean: Mean::of(&nanoseconds),
                point,
            },
        }
    }

    /// Whether none of its trials was cut off before the cutoff of the plan.
    fn ran_as_long_as(&self, planned: &PlannedPoint) -> bool {
        self.cut_off_at
            .is_none_or(|cutoff| cutoff >= planned.cutoff)
    }
}

impl Earlier {
    /// Reads every complete run in `results`, and in its `reference`; a damaged one is counted. For
    /// each other kind of processor, half a second goes into how much slower or faster this one is.
    pub fn read(results: &Path) -> Result<Self, StoreError> {
        Self::of_runs(results, u64::MAX, slowness)
    }

    /// Those that do not have more rows than are soon read, as they were on whatever processor: how
    /// much slower this one is, a run sees by itself.
    pub fn soon_read(results: &Path) -> Result<Self, StoreError> {
        const FEW_ROWS: u64 = 1_000_000;
        Self::of_runs(results, FEW_ROWS, |_, _| Some(1.0))
    }

    fn of_runs(
        results: &Path,
        most_rows: u64,
        measure: fn(&RunEntry, &CompleteRun) -> Option<f64>,
    ) -> Result<Self, StoreError> {
        // Where nothing has run yet, there is the reference that comes with the sources.
        let mut entries = catalog::runs(&results.join("reference"))?;
        entries.extend(catalog::runs(results)?);
        entries.retain(|entry| entry.folder.is_complete());
        let own = Machine::here(0).cpu;
        let mut slownesses = BTreeMap::from([(own.clone(), 1.0)]);
        let (mut complete, mut unreadable) = (Vec::new(), 0);
        for entry in &entries {
            match CompleteRun::at(entry.folder.clone()) {
                Ok(run) if run.manifest.rows > most_rows => {}
                Ok(run) => {
                    let cpu = run.manifest.machine.cpu.clone();
                    if let Entry::Vacant(unknown) = slownesses.entry(cpu)
                        && let Some(slowness) = measure(entry, &run)
                    {
                        unknown.insert(slowness);
                    }
                    complete.push((entry, run));
                }
                Err(_) => unreadable += 1,
            }
        }
        let mut runs = Vec::new();
        for (entry, run) in complete {
            let manifest = &run.manifest;
            let Some(slowness) = slownesses.get(&manifest.machine.cpu) else {
                continue;
            };
            // What was measured here counts more than what is scaled.
            let place = (manifest.machine.cpu == own, manifest.ended.clone());
            match read(entry, &run, *slowness) {
                Ok(trials) => runs.push((place, trials)),
                Err(_) => unreadable += 1,
            }
        }
        runs.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self {
            is_scaled: runs.iter().any(|((is_own, _), _)| !is_own),
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

/// How many times as long as on its own machine some trials of a run take here, one at a time.
/// `None` where it has no such trials, or none that this program makes.
fn slowness(entry: &RunEntry, run: &CompleteRun) -> Option<f64> {
    const ENOUGH: f64 = 0.5;
    /// Of a trial: a longer one would be measured alone.
    const LONGEST: f64 = 0.05;
    let plan = entry.plan()?;
    let (mut here, mut there) = (0.0, 0.0);
    for record in run.timed_trials().ok()? {
        let record = record.ok()?;
        let planned = plan.at(&record.point)?;
        let is_alone = Way::of(planned).is_some() && planned.dynamics != Dynamics::Lanes;
        if !is_alone || record.seconds > LONGEST {
            continue;
        }
        let job = Job {
            point: &planned.point,
            seed: record.row.seed,
            cutoff: record.row.cutoff,
            dynamics: planned.dynamics,
        };
        let (algorithm, started) = (solver::algorithm(&planned.point.algorithm)?, Instant::now());
        let trial = algorithm.trial(&job, record.row.trial, &Control::unstopped());
        trial.ok()?;
        here += started.elapsed().as_secs_f64();
        there += record.seconds;
        if here > ENOUGH {
            break;
        }
    }
    (there > ENOUGH / 10.0).then_some(here / there)
}

/// The trials of a run, point by point.
fn read(entry: &RunEntry, run: &CompleteRun, slowness: f64) -> Result<Vec<TimedPoint>, StoreError> {
    let plan = entry.plan();
    // Those of the last point, which may have more.
    let (mut points, mut open) = (Vec::new(), Vec::<Record>::new());
    let summed_up = |it: &[Record]| TimedPoint::of(it, &run.manifest, plan.as_ref(), slowness);
    for record in run.timed_trials()? {
        let record = record?;
        if open.last().is_some_and(|it| it.point != record.point) {
            points.push(summed_up(&open));
            open.clear();
        }
        open.push(record);
    }
    if !open.is_empty() {
        points.push(summed_up(&open));
    }
    Ok(points)
}
