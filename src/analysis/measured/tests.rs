use super::*;
use crate::analysis::formula::Formula;
use crate::analysis::synthetic::{assert_close, pair_key};
use crate::experiment::store::Row;
use crate::solver::outcome::OwnValues;
use crate::solver::{Ending, Outcome, OwnValue};

/// Under the cutoff 1000: the times of the absorption and of the hit, and the moves up to each.
fn row(times: [Option<u64>; 2], moves: u64, moves_at_hit: Option<u64>) -> Row {
    let [absorption_time, hitting_time] = times;
    let ending = absorption_time.map_or(Ending::Censored, |_| Ending::Absorbed);
    Row {
        seed: 1,
        trial: 0,
        cutoff: 1000,
        outcome: Outcome {
            absorption_time,
            hitting_time,
            moves: Some(moves),
            moves_at_hit,
            updates: absorption_time.or(Some(1000)),
            ..Outcome::ended(ending)
        },
    }
}

fn of_each(rows: &[Row], statistic: Statistic) -> [Option<Measured>; 4] {
    let trials = PointTrials {
        point: pair_key(8, 0.01),
        rows: rows.to_vec().into(),
    };
    Quantity::ALL.map(|it| of(&trials, it.name(), statistic))
}

fn mean_and_censored(found: Option<Measured>) -> (f64, u64) {
    let Measured {
        estimate, censored, ..
    } = found.expect("the rows have it");
    (estimate.value, censored)
}

/// The expected values are by hand: min(T, 1000) of 100, 1000, 1000, 300; the second trial hit
/// at 700, the third never.
#[test]
fn censored_trials_count_with_their_cutoff_and_are_counted() {
    let rows = [
        row([Some(100), Some(100)], 5, Some(5)),
        row([None, Some(700)], 20, Some(9)),
        row([None, None], 30, None),
        row([Some(300), Some(200)], 5, Some(2)),
    ];
    let means = of_each(&rows, Statistic::Mean).map(mean_and_censored);
    assert_eq!(means, [(600.0, 2), (500.0, 1), (15.0, 2), (11.5, 1)]);
    // Below the least of the moves so far, 20, moves have their rank.
    let is_bound = |percent| {
        let [time, _, moves, _] = of_each(&rows, Statistic::Quantile(percent));
        [time, moves].map(|it| it.expect("a quantile").estimate.is_bound)
    };
    let are_bounds = [5, 25, 50, 75, 95].map(is_bound);
    let [exact, bound] = [[false; 2], [true; 2]];
    assert_eq!(are_bounds, [exact, exact, exact, bound, bound]);
}

/// Clopper and Pearson's bound for 0 of 20 is 0.16843347 (SciPy's `binomtest`).
#[test]
fn when_every_trial_was_cut_off_the_binomial_law_bounds_what_may_come() {
    let rows = vec![row([None, None], 3, None); 20];
    let [time, _, moves, _] = of_each(&rows, Statistic::Mean).map(|it| it.expect("a mean"));
    assert_close(&[time.estimate.low], &[831.56652901691], 1e-11);
    let upper = [time.estimate.value, time.estimate.high];
    assert_eq!(upper, [1000.0, f64::INFINITY]);
    assert_eq!([time, moves].map(|it| it.method), [BINOMIAL, GAFFKE]);
}

#[test]
fn under_two_cutoffs_the_least_counts() {
    let mut early = row([None, None], 3, None);
    early.cutoff = 150;
    let late = row([Some(900), Some(800)], 8, Some(7));
    let rows = [early, row([Some(100), Some(90)], 8, Some(7)), late];
    let [time, ..] = of_each(&rows, Statistic::Mean);
    assert_eq!(time.map(|it| it.cutoff), Some(150));
    assert_eq!(mean_and_censored(time), (400.0 / 3.0, 2));
}

#[test]
fn what_an_algorithm_does_not_measure_has_no_mean() {
    let mut bare = row([Some(100), None], 0, None);
    bare.outcome.moves = None;
    let are_known = of_each(&[bare], Statistic::Mean).map(|it| it.is_some());
    assert_eq!(are_known, [true, false, false, false]);
}

