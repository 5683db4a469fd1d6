//! The order in which missing trials run.

use std::cmp::Reverse;

use super::{Schedule, TrialId};

/// The order of the queue, by the next missing trial of a point under a seed: the share of their
/// trials before its middle, in units of 2⁻³²; then the longest
/// first, in microseconds; then the index, the last first.
pub type QueuedRuns = (u64, Reverse<u64>, Reverse<usize>);

impl Schedule<'_> {
    /// Queues the missing trials that run with nothing beside them, or the others.
    pub fn begin(&mut self, alone: bool) {
        self.queue.clear();
        let points = self.plan.points.iter().enumerate();
        let chosen = points.filter(|(_, planned)| planned.repeats.is_some() == alone);
        for (point, _) in chosen {
            self.seed_runs_of(point)
                .for_each(|index| self.enqueue(index));
        }
    }

    /// The next missing trial. They are so mixed that at any moment each point has run the same
    /// share of its own. Among points that have run the same share, the one of the longest trials
    /// goes first, by the mean of those that have ended, and where nothing is known the later one,
    /// which has the larger n: the last round then begins with the longest trials, and the short
    /// ones fill the other cores until these have ended.
    pub fn next(&mut self) -> Option<TrialId> {
        loop {
            let Reverse((.., Reverse(index))) = self.queue.pop()?;
            // The trials may have been taken since the entry was queued.
            if let Some(id) = self.take(index) {
                self.enqueue(index);
                return Some(id);
            }
        }
    }

    /// The next missing trial of one point. The queue stays as it is.
    pub fn next_at(&mut self, point: usize) -> Option<TrialId> {
        self.seed_runs_of(point).find_map(|index| self.take(index))
    }

    /// The next missing trial of a point under a seed, by their index in `seed_runs`.
    fn take(&mut self, index: usize) -> Option<TrialId> {
        self.runs_if_missing(index)?;
        let (point, seed) = (index / self.plan.seeds.len(), index % self.plan.seeds.len());
        let of_seed = &mut self.seed_runs[index];
        let trial = u32::try_from(of_seed.next).expect("a point has fewer than 2³² trials");
        of_seed.next += 1;
        Some(TrialId {
            point,
            seed: self.plan.seeds[seed],
            trial: self.plan.points[point].first + trial,
        })
    }

    /// The number of trials of a point under a seed, if one of them is missing, which is then next.
    fn runs_if_missing(&mut self, index: usize) -> Option<u64> {
        let point = index / self.plan.seeds.len();
        let runs = u64::from(self.plan.points[point].trials);
        let of_seed = &mut self.seed_runs[index];
        while of_seed.next < runs && of_seed.is_finished(of_seed.next) {
            of_seed.next += 1;
        }
        (of_seed.next < runs).then_some(runs)
    }

    /// Queues the next missing trial of a point under a seed, if there is one.
    pub fn enqueue(&mut self, index: usize) {
        if let Some(runs) = self.runs_if_missing(index) {
            let share =
                ((2 * u128::from(self.seed_runs[index].next) + 1) << 32) / (2 * u128::from(runs));
            let (trials, seconds) = self.works[index / self.plan.seeds.len()].timed;
            let length = (seconds * 1e6 / trials.max(1) as f64) as u64;
            self.queue
                .push(Reverse((share as u64, Reverse(length), Reverse(index))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{first, plan};
    use super::*;

    const TWO_SWEEPS: &str = "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = [4, 5]\nepsilon = 0.01\ntrials = 4\n\
         cutoff = 10\n[[sweep]]\nalgorithm = \"pair\"\nn = 6\nepsilon = 0.01\ntrials = 2\ncutoff = 10\n";

    fn taken(schedule: &mut Schedule) -> Vec<TrialId> {
        std::iter::from_fn(|| schedule.next()).collect()
    }

    #[test]
    fn points_advance_by_equal_shares_and_the_longest_goes_first_among_equals() {
        let plan = plan(TWO_SWEEPS);
        let mut schedule = Schedule::new(&plan);
        for (point, seconds) in [0.001, 2.0, 0.5].into_iter().enumerate() {
            schedule.note_lengths(point, 1, seconds);
        }
        assert!(schedule.enter(first(1, 2)) && !schedule.enter(first(1, 2)));
        schedule.begin(false);
        let order = taken(&mut schedule)
            .into_iter()
            .map(|id| [id.point as u32, id.trial]);
        // Middles of four trials: 1/8, 3/8, 5/8, 7/8; of two: 1/4, 3/4.
        let expected = [10, 0, 20, 11, 1, 2, 21, 13, 3].map(|it| [it / 10, it % 10]);
        assert_eq!(order.collect::<Vec<_>>(), expected);
    }

    /// Trials of one point taken out of order: none is lost and none comes twice.
    #[test]
    fn trials_of_one_point_are_taken_out_of_order() {
        let plan = plan(TWO_SWEEPS);
        let mut schedule = Schedule::new(&plan);
        schedule.begin(false);
        let mut ids = vec![schedule.next().expect("ten trials")];
        while let Some(id) = schedule.next_at(1) {
            assert_eq!(id.point, 1);
            ids.push(id);
        }
        let others = taken(&mut schedule);
        assert!(others.iter().all(|id| id.point != 1) && schedule.next_at(0).is_none());
        ids.extend(others);
        assert!(ids.into_iter().all(|id| schedule.enter(id)));
        assert_eq!(schedule.all.finished, plan.trials());
        assert!((0..3).all(|point| schedule.works[point].count.is_complete()));
        schedule.begin(false);
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn timed_trials_come_alone() {
        let plan = plan(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.01\ntrials = 2\ncutoff = 10\n\
             [[sweep]]\nalgorithm = \"rows\"\nn = [4, 5]\nrepeats = 3\ncutoff = 10\n",
        );
        let mut schedule = Schedule::new(&plan);
        schedule.begin(false);
        let beside = taken(&mut schedule);
        assert!(beside.len() == 2 && beside.iter().all(|id| id.point == 0));
        schedule.begin(true);
        let mut alone: Vec<_> = taken(&mut schedule)
            .into_iter()
            .map(|id| id.point)
            .collect();
        alone.sort_unstable();
        assert_eq!(alone, [1, 2]);
    }
}
