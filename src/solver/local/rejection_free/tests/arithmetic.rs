//! Tests: trials short enough for their laws to be written down.

use std::any::type_name;

use super::super::PreparedRule;
use crate::board::{Board, Direction};
use crate::local::configuration::Configuration;
use crate::local::rules::for_every_rule;
use crate::local::sites::LocalRule;
use crate::local::tests::samples::{self, VARIANTS, sites, updates, with_true_signals};
use crate::rng::TrialStream;
use crate::tests::chi_square;
use crate::{Control, Ending, Outcome, Point, process};

/// The other parameters at a tenth of their ranges.
fn prepared_at<R: LocalRule>(variant: &str, n: usize, epsilon: f64) -> PreparedRule<R> {
    PreparedRule::new(samples::rule_at(variant, n, epsilon, 0.1), Board::new(n))
}

fn trial<R: LocalRule>(
    prepared: &PreparedRule<R>,
    start: &Configuration,
    cutoff: u64,
    number: u32,
) -> Outcome {
    let stream = TrialStream::new("tests/arithmetic", 0, &Point::new("test", []), number);
    let control = Control::unstopped();
    let trial = process::run(
        prepared.begin(start.clone(), &control),
        cutoff,
        stream,
        &control,
    );
    trial.expect("no stop is asked for").0
}

/// Queens on these cells and true signals.
fn settled(n: usize, queens: &[(usize, usize)]) -> Configuration {
    let board = Board::new(n);
    let queens = queens.iter().map(|&(x, y)| board.cell(x, y));
    with_true_signals(Configuration::with_queens(board, queens))
}

/// A solution on which so many of two signals are false. Both are on cells of the edge without
/// a queen, and no dependency reads them.
fn nearly_absorbed(n_false: usize) -> Configuration {
    let mut x = settled(4, &[(0, 1), (1, 3), (2, 0), (3, 2)]);
    let board = x.board();
    let edge = [
        (board.cell(0, 0), Direction::E),
        (board.cell(3, 3), Direction::W),
    ];
    for (cell, direction) in edge.into_iter().take(n_false) {
        let signals = x[cell].signals;
        x.set_signals(cell, signals.with(direction, !signals.contains(direction)));
    }
    x
}

/// Pearson's χ² of times against a law given by its distribution function, over 20 classes of about
/// equal probability.
///
/// Threshold 80 on at most 19 degrees of freedom: a false failure with probability 2·10⁻⁹ for each
/// use.
fn assert_law(times: &[u64], distribution: impl Fn(u64) -> f64) {
    let mut ends: Vec<u64> = Vec::new();
    let mut time = 0;
    for class in 1..20 {
        while distribution(time) < f64::from(class) / 20.0 {
            time += 1;
        }
        ends.push(time);
    }
    ends.dedup();
    let n = times.len() as f64;
    let (mut below, mut counted) = (0.0, 0);
    let classes = ends.into_iter().chain([u64::MAX]).map(|end| {
        let up_to = if end == u64::MAX {
            1.0
        } else {
            distribution(end)
        };
        let observed = times.iter().filter(|&&time| time <= end).count() - counted;
        let expected = n * (up_to - below);
        (below, counted) = (up_to, counted + observed);
        (observed as f64, expected)
    });
    let chi2 = chi_square(classes);
    assert!(chi2 < 80.0, "χ² = {chi2}");
}

fn absorption_times<R: LocalRule>(prepared: &PreparedRule<R>, start: &Configuration) -> Vec<u64> {
    (0..10_000)
        .map(|number| {
            trial(prepared, start, u64::MAX, number)
                .absorption_time
                .expect("absorbed sooner or later")
        })
        .collect()
}

/// One false signal, whose site's update is waited for: P(T ≤ t) = 1 − (1 − 1/N)^t. Two that do not
/// touch, the later of which is: P(T ≤ t) = 1 − 2(1 − 1/N)^t + (1 − 2/N)^t.
#[test]
fn possible_changes_are_waited_for() {
    fn check<R: LocalRule>(variant: &str) {
        let prepared: PreparedRule<R> = prepared_at(variant, 4, 0.01);
        let n = prepared.rule.n_sites() as f64;
        let none_of = |signals: f64, t: u64| libm::pow(1.0 - signals / n, t as f64);
        let [one, two] =
            [1, 2].map(|n_false| absorption_times(&prepared, &nearly_absorbed(n_false)));
        assert_law(&one, |t| 1.0 - none_of(1.0, t));
        assert_law(&two, |t| 1.0 - 2.0 * none_of(1.0, t) + none_of(2.0, t));
    }
    for_every_rule!(variant in check(variant));
}

