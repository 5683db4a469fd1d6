//! The laws of the rules of a plan, which stand in the manifest, and how those of two runs compare.
//! Here are the sentence `the rule of pair is another: …` of `diff` and the names of rules in
//! manifests. What a law is, and its hash, is in `solver/local/law.rs`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::plan::Plan;
use crate::solver::Point;
use crate::solver::algorithm::Law;
use crate::solver::local::law;

/// The law of one update by the rule: its name, and its condition where it has one
/// ([`rule_of`]).
pub type Laws = BTreeMap<String, Law>;

/// The rule of a point as [`Laws`] name it: the algorithm, and its variant where it has one.
pub fn rule_of(point: &Point) -> String {
    match &*point.variant {
        "" => point.algorithm.clone(),
        _ => format!("{} {}", point.algorithm, point.variant_in_line()),
    }
}

impl Plan {
    /// The laws of the rules of the plan's points: of those that are known, and others enumerated,
    /// each once in a process, in less than half a second.
    pub fn laws(&self, known: &Laws) -> Laws {
        let mut laws = Laws::new();
        for planned in &self.points {
            let rule = rule_of(&planned.point);
            let algorithm = self.algorithm(&planned.point);
            if laws.contains_key(&rule) {
                continue;
            }
            if let Some(law) = known.get(&rule) {
                laws.insert(rule, law.clone());
                continue;
            }
            let law = algorithm.and_then(|algorithm| law::law(algorithm, &planned.point.variant));
            if let Some(law) = law {
                laws.insert(rule, law);
            }
        }
        laws
    }
}

/// A rule of which the laws on two sides differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherLaw {
    /// The rule, as [`rule_of`] names it.
    pub rule: String,
    /// The groups of states in which they differ, sorted.
    pub groups: Vec<String>,
}

impl fmt::Display for OtherLaw {
    /// `the rule of pair is another: GROUP and 3 more groups`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.groups.first().map_or("", |group| group);
        write!(f, "the rule of {} is another: {first}", self.rule)?;
        match self.groups.len() {
            0 | 1 => Ok(()),
            2 => f.write_str(" and 1 more group"),
            all => write!(f, " and {} more groups", all - 1),
        }
    }
}

/// The rules that both sides have and of which the laws differ, sorted.
pub fn differing(a: &Laws, b: &Laws) -> Vec<OtherLaw> {
    let mut differing = Vec::new();
    for (rule, of_a) in a {
        let Some(of_b) = b.get(rule) else { continue };
        let groups = law::differing(of_a, of_b);
        if !groups.is_empty() {
            let rule = rule.clone();
            differing.push(OtherLaw { rule, groups });
        }
    }
    differing
}

/// True if the laws of all rules that both sides have are the same; `None` where a side names no
/// law, as runs of searches and of earlier programs do, or both have no rule in common.
pub fn are_equal(a: &Laws, b: &Laws) -> Option<bool> {
    let has_common = a.keys().any(|rule| b.contains_key(rule));
    has_common.then(|| differing(a, b).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The laws of these rules, each with these hashes of the groups `one`, `two`, ….
    fn laws(rules: &[(&str, &[&str])]) -> Laws {
        let mut laws = Laws::new();
        for (rule, hashes) in rules {
            let law = laws.entry((*rule).to_owned()).or_default();
            for (group, hash) in ["one", "two", "three"].iter().zip(*hashes) {
                law.insert((*group).to_owned(), (*hash).to_owned());
            }
        }
        laws
    }

    #[test]
    fn laws_differ_by_rules_and_groups() {
        let a = laws(&[("cell", &["1"]), ("pair", &["1", "2", "3"])]);
        let b = laws(&[("pair", &["1", "4", "5"])]);
        assert_eq!(differing(&a, &a), []);
        assert_eq!(are_equal(&a, &a), Some(true));
        assert_eq!(are_equal(&a, &b), Some(false));
        let found = differing(&a, &b);
        let words: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            ["the rule of pair is another: three and 1 more group"]
        );
        // A group that one side has not is another one, too.
        let shorter = laws(&[("pair", &["1", "2"])]);
        let words = differing(&a, &shorter).remove(0).to_string();
        assert_eq!(words, "the rule of pair is another: three");
        // Nothing is known of a run of an earlier program, and of other rules.
        assert_eq!(are_equal(&a, &Laws::new()), None);
        assert_eq!(are_equal(&laws(&[("cell", &["1"])]), &b), None);
    }
}
