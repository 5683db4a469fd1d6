//! Whether two runs give the same distributions, point by point.

pub mod two_sample;

pub mod end_point;

pub(crate) mod timing;

mod common;

#[cfg(test)]
mod error_rates;

use std::collections::{BTreeMap, BTreeSet};

use self::common::Pairs;
use self::end_point::EndPointTest;
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
    /// The point.
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
        let compare = if x.point.goal.is_some() {
            compare_searches
        } else {
            compare_rows
        };
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
        let tests = self
            .differences()
            .flat_map(|difference| difference.tests.iter().map(|test| test.holm));
        tests.fold(1.0, f64::min)
    }

    /// The points whose rows differ.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.points.iter().filter_map(|point| {
            if let Finding::Different(difference) = &point.finding {
                Some(difference)
            } else {
                None
            }
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
        let rows = trials.rows.without_boards();
        let cutoffs: BTreeSet<u64> = rows.map(|row| row.cutoff).collect();
        let words: Vec<String> = cutoffs.iter().map(u64::to_string).collect();
        words.join(" and ")
    });
    (cutoffs[0] != cutoffs[1])
        .then(|| format!("the cutoff is {} in A and {} in B", cutoffs[0], cutoffs[1]))
}

/// The end points that are tested are those of the local rules, so a search is compared row by row
/// only. One that draws nothing has the same row under every seed.
fn compare_searches(x: &PointTrials, y: &PointTrials) -> Finding {
    let draws =
        algorithm(&x.point.algorithm).is_none_or(|algorithm| algorithm.is_random(&x.point.variant));
    let common = if draws {
        Pairs::common(&x.rows, &y.rows)
    } else {
        Pairs::in_order(&x.rows, &y.rows)
    };
    if common.is_empty() {
        return Finding::NotComparable(
            "no trial of this random search has one seed and index in A and B".to_owned(),
        );
    }
    let differing = common.n_differing();
    if differing == 0 {
        return Finding::Identical {
            trials: common.len(),
        };
    }
    Finding::Different(Difference {
        trials: [common.len(); 2],
        common: common.len(),
        differing,
        tests: Vec::new(),
    })
}

