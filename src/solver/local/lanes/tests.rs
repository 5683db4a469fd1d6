//! Tests: one update has the law of the rule, a trial is the one that plain code gives, a solution
//! is known for one, and neither the lanes beside it nor the instructions nor the cutoff matter.

mod exactness;

mod plain;

mod solutions;

mod trials;

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::follower::Trials;
use super::vector::Instructions;
use super::{LanesOf, on_cells, on_pairs};
use crate::solver::local::rules::cell::CellRule;
use crate::solver::local::rules::pair::PairRule;
use crate::solver::local::rules::pair_fewer::PairFewerRule;
use crate::solver::local::samples;
use crate::solver::{Control, Interrupted, Outcome, Point, SEATS, TrialSource};

/// The rules that have lanes, in all their variants, at n, ε and the fraction of other parameters.
fn points(at: (usize, f64, f64)) -> [(LanesOf, Point); 5] {
    let fewer = |reading| {
        (
            on_pairs::<PairFewerRule> as LanesOf,
            samples::point_of::<PairFewerRule>(reading, at),
        )
    };
    let [literal, empty, considerate] = READINGS.map(fewer);
    [
        (on_pairs::<PairRule>, samples::point_of::<PairRule>("", at)),
        (on_cells::<CellRule>, samples::point_of::<CellRule>("", at)),
        literal,
        empty,
        considerate,
    ]
}

/// The variants of `pair-fewer`.
const READINGS: [&str; 3] = ["literal", "empty", "considerate"];

/// Trials of seed 1 by their indices, and what became of them.
struct Listed {
    waiting: Vec<u32>,
    seats: [u32; SEATS],
    ended: Vec<(u32, Outcome)>,
}

impl Listed {
    /// Those of these indices, the last first.
    fn of(waiting: Vec<u32>) -> Self {
        Self {
            waiting,
            seats: [0; SEATS],
            ended: Vec::new(),
        }
    }
}

impl TrialSource for Listed {
    fn next(&mut self, seat: usize) -> Option<(u64, u32)> {
        let trial = self.waiting.pop()?;
        self.seats[seat] = trial;
        Some((1, trial))
    }

    fn note(&mut self, _: usize, _: &dyn Fn() -> Outcome) {}

    fn ended(&mut self, seat: usize, outcome: Outcome) -> Result<(), Interrupted> {
        self.ended.push((self.seats[seat], outcome));
        Ok(())
    }
}

/// Runs trials side by side, the last of the list first; in the order of their indices.
fn run(
    (lanes, point): &(LanesOf, Point),
    trials: &[u32],
    cutoff: u64,
    instructions: Instructions,
) -> Vec<Outcome> {
    let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut listed = Listed::of(trials.to_vec());
    lanes(
        instructions,
        point,
        cutoff,
        Trials::of(&mut listed),
        &Control::new(&stop, &updates),
    )
    .expect("no stop is asked for");
    let simulated: u64 = listed
        .ended
        .iter()
        .filter_map(|(_, outcome)| outcome.updates)
        .sum();
    assert_eq!(updates.into_inner(), simulated, "every update is counted");
    assert_eq!(listed.ended.len(), trials.len());
    listed.ended.sort_by_key(|&(trial, _)| trial);
    let outcomes = listed.ended.into_iter();
    outcomes.map(|(_, outcome)| outcome).collect()
}
