//! `algorithm=pair,n<=9,seed=7`: which points are meant, and which of their trials, by `only` of a
//! spec and `--only` of commands.

use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::collections::BTreeSet;
use std::ops::Range;

use itertools::Itertools;

use super::number::{as_printed, integer_in, real_in};
use super::source::short;
use super::{Refused, set::unknown_key};
use crate::solver::goal::Goal;
use crate::solver::point::WORDS;
use crate::solver::{ALGORITHMS, Point, Value};

/// Conditions on a point and its trials. Every text must hold; of a text one of its alternatives,
/// between which `;` stands; of these all conditions, and of several `=` of one key one.
#[derive(Debug, Clone)]
pub struct Conditions(Vec<Vec<Alternative>>);

type Alternative = Vec<PointCondition>;

#[derive(Debug, Clone)]
struct PointCondition {
    key: String,
    sign: &'static Sign,
    /// The value as it was written.
    value: String,
    /// The value as a number, on an axis or of seeds and trials.
    number: Option<Value>,
}

/// A sign, what stands for it in a name, and the orders of two numbers of which it is true.
type Sign = (&'static str, &'static str, fn(Ordering) -> bool);

/// The keys of a trial of a point. A condition on `trial` gives a range of trials.
const TRIAL_KEYS: [&str; 2] = ["seed", "trial"];

/// Longer signs first, which begin with shorter ones.
pub const SIGNS: &[Sign] = &[
    ("!=", "-not-", Ordering::is_ne),
    ("<=", "-to-", Ordering::is_le),
    (">=", "-from-", Ordering::is_ge),
    ("≤", "-to-", Ordering::is_le),
    ("≥", "-from-", Ordering::is_ge),
    ("=", "=", Ordering::is_eq),
    ("<", "-below-", Ordering::is_lt),
    (">", "-above-", Ordering::is_gt),
];

/// Reads them; an error says what is expected.
pub fn conditions(text: &str) -> Result<Conditions, String> {
    let alternatives = text.split(';').map(|text| {
        let each = text.split(',').map(str::trim).filter(|it| !it.is_empty());
        let each: Vec<Alternative> = each.map(condition).collect::<Result<_, _>>()?;
        if each.is_empty() {
            return Err("expected conditions as 'algorithm=pair,n<=9'".to_owned());
        }
        Ok(each.concat())
    });
    let all: Vec<Alternative> = alternatives.collect::<Result<_, _>>()?;
    let of_trials = |all: &Alternative| {
        let own = all.iter().filter(|it| TRIAL_KEYS.contains(&&*it.key));
        own.map(ToString::to_string).collect::<BTreeSet<_>>()
    };
    if all.iter().any(|it| of_trials(it) != of_trials(&all[0])) {
        return Err("expected the same seeds and trials in all alternatives".to_owned());
    }
    Ok(Conditions(vec![all]))
}

/// The condition of a text; of a range `n=4..6`, of which both ends are meant, as in a spec, two.
fn condition(text: &str) -> Result<Alternative, String> {
    let wrong = |reason: &str| format!("{:?}: {reason}", short(text));
    // The first sign in the text, and of two at one place the longer one, which `min` sees first.
    let found = SIGNS.iter().filter_map(|it| Some((text.find(it.0)?, it)));
    let Some((at, sign)) = found.min_by_key(|it| it.0) else {
        return Err(wrong("expected KEY=VALUE, with =, !=, <, <=, > or >="));
    };
    let (key, value) = (text[..at].trim(), text[at + sign.0.len()..].trim());
    let key = match key {
        "ε" => "epsilon",
        "η" => "eta",
        key => key,
    };
    let axes = ALGORITHMS.iter().flat_map(|it| it.axes);
    let axes = axes.map(|it| it.name).sorted().dedup();
    let keys = WORDS.into_iter().chain(TRIAL_KEYS).chain(axes);
    let keys: Vec<&str> = keys.collect();
    if !keys.contains(&key) {
        return Err(format!("{:?}: {}", short(key), unknown_key(key, &keys)));
    }
    let is_word = WORDS.contains(&key);
    let range = value.split_once("..");
    let range = range.filter(|_| sign.0 == "=" && key != "variant");
    if is_word && (range.is_some() || !["=", "!="].contains(&sign.0)) {
        return Err(wrong("expected = or != and a word"));
    }
    if (key, sign.0) == ("trial", "!=") {
        return Err(wrong("expected =, <, <=, > or >=: trials are a range"));
    }
    let ends = match range {
        Some((from, to)) => vec![(&SIGNS[2], from), (&SIGNS[1], to.trim_start_matches('='))],
        None => vec![(sign, value)],
    };
    let one = |(sign, value): (&'static Sign, &str)| {
        let whole = || integer_in(value)?.try_into().ok();
        let (number, expected) = match key {
            _ if is_word => (None, "a word"),
            "seed" | "trial" => (
                whole().map(Value::Integer),
                "an integer from 0 to 18446744073709551615",
            ),
            _ => (real_in(value).map(Value::real), "a number"),
        };
        if number.is_none() && (!is_word || value.is_empty()) {
            let after = format!("after {}, and a comma before the next key", sign.0);
            return Err(wrong(&format!("expected {expected} {after}")));
        }
        // A condition on certain moves has one form in points.
        let mut rules = ALGORITHMS.iter().filter(|it| it.condition.is_some());
        let form = rules.find_map(|it| it.variant(value).ok());
        let form = form.filter(|_| key == "variant");
        Ok(PointCondition {
            key: key.to_owned(),
            sign,
            value: form.unwrap_or_else(|| value.to_owned()),
            number,
        })
    };
    ends.into_iter().map(one).collect()
}

