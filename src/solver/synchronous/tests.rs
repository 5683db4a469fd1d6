//! What holds of every step, and what never ends at η = 0.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rayon::prelude::*;

use super::*;
use crate::local::tests::samples::every_answer;
use crate::local::tests::samples::{stream, unreached, with_true_signals};
use crate::local::tests::symmetry::Symmetry;
use crate::rng::RandomSource;
use crate::{ALGORITHMS, Dynamics, Value};

fn point(variant: &str, n: usize, epsilon: f64, eta: f64) -> Point {
    let values = [
        ("n", Value::Integer(n as u64)),
        ("epsilon", Value::real(epsilon)),
        ("eta", Value::real(eta)),
    ];
    let own = values
        .into_iter()
        .filter(|(axis, _)| ALGORITHM.has_axis(variant, axis));
    Point {
        variant: variant.to_owned(),
        ..Point::new("synchronous", own)
    }
}

fn after_step(
    rule: &SynchronousRule,
    x: &Configuration,
    random: &mut impl RandomSource,
) -> Configuration {
    let (mut x, mut next) = (x.clone(), x.clone());
    let departures = rule.departures(&x, &mut next, random);
    rule.depart(&departures, &mut x, &mut next);
    next
}

/// The states of all cells: what tells configurations of one board apart.
type States = Vec<CellState>;

fn key(x: &Configuration) -> States {
    x.board().cells().map(|cell| x[cell]).collect()
}

/// Every configuration that may follow, with its probability.
fn successors(rule: &SynchronousRule, x: &Configuration) -> BTreeMap<States, (f64, Configuration)> {
    let mut successors = BTreeMap::new();
    for (probability, next) in every_answer(|random| after_step(rule, x, random)) {
        let entry = successors.entry(key(&next));
        entry.or_insert((0.0, next)).0 += probability;
    }
    successors
}

fn rules(n: usize, epsilon: f64, eta: f64) -> [SynchronousRule; 2] {
    [INFORMED, BLIND].map(|variant| SynchronousRule::at(&point(variant, n, epsilon, eta)))
}

/// Turned or mirrored before the step or after it: the same law.
#[test]
fn a_step_has_the_symmetries_of_the_square() {
    let mut random = stream("tests/synchronous", 2);
    for _ in 0..2 {
        let x = unreached(Board::new(3), &mut random);
        for rule in rules(3, 0.25, 0.25) {
            let law = |x: &Configuration| successors(&rule, x);
            let plain = law(&x);
            for symmetry in Symmetry::all(rule.board) {
                let turned = law(&symmetry.configuration(&x));
                assert_eq!(plain.len(), turned.len());
                for (p, next) in plain.values() {
                    let image = key(&symmetry.configuration(next));
                    assert!((turned[&image].0 - p).abs() < 1e-12);
                }
            }
        }
    }
}

/// No answer changes an absorbed configuration; for ε > 0 and η > 0 some answer changes every
/// other one.
#[test]
fn absorbed_means_that_nothing_can_change() {
    let mut random = stream("tests/synchronous", 3);
    let mut n_absorbed = 0;
    for n in [1, 2, 3, 4] {
        for _ in 0..60 {
            let x = unreached(Board::new(n), &mut random);
            let solved = [1, 3, 0, 2].map(|y| y % n);
            let board = Board::new(n);
            let queens = (0..n).map(|x| board.cell(x, solved[x]));
            let solved = with_true_signals(Configuration::with_queens(board, queens));
            for x in [with_true_signals(x.clone()), x, solved] {
                for rule in rules(n, 0.5, 0.5) {
                    let is_absorbed = SynchronousTrial::at_start(&rule, x.clone()).is_absorbed;
                    n_absorbed += u32::from(is_absorbed);
                    // Some answers are enough to find a change: most change something.
                    let is_fixed = (0..100).all(|_| after_step(&rule, &x, &mut random) == x);
                    assert_eq!(is_fixed, is_absorbed, "{x:?}");
                }
            }
        }
    }
    assert!(
        n_absorbed >= 120,
        "the solutions of n = 1 and 4: {n_absorbed}"
    );
}

/// No coin is flipped: two queens of one cell have one and the same least ω, so they go on
/// together.
#[test]
fn at_eta_0_two_queens_that_share_a_cell_may_step_to_and_fro_for_ever() {
    let rule = SynchronousRule::at(&point(INFORMED, 4, 0.1, 0.0));
    let (here, there) = endless_pair(&rule);
    assert_eq!(
        [&here, &there].map(|x| successors(&rule, x).len()),
        [1, 1],
        "no answer matters"
    );
    let nothing = || stream("tests/synchronous", 4);
    assert_eq!(after_step(&rule, &here, &mut nothing()), there);
    assert_eq!(after_step(&rule, &there, &mut nothing()), here);
    let shared = |x: &Configuration| {
        let mut cells = rule.board.cells();
        cells.find(|&cell| x[cell].queens == 2)
    };
    let cells = (shared(&here), shared(&there));
    assert!(cells.0.is_some() && cells.1.is_some() && cells.0 != cells.1);
    // With η any neighbour may be chosen, and so it ends.
    let rule = SynchronousRule::at(&point(INFORMED, 4, 0.1, 0.1));
    assert!(successors(&rule, &here).len() > 1);
}

