//! How far a run is, for the terminal that shows it and, in a small file of its folder, for other
//! terminals; how much of its work is done and how long the rest takes: a trial counts for as much
//! work as those of its point take. The file goes when the run is complete; no result depends on
//! it.

use std::fs;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::schedule::{Schedule, Work};
use super::workers::runs_in_lanes;
use crate::experiment::store::atomic::UNFINISHED;
use crate::experiment::store::folder::{PROGRESS, RunFolder};
use crate::solver::LANES_PER_THREAD;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Finished trials.
    pub trials: u64,
    /// Trials of an earlier, interrupted attempt or taken over from another run.
    pub resumed: u64,
    /// Trials in all.
    pub total: u64,
    /// Updates simulated in this attempt.
    pub updates: u64,
    /// Seconds since this attempt began.
    pub elapsed_seconds: f64,
    /// Share of the work, by the length of trials, from 0 to 1; `None` while too little is known.
    pub work_done: Option<f64>,
    /// Seconds left, about; `None` while too little is known.
    pub seconds_left: Option<f64>,
}

impl Progress {
    /// Keeps it in the run's folder, if it can: where the disk fails, saving rows says so. A power
    /// cut may take it: the disk is not waited for.
    pub(super) fn write(&self, run: &RunFolder) {
        let begun = run.path().join(format!("{UNFINISHED}progress"));
        if let Ok(text) = toml::to_string(self) {
            let _ = fs::write(&begun, text)
                .and_then(|()| fs::rename(&begun, run.path().join(PROGRESS)));
        }
    }

    /// What the run in this folder has last said, and how long ago; `None` where it says nothing.
    pub fn read(run: &RunFolder) -> Option<(Self, Duration)> {
        let path = run.path().join(PROGRESS);
        let progress = toml::from_str(&fs::read_to_string(&path).ok()?).ok()?;
        let written = path.metadata().ok()?.modified().ok()?;
        let age = SystemTime::now().duration_since(written);
        Some((progress, age.unwrap_or_default()))
    }
}

/// The number of measured trials that a foreseen length counts for.
const FORESEEN_COUNTS: f64 = 5.0;

/// The largest standard error of the time left, as a share of it, at which it is shown: the first
/// trials of a point say little.
const MOST_DOUBT: f64 = 0.4;

/// What is known of the work of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkForecast {
    /// Share of all work, from 0 to 1.
    pub done: f64,
    pub seconds_left: f64,
}

/// The trials of a point that run now.
#[derive(Clone, Copy, Default)]
struct Running {
    trials: f64,
    /// Seconds of the trials as if they had ended now; of those that run side by side, their share.
    seconds: f64,
}

impl Schedule<'_> {
    /// The forecast from the lengths of trials that have ended and that run now, and from those
    /// that are `foreseen` of each point, if any are; `None` while too little is known.
    ///
    /// What waits is shared by the threads. At the end, m trials of the longest point run at once,
    /// and the last of them ends after T (1 + 1/2 + … + 1/m), T their mean, since the times of a
    /// rule are about exponential: what a trial has run says nothing of what it will. Searches are
    /// not random, and what they have run counts as done.
    pub fn forecast(&self, foreseen: &[Option<f64>], now: Instant) -> Option<WorkForecast> {
        let threads = (self.running.len() / LANES_PER_THREAD).max(1) as f64;
        let (running, oldest) = self.running_now(now);
        let lengths = self.lengths(foreseen, &running);
        let (mut done, mut alone, mut beside, mut last) = (0.0, 0.0, 0.0, (0.0, 0.0));
        // Of the points of which something is known: the time left, and its variance.
        let (mut told, mut variance) = (0.0, 0.0);
        for (point, (work, length)) in self.works.iter().zip(lengths).enumerate() {
            let missing = work.count.expected.saturating_sub(work.count.finished) as f64;
            if missing == 0.0 {
                done += work.count.finished as f64 * length.unwrap_or(0.0);
                continue;
            }
            let length = length?;
            let planned = &self.plan.points[point];
            let is_search = planned.point.goal.is_some();
            let Running { trials, seconds } = running[point];
            let credit = match is_search {
                true => seconds.min(trials * length),
                false => 0.0,
            };
            let left = missing * length - credit;
            done += work.count.finished as f64 * length + credit;
            let ended = work.timed.0 as f64;
            if is_search || foreseen.get(point).is_some_and(Option::is_some) {
                told += left;
            } else if ended > 0.0 {
                (told, variance) = (told + left, variance + left * left / ended);
            }
            if planned.repeats.is_some() {
                alone += left;
                continue;
            }
            beside += left;
            let lanes = if runs_in_lanes(planned) {
                LANES_PER_THREAD as f64
            } else {
                1.0
            };
            let at_once = missing.min(threads * lanes);
            let end = match is_search {
                true => length - credit / trials.max(1.0),
                false => length * lanes.min(missing) * harmonic(at_once),
            };
            if end > last.0 {
                last = (end, left.min(at_once * length));
            }
        }
        let left = alone + last.0 + (beside - last.1) / threads;
        let all = done + alone + beside;
        let is_known = libm::sqrt(variance) <= MOST_DOUBT * told;
        is_known.then_some(WorkForecast {
            done: if all > 0.0 { done / all } else { 0.0 },
            // A trial that takes far longer than was thought may take much longer still.
            seconds_left: left.max(oldest / 4.0),
        })
    }

    /// What runs at each point, and for how many seconds the oldest trial of all.
    fn running_now(&self, now: Instant) -> (Vec<Running>, f64) {
        let (mut running, mut oldest) = (vec![Running::default(); self.works.len()], 0.0_f64);
        for lanes in self.running.chunks(LANES_PER_THREAD) {
            let beside = lanes.iter().flatten().count() as f64;
            for (id, start) in lanes.iter().flatten() {
                let seconds = now.saturating_duration_since(*start).as_secs_f64();
                let at = &mut running[id.point];
                (at.trials, at.seconds) = (at.trials + 1.0, at.seconds + seconds / beside);
                oldest = oldest.max(seconds);
            }
        }
        (running, oldest)
    }

    /// Seconds of a trial of each point: all that were spent on it for each that has ended, half a
    /// trial more while some run, since the long ones end last; and what was foreseen. A point of
    /// which nothing is known is taken for the next one of its algorithm, which has a larger n.
    fn lengths(&self, foreseen: &[Option<f64>], running: &[Running]) -> Vec<Option<f64>> {
        let foreseen = |point: usize| foreseen.get(point).copied().flatten();
        let pair = |(point, work): (usize, &Work)| {
            let trials = work.timed.0 as f64;
            foreseen(point).map(|foreseen| [work.timed.1, foreseen * trials])
        };
        let pairs = self.works.iter().enumerate().filter_map(pair);
        let [measured, expected] = pairs.fold([1.0, 1.0], |[a, b], [c, d]| [a + c, b + d]);
        // How much slower than it was foreseen, which one second says little of.
        let slower = measured / expected;
        let mut lengths: Vec<Option<f64>> = Vec::with_capacity(self.works.len());
        for (point, work) in self.works.iter().enumerate().rev() {
            let (mut ended, mut seconds) = (work.timed.0 as f64, work.timed.1);
            let is_known = ended > 0.0;
            if running[point].trials > 0.0 && self.plan.points[point].point.goal.is_none() {
                (ended, seconds) = (ended + 0.5, seconds + running[point].seconds);
            }
            let next = || {
                let algorithm =
                    |point: usize| self.plan.points.get(point).map(|it| &it.point.algorithm);
                let is_same = algorithm(point) == algorithm(point + 1);
                lengths.last().copied().flatten().filter(|_| is_same)
            };
            let mixed = |foreseen: f64| {
                (seconds + FORESEEN_COUNTS * foreseen * slower) / (ended + FORESEEN_COUNTS)
            };
            let measured = || is_known.then(|| seconds / ended).or_else(next);
            lengths.push(foreseen(point).map(mixed).or_else(measured));
        }
        lengths.reverse();
        lengths
    }
}

