//! A trial that has no lanes beside it, whose updates are seen one by one: those of which
//! something is recorded.

use super::batch::Batch;
use super::kernel::{InLanes, Kernel};
use crate::bits;
use crate::local::configuration::Configuration;
use crate::local::observe::Observables;
use crate::local::sites::SIGNAL_CELLS_MAX;
use crate::process::{Next, Process};
use crate::rng::TrialStream;
use crate::{Control, Course, Outcome};

/// A trial in one lane, and its configuration, kept by what each step has changed.
pub struct SingleLane<'a, K, const G: usize> {
    rule: &'a InLanes<K, G>,
    batch: Batch<G, 1>,
    x: Configuration,
    /// The signals by direction before the present step.
    signals: [[u64; 1]; 8],
    observables: Observables<'a>,
}

impl<'a, K: Kernel<G>, const G: usize> SingleLane<'a, K, G> {
    /// A trial from `start`, with what the control asks to record.
    pub fn begin(
        rule: &'a InLanes<K, G>,
        start: Configuration,
        cutoff: u64,
        stream: &mut TrialStream,
        control: &Control<'a>,
    ) -> Self {
        let mut batch = Batch::idle(cutoff);
        batch.begin(0, &start, &rule.layout, stream);
        Self {
            signals: batch.boards.signals,
            observables: Observables::at_start(&start, control),
            rule,
            batch,
            x: start,
        }
    }
}

impl<K: Kernel<G>, const G: usize> Process for SingleLane<'_, K, G> {
    fn next(&mut self, _: u64, _: u64, _: &mut TrialStream) -> Next {
        self.batch.step::<K, false>(self.rule);
        if self.batch.has_ended(0) {
            return Next::Beyond;
        }
        let time = self.batch.time(0);
        let now = self.batch.boards.signals;
        let moved = self.batch.moved[0].take();
        let changed = (0..8).fold(0, |any, d| any | now[d][0] ^ self.signals[d][0]);
        if changed == 0 && moved.is_none() {
            return Next::Update(time);
        }
        self.observables.stood_until(time - 1, &self.x);
        if let Some(moved) = moved {
            self.x.move_queen(moved.from, moved.to);
        }
        self.signals = now;
        let mut cells = Vec::with_capacity(SIGNAL_CELLS_MAX);
        for index in bits::ones(changed) {
            let cell = self.rule.layout.cell(index as u32);
            let signals = self.batch.boards.state(0, 1 << index).signals;
            self.x.set_signals(cell, signals);
            cells.push(cell);
        }
        if self.observables.updated(time, moved, || cells, &self.x) {
            Next::Absorption(time)
        } else {
            Next::Update(time)
        }
    }

    fn is_absorbed(&self) -> bool {
        self.observables.is_absorbed()
    }

    fn end(self, time: u64, cutoff: u64) -> (Outcome, Course) {
        self.observables.end(&self.x, time, cutoff)
    }
}
