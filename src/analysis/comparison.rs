//! Whether two runs give the same distributions, point by point.

mod common;
pub mod end_point;
#[cfg(test)]
mod tests;
pub(crate) mod timing;
pub(crate) mod two_sample;

use std::collections::{BTreeMap, BTreeSet};

use self::common::Pairs;
use self::end_point::{EndPointTest, between_samples, within_pairs};
use crate::results::PointTrials;
use crate::solver::Point;
use crate::solver::algorithm;

/// An experiment on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The points that both sides have, in A's order.
    pub points: Vec<PointComparison>,
    /// Points that only A has, and that only B has.
    pub alone: [usize; 2],
}

/// One point on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct PointComparison {
    /// What was run.
    pub point: Point,
    /// What was found there.
    pub finding: Finding,
}

/// What the rows of a point on both sides say.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Why no number would mean anything.
    NotComparable(String),
    /// The common trials have the same rows, bit by bit.
    Identical {
        /// How many trials that are.
        trials: usize,
    },
    /// The rows differ.
    Different(Difference),
}

/// A point whose rows are not the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Trials compared, of A and of B.
    pub trials: [usize; 2],
    /// Trials of one seed and index on both sides.
    pub common: usize,
    /// How many of those have different rows.
    pub differing: usize,
    /// Whether the differences are more than chance; none of searches.
    pub tests: Vec<EndPointTest>,
}

impl PointComparison {
    /// Compares the rows of one point in three steps, each only if the one before has not decided:
    /// not comparable, identical, different rows. `definitions` are those of the algorithms of both
    /// sides.
    ///
    /// The trials compared are those of the same seed and index on both sides: the differences
    /// within pairs are tested. Where there are none, all are compared as independent samples. Rows
    /// of a search are no samples: they are compared one by one.
    pub fn of(definitions: [&BTreeMap<String, u32>; 2], x: &PointTrials, y: &PointTrials) -> Self {
        Self {
            point: x.point.clone(),
            finding: not_comparable(definitions, x, y)
                .map_or_else(|| compare(x, y), Finding::NotComparable),
        }
    }

    /// A trial of a search is the same for one seed and index: where such rows differ, no test is
    /// needed to say so.
    pub fn is_certain(&self) -> bool {
        self.point.goal.is_some() && matches!(self.finding, Finding::Different(_))
    }
}

impl Comparison {
    /// The least Holm-adjusted p-value; 1 where nothing was tested, 0 where searches differ.
    pub fn least_holm(&self) -> f64 {
        if self.points.iter().any(PointComparison::is_certain) {
            return 0.0;
        }
        let tests = self.differences().flat_map(|it| &it.tests);
        tests.map(|test| test.holm).fold(1.0, f64::min)
    }

    /// The points whose rows differ.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.points.iter().filter_map(|point| match &point.finding {
            Finding::Different(difference) => Some(difference),
            _ => None,
        })
    }
}

/// Fills in Holm's adjusted p-values, over all tests of all the comparisons as one family:
/// rejecting those at most α errs with probability at most α, whatever depends on what.
///
/// The k-th smallest p of m is multiplied by m + 1 − k; none is below one before it. Source: Holm,
/// Scand. J. Stat. 6 (1979) 65.
pub fn adjust<'c>(comparisons: impl IntoIterator<Item = &'c mut Comparison>) {
    let points = comparisons.into_iter().flat_map(|it| &mut it.points);
    let tests = points.flat_map(|point| match &mut point.finding {
        Finding::Different(difference) => &mut difference.tests[..],
        _ => &mut [],
    });
    let mut tests: Vec<&mut EndPointTest> = tests.collect();
    tests.sort_by(|a, b| a.test.p.total_cmp(&b.test.p));
    let count = tests.len();
    let mut least: f64 = 0.0;
    for (place, test) in tests.into_iter().enumerate() {
        least = least.max((test.test.p * (count - place) as f64).min(1.0));
        test.holm = least;
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
        let rows = trials.rows.with_columns(&[]);
        let cutoffs: BTreeSet<u64> = rows.map(|row| row.cutoff).collect();
        let words: Vec<String> = cutoffs.iter().map(u64::to_string).collect();
        words.join(" and ")
    });
    (cutoffs[0] != cutoffs[1])
        .then(|| format!("the cutoff is {} in A and {} in B", cutoffs[0], cutoffs[1]))
}

/// The end points that are tested are those of the local rules, so a search is compared row by row
/// only. One that draws nothing has the same row under every seed.
fn compare(x: &PointTrials, y: &PointTrials) -> Finding {
    let is_search = x.point.goal.is_some();
    let draws = algorithm(&x.point.algorithm).is_none_or(|it| it.is_random(&x.point.variant));
    let pairs = Pairs {
        a: &x.rows,
        b: &y.rows,
        in_order: is_search && !draws,
    };
    let (common, differing) = (pairs.count(), pairs.n_differing());
    let (trials, tests) = match common {
        0 if is_search => {
            let reason = "no trial of this random search has one seed and index in A and B";
            return Finding::NotComparable(reason.to_owned());
        }
        0 => {
            let tests = between_samples(|| x.rows.without_boards(), || y.rows.without_boards());
            ([x.rows.len(), y.rows.len()], tests)
        }
        _ if differing == 0 => return Finding::Identical { trials: common },
        _ if is_search => ([common; 2], Vec::new()),
        _ => ([common; 2], within_pairs(pairs)),
    };
    Finding::Different(Difference {
        trials,
        common,
        differing,
        tests,
    })
}
