//! `algorithm=pair,n<=9,seed=7`: which points are meant, and which of their trials, by `only` of a
//! spec and `--only` of commands.

use std::collections::BTreeSet;
use std::ops::Range;

use super::number::{integer_in, real_in};
use super::{Refused, did_you_mean};
use crate::solver::goal::Goal;
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Point};

/// Conditions on a point and its trials, all of which must hold; of several `=` of one key one.
#[derive(Debug, Clone)]
pub struct Conditions(Vec<PointCondition>);

#[derive(Debug, Clone)]
struct PointCondition {
    key: String,
    sign: &'static Sign,
    /// The value as it was written.
    value: String,
    /// The text it stands in, from 0: `=` in two texts must both hold.
    text: usize,
}

/// A sign, what stands for it in a name, and what it says of two numbers.
type Sign = (&'static str, &'static str, fn(&f64, &f64) -> bool);

/// The keys of a trial of a point. A condition on `trial` gives a range of trials.
const TRIAL_KEYS: [&str; 2] = ["seed", "trial"];

/// Longer signs first, which begin with shorter ones.
pub const SIGNS: &[Sign] = &[
    ("!=", "-not-", f64::ne),
    ("<=", "-to-", f64::le),
    (">=", "-from-", f64::ge),
    ("≤", "-to-", f64::le),
    ("≥", "-from-", f64::ge),
    ("=", "=", f64::eq),
    ("<", "-below-", f64::lt),
    (">", "-above-", f64::gt),
];

/// Reads them; an error says what is allowed.
pub fn conditions(text: &str) -> Result<Conditions, String> {
    let each = text.split(',').map(str::trim).filter(|it| !it.is_empty());
    let each = each.flat_map(|it| match range(it) {
        Some(ends) => ends.to_vec(),
        None => vec![it.to_owned()],
    });
    let all: Vec<PointCondition> = each.map(|it| condition(&it)).collect::<Result<_, _>>()?;
    if all.is_empty() {
        return Err("expected conditions as 'algorithm=pair,n<=9'".to_owned());
    }
    Ok(Conditions(all))
}

/// `n=4..6` as two conditions, of which both ends are meant, as in a spec.
fn range(text: &str) -> Option<[String; 2]> {
    let (key, values) = text.split_once('=')?;
    let (from, to) = values.split_once("..")?;
    let to = to.strip_prefix('=').unwrap_or(to);
    let is_axis = !TRIAL_KEYS.contains(&key.trim()) && !key.ends_with(['!', '<', '>']);
    is_axis.then(|| [format!("{key}>={from}"), format!("{key}<={to}")])
}

fn condition(text: &str) -> Result<PointCondition, String> {
    // The first sign in the text, and of two at one place the longer one, which `min` sees first.
    let found = SIGNS.iter().filter_map(|it| Some((text.find(it.0)?, it)));
    let (at, whole_sign) = found
        .min_by_key(|&(at, _)| at)
        .ok_or_else(|| format!("{text:?}: expected KEY=VALUE, with =, !=, <, <=, > or >="))?;
    let sign = whole_sign.0;
    let key = match text[..at].trim() {
        "ε" => "epsilon",
        "η" => "eta",
        key => key,
    };
    let value = text[at + sign.len()..].trim();
    let keys = keys();
    if !keys.contains(&key) {
        let near = did_you_mean(key, &keys);
        let allowed = keys.join(", ");
        return Err(format!(
            "{key:?}: unknown key; expected one of {allowed}{near}"
        ));
    }
    if value.is_empty() {
        return Err(format!("{text:?}: expected a value after {sign}"));
    }
    if TRIAL_KEYS.contains(&key) {
        if u64::try_from(integer_in(value).unwrap_or(-1)).is_err() {
            return Err(format!(
                "{text:?}: expected an integer from 0 to {} after {sign}, and a comma before the next key",
                u64::MAX
            ));
        }
        if (key, sign) == ("trial", "!=") {
            return Err(format!(
                "{text:?}: expected =, <, <=, > or >=: trials are a range"
            ));
        }
    } else if WORDS.contains(&key) {
        if !["=", "!="].contains(&sign) {
            return Err(format!("{text:?}: {key} is a word; expected = or !="));
        }
    } else if real_in(value).is_none() {
        return Err(format!(
            "{text:?}: expected a number after {sign}, and a comma before the next key"
        ));
    }
    Ok(PointCondition {
        key: key.to_owned(),
        sign: whole_sign,
        value: match key {
            "variant" => one_form(value),
            _ => value.to_owned(),
        },
        text: 0,
    })
}