fn of(trials: &PointTrials, formula: &str, statistic: Statistic) -> Option<Measured> {
    let formula = Formula::of(formula);
    Measured::of(trials, &Summary { statistic, formula })
}

fn numbers(Measured { estimate, .. }: Measured) -> [f64; 3] {
    [estimate.value, estimate.low, estimate.high]
}

fn point(ending: Ending, checks: impl IntoIterator<Item = Option<u64>>) -> PointTrials {
    let row = |checks| Row {
        seed: 1,
        trial: 0,
        cutoff: 100,
        outcome: Outcome {
            checks,
            ..Outcome::ended(ending)
        },
    };
    PointTrials {
        point: pair_key(8, 0.01),
        rows: checks.into_iter().map(row).collect(),
    }
}

#[test]
fn any_column_of_numbers_has_a_mean_where_every_trial_has_one() {
    let average = |trials: &PointTrials| of(trials, "checks", Statistic::Mean);
    let trials = point(Ending::Exhausted, [Some(10), Some(20)]);
    let found = average(&trials).expect("every row has checks");
    let Estimate {
        value,
        trials: count,
        is_bound,
        ..
    } = found.estimate;
    assert_eq!(
        (value, count, found.cutoff, is_bound),
        (15.0, 2, 100, false)
    );
    assert_eq!(of(&trials, "solution", Statistic::Mean), None);
    let cut = average(&point(Ending::Censored, [Some(10)]));
    assert!(cut.expect("it has checks").estimate.is_bound);
    for nothing in [&[Some(10), None][..], &[]] {
        let nothing = point(Ending::Exhausted, nothing.iter().copied());
        assert_eq!(average(&nothing), None);
    }
}

/// The numbers −50 … 49 in units of 0.5, whose median is that of the ranks 50, 40 and 61 as
/// below; a row without a number gives none, and censored ones are no bounds of a real.
#[test]
fn reals_have_a_mean_a_median_and_a_ratio() {
    let row = |half: i32, ending| {
        let mut outcome = Outcome::ended(ending);
        let energy = OwnValue::Real(f64::from(half) / 2.0);
        outcome.own.set("energy", energy);
        outcome.checks = Some(2);
        Row {
            seed: 1,
            trial: 0,
            cutoff: 100,
            outcome,
        }
    };
    let rows = (-50..50).map(|half| row(half, Ending::Censored));
    let trials = PointTrials {
        point: pair_key(8, 0.01),
        rows: rows.collect(),
    };
    let mean = of(&trials, "energy", Statistic::Mean).expect("a real each");
    assert_close(&[mean.estimate.value], &[-0.25], 1e-12);
    assert_eq!(
        (mean.method, mean.censored, mean.estimate.is_bound),
        (T, 100, false)
    );
    let median = of(&trials, "energy", Statistic::Quantile(50)).expect("a real each");
    assert_eq!(numbers(median), [-0.5, -5.5, 5.0]);
    let ratio = of(&trials, "energy / checks", Statistic::Mean).expect("both columns");
    assert_close(&[ratio.estimate.value], &[-0.125], 1e-12);
    assert!(ratio.estimate.low < -0.125 && ratio.estimate.high > -0.125);
    // Reals whose sum is 0 exactly: the error of their mean, √(Σ x² / (m (m − 1))), over 2.
    let balanced = (-50..=50).map(|half| row(half, Ending::Absorbed));
    let balanced = PointTrials {
        point: pair_key(8, 0.01),
        rows: balanced.collect(),
    };
    let ratio = of(&balanced, "energy / checks", Statistic::Mean).expect("both columns");
    let mean = of(&balanced, "energy", Statistic::Mean).expect("a real each");
    let half = mean.estimate.high / 2.0;
    assert_close(&[ratio.estimate.high], &[half], 1e-9);
    let few = quantile_of_reals(&[3.0, -1.0], 50);
    assert_eq!(few.low, f64::NEG_INFINITY);
    let mut lacking = trials.clone();
    lacking
        .rows
        .edit(|rows| rows[0].outcome.own = OwnValues::default());
    assert_eq!(of(&lacking, "energy", Statistic::Mean), None);
}

