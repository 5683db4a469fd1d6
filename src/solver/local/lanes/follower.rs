//! A trial in lanes that is followed: its updates one by one, at their times, and a plain
//! configuration that is kept by them.

use crate::solver::Outcome;
use crate::solver::local::configuration::{Configuration, Move};
use crate::solver::local::observables::Observables;
use crate::solver::local::recorder::Recorder;
use crate::solver::local::rule::{LocalRule, Site};
use crate::solver::local::sites::{Dependency, Sites as _};

/// Reports a trial in lanes to a [`Recorder`], as the other dynamics do it themselves.
///
/// It knows of each update the site and the queen's move alone. What follows from them is found
/// here on a [`Configuration`], apart from the masks.
pub struct Follower<'a, R> {
    rule: R,
    x: Configuration,
    observables: Observables,
    recorder: &'a mut dyn Recorder,
}

impl<'a, R: LocalRule> Follower<'a, R> {
    /// Of a trial of a rule that starts in this configuration.
    pub fn new(rule: R, start: Configuration, recorder: &'a mut dyn Recorder) -> Self {
        recorder.started(&start);
        Self {
            rule,
            observables: Observables::at_start(&start),
            x: start,
            recorder,
        }
    }

    /// The site of this number among the rule's was updated, and a queen moved, in the update of
    /// this number, counted from 1. Every update that may have changed something is told, in order.
    pub fn updated(&mut self, update: u64, number: u64, moved: Option<Move>) {
        self.recorder
            .stood_until(update - 1, &self.x, &self.observables);
        let site = self.rule.sites().site(number);
        if R::Sites::SIGNALS_FIRST {
            self.write_signals(site);
        }
        if let Some(queen) = moved {
            self.x.move_queen(queen);
        }
        if !R::Sites::SIGNALS_FIRST {
            self.write_signals(site);
        }
        if let Some(queen) = moved {
            let kinds = self.observables.queen_moved(queen, &self.x, update);
            self.recorder.moved(update, queen, kinds, &self.x);
        }
        let cells = self.rule.sites().signal_cells(site);
        self.recorder.updated(update, cells.as_ref(), &self.x);
        if self.observables.in_solution() {
            for cell in cells {
                self.observables.signals_changed(cell, &self.x);
            }
        }
    }

    /// The trial has ended.
    ///
    /// # Panics
    /// If what was seen does not lead to this end.
    pub fn ended(&mut self, outcome: &Outcome, cutoff: u64) {
        let until = self.observables.stands_until(cutoff);
        self.recorder.stood_until(until, &self.x, &self.observables);
        let updates = outcome.updates.unwrap_or(cutoff);
        let found = self.observables.outcome(&self.x, updates);
        assert_eq!(found, *outcome, "a trial in lanes was not followed rightly");
    }

    /// Writes the signals of all dependencies of a site.
    fn write_signals(&mut self, site: Site<R>) {
        for Dependency { cell, direction } in self.rule.sites().dependencies(site) {
            let neighbour = self.x.board().neighbour(cell, direction);
            let shown = self.x[neighbour].shows();
            let signals = self.x[cell].signals.taking(direction, shown);
            self.x.set_signals(cell, signals);
        }
    }
}
