//! Values of an axis, moments of a series, and seeds: a value, a list, `"4..8"`, of integers
//! `{from, to, step}`, or `{from, to, points, scale}`. A real one may follow other axes, as a
//! formula in quotes. Which forms a value may have, at which digits two values are one, and the
//! messages of values that are refused, are decided here.
//!
//! Ends are the numbers as written; what lies between is rounded to 12 significant decimal digits
//! and parsed again, so that 0.01 in a range is the same point as 0.01 in a list.

use std::ops::Range;

use itertools::Itertools;
use toml::Spanned;

use super::formula::{self, At, DIGITS, rounded};
use super::number::{range_in, real_in};
use super::source::Source;
use super::values::{RangeTable, Scalar, Spacing, Values};
use super::{MAX_POINTS, Refused};
use crate::solver::{Axis, Domain, Value};

pub(super) struct AllowedValues<'a> {
    source: &'a Source<'a>,
    domain: Domain,
    /// Values that there may be.
    most: u64,
    /// The values of the axes that formulas follow.
    at: At<'a>,
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
pub(crate) fn on(
    source: &Source,
    axis: &Axis,
    values: &Values,
    at: At,
) -> Result<Vec<Value>, Refused> {
    let allowed = AllowedValues::new(source, axis.domain, MAX_POINTS, at);
    let mut values = allowed.values(values)?;
    values.sort_by(Value::order);
    values.dedup();
    Ok(values)
}

impl<'a> AllowedValues<'a> {
    pub fn new(source: &'a Source<'a>, domain: Domain, most: u64, at: At<'a>) -> Self {
        Self {
            source,
            domain,
            most,
            at,
        }
    }

    /// The values in the order of the file, at least one.
    pub fn values(&self, values: &Values) -> Result<Vec<Value>, Refused> {
        let domain = self.domain;
        let most = self.most;
        let expected = |expected: String| self.source.expected(values.span.clone(), &expected);
        if let Some(range) = &values.range {
            return self.range(range, values.span.clone());
        }
        if let ([one], Domain::Integer { min, max }) = (&values.items[..], domain)
            && let Some(text) = one.get_ref().text()
        {
            let values = range_in(text).and_then(|[from, to]| {
                let is_within = i128::from(min) <= from && to <= i128::from(max) && from <= to;
                let steps = || integer_steps(from as u64, to as u64, 1, most);
                is_within.then(steps).flatten()
            });
            let range = match most {
                1 => String::new(),
                _ => format!(", or 1 to {most} of them, as a range \"4..7\""),
            };
            return values.ok_or_else(|| expected(format!("{domain}{range}")));
        }
        if (1..=most).contains(&(values.items.len() as u64)) {
            return values.items.iter().map(|item| self.scalar(item)).collect();
        }
        Err(expected(match most {
            1 => domain.to_string(),
            _ => format!("a list of 1 to {most} values, each {domain}"),
        }))
    }

    /// The value, if it is one of the domain.
    fn scalar(&self, value: &Spanned<Scalar>) -> Result<Value, Refused> {
        let source = self.source;
        let domain = self.domain.to_string();
        let (min, max) = match self.domain {
            Domain::Integer { min, max } => {
                let found = source.integer(value, (min, max), &domain);
                return found.map(Value::Integer);
            }
            Domain::Real { min, max } => (min, max),
        };
        let is_within = |real: f64| (min..=max).contains(&real);
        let Some(text) = value.get_ref().text() else {
            return match real_in(source.text(value.span())) {
                Some(real) if is_within(real) => Ok(Value::real(real)),
                _ => Err(source.expected(value.span(), &domain)),
            };
        };
        let by_formula = self.by_formula(text);
        let real = by_formula.map_err(|reason| source.refuse(value.span(), &reason))?;
        if is_within(real) {
            return Ok(Value::real(real));
        }
        let mut followed = self.at.iter().map(|(axis, at)| format!("{axis} = {at}"));
        let at = followed.join(", ");
        let reason = format!("{real} at {at}; expected {domain}");
        Err(source.refuse(value.span(), &reason))
    }

