//! Tests of whether two runs give the same distributions, point by point.

pub mod end_point;
#[cfg(test)]
mod tests;
pub(crate) mod two_sample;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use serde::Serialize;

use self::end_point::{EndPoint, EndPointTest, between_samples, within_pairs};
use self::two_sample::separated;
use super::distribution::normal_quantile;
use crate::experiment::store::Row;
use crate::results::rows::Rows;
use crate::results::{PointTimings, PointTrials, in_common};
use crate::solver::Point;
use crate::solver::algorithm;

/// An experiment on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Points that only A has.
    pub only_in_a: usize,
    /// Points that only B has.
    pub only_in_b: usize,
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
    },
    /// The rows differ.
    Different(Difference),
}

/// A point whose rows are not the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Trials compared, of A and of B.
    pub trials: [usize; 2],
    /// Trials of one seed and index on both sides.
    pub common: usize,
    /// How many of those have different rows.
    pub differing: usize,
    /// Tests of whether the differences are more than chance; none for searches.
    pub tests: Vec<EndPointTest>,
}

impl Difference {
    /// The least p-value that trials so few could give, whatever differs: of two samples that of
    /// values which do not overlap. Pairs have none, if at least two of them differ: differences
    /// that scatter little have a large t.
    fn least_p(&self) -> f64 {
        match (self.common, self.differing) {
            (0, _) => separated(self.trials),
            (_, 0 | 1) => 1.0,
            _ => 0.0,
        }
    }

    /// False where none of so many tests together could tell a difference here.
    pub fn can_be_found(&self, tests: usize) -> bool {
        self.least_p() * tests as f64 <= ALPHA
    }

    /// The factor between two means of [`SEEN_BY`] that would have been found here with probability
    /// [`POWER`] by so many tests together: exp((z₁₋α/₂M + z₀.₈) s), s the standard error of ln of
    /// the ratio. `None` where that is not known, where trials were cut off, and of fewer than 30
    /// trials, of which the normal quantiles promise too much.
    pub fn visible_factor(&self, tests: usize) -> Option<f64> {
        let is_whole = |it: &&EndPointTest| it.end_point == SEEN_BY && it.are_bounds == [false; 2];
        let tested = self.tests.iter().find(is_whole);
        let ratio = tested
            .filter(|_| self.trials.iter().all(|it| *it >= LEAST_TRIALS))?
            .ratio?;
        let level = ALPHA / (2.0 * tests as f64);
        let quantiles = normal_quantile(POWER) - normal_quantile(level);
        let factor = libm::exp(quantiles * ratio.log_variance()?.sqrt());
        Some(factor).filter(|it| it.is_finite())
    }
}

/// The probability of calling any of the points different when none is.
pub const ALPHA: f64 = 0.05;

/// Trials of a side from which on a visible factor is found about as often as [`POWER`] says: of
/// exponential times, by the log-rank test and that of ranks at the level of eight tests, in 72 %
/// of 3000 made-up pairs of samples of 30, in 39 % of 6.
const LEAST_TRIALS: usize = 30;

/// The end point whose means a visible factor is between.
pub const SEEN_BY: EndPoint = EndPoint::AbsorptionTime;

/// The probability with which a difference is to be found that is said to be visible.
pub const POWER: f64 = 0.8;

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
            name: x.point.to_string(),
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

    /// True if the rows differ by more than chance, at the level [`ALPHA`] of all tests together.
    pub fn is_different(&self) -> bool {
        self.is_certain()
            || matches!(&self.finding, Finding::Different(difference)
                if difference.tests.iter().any(|test| test.holm <= ALPHA))
    }
}

impl Comparison {
    /// The points whose rows differ.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.points.iter().filter_map(|point| match &point.finding {
            Finding::Different(difference) => Some(difference),
            _ => None,
        })
    }

    fn tests_mut(&mut self) -> impl Iterator<Item = &mut EndPointTest> {
        let points = self.points.iter_mut();
        points.flat_map(|point| match &mut point.finding {
            Finding::Different(difference) => &mut difference.tests[..],
            _ => &mut [],
        })
    }
}

