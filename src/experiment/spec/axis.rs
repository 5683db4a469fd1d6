//! The values of one axis: a value, a list, `{from, to, step}` or `{from, to, points, scale}`.

use super::error::SpecError;
use super::tree::{Entry, Table};
use super::{MAX_POINTS, grid};
use crate::solver::{Axis, Domain, Value};

/// What may stand at the key of this axis.
pub(super) fn allowed(axis: &Axis) -> String {
    format!(
        "{}, a list of them, {{from, to, step}} or {{from, to, points, scale}}",
        axis.domain
    )
}

/// The values that `entry` gives to `axis`: ascending, without duplicates, at least one and at most
/// [`MAX_POINTS`].
pub(super) fn values(axis: &Axis, entry: &Entry) -> Result<Vec<Value>, SpecError> {
    let mut values = if let Some(items) = entry.list() {
        if items.is_empty() || items.len() as u64 > MAX_POINTS {
            return Err(entry.refuse(&format!(
                "a list of 1 to {MAX_POINTS} values, each {}",
                axis.domain
            )));
        }
        items
            .iter()
            .map(|item| scalar(axis, item))
            .collect::<Result<Vec<_>, _>>()?
    } else if let Some(table) = entry.table() {
        range(axis, entry, &table)?
    } else {
        vec![scalar(axis, entry)?]
    };
    values.sort_by(Value::order);
    values.dedup();
    Ok(values)
}

fn scalar(axis: &Axis, entry: &Entry) -> Result<Value, SpecError> {
    let value = match axis.domain {
        Domain::Integer { min, max } => entry.integer(min, max).map(Value::Integer),
        Domain::Real { min, max } => entry
            .real()
            .filter(|value| (min..=max).contains(value))
            .map(Value::real),
    };
    value.ok_or_else(|| entry.refuse(&axis.domain.to_string()))
}

const RANGE: &str = "{from, to, step} or {from, to, points, scale}";

fn range(axis: &Axis, entry: &Entry, table: &Table) -> Result<Vec<Value>, SpecError> {
    table.only(&["from", "to", "step", "points", "scale"])?;
    let end = |key| scalar(axis, &table.require(key, &axis.domain.to_string())?);
    let (from, to) = (end("from")?, end("to")?);
    if from.order(&to).is_gt() {
        return Err(entry.error("from is greater than to; allowed is from ≤ to"));
    }
    let values = match (table.get("step"), table.get("points"), table.get("scale")) {
        (Some(step), None, None) => by_step(from, to, &step)?,
        (None, Some(points), scale) => by_points(from, to, &points, scale.as_ref(), table)?,
        (Some(_), None, Some(_)) => {
            return Err(entry.error(&format!(
                "scale goes with points, not with step; allowed is {RANGE}"
            )));
        }
        (Some(_), Some(_), _) => {
            return Err(entry.error(&format!(
                "step and points exclude each other; allowed is {RANGE}"
            )));
        }
        (None, None, _) => {
            return Err(entry.error(&format!("neither step nor points; allowed is {RANGE}")));
        }
    };
    // Also catches what overflowed on the way: nothing beyond `to` is ascending.
    if values
        .windows(2)
        .all(|pair| pair[0].order(&pair[1]).is_lt())
    {
        return Ok(values);
    }
    Err(entry.error("its values are not distinct and ascending at 12 significant digits; allowed is a range where they are"))
}

fn by_step(from: Value, to: Value, step: &Entry) -> Result<Vec<Value>, SpecError> {
    let too_many = || {
        step.error(&format!(
            "more than {MAX_POINTS} values; allowed is a larger step"
        ))
    };
    match (from, to) {
        (Value::Integer(from), Value::Integer(to)) => {
            let step_value = step
                .integer(1, u64::MAX)
                .ok_or_else(|| step.refuse("an integer of at least 1"))?;
            let values =
                grid::integer_steps(from, to, step_value, MAX_POINTS).ok_or_else(too_many)?;
            Ok(values.into_iter().map(Value::Integer).collect())
        }
        _ => {
            let step_value = step
                .real()
                .filter(|&step| step > 0.0)
                .ok_or_else(|| step.refuse("a finite number above 0"))?;
            let values = grid::real_steps(from.number(), to.number(), step_value, MAX_POINTS)
                .ok_or_else(too_many)?;
            Ok(values.into_iter().map(Value::real).collect())
        }
    }
}

fn by_points(
    from: Value,
    to: Value,
    points: &Entry,
    scale: Option<&Entry>,
    table: &Table,
) -> Result<Vec<Value>, SpecError> {
    let (least, most) = if from.order(&to).is_eq() {
        (1, 1)
    } else {
        (2, MAX_POINTS)
    };
    let wanted = if most == 1 {
        "1, since from = to".to_owned()
    } else {
        format!("an integer from {least} to {most}")
    };
    let count = points
        .integer(least, most)
        .ok_or_else(|| points.refuse(&wanted))?;
    let scale = scale.map_or(Ok("linear"), |entry| {
        entry.word("scale", &["linear", "log"])
    })?;
    let (first, last) = (from.number(), to.number());
    let values = if scale == "log" {
        if first <= 0.0 {
            return Err(table
                .require("from", "a number above 0")?
                .refuse("a number above 0 on a logarithmic scale"));
        }
        grid::logarithmic(first, last, count)
    } else {
        grid::linear(first, last, count)
    };
    let inner = |value: f64| match from {
        Value::Integer(_) => whole(value).ok_or_else(|| {
            points.error(&format!(
                "{value} would be one of the values; allowed are integers"
            ))
        }),
        Value::Real(_) => Ok(Value::real(value)),
    };
    values.into_iter().map(inner).collect()
}

/// The integer that a double is; exact up to 2⁵³, far beyond any axis that one would sweep.
fn whole(value: f64) -> Option<Value> {
    (value >= 0.0 && value.fract() == 0.0 && value <= 9_007_199_254_740_992.0)
        .then_some(Value::Integer(value as u64))
}
