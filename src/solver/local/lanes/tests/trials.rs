//! Tests of whole trials.

use std::sync::Mutex;

use super::plain;
use super::*;
use crate::board::Directions;
use crate::local::lanes::Kernel;
use crate::local::rules::{OnCells, OnPairs};
use crate::{Change, Dynamics, Ending, Key, prepare};

/// n, ε, the fraction of η, cutoffs and numbers of trials: stale boards, traps, certain and
/// impossible coins, times above 2⁵³.
const CASES: [(usize, f64, f64, u64, u32); 18] = [
    (1, 0.1, 0.1, 10, 2),
    (2, 0.0, 0.1, 1000, 3),
    (2, 0.3, 0.1, 1, 3),
    (2, 0.3, 0.1, 1000, 3),
    (3, 1.0, 0.5, 700, 4),
    (4, 0.0, 0.0, 5000, 4),
    (4, 0.3, 0.1, 1_000_000, 2),
    (4, 1e-17, 0.0, u64::MAX, 2),
    (5, 0.05, 0.1, 300, 5),
    (5, 0.05, 1.0, 1_000_000, 1),
    (6, 0.02, 0.0, 1_000_000, 1),
    (6, 0.9, 0.9, 1000, 2),
    (7, 0.1, 0.3, 4000, 1),
    (7, 0.03, 0.0, 4000, 2),
    (8, 0.01, 0.1, 10_000, 2),
    (8, 0.1, 0.1, 3000, 2),
    (8, 0.5, 1.0, 3000, 1),
    (8, 1.0, 0.0, 1000, 1),
];

/// A trial of seed 1 on its own, with its changes.
fn followed(point: &Point, trial: u32, cutoff: u64) -> (Outcome, Vec<Change>) {
    let changes = Mutex::new(Vec::new());
    let watch = |change| changes.lock().expect("alone").push(change);
    let control = Control::unstopped().watching(&watch);
    let key = Key { seed: 1, trial };
    let gave = prepare(point, Some(Dynamics::Lanes))(key, cutoff, &control);
    let (outcome, _) = gave.expect("no stop is asked for");
    (outcome, changes.into_inner().expect("alone"))
}

/// Asserts that a trial is that of plain code: its outcome, and when it runs alone also every
/// change. Returns false if that would take long.
fn assert_plain<R: Kernel<G>, const G: usize>(
    point: &Point,
    trial: u32,
    cutoff: u64,
    outcome: &Outcome,
) -> bool {
    let Some((expected, changes)) = plain::trial::<R, G>(point, trial, cutoff, 2000) else {
        return false;
    };
    assert_eq!(*outcome, expected, "{point}, trial {trial}, {cutoff}");
    let (again, found) = followed(point, trial, cutoff);
    assert_eq!(again, expected, "{point}, trial {trial}, {cutoff}");
    let mut x = local::start(point, Dynamics::Lanes, Key { seed: 1, trial });
    let mut found = found.iter();
    for (update, state) in changes {
        if state != x {
            let change = found.next().expect("one more change");
            apply(&mut x, change);
            assert_eq!(
                (change.update, &x),
                (update, &state),
                "{point}, trial {trial}"
            );
        }
    }
    assert_eq!(found.next(), None, "{point}, trial {trial}, {cutoff}");
    true
}

/// Takes what a change did.
fn apply(x: &mut Configuration, change: &Change) {
    let board = x.board();
    let cell = |number: u32| board.cell(number as usize % board.n(), number as usize / board.n());
    for signal in &change.toggled {
        let signals = x[cell(signal.cell)].signals;
        let toggled = signals.difference(Directions::only(signal.direction));
        x.set_signals(cell(signal.cell), toggled);
    }
    if let Some(moved) = change.moved {
        x.move_queen(cell(moved.from), cell(moved.to));
    }
}

