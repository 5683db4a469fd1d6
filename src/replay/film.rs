//! A trial run once more, with its changes written down.

use std::fmt;
use std::ops::RangeInclusive;

use super::log::{Log, LogWriter};
use crate::html::counted;
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Control, Dynamics, Interrupted, Job, Outcome, Point};

/// Changes that are kept while a trial runs: more than a page holds.
const MOST: usize = 1 << 21;

/// A trial that is to be seen.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Of a local rule.
    pub point: Point,
    /// Of its random numbers.
    pub seed: u64,
    /// Which trial of the seed.
    pub trial: u32,
    /// Updates allowed.
    pub cutoff: u64,
    /// How it is simulated.
    pub dynamics: Dynamics,
    /// Where it begins, in place of its own random start.
    pub start: Option<Configuration>,
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (point, seed, trial) = (&self.point, self.seed, self.trial);
        write!(f, "{point}, seed {seed}, trial {trial}")
    }
}

/// A trial and its changes.
#[derive(Debug, Clone)]
pub struct Film {
    /// The trial.
    pub scene: Scene,
    /// Its changes.
    pub log: Log,
    /// The update that it goes up to: the end of the trial or of the window.
    pub until: u64,
    /// How the whole trial ended.
    pub outcome: Outcome,
}

/// Why there is no film, or no page of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFilm {
    /// It cannot be watched, or is too long.
    #[error("{0}")]
    Refused(String),
    /// Stopped from outside.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl NoFilm {
    /// For a page of so many bytes (`about`, where that is an estimate from the log's beginning).
    pub(super) fn too_long(about: &str, size: u128, n_changes: u64, updates: u64) -> Self {
        // In MiB with one digit, rounded up.
        let tenths = (size * 10).div_ceil(1 << 20);
        let (changes, updates) = (counted(n_changes, "change"), counted(updates, "update"));
        Self::Refused(format!(
            "a page of {about}{}.{} MiB for the {changes} of {updates}; expected at \
             most {} MiB: --from and --to (in updates) keep a part of the run",
            tenths / 10,
            tenths % 10,
            MOST_OF_A_PAGE >> 20
        ))
    }
}

/// Bytes of a page, at most.
pub const MOST_OF_A_PAGE: u64 = 4 << 20;

/// Runs the trial to its end and keeps what changes after the first update of the window, up to its
/// last one.
///
/// # Errors
/// For what is no local rule, for a window that begins after the trial's end, and for more changes
/// than can be kept.
pub fn record(
    scene: Scene,
    window: RangeInclusive<u64>,
    control: &Control,
) -> Result<Film, NoFilm> {
    let name = &scene.point.algorithm;
    let rule = local::rule(name).ok_or_else(|| {
        let allowed: Vec<&str> = local::names().collect();
        let allowed = allowed.join(", ");
        NoFilm::Refused(format!(
            "{name} cannot be watched; expected one of {allowed}"
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
    let outcome = rule.watch(&job, scene.trial, start, &mut writer, control)?;
    let updates = outcome.updates.unwrap_or_default();
    if from > updates {
        return Err(NoFilm::Refused(format!(
            "the trial ends after {}, before the window begins: --from {from}",
            counted(updates, "update")
        )));
    }
    let until = updates.min(to);
    let log = writer.finish();
    let (all, kept) = (u128::from(log.n_changes), log.changes.len() as u128);
    if all > kept {
        let packed = pack(&log.bytes()).len() as u128 * 4 / 3;
        let size = packed * all / kept;
        return Err(NoFilm::too_long(
            "about ",
            size,
            log.n_changes,
            until - from,
        ));
    }
    Ok(Film {
        scene,
        log,
        until,
        outcome,
    })
}

/// Compressed as zlib does it; the same bytes for the same log.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser unpacks is what was packed: zlib's header and the sum over the bytes.
    #[test]
    fn packed_bytes_are_unpacked() {
        let bytes: Vec<u8> = (0..70_000_u32)
            .map(|i| (i.wrapping_mul(i) >> 7) as u8)
            .collect();
        let packed = pack(&bytes);
        let unpacked = miniz_oxide::inflate::decompress_to_vec_zlib(&packed);
        assert_eq!(unpacked.ok(), Some(bytes));
        // As zlib itself packs it.
        let by_zlib = b"x\xda+J\xcd\xccK-\x06\x00\x08\xd6\x02\x87";
        assert_eq!(pack(b"reines"), by_zlib);
    }
}
