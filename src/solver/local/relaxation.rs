//! Signal relaxation: how long the signals need to become true when the queens stand still. The
//! time unit in which absorption times of different n can be compared.
//!
//! A trial starts with the n queens placed in a solution and without a signal, and ends when every
//! signal is true. The queens never move, whatever ε and η: from no signal at all, a signal comes
//! to a cell only from a queen in its direction or from a signal that is true already,
//! so every signal there is, is true; in a solution no queen has another in any direction, so none
//! ever carries a signal, none is threatened, none moves. Hence neither parameter is an axis.
//!
//! Which solution: one for each n, written down (Pauls 1874,
//! `solver::construction`) and not drawn, so that times of different trials scatter
//! by their updates alone. The choice matters by 3 per cent at most at n = 8 (the test
//! `the_choice_of_the_solution_hardly_matters`).

use super::configuration::Configuration;
use super::{Start, board, relaxed};
use crate::board::Board;
use crate::construction;
use crate::{Algorithm, Axis, Column, Course, Domain, Dynamics, Outcome, Point, Prepared, Value};

const AXES: &[Axis] = &[Axis {
    name: "n",
    symbol: "n",
    domain: Domain::Integer { min: 4, max: 64 },
    doc: "board side and number of queens; 2 and 3 have no solution to start in, and on 1 there is no signal",
}];

const COLUMNS: &[Column] = &[
    Column::named("absorption_time").meaning("until every signal is true; null when censored"),
    Column::named("updates"),
];

/// What the relaxations of all rules have in common.
pub(super) const RELAXATION: Algorithm = Algorithm {
    axes: AXES,
    columns: COLUMNS,
    part: "local",
    prepare: &prepare,
    ..Algorithm::UNNAMED
};

/// The rule from a placed solution. What is the same in every trial, no move and a hit at 0, is no
/// measurement.
fn prepare(point: &Point, dynamics: Option<Dynamics>) -> Prepared {
    let solution = construction::board(board(point).n());
    let solution = solution.expect("the axis begins at 4, and every such board has a solution");
    let dynamics = dynamics.expect("a relaxation is simulated in some dynamics");
    let prepared = from(point, dynamics, placed(&solution));
    Box::new(move |key, cutoff, control| {
        let (outcome, _) = prepared(key, cutoff, control)?;
        let outcome = Outcome {
            absorption_time: outcome.absorption_time,
            updates: outcome.updates,
            ..Outcome::ended(outcome.ending)
        };
        Ok((outcome, Course::default()))
    })
}

/// The rule of a relaxation's point on a placed board.
fn from(point: &Point, dynamics: Dynamics, start: Configuration) -> Prepared {
    let rule = relaxed(&point.algorithm).expect("a relaxation");
    // Any other values and any other condition give the same relaxation.
    let zeros = rule.algorithm.axes.iter().map(|axis| match axis.domain {
        Domain::Integer { min, .. } => (axis.name, Value::Integer(min)),
        Domain::Real { .. } => (axis.name, Value::real(0.0)),
    });
    let still = Point::new(rule.algorithm.name, zeros);
    (rule.prepare)(&still, point, dynamics, Start::Placed(start))
}

