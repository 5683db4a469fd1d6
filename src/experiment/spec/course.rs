//! `[sweep.series]`: what its trials write down of their course.

use std::sync::Arc;

use super::Refused;
use super::formula::At;
use super::range::{self, Allowed};
use super::tree::{Entry, SpecTable};
use crate::solver::Domain;

/// The moments that either of two sweeps asks for.
pub(crate) fn joined(one: &[u64], other: &[u64]) -> Arc<[u64]> {
    let mut moments = [one, other].concat();
    moments.sort_unstable();
    moments.dedup();
    moments.into()
}

/// The key of a sweep of an algorithm that records the course of its trials.
pub(super) const KEY: &str = "series";

/// The moments that `table` asks for where axes have these values; none where it lacks the key.
pub(super) fn read(table: &SpecTable, cutoff: u64, at: At) -> Result<Arc<[u64]>, Refused> {
    let moments = table.optional(KEY, |series| moments(&series, cutoff, at))?;
    Ok(moments.unwrap_or_default().into())
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
