//! How far a run is, and how long the rest takes: a trial takes as long as those of its point that
//! have ended. No result depends on it. Here is what the bar calls `left`; its words are in
//! `src/cli/progress.rs`, the forecast of `check` is in `src/cli/check/forecast.rs`.

use serde::Serialize;

use crate::experiment::plan::Plan;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Progress {
    /// Finished trials.
    pub trials: u64,
    /// Trials in all.
    pub total: u64,
    /// Seconds left for the points of which a trial has ended; `None` where there is none.
    pub seconds_left: Option<f64>,
}

impl Progress {
    /// How far the run of a plan is, given the work of each of its points, which so many threads
    /// share.
    pub fn of(works: &[Work], plan: &Plan, threads: usize) -> Self {
        let mut progress = Self::default();
        let mut beside = 0.0;
        let mut alone = 0.0;
        let mut is_known = false;
        for (work, planned) in works.iter().zip(&plan.points) {
            progress.trials += work.finished;
            progress.total += work.expected;
            let missing = work.expected - work.finished;
            if missing > 0 && work.run > 0 {
                is_known = true;
                let left = missing as f64 * work.seconds / work.run as f64;
                match planned.repeats {
                    // Nothing runs beside a trial that is timed.
                    Some(_) => alone += left,
                    None => beside += left,
                }
            }
        }
        progress.seconds_left = is_known.then_some(alone + beside / threads as f64);
        progress
    }

    /// True if no trial is missing.
    pub fn is_complete(&self) -> bool {
        self.trials == self.total
    }
}

/// The trials of a point, under all seeds.
#[derive(Debug, Clone, Default)]
pub struct Work {
    pub finished: u64,
    /// Trials to be finished in all.
    pub expected: u64,
    /// Trials that this process has run, and their seconds.
    pub run: u64,
    pub seconds: f64,
}
