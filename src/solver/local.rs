//! The local rules of the source text and the ways to simulate them.
//!
//! # Adding a rule
//! One file with a type that implements [`rule::LocalRule`], its `mod` line here, and one line in [`super::ALGORITHMS`].

pub mod configuration;

pub mod rule;

pub mod pair;

pub mod cell;

pub mod observables;

pub mod stepwise;

pub mod rejection_free;

#[cfg(test)]
mod outcomes;

use std::marker::PhantomData;

use self::configuration::Configuration;
use self::rule::LocalRule;
use super::rng::TrialStream;
use super::{Algorithm, Axis, Column, Control, Domain, Dynamics, Interrupted, Job, Outcome, Point};

const N: Axis = Axis { name: "n", domain: Domain::Integer { min: 1, max: 64 }, doc: "board side and number of queens" };
const EPSILON: Axis =
    Axis { name: "epsilon", domain: Domain::Real { min: 0.0, max: 1.0 }, doc: "probability ε that a queen makes a dangerous move" };
const ETA: Axis = Axis {
    name: "eta",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability η that the destination is any neighbour, not one of least ω",
};

/// What every local rule fills, and how.
const COLUMNS: &[Column] = &[
    Column {
        name: "absorption_time",
        unit: "updates",
        doc: "until the queens form a solution and every signal is true; null when censored",
    },
    Column {
        name: "hitting_time",
        unit: "updates",
        doc: "until the queens' positions first form a solution, signals ignored; null if never",
    },
    Column { name: "moves", unit: "queen moves", doc: "up to the absorption or the cutoff; a swap is none" },
    Column { name: "moves_at_hit", unit: "queen moves", doc: "up to the hitting time, the move that hits included; null if never" },
    Column { name: "updates", unit: "updates", doc: "simulated, those that change nothing included: the absorption time or the cutoff" },
    Column { name: "solution", unit: "", doc: "final placement if it is a solution: the row of the queen in each column" },
];

/// The dynamics that is faster at `point`. Fixed in code and never measured at run time, since the trials' streams depend on it.
pub fn auto(_point: &Point) -> Dynamics {
    Dynamics::RejectionFree
}

/// A local rule as an algorithm of the registry.
#[derive(Debug)]
pub struct LocalAlgorithm<R>(PhantomData<fn() -> R>);

impl<R: LocalRule> LocalAlgorithm<R> {
    pub const NEW: Self = Self(PhantomData);
}

impl<R: LocalRule> Algorithm for LocalAlgorithm<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn doc(&self) -> &'static str {
        R::DOC
    }

    fn axes(&self) -> &'static [Axis] {
        R::AXES
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn definition(&self) -> u32 {
        1
    }

    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        let board = rule::board(job.point);
        let rule = R::at(job.point, board);
        let mut stream = TrialStream::new(&domain(job.dynamics), job.seed, job.point, trial);
        let start = Configuration::random_start(board, &mut stream);
        match job.dynamics {
            Dynamics::RejectionFree => rejection_free::run(&rule, start, job.cutoff, &mut stream, control),
            Dynamics::Stepwise => stepwise::run(&rule, start, job.cutoff, &mut stream, control),
        }
    }
}

/// Domain tag of the streams. Its number changes when the same words of a stream come to mean another trial.
fn domain(dynamics: Dynamics) -> String {
    format!("reines/local/{}/1", dynamics.name())
}
