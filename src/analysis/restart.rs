//! Whether starting over helps: mean residual life, and the best restart cutoff judged on trials
//! that did not choose it.

use super::bootstrap::{Resampled, Sample};
use super::distribution::NORMAL_975;
use super::mean::{Interval, Mean};
use super::sequential::relative_error_of_run_length;
use super::survival::Observed;

/// Fewest successes behind a restart cutoff, on either half.
pub const LEAST_SUCCESSES: usize = 10;

/// Fewest later events behind a mean residual life.
const LEAST_LATER: usize = 5;

/// The mean time still to come of the trials that have lasted a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResidualLife {
    /// Updates already spent.
    pub time: u64,
    /// Mean of T − time over the trials with T > time; with trials cut off, of min(T, cutoff) −
    /// time: a lower bound.
    pub mean: Mean,
}

/// A restart cutoff chosen on one half of the trials, and what it does on the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restart {
    /// Updates after which a run starts over.
    pub cutoff: u64,
    /// Successes within it on the half that judges.
    pub successes: usize,
    /// E[min(T, cutoff)] / F(cutoff) on the half that judges: mean updates with restarts.
    pub expected: f64,
    pub interval: Interval,
    /// Expected run length without these restarts divided by `expected`: above 1 they help.
    pub gain: f64,
    pub gain_interval: Interval,
}

/// Mean residual life after each of the times at which 0, 1, …, 9 tenths and 19 twentieths of the
/// trials have ended; times with fewer than five later events are left out.
///
/// Restarting after a time helps if and only if the mean residual life there exceeds the mean from
/// the start.
pub fn residual_life(observed: &[Observed]) -> Vec<ResidualLife> {
    let mut sorted = observed.to_vec();
    sorted.sort_unstable_by_key(|trial| trial.value);
    let trials = sorted.len();
    let ended_by = |twentieths: usize| sorted[(trials * twentieths / 20).max(1) - 1].value;
    let mut times: Vec<u64> = if trials == 0 {
        Vec::new()
    } else {
        [2, 4, 6, 8, 10, 12, 14, 16, 18, 19].map(ended_by).to_vec()
    };
    times.insert(0, 0);
    times.dedup();
    let mut lives = Vec::new();
    for time in times {
        let later = &sorted[sorted.partition_point(|trial| trial.value <= time)..];
        if later.iter().filter(|trial| !trial.cut_off).count() >= LEAST_LATER {
            let residual = later.iter().map(|trial| trial.value - time);
            lives.push(ResidualLife {
                time,
                mean: Mean::over(residual),
            });
        }
    }
    lives
}

impl Restart {
    /// Trials at even places choose, those at odd places judge. Among the event times of the first
    /// half from its [`LEAST_SUCCESSES`]-th on, the cutoff is the one of least upper end of the
    /// interval of E[min(T, t)] / F(t). `None` when either half has fewer successes within it.
    pub fn of(observed: &[Observed]) -> Option<Self> {
        let chooses = observed.iter().copied().step_by(2).collect();
        let cutoff = best_cutoff(chooses)?;
        let judges = Judges { observed, cutoff };
        let sums: [f64; 4] =
            std::array::from_fn(|column| judges.rows().map(|row| row[column]).sum());
        if sums[1] < LEAST_SUCCESSES as f64 {
            return None;
        }
        let expected = |sums: &[f64; 4]| sums[0] / sums[1];
        let gain = |sums: &[f64; 4]| sums[2] / sums[3] / expected(sums);
        let resampled = Resampled::of(judges);
        Some(Self {
            cutoff,
            successes: sums[1] as usize,
            expected: expected(&sums),
            interval: resampled.interval(|sums, _| expected(sums)),
            gain: gain(&sums),
            gain_interval: resampled.interval(|sums, _| gain(sums)),
        })
    }
}

/// The half of the trials that judges a cutoff.
struct Judges<'a> {
    observed: &'a [Observed],
    cutoff: u64,
}

