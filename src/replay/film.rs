//! A trial run once more, with its changes written down.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::log::{Log, LogWriter};
use crate::html::{counted, spaced};
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Change, Control, Dynamics, Interrupted, Key, Outcome, Point};

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
    /// What each update changed.
    pub log: Log,
    /// The last update of the film: the end of the trial or of the window.
    pub until: u64,
    /// How the whole trial ended.
    pub outcome: Outcome,
}

/// Why there is no film.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFilm {
    /// The trial cannot be replayed, or has too many changes.
    #[error("{0}")]
    Refused(String),
    /// Stopped from outside.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Runs the trial to its end and keeps what changes after the first update of the window, up to its
/// last one.
///
/// # Errors
/// For what is no local rule, for a window that begins after the trial's end, and for more changes
/// than can be kept.
pub fn record(
    scene: ReplayedTrial,
    window: RangeInclusive<u64>,
    control: &Control,
) -> Result<Film, NoFilm> {
    let name = &scene.point.algorithm;
    let dynamics = scene.dynamics.filter(|_| local::rule(name).is_some());
    let dynamics = dynamics.ok_or_else(|| {
        let allowed: Vec<&str> = local::names().collect();
        let allowed = allowed.join(", ");
        NoFilm::Refused(format!(
            "{name} cannot be replayed; expected one of {allowed}"
        ))
    })?;
    let key = Key {
        seed: scene.seed,
        trial: scene.trial,
    };
    let (from, to) = window.clone().into_inner();
    let own_start = || local::start(&scene.point, dynamics, key);
    let start = scene.start.clone().unwrap_or_else(own_start);
    let writer = Mutex::new(LogWriter::new(start, window, MOST));
    let watch = |change: Change| lock(&writer).changed(change);
    let control = control.watching(&watch);
    let prepared = local::prepare(&scene.point, dynamics, scene.start.clone());
    let (outcome, _) = prepared(key, scene.cutoff, &control)?;
    let updates = outcome.updates.unwrap_or_default();
    if from > updates {
        return Err(NoFilm::Refused(format!(
            "--from {from}: the trial ends after {}; expected no more",
            counted(updates, "update")
        )));
    }
    let until = updates.min(to);
    let log = writer.into_inner();
    let log = log.unwrap_or_else(PoisonError::into_inner).log;
    if log.n_changes > MOST as u64 {
        return Err(NoFilm::Refused(format!(
            "{} in {}; expected at most {} changes: --from and --to (in updates) keep a part of the run",
            counted(log.n_changes, "change"),
            counted(until - from, "update"),
            spaced(MOST)
        )));
    }
    Ok(Film {
        scene,
        log,
        until,
        outcome,
    })
}

/// The trial's own thread alone takes it.
fn lock(writer: &Mutex<LogWriter>) -> MutexGuard<'_, LogWriter> {
    writer.lock().unwrap_or_else(PoisonError::into_inner)
}
