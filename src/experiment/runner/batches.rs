//! Points whose own rows decide how many trials they have: batches in the order of the trials, each
//! of which doubles what is there, until their mean is known to the precision that is asked for.
//! Which rows a point has in the end does not depend on the order in which trials end.

use super::schedule::Count;
use crate::experiment::spec::Sequential;

/// The 0.975 quantile of the standard normal distribution.
pub const NORMAL_975: f64 = 1.959963984540054;

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

    /// True if the relative half width of the 95 % interval is at most `precision`.
    fn is_precise(&self, precision: f64) -> bool {
        self.relative_half_width() <= precision
    }

    /// Half width of the normal 95 % interval of the mean absorption time, relative to the mean;
    /// with censored trials, of the expected run length E[min(T, c)] / F(c), by the delta method.
    /// With xᵢ = min(Tᵢ, c), eᵢ = 1 for a trial that was absorbed and 0 for another, means x̄ and ē
    /// over m trials:
    ///
    /// > z · √( Σ (xᵢ / x̄ − eᵢ / ē)² / (m (m − 1)) )
    ///
    /// which is z · s / (x̄ √m) where every trial was absorbed. Infinite without an absorbed trial
    /// and for fewer than two trials; 0 where all took no time. Source: the delta method for a
    /// ratio of means, as in Cochran, Sampling Techniques (1977), section 6.3.
    ///
    /// It decides which rows a run has, so it must be the same everywhere: the sums are exact, and
    /// there is no arithmetic but +, −, ×, ÷ and √.
    fn relative_half_width(&self) -> f64 {
        if self.absorbed == 0 || self.trials < 2 {
            return f64::INFINITY;
        }
        if self.time == 0 {
            return 0.0;
        }
        let (trials, squares) = (self.trials as f64, self.squares());
        let (mean, share) = (self.time as f64 / trials, self.absorbed as f64 / trials);
        let absorbed_time = self.absorbed_time as f64;
        // Multiplied out; e² is e.
        let sum = squares / (mean * mean) - 2.0 * absorbed_time / (mean * share) + trials / share;
        NORMAL_975 * (sum.max(0.0) / (trials * (trials - 1.0))).sqrt()
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
        seen.is_precise(self.sequential.precision)
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
    use crate::solver::rng::{Generator, midpoint};

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
    fn seen(times: &[u64], cutoff: u64) -> Tally {
        let trial = |&time| Tally::of(Some(time).filter(|&it| it <= cutoff), cutoff);
        let trials: Vec<Tally> = times.iter().map(trial).collect();
        trials.iter().fold(Tally::default(), Tally::with)
    }

    /// NumPy's standard deviation, and the derivative of the ratio with respect to each trial's
    /// weight: tests/reference/sequential.py.
    #[test]
    fn half_widths_are_numpys() {
        let times = [3, 141, 59, 26, 535, 897, 93, 238, 46, 264];
        for (cutoff, numpy) in [
            (1000, 0.762622904410655),
            (500, 0.91874232810307),
            (100, 0.91920118601823),
        ] {
            let width = seen(&times, cutoff).relative_half_width();
            assert!((width / numpy - 1.0).abs() < 1e-12, "{width} for {numpy}");
        }
    }

    #[test]
    fn what_says_nothing_is_not_precise_and_what_is_certain_is() {
        for nothing in [seen(&[], 10), seen(&[5], 10), seen(&[11, 12, 13], 10)] {
            assert_eq!(nothing.relative_half_width(), f64::INFINITY);
        }
        assert_eq!(seen(&[0; 30], 10).relative_half_width(), 0.0);
        assert!(seen(&[7; 30], 10).relative_half_width() < 1e-7);
        // By hand: mean 2 and standard deviation √2, so z · √2 / (2 √2) = z / 2.
        let two = seen(&[1, 3], 10);
        assert!(two.is_precise(0.98) && !two.is_precise(0.979));
    }

    /// Coverage of the truth at the stop, precision 0.1, batches from 30 on, exponential times:
    /// 0.9472 by NumPy on 20 000 samples (tests/reference/sequential.py). n = 4000; threshold 4
    /// standard errors, hence a false failure in 16 000 (fixed seed).
    #[test]
    fn intervals_at_the_stop_cover_as_an_independent_simulation_says() {
        let mut generator = Generator::of(&31_u64.to_le_bytes());
        let mut exponential = || (-1e6 * libm::log(midpoint(generator.word()))).round() as u64;
        let mut covers = || {
            let mut tally = Tally::default();
            while !tally.is_precise(0.1) {
                let batch = 0..tally.trials.max(30);
                let batch: Vec<u64> = batch.map(|_| exponential()).collect();
                tally = tally.with(&seen(&batch, u64::MAX));
            }
            let mean = tally.time as f64 / tally.trials as f64;
            (mean - 1e6).abs() <= tally.relative_half_width() * mean
        };
        let hits = (0..4000).filter(|_| covers()).count();
        let error = f64::sqrt(0.9472 * (1.0 - 0.9472) * (1.0 / 4000.0 + 1.0 / 20_000.0));
        assert!(
            (hits as f64 / 4000.0 - 0.9472).abs() < 4.0 * error,
            "{hits} of 4000"
        );
    }
}
