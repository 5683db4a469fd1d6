//! `algorithm=pair,n<=9,seed=7`: which points are meant, and which of their trials, by `only` of a
//! spec and `--only` of commands. Here are the signs (`=`, `!=`, `<`, `<=`, `>`, `>=`), what
//! several conditions mean together (different keys: all; `=` of one key: either); which values a
//! number means is said in `number.rs`, the text and its messages are in `conditions/parse.rs`.

mod parse;

use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::collections::BTreeSet;
use std::ops::Range;

use itertools::Itertools;

use super::error::short;
use super::{Refused, number};
use crate::experiment::program::Programs;
use crate::solver::goal::Goal;
use crate::solver::local::condition_of;
use crate::solver::{ALGORITHMS, Point, Value, algorithm};

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
    meant: Meant,
}

/// What the value of a condition is.
#[derive(Debug, Clone)]
enum Meant {
    /// Numbers from one to another, on an axis or of seeds and trials; most often one number.
    Numbers([Value; 2]),
    /// The value of the point on another axis.
    Axis(String),
    Variant(NamedVariant),
    Word,
}

/// A variant as a word names it.
#[derive(Debug, Clone, PartialEq)]
pub enum NamedVariant {
    /// The variant that is called so in points.
    Exactly(String),
    /// The form of a condition of certain moves, under which trials may start anywhere.
    Condition(String),
}

impl NamedVariant {
    /// The variant that a word means where the conditions of a spec have these names.
    pub fn of<'a>(word: &str, mut names: impl Iterator<Item = &'a (String, String)>) -> Self {
        if let Some((_, condition)) = names.find(|named| named.0 == word) {
            return Self::Exactly(condition.clone());
        }
        // A condition on certain moves has one form in points.
        let mut rules = ALGORITHMS
            .iter()
            .filter(|algorithm| algorithm.condition.is_some());
        match rules.find_map(|rule| rule.variant(word).ok()) {
            Some(form) => Self::Condition(form),
            None => Self::Exactly(word.to_owned()),
        }
    }

    /// True of a point of this variant.
    pub fn is_of(&self, point: &Point) -> bool {
        match self {
            Self::Exactly(variant) => *variant == point.variant,
            Self::Condition(form) => {
                let rule = algorithm(&point.algorithm);
                rule.is_some_and(|rule| rule.condition.is_some())
                    && condition_of(&point.variant) == form
            }
        }
    }
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
///
/// # Errors
/// What is wrong with them, in words.
pub fn conditions(text: &str, programs: &Programs) -> Result<Conditions, String> {
    parse::read(text, Some(programs))
}

/// The same where the experiments, whose programs may have axes of their own, are not known yet: a
/// name that no algorithm of the registry has is taken for one of these.
///
/// # Errors
/// What is wrong with them, in words.
pub fn conditions_of_any(text: &str) -> Result<Conditions, String> {
    parse::read(text, None)
}

/// The name of a key that may be written as its symbol.
pub fn key_named(key: &str) -> &str {
    let mut axes = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
    let named = axes.find(|axis| axis.symbol == key);
    named.map_or(key, |axis| axis.name)
}

impl Conditions {
    /// True if all conditions on points hold at a point; a condition on an axis that the point does
    /// not have, does not hold.
    pub fn admit(&self, point: &Point) -> bool {
        self.hold(|condition| condition.admits(point))
    }

    /// True if all conditions on seeds hold for a seed.
    pub fn admit_seed(&self, seed: u64) -> bool {
        let seed = Value::Integer(seed);
        self.hold(|condition| condition.key != "seed" || condition.holds_for(seed))
    }

    /// True if each condition of an alternative of every text holds, or another `=` of its key.
    fn hold(&self, holds: impl Fn(&PointCondition) -> bool) -> bool {
        let holds_or_another = |condition: &PointCondition, all: &Alternative| {
            let is_another = |other: &&PointCondition| {
                condition.is_equal() && other.is_equal() && other.key == condition.key
            };
            holds(condition) || all.iter().filter(is_another).any(&holds)
        };
        let hold = |all: &Alternative| {
            let mut conditions = all.iter();
            conditions.all(|condition| holds_or_another(condition, all))
        };
        self.0.iter().all(|text| text.iter().any(hold))
    }

    fn each(&self) -> impl Iterator<Item = &PointCondition> {
        self.0.iter().flatten().flatten()
    }

