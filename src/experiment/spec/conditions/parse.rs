//! The text of conditions: alternatives between `;`, conditions between commas, each a key, a sign
//! and a value.

use std::collections::BTreeSet;
use std::ops::Range;

use itertools::Itertools;

use super::{
    Alternative, Conditions, Meant, NamedVariant, PointCondition, SIGNS, Sign, TRIAL_KEYS,
    key_named,
};
use crate::experiment::program::Programs;
use crate::experiment::spec::number::{MOST_INTEGER, integer_in, real_in};
use crate::experiment::spec::set::unknown_key;
use crate::experiment::spec::source::short;
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Algorithm, Value};

/// The conditions of a text; without programs a name that no algorithm of the registry has is taken
/// for an axis of one.
pub(super) fn read(text: &str, programs: Option<&Programs>) -> Result<Conditions, String> {
    let mut alternatives = Vec::new();
    for alternative in text.split(';') {
        let mut conditions = Alternative::new();
        for text in alternative.split(',').map(str::trim) {
            if !text.is_empty() {
                conditions.push(condition(text, programs)?);
            }
        }
        if conditions.is_empty() {
            return Err("expected conditions as 'algorithm=pair,n<=9'".to_owned());
        }
        refuse_gaps(&conditions)?;
        alternatives.push(conditions);
    }
    either(alternatives)
}

/// Conditions of which one alternative must hold.
pub(super) fn either(alternatives: Vec<Alternative>) -> Result<Conditions, String> {
    let of_trials = |conditions: &Alternative| -> BTreeSet<String> {
        let of_trials = conditions
            .iter()
            .filter(|condition| condition.is_of_trials());
        of_trials.map(ToString::to_string).collect()
    };
    if !alternatives.iter().map(of_trials).all_equal() {
        let expected = "expected the same seeds and trials in all alternatives";
        return Err(format!(
            "{expected}; several seeds stand together, as seed=1,seed=2"
        ));
    }
    Ok(Conditions(vec![alternatives]))
}

/// Refuses several `=` of trials that are no range of them together.
fn refuse_gaps(conditions: &Alternative) -> Result<(), String> {
    let equal = conditions.iter().filter(|condition| condition.is_equal());
    let mut ranges: Vec<Range<u64>> = equal.filter_map(PointCondition::trials_meant).collect();
    ranges.sort_by_key(|range| range.start);
    let mut end = ranges.first().map_or(0, |range| range.end);
    for range in &ranges {
        if range.start > end {
            let found = format!("{} and {}", end - 1, range.start);
            return Err(format!(
                "trials {found} do not follow each other; expected a range of trials, such as trial=3..5"
            ));
        }
        end = end.max(range.end);
    }
    Ok(())
}

/// The condition of a text; `n=4..6` has both ends, as in a spec.
fn condition(text: &str, programs: Option<&Programs>) -> Result<PointCondition, String> {
    let wrong = |reason: &str| format!("{:?}: {reason}", short(text));
    let Some((key, sign, value)) = split_at_sign(text) else {
        return Err(wrong("expected KEY=VALUE, with =, !=, <, <=, > or >="));
    };
    let known = match programs {
        Some(programs) => keys(programs.algorithms()),
        None => keys(ALGORITHMS.iter()),
    };
    // Where the programs are not known, their axes are not either.
    if programs.is_some() || !is_name_of_axis(key) {
        refuse_unknown(key, &known)?;
    }
    let is_range = sign.0 == "=" && key != "variant" && value.contains("..");
    let is_word = WORDS.contains(&key);
    if is_word && (is_range || !["=", "!="].contains(&sign.0)) {
        return Err(wrong("expected = or != and a word"));
    }
    if (key, sign.0) == ("trial", "!=") {
        return Err(wrong("expected =, <, <=, > or >=: trials are a range"));
    }

    let is_axis = |name: &str| known.contains(&name) && !is_no_axis(name);
    let meant = meant(key, value, is_range, is_axis).filter(|_| !value.is_empty());
    let Some(meant) = meant else {
        let expected = match key {
            _ if is_word => "a word",
            "seed" | "trial" => "an integer from 0 to 9223372036854775807",
            _ => "a number",
        };
        let after = format!("after {}, and a comma before the next key", sign.0);
        return Err(wrong(&format!("expected {expected} {after}")));
    };
    Ok(PointCondition {
        key: key.to_owned(),
        sign,
        value: value.to_owned(),
        meant,
    })
}

/// The key, the sign and the value of a condition. The first sign in the text counts, and of two at
/// one place the longer one, which `min` sees first.
fn split_at_sign(text: &str) -> Option<(&str, &'static Sign, &str)> {
    let signs = SIGNS.iter();
    let found = signs.filter_map(|sign| Some((text.find(sign.0)?, sign)));
    let (at, sign) = found.min_by_key(|(at, _)| *at)?;
    let key = key_named(text[..at].trim());
    Some((key, sign, text[at + sign.0.len()..].trim()))
}

/// What the value of a key is; `None` where it is no value of it.
fn meant(key: &str, value: &str, is_range: bool, is_axis: impl Fn(&str) -> bool) -> Option<Meant> {
    if key == "variant" {
        return Some(Meant::Variant(NamedVariant::of(value, [].iter())));
    }
    if WORDS.contains(&key) {
        return Some(Meant::Word);
    }
    let counts_trials = TRIAL_KEYS.contains(&key);
    let other = key_named(value);
    if !counts_trials && is_axis(other) {
        return Some(Meant::Axis(other.to_owned()));
    }
    let number = |text: &str| {
        if counts_trials {
            let number = u64::try_from(integer_in(text)?).ok()?;
            return (number <= MOST_INTEGER).then_some(Value::Integer(number));
        }
        real_in(text).map(Value::real)
    };
    let (from, to) = match value.split_once("..") {
        Some((from, to)) if is_range => (from, to.trim_start_matches('=')),
        _ => (value, value),
    };
    Some(Meant::Numbers([number(from)?, number(to)?]))
}

/// True of a key of a point or trial that is no axis.
fn is_no_axis(key: &str) -> bool {
    WORDS.contains(&key) || TRIAL_KEYS.contains(&key)
}

/// The keys that conditions on points of these algorithms may have.
pub(super) fn keys(algorithms: impl IntoIterator<Item = &'static Algorithm>) -> Vec<&'static str> {
    let axes = algorithms.into_iter().flat_map(|algorithm| algorithm.axes);
    let axes = axes.map(|axis| axis.name).sorted().dedup();
    WORDS.into_iter().chain(TRIAL_KEYS).chain(axes).collect()
}

pub(super) fn refuse_unknown(key: &str, keys: &[&str]) -> Result<(), String> {
    if keys.contains(&key) {
        return Ok(());
    }
    Err(format!("{:?}: {}", short(key), unknown_key(key, keys)))
}

/// True of a word that could be the name of an axis of a program.
fn is_name_of_axis(key: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    key.starts_with(|c: char| c.is_ascii_lowercase()) && key.chars().all(is_inner)
}
