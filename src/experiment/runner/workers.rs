//! The missing trials on the threads of a pool: those of the largest boards first, since they take
//! longest, so that short trials fill the threads at the end. Searches that are timed follow, one
//! at a time. Here are the order of points, which trials share a thread in lanes, how often a
//! search is repeated and timed, and how often one is made again whose time is held up (3 times).

use std::cmp::Reverse;
use std::iter::from_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::finished::Finished;
use super::stopwatch::{Lap, Stopwatch};
use crate::experiment::manifest::HeldUp;
use crate::experiment::plan::PlannedPoint;
use crate::experiment::program::is_program;
use crate::experiment::store::{Point, Record, Row};
use crate::solver::course::Course;
use crate::solver::{
    Algorithm, Control, Dynamics, Interrupted, Key, LANES_PER_THREAD, Outcome, Prepared,
    TrialError, TrialSource,
};

/// How often a search is made again whose time is held up. On a machine that is busy with other
/// programs every time is; then the shortest one is kept, and marked.
const MADE_AGAIN: u32 = 3;

/// A trial that has ended.
pub struct EndedTrial {
    /// The index of its point.
    pub point: usize,
    pub record: Record,
    /// Those of its times that are kept though they are held up.
    pub held_up: Vec<HeldUp>,
}

/// What the threads share.
pub struct Workers<'a> {
    pub finished: &'a Finished<'a>,
    /// Each of the plan's points, as all records of its trials share it.
    pub shared_points: Vec<Arc<Point>>,
    /// Set when no more trials are to run.
    pub stop: &'a AtomicBool,
    /// Why a trial has failed: then no further one begins, and those under way go on to their end.
    pub failure: &'a OnceLock<String>,
    /// The way of trials that have ended; a thread waits while too many of them are not saved.
    pub sent: SyncSender<EndedTrial>,
}

impl Workers<'_> {
    /// Runs trials on the threads of the pool that this is called in, until there are none, `stop`
    /// is set, or nobody takes what has ended.
    pub fn run(self) {
        let beside = self.points_by_size(false);
        let timed = self.points_by_size(true);
        // Every thread joins in at every point that still has trials.
        rayon::broadcast(|_| {
            for (point, untaken) in &beside {
                self.run_point(*point, untaken);
            }
        });
        for (point, untaken) in &timed {
            self.run_point(*point, untaken);
        }
    }

    /// The indices of the points that are timed, or of the others, by falling n, each with its
    /// trials that no thread has begun.
    fn points_by_size(
        &self,
        are_timed: bool,
    ) -> Vec<(usize, Mutex<impl Iterator<Item = Key> + Send + use<'_>>)> {
        let planned = &self.finished.plan.points;
        let meant = (0..planned.len()).filter(|at| planned[*at].repeats.is_some() == are_timed);
        let mut meant: Vec<usize> = meant.collect();
        meant.sort_by_key(|at| Reverse(self.size(*at)));
        let untaken = |point| (point, Mutex::new(self.finished.missing(point)));
        meant.into_iter().map(untaken).collect()
    }

    /// How large a point is, on the axis of its algorithm that says so.
    fn size(&self, point: usize) -> Option<u64> {
        let plan = self.finished.plan;
        let point = &plan.points[point].point;
        point.integer(plan.algorithm(point)?.size)
    }

    /// The next trial that no thread has begun; none after a failure.
    fn take_trial(&self, untaken: &Mutex<impl Iterator<Item = Key>>) -> Option<Key> {
        if self.failure.get().is_some() {
            return None;
        }
        let untaken = untaken.lock();
        untaken.unwrap_or_else(PoisonError::into_inner).next()
    }

    /// Runs trials of a point, while there are any.
    fn run_point(&self, point: usize, untaken: &Mutex<impl Iterator<Item = Key>>) {
        let mut trials = from_fn(|| self.take_trial(untaken)).peekable();
        if self.stop.load(Ordering::Relaxed) || trials.peek().is_none() {
            return;
        }
        let planned = &self.finished.plan.points[point];
        let algorithm = self.finished.plan.algorithm(&planned.point);
        let algorithm = algorithm.expect("the plan was made of it");
        let updates = AtomicU64::new(0);
        let control = Control::new(self.stop, &updates).observing(planned.moments());
        let is_in_lanes = planned.dynamics == Some(Dynamics::Lanes) && planned.moments().is_empty();
        // A trial that is stopped, or that nobody takes, is not finished: so it is missing.
        let _ = match algorithm.side_by_side.filter(|_| is_in_lanes) {
            Some(run) => {
                let mut source = TrialsInLanes {
                    workers: self,
                    point,
                    trials: &mut trials,
                    lanes: [None; LANES_PER_THREAD],
                    watch: Stopwatch::start(),
                };
                let polled = control.poll(0);
                polled.and_then(|()| run(&planned.point, &mut source, planned.cutoff, &control))
            }
            None => self.run_one_by_one(point, algorithm, &mut trials, &control),
        };
    }

    /// Runs trials of a point one after the other.
    fn run_one_by_one(
        &self,
        point: usize,
        algorithm: &Algorithm,
        trials: &mut dyn Iterator<Item = Key>,
        control: &Control,
    ) -> Result<(), Interrupted> {
        let planned = &self.finished.plan.points[point];
        let prepared = (algorithm.prepare)(&planned.point, planned.dynamics);
        let mut watch = match is_program(algorithm) {
            true => Stopwatch::of_another_process(),
            false => Stopwatch::start(),
        };
        for key in trials {
            let trial = Trial {
                planned,
                key,
                prepared: &prepared,
                control,
            };
            let ran = trial.run_as_often_as_timed(&mut watch);
            let (ended, laps) = ran.map_err(|error| self.end_with(error))?;
            self.end(point, key, ended, &laps)?;
        }
        Ok(())
    }

    /// Keeps why a trial has failed, if it is the first one; no further trial of the point begins.
    fn end_with(&self, error: TrialError) -> Interrupted {
        if let TrialError::Failed(reason) = error {
            // Of several that fail at once the first is told.
            let _ = self.failure.set(reason);
        }
        Interrupted
    }

    /// Sends off a trial that has ended. Of a trial of a rule, whose time nobody looks at one by
    /// one, a time that is held up is not known; of a search it is kept, and marked.
    fn end(
        &self,
        point: usize,
        key: Key,
        (outcome, course): (Outcome, Course),
        laps: &[Lap],
    ) -> Result<(), Interrupted> {
        let planned = &self.finished.plan.points[point];
        let is_search = planned.point.goal.is_some();
        let known = laps.iter().filter(|lap| is_search || !lap.is_held_up);
        let record = Record {
            point: Arc::clone(&self.shared_points[point]),
            row: Row {
                seed: key.seed,
                trial: key.trial,
                cutoff: planned.cutoff,
                outcome,
            },
            dynamics: planned.dynamics,
            seconds: known.map(|lap| lap.seconds).collect(),
            course,
        };
        let held_up = match is_search {
            true => times_held_up(&planned.point, key, laps),
            false => Vec::new(),
        };
        let ended = EndedTrial {
            point,
            record,
            held_up,
        };
        // Nobody takes it any more: saving has failed.
        self.sent.send(ended).map_err(|_| {
            self.stop.store(true, Ordering::Relaxed);
            Interrupted
        })
    }
}

