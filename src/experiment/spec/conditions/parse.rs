//! The text of conditions: alternatives between `;`, conditions between commas, each a key, a sign
//! and a value. Here are the keys that conditions may have, and the messages of a text that is
//! none. What conditions mean is in `conditions.rs`.

use std::collections::BTreeSet;
use std::ops::Range;

use itertools::Itertools;

use super::{
    Alternative, Conditions, Meant, NamedVariant, PointCondition, SIGNS, Sign, TRIAL_KEYS,
    key_named,
};
use crate::experiment::program::Programs;
use crate::experiment::spec::did_you_mean::did_you_mean;
use crate::experiment::spec::error::{one_of, wrong_part};
use crate::experiment::spec::number::{MOST_INTEGER, integer_in, real_in};
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Algorithm, Value};

/// The conditions of a text; without programs a name that no algorithm of the registry has is taken
/// for an axis of one.
pub(super) fn read(text: &str, programs: Option<&Programs>) -> Result<Conditions, String> {
    let parser = Parser::new(text, programs);
    let mut alternatives = Vec::new();
    for alternative in text.split(';') {
        let mut conditions = Alternative::new();
        for part in alternative.split(',').map(str::trim) {
            if !part.is_empty() {
                conditions.push(parser.condition(part)?);
            }
        }
        if conditions.is_empty() {
            return Err(parser.wrong(alternative, "conditions such as 'algorithm=pair,n<=9'"));
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

/// The text of conditions and the keys that they may have.
struct Parser<'t> {
    text: &'t str,
    keys: Vec<&'static str>,
    /// False where programs may have further axes.
    are_all_known: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, programs: Option<&Programs>) -> Self {
        let keys = match programs {
            Some(programs) => keys(programs.algorithms()),
            None => keys(ALGORITHMS.iter()),
        };
        Self {
            text,
            keys,
            are_all_known: programs.is_some(),
        }
    }

    /// The error of a part of the text.
    fn wrong(&self, part: &str, expected: &str) -> String {
        wrong_part(self.text, part, expected)
    }

    /// The condition that a part of the text is; `n=4..6` has both ends, as in a spec.
    fn condition(&self, part: &'t str) -> Result<PointCondition, String> {
        let Some((key_text, sign_text, sign, value)) = split_at_sign(part) else {
            return Err(self.wrong(part, "KEY=VALUE, with =, !=, <, <=, > or >="));
        };
        let key = key_named(key_text);
        if (self.are_all_known || !is_name_of_axis(key)) && !self.keys.contains(&key) {
            return Err(self.wrong(key_text, &known_key(key, &self.keys)));
        }
        let is_word = WORDS.contains(&key);
        if is_word && !["=", "!="].contains(&sign.0) {
            return Err(self.wrong(sign_text, "= or != and a word"));
        }
        if (key, sign.0) == ("trial", "!=") {
            let expected = "=, <, <=, > or >=: trials are a range";
            return Err(self.wrong(sign_text, expected));
        }

        let Some(meant) = self.meant(key, sign, value) else {
            let expected = match key {
                _ if is_word => "a word",
                "seed" | "trial" => "an integer from 0 to 9223372036854775807",
                _ => "a number",
            };
            let after = format!("after {}, and a comma before the next key", sign.0);
            return Err(self.wrong(value, &format!("{expected} {after}")));
        };
        Ok(PointCondition {
            key: key.to_owned(),
            sign,
            value: value.to_owned(),
            meant,
        })
    }

    /// What the value of a key is; `None` where it is no value of it.
    fn meant(&self, key: &str, sign: &Sign, value: &str) -> Option<Meant> {
        if value.is_empty() {
            return None;
        }
        if key == "variant" {
            return Some(Meant::Variant(NamedVariant::of(value, [].iter())));
        }
        let ends = value.split_once("..").filter(|_| sign.0 == "=");
        if WORDS.contains(&key) {
            return ends.is_none().then_some(Meant::Word);
        }
        let counts_trials = TRIAL_KEYS.contains(&key);
        let other = key_named(value);
        if !counts_trials && self.keys.contains(&other) && !is_no_axis(other) {
            return Some(Meant::Axis(other.to_owned()));
        }
        let number = |text: &str| {
            if counts_trials {
                let number = u64::try_from(integer_in(text)?).ok()?;
                return (number <= MOST_INTEGER).then_some(Value::Integer(number));
            }
            real_in(text).map(Value::real)
        };
        let (from, to) = match ends {
            Some((from, to)) => (from, to.trim_start_matches('=')),
            None => (value, value),
        };
        Some(Meant::Numbers([number(from)?, number(to)?]))
    }
}

/// The key, the sign as it is written, its entry and the value of a condition. The first sign in
/// the text counts, and of two at one place the longer one, which `min` sees first.
fn split_at_sign(part: &str) -> Option<(&str, &str, &'static Sign, &str)> {
    let signs = SIGNS.iter();
    let found = signs.filter_map(|sign| Some((part.find(sign.0)?, sign)));
    let (at, sign) = found.min_by_key(|(at, _)| *at)?;
    let (key, rest) = part.split_at(at);
    let (sign_text, value) = rest.split_at(sign.0.len());
    Some((key.trim(), sign_text, sign, value.trim()))
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

/// What is expected in place of a key that is none of these.
pub(super) fn known_key(key: &str, keys: &[&str]) -> String {
    format!("{}{}", one_of(keys), did_you_mean(key, keys))
}

/// True of a word that could be the name of an axis of a program.
fn is_name_of_axis(key: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    key.starts_with(|c: char| c.is_ascii_lowercase()) && key.chars().all(is_inner)
}