    /// The trials for which all conditions on trials hold, of a point that has so many.
    pub fn trials(&self, trials: u32) -> Range<u32> {
        let mut meant = 0..u64::from(trials);
        // Alternatives have the same trials.
        for conditions in self.0.iter().filter_map(|text| text.first()) {
            let mut equal: Option<Range<u64>> = None;
            for condition in conditions {
                let Some(range) = condition.trials_meant() else {
                    continue;
                };
                if condition.is_equal() {
                    // Those of several `=` follow each other.
                    equal = Some(equal.map_or(range.clone(), |known| hull(&known, &range)));
                } else {
                    meant = overlap(&meant, &range);
                }
            }
            if let Some(range) = equal {
                meant = overlap(&meant, &range);
            }
        }
        let start = meant.start.min(trials.into()) as u32;
        let end = meant.end.min(trials.into()) as u32;
        start..end.max(start)
    }

    /// True if they may leave out some trials of a point and not others.
    pub fn cuts_points(&self) -> bool {
        self.each().any(PointCondition::is_of_trials)
    }

    /// The conditions of which one must hold, of some of one text each.
    ///
    /// # Errors
    /// Conditions on other seeds or trials.
    pub fn either(each: Vec<Self>) -> Result<Self, String> {
        let texts = each.into_iter().flat_map(|conditions| conditions.0);
        parse::either(texts.flatten().collect())
    }

    /// The conditions of both: these and the others.
    pub fn and(mut self, others: Option<&Self>) -> Self {
        if let Some(others) = others {
            self.0.extend(others.0.iter().cloned());
        }
        self
    }

    /// The same where conditions of certain moves have these names, and points these values: a
    /// number means the values that are exactly it, and only if there are none, those that are
    /// printed so, as ε = 0.0965 for 0.0965489384606, whatever the sign.
    ///
    /// # Errors
    /// A name of several conditions; several values that are printed so; an axis that neither a
    /// point nor an algorithm of the registry has.
    pub fn among<'a>(
        &self,
        names: impl Iterator<Item = &'a (String, String)> + Clone,
        points: impl Iterator<Item = &'a Point> + Clone,
    ) -> Result<Self, String> {
        let mut conditions = self.clone();
        for condition in conditions.0.iter_mut().flatten().flatten() {
            let is_of_trials = condition.is_of_trials();
            let meant = match &mut condition.meant {
                Meant::Variant(variant) => set_named(variant, &condition.value, names.clone()),
                Meant::Numbers(ends) if !is_of_trials => {
                    set_printed(ends, &condition.key, points.clone())
                }
                Meant::Numbers(_) | Meant::Axis(_) | Meant::Word => Ok(()),
            };
            meant.map_err(|reason| format!("{condition}: {reason}"))?;
        }
        Ok(conditions)
    }

    /// The error where no point of what is named so meets them.
    pub fn nothing(&self, of: &str) -> Refused {
        Refused::new(format!("--only {self}: {of} has no such point"))
    }
}

/// Sets the variant that a value means where conditions have these names.
fn set_named<'a>(
    variant: &mut NamedVariant,
    value: &str,
    names: impl Iterator<Item = &'a (String, String)> + Clone,
) -> Result<(), String> {
    let called = names.clone().filter(|(name, _)| name == value);
    let called: BTreeSet<&str> = called.map(|(_, condition)| &**condition).collect();
    if called.len() > 1 {
        let expected = called.iter().join(", ");
        return Err(format!(
            "several conditions are called so; expected one of {expected}"
        ));
    }
    *variant = NamedVariant::of(value, names);
    Ok(())
}

/// Sets numbers of an axis to the values of points that are printed so.
fn set_printed<'a>(
    ends: &mut [Value; 2],
    axis: &str,
    mut points: impl Iterator<Item = &'a Point> + Clone,
) -> Result<(), String> {
    let values = points.clone().filter_map(|point| point.real(axis));
    let values = values.unique_by(|value| value.to_bits()).collect_vec();
    let known = parse::keys(ALGORITHMS.iter());
    // An axis of a program is known by the points that have it.
    let has_axis = points.any(|point| point.axes.get(axis).is_some());
    if !has_axis && !known.contains(&axis) {
        let expected = parse::known_key(axis, &known);
        return Err(format!("found {:?}; expected {expected}", short(axis)));
    }
    for end in ends {
        match number::meant(end.number(), values.iter().copied())[..] {
            [] => {}
            [value] => *end = Value::real(value),
            ref several => {
                let expected = several.iter().join(", ");
                return Err(format!(
                    "several values are printed so; expected one of {expected}"
                ));
            }
        }
    }
    Ok(())
}

/// The trials that both ranges have.
fn overlap(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    one.start.max(other.start)..one.end.min(other.end)
}

/// The trials from the first to the last of two ranges.
fn hull(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    one.start.min(other.start)..one.end.max(other.end)
}

impl PointCondition {
    fn is_equal(&self) -> bool {
        self.sign.0 == "="
    }

