//! A trial in lanes that is followed: its updates one by one, at their times, and a plain
//! configuration that is kept by them. And one that is cut off before its next checkpoint.
//!
//! Both need single waits after a checkpoint. Given the sum of their waits, those of the draws with
//! one number of open sites are a uniform composition of it. They come from a stream of the
//! checkpoint's own, so that neither a follower nor the cutoff has an effect on anything else.

use std::vec::IntoIter;

use super::kernel::{Kernel, Loop, Phase};
use super::team::Team;
use super::trial::{Batch, Trial, wait_alone};
use super::waits::composition;
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

    /// The site of this number among the rule's was updated, and a queen moved, in the update of
    /// this number, counted from 1. Called in order for every update that may have changed
    /// something.
    pub fn updated(&mut self, update: u64, number: u64, moved: Option<Move>) {
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

/// The draws with one number of open sites since the last checkpoint.
pub struct DrawCount {
    pub open: usize,
    pub number: u32,
    /// Updates that changed nothing before them.
    pub failures: u64,
}

/// A draw of a trial that is followed.
pub struct LoggedDraw {
    /// Number of open sites.
    open: usize,
    /// Updates up to the draw, itself included, where no site was open.
    wait: u64,
    /// The site that was updated, and the queen's move; none where the draw has come to nothing.
    updated: Option<(u64, Option<Move>)>,
}

/// Steps of the first lane of the first batch, each draw written down, until it has stopped or
/// there have been so many; returns their number.
pub fn write_down<K: Kernel<W>, const W: usize>(
    kernel: &K,
    alone: &Loop<K, W>,
    batches: &mut [Batch<K, W>],
    most: u64,
    log: &mut Vec<LoggedDraw>,
) -> u64 {
    let layout = kernel.layout();
    for step in 1..=most {
        let before = (
            batches[0].tallies[0].counters.moves,
            batches[0].tallies[0].waited,
        );
        alone.run(kernel, batches, 1, Phase::Both);
        let (batch, tally) = (&batches[0], &batches[0].tallies[0]);
        if batch.is_draw(0) && !tally.is_still {
            let moved = tally.moved.filter(|_| tally.counters.moves > before.0);
            let site = kernel
                .drawn_site(&batch.scratch, 0)
                .or_else(|| moved.map(|moved| kernel.site_of(moved)));
            let queen = moved.map(|moved| Move {
                from: layout.cell(moved.from),
                to: layout.cell(moved.to),
                side: moved.side,
                is_safe: moved.is_safe,
                is_certain: moved.is_certain,
            });
            log.push(LoggedDraw {
                open: batch.drawn.open[0] as usize,
                wait: tally.waited - before.1,
                updated: site.map(|site| (site, queen)),
            });
        }
        if batch.stopped & 1 == 1 {
            return step;
        }
    }
    most
}

impl<K: Kernel<W>, const W: usize> Team<'_, K, W> {
    /// Goes forward once more with the draws that there have been since the last checkpoint of a
    /// trial, until after so many updates. Returns the trial as it is then.
    #[cold]
    pub fn once_more(&self, trial: &Trial<W>, draws: &[DrawCount], until: u64) -> Trial<W> {
        let mut waits = self.single_waits(trial, draws);
        let mut again = [Batch::idle(&self.kernel, &trial.tally)];
        again[0].load(0, trial);
        let mut left = until - trial.time;
        while left > 0 {
            self.alone.run(&self.kernel, &mut again, 1, Phase::Choice);
            if again[0].is_draw(0) {
                let wait = self.wait(&again[0], &mut waits);
                if wait > left || wait == u64::MAX {
                    break;
                }
                left -= wait;
            }
            self.alone.run(&self.kernel, &mut again, 1, Phase::Update);
        }
        Trial {
            time: until,
            board: again[0].boards.take(0),
            tally: again[0].tallies[0].clone(),
            ..*trial
        }
    }

    /// The updates of a trial since its last checkpoint that may have changed something, up to so
    /// many updates: when, at which site, and the queen's move.
    pub fn timed(
        &self,
        trial: &Trial<W>,
        draws: &[DrawCount],
        until: u64,
    ) -> Vec<(u64, u64, Option<Move>)> {
        let (mut waits, mut time) = (self.single_waits(trial, draws), trial.time);
        let mut updates = Vec::new();
        for entry in &self.log {
            let wait = match entry.open {
                0 => entry.wait,
                open => next(&mut waits[open]),
            };
            if wait > until - time || wait == u64::MAX {
                break;
            }
            time += wait;
            updates.extend(entry.updated.map(|(site, moved)| (time, site, moved)));
        }
        updates
    }

    /// The numbers of updates that changed nothing before each draw, for each number of open sites.
    fn single_waits(&self, trial: &Trial<W>, draws: &[DrawCount]) -> Vec<IntoIter<u64>> {
        let mut singles = trial.singles(&self.point);
        let n_sites = self.kernel.slots().n_sites() as usize;
        let mut waits: Vec<IntoIter<u64>> = Vec::new();
        waits.resize_with(n_sites + 1, || Vec::new().into_iter());
        for draws in draws {
            let parts = composition(draws.failures, draws.number, &mut singles);
            waits[draws.open] = parts.into_iter();
        }
        waits
    }

    /// Updates up to the draw that the lane has chosen, itself included.
    fn wait(&self, batch: &Batch<K, W>, waits: &mut [IntoIter<u64>]) -> u64 {
        let open = batch.drawn.open[0] as usize;
        if open > 0 {
            return next(&mut waits[open]);
        }
        // Drawn once more when the site is updated.
        let mut stream = batch.tallies[0].waits.clone();
        let (rest, slots) = (
            self.kernel.closed_sites(&batch.boards, 0),
            self.kernel.slots(),
        );
        wait_alone(rest.weight(slots), slots, &mut stream)
    }
}

/// The next wait, the draw itself included; for ever where there is none.
fn next(waits: &mut IntoIter<u64>) -> u64 {
    waits.next().unwrap_or(u64::MAX).saturating_add(1)
}
