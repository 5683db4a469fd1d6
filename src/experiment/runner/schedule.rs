//! In which order the missing trials of a plan run.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::ledger::{Ledger, TrialId};
use crate::experiment::plan::{Plan, PlannedPoint};

/// The missing trials, so mixed that at any moment each point has run the same share of its own. A
/// point of long trials and one of short ones then advance together: from what is done the time
/// left can be estimated, even when trials differ by a factor of 1000 in length.
///
/// Among points that have run the same share, the one of the longest trials goes first, by the mean
/// of those that have ended: the last round then begins with the longest trials, and the short ones
/// fill the other cores until these have ended. To run all long trials first would leave no core
/// idle either, but the estimate of the time left would be wrong until the end.
#[derive(Debug)]
pub struct Missing<'a> {
    ledger: Ledger<'a>,
    lengths: &'a Lengths,
    strands: Vec<Strand>,
    /// Least first.
    queue: BinaryHeap<Reverse<Entry>>,
}

/// The share of its strand that lies before a trial's middle, in units of 2⁻³²; then the longest
/// first; then the strand.
type Entry = (u64, Reverse<u64>, usize);

/// The runs of one point's trials under one seed, those of a trial one after the other.
#[derive(Debug)]
struct Strand {
    point: usize,
    seed: u64,
    repeats: u32,
    next: u64,
}

/// How long the trials of each point have taken.
#[derive(Debug)]
pub struct Lengths {
    /// (ended trials, their microseconds)
    points: Vec<(AtomicU64, AtomicU64)>,
}

impl Lengths {
    /// Nothing known of the points of a plan.
    pub fn unknown(plan: &Plan) -> Self {
        Self {
            points: plan
                .points
                .iter()
                .map(|_| (AtomicU64::new(0), AtomicU64::new(0)))
                .collect(),
        }
    }

    /// Counts a trial that took so many seconds.
    pub fn count(&self, point: usize, seconds: f64) {
        let (trials, microseconds) = &self.points[point];
        trials.fetch_add(1, Ordering::Relaxed);
        // NaN, a time that is not known, becomes 0.
        microseconds.fetch_add((seconds * 1e6) as u64, Ordering::Relaxed);
    }

    /// Mean length in microseconds; 0 where nothing has ended.
    fn mean(&self, point: usize) -> u64 {
        let (trials, microseconds) = &self.points[point];
        microseconds.load(Ordering::Relaxed) / trials.load(Ordering::Relaxed).max(1)
    }
}

impl<'a> Missing<'a> {
    /// The trials that `ledger` needs and that are not finished: those that run with nothing beside
    /// them, or the others.
    pub fn new(plan: &Plan, ledger: Ledger<'a>, lengths: &'a Lengths, alone: bool) -> Self {
        let points = plan
            .points
            .iter()
            .enumerate()
            .filter(|(_, planned)| planned.repeats.is_some() == alone);
        let strand = |(point, seed, planned): (usize, u64, &PlannedPoint)| Strand {
            point,
            seed,
            repeats: planned.runs_per_trial(),
            next: 0,
        };
        let strands = points
            .flat_map(|(point, planned)| {
                plan.seeds
                    .iter()
                    .map(move |&seed| strand((point, seed, planned)))
            })
            .collect();
        let mut missing = Self {
            ledger,
            lengths,
            strands,
            queue: BinaryHeap::new(),
        };
        (0..missing.strands.len()).for_each(|strand| missing.enqueue(strand));
        missing
    }

    /// Whether the rows of a point decide how many trials it has.
    pub fn is_sequential(&self, point: usize) -> bool {
        self.ledger.is_sequential(point)
    }

    /// Enters the end of a trial, and queues those that its point now needs.
    pub fn enter(&mut self, id: TrialId, absorption_time: Option<u64>) {
        let limit = self.ledger.limit(id.point);
        self.ledger.enter(id, absorption_time);
        if self.ledger.limit(id.point) > limit {
            // All trials before them have ended, so none of the point's strands is in the queue.
            let [from, to] = [id.point, id.point + 1]
                .map(|point| self.strands.partition_point(|strand| strand.point < point));
            (from..to).for_each(|strand| self.enqueue(strand));
        }
    }

    /// The next missing trial of one point. Its strand keeps its place in the queue.
    pub fn next_at(&mut self, point: usize) -> Option<TrialId> {
        let [from, to] = [point, point + 1]
            .map(|point| self.strands.partition_point(|strand| strand.point < point));
        (from..to).find_map(|index| self.take(index))
    }

    /// The next missing trial of a strand.
    fn take(&mut self, index: usize) -> Option<TrialId> {
        self.runs_if_missing(index)?;
        let strand = &mut self.strands[index];
        let id = strand.id();
        strand.next += 1;
        Some(id)
    }

    /// The number of runs of a strand, if one of them is missing: it is then the next.
    fn runs_if_missing(&mut self, index: usize) -> Option<u64> {
        let strand = &mut self.strands[index];
        let runs = u64::from(self.ledger.limit(strand.point)) * u64::from(strand.repeats);
        while strand.next < runs && self.ledger.is_finished(strand.id()) {
            strand.next += 1;
        }
        (strand.next < runs).then_some(runs)
    }

    /// Puts a strand into the queue with its next missing trial, if it has one.
    fn enqueue(&mut self, index: usize) {
        if let Some(runs) = self.runs_if_missing(index) {
            let strand = &self.strands[index];
            let share = ((2 * u128::from(strand.next) + 1) << 32) / (2 * u128::from(runs));
            self.queue.push(Reverse((
                share as u64,
                Reverse(self.lengths.mean(strand.point)),
                index,
            )));
        }
    }
}

