//! Values of an axis, and moments of a series: a value, a list, `"4..8"`, of integers `{from, to,
//! step}`, or `{from, to, points, scale}`. A real one may follow other axes, as a formula in
//! quotes.
//!
//! Ends are the numbers as written; what lies between is rounded to 12 significant decimal digits
//! and parsed again, so that 0.01 in a range is the same point as 0.01 in a list.

use super::formula::{self, At, DIGITS, rounded};
use super::number::range_in;
use super::tree::{Entry, SpecTable};
use super::{MAX_POINTS, Refused};
use crate::solver::{Axis, Domain, Value};

pub(super) struct Allowed<'a> {
    pub domain: Domain,
    /// The domain in words.
    pub each: String,
    /// Values that there may be.
    pub most: u64,
    /// The values of the axes that formulas follow.
    pub at: At<'a>,
}

/// The tables that are ranges of values.
pub(super) fn ranges(domain: Domain) -> &'static str {
    match domain {
        Domain::Integer { .. } => "{from, to, step} or {from, to, points, scale}",
        Domain::Real { .. } => "{from, to, points, scale}",
    }
}

/// The values of `axis` where others have these: ascending, without duplicates, at least one, at
/// most [`MAX_POINTS`].
pub(super) fn on(axis: &Axis, entry: &Entry, at: At) -> Result<Vec<Value>, Refused> {
    let domain = axis.domain;
    let allowed = Allowed {
        domain,
        each: domain.to_string(),
        most: MAX_POINTS,
        at,
    };
    let mut values = match several(&allowed, entry, &format!("values, each {domain}"))? {
        Some(values) => values,
        None => match text(&allowed, entry)? {
            Some(values) => values,
            None => vec![scalar(&allowed, entry)?],
        },
    };
    values.sort_by(Value::order);
    values.dedup();
    Ok(values)
}

/// The same on axes of one name, of which one has these values.
pub(super) fn on_one_of<'a>(
    mut axes: impl Iterator<Item = &'a Axis>,
    entry: &Entry,
) -> Result<Vec<Value>, Refused> {
    on(axes.next().expect("an axis"), entry, &[]).or_else(|refused| {
        axes.find_map(|axis| on(axis, entry, &[]).ok())
            .ok_or(refused)
    })
}

/// The values of a list, called `noun`, or of a table; `None` where `entry` is neither.
pub(super) fn several(
    allowed: &Allowed,
    entry: &Entry,
    noun: &str,
) -> Result<Option<Vec<Value>>, Refused> {
    if let Some(items) = entry.list() {
        if items.is_empty() || items.len() as u64 > allowed.most {
            return Err(entry.refuse(&format!("a list of 1 to {} {noun}", allowed.most)));
        }
        return items
            .iter()
            .map(|item| scalar(allowed, item))
            .collect::<Result<_, _>>()
            .map(Some);
    }
    let Some(range) = entry.table() else {
        return Ok(None);
    };
    let values = table(allowed, entry, &range)?;
    let is_ascending = |pair: &[Value]| pair[0].order(&pair[1]).is_lt();
    // Also catches what overflowed on the way: nothing beyond `to` is ascending.
    match values.windows(2).all(is_ascending) {
        true => Ok(Some(values)),
        false => Err(entry.error("its values are not distinct and ascending at 12 significant digits; expected a range where they are")),
    }
}

/// The value, if it is one of the domain.
fn scalar(allowed: &Allowed, entry: &Entry) -> Result<Value, Refused> {
    let each = &allowed.each;
    match allowed.domain {
        Domain::Integer { min, max } => entry.integer(min, max, each).map(Value::Integer),
        Domain::Real { min, max } => {
            let is_allowed = |value: f64| (min..=max).contains(&value);
            let value = match entry.text("") {
                Ok(text) => by_formula(allowed, text, is_allowed).map_err(|it| entry.error(&it)),
                Err(_) => entry.real(is_allowed, each),
            };
            value.map(Value::real)
        }
    }
}

/// The value of a formula.
fn by_formula(
    allowed: &Allowed,
    text: &str,
    is_allowed: impl Fn(f64) -> bool,
) -> Result<f64, String> {
    let (each, at) = (&allowed.each, allowed.at);
    if formula::names(text).all(|name| at.iter().all(|it| it.0 != name)) {
        let such_as = "a formula of another axis such as \"0.01 * (n / 8)^-1.5 to 2 digits\"";
        return Err(format!("expected {each}, or {such_as}"));
    }
    let value = formula::value(text, at)?;
    let places: Vec<String> = at
        .iter()
        .map(|(name, it)| format!("{name} = {it}"))
        .collect();
    match is_allowed(value) {
        true => Ok(value),
        false => Err(format!("{value} at {}; expected {each}", places.join(", "))),
    }
}

/// The integers of `"4..8"` or `"4..=8"`, both ends included; `None` for other values.
fn text(allowed: &Allowed, entry: &Entry) -> Result<Option<Vec<Value>>, Refused> {
    let Domain::Integer { min, max } = allowed.domain else {
        return Ok(None);
    };
    let Ok(text) = entry.text("") else {
        return Ok(None);
    };
    let Some(ends) = range_in(text) else {
        let expected = format!("{}, or a range as \"4..7\"", allowed.each);
        return Err(entry.refuse(&expected));
    };
    let [from, to] = ends.map(|end| u64::try_from(end).ok());
    let is_allowed =
        |(from, to): &(u64, u64)| (min..=max).contains(from) && from <= to && *to <= max;
    let ends = from.zip(to).filter(is_allowed);
    let values = ends.and_then(|(from, to)| integer_steps(from, to, 1, allowed.most));
    let refused = || entry.refuse(&format!("A..B with A ≤ B, each {}", allowed.each));
    values.ok_or_else(refused).map(Some)
}

