//! Tests of whether two runs give the same distributions, point by point. Here is decided when
//! trials are compared as pairs (more than half of the smaller side's have a partner) or as
//! samples, when rows are identical, and which points are not comparable.
//!
//! Read [`end_point`] (which test a quantity gets), then `pairs` and `two_sample` (the tests),
//! `significance` (the level, and Holm's correction over points) and [`sight`] (the factor that the
//! tests could have seen).

pub mod end_point;
mod pairs;
pub mod seconds;
pub mod sight;
mod significance;
#[cfg(test)]
mod tests;
pub(crate) mod two_sample;

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use serde::Serialize;

use self::end_point::{EndPointTest, between_samples, within_pairs};
use self::pairs::Pairs;
pub use self::significance::{ALPHA, adjust};
use super::estimate::Estimate;
use super::jackknife::ratio;
use crate::experiment::store::Row;
use crate::experiment::store::rows::PointTrials;
use crate::solver::Point;
use crate::solver::draws;

/// An experiment on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The names of the points that only A has.
    pub only_in_a: Vec<String>,
    /// The names of the points that only B has.
    pub only_in_b: Vec<String>,
    /// The points that both sides have, in A's order.
    pub points: Vec<PointComparison>,
}

/// One point on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointComparison {
    /// What was run, as text.
    pub name: String,
    /// What was run.
    pub point: Point,
    /// True if both sides ran it in the same dynamics, so that trials of one seed and index draw
    /// the same random numbers.
    pub has_same_dynamics: bool,
    /// True if the rows differ by more than chance, at the level [`ALPHA`] of all tests together;
    /// false before [`adjust`].
    #[serde(rename = "different")]
    pub is_different: bool,
    /// What was found there.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What the rows of a point on both sides say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", content = "found", rename_all = "lowercase")]
pub enum Finding {
    /// Why no number would mean anything.
    #[serde(rename = "not comparable")]
    NotComparable(String),
    /// The common trials have the same rows, bit by bit.
    Identical {
        /// How many trials that are.
        trials: usize,
        /// All trials of A and of B.
        of: [usize; 2],
    },
    /// Rows differ.
    #[serde(rename = "rows differ")]
    Different(Difference),
}

/// A point whose rows are not the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// How the trials are compared.
    pub design: Design,
    /// Trials compared, of A and of B.
    pub trials: [usize; 2],
    /// All trials of A and of B.
    pub of: [usize; 2],
    /// Trials of one seed and index on both sides.
    pub common: usize,
    /// How many of those have different rows.
    pub differing: usize,
    /// Of searches: nodes of B divided by those of A (checks, where there are no nodes), with an
    /// interval where the searches draw; `None` of local rules.
    pub work: Option<Estimate>,
    /// Tests of whether the differences are more than chance; none for searches.
    pub tests: Vec<EndPointTest>,
}

/// How the trials of two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Design {
    /// Each trial with that of the same seed and index on the other side; others are not used.
    Pairs,
    /// All trials of one side with all of the other, as independent samples.
    Samples,
}

impl PointComparison {
    /// Compares the rows of one point in three steps, each only if the one before has not decided:
    /// not comparable, identical, different rows. `definitions` are those of the algorithms of both
    /// sides.
    ///
    /// Which trials are compared follows from seeds and indices alone, never from what the trials
    /// gave. Where more than half of the trials of the smaller side have one of the same seed and
    /// index on the other side, these pairs are compared: the differences within them are tested.
    /// Otherwise all trials are compared as independent samples. Rows of a search are no samples:
    /// they are compared pair by pair.
    pub fn of(definitions: [&BTreeMap<String, u32>; 2], x: &PointTrials, y: &PointTrials) -> Self {
        Self {
            name: x.point.to_string(),
            point: x.point.clone(),
            has_same_dynamics: x.rows.dynamics() == y.rows.dynamics(),
            is_different: false,
            finding: not_comparable(definitions, x, y)
                .map_or_else(|| compare(x, y), Finding::NotComparable),
        }
    }

    /// A trial of a search is the same for one seed and index: where such rows differ, no test is
    /// needed to say so.
    pub fn is_certain(&self) -> bool {
        self.point.goal.is_some() && matches!(self.finding, Finding::Different(_))
    }