/// Fills in Holm's adjusted p-values, over all tests of all the comparisons as one family:
/// rejecting those at most α errs with probability at most α, whatever depends on what.
///
/// The k-th smallest p of m is multiplied by m + 1 − k; none is below one before it. Source: Holm,
/// Scand. J. Stat. 6 (1979) 65.
pub fn adjust<'c>(comparisons: impl IntoIterator<Item = &'c mut Comparison>) {
    let tests = comparisons.into_iter().flat_map(Comparison::tests_mut);
    let mut tests: Vec<&mut EndPointTest> = tests.collect();
    tests.sort_by(|a, b| a.test.p.total_cmp(&b.test.p));
    let count = tests.len();
    let mut least: f64 = 0.0;
    for (before, test) in tests.into_iter().enumerate() {
        least = least.max((test.test.p * (count - before) as f64).min(1.0));
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
        let cutoffs: BTreeSet<u64> = trials.rows.cutoffs().iter().copied().collect();
        cutoffs.iter().map(u64::to_string).join(" and ")
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
            let tests = between_samples([&x.rows, &y.rows]);
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

/// Rows of two sides that belong together.
#[derive(Debug, Clone, Copy)]
struct Pairs<'a> {
    a: &'a Rows,
    b: &'a Rows,
    /// The first row with the first, and so on, as far as both sides go; else those of one seed and
    /// index, by which either side is ordered.
    in_order: bool,
}

impl<'a> Pairs<'a> {
    /// The indices of each pair in `a` and in `b`, one after the other and none kept, since there
    /// may be 10⁷.
    fn index_pairs(self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (mut i, mut j) = (0, 0);
        std::iter::from_fn(move || {
            while i < self.a.len() && j < self.b.len() {
                let order = if self.in_order {
                    Ordering::Equal
                } else {
                    self.a.trial(i).cmp(&self.b.trial(j))
                };
                let pair = (i, j);
                i += usize::from(order.is_le());
                j += usize::from(order.is_ge());
                if order.is_eq() {
                    return Some(pair);
                }
            }
            None
        })
    }

    /// Number of pairs.
    fn count(self) -> usize {
        self.index_pairs().count()
    }

    /// Every pair, of A and of B, with or without the boards of the rows.
    fn rows(self, with_boards: bool) -> impl Iterator<Item = (Row, Row)> + use<'a> {
        let row = move |(i, j)| (self.a.row(i, with_boards), self.b.row(j, with_boards));
        self.index_pairs().map(row)
    }

    /// Pairs whose rows are not the same.
    fn n_differing(self) -> usize {
        let differ = |(x, y): &(Row, Row)| (x.cutoff, &x.outcome) != (y.cutoff, &y.outcome);
        self.rows(true).filter(differ).count()
    }
}

/// Seconds of B divided by seconds of A, over the trials of one point, seed and index on both
/// sides; `None` where there are none. A trial with exactly the same time on both sides was not
/// timed twice: one run took it over from the other, so it is left out. Without an interval: how a
/// machine's speed changes from one run to the next is in no row.
pub fn seconds_ratio(a: &[PointTimings], b: &[PointTimings]) -> Option<f64> {
    let mut sums = [0.0; 2];
    for (x, y) in in_common(a, b, |x, y| x.point.order(&y.point)) {
        let pairs = Pairs {
            a: &x.rows,
            b: &y.rows,
            in_order: false,
        };
        let first = |(i, j): (usize, usize)| [y.seconds[j][0], x.seconds[i][0]];
        let pairs = pairs.index_pairs().map(first);
        for [other, one] in pairs.filter(|[other, one]| one.to_bits() != other.to_bits()) {
            sums = [sums[0] + other, sums[1] + one];
        }
    }
    Some(sums[0] / sums[1]).filter(|ratio| ratio.is_finite())
}
