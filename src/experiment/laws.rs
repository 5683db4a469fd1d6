//! The laws of the rules of a plan, which stand in the manifest, and how those of two runs compare.

use std::collections::BTreeMap;

use super::plan::Plan;
use crate::solver::algorithm::Law;
use crate::solver::local::law;
use crate::solver::{self, Point};

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
    /// The laws of the rules of the plan's points. Each is enumerated once in a process, in less
    /// than half a second.
    pub fn laws(&self) -> Laws {
        let mut laws = Laws::new();
        for planned in &self.points {
            let rule = rule_of(&planned.point);
            let algorithm = solver::algorithm(&planned.point.algorithm);
            if laws.contains_key(&rule) {
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

/// How the laws of one rule on two sides compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LawComparison {
    /// One side does not say what its law is.
    Unknown,
    /// The laws are the same.
    Equal,
    /// The groups of states in which they differ, sorted.
    Differ(Vec<String>),
}

/// Compares the laws of a rule ([`rule_of`]) on two sides.
pub fn compare(rule: &str, a: &Laws, b: &Laws) -> LawComparison {
    let (Some(a), Some(b)) = (a.get(rule), b.get(rule)) else {
        return LawComparison::Unknown;
    };
    let groups = law::differing(a, b);
    if groups.is_empty() {
        LawComparison::Equal
    } else {
        LawComparison::Differ(groups)
    }
}

/// The rules that both sides have and of which the laws differ, with the groups of states.
pub fn differing(a: &Laws, b: &Laws) -> Vec<(String, Vec<String>)> {
    let mut differing = Vec::new();
    for rule in a.keys() {
        if let LawComparison::Differ(groups) = compare(rule, a, b) {
            differing.push((rule.clone(), groups));
        }
    }
    differing
}