impl Conditions {
    /// True if all conditions on points hold at a point; a condition on an axis that the point does
    /// not have, does not hold.
    pub fn admit(&self, point: &Point) -> bool {
        self.hold(|it| it.admits(point))
    }

    /// True if all conditions on seeds hold for a seed.
    pub fn admit_seed(&self, seed: u64) -> bool {
        let seed = Value::Integer(seed);
        let is_met = |own: Value| seed.order(&own);
        self.hold(|it| it.key != "seed" || it.number.map(is_met).is_some_and(it.sign.2))
    }

    /// True if each condition of an alternative of every text holds, or another `=` of its key.
    fn hold(&self, holds: impl Fn(&PointCondition) -> bool) -> bool {
        let hold = |all: &Alternative| {
            all.iter().all(|own| {
                let is_other = |other: &&PointCondition| {
                    own.sign.0 == "=" && other.sign.0 == "=" && other.key == own.key
                };
                holds(own) || all.iter().filter(is_other).any(&holds)
            })
        };
        self.0.iter().all(|text| text.iter().any(hold))
    }

    fn each(&self) -> impl Iterator<Item = &PointCondition> {
        self.0.iter().flatten().flatten()
    }

    /// The trials for which all conditions on trials hold, of a point that has so many.
    pub fn trials(&self, trials: u32) -> Range<u32> {
        let mut meant = 0..u64::from(trials);
        for it in self.each().filter(|it| it.key == "trial") {
            let Some(Value::Integer(value)) = it.number else {
                continue;
            };
            let [below, at, above] = [Less, Equal, Greater].map(it.sign.2);
            let from = if below {
                0
            } else {
                value.saturating_add(u64::from(!at))
            };
            let to = if above {
                u64::MAX
            } else {
                value.saturating_add(u64::from(at))
            };
            meant = meant.start.max(from)..meant.end.min(to);
        }
        let within = |it: u64| it.min(trials.into()) as u32;
        within(meant.start)..within(meant.end).max(within(meant.start))
    }

    /// True if they may leave out some trials of a point and not others.
    pub fn cuts_points(&self) -> bool {
        self.each().any(|it| TRIAL_KEYS.contains(&&*it.key))
    }

    /// The conditions of both: these and the others.
    pub fn and(mut self, others: Option<&Self>) -> Self {
        let others = others.into_iter().flat_map(|it| it.0.clone());
        self.0.extend(others);
        self
    }