impl Sample<4> for Judges<'_> {
    /// min(T, cutoff), whether it ended by then, T, and whether it ended.
    fn rows(&self) -> impl Iterator<Item = [f64; 4]> {
        let flag = |is_event: bool| f64::from(u8::from(is_event));
        let row = move |trial: &Observed| {
            let within = !trial.cut_off && trial.value <= self.cutoff;
            [
                trial.value.min(self.cutoff) as f64,
                flag(within),
                trial.value as f64,
                flag(!trial.cut_off),
            ]
        };
        self.observed.iter().skip(1).step_by(2).map(row)
    }
}

/// The event time t of least ERT · exp(1.96 r), ERT = Σ min(tᵢ, t) / (events up to t) and r its
/// relative standard error.
///
/// Not of least ERT: after ten events that is known to a third only, and of many early t the
/// luckiest would win. The upper end wants both, few updates per success and successes enough to
/// know.
fn best_cutoff(mut trials: Vec<Observed>) -> Option<u64> {
    trials.sort_unstable_by_key(|trial| (trial.value, trial.cut_off));
    let mut sums = Sums {
        trials: trials.len() as f64,
        ..Sums::default()
    };
    let mut best: Option<(f64, u64)> = None;
    for (place, trial) in trials.iter().enumerate() {
        sums.end(trial);
        let is_last_of_its_time = trials
            .get(place + 1)
            .is_none_or(|next| next.value > trial.value || next.cut_off);
        if trial.cut_off || sums.successes < LEAST_SUCCESSES as f64 || !is_last_of_its_time {
            continue;
        }
        let upper_end = sums.upper_end(trial.value as f64);
        if best.is_none_or(|(least, _)| upper_end < least) {
            best = Some((upper_end, trial.value));
        }
    }
    best.map(|(_, cutoff)| cutoff)
}

/// Of the trials that ended so far, in order of time.
#[derive(Default)]
struct Sums {
    trials: f64,
    ended: f64,
    successes: f64,
    time: f64,
    squares: f64,
    /// Times of the successes alone.
    successful: f64,
}

impl Sums {
    fn end(&mut self, trial: &Observed) {
        let (time, success) = (trial.value as f64, f64::from(u8::from(!trial.cut_off)));
        self.ended += 1.0;
        self.successes += success;
        self.time += time;
        self.squares += time * time;
        self.successful += success * time;
    }

