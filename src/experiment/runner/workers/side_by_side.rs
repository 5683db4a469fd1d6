//! Trials of one point that run side by side, in lanes.

use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::{Ended, TrialId, Workers};
use crate::experiment::plan::PlannedPoint;
use crate::solver::course::Course;
use crate::solver::{Control, Dynamics, Interrupted, Key, LANES_PER_THREAD, Outcome, TrialSource};

/// True if a point's trials run side by side. Those that write down their course do not.
pub fn runs_in_lanes(planned: &PlannedPoint) -> bool {
    planned.dynamics == Some(Dynamics::Lanes) && planned.moments().is_empty()
}

impl<'a> Workers<'a> {
    /// Runs a trial, and beside it and after it others of its point while there are any.
    pub(super) fn run_in_lanes(
        &self,
        first: TrialId,
        ended: &SyncSender<Ended>,
    ) -> Result<(), Interrupted> {
        let control = Control::new(self.stop, &self.updates);
        control.poll(0)?;
        let planned = &self.plan.points[first.point];
        let mut trials = LaneTrials {
            point: first.point,
            workers: self,
            sent: ended,
            lanes: [None; LANES_PER_THREAD],
            busy: 0,
            share: 0.0,
            last: Instant::now(),
            first: Some(first),
        };
        self.prepared(trials.point)
            .trials(&mut trials, planned.cutoff, &control)
    }
}

/// The trials of one point that one thread runs side by side, taken as lanes become free.
struct LaneTrials<'s, 'a> {
    workers: &'s Workers<'a>,
    sent: &'s SyncSender<Ended>,
    first: Option<TrialId>,
    point: usize,
    /// The trial in each lane, and the share at its start.
    lanes: [Option<(TrialId, f64)>; LANES_PER_THREAD],
    busy: u32,
    /// Seconds that a trial would have had that has been under way since the first began: at each
    /// moment one second is shared by all that are. So the times of trials add up to the thread's.
    share: f64,
    /// The moment when the share was last brought up to date.
    last: Instant,
}

impl LaneTrials<'_, '_> {
    fn share_now(&mut self) -> f64 {
        let now = Instant::now();
        self.share += (now - self.last).as_secs_f64() / f64::from(self.busy.max(1));
        self.last = now;
        self.share
    }
}

impl TrialSource for LaneTrials<'_, '_> {
    fn next(&mut self, lane: usize) -> Option<Key> {
        let first = self.first.take();
        let id = first.or_else(|| self.workers.queue().next_at(self.point))?;
        let share = self.share_now();
        self.busy += 1;
        self.lanes[lane] = Some((id, share));
        Some(id.key())
    }

    fn ended(&mut self, lane: usize, gave: (Outcome, Course)) -> Result<(), Interrupted> {
        let share = self.share_now();
        let Some((id, start)) = self.lanes[lane].take() else {
            return Ok(());
        };
        self.busy -= 1;
        self.workers.end(self.sent, id, gave, vec![share - start])
    }
}