    fn by_formula(&self, text: &str) -> Result<f64, String> {
        let is_followed = |name: &str| self.at.iter().any(|(axis, _)| *axis == name);
        if !formula::names(text).any(is_followed) {
            let such_as = "a formula of an axis that has none itself, such as \"0.01 * (n / 8)^-1.5 to 2 digits\"";
            return Err(format!("expected {}, or {such_as}", self.domain));
        }
        formula::value(text, self.at)
    }

    /// The values of one of the [`ranges`].
    fn range(&self, range: &RangeTable, span: Range<usize>) -> Result<Vec<Value>, Refused> {
        let refused = |message: &str| self.source.refuse(span.clone(), message);
        let from = self.scalar(&range.from)?;
        let to = self.scalar(&range.to)?;
        if from.order(&to).is_gt() {
            return Err(refused("from is greater than to; expected from ≤ to"));
        }
        let values = match (from, to, &range.step, &range.points) {
            (_, _, None, Some(points)) => self.points(range, (from, to), points)?,
            (Value::Integer(from), Value::Integer(to), step, None) if range.scale.is_none() => {
                let least = "an integer of at least 1";
                let step = step.as_ref();
                let step = step.map(|step| self.source.integer(step, (1, u64::MAX), least));
                let values = integer_steps(from, to, step.transpose()?.unwrap_or(1), self.most);
                let too_many = format!("more than {} values; expected a larger step", self.most);
                values.ok_or_else(|| refused(&too_many))?
            }
            _ => {
                let either = match (self.domain, &range.step) {
                    (Domain::Real { .. }, Some(_)) => "step is for integers",
                    _ => "step or points says how many values, and scale goes with points",
                };
                return Err(refused(&format!(
                    "expected {}: {either}",
                    ranges(self.domain)
                )));
            }
        };
        // Also catches what overflowed on the way: nothing beyond `to` is ascending.
        if values.is_sorted_by(|a, b| a.order(b).is_lt()) {
            return Ok(values);
        }
        let distinct = "its values are not distinct and ascending at 12 significant digits; expected a range where they are";
        Err(refused(distinct))
    }

    fn points(
        &self,
        range: &RangeTable,
        (from, to): (Value, Value),
        points: &Spanned<Scalar>,
    ) -> Result<Vec<Value>, Refused> {
        let source = self.source;
        let most = self.most;
        let least = 1 + u64::from(from != to);
        let expected = format!("an integer from {least} to {most}");
        let count = source.integer(points, (least, most), &expected)?;
        let first = from.number();
        let last = to.number();
        let is_logarithmic = range.scale == Some(Spacing::Log);
        if is_logarithmic && first <= 0.0 {
            let expected = "a number above 0 on a logarithmic scale";
            return Err(source.expected(range.from.span(), expected));
        }
        // Exact up to 2⁵³, far beyond any axis that one would sweep.
        let is_whole = |value: f64| value.fract() == 0.0 && value <= 9_007_199_254_740_992.0;
        let wrong = |value| format!("{value} would be one of the values; expected integers");
        let inner = |value: f64| match from {
            Value::Real(_) => Ok(Value::real(value)),
            Value::Integer(_) if is_whole(value) => Ok(Value::Integer(value as u64)),
            Value::Integer(_) => Err(source.refuse(points.span(), &wrong(value))),
        };
        let values = between(first, last, count, is_logarithmic);
        values.into_iter().map(inner).collect()
    }
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
    let inner = |share: f64| {
        if is_logarithmic {
            from * libm::pow(to / from, share)
        } else {
            from + (to - from) * share
        }
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
    fn ends_are_the_literals_whatever_their_digits() {
        let (from, to) = (0.123_456_789_012_345_6, 0.987_654_321_098_765_4);
        for grid in [false, true].map(|is_log| between(from, to, 5, is_log)) {
            assert_eq!((grid[0], grid[4]), (from, to));
            let mut inner = grid[1..4].iter();
            assert!(inner.all(|&value| value == rounded(value, DIGITS)));
        }
        assert_eq!(integer_steps(0, u64::MAX, 1, 100), None);
    }
}
