//! Which trials of a plan are finished: a bit for each of their runs, so that the rows themselves
//! need not stay in memory.

use std::sync::Arc;

use super::batches::{Batches, StoppingRule, Tally};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::shard::{Shard, ShardTrials};
use crate::experiment::store::{PointKey, Record, Row};

/// A trial of a plan, and which of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialId {
    /// Index in the plan's points.
    pub point: usize,
    pub seed: u64,
    pub trial: u32,
    /// Below the number of repeats of the point.
    pub repeat: u32,
}

/// The finished trials of a plan.
#[derive(Debug, Clone)]
pub struct Ledger<'a> {
    plan: &'a Plan,
    /// Of each point, in the plan's order, which is that of the tables.
    keys: Vec<Arc<PointKey>>,
    /// Of each point and seed, a bit per run of a trial, as far as the last finished one.
    strands: Vec<Vec<u64>>,
    work: Vec<Work>,
    rule: StoppingRule,
    shard: Option<Shard>,
    all: RunCount,
}

/// The runs of a point's trials, under all seeds.
#[derive(Debug, Clone)]
enum Work {
    Fixed { finished: u64, expected: u64 },
    Sequential(Batches),
}

/// Runs of trials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct RunCount {
    finished: u64,
    /// To be finished in all, as far as is known.
    expected: u64,
    /// Points that may need more.
    growing: u64,
}

impl<'a> Ledger<'a> {
    /// The ledger of a plan, or of a shard of it, of which nothing is finished; `rule` decides when
    /// a sequential point has enough trials.
    pub fn new(plan: &'a Plan, shard: Option<Shard>, rule: StoppingRule) -> Self {
        let keys = plan
            .points
            .iter()
            .map(|planned| Arc::new(PointKey::of(&planned.point)))
            .collect();
        let strands = vec![Vec::new(); plan.points.len() * plan.seeds.len()];
        let work = plan
            .points
            .iter()
            .map(|planned| Work::of(planned, plan.seeds.len()))
            .collect();
        let mut ledger = Self {
            plan,
            keys,
            strands,
            work,
            rule,
            shard,
            all: RunCount::default(),
        };
        if let Some(shard) = shard {
            (0..plan.points.len()).for_each(|point| ledger.leave_to_others(shard, point));
        }
        for count in ledger.work.iter().map(Work::count) {
            ledger.all.expected += count.expected;
            ledger.all.growing += count.growing;
        }
        ledger
    }

    /// Marks the point's trials of other shards, for which there is nothing to do here, as if they
    /// were finished, and counts them nowhere.
    fn leave_to_others(&mut self, shard: Shard, point: usize) {
        let planned = &self.plan.points[point];
        for &seed in &self.plan.seeds {
            let own = ShardTrials::of(shard, planned, seed);
            if let Work::Sequential(batches) = &mut self.work[point] {
                // The whole point or nothing of it, under each seed.
                if !own.contains(0) {
                    batches.leave_to_others();
                }
                return;
            }
            for trial in (0..planned.trials).filter(|&trial| !own.contains(trial)) {
                for repeat in 0..planned.runs_per_trial() {
                    let is_new = self.mark(TrialId {
                        point,
                        seed,
                        trial,
                        repeat,
                    });
                    if let Work::Fixed { expected, .. } = &mut self.work[point] {
                        *expected -= u64::from(is_new);
                    }
                }
            }
        }
    }

    /// The trial whose row this is; `None` where the plan has no such trial, another cutoff or
    /// another course for it, or another shard has it. A sequential point may not need it in the
    /// end.
    pub fn trial(&self, record: &Record) -> Option<TrialId> {
        let point = self
            .keys
            .binary_search_by(|key| key.order(&record.point))
            .ok()?;
        let planned = &self.plan.points[point];
        let Row {
            seed,
            trial,
            cutoff,
            ..
        } = record.row;
        let repeat = record.repeat;
        let is_planned = self.plan.seeds.binary_search(&seed).is_ok()
            && trial < planned.trials
            && repeat < planned.runs_per_trial();
        let is_ours = || {
            self.shard
                .is_none_or(|shard| ShardTrials::of(shard, planned, seed).contains(trial))
        };
        let is_row = is_planned && cutoff == planned.cutoff;
        (is_row && is_ours() && planned.has_course(record)).then_some(TrialId {
            point,
            seed,
            trial,
            repeat,
        })
    }

    /// Enters a finished trial, whose absorption time is missing where it was censored or has none;
    /// false if it was entered before.
    pub fn enter(&mut self, id: TrialId, absorption_time: Option<u64>) -> bool {
        let is_new = self.mark(id);
        if is_new {
            let work = &mut self.work[id.point];
            let before = work.count();
            match work {
                Work::Fixed { finished, .. } => *finished += 1,
                Work::Sequential(batches) => {
                    batches.enter(
                        id.trial,
                        &Tally::of(absorption_time, self.plan.points[id.point].cutoff),
                        self.rule,
                    );
                }
            }
            let after = work.count();
            self.all.finished += after.finished - before.finished;
            self.all.expected += after.expected - before.expected;
            self.all.growing -= before.growing - after.growing;
        }
        is_new
    }

