//! Finished trials on their way from the simulating threads to the one that saves them. A tiny
//! trial takes microseconds, so no thread is woken for a single one.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::simulation::Finished;
use crate::solver::Interrupted;

/// Where senders put trials, and one receiver takes them away many at a time.
pub struct Handover {
    waiting: Mutex<Waiting>,
    /// Many are waiting, or all have been sent.
    arrived: Condvar,
    /// The receiver has taken what was waiting, or takes nothing any more.
    taken: Condvar,
    /// Trials that wait at most; then the senders do.
    most: usize,
}

#[derive(Default)]
struct Waiting {
    trials: Vec<Finished>,
    /// No more will be sent.
    all_sent: bool,
    /// No more will be taken.
    is_closed: bool,
}

/// The sending threads' end; all are sent when it is dropped.
pub struct Sender<'a>(&'a Handover);

/// The receiver's end. Senders that wait for room go on after it is dropped.
pub struct Receiver<'a>(&'a Handover);

impl Handover {
    /// Of at most so many trials at a time.
    pub fn of_at_most(most: usize) -> Self {
        Self {
            waiting: Mutex::default(),
            arrived: Condvar::new(),
            taken: Condvar::new(),
            most,
        }
    }

    /// Both ends. To be called once.
    pub fn ends(&self) -> (Sender<'_>, Receiver<'_>) {
        (Sender(self), Receiver(self))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sender<'_> {
    /// Adds a trial, which the receiver is sure to find from now on.
    ///
    /// # Errors
    /// No more will be taken.
    pub fn send(&self, finished: Finished) -> Result<(), Interrupted> {
        let Handover {
            arrived,
            taken,
            most,
            ..
        } = self.0;
        let mut waiting = self.0.waiting();
        while waiting.trials.len() >= *most && !waiting.is_closed {
            waiting = taken.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.is_closed {
            return Err(Interrupted);
        }
        waiting.trials.push(finished);
        if waiting.trials.len() == most.div_ceil(2) {
            drop(waiting);
            arrived.notify_one();
        }
        Ok(())
    }
}

impl Drop for Sender<'_> {
    fn drop(&mut self) {
        self.0.waiting().all_sent = true;
        self.0.arrived.notify_one();
    }
}

impl Receiver<'_> {
    /// Puts the trials that wait into `trials`, which is empty, and says whether they are the last:
    /// as soon as they are many or the last, else after this time.
    pub fn receive(&self, trials: &mut Vec<Finished>, within: Duration) -> bool {
        let Handover {
            arrived,
            taken,
            most,
            ..
        } = self.0;
        let are_few =
            |waiting: &mut Waiting| waiting.trials.len() < most.div_ceil(2) && !waiting.all_sent;
        let (mut waiting, _) = arrived
            .wait_timeout_while(self.0.waiting(), within, are_few)
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut waiting.trials, trials);
        let all_sent = waiting.all_sent;
        drop(waiting);
        taken.notify_all();
        all_sent
    }
}

impl Drop for Receiver<'_> {
    fn drop(&mut self) {
        self.0.waiting().is_closed = true;
        self.0.taken.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::experiment::runner::ledger::TrialId;
    use crate::solver::course::Course;
    use crate::solver::{Ending, Outcome};

    const LONG: Duration = Duration::from_secs(600);

    fn finished(trial: u32) -> Finished {
        Finished {
            id: TrialId {
                point: 0,
                seed: 1,
                trial,
                repeat: 0,
            },
            outcome: Outcome::ended(Ending::Censored),
            course: Course::default(),
            seconds: 0.0,
        }
    }

    /// 3000 trials of three threads through room for 4: the senders wait again and again.
    #[test]
    fn every_trial_arrives_once_and_those_of_a_thread_in_order() {
        let handover = Handover::of_at_most(4);
        let (sender, receiver) = handover.ends();
        let mut arrived: [Vec<u32>; 3] = Default::default();
        thread::scope(|scope| {
            scope.spawn(move || {
                let sender = &sender;
                thread::scope(|scope| {
                    for thread in 0..3 {
                        scope.spawn(move || {
                            (0..1000).for_each(|trial| {
                                let sent = sender.send(finished(3 * trial + thread));
                                assert!(sent.is_ok(), "the receiver is there");
                            });
                        });
                    }
                });
            });
            let (mut trials, mut all_sent) = (Vec::new(), false);
            while !all_sent {
                all_sent = receiver.receive(&mut trials, LONG);
                assert!(trials.len() <= 4);
                for Finished { id, .. } in trials.drain(..) {
                    arrived[id.trial as usize % 3].push(id.trial / 3);
                }
            }
        });
        let expected: Vec<u32> = (0..1000).collect();
        arrived.iter().for_each(|it| assert_eq!(*it, expected));
    }

    #[test]
    fn few_trials_are_received_when_the_time_is_over() {
        let handover = Handover::of_at_most(100);
        let (sender, receiver) = handover.ends();
        assert!(sender.send(finished(7)).is_ok());
        let mut trials = Vec::new();
        assert!(!receiver.receive(&mut trials, Duration::ZERO));
        assert_eq!(trials.len(), 1);
        trials.clear();
        drop(sender);
        assert!(receiver.receive(&mut trials, LONG) && trials.is_empty());
    }

    #[test]
    fn a_sender_that_waits_for_room_goes_on_when_the_receiver_is_gone() {
        let handover = Handover::of_at_most(1);
        let (sender, receiver) = handover.ends();
        assert!(sender.send(finished(0)).is_ok());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| sender.send(finished(1)));
            drop(receiver);
            assert!(waiting.join().expect("no panic there").is_err());
        });
    }
}
