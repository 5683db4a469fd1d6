//! The plain dynamics: one update at a time, the changes to nothing included. The reference for
//! every faster one.

use super::configuration::Configuration;
use super::observe::Observables;
use super::sites::LocalRule;
use crate::process::{Next, Process};
use crate::rng::{RandomSource as _, TrialStream};
use crate::{Control, Course, Outcome};

/// A trial of a rule, update by update.
pub struct Stepwise<'a, R> {
    rule: &'a R,
    x: Configuration,
    observables: Observables<'a>,
}

impl<'a, R> Stepwise<'a, R> {
    /// A trial from `start`, with what the control asks to record.
    pub fn begin(rule: &'a R, start: Configuration, control: &Control<'a>) -> Self {
        Self {
            rule,
            observables: Observables::at_start(&start, control),
            x: start,
        }
    }
}

impl<R: LocalRule> Process for Stepwise<'_, R> {
    /// The updates up to the next poll or the next moment at which the state is observed: one
    /// function, so that its loop has the registers.
    #[inline(never)]
    fn next(&mut self, time: u64, cutoff: u64, random: &mut TrialStream) -> Next {
        let Self {
            rule,
            x,
            observables,
        } = self;
        observables.stood_until(time, x);
        let poll = time.saturating_add(Control::POLL_INTERVAL);
        let end = cutoff.min(poll).min(observables.next_moment());
        let mut time = time;
        while time < end {
            let site = rule.site(random.below(rule.n_sites()));
            let moved = rule.update(x, site, random);
            time += 1;
            if observables.updated(time, moved, || rule.signal_cells(site), x) {
                return Next::Absorption(time);
            }
        }
        Next::Update(time)
    }

    fn steps_per_poll(&self) -> u64 {
        1
    }

    #[inline(always)]
    fn is_absorbed(&self) -> bool {
        self.observables.is_absorbed()
    }

    fn end(self, time: u64, cutoff: u64) -> (Outcome, Course) {
        self.observables.end(&self.x, time, cutoff)
    }
}
