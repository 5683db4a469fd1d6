//! Points whose own rows decide how many trials they have: batches in the order of the trials, each
//! of which doubles what is there, until their mean is known to the precision that is asked for.
//! Which rows a point has in the end does not depend on the order in which trials end.

use super::precision;
use super::schedule::Count;
use crate::experiment::spec::Sequential;

/// What decides whether a point has enough trials: of its trials, T a trial's absorption time and c
/// its cutoff: exact sums, the same in whatever order the trials ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Trials that have ended.
    pub trials: u64,
    /// Trials absorbed within the cutoff.
    pub absorbed: u64,
    /// Σ min(T, c), updates.
    pub time: u128,
    /// Σ T of the absorbed ones, updates.
    pub absorbed_time: u128,
    /// Σ min(T, c)²: how often 2¹²⁸, and the rest.
    squares: (u64, u128),
}

impl Tally {
    /// One trial; without a time it was censored at the cutoff.
    pub fn of(absorption_time: Option<u64>, cutoff: u64) -> Self {
        let time = u128::from(absorption_time.unwrap_or(cutoff));
        let absorbed = absorption_time.map_or(0, u128::from);
        Self {
            trials: 1,
            absorbed: absorption_time.is_some().into(),
            time,
            absorbed_time: absorbed,
            squares: (0, time * time),
        }
    }

    /// The sum of this tally and another.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.trials += other.trials;
        self.absorbed += other.absorbed;
        self.time += other.time;
        self.absorbed_time += other.absorbed_time;
        let (low, carried) = self.squares.1.overflowing_add(other.squares.1);
        self.squares = (self.squares.0 + other.squares.0 + u64::from(carried), low);
        self
    }

    /// Σ min(T, c)², rounded.
    pub fn squares(&self) -> f64 {
        const TWO_TO_THE_128: f64 = (1_u128 << 127) as f64 * 2.0;
        self.squares.0 as f64 * TWO_TO_THE_128 + self.squares.1 as f64
    }
}

/// The batches of one sequential point: `min` trials under each seed, then as many again as there
/// are, up to the most.
#[derive(Debug, Clone)]
pub struct Batches {
    sequential: Sequential,
    most: u32,
    seeds: u64,
    /// Batches that are needed; none where the point belongs to another shard.
    pub open: usize,
    /// What has ended of each batch, in whatever order.
    ended: Vec<Tally>,
}

impl Batches {
    /// The first batch of a point that has at most `most` trials under each of `seeds` seeds.
    pub fn new(sequential: Sequential, most: u32, seeds: usize) -> Self {
        Self {
            sequential,
            most,
            seeds: seeds as u64,
            open: 1,
            ended: Vec::new(),
        }
    }

    /// Trials under each seed that are needed as yet.
    pub fn limit(&self) -> u32 {
        self.end(self.open)
    }

    /// The trials that are needed, under all seeds, and whether more may be.
    pub fn count(&self) -> Count {
        let finished = self.opened().map(|tally| tally.trials).sum();
        let expected = u64::from(self.limit()) * self.seeds;
        let may_grow = self.open > 0 && self.limit() < self.most && finished < expected;
        Count {
            finished,
            expected,
            growing: may_grow.into(),
        }
    }

    /// Enters a trial that was not entered before, and opens further batches where those before
    /// them have ended and are not enough.
    pub(crate) fn enter(&mut self, trial: u32, ended: &Tally) {
        let batch = self.batch(trial);
        if self.ended.len() <= batch {
            self.ended.resize(batch + 1, Tally::default());
        }
        self.ended[batch] = self.ended[batch].with(ended);
        while self.limit() < self.most
            && self.open > 0
            && self.count().is_complete()
            && !self.is_precise()
        {
            self.open += 1;
        }
    }

    /// True if all trials that are needed have ended and are enough.
    pub fn is_precise(&self) -> bool {
        let seen = self.opened().fold(Tally::default(), Tally::with);
        precision::is_precise(&seen, self.sequential.precision)
    }

    pub fn precision(&self) -> f64 {
        self.sequential.precision
    }

    fn opened(&self) -> impl Iterator<Item = &Tally> {
        self.ended.iter().take(self.open)
    }

    /// The batch that a trial belongs to: 0, 1, 2, 3 from 0, min, 2·min, 4·min on.
    fn batch(&self, trial: u32) -> usize {
        let doublings = (trial / self.sequential.min).checked_ilog2();
        doublings.map_or(0, |doublings| doublings as usize + 1)
    }

    /// Trials under each seed before the batch of this number.
    fn end(&self, batch: usize) -> u32 {
        let Some(doublings) = batch.checked_sub(1) else {
            return 0;
        };
        let trials = u64::from(self.sequential.min).checked_shl(doublings as u32);
        let most = u64::from(self.most);
        trials.map_or(most, |trials| trials.min(most)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        for open in [40, 1000] {
            let (min, precision) = (30, 0.1);
            let most = Batches {
                open,
                ..Batches::new(Sequential { min, precision }, u32::MAX, 2)
            };
            let found = (most.limit(), most.batch(u32::MAX - 1));
            assert_eq!(found, (u32::MAX, 28));
        }
        let three = [Tally::of(None, u64::MAX); 3];
        let tally = three.iter().fold(Tally::default(), Tally::with);
        // 3 · (2⁶⁴ − 1)² = 3 · 2¹²⁸, to 19 digits.
        assert_eq!(
            (tally.squares(), tally.absorbed),
            (3.0 * libm::pow(2.0, 128.0), 0)
        );
    }
}
