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
