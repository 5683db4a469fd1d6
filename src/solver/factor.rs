//! Factoring by signals, the last section of the source text: tokens worth powers of two on a
//! lattice, whose sum stays N, move until they form a product set (docs/rules.md). Here are the
//! least and greatest product (4 to 2²⁰), the axes, the columns and their meanings, and when a
//! trial hits and is absorbed. The lattice, its start and its signals are in `factor/lattice.rs`,
//! the moves and their coins in `factor/moves.rs`.

pub mod lattice;

mod moves;

use self::lattice::Lattice;
use super::outcome::Counters;
use super::process::{self, Next, Process};
use super::rng::{Chance, TrialStream};
use super::{Algorithm, Axis, Column, Course, Domain, Key, Outcome, Point, Prepared};

/// The entry in the list of algorithms.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "factor",
    doc: "tokens on a lattice, worth N together, until their rows and columns are two factors of N",
    axes: AXES,
    is_only_stepwise: true,
    columns: COLUMNS,
    part: "factor",
    prepare: &|point, _| prepare(point.clone()),
    ..Algorithm::UNNAMED
};

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

fn prepare(point: Point) -> Prepared {
    Box::new(move |key, cutoff, control| {
        let (lattice, random) = start(&point, key);
        let epsilon = point.real(EPSILON.name);
        let trial = FactorTrial {
            epsilon: Chance::new(epsilon.expect("a plan gives every axis a value")),
            counters: Counters::at_start(lattice.factors().is_some()),
            is_absorbed: lattice.is_absorbed(),
            lattice,
        };
        process::run(trial, cutoff, random, control)
    })
}

/// The tokens with which this trial begins, and the random stream after them.
///
/// # Panics
/// When the point has no product from 4 on.
pub fn start(point: &Point, key: Key) -> (Lattice, TrialStream) {
    let mut random = TrialStream::new(DOMAIN_TAG, key.seed, point, key.trial);
    (Lattice::random_start(product(point), &mut random), random)
}

fn product(point: &Point) -> u64 {
    let product = point.integer(PRODUCT.name);
    product.expect("a plan gives every axis a value")
}

/// A trial under way.
struct FactorTrial {
    epsilon: Chance,
    lattice: Lattice,
    counters: Counters,
    is_absorbed: bool,
}

impl Process for FactorTrial {
    #[inline]
    fn next(&mut self, time: u64, _: u64, random: &mut TrialStream) -> Next {
        if let Some(kinds) = self.lattice.update(self.epsilon, random) {
            self.counters.moved(kinds);
            let is_product_set = self.lattice.factors().is_some();
            self.counters.placed(is_product_set, time + 1);
        }
        self.is_absorbed = self.counters.in_solution() && self.lattice.has_true_signals();
        if self.is_absorbed {
            Next::Absorption(time + 1)
        } else {
            Next::Update(time + 1)
        }
    }

    fn is_absorbed(&self) -> bool {
        self.is_absorbed
    }

    fn end(self, time: u64, _: u64) -> (Outcome, Course) {
        let outcome = Outcome {
            solution: self.lattice.factors().map(Box::from),
            ..self.counters.outcome(self.is_absorbed, time)
        };
        (outcome, Course::default())
    }
}
