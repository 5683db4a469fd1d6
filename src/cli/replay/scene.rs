//! The trial that is asked for.

use super::row::Stored;
use super::{Args, Which};
use crate::cli::{Refused, asked};
use crate::replay::film::Scene;
use crate::replay::log::Window;
use crate::solver::local::configuration::Configuration;
use crate::solver::local::watch;
use crate::solver::{Dynamics, Job, Point};

/// Updates allowed when nothing is said, as for `reines solve`.
const UPDATES: u64 = 10_000_000_000;

/// A trial, and where it comes from.
pub struct Asked {
    pub point: Point,
    pub seed: u64,
    pub trial: u32,
    pub cutoff: u64,
    pub dynamics: Dynamics,
    pub start: Option<Configuration>,
    /// The row that is played.
    pub stored: Option<Stored>,
}

impl Asked {
    pub fn scene(&self, window: Window) -> Scene<'_> {
        Scene {
            job: Job {
                point: &self.point,
                seed: self.seed,
                cutoff: self.cutoff,
                dynamics: self.dynamics,
            },
            trial: self.trial,
            start: self.start.clone(),
            window,
        }
    }
}

/// The trial that is named by its parameters.
pub fn asked(algorithm: &str, args: &Args) -> Result<Asked, Refused> {
    refuse_others(asked::algorithm(algorithm)?.name())?;
    let (_, point) = asked::point(algorithm, &args.start.with_side(&args.asked)?)?;
    let start = args.start.of(&point)?;
    let dynamics = args.dynamics.at(&point);
    refuse_lanes(dynamics, &point)?;
    let trial = match args.trial {
        None => 0,
        Some(Which::Trial(trial)) => trial,
        Some(Which::Longest | Which::Median) => {
            let reason = "longest and median are of the rows of a RUN; allowed is a number";
            return Err(Refused::new(format!("--trial: {reason}")));
        }
    };
    Ok(Asked {
        seed: args.seed.unwrap_or(1),
        trial,
        cutoff: args.cutoff.unwrap_or(UPDATES),
        dynamics,
        start: start.map(|(_, start)| start),
        stored: None,
        point,
    })
}

/// Refuses lanes where the point has none.
fn refuse_lanes(dynamics: Dynamics, point: &Point) -> Result<(), Refused> {
    match point.no_lanes().filter(|_| dynamics == Dynamics::Lanes) {
        None => Ok(()),
        Some(reason) => Err(Refused::new(format!(
            "{point}: --dynamics lanes {reason}; allowed are --dynamics auto, one-by-one, \
             rejection-free and stepwise"
        ))),
    }
}

/// Refuses what is no local rule.
pub fn refuse_others(algorithm: &str) -> Result<(), Refused> {
    if watch::of(algorithm).is_some() {
        return Ok(());
    }
    Err(Refused::new(format!(
        "--algorithm {algorithm}: only the local rules can be played; allowed are {}",
        watch::names().collect::<Vec<_>>().join(", ")
    )))
}
