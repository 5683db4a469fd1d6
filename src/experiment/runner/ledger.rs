//! Which trials of a plan are finished: a bit for each of their runs, so that the rows themselves need not stay in memory.

use std::sync::Arc;

use super::schedule::TrialId;
use crate::experiment::plan::Plan;
use crate::experiment::shard::{Shard, Share};
use crate::experiment::store::{PointKey, Record, Row};
use crate::solver::Ending;

/// The finished trials of a plan.
#[derive(Debug, Clone)]
pub struct Ledger<'a> {
    plan: &'a Plan,
    /// Of each point, in the plan's order, which is that of the tables.
    keys: Vec<Arc<PointKey>>,
    /// Of each point and seed, a bit per run of a trial, as far as the last finished one.
    strands: Vec<Vec<u64>>,
    /// Finished runs of each point's trials, under all seeds.
    finished: Vec<u64>,
    /// Runs of each point's trials that there are to finish.
    expected: Vec<u64>,
    shard: Option<Shard>,
}

impl<'a> Ledger<'a> {
    /// The ledger of a plan, or of a share of it, of which nothing is finished.
    pub fn new(plan: &'a Plan, shard: Option<Shard>) -> Self {
        let keys = plan.points.iter().map(|planned| Arc::new(PointKey::of(&planned.point))).collect();
        let strands = vec![Vec::new(); plan.points.len() * plan.seeds.len()];
        let expected = plan.points.iter().map(|planned| planned.runs() * plan.seeds.len() as u64).collect();
        let mut ledger = Self { plan, keys, strands, finished: vec![0; plan.points.len()], expected, shard };
        if let Some(shard) = shard {
            ledger.leave_to_others(shard);
        }
        ledger
    }

    /// Enters the trials of other shares, for which there is nothing to do here, as if they were finished, and counts them nowhere.
    fn leave_to_others(&mut self, shard: Shard) {
        for (point, planned) in self.plan.points.iter().enumerate() {
            for &seed in &self.plan.seeds {
                let share = Share::new(shard, &planned.point, seed);
                for trial in (0..planned.trials).filter(|&trial| !share.holds(trial)) {
                    for repeat in 0..planned.timing.runs() {
                        self.enter(TrialId { point, seed, trial, repeat });
                    }
                }
            }
        }
        for (expected, others) in self.expected.iter_mut().zip(&mut self.finished) {
            *expected -= std::mem::take(others);
        }
    }

    /// The trial whose row this is; `None` where the plan has no such trial, another cutoff or no time limit for it, or another share has it.
    pub fn trial(&self, record: &Record) -> Option<TrialId> {
        let point = self.keys.binary_search_by(|key| key.order(&record.point)).ok()?;
        let planned = &self.plan.points[point];
        let Row { seed, trial, cutoff, ending, .. } = record.row;
        let repeat = record.repeat;
        let is_planned = self.plan.seeds.binary_search(&seed).is_ok() && trial < planned.trials && repeat < planned.timing.runs();
        let is_ours = || self.shard.is_none_or(|shard| Share::new(shard, &planned.point, seed).holds(trial));
        let may_end_so = ending != Ending::TimedOut || planned.timing.time_limit.is_some();
        (is_planned && cutoff == planned.cutoff && may_end_so && is_ours()).then_some(TrialId { point, seed, trial, repeat })
    }

    /// Enters a finished trial; false if it was entered before.
    pub fn enter(&mut self, id: TrialId) -> bool {
        let (strand, place) = (self.strand(id), self.place(id));
        let bits = &mut self.strands[strand];
        let (word, bit) = place;
        if bits.len() <= word {
            bits.resize(word + 1, 0);
        }
        let is_new = bits[word] & bit == 0;
        bits[word] |= bit;
        self.finished[id.point] += u64::from(is_new);
        is_new
    }

    pub fn is_finished(&self, id: TrialId) -> bool {
        let (word, bit) = self.place(id);
        self.strands[self.strand(id)].get(word).is_some_and(|word| word & bit != 0)
    }

    /// All finished runs of trials.
    pub fn total(&self) -> u64 {
        self.finished.iter().sum()
    }

    /// All runs of trials that there are to finish.
    pub fn expected(&self) -> u64 {
        self.expected.iter().sum()
    }

    /// Whether no trial of a point is missing.
    pub fn is_complete(&self, point: usize) -> bool {
        self.finished[point] == self.expected[point]
    }

    /// The key of a point of the plan.
    pub fn key(&self, point: usize) -> Arc<PointKey> {
        Arc::clone(&self.keys[point])
    }

    /// Word of its strand and bit in it.
    fn place(&self, id: TrialId) -> (usize, u64) {
        let run = u64::from(id.trial) * u64::from(self.plan.points[id.point].timing.runs()) + u64::from(id.repeat);
        (usize::try_from(run / 64).expect("a bit that fits into memory"), 1 << (run % 64))
    }

    fn strand(&self, id: TrialId) -> usize {
        let seed = self.plan.seeds.binary_search(&id.seed).expect("a trial of the plan has one of its seeds");
        id.point * self.plan.seeds.len() + seed
    }
}