/// The times of a trial that are held up.
fn times_held_up(point: &Point, Key { seed, trial }: Key, laps: &[Lap]) -> Vec<HeldUp> {
    let mut held_up = Vec::new();
    for (repeat, lap) in (0..).zip(laps) {
        if lap.is_held_up {
            held_up.push(HeldUp {
                point: point.to_string(),
                seed,
                trial,
                repeat,
                seconds: lap.seconds,
            });
        }
    }
    held_up
}

/// A trial that has nothing beside it on its thread.
struct Trial<'t> {
    planned: &'t PlannedPoint,
    key: Key,
    prepared: &'t Prepared,
    control: &'t Control<'t>,
}

/// What a trial gives.
type Ended = (Outcome, Course);

impl Trial<'_> {
    /// Runs it as often as it is timed.
    fn run_as_often_as_timed(
        &self,
        watch: &mut Stopwatch,
    ) -> Result<(Ended, Vec<Lap>), TrialError> {
        self.control.poll(0)?;
        let (ended, first_lap) = self.run_undisturbed(watch)?;
        let mut laps = vec![first_lap];
        for _ in 1..self.planned.repeats.unwrap_or(1) {
            let (repeated, lap) = self.run_undisturbed(watch)?;
            if repeated.0 != ended.0 {
                let trial = self.key.trial;
                let point = &self.planned.point;
                let reason = format!("trial {trial} of {point} has two rows when it is repeated");
                return Err(TrialError::Failed(reason));
            }
            laps.push(lap);
        }
        Ok((ended, laps))
    }

    /// Runs it; a search some times more while its time is held up, of which the shortest is kept.
    fn run_undisturbed(&self, watch: &mut Stopwatch) -> Result<(Ended, Lap), TrialError> {
        let (ended, mut shortest) = self.run(watch)?;
        let is_search = self.planned.point.goal.is_some();
        let most = if is_search { MADE_AGAIN } else { 0 };
        for _ in 0..most {
            if !shortest.is_held_up {
                break;
            }
            let (_, lap) = self.run(watch)?;
            if !lap.is_held_up || lap.seconds < shortest.seconds {
                shortest = lap;
            }
        }
        Ok((ended, shortest))
    }

    /// Runs it once.
    fn run(&self, watch: &mut Stopwatch) -> Result<(Ended, Lap), TrialError> {
        watch.restart();
        let ended = (self.prepared)(self.key, self.planned.cutoff, self.control)?;
        Ok((ended, watch.lap()))
    }
}

/// The trials of one point that one thread runs side by side, taken as lanes become free.
struct TrialsInLanes<'w> {
    workers: &'w Workers<'w>,
    point: usize,
    trials: &'w mut dyn Iterator<Item = Key>,
    /// The trial in each lane.
    lanes: [Option<Key>; LANES_PER_THREAD],
    /// A trial has the time since the last one ended, so that the times of all add up to the
    /// thread's.
    watch: Stopwatch,
}

impl TrialSource for TrialsInLanes<'_> {
    fn next(&mut self, lane: usize) -> Option<Key> {
        self.lanes[lane] = self.trials.next();
        self.lanes[lane]
    }

    fn ended(&mut self, lane: usize, gave: Ended) -> Result<(), Interrupted> {
        let Some(key) = self.lanes[lane].take() else {
            return Ok(());
        };
        let lap = self.watch.lap();
        self.workers.end(self.point, key, gave, &[lap])
    }
}