/// A variant as points have it: of a condition on certain moves its one form.
fn one_form(variant: &str) -> String {
    let mut rules = ALGORITHMS.iter().filter(|it| it.condition.is_some());
    let condition = rules.find_map(|rule| rule.variant(variant).ok());
    condition.unwrap_or_else(|| variant.to_owned())
}

fn keys() -> Vec<&'static str> {
    let axes = ALGORITHMS.iter().flat_map(|it| it.axes);
    let axes: BTreeSet<&str> = axes.map(|axis| axis.name).collect();
    WORDS.into_iter().chain(TRIAL_KEYS).chain(axes).collect()
}

impl Conditions {
    /// True if all conditions on points hold at a point; a condition on an axis that the point does
    /// not have, does not hold.
    pub fn admit(&self, point: &Point) -> bool {
        self.hold(|it| it.admits(point))
    }

    /// True if all conditions on seeds hold for a seed.
    pub fn admit_seed(&self, seed: u64) -> bool {
        self.hold(|it| it.key != "seed" || it.admits_seed(seed))
    }

    /// True if each holds, or another `=` of the same key and text.
    fn hold(&self, holds: impl Fn(&PointCondition) -> bool) -> bool {
        self.0.iter().all(|it| {
            let is_other = |other: &&PointCondition| {
                let are_equations = it.sign.0 == "=" && other.sign.0 == "=";
                are_equations && (&other.key, other.text) == (&it.key, it.text)
            };
            holds(it) || self.0.iter().filter(is_other).any(&holds)
        })
    }

    /// The trials for which all conditions on trials hold, of a point that has so many.
    pub fn trials(&self, trials: u32) -> Range<u32> {
        let mut meant = 0..i128::from(trials);
        for it in self.0.iter().filter(|it| it.key == "trial") {
            let value = it.integer();
            let own = match it.sign.0 {
                "=" => value..value + 1,
                "<" => 0..value,
                "<=" | "≤" => 0..value + 1,
                ">" => value + 1..meant.end,
                _ => value..meant.end,
            };
            meant = meant.start.max(own.start)..meant.end.min(own.end);
        }
        let within = |it: i128| it.clamp(0, i128::from(trials)) as u32;
        within(meant.start)..within(meant.end).max(within(meant.start))
    }

    /// True if they may leave out some trials of a point and not others.
    pub fn cuts_points(&self) -> bool {
        self.0.iter().any(|it| TRIAL_KEYS.contains(&&*it.key))
    }

    /// The conditions of both: these and the others.
    pub fn and(mut self, others: Option<&Self>) -> Self {
        let texts = self.0.iter().map(|it| it.text + 1).max().unwrap_or(0);
        let others = others.into_iter().flat_map(|it| it.0.clone());
        self.0.extend(others.map(|it| PointCondition {
            text: texts + it.text,
            ..it
        }));
        self
    }

    /// The same, with conditions of certain moves in the place of their names.
    ///
    /// # Errors
    /// A name of several conditions.
    pub fn with_names<'a>(
        &self,
        names: impl Iterator<Item = &'a (String, String)> + Clone,
    ) -> Result<Self, String> {
        let mut all = self.clone();
        for condition in all.0.iter_mut().filter(|it| it.key == "variant") {
            let called = names.clone().filter(|(name, _)| *name == condition.value);
            let called: BTreeSet<&str> = called.map(|(_, meant)| &**meant).collect();
            if called.len() > 1 {
                let name = &condition.value;
                return Err(format!(
                    "variant={name}: several conditions are called so; expected the condition itself"
                ));
            }
            if let Some(meant) = called.into_iter().next() {
                condition.value = meant.to_owned();
            }
        }
        Ok(all)
    }

    /// The same, where a value that no point has is one that is printed so: of three digits, as
    /// ε = 0.0965 for 0.0965489384606.
    ///
    /// # Errors
    /// Several values of points are printed so.
    pub fn as_printed<'a>(
        &self,
        points: impl Iterator<Item = &'a Point> + Clone,
    ) -> Result<Self, String> {
        let mut all = self.clone();
        for condition in &mut all.0 {
            let Some(value) = real_in(&condition.value) else {
                continue;
            };
            let number = |it: &Point| Some(it.axes.get(&condition.key)?.number());
            let mut own: Vec<f64> = points.clone().filter_map(number).collect();
            if condition.sign.0 != "=" || own.contains(&value) {
                continue;
            }
            own.retain(|number| format!("{number:.2e}").parse() == Ok(value));
            own.sort_by(f64::total_cmp);
            own.dedup();
            match own.as_slice() {
                [] => {}
                [one] => condition.value = one.to_string(),
                several => {
                    let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                    let (key, value) = (&condition.key, &condition.value);
                    return Err(format!(
                        "{key}={value}: several values are printed so; expected one of {}",
                        several.join(", ")
                    ));
                }
            }
        }
        Ok(all)
    }

    /// The error where no point of what is named so meets them.
    pub fn nothing(&self, of: &str) -> Refused {
        Refused::new(format!("--only {self}: {of} has no such point"))
    }
}