/// Probability that one update of this configuration moves a queen.
fn chance_of_move<R: LocalRule>(rule: &R, x: &Configuration) -> f64 {
    let results = sites(rule).flat_map(|site| updates(rule, x, site));
    let moving = results.filter(|(_, (_, moved))| moved.is_some());
    moving.map(|(p, _)| p).sum::<f64>() / rule.n_sites() as f64
}

/// True for the conditions under which no move between two occupied cells of equal signals is
/// certain.
fn takes_a_coin(variant: &str) -> bool {
    variant.is_empty() || variant.starts_with("safe or")
}

/// An update moves a queen with probability p as long as none has moved: none has by the cutoff
/// with probability (1 − p)^cutoff.
///
/// Threshold |Z| < 6: a false failure with probability 2·10⁻⁹ for each check.
fn unmoved_by<R: LocalRule>(
    variant: &str,
    queens: &[(usize, usize)],
    (epsilon, cutoff): (f64, u64),
    trials: u32,
) {
    if !takes_a_coin(variant) {
        return;
    }
    let prepared: PreparedRule<R> = prepared_at(variant, 2, epsilon);
    let start = settled(2, queens);
    let unmoved = (0..trials)
        .filter(|&number| trial(&prepared, &start, cutoff, number).moves == Some(0))
        .count();
    let expected = libm::exp(cutoff as f64 * libm::log1p(-chance_of_move(&prepared.rule, &start)));
    let n = f64::from(trials);
    let z = (unmoved as f64 - n * expected) / (n * expected * (1.0 - expected)).sqrt();
    assert!(
        z.abs() < 6.0,
        "{} {queens:?} ε = {epsilon}: {unmoved} unmoved, Z = {z}",
        type_name::<R>()
    );
}

fn dangerous_moves_are_waited_for_in(trials: u32) {
    for epsilon in [0.9_f64, 0.3, 0.01, 1e-9, 1e-15, 1e-17] {
        let at = (epsilon, (3.0 / epsilon) as u64);
        for_every_rule!(variant in unmoved_by(variant, &[(0, 0), (1, 0)], at, trials));
    }
    for_every_rule!(variant in unmoved_by(variant, &[(0, 0), (0, 0)], (0.01, 3), trials));
}

#[test]
fn dangerous_moves_are_waited_for() {
    dangerous_moves_are_waited_for_in(2000);
}

#[test]
#[ignore = "slow: make verify"]
fn dangerous_moves_are_waited_for_in_many_trials() {
    dangerous_moves_are_waited_for_in(20_000);
}

#[test]
fn without_a_possible_change_a_trial_is_censored_at_once() {
    fn check<R: LocalRule>(variant: &str, cutoff: u64) {
        if !takes_a_coin(variant) {
            return;
        }
        let start = settled(2, &[(0, 0), (1, 0)]);
        let outcome = trial(&prepared_at::<R>(variant, 2, 0.0), &start, cutoff, 0);
        assert_eq!(
            (outcome.ending, outcome.updates, outcome.moves),
            (Ending::Censored, Some(cutoff), Some(0))
        );
        assert_eq!(
            (
                outcome.absorption_time,
                outcome.hitting_time,
                outcome.solution
            ),
            (None, None, None)
        );
        // ε = 1: two queens that face each other can only swap, but others beside them are free.
        let outcome = trial(
            &prepared_at::<R>(variant, 2, 1.0),
            &start,
            1000.min(cutoff),
            0,
        );
        assert_eq!(outcome.updates, Some(1000.min(cutoff)));
    }
    for cutoff in [1, 1_000_000_000, u64::MAX] {
        for_every_rule!(variant in check(variant, cutoff));
    }
}
