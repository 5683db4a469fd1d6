//! The threads that run the missing trials, and what they have in common.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use rayon::ThreadPool;

use super::handover::Sender;
use super::in_flight::InFlight;
use super::lanes::SideBySide;
use super::ledger::TrialId;
use super::schedule::{Lengths, Missing};
use super::work_queue::{Claim, WorkQueue};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::solver::course::Course;
use crate::solver::{self, Control, Dynamics, Interrupted, Job, Lanes, Outcome};

/// Finished trials on the way from the simulating threads, at most: as many as end while others are
/// saved, even where a trial takes ten microseconds; while the disk is slow they
/// wait.
const MOST_UNDERWAY: usize = 1 << 15;

/// A trial that has ended, and its wall-clock time.
pub struct Finished {
    pub id: TrialId,
    pub outcome: Outcome,
    pub course: Course,
    pub seconds: f64,
}

/// [`MOST_UNDERWAY`], or fewer where trials have courses, which may be long.
pub fn most_underway(plan: &Plan) -> usize {
    const WITH_COURSES: usize = 1 << 6;
    if plan.records_series() || plan.records_moves() {
        WITH_COURSES
    } else {
        MOST_UNDERWAY
    }
}

/// What the simulating threads have in common.
pub struct Simulation<'a> {
    plan: &'a Plan,
    lengths: &'a Lengths,
    stop: &'a AtomicBool,
    /// Updates, or checks or nodes, of all threads so far.
    pub updates: AtomicU64,
    /// The trials that are running now.
    pub in_flight: InFlight,
}

impl<'a> Simulation<'a> {
    /// A simulation by so many threads.
    pub fn new(plan: &'a Plan, lengths: &'a Lengths, stop: &'a AtomicBool, threads: usize) -> Self {
        Self {
            plan,
            lengths,
            stop,
            updates: AtomicU64::new(0),
            in_flight: InFlight::new(threads),
        }
    }

    /// Sends each missing trial as it ends, first those that run beside each other; returns when
    /// all have ended or the run is stopped, which the receiver finds by their number.
    pub fn run(&self, [beside, mut alone]: [Missing; 2], pool: &ThreadPool, sender: Sender<'_>) {
        let queue = WorkQueue::new(beside);
        pool.broadcast(|_| {
            while let Some(claim) = queue.next() {
                if let Some(lanes) = self.lanes(claim.id) {
                    // Claims that are dropped end the queue for all, as below.
                    let _ = self.run_in_lanes(lanes, claim, &sender);
                    continue;
                }
                // A claim that is dropped, here of an interrupted trial, ends the queue for all.
                if let Ok(absorption_time) = self.run_one(claim.id, &sender) {
                    claim.end(absorption_time);
                }
            }
        });
        // One at a time, so that nothing disturbs their times.
        let _ = pool.install(|| alone.try_for_each(|id| self.run_one(id, &sender).map(drop)));
    }

    /// How the trials of this one's point run side by side, if they do. Those that write down their
    /// course run one by one.
    fn lanes(&self, id: TrialId) -> Option<Lanes> {
        let planned = &self.plan.points[id.point];
        let algorithm = solver::algorithm(planned.point.algorithm)?;
        let in_lanes = planned.dynamics == Dynamics::Lanes && planned.point.goal.is_none();
        let side_by_side = in_lanes && planned.recording().is_empty();
        algorithm.lanes().filter(|_| side_by_side)
    }

    /// Runs a trial, and beside it and after it others of its point while there are any.
    fn run_in_lanes(
        &self,
        lanes: Lanes,
        first: Claim<'_, '_>,
        sender: &Sender<'_>,
    ) -> Result<(), Interrupted> {
        let planned = &self.plan.points[first.id.point];
        let control = Control::new(self.stop, &self.updates);
        control.poll(0)?;
        let mut trials = SideBySide::new(first, self, sender);
        (lanes.run)(&planned.point, planned.cutoff, &mut trials, &control)
    }

    /// Counts how long a trial has taken, and sends its row.
    pub fn send(&self, finished: Finished, sender: &Sender<'_>) -> Result<(), Interrupted> {
        self.lengths.count(finished.id.point, finished.seconds);
        // Where there is no receiver any more, the stop flag is set.
        sender.send(finished)
    }

    /// Runs a trial and sends its row; returns its absorption time, if it has one.
    fn run_one(&self, id: TrialId, sender: &Sender<'_>) -> Result<Option<u64>, Interrupted> {
        let (planned, slot) = (&self.plan.points[id.point], self.in_flight.slot(0));
        let control = Control::watched(self.stop, &self.updates, slot.gauge());
        control.poll(0)?;
        slot.begin(id);
        let finished = run_trial(planned, id, &control)?;
        let absorption_time = finished.outcome.absorption_time;
        let sent = self.send(finished, sender);
        slot.end();
        sent.map(|()| absorption_time)
    }
}

fn run_trial(
    planned: &PlannedPoint,
    id: TrialId,
    control: &Control,
) -> Result<Finished, Interrupted> {
    let algorithm = solver::algorithm(planned.point.algorithm)
        .expect("a plan is made of registered algorithms");
    let job = Job {
        point: &planned.point,
        seed: id.seed,
        cutoff: planned.cutoff,
        dynamics: planned.dynamics,
    };
    let start = Instant::now();
    let (outcome, course) =
        algorithm.trial_with_course(&job, id.trial, planned.recording(), control)?;
    Ok(Finished {
        id,
        outcome,
        course,
        seconds: start.elapsed().as_secs_f64(),
    })
}
