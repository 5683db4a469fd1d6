//! The missing trials, handed out to the threads. A thread that finds none waits while a trial is running whose end may ask for more.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::schedule::{Missing, TrialId};

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
        Self { state: Mutex::new(State { missing, undecided: 0, is_over: false }), changed: Condvar::new() }
    }

    /// The next trial; `None` when there is none, and none will be asked for.
    pub fn next(&self) -> Option<Turn<'_, 'a>> {
        let mut state = self.state();
        while !state.is_over {
            if let Some(id) = state.missing.next() {
                let is_undecided = state.missing.is_sequential(id.point);
                state.undecided += usize::from(is_undecided);
                return Some(Turn { turns: self, id, is_undecided, has_ended: false });
            }
            if state.undecided == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_, '_> {
    /// The trial has ended. To be called after its row was handed on, so that rows of a further batch come after those that asked for it.
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