/// 1 + 1/2 + … + 1/m, close enough.
fn harmonic(m: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_9;
    if m < 1.5 {
        return m;
    }
    libm::log(m) + EULER + 0.5 / m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::plan::Plan;
    use crate::experiment::runner::schedule::TrialId;

    /// 8 trials of each of two points, one at a time on each of two threads.
    fn plan() -> Plan {
        let text = "seed = 1\n[[sweep]]\nalgorithm = \"cell\"\nn = [4, 5]\nepsilon = 0.01\neta = 1\ntrials = 8\n\
                    cutoff = 10\n";
        use crate::solver::{Dynamics, DynamicsChoice};
        Plan::example(text, DynamicsChoice::Only(Dynamics::Stepwise))
    }

    fn finish(schedule: &mut Schedule, point: usize, trials: std::ops::Range<u32>, seconds: f64) {
        for trial in trials {
            let id = TrialId {
                point,
                seed: 1,
                trial,
                repeat: 0,
            };
            assert!(schedule.enter(id));
            schedule.note_length(point, seconds);
        }
    }

    #[test]
    fn a_trial_counts_as_much_as_those_of_its_point_take() {
        let plan = plan();
        let mut schedule = Schedule::new(&plan);
        schedule.running = vec![None; 2 * LANES_PER_THREAD];
        let now = Instant::now();
        let forecast =
            |schedule: &Schedule, foreseen: &[Option<f64>]| schedule.forecast(foreseen, now);
        assert_eq!(forecast(&schedule, &[]), None, "nothing is known");
        finish(&mut schedule, 0, 0..8, 1.0);
        assert_eq!(
            forecast(&schedule, &[]),
            None,
            "nothing is known of larger n"
        );
        let foreseen = [Some(1.0), Some(100.0)];
        let half = forecast(&schedule, &foreseen).expect("all is foreseen");
        assert!((half.done - 8.0 / 808.0).abs() < 1e-3, "{half:?}");
        finish(&mut schedule, 1, 0..3, 10.0);
        assert_eq!(forecast(&schedule, &[]), None, "three trials tell little");
        finish(&mut schedule, 1, 3..7, 10.0);
        // One trial of 10 s.
        let WorkForecast { done, seconds_left } =
            forecast(&schedule, &[]).expect("all is measured");
        assert!((done - 78.0 / 88.0).abs() < 1e-9, "{done}");
        assert!((seconds_left - 10.0).abs() < 0.5, "{seconds_left}");
        finish(&mut schedule, 1, 7..8, 10.0);
        let whole = forecast(&schedule, &[]).expect("all is measured");
        assert_eq!((whole.done, whole.seconds_left), (1.0, 0.0));
    }

    #[test]
    fn a_trial_that_takes_very_long_is_not_about_to_end() {
        let plan = plan();
        let mut schedule = Schedule::new(&plan);
        schedule.running = vec![None; LANES_PER_THREAD];
        finish(&mut schedule, 0, 0..8, 1e-3);
        finish(&mut schedule, 1, 0..7, 1e-3);
        schedule.begin(false);
        let start = Instant::now();
        schedule.running[0] = schedule.next().map(|id| (id, start));
        let minute = std::time::Duration::from_secs(60);
        let forecast = schedule
            .forecast(&[], start + minute)
            .expect("all is measured");
        assert!(forecast.seconds_left > 10.0, "{forecast:?}");
    }
}
