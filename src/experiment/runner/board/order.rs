//! Which missing trial is the next to run.

use std::cmp::Reverse;

use super::{Board, TrialId};

/// The share of its line that lies before a trial's middle, in units of 2⁻³²; then the longest
/// first, in microseconds; then the line, the last first.
pub type Turn = (u64, Reverse<u64>, Reverse<usize>);

impl Board<'_> {
    /// Queues the missing trials that run with nothing beside them, or the others.
    pub fn begin(&mut self, alone: bool) {
        self.queue.clear();
        let plan = self.plan;
        let points = plan.points.iter().enumerate();
        let chosen = points.filter(|(_, planned)| planned.repeats.is_some() == alone);
        for (point, _) in chosen {
            self.lines_of(point).for_each(|line| self.enqueue(line));
        }
    }

    /// The next missing trial. They are so mixed that at any moment each point has run the same
    /// share of its own. Among points that have run the same share, the one of the longest trials
    /// goes first, by the mean of those that have ended, and where nothing is known the later one,
    /// which has the larger n: the last round then begins with the longest trials, and the short
    /// ones fill the other cores until these have ended.
    pub fn next(&mut self) -> Option<TrialId> {
        loop {
            let Reverse((.., Reverse(line))) = self.queue.pop()?;
            // Those of a line may have been taken since it was queued.
            if let Some(id) = self.take(line) {
                self.enqueue(line);
                return Some(id);
            }
        }
    }

    /// The next missing trial of one point. Its line keeps its place in the queue.
    pub fn next_at(&mut self, point: usize) -> Option<TrialId> {
        self.lines_of(point).find_map(|line| self.take(line))
    }

    /// The next missing trial of a line.
    fn take(&mut self, index: usize) -> Option<TrialId> {
        self.runs_if_missing(index)?;
        let (point, seed) = (index / self.plan.seeds.len(), index % self.plan.seeds.len());
        let line = &mut self.lines[index];
        let repeats = u64::from(self.plan.points[point].runs_per_trial());
        let below_2_32 = "a point has fewer than 2³² trials, and so many repeats";
        let [trial, repeat] = [line.next / repeats, line.next % repeats]
            .map(|number| u32::try_from(number).expect(below_2_32));
        line.next += 1;
        Some(TrialId {
            point,
            seed: self.plan.seeds[seed],
            trial,
            repeat,
        })
    }

    /// The number of runs of a line, if one of them is missing: it is then the next.
    fn runs_if_missing(&mut self, index: usize) -> Option<u64> {
        let point = index / self.plan.seeds.len();
        let repeats = self.plan.points[point].runs_per_trial();
        let runs = u64::from(self.limit(point)) * u64::from(repeats);
        let line = &mut self.lines[index];
        while line.next < runs && line.is_finished(line.next) {
            line.next += 1;
        }
        (line.next < runs).then_some(runs)
    }

    /// Puts a line into the queue with its next missing trial, if it has one.
    pub fn enqueue(&mut self, index: usize) {
        if let Some(runs) = self.runs_if_missing(index) {
            let share =
                ((2 * u128::from(self.lines[index].next) + 1) << 32) / (2 * u128::from(runs));
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

    fn taken(board: &mut Board) -> Vec<TrialId> {
        std::iter::from_fn(|| board.next()).collect()
    }

    #[test]
    fn points_advance_by_equal_shares_and_the_longest_goes_first_among_equals() {
        let plan = plan(TWO_SWEEPS);
        let mut board = Board::new(&plan, None, |_, _| true);
        for (point, seconds) in [0.001, 2.0, 0.5].into_iter().enumerate() {
            board.note_length(point, seconds);
        }
        assert!(board.enter(first(1, 2), None) && !board.enter(first(1, 2), None));
        board.begin(false);
        let order = taken(&mut board)
            .into_iter()
            .map(|id| [id.point as u32, id.trial]);
        // Middles of four trials: 1/8, 3/8, 5/8, 7/8; of two: 1/4, 3/4.
        let expected = [10, 0, 20, 11, 1, 2, 21, 13, 3].map(|it| [it / 10, it % 10]);
        assert_eq!(order.collect::<Vec<_>>(), expected);
    }

    /// Trials of one point taken out of turn: none is lost and none comes twice.
    #[test]
    fn trials_of_one_point_are_taken_out_of_turn() {
        let plan = plan(TWO_SWEEPS);
        let mut board = Board::new(&plan, None, |_, _| true);
        board.begin(false);
        let mut ids = vec![board.next().expect("ten trials")];
        while let Some(id) = board.next_at(1) {
            assert_eq!(id.point, 1);
            ids.push(id);
        }
        let others = taken(&mut board);
        assert!(others.iter().all(|id| id.point != 1) && board.next_at(0).is_none());
        ids.extend(others);
        assert!(ids.into_iter().all(|id| board.enter(id, None)));
        assert_eq!(board.all.finished, plan.trials());
        assert!((0..3).all(|point| board.works[point].count.is_complete()));
        board.begin(false);
        assert_eq!(board.next(), None);
    }

    #[test]
    fn timed_trials_come_alone_and_as_often_as_asked() {
        let plan = plan(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.01\ntrials = 2\ncutoff = 10\n\
             [[sweep]]\nalgorithm = \"rows\"\nn = [4, 5]\nrepeats = 3\ncutoff = 10\n",
        );
        let mut board = Board::new(&plan, None, |_, _| true);
        let second = TrialId {
            repeat: 1,
            ..first(1, 0)
        };
        assert!(board.enter(second, None));
        board.begin(false);
        let beside = taken(&mut board);
        assert!(beside.len() == 2 && beside.iter().all(|id| id.point == 0 && id.repeat == 0));
        board.begin(true);
        let alone = taken(&mut board).into_iter();
        let mut alone: Vec<_> = alone.map(|id| (id.point, id.repeat)).collect();
        alone.sort_unstable();
        assert_eq!(alone, [(1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]);
    }
}
