//! A trial run once more, with its changes written down.

use std::fmt;
use std::ops::RangeInclusive;

use super::log::{Log, LogWriter};
use crate::html::{counted, spaced};
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Control, Dynamics, Interrupted, Job, Outcome, Point};

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
    /// How it is simulated.
    pub dynamics: Dynamics,
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
    let rule = local::rule(name).ok_or_else(|| {
        let allowed: Vec<&str> = local::names().collect();
        let allowed = allowed.join(", ");
        NoFilm::Refused(format!(
            "{name} cannot be replayed; expected one of {allowed}"
        ))
    })?;
    let job = Job {
        point: &scene.point,
        seed: scene.seed,
        cutoff: scene.cutoff,
        dynamics: scene.dynamics,
    };
    let (from, to) = window.clone().into_inner();
    let mut writer = LogWriter::new(window, MOST);
    let start = scene.start.clone();
    let outcome = rule.run_observed(&job, scene.trial, start, &mut writer, control)?;
    let updates = outcome.updates.unwrap_or_default();
    if from > updates {
        return Err(NoFilm::Refused(format!(
            "--from {from}: the trial ends after {}; expected no more",
            counted(updates, "update")
        )));
    }
    let until = updates.min(to);
    let log = writer.finish();
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