    pub fn is_finished(&self, id: TrialId) -> bool {
        let (word, bit) = self.place(id);
        self.strands[self.strand(id)]
            .get(word)
            .is_some_and(|word| word & bit != 0)
    }

    /// All finished runs of trials.
    pub fn total(&self) -> u64 {
        self.all.finished
    }

    /// All runs of trials that are to be finished; where the ledger [may grow](Self::may_grow), as
    /// far as is known.
    pub fn expected(&self) -> u64 {
        self.all.expected
    }

    /// Whether more trials may become necessary when others have ended.
    pub fn may_grow(&self) -> bool {
        self.all.growing > 0
    }

    /// Finished trials that sequential points do not need, as yet or at all.
    pub fn surplus(&self) -> u64 {
        self.batches().map(|(_, batches)| batches.surplus()).sum()
    }

    /// The sequential points that have all their trials and not their precision, and that
    /// precision.
    pub fn imprecise(&self) -> Vec<(usize, f64)> {
        let is_imprecise = |(point, batches): &(usize, &Batches)| {
            self.is_complete(*point) && batches.expected() > 0 && !batches.is_precise(self.rule)
        };
        self.batches()
            .filter(is_imprecise)
            .map(|(point, batches)| (point, batches.precision()))
            .collect()
    }

    /// Whether no trial of a point is missing.
    pub fn is_complete(&self, point: usize) -> bool {
        let count = self.work[point].count();
        count.finished == count.expected
    }

    /// Whether the rows of a point decide how many trials it has.
    pub fn is_sequential(&self, point: usize) -> bool {
        matches!(self.work[point], Work::Sequential(_))
    }

    /// Trials under each seed that a point needs, as far as is known.
    pub fn limit(&self, point: usize) -> u32 {
        match &self.work[point] {
            Work::Fixed { .. } => self.plan.points[point].trials,
            Work::Sequential(batches) => batches.limit(),
        }
    }

    /// The key of a point of the plan.
    pub fn key(&self, point: usize) -> Arc<PointKey> {
        Arc::clone(&self.keys[point])
    }

    /// Sets a trial's bit; false if it was set.
    fn mark(&mut self, id: TrialId) -> bool {
        let (strand, (word, bit)) = (self.strand(id), self.place(id));
        let bits = &mut self.strands[strand];
        if bits.len() <= word {
            bits.resize(word + 1, 0);
        }
        let is_new = bits[word] & bit == 0;
        bits[word] |= bit;
        is_new
    }

    /// Word of its strand and bit in it.
    fn place(&self, id: TrialId) -> (usize, u64) {
        let run = u64::from(id.trial) * u64::from(self.plan.points[id.point].runs_per_trial())
            + u64::from(id.repeat);
        (
            usize::try_from(run / 64).expect("a bit that fits into memory"),
            1 << (run % 64),
        )
    }

    fn strand(&self, id: TrialId) -> usize {
        let seed = self
            .plan
            .seeds
            .binary_search(&id.seed)
            .expect("a trial of the plan has one of its seeds");
        id.point * self.plan.seeds.len() + seed
    }

    fn batches(&self) -> impl Iterator<Item = (usize, &Batches)> {
        self.work
            .iter()
            .enumerate()
            .filter_map(|(point, work)| match work {
                Work::Sequential(batches) => Some((point, batches)),
                Work::Fixed { .. } => None,
            })
    }
}

impl Work {
    fn of(planned: &PlannedPoint, seeds: usize) -> Self {
        match planned.sequential {
            None => Self::Fixed {
                finished: 0,
                expected: planned.runs() * seeds as u64,
            },
            Some(sequential) => Self::Sequential(Batches::new(sequential, planned.trials, seeds)),
        }
    }

    fn count(&self) -> RunCount {
        match self {
            &Self::Fixed { finished, expected } => RunCount {
                finished,
                expected,
                growing: 0,
            },
            Self::Sequential(batches) => RunCount {
                finished: batches.finished(),
                expected: batches.expected(),
                growing: batches.may_grow().into(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;
    use crate::solver::course::Course;
    use crate::solver::{Ending, Outcome};

    /// Two trials under seed 1, cutoff 9.
    #[test]
    fn a_row_just_outside_the_plan_is_no_trial_of_it() {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.1\ntrials = 2\ncutoff = 9\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let ledger = Ledger::new(&plan, None, |_, _| true);
        let is_planned = |seed, trial, cutoff, repeat, ending| {
            let row = Row {
                seed,
                trial,
                cutoff,
                outcome: Outcome::ended(ending),
            };
            let record = Record {
                point: ledger.key(0),
                row,
                repeat,
                seconds: 0.0,
                course: Course::default(),
            };
            ledger.trial(&record).is_some()
        };
        assert!(is_planned(1, 0, 9, 0, Ending::Absorbed));
        assert!(is_planned(1, 1, 9, 0, Ending::Censored));
        assert!(!is_planned(1, 2, 9, 0, Ending::Absorbed), "a third trial");
        assert!(!is_planned(2, 1, 9, 0, Ending::Absorbed), "another seed");
        assert!(!is_planned(1, 1, 10, 0, Ending::Absorbed), "another cutoff");
        assert!(!is_planned(1, 1, 9, 1, Ending::Absorbed), "a second run");
    }
}