impl PointCondition {
    /// True if it holds at a point, or is one of trials.
    fn admits(&self, point: &Point) -> bool {
        let Self {
            key, sign, value, ..
        } = self;
        let is_word = |word: &str| (word == value) == (sign.0 == "=");
        match &**key {
            "algorithm" => is_word(&point.algorithm),
            "variant" => is_word(&point.variant),
            "goal" => is_word(point.goal.map_or("", Goal::name)),
            "seed" | "trial" => true,
            axis => {
                let numbers = point.axes.get(axis).zip(real_in(value));
                numbers.is_some_and(|(own, value)| sign.2(&own.number(), &value))
            }
        }
    }

    /// True if a condition on seeds holds for a seed.
    fn admits_seed(&self, seed: u64) -> bool {
        let (seed, value) = (i128::from(seed), self.integer());
        match self.sign.0 {
            "=" => seed == value,
            "!=" => seed != value,
            "<" => seed < value,
            "<=" | "≤" => seed <= value,
            ">" => seed > value,
            _ => seed >= value,
        }
    }

    /// The value of a condition on seeds or trials.
    fn integer(&self) -> i128 {
        integer_in(&self.value).expect("it was one when the condition was read")
    }
}

impl std::fmt::Display for Conditions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |it: &PointCondition| format!("{}{}{}", it.key, it.sign.0, it.value);
        let words: Vec<String> = self.0.iter().map(word).collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Value;

    #[test]
    fn a_point_is_meant_where_every_condition_holds() {
        let point = |n| {
            let axes = [("n", Value::Integer(n)), ("epsilon", Value::real(0.01))];
            Point::new("pair", axes)
        };
        for (text, expected) in [
            ("algorithm=pair", [true, true]),
            ("algorithm!=pair", [false, false]),
            ("algorithm = pair, n <= 9", [true, false]),
            ("n<10", [true, false]),
            ("n<=8", [true, false]),
            ("n>=8,n!=10", [true, false]),
            ("n≥9", [false, true]),
            ("n=1e1", [false, true]),
            ("epsilon=1e-2", [true, true]),
            ("ε>0.01", [false, false]),
            ("eta<=1", [false, false]),
            ("variant!=PN_PL", [true, true]),
            ("variant = (safe)", [true, true]),
            ("variant!=safe", [false, false]),
            ("variant=b.queens==0", [false, false]),
            ("variant != b.queens == 0,n=8", [true, false]),
            ("n=8,n=10,epsilon=0.01", [true, true]),
            ("n=8,n=9,epsilon<1", [true, false]),
            ("algorithm=cell,algorithm=pair,n!=8", [false, true]),
            ("n=9,n>=10", [false, false]),
        ] {
            let conditions = conditions(text).expect(text);
            assert_eq!(
                [8, 10].map(|n| conditions.admit(&point(n))),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn seeds_and_a_range_of_trials_are_meant() {
        for (text, seeds, trials) in [
            ("n=8", [true; 3], 0..20),
            ("seed=7", [false, true, false], 0..20),
            ("seed=7,seed=6", [true, true, false], 0..20),
            ("seed!=7", [true, false, true], 0..20),
            ("seed<1e1,trial=3", [true, true, false], 3..4),
            ("trial>=9,trial<18", [true; 3], 9..18),
            (
                "trial>8,trial<=17,seed>=18446744073709551615",
                [false, false, true],
                9..18,
            ),
            ("trial>=20", [true; 3], 20..20),
            ("trial<5,trial>7", [true; 3], 8..8),
        ] {
            let only = conditions(text).expect(text);
            assert_eq!(
                [6, 7, u64::MAX].map(|it| only.admit_seed(it)),
                seeds,
                "{text}"
            );
            assert_eq!(only.trials(20), trials, "{text}");
            assert_eq!(only.cuts_points(), text != "n=8", "{text}");
        }
        for wrong in [
            "seed=1.5",
            "seed=-1",
            "trial=a",
            "trial!=3",
            "seed=18446744073709551616",
        ] {
            assert!(conditions(wrong).is_err(), "{wrong}");
        }
    }
}
