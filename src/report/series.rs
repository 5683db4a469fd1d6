//! Points that differ in one axis only, as curves, and in words.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Display;

use itertools::Itertools;

use super::figure::LETTERS;
use super::mark::Mark;
use super::number::short;
use crate::html::spaced;
use crate::solver::goal::Goal;
use crate::solver::{Point, Value, algorithm, symbol};

/// A point's value of a key of `group`.
pub fn word(point: &Point, key: &str) -> String {
    match key {
        "algorithm" => point.algorithm.clone(),
        "variant" => point.variant.clone(),
        "goal" => point.goal.map_or("", |goal| goal.name()).to_owned(),
        letter if letter.starts_with("variant[") => {
            let number = LETTERS.iter().position(|it| *it == letter);
            let letter = number.and_then(|number| point.variant.chars().nth(number));
            letter.into_iter().collect()
        }
        axis => point
            .axes
            .get(axis)
            .map_or_else(String::new, |it| it.to_string()),
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

/// `pair rule, n = 8, ε = 0.01`, with the exact parameters.
pub fn describe(point: &Point) -> String {
    in_words(point, &[])
}

/// [`describe`] without what the keys `apart` say.
pub fn in_words(point: &Point, apart: &[&str]) -> String {
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
            let is_condition = algorithm(rule).is_some_and(|it| it.condition.is_some());
            match variant {
                "" => format!("{of}{rule} rule"),
                from if from.starts_with("from ") => format!("{rule} rule {from}"),
                condition if is_condition => format!("{rule} rule, certain: {condition}"),
                variant => format!("{of}{rule} rule {variant}"),
            }
        }
    };
    let axes = point.axes.by_column().filter(|it| is_told(it.0));
    let axes = axes.map(|(name, value)| format!("{} = {}", symbol(name), value_in_words(value)));
    let parts = [rule].into_iter().chain(axes).chain([goal.to_owned()]);
    parts.filter(|it| !it.is_empty()).join(", ")
}

/// `pair rule`, `ε = 0.1`, `no η`.
pub fn facet_in_words(point: &Point, key: &str) -> String {
    match (point.axes.get(key), &*word(point, key)) {
        (Some(value), _) => format!("{} = {}", symbol(key), value_in_words(value)),
        (None, "") => format!("no {}", symbol(key)),
        (None, word) if key == "algorithm" => describe(&Point::new(word, [])),
        (None, word) => format!("{key} = {word}"),
    }
}

/// All digits of a whole number, six of any other.
pub fn value_in_words(value: Value) -> String {
    match value {
        Value::Integer(value) => spaced(value),
        Value::Real(value) => short(value, 6),
    }
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
    let is_word = |it: &str| it.len() > 1 && it.bytes().all(|it| it.is_ascii_alphabetic());
    match text.split([' ', ',', ':', '-']).next() {
        Some(first) if is_word(first) => text[..1].to_uppercase() + &text[1..],
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
}
