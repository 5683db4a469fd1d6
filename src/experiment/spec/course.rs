//! `[sweep.series]` and `[sweep.events]`: what its trials write down of their course.

use std::fmt;
use std::sync::Arc;

use super::error::SpecError;
use super::grid;
use super::tree::{Entry, Table};
use crate::solver::{ALGORITHMS, Algorithm};

/// Moments that a series may have.
const MAX_MOMENTS: u64 = 10_000;

/// What the trials of a sweep or point write down of their course.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recorded {
    /// As [`Recording::moments`](crate::solver::course::Recording); none where there is no series.
    pub moments: Arc<[u64]>,
    /// As [`Recording::moves`](crate::solver::course::Recording).
    pub moves: bool,
}

impl Recorded {
    /// Nothing is written down.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty() && !self.moves
    }

    /// The moments that a trial of this cutoff has a row for, however it ends.
    pub fn moments_within(&self, cutoff: u64) -> &[u64] {
        &self.moments[..self.moments.partition_point(|&moment| moment <= cutoff)]
    }

    /// What either of two sweeps asks for: the moments of both, and the moves if one has them.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let mut moments = [&*self.moments, &*other.moments].concat();
        moments.sort_unstable();
        moments.dedup();
        Self {
            moments: moments.into(),
            moves: self.moves || other.moves,
        }
    }
}

impl fmt::Display for Recorded {
    /// `a series of 40 moments from 1 to 1000000 and moves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first @ .., last] = &*self.moments else {
            return write!(f, "{}", if self.moves { "moves" } else { "nothing" });
        };
        let (count, from) = (self.moments.len(), first.first().unwrap_or(last));
        write!(f, "a series of {count} moments from {from} to {last}")?;
        write!(f, "{}", if self.moves { " and moves" } else { "" })
    }
}

/// Keys of a sweep of an algorithm that records the course of its trials.
pub(super) const KEYS: [&str; 2] = ["series", "events"];

/// The largest moment; doubles hold every integer up to it.
const LAST: u64 = 1 << 53;

const AT: &str = "a list of updates or {from, to, points, scale}";
const UPDATES: &str = "a number of updates from 0 to 9007199254740992";

/// What `table` asks for; nothing where it has neither key.
pub(super) fn read(
    table: &Table,
    algorithm: &dyn Algorithm,
    cutoff: u64,
) -> Result<Recorded, SpecError> {
    let [series, events] = KEYS.map(|key| table.get(key));
    for (key, entry) in KEYS.iter().zip([&series, &events]) {
        if let Some(entry) = entry.as_ref().filter(|_| !records(algorithm)) {
            return Err(refuse(key, entry, algorithm));
        }
    }
    Ok(Recorded {
        moments: match series {
            Some(series) => moments(&series, cutoff)?.into(),
            None => Arc::default(),
        },
        moves: match events {
            Some(events) => moves(&events)?,
            None => false,
        },
    })
}

/// A search writes down no course, so none has repeats, all threads or a time limit beside it.
/// Whether a sweep of this algorithm may have [`KEYS`].
pub(super) fn records(algorithm: &dyn Algorithm) -> bool {
    algorithm.records_course() && algorithm.goals().is_empty()
}

fn refuse(key: &str, entry: &Entry, algorithm: &dyn Algorithm) -> SpecError {
    let others: Vec<_> = ALGORITHMS
        .iter()
        .filter(|other| records(**other))
        .map(|other| other.name())
        .collect();
    let reason = format!(
        "the algorithm {} does not record the course of its trials; allowed are such keys with {}",
        algorithm.name(),
        others.join(", ")
    );
    match entry.table() {
        Some(table) => table.error(&format!("[sweep.{key}]: {reason}")),
        None => entry.error(&reason),
    }
}

fn moves(entry: &Entry) -> Result<bool, SpecError> {
    let table = inner(entry, "keep = \"moves\"")?;
    table.only(&["keep"])?;
    let keep = table.require("keep", "\"moves\"")?;
    keep.word("kind of event", &["moves"]).map(|_| true)
}

fn moments(entry: &Entry, cutoff: u64) -> Result<Vec<u64>, SpecError> {
    let table = inner(entry, &format!("at = {AT}"))?;
    table.only(&["at"])?;
    let at = table.require("at", AT)?;
    let values = if let Some(items) = at.list() {
        if items.is_empty() || items.len() as u64 > MAX_MOMENTS {
            return Err(at.refuse(&format!("a list of 1 to {MAX_MOMENTS} updates")));
        }
        items.iter().map(updates).collect::<Result<Vec<_>, _>>()?
    } else if let Some(range) = at.table() {
        range_values(&at, &range)?
    } else {
        return Err(at.refuse(AT));
    };
    // `round` takes halves away from zero.
    let mut moments: Vec<u64> = values.iter().map(|value| value.round() as u64).collect();
    moments.sort_unstable();
    moments.dedup();
    if moments[0] > cutoff {
        return Err(at.error(&format!(
            "every moment is after the cutoff; allowed is a first moment of at most {cutoff}"
        )));
    }
    Ok(moments)
}

fn range_values(at: &Entry, range: &Table) -> Result<Vec<f64>, SpecError> {
    range.only(&["from", "to", "points", "scale"])?;
    let end = |key| updates(&range.require(key, UPDATES)?);
    let (from, to) = (end("from")?, end("to")?);
    if from > to {
        return Err(at.error("from is greater than to; allowed is from ≤ to"));
    }
    let (least, wanted) = if from < to {
        (2, format!("an integer from 2 to {MAX_MOMENTS}"))
    } else {
        (1, "1, since from = to".to_owned())
    };
    let points = range.require("points", &wanted)?;
    let most = if from < to { MAX_MOMENTS } else { 1 };
    let count = points
        .integer(least, most)
        .ok_or_else(|| points.refuse(&wanted))?;
    let scale = range.get("scale").map_or(Ok("linear"), |entry| {
        entry.word("scale", &["linear", "log"])
    })?;
    if scale == "linear" {
        return Ok(grid::linear(from, to, count));
    }
    if from <= 0.0 {
        let allowed = "a number above 0 on a logarithmic scale";
        return Err(range.require("from", allowed)?.refuse(allowed));
    }
    Ok(grid::logarithmic(from, to, count))
}

/// A number of updates, not rounded yet.
fn updates(entry: &Entry) -> Result<f64, SpecError> {
    entry
        .real()
        .filter(|value| (0.0..=LAST as f64).contains(value))
        .ok_or_else(|| entry.refuse(UPDATES))
}

/// The value as a table; one that is not is refused.
fn inner<'a>(entry: &Entry<'a>, allowed: &str) -> Result<Table<'a>, SpecError> {
    entry
        .table()
        .ok_or_else(|| entry.refuse(&format!("a table with {allowed}")))
}
