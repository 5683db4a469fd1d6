//! A trial in lanes that is followed: its updates one by one, and a plain configuration that is
//! kept by them.

use super::kernel::{Kernel, Loop};
use super::team::STEPS_PER_POLL;
use super::trial::Batch;
use crate::local::configuration::{Configuration, Move};
use crate::local::observe::Observables;
use crate::local::sites::LocalRule;
use crate::{Control, Course, Outcome};

/// Observes a trial in lanes as the other dynamics do it themselves, for what is recorded of it.
///
/// It is given of each update the site and the queen's move alone. What follows from them is found
/// here on a [`Configuration`], apart from the masks.
pub struct Follower<'a, R> {
    rule: R,
    x: Configuration,
    observables: Observables<'a>,
}

impl<'a, R: LocalRule> Follower<'a, R> {
    /// A follower of a trial of a rule that starts in this configuration.
    pub fn new(rule: R, start: Configuration, control: &Control<'a>) -> Self {
        Self {
            rule,
            observables: Observables::at_start(&start, control),
            x: start,
        }
    }

    /// Runs the trial in the first lane for some steps, or to its end.
    pub fn follow<K: Kernel<W>, const W: usize>(
        &mut self,
        kernel: &K,
        steps: &Loop<K, W>,
        batches: &mut [Batch<K, W>],
    ) {
        for _ in 0..STEPS_PER_POLL {
            let moves = batches[0].counters[0].moves;
            steps.run(kernel, batches, 1);
            let batch = &batches[0];
            let moved = batch.moved[0].filter(|_| batch.counters[0].moves > moves);
            let of_move = || moved.map(|moved| kernel.site_of(moved));
            if let Some(site) = kernel.drawn_site(&batch.scratch, 0).or_else(of_move) {
                let moved = moved.map(|moved| kernel.layout().on_cells(moved));
                self.updated(batch.drawn.clocks.time(0), site, moved);
            }
            if batch.ended & 1 == 1 {
                return;
            }
        }
    }

    /// The site of this number among the rule's was updated, and a queen moved, in the update of
    /// this number, counted from 1. Called in order for every update that may have changed
    /// something.
    fn updated(&mut self, update: u64, number: u64, moved: Option<Move>) {
        self.observables.stood_until(update - 1, &self.x);
        let site = self.rule.site(number);
        if R::SIGNALS_FIRST {
            self.write_signals(site);
        }
        if let Some(Move { from, to, .. }) = moved {
            self.x.move_queen(from, to);
        }
        if !R::SIGNALS_FIRST {
            self.write_signals(site);
        }
        let cells = || self.rule.signal_cells(site);
        self.observables.updated(update, moved, cells, &self.x);
    }

    /// The trial has ended; its course.
    ///
    /// # Panics
    /// If what was seen does not lead to this end.
    pub fn ended(self, outcome: &Outcome, cutoff: u64) -> Course {
        let updates = outcome.updates.unwrap_or(cutoff);
        let (found, course) = self.observables.end(&self.x, updates, cutoff);
        assert_eq!(found, *outcome, "a trial in lanes was not followed rightly");
        course
    }

    /// Writes the signals of all dependencies of a site.
    fn write_signals(&mut self, site: R::Site) {
        for (cell, direction) in self.rule.dependencies(site) {
            let neighbour = self.x.board().neighbour(cell, direction);
            let shown = self.x[neighbour].shows();
            let signals = self.x[cell].signals.taking(direction, shown);
            self.x.set_signals(cell, signals);
        }
    }
}
