//! Trials of one point that one thread runs side by side.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use super::handover::Sender;
use super::simulation::{Finished, Simulation};
use super::work_queue::{Claim, WorkQueue};
use crate::solver::course::Course;
use crate::solver::{Control, Interrupted, Outcome, SEATS, TrialSource};

/// The trials of one point, taken from the queue as seats become free.
pub struct SideBySide<'s, 'm> {
    queue: &'s WorkQueue<'m>,
    first: Option<Claim<'s, 'm>>,
    point: usize,
    seats: [Option<Seated<'s, 'm>>; SEATS],
    simulation: &'s Simulation<'s>,
    sender: &'s Sender<'s>,
}

/// A trial under way.
struct Seated<'s, 'm> {
    claim: Claim<'s, 'm>,
    start: Instant,
}

impl<'s, 'm> SideBySide<'s, 'm> {
    /// The trials of the first one's point, beginning with it.
    pub fn new(
        first: Claim<'s, 'm>,
        simulation: &'s Simulation<'s>,
        sender: &'s Sender<'s>,
    ) -> Self {
        Self {
            queue: first.queue(),
            point: first.id.point,
            first: Some(first),
            seats: [const { None }; SEATS],
            simulation,
            sender,
        }
    }
}

impl TrialSource for SideBySide<'_, '_> {
    fn next(&mut self, seat: usize) -> Option<(u64, u32)> {
        let first = self.first.take();
        let claim = first.or_else(|| self.queue.next_at(self.point))?;
        let id = claim.id;
        self.simulation.in_flight.slot(seat).begin(id);
        self.seats[seat] = Some(Seated {
            claim,
            start: Instant::now(),
        });
        Some((id.seed, id.trial))
    }

    fn note(&mut self, seat: usize, so_far: &dyn Fn() -> Outcome) {
        // Neither stops nor counts.
        let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
        let gauge = self.simulation.in_flight.slot(seat).gauge();
        Control::watched(&stop, &updates, gauge).note(so_far);
    }

    /// The time of a trial is its share of the time that it was under way: the thread ran the
    /// others at the same time.
    fn ended(&mut self, seat: usize, outcome: Outcome) -> Result<(), Interrupted> {
        let beside = self.seats.iter().flatten().count().max(1) as f64;
        let Some(Seated { claim, start }) = self.seats[seat].take() else {
            return Ok(());
        };
        let absorption_time = outcome.absorption_time;
        let finished = Finished {
            id: claim.id,
            outcome,
            course: Course::default(),
            seconds: start.elapsed().as_secs_f64() / beside,
        };
        self.simulation.send(finished, self.sender)?;
        self.simulation.in_flight.slot(seat).end();
        claim.end(absorption_time);
        Ok(())
    }
}
