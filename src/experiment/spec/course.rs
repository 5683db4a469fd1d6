//! `[sweep.series]`: what its trials write down of their course.

use std::sync::Arc;

use itertools::Itertools;
use serde::Deserialize;

use super::Refused;
use super::formula::At;
use super::range::AllowedValues;
use super::source::Source;
use super::values::Values;
use crate::solver::Domain;

/// The moments that either of two sweeps asks for.
pub(crate) fn joined(one: &[u64], other: &[u64]) -> Arc<[u64]> {
    let moments = one.iter().chain(other).sorted();
    moments.dedup().copied().collect()
}

/// The key of a sweep of an algorithm that records the course of its trials.
pub(super) const KEY: &str = "series";

/// The table behind the key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with at, a list of updates")]
pub(super) struct Series {
    /// The moments, as numbers and formulas.
    pub at: Values,
}

impl Series {
    /// The moments where axes have these values.
    pub fn moments(&self, source: &Source, cutoff: u64, at: At) -> Result<Arc<[u64]>, Refused> {
        // Doubles hold every integer up to 2⁵³.
        let (min, max) = (0.0, 9_007_199_254_740_992.0);
        let allowed = AllowedValues::new(source, Domain::Real { min, max }, 10_000, at);
        let values = allowed.values(&self.at)?;
        // `round` takes halves away from zero.
        let moments: Vec<u64> = values.iter().map(|it| it.number().round() as u64).collect();
        let moments = joined(&moments, &[]);
        if moments[0] > cutoff {
            let expected = format!("a first moment of at most {cutoff}, the cutoff");
            return Err(source.expected(self.at.span.clone(), &expected));
        }
        Ok(moments)
    }
}