    /// With xᵢ = min(tᵢ, t), eᵢ = 1 for an event up to t, and means x̄ and ē: x̄ / ē · exp(1.96 r),
    /// r by [`relative_error_of_run_length`].
    fn upper_end(&self, t: f64) -> f64 {
        let waiting = self.trials - self.ended;
        let (mean, share) = (
            (self.time + waiting * t) / self.trials,
            self.successes / self.trials,
        );
        if mean == 0.0 {
            return 0.0;
        }
        let relative_error = relative_error_of_run_length(
            self.trials,
            (mean, share),
            self.squares + waiting * t * t,
            self.successful,
        );
        mean / share * libm::exp(NORMAL_975 * relative_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::Draws;

    fn complete(values: impl IntoIterator<Item = u64>) -> Vec<Observed> {
        values
            .into_iter()
            .map(|value| Observed {
                value,
                cut_off: false,
            })
            .collect()
    }

    /// A trap: half of the trials take 100 to 109 updates, the others about 10⁶. By hand:
    /// restarting at 109 costs (mean below + 109) per success, 1040/10 + 109 ≈ 213.5 against half a
    /// million.
    #[test]
    fn a_trap_is_left_early() {
        let values = (0..80).map(|trial| {
            if trial % 4 < 2 {
                100 + trial / 8
            } else {
                1_000_000 + trial
            }
        });
        let restart = Restart::of(&complete(values)).expect("enough successes");
        assert_eq!((restart.cutoff, restart.successes), (109, 20));
        let by_hand = (2.0 * (1000.0 + 45.0) + 20.0 * 109.0) / 20.0;
        assert!((restart.expected - by_hand).abs() < 1e-9, "{restart:?}");
        assert!(restart.gain_interval.low > 1000.0, "{restart:?}");
    }

    /// Exponential times: no cutoff helps, whatever the half that chose believed. n = 200 samples
    /// of 200, statistic: intervals of the gain that lie above 1; each does with probability about
    /// 0.025, so more than 17 would be a false failure in 10⁵ (binomial, fixed seed). The half that
    /// chooses overrates its choice: judged on itself, most gains would exceed 1.
    #[test]
    fn a_choice_is_not_judged_by_the_trials_that_made_it() {
        let mut draws = Draws::new(21);
        let sample = |draws: &mut Draws| {
            complete((0..200).map(|_| draws.exponential(1e6)).collect::<Vec<_>>())
        };
        let too_high = (0..200)
            .filter_map(|_| Restart::of(&sample(&mut draws)))
            .filter(|restart| restart.gain_interval.low > 1.0)
            .count();
        assert!(too_high <= 17, "{too_high} of 200 restarts seem to help");
    }

    /// Ten early events, 300 from 4000 to 4897, 190 in a trap. By hand: the ERT is 5445.5 at 109
    /// and 7309.8 at 4897, but from ten events it is known to ±60 % only: its upper end is about
    /// 5445.5 · exp(1.96 √(0.98/10)) = 10 060 there, and 7309.8 · exp(1.96 √(0.38/310)) = 7830 at
    /// 4897; by NumPy from each trial's influence (tests/reference/statistics.py) 10 069 and 7881.
    #[test]
    fn ten_lucky_trials_do_not_choose() {
        let values = (100..110)
            .chain((0..300).map(|trial| 4000 + 3 * trial))
            .chain((0..190).map(|trial| 1_000_000 + trial));
        let trials = complete(values);
        assert_eq!(best_cutoff(trials.clone()), Some(4897));
        let mut sums = Sums {
            trials: 500.0,
            ..Sums::default()
        };
        trials[..310].iter().for_each(|trial| sums.end(trial));
        assert!(
            (sums.upper_end(4897.0) / 7880.95468448075 - 1.0).abs() < 1e-12,
            "{}",
            sums.upper_end(4897.0)
        );
    }

    #[test]
    fn too_few_successes_choose_nothing() {
        assert_eq!(
            Restart::of(&complete(1..=19)),
            None,
            "nine on the half that judges"
        );
        let cut_off: Vec<Observed> = (0..100)
            .map(|_| Observed {
                value: 50,
                cut_off: true,
            })
            .collect();
        assert_eq!(Restart::of(&cut_off), None);
        assert!(residual_life(&cut_off).is_empty());
    }

    /// Both halves are 1 … m: the last time is the only cutoff with m successes on either half.
    #[test]
    fn ten_successes_on_each_half_are_enough_and_nine_are_not() {
        let twice = |last: u64| (1..=last).flat_map(|value| [value, value]);
        let restart = Restart::of(&complete(twice(10))).expect("ten successes on each half");
        assert_eq!((restart.cutoff, restart.successes), (10, 10));
        let mut trials = complete(twice(10));
        trials[19].value = 11;
        assert_eq!(
            Restart::of(&trials),
            None,
            "nine within the cutoff on the half that judges"
        );
        trials.swap(18, 19);
        assert!(Restart::of(&trials).is_some(), "ten within 11 on both");
        let nine = |value| Observed {
            value,
            cut_off: value > 9,
        };
        assert_eq!(best_cutoff((1..=20).map(nine).collect()), None);
        assert_eq!(best_cutoff(complete(1..=9)), None);
        assert_eq!(best_cutoff(complete(1..=10)), Some(10));
    }

    /// By hand: 1 … 40; after the time 20, half of the trials are left, with 1 … 20 to come.
    #[test]
    fn residual_life_is_the_mean_of_what_is_left() {
        let lives = residual_life(&complete(1..=40));
        assert_eq!(lives[0].mean.value, 20.5);
        let half = lives
            .iter()
            .find(|life| life.time == 20)
            .expect("ten twentieths");
        assert_eq!((half.mean.value, half.mean.trials), (10.5, 20));
        assert!(lives.iter().all(|life| life.mean.trials >= 5));
    }
}