    /// The same, with conditions of certain moves in the place of their names, and with values of
    /// points in the place of those that no point has and that are printed so: of three digits, as
    /// ε = 0.0965 for 0.0965489384606, whatever the sign.
    ///
    /// # Errors
    /// A name of several conditions; several values that are printed so.
    pub fn among<'a>(
        &self,
        names: impl Iterator<Item = &'a (String, String)> + Clone,
        points: impl Iterator<Item = &'a Point> + Clone,
    ) -> Result<Self, String> {
        let mut all = self.clone();
        for it in all.0.iter_mut().flatten().flatten() {
            let called = names.clone().filter(|named| named.0 == it.value);
            let called = called.filter(|_| it.key == "variant");
            let own = points.clone().filter_map(|point| point.axes.get(&it.key));
            let own = own.map(Value::number).collect_vec();
            let value = it.number.map(Value::number);
            let is_met = value.is_none_or(|value| own.contains(&value));
            let printed = own.into_iter().filter(|_| !is_met);
            let printed = printed.filter(|own| as_printed(*own) == value);
            let meant = called.map(|named| named.1.clone());
            let meant = meant.chain(printed.map(|own| own.to_string()));
            let meant: BTreeSet<String> = meant.collect();
            if meant.len() > 1 {
                let several = match it.number {
                    None => "conditions are called so",
                    Some(_) => "values are printed so",
                };
                let expected = meant.iter().join(", ");
                return Err(format!(
                    "{it}: several {several}; expected one of {expected}"
                ));
            }
            if let Some(one) = meant.into_iter().next() {
                (it.number, it.value) = (real_in(&one).map(Value::real), one);
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
        let is_word = |word: &str| (word == self.value) == (self.sign.0 == "=");
        match &*self.key {
            "algorithm" => is_word(&point.algorithm),
            "variant" => is_word(&point.variant),
            "goal" => is_word(point.goal.map_or("", Goal::name)),
            "seed" | "trial" => true,
            axis => {
                let own = point.axes.get(axis).map(Value::number);
                let order = own.and_then(|own| own.partial_cmp(&self.number?.number()));
                order.is_some_and(self.sign.2)
            }
        }
    }
}

impl std::fmt::Display for PointCondition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.key, self.sign.0, self.value)
    }
}

/// The conditions as they are written; between texts, which must all hold, stands `and`.
impl std::fmt::Display for Conditions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let joined = |all: &Alternative| all.iter().join(",");
        let text = |text: &Vec<Alternative>| text.iter().map(joined).join("; ");
        f.write_str(&self.0.iter().map(text).join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_meant_where_every_condition_holds() {
        let points = [8, 10].map(|n| {
            let axes = [("n", Value::Integer(n)), ("epsilon", Value::real(0.01))];
            Point::new("pair", axes)
        });
        let both = "algorithm=pair|epsilon=1e-2|variant!=PN_PL|variant = (safe)|n=8,n=10,ε=0.01";
        let first = "algorithm = pair, n <= 9|n<10|n<=8|n>=8,n!=10|n=8,n=9,ε<1|\
            variant != b.queens == 0,n=8|n=8,epsilon=0.01; n=10,epsilon=0.1";
        let last = "n≥9|n=1e1|n=9..10|algorithm=cell,algorithm=pair,n!=8|n=8,ε=0.1; n=10,ε=0.01";
        let none = "algorithm!=pair|ε>0.01|eta<=1|variant!=safe|variant=b.queens==0|n=9,n>=10";
        for (at, text) in [none, first, last, both].into_iter().enumerate() {
            for text in text.split('|') {
                let only = conditions(text).expect(text);
                let found = points.each_ref().map(|point| only.admit(point));
                assert_eq!(found, [at % 2 == 1, at > 1], "{text}");
            }
        }
    }

    /// A value is the one that is printed so, whatever the sign: 0.0965489 is 0.0965.
    #[test]
    fn printed_values_are_equal_to_the_points_under_every_sign() {
        let point = |it| Point::new("pair", [("epsilon", Value::real(it))]);
        let points = [0.05, 0.0965489, 0.2].map(point);
        for (text, expected) in [
            ("epsilon=0.0965", [false, true, false]),
            ("epsilon!=0.0965", [true, false, true]),
            ("epsilon<=0.0965", [true, true, false]),
            ("epsilon>0.0965", [false, false, true]),
            ("epsilon=0.05..0.0965", [true, true, false]),
            ("epsilon<0.0966", [true, true, false]),
        ] {
            let only = conditions(text).and_then(|it| it.among([].iter(), points.iter()));
            let only = only.expect(text);
            let found = points.each_ref().map(|point| only.admit(point));
            assert_eq!(found, expected, "{text}");
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
            ("seed>=18446744073709551615", [false, false, true], 0..20),
            ("trial>8,trial<=17", [true; 3], 9..18),
            ("trial>=20", [true; 3], 20..20),
            ("trial<5,trial>7", [true; 3], 8..8),
            ("n=8,trial<5; n=10,trial<5", [true; 3], 0..5),
        ] {
            let only = conditions(text).expect(text);
            let found = [6, 7, u64::MAX].map(|it| only.admit_seed(it));
            assert_eq!((found, only.trials(20)), (seeds, trials), "{text}");
            assert_eq!(only.cuts_points(), text != "n=8", "{text}");
        }
        let wrong = "n=8,seed=1;n=9 algorithm=a..b n=a..b seed=1.5 seed=-1 trial=a trial!=3";
        for wrong in wrong.split(' ').chain(["seed=18446744073709551616"]) {
            assert!(conditions(wrong).is_err(), "{wrong}");
        }
    }
}