/// The values of one of the [`ranges`].
fn table(allowed: &Allowed, entry: &Entry, table: &SpecTable) -> Result<Vec<Value>, Refused> {
    table.only(&["from", "to", "step", "points", "scale"])?;
    let end = |key| scalar(allowed, &table.require(key, &allowed.each)?);
    let (from, to) = (end("from")?, end("to")?);
    if from.order(&to).is_gt() {
        return Err(entry.error("from is greater than to; expected from ≤ to"));
    }
    let wanted =
        |reason| Err(entry.error(&format!("{reason}; expected {}", ranges(allowed.domain))));
    match (table.get("step"), table.get("points"), table.get("scale")) {
        (None, Some(points), _) => by_points(allowed, from, to, table, &points),
        (Some(_), None, Some(_)) => wanted("scale goes with points, not with step"),
        (Some(_), Some(_), _) => wanted("step and points exclude each other"),
        (None, None, Some(_)) => wanted("neither step nor points"),
        (step, None, None) => match (from, to, step) {
            (Value::Integer(from), Value::Integer(to), step) => {
                let wide = step.as_ref();
                let wide = wide.map(|it| it.integer(1, u64::MAX, "an integer of at least 1"));
                let values = integer_steps(from, to, wide.unwrap_or(Ok(1))?, allowed.most);
                let most = allowed.most;
                let too_many = format!("more than {most} values; expected a larger step");
                values.ok_or_else(|| step.as_ref().unwrap_or(entry).error(&too_many))
            }
            (_, _, Some(_)) => wanted("a step is for integers"),
            (_, _, None) => wanted("no points"),
        },
    }
}

fn by_points(
    allowed: &Allowed,
    from: Value,
    to: Value,
    table: &SpecTable,
    points: &Entry,
) -> Result<Vec<Value>, Refused> {
    let (least, most, wanted) = if from.order(&to).is_eq() {
        (1, 1, "1, since from = to".to_owned())
    } else {
        let most = allowed.most;
        (2, most, format!("an integer from 2 to {most}"))
    };
    let count = points.integer(least, most, &wanted)?;
    let scale = table.optional("scale", |it| it.word("scale", &["linear", "log"]))?;
    let (first, last) = (from.number(), to.number());
    let is_logarithmic = scale == Some("log");
    if is_logarithmic && first <= 0.0 {
        let above = "a number above 0 on a logarithmic scale";
        return Err(table.require("from", above)?.refuse(above));
    }
    let values = between(first, last, count, is_logarithmic);
    let inner = |value: f64| match from {
        // Exact up to 2⁵³, far beyond any axis that one would sweep.
        Value::Integer(_) if value.fract() == 0.0 && value <= 9_007_199_254_740_992.0 => {
            Ok(Value::Integer(value as u64))
        }
        Value::Integer(_) => Err(points.error(&format!(
            "{value} would be one of the values; expected integers"
        ))),
        Value::Real(_) => Ok(Value::real(value)),
    };
    values.into_iter().map(inner).collect()
}

/// `from, from + step, …` up to `to`; `None` if there are more than `limit` values.
fn integer_steps(from: u64, to: u64, step: u64, limit: u64) -> Option<Vec<Value>> {
    let last = (to - from) / step;
    let values = (0..=last).map(|i| Value::Integer(from + i * step));
    (last < limit).then(|| values.collect())
}

/// `points` values from `from` to `to`, a single one is `from`: equally far apart, or each the same
/// multiple of the one before, `from · (to/from)^(i/(points−1))`. The ends are as they are.
fn between(from: f64, to: f64, points: u64, is_logarithmic: bool) -> Vec<f64> {
    let last = points.saturating_sub(1);
    let inner = |share: f64| match is_logarithmic {
        true => from * libm::pow(to / from, share),
        false => from + (to - from) * share,
    };
    let value = |i| match i {
        0 => from,
        i if i == last => to,
        i => rounded(inner(i as f64 / last as f64), DIGITS),
    };
    (0..=last).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_at_or_before_the_end() {
        let last = |to| integer_steps(4, to, 2, 100)?.pop();
        assert_eq!(
            [12, 11, 4].map(last),
            [12, 10, 4].map(|it| Some(Value::Integer(it)))
        );
        assert_eq!(integer_steps(0, u64::MAX, 1, 100), None);
    }

    #[test]
    fn ends_are_the_literals_whatever_their_digits() {
        let (from, to) = (0.123_456_789_012_345_6, 0.987_654_321_098_765_4);
        for grid in [false, true].map(|is_log| between(from, to, 5, is_log)) {
            assert_eq!((grid[0], grid[4]), (from, to));
            assert!(
                grid[1..4]
                    .iter()
                    .all(|&value| value == rounded(value, DIGITS))
            );
        }
        assert_eq!(between(0.0, 1.0, 5, false), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(between(0.7, 0.7, 1, false), [0.7]);
    }
}