    /// True of a condition on seeds or trials.
    fn is_of_trials(&self) -> bool {
        TRIAL_KEYS.contains(&&*self.key)
    }

    /// True if it holds at a point, or is one of trials.
    fn admits(&self, point: &Point) -> bool {
        let is_equal = self.is_equal();
        match &*self.key {
            "algorithm" => (point.algorithm == self.value) == is_equal,
            "variant" => {
                let is_of = matches!(&self.meant, Meant::Variant(variant) if variant.is_of(point));
                is_of == is_equal
            }
            "goal" => (point.goal.map_or("", Goal::name) == self.value) == is_equal,
            "seed" | "trial" => true,
            axis => {
                let on = |axis: &str| Some(Value::real(point.axes.get(axis)?.number()));
                match (on(axis), &self.meant) {
                    (None, _) => false,
                    (Some(number), Meant::Axis(other)) => {
                        on(other).is_some_and(|other| self.sign.2(number.order(&other)))
                    }
                    (Some(number), _) => self.holds_for(number),
                }
            }
        }
    }

    /// True if it holds for a number, which is of the kind of its own ones.
    fn holds_for(&self, number: Value) -> bool {
        let Meant::Numbers([from, to]) = &self.meant else {
            return false;
        };
        if self.is_equal() {
            return number.order(from).is_ge() && number.order(to).is_le();
        }
        self.sign.2(number.order(from))
    }

    /// The trials that a condition on trials leaves.
    fn trials_meant(&self) -> Option<Range<u64>> {
        let Meant::Numbers([Value::Integer(from), Value::Integer(to)]) = self.meant else {
            return None;
        };
        if self.key != "trial" {
            return None;
        }
        let is_true_of = self.sign.2;
        let has_the_number = is_true_of(Equal);
        let first = if is_true_of(Less) {
            0
        } else {
            from.saturating_add(u64::from(!has_the_number))
        };
        let end = if is_true_of(Greater) {
            u64::MAX
        } else {
            to.saturating_add(u64::from(has_the_number))
        };
        Some(first..end)
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
    use crate::experiment::spec::number::MOST_INTEGER;

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
                let only = conditions(text, &Programs::default()).expect(text);
                let found = points.each_ref().map(|point| only.admit(point));
                assert_eq!(found, [at % 2 == 1, at > 1], "{text}");
            }
        }
    }

    /// An axis is compared with another one of the same point, if the point has both.
    #[test]
    fn axes_are_compared_with_each_other() {
        let point = |epsilon, eta| {
            let axes = [("epsilon", epsilon), ("eta", eta)];
            let axes = axes.map(|(axis, value)| (axis, Value::real(value)));
            Point::new("cell", axes)
        };
        let without = Point::new("pair", [("epsilon", Value::real(0.1))]);
        let points = [point(0.1, 0.0), point(0.1, 0.1), point(0.1, 0.2), without];
        for (text, expected) in [
            ("eta<epsilon", [true, false, false, false]),
            ("η >= ε", [false, true, true, false]),
            ("epsilon=eta", [false, true, false, false]),
            ("epsilon!=eta,eta>0", [false, false, true, false]),
        ] {
            let only = conditions(text, &Programs::default()).expect(text);
            let found = points.each_ref().map(|point| only.admit(point));
            assert_eq!(found, expected, "{text}");
        }
        for wrong in [
            "eta<seed",
            "trial<n",
            "eta=0..epsilon",
            "variant=",
            "eta<eps",
        ] {
            assert!(conditions(wrong, &Programs::default()).is_err(), "{wrong}");
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
            let only = conditions(text, &Programs::default())
                .and_then(|it| it.among([].iter(), points.iter()));
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
            ("seed>=9223372036854775807", [false, false, true], 0..20),
            ("trial>8,trial<=17", [true; 3], 9..18),
            ("trial>=20", [true; 3], 20..20),
            ("trial<5,trial>7", [true; 3], 8..8),
            ("n=8,trial<5; n=10,trial<5", [true; 3], 0..5),
        ] {
            let only = conditions(text, &Programs::default()).expect(text);
            let found = [6, 7, MOST_INTEGER].map(|seed| only.admit_seed(seed));
            assert_eq!((found, only.trials(20)), (seeds, trials), "{text}");
            assert_eq!(only.cuts_points(), text != "n=8", "{text}");
        }
        let wrong = "n=8,seed=1;n=9 algorithm=a..b n=a..b seed=1.5 seed=-1 trial=a trial!=3";
        for wrong in wrong.split(' ').chain(["seed=9223372036854775808"]) {
            assert!(conditions(wrong, &Programs::default()).is_err(), "{wrong}");
        }
    }
}