/// Adds absorbed and censored trials, dangerous and deceived moves.
fn check_rule<R: Kernel<G>, const G: usize>(seen: &mut [u64; 4]) {
    for (n, epsilon, other, cutoff, trials) in CASES {
        let rule = samples::registered::<R>();
        let rule = &rule.algorithm;
        let point = samples::point(rule.name, rule.axes, (n, epsilon, other));
        let all: Vec<u32> = (0..trials).collect();
        let outcomes = run(&point, &all, cutoff, Instructions::fastest());
        for (trial, outcome) in (0..).zip(&outcomes) {
            if assert_plain::<R, G>(&point, trial, cutoff, outcome) {
                seen[0] += u64::from(outcome.ending == Ending::Absorbed);
                seen[1] += u64::from(outcome.ending == Ending::Censored);
                seen[2] += outcome.dangerous_moves.unwrap_or(0);
                seen[3] += outcome.deceived_moves.unwrap_or(0);
            }
        }
    }
}

#[test]
fn trials_are_those_of_plain_code() {
    let mut seen = [0; 4];
    check_rule::<OnCells, 1>(&mut seen);
    check_rule::<OnPairs, 4>(&mut seen);
    let were_tried = seen.iter().all(|&seen| seen > 10);
    assert!(were_tried, "all kinds were tried: {seen:?}");
}

/// A trial with a cutoff at its own absorption is the same, alone and side by side; one update
/// earlier it is censored.
#[test]
fn a_trial_absorbed_at_its_cutoff_is_absorbed() {
    for point in points((4, 0.1, 0.1)) {
        let trials: Vec<u32> = (0..100).collect();
        let outcomes = run(&point, &trials, u64::MAX, Instructions::fastest());
        for (trial, outcome) in trials.into_iter().zip(&outcomes) {
            let end = outcome.absorption_time.expect("without a cutoff");
            let until = |cutoff| run(&point, &[trial], cutoff, Instructions::fastest()).remove(0);
            assert_eq!(until(end), *outcome, "{point}, trial {trial}");
            assert_eq!(followed(&point, trial, end).0, *outcome);
            assert_eq!(until(end - 1).ending, Ending::Censored);
        }
    }
}

/// The same trials one at a time, in another order, in fewer and in more than there are lanes, by
/// each set of instructions.
#[test]
fn a_trial_depends_neither_on_those_beside_it_nor_on_the_instructions() {
    for (n, epsilon, cutoff) in [(4, 0.1, 5000), (6, 0.05, 2000), (8, 0.1, 500)] {
        let all: Vec<u32> = (0..if n > 6 { 17 } else { 20 }).collect();
        for rule in points((n, epsilon, 0.1)) {
            let expected = run(&rule, &all, cutoff, Instructions::Portable);
            let backwards: Vec<u32> = all.iter().rev().copied().collect();
            for instructions in Instructions::available() {
                assert_eq!(run(&rule, &backwards, cutoff, instructions), expected);
                let few = run(&rule, &all[5..8], cutoff, instructions);
                assert_eq!(few, expected[5..8]);
                assert_eq!(run(&rule, &all[..1], cutoff, instructions), expected[..1]);
            }
        }
    }
}

/// Sums over trials 0 to 7 of seed 1 for `cell` and `pair`: updates, moves, hitting times, moves at
/// the hits.
#[test]
fn trials_are_frozen() {
    for (at, expected) in [
        (
            (4, 0.1, 0.1),
            [[4121, 161, 3534, 159], [61230, 2822, 14315, 635]],
        ),
        (
            (8, 0.01, 0.1),
            [[576716, 633, 274214, 325], [800000, 2136, 0, 0]],
        ),
    ] {
        for (point, expected) in points(at).iter().zip(expected) {
            let trials: Vec<u32> = (0..8).collect();
            let outcomes = run(point, &trials, 100_000, Instructions::fastest());
            let facts = outcomes.iter().map(|it| {
                [it.updates, it.moves, it.hitting_time, it.moves_at_hit].map(|it| it.unwrap_or(0))
            });
            let sums = facts.fold([0; 4], |sums, it| std::array::from_fn(|i| sums[i] + it[i]));
            assert_eq!(sums, expected, "{point}");
        }
    }
}