impl Strand {
    /// The next one.
    fn id(&self) -> TrialId {
        let (trial, repeat) = (
            self.next / u64::from(self.repeats),
            self.next % u64::from(self.repeats),
        );
        let below_2_32 = "a point has fewer than 2³² trials, and so many repeats";
        let [trial, repeat] = [trial, repeat].map(|index| u32::try_from(index).expect(below_2_32));
        TrialId {
            point: self.point,
            seed: self.seed,
            trial,
            repeat,
        }
    }
}

impl Iterator for Missing<'_> {
    type Item = TrialId;

    fn next(&mut self) -> Option<TrialId> {
        loop {
            let Reverse((.., index)) = self.queue.pop()?;
            // Those of a strand may have been taken since it was queued.
            if let Some(id) = self.take(index) {
                self.enqueue(index);
                return Some(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::spec;

    fn plan() -> Plan {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.01\ntrials = 4\ncutoff = 10\n\
                    [[sweep]]\nalgorithm = \"pair\"\nn = 6\nepsilon = 0.01\ntrials = 2\ncutoff = 10\n";
        Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap()
    }

    #[test]
    fn points_advance_by_equal_shares_and_the_longest_goes_first_among_equals() {
        let plan = plan();
        let lengths = Lengths::unknown(&plan);
        [0.001, 2.0, 0.5]
            .iter()
            .enumerate()
            .for_each(|(point, &seconds)| lengths.count(point, seconds));
        let mut ledger = Ledger::new(&plan, None, |_, _| true);
        assert!(ledger.enter(
            TrialId {
                point: 1,
                seed: 1,
                trial: 2,
                repeat: 0
            },
            None
        ));
        assert!(!ledger.enter(
            TrialId {
                point: 1,
                seed: 1,
                trial: 2,
                repeat: 0
            },
            None
        ));
        let order: Vec<(usize, u32)> = Missing::new(&plan, ledger, &lengths, false)
            .map(|id| (id.point, id.trial))
            .collect();
        // Middles of four trials: 1/8, 3/8, 5/8, 7/8; of two: 1/4, 3/4.
        assert_eq!(
            order,
            [
                (1, 0),
                (0, 0),
                (2, 0),
                (1, 1),
                (0, 1),
                (0, 2),
                (2, 1),
                (1, 3),
                (0, 3)
            ]
        );
    }

    #[test]
    fn every_missing_trial_comes_once() {
        let plan = plan();
        let lengths = Lengths::unknown(&plan);
        let mut ledger = Ledger::new(&plan, None, |_, _| true);
        let mut missing = Missing::new(&plan, ledger.clone(), &lengths, false);
        assert!(missing.by_ref().all(|id| ledger.enter(id, None)));
        assert_eq!(ledger.total(), plan.trials());
        assert!((0..3).all(|point| ledger.is_complete(point)));
        assert_eq!(Missing::new(&plan, ledger, &lengths, false).count(), 0);
    }

    /// Trials of one point taken out of turn: none is lost and none comes twice.
    #[test]
    fn trials_of_one_point_are_taken_out_of_turn() {
        let plan = plan();
        let lengths = Lengths::unknown(&plan);
        let mut ledger = Ledger::new(&plan, None, |_, _| true);
        let mut missing = Missing::new(&plan, ledger.clone(), &lengths, false);
        assert!(missing.next().is_some());
        while let Some(id) = missing.next_at(1) {
            assert!(id.point == 1 && ledger.enter(id, None));
        }
        assert!(
            missing
                .by_ref()
                .all(|id| id.point != 1 && ledger.enter(id, None))
        );
        assert!(missing.next_at(0).is_none());
        // The first, which was taken before, is the only one that the ledger has not.
        assert_eq!(ledger.total() + 1, plan.trials());
    }

    #[test]
    fn a_point_that_grows_is_queued_again() {
        let text = "seeds = [1, 2]\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.01\n\
                    trials = { min = 30, max = 100, precision = 0.1 }\ncutoff = 10\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let lengths = Lengths::unknown(&plan);
        // 60 trials under each of two seeds are enough at a point whose trials are absorbed.
        let ledger = Ledger::new(&plan, None, |seen, _| {
            seen.trials > 100 && seen.absorbed > 0
        });
        let mut missing = Missing::new(&plan, ledger, &lengths, false);
        let mut runs = [0; 2];
        while let Some(id) = missing.next() {
            runs[id.point] += 1;
            missing.enter(id, (id.point == 0).then_some(3));
        }
        assert_eq!(runs, [120, 200]);
    }

    #[test]
    fn timed_trials_come_alone_and_as_often_as_asked() {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.01\ntrials = 2\ncutoff = 10\n\
                    [[sweep]]\nalgorithm = \"rows\"\nn = [4, 5]\nrepeats = 3\ncutoff = 10\n";
        let plan = Plan::new(&spec::parse("a", "a.toml", text, &[]).unwrap()).unwrap();
        let lengths = Lengths::unknown(&plan);
        let mut ledger = Ledger::new(&plan, None, |_, _| true);
        assert!(ledger.enter(
            TrialId {
                point: 1,
                seed: 1,
                trial: 0,
                repeat: 1
            },
            None
        ));
        let beside: Vec<TrialId> = Missing::new(&plan, ledger.clone(), &lengths, false).collect();
        assert!(beside.len() == 2 && beside.iter().all(|id| id.point == 0 && id.repeat == 0));
        let mut alone: Vec<(usize, u32, u32)> = Missing::new(&plan, ledger.clone(), &lengths, true)
            .map(|id| (id.point, id.trial, id.repeat))
            .collect();
        alone.sort_unstable();
        assert_eq!(
            alone,
            [(1, 0, 0), (1, 0, 2), (2, 0, 0), (2, 0, 1), (2, 0, 2)]
        );
    }
}
