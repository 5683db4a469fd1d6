//! In which order the missing trials of a plan run.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::experiment::plan::Plan;
use crate::experiment::shard::{Shard, Share};

/// A trial of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialId {
    /// Index in the plan's points.
    pub point: usize,
    pub seed: u64,
    pub trial: u32,
}

/// The missing trials, so mixed that at any moment each point has run the same share of its own. A point of long trials and one of short ones
/// then advance together: what is done foretells what remains, even when trials differ by a factor of 1000 in length.
#[derive(Debug)]
pub struct Missing {
    strands: Vec<Strand>,
    /// (share done, strand), least first.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

/// The missing trials of one point under one seed, the next one last.
#[derive(Debug)]
struct Strand {
    point: usize,
    seed: u64,
    trials: u32,
    next: u32,
    done: BTreeSet<u32>,
    /// The trials that belong to the share that runs; `None`: all.
    share: Option<Share>,
}

impl Missing {
    /// What is missing of a share, or of the whole plan, when `finished(point)` lists the (seed, trial) pairs that are not.
    pub fn new<F: Iterator<Item = (u64, u32)>>(plan: &Plan, shard: Option<Shard>, finished: impl Fn(usize) -> F) -> Self {
        let mut strands = Vec::new();
        for (point, planned) in plan.points.iter().enumerate() {
            for &seed in &plan.seeds {
                let done = finished(point).filter(|&(of, _)| of == seed).map(|(_, trial)| trial).collect();
                let share = shard.map(|shard| Share::new(shard, &planned.point, seed));
                strands.push(Strand { point, seed, trials: planned.trials, next: 0, done, share });
            }
        }
        let queue = (0..strands.len()).filter_map(|index| strands[index].advance().map(|share| Reverse((share, index)))).collect();
        Self { strands, queue }
    }
}

impl Iterator for Missing {
    type Item = TrialId;

    fn next(&mut self) -> Option<TrialId> {
        let Reverse((_, index)) = self.queue.pop()?;
        let strand = &mut self.strands[index];
        let id = TrialId { point: strand.point, seed: strand.seed, trial: strand.next };
        strand.next += 1;
        if let Some(share) = strand.advance() {
            self.queue.push(Reverse((share, index)));
        }
        Some(id)
    }
}

impl Strand {
    /// Whether the next trial belongs to the share that runs.
    fn is_shared(&mut self) -> bool {
        self.share.as_mut().is_none_or(|share| share.holds(self.next))
    }

    /// Goes to the next missing trial and says which share of the strand lies before its middle, in units of 2⁻³²; `None` at the end.
    fn advance(&mut self) -> Option<u64> {
        while self.next < self.trials && (self.done.contains(&self.next) || !self.is_shared()) {
            self.next += 1;
        }
        (self.next < self.trials).then(|| (((2 * u128::from(self.next) + 1) << 32) / (2 * u128::from(self.trials))) as u64)
    }
}
