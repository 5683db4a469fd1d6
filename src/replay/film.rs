//! A trial run once more, with its changes written down.

use super::log::{Log, LogWriter, Window};
use crate::solver::local;
use crate::solver::local::configuration::Configuration;
use crate::solver::{Control, Interrupted, Job, Outcome};

/// Changes that are kept while a trial runs: more than a page holds.
const MOST: usize = 1 << 21;

/// What is to be seen.
#[derive(Debug, Clone)]
pub struct Scene<'a> {
    /// Point, seed, cutoff and dynamics.
    pub job: Job<'a>,
    /// Which trial of them.
    pub trial: u32,
    /// Where it begins, in place of its own random start.
    pub start: Option<Configuration>,
    /// The updates that are kept.
    pub window: Window,
}

/// A trial and its changes.
#[derive(Debug, Clone)]
pub struct Film {
    /// Its changes.
    pub log: Log,
    /// The update that it goes up to: the end of the trial or of the window.
    pub until: u64,
    /// How the whole trial ended.
    pub outcome: Outcome,
}

/// Why there is no film.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFilm {
    /// The algorithm is no local rule.
    #[error("{found} cannot be watched; allowed are {allowed}")]
    Algorithm {
        /// Its name.
        found: String,
        /// Names of algorithms.
        allowed: String,
    },
    /// The window begins after the trial's end.
    #[error("the trial ends after {updates} updates, before the window begins: --from {from}")]
    Ended {
        /// Updates of the trial.
        updates: u64,
        /// Where the window begins.
        from: u64,
    },
    /// More changes than can be kept.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// Stopped from outside.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// A film that does not fit into a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a page of {}{} MiB for the {n_changes} changes of {} updates; allowed are {} MiB: \
     --from and --to (in updates) keep a part of the run",
    if *.is_estimate { "about " } else { "" },
    tenths(*.size),
    .updates,
    MOST_OF_A_PAGE >> 20
)]
pub struct TooLong {
    /// Bytes of the page.
    pub size: u64,
    /// Whether that is an estimate from the log's beginning.
    pub is_estimate: bool,
    /// Updates that change something.
    pub n_changes: u64,
    /// Updates in the window.
    pub updates: u64,
}

/// Bytes of a page, at most.
pub const MOST_OF_A_PAGE: u64 = 4 << 20;

/// In MiB with one digit, rounded up.
fn tenths(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10).div_ceil(1 << 20);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Runs the trial to its end and keeps what changes within the window.
///
/// # Errors
/// [`NoFilm`].
pub fn record(scene: &Scene, control: &Control) -> Result<Film, NoFilm> {
    let rule = local::rule(&scene.job.point.algorithm).ok_or_else(|| NoFilm::Algorithm {
        found: scene.job.point.algorithm.clone(),
        allowed: local::names().collect::<Vec<_>>().join(", "),
    })?;
    let mut writer = LogWriter::new(scene.window, MOST);
    let start = scene.start.clone();
    let outcome = rule.watch(&scene.job, scene.trial, start, &mut writer, control)?;
    let updates = outcome.updates.unwrap_or_default();
    if scene.window.from > updates {
        return Err(NoFilm::Ended {
            updates,
            from: scene.window.from,
        });
    }
    let until = updates.min(scene.window.to);
    let log = writer.finish();
    let kept = log.changes.len() as u128;
    if u128::from(log.n_changes) > kept {
        let packed = pack(&log.bytes()).len() as u128 * 4 / 3;
        return Err(NoFilm::TooLong(TooLong {
            size: (packed * u128::from(log.n_changes) / kept) as u64,
            is_estimate: true,
            n_changes: log.n_changes,
            updates: until - scene.window.from,
        }));
    }
    Ok(Film {
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

    #[test]
    fn a_size_is_said_in_mib() {
        let too_long = TooLong {
            size: (5 << 20) + 1,
            is_estimate: true,
            n_changes: 7,
            updates: 9,
        };
        assert_eq!(
            too_long.to_string(),
            "a page of about 5.1 MiB for the 7 changes of 9 updates; allowed are 4 MiB: --from \
             and --to (in updates) keep a part of the run"
        );
    }

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
