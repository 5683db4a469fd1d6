//! `[sweep.series]`: what its trials write down of their course. Here are the forms of `at`, the
//! most moments of a sweep (10 000) and the greatest moment (2⁵³), and how a moment is rounded.

use std::sync::Arc;

use itertools::Itertools;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Refused;
use super::formula::At;
use super::number::{integer_in, range_in};
use super::range::AllowedValues;
use super::source::Source;
use super::values::Values;
use crate::solver::{Domain, Value};

/// The moments that either of two sweeps asks for.
pub(crate) fn joined(one: &[u64], other: &[u64]) -> Arc<[u64]> {
    let moments = one.iter().chain(other).sorted();
    moments.dedup().copied().collect()
}

/// The key of a sweep of an algorithm that records the course of its trials.
pub(super) const KEY: &str = "series";

/// The table behind the key, or the list of its moments alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with at, a list of updates")]
pub(super) struct Series {
    /// The moments, as numbers and formulas.
    pub at: Values,
}

/// Lays a list behind the key as `at` into a table; other values stay as they are.
pub(super) fn lay_list(series: &mut Spanned<DeValue>) {
    if !series.get_ref().is_array() {
        return;
    }
    let span = series.span();
    let list = std::mem::replace(series.get_mut(), DeValue::Boolean(true));
    let mut table = DeTable::new();
    let key = Spanned::new(span.clone(), "at".into());
    table.insert(key, Spanned::new(span, list));
    *series.get_mut() = DeValue::Table(table);
}

/// The greatest moment: doubles, which moments are computed in, hold every integer up to 2⁵³.
const LAST: u64 = 9_007_199_254_740_992;

/// The most moments of a sweep.
const MOST: u64 = 10_000;

impl Series {
    /// The moments where axes have these values.
    pub fn moments(&self, source: &Source, cutoff: u64, at: At) -> Result<Arc<[u64]>, Refused> {
        let moments: Vec<u64> = self.values(source, at)?.iter().map(moment).collect();
        let moments = joined(&moments, &[]);
        if moments[0] > cutoff {
            let expected = format!("a first moment of at most {cutoff}, the cutoff");
            return Err(source.expected(self.at.span.clone(), &expected));
        }
        Ok(moments)
    }

    /// The moments as they are written, as integers where they are a range of these.
    fn values(&self, source: &Source, at: At) -> Result<Vec<Value>, Refused> {
        let is_too_late =
            |literal: &str| integer_in(literal).is_some_and(|moment| moment > i128::from(LAST));
        let mut items = self.at.items.iter();
        if let Some(item) = items.find(|item| is_too_late(source.text(item.span()))) {
            let expected = format!("a number from 0 to {LAST}");
            return Err(source.expected(item.span(), &expected));
        }
        let domain = if self.is_of_integers() {
            Domain::Integer { min: 0, max: LAST }
        } else {
            Domain::Real {
                min: 0.0,
                max: LAST as f64,
            }
        };
        AllowedValues::new(source, domain, MOST, at).values(&self.at)
    }

    /// True for `"0..100"` and for a range with a step.
    fn is_of_integers(&self) -> bool {
        let is_range = |text: &str| range_in(text).is_some();
        match (&self.at.range, &self.at.items[..]) {
            (Some(range), _) => range.points.is_none(),
            (None, [only]) => only.get_ref().text().is_some_and(is_range),
            (None, _) => false,
        }
    }
}

/// A value as a number of updates; halves are rounded away from zero.
fn moment(value: &Value) -> u64 {
    match value {
        Value::Integer(value) => *value,
        Value::Real(value) => value.round() as u64,
    }
}