fn compare_rows(x: &PointTrials, y: &PointTrials) -> Finding {
    let common = Pairs::common(&x.rows, &y.rows);
    let differing = common.n_differing();
    if differing == 0 && !common.is_empty() {
        return Finding::Identical {
            trials: common.len(),
        };
    }
    let (trials, tests) = if common.is_empty() {
        let tests =
            end_point::between_samples(|| x.rows.without_boards(), || y.rows.without_boards());
        ([x.rows.len(), y.rows.len()], tests)
    } else {
        ([common.len(); 2], end_point::within_pairs(&common))
    };
    Finding::Different(Difference {
        trials,
        common: common.len(),
        differing,
        tests,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::end_point::Method;
    use crate::analysis::synthetic::{
        Draws, Law, cell_key, constraint_searches, pair_key, searches, trials,
    };

    fn sample(seed: u64, key: Point, mean: f64) -> PointTrials {
        let law = Law {
            key,
            mean,
            ..Law::of_pair_8(3_000_000)
        };
        trials(&mut Draws::new(seed), &law, 100)
    }

    /// Of all rows of two runs.
    pub(super) fn of(
        definitions: [&BTreeMap<String, u32>; 2],
        a: &[PointTrials],
        b: &[PointTrials],
    ) -> Comparison {
        let partner = |x: &PointTrials| b.iter().find(|y| y.point == x.point);
        let pairs = a.iter().filter_map(|x| Some((x, partner(x)?)));
        let points = pairs.map(|(x, y)| PointComparison::of(definitions, x, y));
        let points: Vec<_> = points.collect();
        let alone = [a, b].map(|side| side.len() - points.len());
        Comparison { points, alone }
    }

    fn compared(a: &[PointTrials], b: &[PointTrials]) -> Comparison {
        let definitions = BTreeMap::from([("pair".to_owned(), 1), ("cell".to_owned(), 1)]);
        let mut comparisons = [of([&definitions; 2], a, b)];
        adjust(&mut comparisons);
        let [comparison] = comparisons;
        comparison
    }

    #[test]
    fn identical_rows_are_counted_and_nothing_is_tested() {
        let a = [
            sample(1, pair_key(8, 0.01), 1e6),
            sample(2, cell_key(8, 0.1, 0.1), 1e6),
        ];
        let mut fewer = a.to_vec();
        fewer[0].rows.edit(|rows| rows.truncate(30));
        fewer.remove(1);
        let comparison = compared(&a, &fewer);
        assert_eq!(
            comparison.points[0].finding,
            Finding::Identical { trials: 30 }
        );
        assert_eq!((comparison.alone, comparison.least_holm()), ([1, 0], 1.0));
    }

    /// One node more in one search is a difference, without any test.
    #[test]
    fn searches_are_compared_row_by_row() {
        let definitions = BTreeMap::from([("lines".to_owned(), 1), ("rows".to_owned(), 1)]);
        let compared = |a: &[PointTrials], b: &[PointTrials]| of([&definitions; 2], a, b);
        let a = searches();
        let mut b = a.clone();
        assert_eq!(compared(&a, &b).least_holm(), 1.0);
        b[2].rows.edit(|rows| rows[0].outcome.solutions = Some(2));
        let comparison = compared(&a, &b);
        assert_eq!(
            (
                comparison
                    .points
                    .iter()
                    .filter(|point| point.is_certain())
                    .count(),
                comparison.least_holm()
            ),
            (1, 0.0)
        );
        assert!(
            comparison
                .differences()
                .all(|difference| difference.tests.is_empty() && difference.differing == 1)
        );
    }

    #[test]
    fn definitions_and_cutoffs_come_before_every_number() {
        let a = [sample(1, pair_key(8, 0.01), 1e6)];
        let mut b = a.clone();
        b[0].rows.edit_each(|row| row.cutoff += 1);
        assert_eq!(
            compared(&a, &b).points[0].finding,
            Finding::NotComparable("the cutoff is 3000000 in A and 3000001 in B".to_owned())
        );
        let (one, two) = (
            BTreeMap::from([("pair".to_owned(), 1)]),
            BTreeMap::from([("pair".to_owned(), 2)]),
        );
        let comparison = of([&one, &two], &a, &a);
        assert_eq!(
            comparison.points[0].finding,
            Finding::NotComparable("the definition of pair is 1 in A and 2 in B".to_owned()),
            "even where the rows are the same"
        );
    }

    #[test]
    fn a_column_that_one_side_never_had_does_not_count() {
        let a = [sample(1, pair_key(8, 0.01), 1e6)];
        let mut b = a.clone();
        b[0].rows
            .edit_each(|row| (row.outcome.moves, row.outcome.moves_at_hit) = (None, None));
        assert_eq!(
            compared(&a, &b).points[0].finding,
            Finding::Identical { trials: 100 }
        );
        b[0].rows.edit(|rows| {
            let updates = &mut rows[3].outcome.updates;
            *updates = updates.map(|updates| updates + 1);
        });
        assert!(
            matches!(&compared(&a, &b).points[0].finding, Finding::Different(found) if found.tests.len() == 2 && found.differing == 1)
        );
    }

    #[test]
    fn streams_in_common_make_pairs() {
        let a = [sample(1, pair_key(8, 0.01), 1e6)];
        let mut b = a.clone();
        // A slip that a test of independent samples of 100 could never see: every fifth trial makes
        // one move more.
        b[0].rows.edit(|rows| {
            let fifth = rows.iter_mut().step_by(5);
            fifth.for_each(|row| row.outcome.moves = row.outcome.moves.map(|moves| moves + 1));
        });
        let comparison = compared(&a, &b);
        let difference = comparison.differences().next().expect("rows differ");
        assert_eq!((difference.common, difference.differing), (100, 20));
        let mut methods = difference.tests.iter().map(|test| test.method);
        assert!(methods.all(|it| it == Method::Paired));
        assert!(comparison.least_holm() < 1e-3, "{comparison:?}");
        // Every trial: the pairs differ by 1 throughout, which has p = 2⁻⁹⁹ by the sign test.
        b[0].rows = a[0].rows.clone();
        b[0].rows
            .edit_each(|row| row.outcome.moves = row.outcome.moves.map(|moves| moves + 1));
        assert!(compared(&a, &b).least_holm() < 1e-20);
    }

    /// statsmodels' `multipletests`, by tests/reference/statistics.py.
    #[test]
    fn adjusted_values_are_statsmodels() {
        let a = [sample(1, pair_key(8, 0.01), 1e6)];
        let differing = || compared(&a, &[sample(2, pair_key(8, 0.01), 1e6)]);
        let mut comparisons = [differing(), differing()];
        let p = [0.04, 0.001, 0.012, 0.3, 0.012, 0.9, 0.0004, 1.0];
        fn tests(comparisons: &mut [Comparison]) -> impl Iterator<Item = &mut EndPointTest> {
            let points = comparisons.iter_mut().flat_map(|it| &mut it.points);
            points.flat_map(|point| match &mut point.finding {
                Finding::Different(difference) => &mut difference.tests[..],
                _ => &mut [],
            })
        }
        for (test, p) in tests(&mut comparisons).zip(p) {
            test.test.p = p;
        }
        adjust(&mut comparisons);
        let expected = [0.16, 0.007, 0.072, 0.9, 0.072, 1.0, 0.0032, 1.0];
        for (test, expected) in tests(&mut comparisons).zip(expected) {
            assert!((test.holm - expected).abs() < 1e-15, "{}", test.holm);
        }
    }

    #[test]
    fn other_seeds_are_independent_samples() {
        let a = [sample(1, pair_key(8, 0.01), 1e6)];
        let mut b = [sample(2, pair_key(8, 0.01), 2e6)];
        b[0].rows.edit_each(|row| row.seed += 10);
        let comparison = compared(&a, &b);
        let difference = comparison.differences().next().expect("rows differ");
        assert_eq!(
            (difference.trials, difference.common, difference.tests.len()),
            ([100, 100], 0, 4)
        );
        let ratio = difference.tests[0].ratio.expect("positive means");
        assert!(
            (1.2..2.2).contains(&ratio.value) && ratio.interval.low > 1.0,
            "{ratio:?}"
        );
        assert!(
            difference.tests[0].test.statistic > 3.0,
            "B is the slower one"
        );
        assert!(comparison.least_holm() < 0.01);
    }

    /// What draws nothing is the same search under every seed; trials of a random branching under
    /// different seeds say nothing about each other.
    #[test]
    fn searches_of_different_seeds() {
        let a = constraint_searches();
        let mut b = a.clone();
        b.iter_mut()
            .for_each(|point| point.rows.edit_each(|row| row.seed = 2));
        let definitions = BTreeMap::from([("cp".to_owned(), 1)]);
        let compared = |a: &[PointTrials], b: &[PointTrials]| of([&definitions; 2], a, b);
        let comparison = compared(&a, &b);
        for PointComparison { point, finding } in &comparison.points {
            let is_random = point.variant.ends_with('R');
            assert_eq!(
                matches!(finding, Finding::NotComparable(reason) if reason.contains("seed")),
                is_random,
                "{point:?}"
            );
            assert_eq!(
                matches!(finding, Finding::Identical { .. }),
                !is_random,
                "{point:?}"
            );
        }
        assert!(comparison.least_holm() >= 1.0);
        for point in &mut b {
            point.rows.edit(|rows| {
                let third = rows.iter_mut().filter(|row| row.trial == 3);
                third.for_each(|row| (row.seed, row.outcome.nodes) = (1, Some(7)));
                rows.sort_by_key(|row| (row.seed, row.trial));
            });
        }
        let comparison = compared(&a, &b);
        let found: Vec<(usize, usize)> = comparison
            .differences()
            .map(|difference| (difference.differing, difference.common))
            .collect();
        assert!(
            !found.is_empty() && found.iter().all(|&found| found == (1, 1)),
            "{found:?}"
        );
        assert_eq!(comparison.least_holm(), 0.0);
    }
}