/// The interval of the median of 1 … 100 is that of the ranks 40 and 61 (SciPy, by
/// tests/reference/analysis.py). Where all trials were cut off no rank of a count is known;
/// where one was, after 70 checks, the ranks up to 70 are, and so are the median and its
/// interval.
#[test]
fn the_median_has_the_interval_of_its_ranks() {
    let hundred = || (1..=100).rev().map(Some);
    let median = |ending| of(&point(ending, hundred()), "checks", Statistic::Quantile(50));
    let found = median(Ending::Exhausted).expect("every row has checks");
    assert_eq!(numbers(found), [50.0, 40.0, 61.0]);
    let cut = median(Ending::Censored).expect("every row has checks");
    assert_eq!(cut.estimate.high, f64::INFINITY);
    let are_bounds = [found, cut].map(|it| it.estimate.is_bound);
    assert_eq!(are_bounds, [false, true]);
    let mut one_cut = point(Ending::Exhausted, hundred());
    one_cut.rows.edit_each(|row| {
        if row.outcome.checks == Some(70) {
            row.outcome.ending = Ending::Censored;
        }
    });
    let of_one_cut = |percent| of(&one_cut, "checks", Statistic::Quantile(percent));
    let [median, upper] = [50, 75].map(|percent| of_one_cut(percent).expect("checks"));
    assert_eq!(numbers(median), [50.0, 40.0, 61.0]);
    let are_bounds = [median, upper].map(|it| it.estimate.is_bound);
    assert_eq!(are_bounds, [false, true]);
    let few = point(Ending::Exhausted, [Some(7), Some(9), Some(8)]);
    let few = of(&few, "checks", Statistic::Quantile(50)).expect("every row has checks");
    assert_eq!(numbers(few), [8.0, 0.0, f64::INFINITY]);
}

/// 8 of 10 trials were absorbed: SciPy's interval of Wilson, as in `share`. A column that the
/// rule never fills is no share of 0.
#[test]
fn a_share_is_of_all_trials() {
    let mut trials = point(Ending::Censored, [None; 10]);
    let row = |absorbed: bool| {
        let mut row = trials.rows.iter().next().expect("a row");
        row.outcome.absorption_time = absorbed.then_some(60);
        row
    };
    let rows: Vec<Row> = (0..10).map(|it| row(it < 8)).collect();
    trials.rows = rows.into();
    let found = of(&trials, "absorption_time", Statistic::Share).expect("a column of the rule");
    assert_close(&numbers(found), &[0.8, 0.4901625, 0.9433178], 1e-6);
    assert_eq!(
        (found.estimate.trials, found.estimate.is_bound),
        (10, false)
    );
    assert_eq!(of(&trials, "nodes", Statistic::Share), None);
    // Their endings are censored, whatever their times.
    let cut = of(&trials, "censored", Statistic::Share).expect("every rule has an ending");
    assert_eq!(cut.estimate.value, 1.0);
}

/// (3 + 5) / (10 + 30), not the mean of 3/10 and 5/30; leaving one of both out gives 5/30 and
/// 3/10, so the jackknife's error is √(1/2 · 2 · (1/15)²) = 1/15. Up to a cutoff it is the same
/// number, without weight in a fit.
#[test]
fn a_ratio_is_that_of_the_sums() {
    let trials = |ending| {
        let mut trials = point(ending, [Some(10), Some(30)]);
        let rows = trials.rows.iter().zip([3, 5]).map(|(mut row, failures)| {
            row.outcome.failures = Some(failures);
            row
        });
        let rows: Vec<Row> = rows.collect();
        trials.rows = rows.into();
        trials
    };
    let [whole, cut] = [Ending::Exhausted, Ending::Censored].map(trials);
    let [found, so_far] = [&whole, &cut]
        .map(|it| of(it, "failures / checks", Statistic::Mean).expect("both columns"));
    let error = [found.estimate.value, found.estimate.error];
    assert_close(&error, &[0.2, 1.0 / 15.0], 1e-12);
    assert_eq!(numbers(found), numbers(so_far));
    assert_eq!((so_far.censored, so_far.estimate.is_bound), (2, false));
    assert_eq!(so_far.estimate.log_variance(), None);
    assert_eq!(of(&whole, "failures / nodes", Statistic::Mean), None);
}
