//! The threads that run the missing trials, and send those that have ended.

mod side_by_side;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

pub use self::side_by_side::runs_in_lanes;
use super::finished::TrialId;
use super::queue::Queue;
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::{Point, Record, Row};
use crate::solver::course::Course;
use crate::solver::{self, Control, Interrupted, Outcome, Prepared};

/// A trial that has ended, and the index of its point.
pub type Ended = (usize, Record);

/// What the threads share.
pub struct Workers<'a> {
    plan: &'a Plan,
    queue: Mutex<Queue<'a>>,
    /// The points as records have them.
    points: &'a [Arc<Point>],
    /// Each point made ready, from its first trial on.
    prepared: Vec<OnceLock<Box<dyn Prepared>>>,
    /// Set when no more trials are to run.
    stop: &'a AtomicBool,
    /// Updates, or checks or nodes, of all threads so far.
    updates: AtomicU64,
}

impl<'a> Workers<'a> {
    pub fn new(
        plan: &'a Plan,
        queue: Queue<'a>,
        points: &'a [Arc<Point>],
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            plan,
            queue: Mutex::new(queue),
            points,
            prepared: plan.points.iter().map(|_| OnceLock::new()).collect(),
            stop,
            updates: AtomicU64::new(0),
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs trials while there are any, on as many threads as call this, until `stop` is set or
    /// nobody takes what has ended.
    pub fn work(&self, ended: &SyncSender<Ended>) {
        while let Some(id) = self.next() {
            let run = match runs_in_lanes(&self.plan.points[id.point]) {
                true => self.run_in_lanes(id, ended),
                false => self.run_one(id, ended),
            };
            if run.is_err() {
                return;
            }
        }
    }

    fn next(&self) -> Option<TrialId> {
        let is_stopped = self.stop.load(Ordering::Relaxed);
        (!is_stopped).then(|| self.queue().next()).flatten()
    }

    fn prepared(&self, point: usize) -> &dyn Prepared {
        let planned = &self.plan.points[point];
        let prepare = || solver::prepare(&planned.point, planned.dynamics);
        &**self.prepared[point].get_or_init(prepare)
    }

    fn run_one(&self, id: TrialId, sent: &SyncSender<Ended>) -> Result<(), Interrupted> {
        let planned = &self.plan.points[id.point];
        let control = Control::new(self.stop, &self.updates);
        control.poll(0)?;
        let control = control.observing(planned.moments());
        let prepared = self.prepared(id.point);
        let run = || {
            let start = Instant::now();
            let ended = prepared.trial(id.key(), planned.cutoff, &control)?;
            Ok((ended, start.elapsed().as_secs_f64()))
        };
        let (ended, first) = run()?;
        let mut seconds = vec![first];
        for _ in 1..planned.runs_per_trial() {
            let (again, next) = run()?;
            let (trial, point) = (id.trial, &planned.point);
            assert_eq!(again.0, ended.0, "trial {trial} of {point} has two rows");
            seconds.push(next);
        }
        self.end(sent, id, ended, seconds)
    }

    /// The trial has ended; waits while too many others are not saved.
    fn end(
        &self,
        sent: &SyncSender<Ended>,
        id: TrialId,
        (outcome, course): (Outcome, Course),
        seconds: Vec<f64>,
    ) -> Result<(), Interrupted> {
        let planned: &PlannedPoint = &self.plan.points[id.point];
        self.queue().note_length(id.point, seconds.iter().sum());
        let record = Record {
            point: Arc::clone(&self.points[id.point]),
            row: Row {
                seed: id.seed,
                trial: id.trial,
                cutoff: planned.cutoff,
                outcome,
            },
            dynamics: planned.dynamics,
            seconds,
            course,
        };
        // Nobody takes it any more: saving has failed.
        sent.send((id.point, record)).map_err(|_| Interrupted)
    }
}