/// A queen in column `solution[row]` of each row, no signal.
fn placed(solution: &[usize]) -> Configuration {
    let board = Board::new(solution.len());
    let queens = solution.iter().enumerate();
    Configuration::with_queens(board, queens.map(|(y, &x)| board.cell(x, y)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::exact::{self, symmetry};
    use crate::local::rules::{OnCells, OnPairs, RULES, for_every_rule};
    use crate::local::sites::LocalRule;
    use crate::local::tests::samples::{VARIANTS, rule_at, stream, with_true_signals};
    use crate::local::{Rule, stream as stream_of};
    use crate::rng::RandomSource;
    use crate::tests::{self, mean, z};
    use crate::{Control, Key};

    fn updates(outcome: &Outcome) -> f64 {
        outcome.updates.expect("counted") as f64
    }

    /// Updates of a rule, one by one, until every signal is true.
    fn plainly<R: LocalRule>(point: &Point, key: Key) -> u64 {
        let n = board(point).n();
        let rule: R = rule_at("", n, 0.0, 0.0);
        let mut x = placed(&construction::board(n).expect("n is at least 4"));
        let truth = with_true_signals(x.clone());
        let mut stream = stream_of(point, Dynamics::Stepwise, key);
        let mut updates = 0;
        while x != truth {
            let site = rule.site(stream.below(rule.n_sites()));
            rule.update(&mut x, site, &mut stream);
            updates += 1;
        }
        updates
    }

    #[test]
    fn a_relaxation_is_the_updates_until_all_signals_are_true() {
        for Rule {
            algorithm,
            relaxation,
            ..
        } in RULES
        {
            let plainly = match algorithm.axes.len() {
                2 => plainly::<OnPairs>,
                3 => plainly::<OnCells>,
                _ => panic!("{}: on which sites?", relaxation.name),
            };
            for n in [4, 7, 20] {
                let point = Point::new(relaxation.name, [("n", Value::Integer(n))]);
                for trial in 0..10 {
                    let outcome = tests::run(&point, Dynamics::Stepwise, trial, u64::MAX);
                    let expected = plainly(&point, Key { seed: 1, trial });
                    assert_eq!(outcome.updates, Some(expected), "{point}");
                }
            }
        }
    }

    /// Mean relaxation times of both dynamics, n = 4 and 7. Statistic: Z of the means; two
    /// comparisons for each rule, threshold 4, hence a false failure in 8000 for each rule (fixed
    /// seeds).
    #[test]
    fn both_dynamics_take_as_long() {
        for Rule { relaxation, .. } in RULES {
            for n in [4, 7] {
                let point = Point::new(relaxation.name, [("n", Value::Integer(n))]);
                let times = [Dynamics::RejectionFree, Dynamics::Stepwise].map(|dynamics| {
                    let trial = |trial| tests::run(&point, dynamics, trial, u64::MAX);
                    mean((0..300).map(|it| updates(&trial(it))))
                });
                let z = z(times[0], times[1]);
                assert!(z.abs() < 4.0, "{}, n = {n}: Z = {z}", relaxation.name);
            }
        }
    }

    /// Not one of the updates of a relaxation moves a queen, at any ε and η: each is tried with
    /// dangerous moves certain.
    #[test]
    fn the_queens_of_a_solution_never_move() {
        fn check<R: LocalRule>(variant: &str) {
            let rule = rule_at::<R>(variant, 10, 1.0, 0.5);
            let mut x = placed(&construction::board(10).expect("n is at least 4"));
            let mut draws = stream("tests/relaxation", 3);
            for _ in 0..20_000 {
                let site = rule.site(draws.below(rule.n_sites()));
                assert_eq!(rule.update(&mut x, site, &mut draws), None);
            }
        }
        for_every_rule!(variant in check(variant));
    }

    /// Mean relaxation time around each of the 12 solutions of n = 8 that differ by more than a
    /// symmetry, 2000 trials each, against the one written down: the standard error of a ratio is
    /// about 0.6 %, so 5 % bounds differences of 3 %, the largest seen, far outside the noise.
    #[test]
    #[ignore = "slow: make verify"]
    fn the_choice_of_the_solution_hardly_matters() {
        const TRIALS: u32 = 2000;
        let boards = exact::all_boards(&exact::methods::bitboard::METHOD, 8, &Control::unstopped())
            .expect("no stop is asked for");
        let classes = boards.iter().map(|board| symmetry::canonical(board));
        let classes: BTreeSet<Vec<usize>> = classes.collect();
        assert_eq!(classes.len(), 12);
        let written = construction::board(8).expect("n is at least 4");
        for Rule { relaxation, .. } in RULES {
            let point = Point::new(relaxation.name, [("n", Value::Integer(8))]);
            let time = |solution: &[usize], seed: u64| {
                let prepared = from(&point, Dynamics::RejectionFree, placed(solution));
                let relaxed = |trial| {
                    let key = Key { seed, trial };
                    let gave = prepared(key, u64::MAX, &Control::unstopped());
                    updates(&gave.expect("no stop").0)
                };
                mean((0..TRIALS).map(relaxed)).0
            };
            let expected = time(&written, 100);
            for (solution, seed) in classes.iter().zip(0..) {
                let ratio = time(solution, seed) / expected;
                assert!((ratio - 1.0).abs() < 0.05, "{solution:?}: {ratio}");
            }
        }
    }

    #[test]
    fn a_cutoff_is_kept_to_the_update() {
        let point = Point::new("pair-relaxation", [("n", Value::Integer(8))]);
        let run = |cutoff| tests::run(&point, Dynamics::RejectionFree, 0, cutoff);
        let whole = run(u64::MAX);
        let facts = (whole.absorption_time, whole.hitting_time, whole.moves);
        assert_eq!(facts, (whole.updates, None, None));
        let updates = whole.updates.expect("counted");
        assert_eq!(run(updates), whole);
        let cut = run(updates - 1);
        assert_eq!(
            (cut.absorption_time, cut.updates),
            (None, Some(updates - 1))
        );
    }
}
