//! Points that differ in one axis only, as curves, and in words. Here are the names of rules,
//! relaxations and variants (`pair rule, n = 8, ε = 0.01`), the digits of their values (6, or as
//! many as tell them apart), the order of rules, and from where on a hit counts as visibly less (3
//! %).

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use itertools::Itertools;

use crate::experiment::spec::number::telling_digits;
use crate::html::spaced;
use crate::report::keys::LETTERS;
use crate::report::marks::mark::Mark;
use crate::report::words::number::short;
use crate::solver::goal::Goal;
use crate::solver::{Point, Value, algorithm, symbol};

/// A point's value of a key of `group`.
pub fn word(point: &Point, key: &str) -> String {
    match key {
        "algorithm" => point.algorithm.clone(),
        "variant" => point.variant.clone(),
        "goal" => point.goal.map_or("", |goal| goal.name()).to_owned(),
        letter if letter.starts_with("variant[") => {
            let number = LETTERS.iter().position(|name| *name == letter);
            let letter = number.and_then(|number| point.variant.chars().nth(number));
            letter.into_iter().collect()
        }
        axis => point
            .axes
            .get(axis)
            .map_or_else(String::new, |value| value.to_string()),
    }
}

/// Groups of those with one key, in the order in which the groups begin.
pub fn grouped<T, K: Ord>(all: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut indices = BTreeMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        let index = *indices.entry(key(&one)).or_insert(groups.len());
        if index == groups.len() {
            groups.push(Vec::new());
        }
        groups[index].push(one);
    }
    groups
}

/// Sorted, each once.
pub fn distinct(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let sorted = values.into_iter().sorted_by(f64::total_cmp);
    sorted.dedup().collect()
}

/// Rules with fewer parameters come first.
pub fn fewer_axes_first(a: &Point, b: &Point) -> Ordering {
    a.axes.count().cmp(&b.axes.count())
}

/// The stretches of `earlier` (a quantity at the hit) where it lies visibly below `later` (the same
/// at absorption): by more than 3 per cent at one end of each of their steps. Both are in
/// increasing order across.
pub fn visibly_below(earlier: &[Mark], later: &[Mark]) -> Vec<Vec<Mark>> {
    let differs = |mark: &Mark| {
        let at_or_beyond = &later[later.partition_point(|other| other.x < mark.x)..];
        let mut at = at_or_beyond.iter().take_while(|other| other.x == mark.x);
        at.any(|other| mark.y.value < 0.97 * other.y.value)
    };
    let stretches = earlier.chunk_by(|a, b| differs(a) || differs(b));
    let stretches = stretches.filter(|marks| marks.len() > 1);
    stretches.map(<[Mark]>::to_vec).collect()
}

/// The significant digits with which values of each axis are printed in a figure: so many that no
/// two of them have one name, and six at least.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Digits(BTreeMap<String, usize>);

/// Significant digits of a value where no more are needed.
const DIGITS: usize = 6;

