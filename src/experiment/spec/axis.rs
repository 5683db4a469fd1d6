//! The values of one axis.

use super::range::{self, Allowed};
use super::tree::Entry;
use super::{MAX_POINTS, Refused};
use crate::solver::{Axis, Value};

/// What may stand at the key of this axis.
pub(super) fn allowed(axis: &Axis) -> String {
    format!(
        "{}, a list of them, {{from, to, step}} or {{from, to, points, scale}}",
        axis.domain
    )
}

/// The values that `entry` gives to `axis`: ascending, without duplicates, at least one and at most
/// [`MAX_POINTS`].
pub(super) fn values(axis: &Axis, entry: &Entry) -> Result<Vec<Value>, Refused> {
    let domain = axis.domain;
    let allowed = Allowed {
        domain,
        each: domain.to_string(),
        most: MAX_POINTS,
        has_steps: true,
    };
    let mut values = if let Some(items) = entry.list() {
        range::list(&allowed, entry, &items, &format!("values, each {domain}"))?
    } else if let Some(table) = entry.table() {
        let values = range::table(&allowed, entry, &table)?;
        let is_ascending = |pair: &[Value]| pair[0].order(&pair[1]).is_lt();
        // Also catches what overflowed on the way: nothing beyond `to` is ascending.
        if !values.windows(2).all(is_ascending) {
            return Err(entry.error("its values are not distinct and ascending at 12 significant digits; allowed is a range where they are"));
        }
        values
    } else if let Some(values) = range::text(&allowed, entry) {
        values?
    } else {
        vec![range::scalar(&allowed, entry)?]
    };
    values.sort_by(Value::order);
    values.dedup();
    Ok(values)
}
