//! The missing trials on the threads of a pool: those of the largest boards first, since they take
//! longest, so that short trials fill the threads at the end. Searches that are timed follow, one
//! at a time.

use std::cmp::Reverse;
use std::iter::{from_fn, once};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::finished::Finished;
use super::stopwatch::{Lap, Stopwatch};
use crate::experiment::program::is_program;
use crate::experiment::provenance::HeldUp;
use crate::experiment::store::{Point, Record, Row};
use crate::solver::course::Course;
use crate::solver::{
    Control, Dynamics, Interrupted, Key, LANES_PER_THREAD, Outcome, Prepared, TrialError,
    TrialSource,
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
    /// The points as records have them.
    pub points: Vec<Arc<Point>>,
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
        let beside = self.points(false);
        let timed = self.points(true);
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

    /// The points that are timed, or the others, by falling n, each with its trials that no thread
    /// has begun.
    fn points(
        &self,
        are_timed: bool,
    ) -> Vec<(usize, Mutex<impl Iterator<Item = Key> + Send + use<'_>>)> {
        let all = &self.finished.plan.points;
        let own = (0..all.len()).filter(|at| all[*at].repeats.is_some() == are_timed);
        let mut own: Vec<usize> = own.collect();
        own.sort_by_key(|at| Reverse(self.size(*at)));
        let untaken = |point| (point, Mutex::new(self.finished.missing(point)));
        own.into_iter().map(untaken).collect()
    }

    /// How large a point is, on the axis of its algorithm that says so.
    fn size(&self, point: usize) -> Option<u64> {
        let plan = self.finished.plan;
        let point = &plan.points[point].point;
        point.integer(plan.algorithm(point)?.size)
    }

    /// Runs trials of a point, while there are any.
    fn run_point(&self, point: usize, untaken: &Mutex<impl Iterator<Item = Key>>) {
        let next = || {
            if self.failure.get().is_some() {
                return None;
            }
            let untaken = untaken.lock();
            untaken.unwrap_or_else(PoisonError::into_inner).next()
        };
        let planned = &self.finished.plan.points[point];
        let is_over = self.stop.load(Ordering::Relaxed);
        let Some(first) = next().filter(|_| !is_over) else {
            return;
        };
        let mut trials = once(first).chain(from_fn(next));
        let updates = AtomicU64::new(0);
        let control = Control::new(self.stop, &updates).observing(planned.moments());
        let is_in_lanes = planned.dynamics == Some(Dynamics::Lanes) && planned.moments().is_empty();
        let algorithm = self.finished.plan.algorithm(&planned.point);
        let algorithm = algorithm.expect("the plan was made of it");
        // A trial that is stopped, or that nobody takes, is not finished: so it is missing.
        let _ = if let Some(run) = algorithm.side_by_side.filter(|_| is_in_lanes) {
            let mut team = Team {
                workers: self,
                point,
                trials: &mut trials,
                lanes: [None; LANES_PER_THREAD],
                watch: Stopwatch::start(),
            };
            let polled = control.poll(0);
            polled.and_then(|()| run(&planned.point, &mut team, planned.cutoff, &control))
        } else {
            let prepared = (algorithm.prepare)(&planned.point, planned.dynamics);
            let mut watch = match is_program(algorithm) {
                true => Stopwatch::of_another_process(),
                false => Stopwatch::start(),
            };
            trials.try_for_each(|key| {
                let ran = self.run_one((point, key), &prepared, &control, &mut watch);
                ran.map_err(|error| self.end_with(error))
            })
        };
    }

    /// Runs a trial as often as it is timed.
    fn run_one(
        &self,
        (point, key): (usize, Key),
        prepared: &Prepared,
        control: &Control,
        watch: &mut Stopwatch,
    ) -> Result<(), TrialError> {
        control.poll(0)?;
        let planned = &self.finished.plan.points[point];
        let is_search = planned.point.goal.is_some();
        let most = if is_search { MADE_AGAIN } else { 0 };
        let mut run_once = || {
            watch.restart();
            let ended = prepared(key, planned.cutoff, control)?;
            Ok::<_, TrialError>((ended, watch.lap()))
        };
        let mut run = || {
            let (ended, mut shortest) = run_once()?;
            for _ in 0..most {
                if !shortest.is_held_up {
                    break;
                }
                let (_, lap) = run_once()?;
                if !lap.is_held_up || lap.seconds < shortest.seconds {
                    shortest = lap;
                }
            }
            Ok::<_, TrialError>((ended, shortest))
        };
        let (ended, first) = run()?;
        let mut laps = vec![first];
        for _ in 1..planned.repeats.unwrap_or(1) {
            let (again, next) = run()?;
            let trial = key.trial;
            let point = &planned.point;
            if again.0 != ended.0 {
                let reason = format!("trial {trial} of {point} has two rows when it is repeated");
                return Err(TrialError::Failed(reason));
            }
            laps.push(next);
        }
        Ok(self.end(point, key, ended, &laps)?)
    }

    /// Keeps why a trial has failed, if it is the first one; no further trial of the point begins.
    fn end_with(&self, error: TrialError) -> Interrupted {
        if let TrialError::Failed(reason) = error {
            // Of several that fail at once the first is told.
            let _ = self.failure.set(reason);
        }
        Interrupted
    }

    /// The trial has ended. Of a trial of a rule, whose time nobody looks at one by one, a time
    /// that is held up is not known; of a search it is kept, and marked.
    fn end(
        &self,
        point: usize,
        Key { seed, trial }: Key,
        (outcome, course): (Outcome, Course),
        laps: &[Lap],
    ) -> Result<(), Interrupted> {
        let planned = &self.finished.plan.points[point];
        let is_search = planned.point.goal.is_some();
        let known = laps.iter().filter(|lap| is_search || !lap.is_held_up);
        let record = Record {
            point: Arc::clone(&self.points[point]),
            row: Row {
                seed,
                trial,
                cutoff: planned.cutoff,
                outcome,
            },
            dynamics: planned.dynamics,
            seconds: known.map(|lap| lap.seconds).collect(),
            course,
        };
        let mut held_up = Vec::new();
        for (repeat, lap) in (0..).zip(laps) {
            if is_search && lap.is_held_up {
                held_up.push(HeldUp {
                    point: planned.point.to_string(),
                    seed,
                    trial,
                    repeat,
                    seconds: lap.seconds,
                });
            }
        }
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

/// The trials of one point that one thread runs side by side, taken as lanes become free.
struct Team<'w> {
    workers: &'w Workers<'w>,
    point: usize,
    trials: &'w mut dyn Iterator<Item = Key>,
    /// The trial in each lane.
    lanes: [Option<Key>; LANES_PER_THREAD],
    /// A trial has the time since the last one ended, so that the times of all add up to the
    /// thread's.
    watch: Stopwatch,
}

impl TrialSource for Team<'_> {
    fn next(&mut self, lane: usize) -> Option<Key> {
        self.lanes[lane] = self.trials.next();
        self.lanes[lane]
    }

    fn ended(&mut self, lane: usize, gave: (Outcome, Course)) -> Result<(), Interrupted> {
        let Some(key) = self.lanes[lane].take() else {
            return Ok(());
        };
        let lap = self.watch.lap();
        self.workers.end(self.point, key, gave, &[lap])
    }
}
