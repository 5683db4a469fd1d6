//! The synchronous rule from its definition: the new board is made beside the old one, which stays
//! as it was until every queen has decided.

use super::counters::Counters;
use super::{At, Naive, check_bounds, counts, delta, stepwise};
use reines::solver::rng::{RandomSource, TrialStream};
use reines::solver::{Control, Key, Outcome, Point, Value};

/// The value of η, or none for blind queens.
type Eta = Option<f64>;

fn rewritten(old: &Naive) -> Naive {
    let mut new = old.clone();
    for c in old.all_cells() {
        new.cell_mut(c).signals = std::array::from_fn(|d| old.heard(c, d));
    }
    new
}

/// A blind queen takes any neighbour.
fn destination(old: &Naive, c: At, eta: Eta, random: &mut impl RandomSource) -> At {
    if eta.is_some() {
        return old.destination(c, random);
    }
    let among = old.neighbours(c);
    among[random.below(among.len() as u64) as usize]
}

/// The new board, and the moves: from, to, whether the coin was needed.
fn step(old: &Naive, eta: Eta, random: &mut impl RandomSource) -> (Naive, Vec<(At, At, bool)>) {
    let heard_of_old = rewritten(old);
    let mut moves = Vec::new();
    for c in old.queens() {
        let seen = if eta.is_some() { &heard_of_old } else { old };
        if seen.safe_stay(c) {
            continue;
        }
        let to = destination(old, c, eta, random);
        let needs_coin = !old.safe_go(to, delta(c, to));
        if !needs_coin || random.flip(old.epsilon) {
            moves.push((c, to, needs_coin));
        }
    }
    let mut new = eta.map_or(old.clone(), |_| heard_of_old);
    for &(from, to, _) in &moves {
        new.cell_mut(from).queens -= 1;
        new.cell_mut(to).queens += 1;
    }
    if eta.is_none() {
        new = rewritten(&new);
    }
    (new, moves)
}

fn is_joint(moves: &[(At, At, bool)]) -> bool {
    let attack = |a: At, b: At| {
        a != b && (a.0 == b.0 || a.1 == b.1 || a.0 + a.1 == b.0 + b.1 || a.0 - a.1 == b.0 - b.1)
    };
    moves.iter().any(|a| moves.iter().any(|b| attack(a.0, b.0)))
}

fn naive_trial(mut board: Naive, eta: Eta, cutoff: u64, random: &mut impl RandomSource) -> Outcome {
    let (mut time, mut hit, mut joint, mut moving) = (0, None, 0, 0);
    let (mut counters, mut was_solution) = (Counters::default(), false);
    loop {
        let solution = board.is_solution();
        counters.entries += u64::from(solution && !was_solution);
        was_solution = solution;
        if solution && hit.is_none() {
            hit = Some((time, counters.moves));
        }
        let absorbed = solution && board.signals_are_true();
        if absorbed || time == cutoff {
            let solution = solution.then(|| board.rows());
            return Outcome {
                joint_moves: Some(joint),
                moving_steps: Some(moving),
                ..counters.outcome((time, absorbed), hit, solution)
            };
        }
        let (new, moves) = step(&board, eta, random);
        for &(from, to, needed_coin) in &moves {
            counters.decided(&board, (from, to), needed_coin);
        }
        moving += u64::from(!moves.is_empty());
        joint += u64::from(is_joint(&moves));
        board = new;
        time += 1;
    }
}

fn point(n: u64, epsilon: f64, eta: Eta) -> Point {
    let values = [
        Some(("n", Value::Integer(n))),
        Some(("epsilon", Value::real(epsilon))),
        eta.map(|eta| ("eta", Value::real(eta))),
    ];
    Point {
        variant: if eta.is_some() { "informed" } else { "blind" }.to_owned(),
        ..Point::new("synchronous", values.into_iter().flatten())
    }
}

/// Returns the sums of what the trials counted: moves, dangerous, needless, deceived, entries
/// beyond the first, joint, moving.
fn check_trials((n, epsilon, eta): (u64, f64, Eta), cutoff: u64, trials: u32) -> [u64; 7] {
    let point = point(n, epsilon, eta);
    let mut sums = [0; 7];
    for trial in 0..trials {
        let key = Key { seed: 7, trial };
        let outcome = stepwise(&point, key, cutoff, &Control::unstopped()).0;
        let mut stream = TrialStream::new("reines/synchronous/1", 7, &point, trial);
        let start = Naive::start(n as i64, epsilon, eta.unwrap_or(0.0), &mut stream);
        let expected = naive_trial(start, eta, cutoff, &mut stream);
        assert_eq!(outcome, expected, "{point}, trial {trial}");
        check_bounds(&outcome);
        assert!(outcome.joint_moves <= outcome.moving_steps);
        assert!(outcome.moving_steps <= outcome.updates);
        let [moves @ .., entries] = counts(&outcome);
        let own = [outcome.joint_moves, outcome.moving_steps].map(Option::unwrap);
        let counts = moves
            .into_iter()
            .chain([entries.saturating_sub(1)])
            .chain(own);
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    sums
}

#[test]
fn the_synchronous_rule_and_its_definition_go_through_the_same_trials() {
    let mut sums = [0; 7];
    for n in 1..=8 {
        let trials = match n {
            ..6 => 2 * super::n_trials(),
            _ => super::n_trials().div_ceil(2),
        };
        for epsilon in [0.0, 0.01, 0.2, 1.0] {
            for eta in [None, Some(0.0), Some(0.1), Some(1.0)] {
                let counts = check_trials((n, epsilon, eta), 400, trials);
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
        }
    }
    assert!(sums.iter().all(|&sum| sum > 20), "{sums:?}");
}
