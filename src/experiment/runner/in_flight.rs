//! The trials that are running now, so that an unfinished run can be drawn without its long trials
//! being forgotten.

use std::sync::{Mutex, PoisonError};

use super::ledger::TrialId;
use crate::solver::{Gauge, Outcome, SEATS};

/// Slots for each thread that runs trials: as many as it may run side by side.
#[derive(Debug)]
pub struct InFlight {
    slots: Vec<[Slot; SEATS]>,
}

/// A trial that one thread runs now.
#[derive(Debug, Default)]
pub struct Slot {
    trial: Mutex<Option<TrialId>>,
    gauge: Gauge,
}

impl InFlight {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            slots: (0..threads).map(|_| Default::default()).collect(),
        }
    }

    /// A slot of the calling thread, one of the pool's.
    pub fn slot(&self, seat: usize) -> &Slot {
        &self.slots[rayon::current_thread_index().unwrap_or(0)][seat]
    }

    /// The running trials and how far each is; without those that have noted nothing yet.
    pub fn running(&self) -> Vec<(TrialId, Outcome)> {
        let running = |slot: &Slot| {
            let trial = slot.trial.lock().unwrap_or_else(PoisonError::into_inner);
            (*trial).zip(slot.gauge.read())
        };
        self.slots.iter().flatten().filter_map(running).collect()
    }
}

impl Slot {
    /// Where the trial notes how far it is.
    pub fn gauge(&self) -> &Gauge {
        &self.gauge
    }

    pub fn begin(&self, trial: TrialId) {
        self.set(Some(trial));
    }

    /// To be called after the trial's row was sent: a reader of first the slots and then the rows
    /// misses no trial.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, trial: Option<TrialId>) {
        let mut current = self.trial.lock().unwrap_or_else(PoisonError::into_inner);
        self.gauge.clear();
        *current = trial;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::*;
    use crate::solver::{Control, Ending};

    #[test]
    fn what_a_trial_has_noted_is_not_of_the_next() {
        let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
        let trials = InFlight::new(1);
        let slot = trials.slot(1);
        let id = |trial| TrialId {
            point: 0,
            seed: 1,
            trial,
            repeat: 0,
        };
        let note = || {
            Control::watched(&stop, &updates, slot.gauge())
                .note(|| Outcome::ended(Ending::Censored));
        };
        let running = || {
            trials
                .running()
                .iter()
                .map(|(id, _)| id.trial)
                .collect::<Vec<_>>()
        };
        slot.begin(id(0));
        assert!(running().is_empty(), "nothing noted yet");
        note();
        assert_eq!(running(), [0]);
        slot.begin(id(1));
        assert!(running().is_empty(), "nothing noted yet");
        note();
        assert_eq!(running(), [1]);
        slot.end();
        assert!(running().is_empty());
    }
}
