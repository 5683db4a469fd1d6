//! Factoring by signals, the last section of the source text: tokens worth powers of two on a
//! lattice, whose sum stays N, move until they form a product set (docs/rules.md).

pub mod lattice;

mod moves;

use self::lattice::Lattice;
use super::outcome::Counters;
use super::rng::{Chance, RandomSource, TrialStream};
use super::{Algorithm, Axis, Column, Control, Domain, Interrupted, Job, Outcome, Point};

/// The rule as an algorithm of the registry.
pub struct Factor;

/// The least product whose lattice has a cell for each of its bits.
const LEAST: u64 = 4;
/// Hours for the easiest; the lattice has 220 cells.
const GREATEST: u64 = 1 << 20;

const PRODUCT: Axis = Axis {
    name: "product",
    symbol: "N",
    domain: Domain::Integer {
        min: LEAST,
        max: GREATEST,
    },
    doc: "the number N to factor",
};
const EPSILON: Axis = Axis {
    name: "epsilon",
    symbol: "ε",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability ε of a move to a cell that is no hole",
};
const AXES: &[Axis] = &[PRODUCT, EPSILON];

const COLUMNS: &[Column] = &[
    Column::named("absorption_time").meaning(
        "until the tokens form a product set and every signal is true; null when censored",
    ),
    Column::named("hitting_time")
        .meaning("until the tokens first form a product set, signals ignored; null if never"),
    Column::named("moves")
        .counted_in("moves")
        .meaning("slides, splits and merges up to the absorption or the cutoff"),
    Column::named("moves_at_hit")
        .counted_in("moves")
        .meaning("up to the hitting time, the move that hits included; null if never"),
    Column::named("updates"),
    Column::named("solution").meaning(
        "the factors a,b of N if the final tokens are a product set: a from its rows, b from its columns",
    ),
    Column::named("dangerous_moves")
        .counted_in("moves")
        .meaning("moves that needed their coin of ε"),
    Column::named("needless_moves")
        .counted_in("moves")
        .meaning("moves of a token that true signals would not have threatened"),
    Column::named("deceived_moves")
        .counted_in("moves")
        .meaning("moves that needed their coin and by true signals would not have, or the reverse"),
    Column::named("entries")
        .meaning("times that the tokens became a product set, the start included"),
];

/// Domain tag of the streams.
const DOMAIN_TAG: &str = "reines/factor/1";

impl Algorithm for Factor {
    fn name(&self) -> &'static str {
        "factor"
    }

    fn doc(&self) -> &'static str {
        "tokens on a lattice, worth N together, until their rows and columns are two factors of N"
    }

    fn axes(&self) -> &[Axis] {
        AXES
    }

    fn is_only_stepwise(&self) -> bool {
        true
    }

    fn columns(&self) -> &[Column] {
        COLUMNS
    }

    fn part(&self) -> &'static str {
        "factor"
    }

    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        let mut random = TrialStream::new(DOMAIN_TAG, job.seed, job.point, trial);
        let start = Lattice::random_start(product(job.point), &mut random);
        let epsilon = job.point.real(EPSILON.name);
        let epsilon = Chance::new(epsilon.expect("a plan gives every axis a value"));
        run(start, epsilon, job.cutoff, &mut random, control)
    }
}

/// The tokens with which this trial begins.
///
/// # Panics
/// When the point has no product from 4 on.
pub fn start(point: &Point, seed: u64, trial: u32) -> Lattice {
    let mut random = TrialStream::new(DOMAIN_TAG, seed, point, trial);
    Lattice::random_start(product(point), &mut random)
}

fn product(point: &Point) -> u64 {
    let product = point.integer(PRODUCT.name);
    product.expect("a plan gives every axis a value")
}

/// Simulates one trial from `start` until it is absorbed or has had `cutoff` updates.
fn run(
    start: Lattice,
    epsilon: Chance,
    cutoff: u64,
    random: &mut impl RandomSource,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let mut trial = FactorTrial {
        counters: Counters::at_start(start.factors().is_some()),
        is_absorbed: start.is_absorbed(),
        lattice: start,
        time: 0,
    };
    while trial.time < cutoff && !trial.is_absorbed {
        let before = trial.time;
        let end = cutoff.min(before.saturating_add(Control::POLL_INTERVAL));
        while trial.time < end && !trial.is_absorbed {
            trial.update(epsilon, random);
        }
        control.poll(trial.time - before)?;
    }
    Ok(trial.outcome())
}

/// A trial under way.
struct FactorTrial {
    lattice: Lattice,
    counters: Counters,
    /// Updates so far.
    time: u64,
    is_absorbed: bool,
}

impl FactorTrial {
    fn update(&mut self, epsilon: Chance, random: &mut impl RandomSource) {
        let moved = self.lattice.update(epsilon, random);
        self.time += 1;
        if let Some(kinds) = moved {
            self.counters.moved(kinds);
            let is_product_set = self.lattice.factors().is_some();
            self.counters.placed(is_product_set, self.time);
        }
        self.is_absorbed = self.counters.in_solution() && self.lattice.has_true_signals();
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            solution: self.lattice.factors().map(Box::from),
            ..self.counters.outcome(self.is_absorbed, self.time)
        }
    }
}