impl Digits {
    /// The digits that tell the values of these points apart.
    pub fn of<'p>(points: impl IntoIterator<Item = &'p Point>) -> Self {
        let mut values: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for point in points {
            for (axis, value) in point.axes.by_name() {
                let Value::Real(value) = value else {
                    continue;
                };
                match values.get_mut(axis) {
                    Some(known) => known.insert(value.to_bits()),
                    None => values
                        .entry(axis.to_owned())
                        .or_default()
                        .insert(value.to_bits()),
                };
            }
        }
        let digits = values.into_iter().map(|(axis, values)| {
            let values = values.into_iter().map(f64::from_bits);
            (axis, telling_digits(values, DIGITS))
        });
        Self(digits.collect())
    }

    /// A value of an axis: all digits of a whole number, of any other those that tell it from the
    /// others.
    pub fn value_in_words(&self, axis: &str, value: Value) -> String {
        match value {
            Value::Integer(value) => spaced(value),
            Value::Real(value) => short(value, self.0.get(axis).copied().unwrap_or(DIGITS)),
        }
    }

    /// `pair rule, n = 8, ε = 0.01`.
    pub fn describe(&self, point: &Point) -> String {
        self.in_words(point, &[])
    }

    /// [`Self::describe`] without what the keys `apart` say.
    pub fn in_words(&self, point: &Point, apart: &[&str]) -> String {
        let is_told = |key: &str| !apart.contains(&key);
        let goal = match point.goal.filter(|_| is_told("goal")) {
            Some(Goal::First) => "first board",
            Some(Goal::All) => "all boards",
            _ => "",
        };
        let variant = if is_told("variant") {
            &*point.variant
        } else {
            ""
        };
        let rule = match (point.goal, variant) {
            (_, variant) if !is_told("algorithm") => variant.to_owned(),
            (Some(_), "") => point.algorithm.clone(),
            (Some(_), variant) => format!("{} {variant}", point.algorithm),
            (None, variant) => {
                let (of, rule) = match point.algorithm.strip_suffix("-relaxation") {
                    Some(rule) => ("relaxation of the ", rule),
                    None => ("", &point.algorithm[..]),
                };
                let is_condition =
                    algorithm(rule).is_some_and(|algorithm| algorithm.condition.is_some());
                match variant {
                    // A program of a spec, which may be no rule.
                    "" if algorithm(rule).is_none() => point.algorithm.clone(),
                    "" => format!("{of}{rule} rule"),
                    from if from.starts_with("from ") => format!("{rule} rule {from}"),
                    condition if is_condition => format!("{rule} rule, certain: {condition}"),
                    variant => format!("{of}{rule} rule {variant}"),
                }
            }
        };
        let axes = point
            .axes
            .by_column()
            .filter(|by_column| is_told(by_column.0));
        let axes = axes.map(|(name, value)| {
            format!("{} = {}", symbol(name), self.value_in_words(name, value))
        });
        let parts = [rule].into_iter().chain(axes).chain([goal.to_owned()]);
        parts.filter(|part| !part.is_empty()).join(", ")
    }

    /// `pair rule`, `ε = 0.1`, `no η`.
    pub fn facet_in_words(&self, point: &Point, key: &str) -> String {
        match (point.axes.get(key), &*word(point, key)) {
            (Some(value), _) => {
                format!("{} = {}", symbol(key), self.value_in_words(key, value))
            }
            (None, "") => format!("no {}", symbol(key)),
            (None, word) if key == "algorithm" => describe(&Point::new(word, [])),
            (None, word) => format!("{key} = {word}"),
        }
    }
}

/// `pair rule, n = 8, ε = 0.01`, of a point alone.
pub fn describe(point: &Point) -> String {
    Digits::default().describe(point)
}

/// `a`, `a and b`, `a, b and c`.
pub fn enumerated<W: Borrow<str> + Display>(words: &[W]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The text with a capital first letter, unless it begins with a symbol: `n = 8`, `ε = 0.1` and
/// `1/d` stay as they are.
pub fn capital(text: &str) -> String {
    let is_word = |part: &str| part.chars().count() > 1 && part.chars().all(char::is_alphabetic);
    let mut signs = text.chars();
    match (text.split([' ', ',', ':', '-']).next(), signs.next()) {
        (Some(first), Some(sign)) if is_word(first) => sign.to_uppercase().chain(signs).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_condition_is_told_from_the_name_of_a_variant() {
        for (name, variant, expected) in [
            ("pair", "", "pair rule"),
            ("pair", "b.queens == 0", "pair rule, certain: b.queens == 0"),
            ("synchronous", "blind", "synchronous rule blind"),
        ] {
            let point = Point {
                variant: variant.to_owned(),
                ..Point::new(name, [])
            };
            assert_eq!(describe(&point), expected);
        }
    }
    /// Of 0.1 and 0.1000001 six digits are the same; of 0.25 and 0.5 one is enough.
    #[test]
    fn values_that_differ_are_printed_differently() {
        let point = |epsilon, eta| {
            let axes = [("epsilon", Value::real(epsilon)), ("eta", Value::real(eta))];
            Point::new("cell", axes)
        };
        let points = [
            point(0.1, 0.5),
            point(0.1000001, 0.25),
            point(0.1000001, 0.5),
        ];
        let digits = Digits::of(&points);
        let words = points
            .each_ref()
            .map(|it| digits.in_words(it, &["algorithm"]));
        let expected = [
            "ε = 0.1, η = 0.5",
            "ε = 0.1000001, η = 0.25",
            "ε = 0.1000001, η = 0.5",
        ];
        assert_eq!(words, expected);
        assert_eq!(
            digits.facet_in_words(&points[1], "epsilon"),
            "ε = 0.1000001"
        );
        assert_eq!(describe(&points[1]), "cell rule, ε = 0.1, η = 0.25");
    }
}
