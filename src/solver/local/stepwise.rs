//! The plain dynamics: one update at a time, the changes to nothing included. The reference for
//! every faster one.

use super::configuration::Configuration;
use super::observe::{Observables, Recorder};
use super::sites::{LocalRule, Site, Sites as _};
use crate::solver::rng::RandomSource;
use crate::solver::{Control, Interrupted, Outcome};

/// Simulates one trial from `start` until it is absorbed or has had `cutoff` updates.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop.
pub fn run<R: LocalRule>(
    rule: &R,
    start: Configuration,
    cutoff: u64,
    mut random: impl RandomSource,
    recorder: &mut (impl Recorder + ?Sized),
    control: &Control,
) -> Result<Outcome, Interrupted> {
    recorder.started(&start);
    let mut trial = StepwiseTrial {
        rule,
        observables: Observables::at_start(&start),
        configuration: start,
        time: 0,
    };
    while trial.time < cutoff && !trial.observables.is_absorbed() {
        let before = trial.time;
        trial.advance(
            cutoff.min(before.saturating_add(Control::POLL_INTERVAL)),
            &mut random,
            recorder,
        );
        control.note(|| trial.observables.outcome(&trial.configuration, trial.time));
        control.poll(trial.time - before)?;
    }
    let until = trial.observables.stands_until(cutoff);
    recorder.stood_until(until, &trial.configuration, &trial.observables);
    Ok(trial.observables.outcome(&trial.configuration, trial.time))
}

/// A trial under way.
struct StepwiseTrial<'a, R> {
    rule: &'a R,
    configuration: Configuration,
    observables: Observables,
    /// Updates so far.
    time: u64,
}

impl<R: LocalRule> StepwiseTrial<'_, R> {
    /// Goes on until `end`, or to the absorption if that comes first. Apart from what is done once
    /// in a while, so that the loop has the registers.
    #[inline(never)]
    fn advance(
        &mut self,
        end: u64,
        random: &mut impl RandomSource,
        recorder: &mut (impl Recorder + ?Sized),
    ) {
        let sees_updates = recorder.sees_updates();
        while self.time < end {
            recorder.stood_until(self.time, &self.configuration, &self.observables);
            let sites = self.rule.sites();
            let site = sites.site(random.below(sites.n_sites()));
            let moved = self.rule.update(&mut self.configuration, site, random);
            self.time += 1;
            if let Some(queen) = moved {
                let kinds = self
                    .observables
                    .queen_moved(queen, &self.configuration, self.time);
                recorder.moved(self.time, queen, kinds, &self.configuration);
            }
            if sees_updates {
                let cells = sites.signal_cells(site);
                recorder.updated(self.time, cells.as_ref(), &self.configuration);
            }
            if self.observables.in_solution() && self.absorbed_after(site) {
                break;
            }
        }
    }

    #[cold]
    fn absorbed_after(&mut self, site: Site<R>) -> bool {
        for cell in self.rule.sites().signal_cells(site) {
            self.observables.signals_changed(cell, &self.configuration);
        }
        self.observables.is_absorbed()
    }
}
