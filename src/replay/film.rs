//! A trial run once more, with its changes written down.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use super::log::Log;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Control, Dynamics, Interrupted, Key, Outcome, Point};

/// Changes of a film, at most: a page of them has some 4 MB.
const MOST: usize = 900_000;

/// A trial to be replayed.
#[derive(Debug, Clone)]
pub struct ReplayedTrial {
    /// The point of a local rule.
    pub point: Point,
    /// The seed of its random numbers.
    pub seed: u64,
    /// The number of the trial among those of the seed.
    pub trial: u32,
    /// Updates allowed.
    pub cutoff: u64,
    /// How it is simulated; `None` for a search, which cannot be replayed.
    pub dynamics: Option<Dynamics>,
    /// The state with which it begins, in place of its own random start.
    pub start: Option<Configuration>,
}

impl fmt::Display for ReplayedTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (point, seed, trial) = (&self.point, self.seed, self.trial);
        write!(f, "{point}, seed {seed}, trial {trial}")
    }
}

/// A trial and its changes.
#[derive(Debug, Clone)]
pub struct Film {
    /// The trial.
    pub scene: ReplayedTrial,
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
    scene: ReplayedTrial,
    window: RangeInclusive<u64>,
    control: &Control,
) -> Result<Film, Interrupted> {
    let (seed, trial) = (scene.seed, scene.trial);
    let key = Key { seed, trial };
    let dynamics = scene.dynamics.expect("a local rule has dynamics");
    let own_start = || local::start(&scene.point, dynamics, key);
    let start = scene.start.clone().unwrap_or_else(own_start);
    let log = Mutex::new(Log::new(start, window, MOST));
    // The trial's own thread alone takes it.
    let watch = |change| {
        log.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(change)
    };
    let control = control.watching(&watch);
    let prepared = local::prepare(&scene.point, dynamics, scene.start.clone());
    let (outcome, _) = prepared(key, scene.cutoff, &control)?;
    let mut log = log.into_inner().unwrap_or_else(PoisonError::into_inner);
    log.until = log.until.min(outcome.updates.unwrap_or_default());
    Ok(Film {
        scene,
        log,
        outcome,
    })
}
