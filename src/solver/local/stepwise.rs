//! The plain dynamics: one update at a time, the changes to nothing included. The reference for
//! every faster one.

use super::configuration::Configuration;
use super::observe::Observables;
use super::sites::LocalRule;
use crate::process::Process;
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
    #[inline(always)]
    fn next(&mut self, time: u64, _: u64, random: &mut TrialStream) -> Option<u64> {
        let Self {
            rule,
            x,
            observables,
        } = self;
        observables.stood_until(time, x);
        let site = rule.site(random.below(rule.n_sites()));
        let moved = rule.update(x, site, random);
        observables.updated(time + 1, moved, || rule.signal_cells(site), x);
        Some(time + 1)
    }

    #[inline(always)]
    fn is_absorbed(&self) -> bool {
        self.observables.is_absorbed()
    }

    fn end(self, time: u64, cutoff: u64) -> (Outcome, Course) {
        self.observables.end(&self.x, time, cutoff)
    }
}
