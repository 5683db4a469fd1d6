//! A trial run once more, with its changes written down. Here are decided how many changes a film
//! may have (900 000), what is kept of a trial whose window begins late, and how a trial is named
//! in messages.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use super::log::Log;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Control, Dynamics, Key, Outcome, Point, TrialError, prepare};

/// Changes of a film, at most: a page of them has some 4 MB.
const MOST: usize = 900_000;

/// A single trial; one of a local rule can be replayed.
#[derive(Debug, Clone)]
pub struct SingleTrial {
    /// The point.
    pub point: Point,
    /// The seed of its random numbers, and its number among the trials of the seed.
    pub key: Key,
    /// Updates allowed, or checks or nodes of a search.
    pub cutoff: u64,
    /// How it is simulated; `None` for a search.
    pub dynamics: Option<Dynamics>,
    /// The state with which it begins, in place of its own random start.
    pub start: Option<Configuration>,
}

impl SingleTrial {
    /// Runs it.
    ///
    /// # Errors
    /// It was stopped, or its program has failed.
    pub fn run(&self, control: &Control) -> Result<Outcome, TrialError> {
        let prepared = match (&self.start, self.dynamics) {
            (Some(start), Some(dynamics)) => {
                local::prepare(&self.point, dynamics, Some(start.clone()))
            }
            (_, dynamics) => prepare(&self.point, dynamics),
        };
        prepared(self.key, self.cutoff, control).map(|(outcome, _)| outcome)
    }
}

impl fmt::Display for SingleTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key { seed, trial } = self.key;
        write!(f, "{}, seed {seed}, trial {trial}", self.point)
    }
}

/// A trial and its changes.
#[derive(Debug, Clone)]
pub struct Film {
    /// The trial.
    pub scene: SingleTrial,
    /// What each update changed, up to the end of the trial or of the window.
    pub log: Log,
    /// How the whole trial ended.
    pub outcome: Outcome,
}

/// Runs a trial of a local rule to its end and keeps what changes after the first update of the
/// window, up to its last one.
///
/// # Panics
/// When the point is of no local rule.
pub fn record(
    scene: SingleTrial,
    window: RangeInclusive<u64>,
    control: &Control,
) -> Result<Film, TrialError> {
    let dynamics = scene.dynamics.expect("a local rule has dynamics");
    let own_start = || local::start(&scene.point, dynamics, scene.key);
    let start = scene.start.clone().unwrap_or_else(own_start);
    let log = Mutex::new(Log::new(start, window, MOST));
    // The trial's own thread alone takes it.
    let watch = |change| {
        log.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(change)
    };
    let outcome = scene.run(&control.watching(&watch))?;
    let mut log = log.into_inner().unwrap_or_else(PoisonError::into_inner);
    log.until = log.until.min(outcome.updates.unwrap_or_default());
    Ok(Film {
        scene,
        log,
        outcome,
    })
}
