use super::*;
use crate::analysis::synthetic::{
    Draws, SyntheticLaw, assert_close, constraint_searches, pair_key, searches, trials,
};
use crate::solver::{Ending, Outcome};

/// 100 trials, some of them cut off.
fn sample(seed: u64, mean: f64) -> PointTrials {
    let law = SyntheticLaw {
        mean,
        ..SyntheticLaw::of_pair_8(3_000_000)
    };
    trials(&mut Draws::new(seed), &law, 100)
}

/// The comparison of all rows of two runs, adjusted.
fn compared(a: &[PointTrials], b: &[PointTrials]) -> Comparison {
    let known = ["pair", "lines", "rows", "cp"].map(|it| (it.to_owned(), 1));
    let definitions = BTreeMap::from(known);
    let partner = |x: &PointTrials| b.iter().find(|y| y.point == x.point);
    let pairs = a.iter().filter_map(|x| Some((x, partner(x)?)));
    let points = pairs.map(|(x, y)| PointComparison::of([&definitions; 2], x, y));
    let points: Vec<_> = points.collect();
    let mut comparison = Comparison {
        only_in_a: a.len() - points.len(),
        only_in_b: b.len() - points.len(),
        points,
    };
    adjust([&mut comparison]);
    comparison
}

fn is_different(comparison: &Comparison) -> bool {
    comparison.points.iter().any(PointComparison::is_different)
}

/// One node more in one search is a difference, without any test.
#[test]
fn searches_are_compared_row_by_row() {
    let a = searches();
    let mut b = a.clone();
    assert!(!is_different(&compared(&a, &b)));
    b[2].rows.edit(|rows| rows[0].outcome.solutions = Some(2));
    let comparison = compared(&a, &b);
    let certain = comparison.points.iter().filter(|point| point.is_certain());
    assert!(certain.count() == 1 && is_different(&comparison));
    let mut differences = comparison.differences();
    assert!(differences.all(|it| it.tests.is_empty() && it.differing == 1));
}

/// Even where the rows are the same. (`transcripts/diff.txt` has the cutoffs.)
#[test]
fn definitions_come_before_every_number() {
    let a = sample(1, 1e6);
    let [one, two] = [1, 2].map(|it| BTreeMap::from([("pair".to_owned(), it)]));
    let comparison = PointComparison::of([&one, &two], &a, &a);
    let reason = "the definition of pair is 1 in A and 2 in B".to_owned();
    assert_eq!(comparison.finding, Finding::NotComparable(reason));
}

#[test]
fn rows_differ_by_every_column() {
    let a = [sample(1, 1e6)];
    let mut b = a.clone();
    b[0].rows.edit_each(|row| row.outcome.moves = None);
    let comparison = compared(&a, &b);
    let found = comparison.differences().next().expect("moves differ");
    assert_eq!(found.differing, 100);
    b = a.clone();
    b[0].rows.edit(|rows| rows[3].outcome.updates = Some(1));
    let comparison = compared(&a, &b);
    let found = comparison.differences().next().expect("rows differ");
    assert_eq!(found.differing, 1);
}

#[test]
fn streams_in_common_make_pairs() {
    let a = [sample(1, 1e6)];
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
    assert!(methods.all(|it| it == "paired t"));
    assert!(is_different(&comparison), "{comparison:?}");
}

/// statsmodels' `multipletests`, by tests/reference/statistics.py.
#[test]
fn adjusted_values_are_statsmodels() {
    let differing = || compared(&[sample(1, 1e6)], &[sample(2, 1e6)]);
    let mut comparisons = [differing(), differing()];
    let p = [0.04, 0.001, 0.012, 0.3, 0.012, 0.9, 0.0004, 1.0];
    let tests = comparisons.iter_mut().flat_map(Comparison::tests_mut);
    tests.zip(p).for_each(|(test, p)| test.test.p = p);
    adjust(&mut comparisons);
    let tests = comparisons.iter().flat_map(Comparison::differences);
    let found: Vec<f64> = tests.flat_map(|it| &it.tests).map(|it| it.holm).collect();
    let expected = [0.16, 0.007, 0.072, 0.9, 0.072, 1.0, 0.0032, 1.0];
    assert_close(&found, &expected, 1e-14);
}

