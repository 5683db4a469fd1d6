//! Who follows a trial in lanes: it sees the updates one by one, at their times, and keeps a plain
//! configuration of its own by them.

use crate::solver::local::configuration::{Configuration, Move};
use crate::solver::local::geometry::{Dependency, Geometry};
use crate::solver::local::observables::Observables;
use crate::solver::local::recorder::Recorder;
use crate::solver::local::rule::LocalRule;
use crate::solver::{Outcome, TrialSource};

/// Where trials side by side come from, and more for a source of one trial.
pub struct Trials<'a> {
    /// The trials.
    pub source: &'a mut dyn TrialSource,
    /// Where the first begins, in place of its own random start.
    pub start: Option<Configuration>,
    /// Sees the trials of a source that gives them one after the other, by
    /// [`Instructions::OneLane`](super::vector::Instructions::OneLane).
    pub follower: Option<&'a mut dyn Follower>,
}

impl<'a> Trials<'a> {
    /// Those of a source, from their own starts.
    pub fn of(source: &'a mut dyn TrialSource) -> Self {
        Self {
            source,
            start: None,
            follower: None,
        }
    }
}

/// Sees the updates of a trial that may have changed something.
pub trait Follower {
    /// The site of this number in the rule's geometry was updated, and a queen moved, in the update
    /// of this number, counted from 1. The updates are in order.
    fn updated(&mut self, update: u64, site: u64, moved: Option<Move>);
}

/// Reports a trial in lanes to a `Recorder`, as the other dynamics do it themselves.
///
/// It knows of each update the site and the queen's move alone. What follows from them is found
/// here on a [`Configuration`], apart from the masks.
pub struct Followed<'a, R, C> {
    rule: &'a R,
    x: Configuration,
    observables: Observables,
    recorder: &'a mut C,
}

impl<'a, R: LocalRule, C: Recorder> Followed<'a, R, C> {
    /// A trial of a rule that starts in this configuration.
    pub fn new(rule: &'a R, start: Configuration, recorder: &'a mut C) -> Self {
        Self {
            rule,
            observables: Observables::at_start(&start),
            x: start,
            recorder,
        }
    }

    /// Reports the end of the trial.
    ///
    /// # Panics
    /// If what was seen does not lead to this end.
    pub fn end(self, outcome: &Outcome, cutoff: u64) {
        let until = self.observables.stands_until(cutoff);
        self.recorder.stood_until(until, &self.x, &self.observables);
        let found = self
            .observables
            .outcome(&self.x, outcome.updates.unwrap_or(cutoff));
        assert_eq!(found, *outcome, "a trial in lanes was not followed rightly");
    }

    /// Writes the signals of all dependencies of a site.
    fn write_signals(&mut self, site: <R::Geometry as Geometry>::Site) {
        for Dependency { cell, direction } in self.rule.geometry().dependencies(site) {
            let neighbour = self.x.board().neighbour(cell, direction);
            let shown = self.x[neighbour].shows();
            let signals = self.x[cell].signals.taking(direction, shown);
            self.x.set_signals(cell, signals);
        }
    }
}

impl<R: LocalRule, C: Recorder> Follower for Followed<'_, R, C> {
    fn updated(&mut self, update: u64, number: u64, moved: Option<Move>) {
        self.recorder
            .stood_until(update - 1, &self.x, &self.observables);
        let sites = self.rule.geometry();
        let site = sites.site(number);
        if R::SIGNALS_FIRST {
            self.write_signals(site);
        }
        if let Some(queen) = moved {
            self.x.move_queen(queen);
        }
        if !R::SIGNALS_FIRST {
            self.write_signals(site);
        }
        if let Some(queen) = moved {
            let kinds = self.observables.queen_moved(queen, &self.x, update);
            self.recorder.moved(update, queen, kinds, &self.x);
        }
        self.recorder.updated(update, sites, number, &self.x);
        if self.observables.in_solution() {
            for cell in sites.signal_cells(site) {
                self.observables.signals_changed(cell, &self.x);
            }
        }
    }
}