    /// The difference of the rows, if there is one.
    pub fn difference(&self) -> Option<&Difference> {
        match &self.finding {
            Finding::Different(difference) => Some(difference),
            _ => None,
        }
    }

    /// How many rows of the same seed and index differ, and of how many: those of both sides that
    /// draw the same random numbers. `None` where none are compared.
    pub fn rows_of_same_streams(&self) -> Option<[usize; 2]> {
        match &self.finding {
            _ if !self.has_same_dynamics => None,
            Finding::NotComparable(_) => None,
            Finding::Identical { trials, .. } => Some([0, *trials]),
            Finding::Different(found) => Some([found.differing, found.common]),
        }
    }
}

impl Comparison {
    /// The points whose rows differ.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.points.iter().filter_map(PointComparison::difference)
    }
}

fn not_comparable(
    definitions: [&BTreeMap<String, u32>; 2],
    x: &PointTrials,
    y: &PointTrials,
) -> Option<String> {
    let algorithm = &x.point.algorithm;
    let definitions = definitions.map(|side| {
        let definition = side.get(algorithm);
        definition.map_or_else(|| "unknown".to_owned(), u32::to_string)
    });
    if definitions[0] != definitions[1] || definitions[0] == "unknown" {
        return Some(format!(
            "the definition of {algorithm} is {} in A and {} in B",
            definitions[0], definitions[1]
        ));
    }
    let cutoffs = [x, y].map(|trials| {
        let cutoffs: BTreeSet<u64> = trials.rows.cutoffs().collect();
        cutoffs.iter().map(u64::to_string).join(" and ")
    });
    (cutoffs[0] != cutoffs[1])
        .then(|| format!("the cutoff is {} in A and {} in B", cutoffs[0], cutoffs[1]))
}

/// The end points that are tested are those of the local rules, so a search is compared row by row
/// only. One that draws nothing has the same row under every seed.
fn compare(x: &PointTrials, y: &PointTrials) -> Finding {
    let is_search = x.point.goal.is_some();
    let draws = draws(&x.point);
    let pairs = Pairs {
        a: &x.rows,
        b: &y.rows,
        in_order: is_search && !draws,
    };
    let of = [x.rows.len(), y.rows.len()];
    let common = pairs.count();
    if is_search && common == 0 {
        let reason = "no trial of this random search has one seed and index in A and B";
        return Finding::NotComparable(reason.to_owned());
    }

    let differing = pairs.n_differing();
    let are_pairs = is_search || 2 * common > of[0].min(of[1]);
    if are_pairs && differing == 0 {
        return Finding::Identical { trials: common, of };
    }
    let (design, trials) = if are_pairs {
        (Design::Pairs, [common; 2])
    } else {
        (Design::Samples, of)
    };
    let tests = match design {
        _ if is_search => Vec::new(),
        Design::Pairs => within_pairs(pairs),
        Design::Samples => between_samples([&x.rows, &y.rows]),
    };
    if !is_search && tests.is_empty() {
        return untested(differing, common);
    }
    Finding::Different(Difference {
        design,
        trials,
        of,
        common,
        differing,
        work: is_search.then(|| work_of(pairs, draws)).flatten(),
        tests,
    })
}

/// What is found where rows differ in no number that is tested.
fn untested(differing: usize, common: usize) -> Finding {
    let rows = format!("rows of {differing} of {common} common trials differ");
    let reason = format!("{rows}, and no number that both sides have is there to test");
    Finding::NotComparable(reason)
}

/// The work of searches of B divided by that of A: nodes, or checks of methods without nodes.
/// Without an interval where a search draws nothing.
fn work_of(pairs: Pairs, draws: bool) -> Option<Estimate> {
    let work = |row: &Row| row.outcome.nodes.or(row.outcome.checks);
    let both = pairs.rows(false).filter_map(|(a, b)| {
        let of_a = work(&a)?;
        let of_b = work(&b)?;
        Some([of_b as f64, of_a as f64])
    });
    let ratio = ratio(&both.collect::<Vec<_>>())?;
    Some(if draws {
        ratio
    } else {
        Estimate::exactly(ratio.value)
    })
}
