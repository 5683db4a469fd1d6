use super::sight::Sight;
use super::*;
use crate::analysis::comparison::end_point::EndPoint;
use crate::analysis::synthetic::{
    Draws, SyntheticLaw, assert_close, constraint_searches, pair_key, searches, trials,
};
use crate::experiment::spec::number::MOST_INTEGER;
use crate::solver::{Ending, Outcome, OwnValue};

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
        only_in_a: Vec::new(),
        only_in_b: Vec::new(),
        points,
    };
    adjust([&mut comparison]);
    comparison
}

fn is_different(comparison: &Comparison) -> bool {
    comparison.points.iter().any(|point| point.is_different)
}

/// Trials that have a number of their own: exponential with a standard deviation of 1, shifted to
/// this mean, so that some are negative.
fn with_energy(seed: u64, mean: f64) -> PointTrials {
    let mut draws = Draws::new(seed);
    let mut sample = sample(1000 + seed, 1e6);
    sample.rows.edit_each(|row| {
        row.seed = seed;
        row.outcome = Outcome::ended(Ending::Absorbed);
        let energy = mean - 1.0 + draws.exponential(1e6) as f64 / 1e6;
        row.outcome.own.set("energy", OwnValue::Real(energy));
    });
    sample
}

/// Own numbers are tested as samples by their ranks, and as pairs by their differences. With 100
/// trials a side, a shift by one standard deviation makes a value of B the larger one with
/// probability 1 − 1/(2e) = 0.82, which is z ≈ 7.7 ± 1: p < 10⁻⁸ (z = 5.7) but for one seed in
/// 40; without a shift p < 0.001 for one seed in a thousand. The seeds are fixed.
#[test]
fn own_numbers_are_tested() {
    let a = with_energy(1, 0.0);
    let [same, shifted] = [0.0, 1.0].map(|mean| with_energy(2, mean));
    let p = |b: &PointTrials| {
        let comparison = compared(std::slice::from_ref(&a), std::slice::from_ref(b));
        let found: Vec<&Difference> = comparison.differences().collect();
        let tests = &found[0].tests;
        assert_eq!(tests.len(), 1, "no time and no moves are there");
        assert_eq!(tests[0].end_point.name(), "energy");
        assert_eq!((tests[0].method, tests[0].ratio), ("Mann-Whitney", None));
        assert!(matches!(found[0].sight(1), Sight::Factors(factors) if factors.is_empty()));
        (tests[0].test.p, is_different(&comparison))
    };
    assert!(p(&same).0 > 0.001 && !p(&same).1);
    assert!(p(&shifted).0 < 1e-8 && p(&shifted).1);

    let mut paired = a.clone();
    paired.rows.edit_each(|row| {
        let Some(OwnValue::Real(energy)) = row.outcome.own.get("energy") else {
            panic!("each has one");
        };
        let lower = OwnValue::Real(energy - 0.25 - 0.01 * f64::from(row.trial % 7));
        row.outcome.own.set("energy", lower);
    });
    let comparison = compared(&[a], &[paired]);
    let found: Vec<&Difference> = comparison.differences().collect();
    assert_eq!(
        (found[0].design, found[0].tests[0].method),
        (Design::Pairs, "paired t")
    );
    assert!(is_different(&comparison));
    let json = serde_json::to_value(found[0].tests[0]).expect("plain data");
    assert_eq!(json["end_point"], "energy");
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

/// The factor between absorption times that is said to be visible at a point, the only one.
fn visible(comparison: &Comparison) -> Option<f64> {
    let difference = comparison.differences().next().expect("rows differ");
    let Sight::Factors(factors) = difference.sight(difference.tests.len()) else {
        return None;
    };
    let mut factors = factors.into_iter();
    let factor = factors.find(|(end_point, _)| *end_point == EndPoint::AbsorptionTime);
    factor.map(|(_, factor)| factor)
}

/// So many trials that are not cut off, under seeds 1 and 2 or, on the side of samples, 3 and 4.
fn side(count: u32, seed: u64, mean: f64, is_of_other_seeds: bool) -> [PointTrials; 1] {
    let law = SyntheticLaw {
        mean,
        ..SyntheticLaw::of_pair_8(MOST_INTEGER)
    };
    let mut point = trials(&mut Draws::new(seed), &law, count);
    if is_of_other_seeds {
        point.rows.edit_each(|row| row.seed += 2);
    }
    [point]
}

/// How many of 100 pairs of sides are different whose means differ by this factor.
fn n_found(count: u32, factor: f64, is_of_other_seeds: bool) -> usize {
    let pairs = (0..100).map(|round| {
        let a = side(count, 1000 + round, 1e6, false);
        let b = side(count, 2000 + round, factor * 1e6, is_of_other_seeds);
        compared(&a, &b)
    });
    pairs.filter(is_different).count()
}

/// At least about 80 % of pairs of sides whose means differ by the factor that is said to be
/// visible are found to be different, and of half of the logarithm of it far fewer. 100 pairs
/// each; 66 or more of 100 have a probability above 0.9996 where 80 % are found, 60 or fewer one
/// above 0.98 where 50 % are. Three tests of a point beside that of absorption times find some,
/// too.
#[test]
fn a_visible_factor_is_mostly_found() {
    for (count, is_of_other_seeds) in [(60, false), (30, false), (12, true), (60, true)] {
        let first = compared(
            &side(count, 1, 1e6, false),
            &side(count, 2, 1e6, is_of_other_seeds),
        );
        let factor = visible(&first).expect("a factor");
        let found = n_found(count, factor, is_of_other_seeds);
        assert!(found >= 66, "{count}: {found} of 100, factor {factor}");
        // Of 30 pairs of exponential times rather more are found than is said.
        if count != 30 {
            let half = n_found(count, factor.sqrt(), is_of_other_seeds);
            assert!(half <= 60, "{count}: {half} of 100, factor {factor} halved");
        }
    }
}

/// By hand: of two pairs that differ among 60, t² is at most (m − 1) k / (m − k) = 59 · 2 / 58,
/// whose p with one degree of freedom is 0.389. Five exponential times and five give t a
/// non-centrality of at most √5, and t has to be 4.3 at the level of four tests.
#[test]
fn what_no_test_can_find_is_said() {
    let a = side(60, 1, 1e6, false);
    let mut b = a.clone();
    let fresh = &side(60, 2, 1e6, false)[0];
    b[0].rows.edit(|rows| {
        for at in [7, 40] {
            rows[at].outcome = fresh.rows.iter().nth(at).expect("a row").outcome;
        }
    });
    let comparison = compared(&a, &b);
    let difference = comparison.differences().next().expect("rows differ");
    assert_eq!((difference.differing, difference.common), (2, 60));
    assert_eq!(difference.sight(4), Sight::FewRows);
    assert!(difference.tests.iter().all(|test| test.test.p >= 0.388));
    let few = compared(&side(5, 1, 1e6, false), &side(5, 2, 1e6, false));
    assert_eq!(visible(&few), None);
    // Of times that were cut off nothing is known.
    let cut = compared(&[sample(1, 1e6)], &[sample(2, 1e6)]);
    assert_eq!(visible(&cut), None);
}

/// Samples of so many trials of one law, of which `common` have the same seeds.
fn overlapping(sizes: [usize; 2], common: usize) -> [[PointTrials; 1]; 2] {
    let [mut a, mut b] = [sample(1, 1e6), sample(2, 1e6)];
    a.rows.edit(|rows| {
        rows.truncate(sizes[0]);
        rows.iter_mut().zip(0..).for_each(|(row, trial)| {
            (row.seed, row.trial) = (1, trial);
        });
    });
    b.rows.edit(|rows| {
        rows.truncate(sizes[1]);
        let first = (sizes[0] - common) as u32;
        rows.iter_mut().zip(first..).for_each(|(row, trial)| {
            (row.seed, row.trial) = (1, trial);
        });
    });
    [[a], [b]]
}

/// Half of the trials of the smaller side are too few to leave the others out.
#[test]
fn few_pairs_are_no_reason_to_leave_trials_out() {
    for (sizes, common, design, used) in [
        ([40, 40], 0, Design::Samples, [40, 40]),
        ([40, 40], 20, Design::Samples, [40, 40]),
        ([40, 40], 21, Design::Pairs, [21, 21]),
        ([40, 4], 2, Design::Samples, [40, 4]),
        ([40, 4], 3, Design::Pairs, [3, 3]),
    ] {
        let [a, b] = overlapping(sizes, common);
        let comparison = compared(&a, &b);
        let found = comparison.differences().next().expect("rows differ");
        assert_eq!((found.design, found.trials), (design, used), "{sizes:?}");
        assert_eq!((found.of, found.common), (sizes, common));
    }
}