/// Found by running into it.
fn endless_pair(rule: &SynchronousRule) -> (Configuration, Configuration) {
    let point = point(INFORMED, 4, 0.1, 0.0);
    for trial in 0..100 {
        let mut random = TrialStream::new(DOMAIN_TAG, 1, &point, trial);
        let mut x = Configuration::random_start(rule.board, &mut random);
        for _ in 0..5000 {
            x = after_step(rule, &x, &mut random);
        }
        if let Closed::Endless(2) = closed_from(rule, &x) {
            let next = after_step(rule, &x, &mut random);
            return (x, next);
        }
    }
    panic!("a tenth of the trials ends so");
}

/// What can follow a configuration.
#[derive(Debug, PartialEq, Eq)]
enum Closed {
    /// An absorbed configuration, or one that is its only successor, or too many to say.
    MayEnd,
    /// The configuration itself alone, and it is no solution with true signals.
    Blocked,
    /// So many, none of them absorbed or its own only successor.
    Endless(usize),
}

const MOST: usize = 3000;

fn closed_from(rule: &SynchronousRule, x: &Configuration) -> Closed {
    let mut seen = BTreeSet::from([key(x)]);
    let mut waiting = VecDeque::from([x.clone()]);
    while let Some(next) = waiting.pop_front() {
        let successors = successors(rule, &next);
        let is_fixed = successors.len() == 1 && successors.contains_key(&key(&next));
        let is_absorbed = SynchronousTrial::at_start(rule, next.clone()).is_absorbed;
        if is_fixed && !is_absorbed && seen.len() == 1 {
            return Closed::Blocked;
        }
        if is_fixed || is_absorbed || seen.len() > MOST {
            return Closed::MayEnd;
        }
        for (states, (_, successor)) in successors {
            if seen.insert(states) {
                waiting.push_back(successor);
            }
        }
    }
    Closed::Endless(seen.len())
}

/// Trials of informed at η = 0 that never end: absorbed by 20 000 steps, blocked, endless. The
/// shares stand in docs/rules.md.
fn never_ending(n: usize, epsilon: f64, trials: u32) -> [u32; 3] {
    let point = point(INFORMED, n, epsilon, 0.0);
    let rule = SynchronousRule::at(&point);
    let mut counts = [0; 3];
    for trial in 0..trials {
        let mut random = TrialStream::new(DOMAIN_TAG, 1, &point, trial);
        let start = Configuration::random_start(rule.board, &mut random);
        let mut it = SynchronousTrial::at_start(&rule, start);
        while it.time < 20_000 && !it.is_absorbed {
            it.step(&mut random);
        }
        let ending = if it.is_absorbed {
            0
        } else {
            match closed_from(&rule, &it.x) {
                Closed::Blocked => 1,
                Closed::Endless(_) => 2,
                Closed::MayEnd => panic!("trial {trial} of n = {n}: undecided"),
            }
        };
        counts[ending] += 1;
    }
    counts
}

#[test]
#[ignore = "minutes; `make verify` runs it"]
fn shares_of_trials_that_never_end_at_eta_0() {
    let expected = [
        (0.0, 4, [112, 121, 67]),
        (0.0, 5, [107, 160, 33]),
        (0.0, 6, [15, 265, 20]),
        (0.0, 8, [4, 287, 9]),
        (0.1, 4, [266, 0, 34]),
        (0.1, 5, [284, 0, 16]),
        (0.1, 6, [178, 0, 122]),
        (0.1, 8, [215, 0, 85]),
    ];
    expected.into_par_iter().for_each(|(epsilon, n, counts)| {
        let found = never_ending(n, epsilon, 300);
        assert_eq!(found, counts, "n = {n}, ε = {epsilon}");
    });
}

#[test]
fn dynamics_and_axes_are_those_of_the_variant() {
    let listed = ALGORITHMS.iter();
    let stepwise: Vec<&str> = listed
        .filter(|algorithm| algorithm.is_only_stepwise)
        .map(|algorithm| algorithm.name)
        .collect();
    assert_eq!(stepwise, ["factor", "min-conflicts", "synchronous"]);
    assert_eq!(
        point(BLIND, 8, 0.001, 0.1).to_string(),
        "synchronous blind n=8 epsilon=0.001"
    );
    use crate::DynamicsChoice;
    let own = crate::algorithm("synchronous").expect("registered");
    let at = DynamicsChoice::Auto.at(own, &point(BLIND, 8, 0.001, 0.1), false);
    assert_eq!(at, Some(Dynamics::Stepwise));
}

/// Two queens in sight of each other that both leave: joint. Two of one cell: not.
#[test]
fn joint_moves_come_from_two_cells_on_one_line() {
    let board = Board::new(5);
    let leave = |cells: &[(usize, usize)]| {
        let departure = |&(x, y): &(usize, usize)| Move {
            from: board.cell(x, y),
            to: board.cell(2, 2),
            side: Direction::S,
            is_safe: true,
            is_certain: true,
        };
        is_joint(board, &cells.iter().map(departure).collect::<Vec<_>>())
    };
    assert!(leave(&[(0, 1), (4, 1)]) && leave(&[(1, 0), (1, 3)]) && leave(&[(0, 4), (3, 1)]));
    assert!(leave(&[(2, 3), (4, 4), (0, 1), (3, 4)]));
    assert!(!leave(&[(1, 1), (1, 1)]) && !leave(&[(0, 0), (1, 2)]) && !leave(&[(0, 0)]));
}
