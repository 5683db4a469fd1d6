//! The missing trials, handed out to the threads. A thread that finds none waits while a trial is
//! running whose end may ask for more.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::ledger::TrialId;
use super::schedule::Missing;

/// Where threads ask for their next trial.
#[derive(Debug)]
pub struct Turns<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<'a> {
    missing: Missing<'a>,
    /// Trials under way whose end may make their point ask for more.
    undecided: usize,
    /// A trial did not come to its end: the run is being stopped.
    is_over: bool,
}

/// A trial to run, in the hands of one thread.
#[derive(Debug)]
pub struct Turn<'t, 'a> {
    turns: &'t Turns<'a>,
    pub id: TrialId,
    is_undecided: bool,
    has_ended: bool,
}

impl<'a> Turns<'a> {
    pub fn new(missing: Missing<'a>) -> Self {
        Self {
            state: Mutex::new(State {
                missing,
                undecided: 0,
                is_over: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// The next trial; `None` when there is none, and none will be asked for.
    pub fn next(&self) -> Option<Turn<'_, 'a>> {
        let mut state = self.state();
        while !state.is_over {
            if let Some(id) = state.missing.next() {
                let is_undecided = state.missing.is_sequential(id.point);
                state.undecided += usize::from(is_undecided);
                return Some(Turn {
                    turns: self,
                    id,
                    is_undecided,
                    has_ended: false,
                });
            }
            if state.undecided == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_, '_> {
    /// The trial has ended. To be called after its row was handed on, so that rows of a further
    /// batch come after those that asked for it.
    pub fn end(mut self, absorption_time: Option<u64>) {
        if self.is_undecided {
            self.turns.state().missing.enter(self.id, absorption_time);
        }
        self.has_ended = true;
    }
}

impl Drop for Turn<'_, '_> {
    /// Also where the trial was interrupted, or has panicked: nobody must wait for it.
    fn drop(&mut self) {
        if self.is_undecided || !self.has_ended {
            let mut state = self.turns.state();
            state.undecided -= usize::from(self.is_undecided);
            state.is_over |= !self.has_ended;
            drop(state);
            self.turns.changed.notify_all();
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

    /// The last trial of a first batch of 30 is under way while another thread asks for its turn;
    /// returns how many turns that one has had.
    fn waits_for(last: impl FnOnce(Turn)) -> usize {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.01\n\
                    trials = { min = 30, max = 50, precision = 0.1 }\ncutoff = 10\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let lengths = Lengths::unknown(&plan);
        // Enough where the last trial of the batch took no time.
        let ledger = Ledger::new(&plan, None, |seen, _| seen.time == 29 * 3);
        let turns = Turns::new(Missing::new(&plan, ledger, &lengths, false));
        (0..29).for_each(|_| turns.next().expect("30 trials").end(Some(3)));
        let turn = turns.next().expect("30 trials");
        thread::scope(|scope| {
            let others = scope.spawn(|| {
                let mut count = 0;
                while let Some(turn) = turns.next() {
                    turn.end(Some(3));
                    count += 1;
                }
                count
            });
            last(turn);
            others.join().expect("no panic there")
        })
    }

    #[test]
    fn who_waits_gets_what_the_end_of_another_trial_asks_for() {
        assert_eq!(waits_for(|turn| turn.end(Some(3))), 20);
    }

    #[test]
    fn nobody_waits_for_what_is_not_asked_for_or_has_been_interrupted() {
        assert_eq!(waits_for(|turn| turn.end(Some(0))), 0);
        assert_eq!(waits_for(|turn| drop(turn)), 0);
    }
}
