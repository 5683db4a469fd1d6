//! The missing trials, handed out to the threads. A thread that finds none waits while a trial is
//! running after whose end its point may need more.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::ledger::TrialId;
use super::schedule::Missing;

/// The queue from which the threads take their next trial.
#[derive(Debug)]
pub struct WorkQueue<'a> {
    waiting: Mutex<Waiting<'a>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Waiting<'a> {
    missing: Missing<'a>,
    /// Trials under way after whose end their point may need more.
    undecided: usize,
    /// A trial did not come to its end: the run is being stopped.
    is_over: bool,
}

/// A trial taken from the queue by one thread.
#[derive(Debug)]
pub struct Claim<'q, 'a> {
    queue: &'q WorkQueue<'a>,
    pub id: TrialId,
    is_undecided: bool,
    has_ended: bool,
}

impl<'a> WorkQueue<'a> {
    pub fn new(missing: Missing<'a>) -> Self {
        Self {
            waiting: Mutex::new(Waiting {
                missing,
                undecided: 0,
                is_over: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// The next trial; `None` when there is none and none will be needed.
    pub fn next(&self) -> Option<Claim<'_, 'a>> {
        let mut waiting = self.waiting();
        while !waiting.is_over {
            if let Some(id) = waiting.missing.next() {
                return Some(self.claim(&mut waiting, id));
            }
            if waiting.undecided == 0 {
                return None;
            }
            waiting = self
                .changed
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// The next trial of one point; `None` when there is none now.
    pub fn next_at(&self, point: usize) -> Option<Claim<'_, 'a>> {
        let mut waiting = self.waiting();
        if waiting.is_over {
            return None;
        }
        let id = waiting.missing.next_at(point)?;
        Some(self.claim(&mut waiting, id))
    }

    fn claim(&self, waiting: &mut Waiting<'a>, id: TrialId) -> Claim<'_, 'a> {
        let is_undecided = waiting.missing.is_sequential(id.point);
        waiting.undecided += usize::from(is_undecided);
        Claim {
            queue: self,
            id,
            is_undecided,
            has_ended: false,
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<'a>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'q, 'a> Claim<'q, 'a> {
    /// Where it was taken from.
    pub fn queue(&self) -> &'q WorkQueue<'a> {
        self.queue
    }

    /// The trial has ended. To be called after its row was sent, so that rows of a further batch
    /// come after those that it follows from.
    pub fn end(mut self, absorption_time: Option<u64>) {
        if self.is_undecided {
            self.queue.waiting().missing.enter(self.id, absorption_time);
        }
        self.has_ended = true;
    }
}

impl Drop for Claim<'_, '_> {
    /// Also where the trial was interrupted or has panicked: no thread may wait for it.
    fn drop(&mut self) {
        if self.is_undecided || !self.has_ended {
            let mut waiting = self.queue.waiting();
            waiting.undecided -= usize::from(self.is_undecided);
            waiting.is_over |= !self.has_ended;
            drop(waiting);
            self.queue.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::experiment::plan::Plan;
    use crate::experiment::runner::ledger::Ledger;
    use crate::experiment::runner::schedule::Lengths;
    use crate::experiment::spec;

    /// The last trial of a first batch of 30 is under way while another thread waits for one;
    /// returns how many trials that thread then gets.
    fn trials_after(last: impl FnOnce(Claim)) -> usize {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.01\n\
                    trials = { min = 30, max = 50, precision = 0.1 }\ncutoff = 10\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let lengths = Lengths::unknown(&plan);
        // Enough where the last trial of the batch took no time.
        let ledger = Ledger::new(&plan, None, |seen, _| seen.time == 29 * 3);
        let queue = WorkQueue::new(Missing::new(&plan, ledger, &lengths, false));
        (0..29).for_each(|_| queue.next().expect("30 trials").end(Some(3)));
        let claim = queue.next().expect("30 trials");
        thread::scope(|scope| {
            let others = scope.spawn(|| {
                let mut count = 0;
                while let Some(claim) = queue.next() {
                    claim.end(Some(3));
                    count += 1;
                }
                count
            });
            last(claim);
            others.join().expect("no panic there")
        })
    }

    #[test]
    fn a_waiting_thread_gets_the_trials_that_another_ones_end_makes_necessary() {
        assert_eq!(trials_after(|claim| claim.end(Some(3))), 20);
    }

    #[test]
    fn no_thread_waits_for_unneeded_trials_or_after_an_interruption() {
        assert_eq!(trials_after(|claim| claim.end(Some(0))), 0);
        assert_eq!(trials_after(|claim| drop(claim)), 0);
    }
}