/// What draws nothing is the same search under every seed; trials of a random branching under
/// different seeds say nothing about each other.
#[test]
fn searches_of_different_seeds() {
    let a = constraint_searches();
    let mut b = a.clone();
    let reseed = |point: &mut PointTrials| point.rows.edit_each(|row| row.seed = 2);
    b.iter_mut().for_each(reseed);
    let comparison = compared(&a, &b);
    for PointComparison { point, finding, .. } in &comparison.points {
        let is_right = match finding {
            Finding::NotComparable(reason) => reason.contains("seed"),
            other => matches!(other, Finding::Identical { .. }),
        };
        let is_random = matches!(finding, Finding::NotComparable(_));
        assert!(is_right && is_random == point.variant.ends_with('R'));
    }
    assert!(!is_different(&comparison));
    for point in &mut b {
        point.rows.edit(|rows| {
            let third = rows.iter_mut().filter(|row| row.trial == 3);
            third.for_each(|row| (row.seed, row.outcome.nodes) = (1, Some(7)));
            rows.sort_by_key(|row| (row.seed, row.trial));
        });
    }
    let comparison = compared(&a, &b);
    let mut found = comparison.differences().peekable();
    assert!(found.peek().is_some() && found.all(|it| (it.differing, it.common) == (1, 1)));
    assert!(is_different(&comparison));
}

/// So many families of 20 points on two sides, 50 trials a side and point, nothing different: how
/// many have an alarm at 5 % under Holm. One trial in seven is cut off, and moves scatter on their
/// own.
fn alarms(families: u32) -> usize {
    let mut draws = Draws::new(23);
    let mut point = |n| {
        let law = SyntheticLaw::of(pair_key(n, 0.01), 5e5, 1_000_000);
        let mut point = trials(&mut draws, &law, 50);
        point.rows.edit_each(|row| {
            let moves = row.outcome.updates.unwrap_or_default() / 400;
            row.outcome.moves = Some(moves + draws.exponential(40.0));
        });
        point
    };
    let mut family = || (4..24).map(&mut point).collect::<Vec<_>>();
    let mut alarms = || is_different(&compared(&family(), &family()));
    (0..families).filter(|_| alarms()).count()
}

/// Holm promises at most 10 of 200; at most 19 pass (2.9 standard errors: a false failure in 500,
/// less since the tests of a point depend on each other; fixed seed).
#[test]
fn families_alarm_in_at_most_five_per_cent() {
    let alarms = alarms(200);
    assert!(alarms <= 19, "{alarms} of 200 families alarm");
}

/// The promise of Holm's method is at most 50 of 1000; at most 70 pass.
#[test]
#[ignore = "slow: make verify"]
fn many_families_alarm_in_at_most_five_per_cent() {
    let alarms = alarms(1000);
    assert!(alarms <= 70, "{alarms} of 1000 families alarm");
}

/// Most of 100 pairs of samples whose means differ by the factor that is said to be visible are
/// found to be different, and not all; the three tests of a point are one family.
#[test]
fn a_visible_factor_is_mostly_found() {
    let of_so_many = |count, seed, mean| {
        let law = SyntheticLaw {
            mean,
            ..SyntheticLaw::of_pair_8(u64::MAX)
        };
        [trials(&mut Draws::new(seed), &law, count)]
    };
    let of = |seed, mean| of_so_many(100, seed, mean);
    let few = compared(&of_so_many(29, 1, 1e6), &of_so_many(29, 2, 1e6));
    assert!(few.differences().all(|it| it.visible_factor(4).is_none()));
    let first = compared(&of(1, 1e6), &of(2, 1e6));
    let difference = first.differences().next().expect("rows differ");
    let tests = difference.tests.len();
    let factor = difference.visible_factor(tests).expect("a ratio");
    assert!((1.3..2.0).contains(&factor), "{factor}");
    let pairs = (0..100).map(|it| compared(&of(1000 + it, 1e6), &of(2000 + it, factor * 1e6)));
    let found = pairs.filter(is_different).count();
    assert!((60..=97).contains(&found), "{found} of 100");
    // Where trials were cut off, nothing is known of their times.
    let cut = compared(&[sample(1, 1e6)], &[sample(2, 1e6)]);
    let difference = cut.differences().next().expect("rows differ");
    assert_eq!(difference.visible_factor(tests), None);
}

#[test]
fn only_trials_of_both_sides_count() {
    let timings = |n: u32, seconds: &[f64]| {
        let row = |trial| Row {
            seed: 1,
            trial,
            cutoff: 9,
            outcome: Outcome::ended(Ending::Exhausted),
        };
        PointTimings {
            point: pair_key(n, 0.01),
            rows: (0..seconds.len() as u32).map(row).collect(),
            seconds: seconds.iter().map(|&it| vec![it, 100.0]).collect(),
        }
    };
    let a = [timings(8, &[1.0, 3.0]), timings(9, &[50.0])];
    let b = [timings(8, &[2.0, 6.0, 70.0])];
    assert_eq!(
        (seconds_ratio(&a, &b), seconds_ratio(&b, &a)),
        (Some(2.0), Some(0.5))
    );
    assert_eq!(seconds_ratio(&a, &[]), None);
    // Trial 0 was taken over: its time was measured once.
    let taken_over = [timings(8, &[1.0, 9.0]), timings(9, &[150.0])];
    assert_eq!(seconds_ratio(&a, &taken_over), Some(3.0));
    assert_eq!(seconds_ratio(&a, &a), None);
}
