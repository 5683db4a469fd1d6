//! `[sweep.series]`: what its trials write down of their course.

use std::fmt;
use std::sync::Arc;

use super::Refused;
use super::formula::At;
use super::range::{self, Allowed};
use super::tree::{Entry, SpecTable};
use crate::solver::Domain;

/// What the trials of a sweep or point write down of their course.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recorded {
    /// Numbers of updates after which the state is observed, strictly ascending; none if there is
    /// no series.
    pub moments: Arc<[u64]>,
}

impl Recorded {
    /// Nothing is written down.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// What either of two sweeps asks for.
    #[must_use]
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let mut moments = [&*self.moments, &*other.moments].concat();
        moments.sort_unstable();
        moments.dedup();
        Self {
            moments: moments.into(),
        }
    }
}

impl fmt::Display for Recorded {
    /// `a series of 40 moments from 1 to 1000000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first @ .., last] = &*self.moments else {
            return write!(f, "nothing");
        };
        let (count, from) = (self.moments.len(), first.first().unwrap_or(last));
        write!(f, "a series of {count} moments from {from} to {last}")
    }
}

/// The key of a sweep of an algorithm that records the course of its trials.
pub(super) const KEY: &str = "series";

/// What `table` asks for where axes have these values; nothing where it lacks the key.
pub(super) fn read(table: &SpecTable, cutoff: u64, at: At) -> Result<Recorded, Refused> {
    let moments = table.optional(KEY, |series| moments(&series, cutoff, at))?;
    Ok(Recorded {
        moments: moments.unwrap_or_default().into(),
    })
}

fn moments(entry: &Entry, cutoff: u64, axes: At) -> Result<Vec<u64>, Refused> {
    // Doubles hold every integer up to 2⁵³.
    let domain = Domain::Real {
        min: 0.0,
        max: 9_007_199_254_740_992.0,
    };
    let expected = format!("a list of updates, {}", range::ranges(domain));
    let refused = || entry.refuse(&format!("a table with at = {expected}"));
    let table = entry.table().ok_or_else(refused)?;
    table.only(&["at"])?;
    let at = table.require("at", &expected)?;
    let allowed = Allowed {
        domain,
        each: "a number of updates from 0 to 9007199254740992".to_owned(),
        most: 10_000,
        at: axes,
    };
    let values = range::several(&allowed, &at, "updates")?.ok_or_else(|| at.refuse(&expected))?;
    // `round` takes halves away from zero.
    let moments = values.iter().map(|value| value.number().round() as u64);
    let mut moments: Vec<u64> = moments.collect();
    moments.sort_unstable();
    moments.dedup();
    if moments[0] > cutoff {
        return Err(at.error(&format!(
            "every moment is after the cutoff; expected a first moment of at most {cutoff}"
        )));
    }
    Ok(moments)
}
