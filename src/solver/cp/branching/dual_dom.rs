//! Dual-dom: the variable with the smallest domain takes the value whose dual variable has the
//! smallest domain.
//!
//! Smith, "Modelling a permutation problem", research report 2000.18, University of Leeds: with
//! channelled primal and dual variables, the value that fewest other variables can take is the one
//! most likely to be lost.

use crate::solver::cp::domain::{DomainValue, Var};
use crate::solver::cp::engine::Engine;
use crate::solver::cp::heuristic::{Choices, Decision, Heuristic, smallest};
use crate::solver::rng::RandomSource;

/// The entry in the list of heuristics.
pub(super) const HEURISTIC: Heuristic = Heuristic {
    needs_dual: true,
    ..Heuristic::plain('C', "dual-dom", decide)
};

/// Decides on the first of several variables and the least of several values.
fn decide(choices: &Choices, engine: &Engine, _: &mut dyn RandomSource) -> Option<Decision> {
    let variable = smallest(&choices.decided, engine)?;
    let duals = duals(choices, variable);
    let size = |value: &DomainValue| engine.domains.size(duals[*value as usize]);
    engine
        .domains
        .values(variable)
        .min_by_key(size)
        .map(|value| Decision { variable, value })
}

/// The other side of `variable`: the variable for its value j is the j-th of them.
fn duals(choices: &Choices, variable: Var) -> &[Var] {
    if choices.primal.contains(&variable) {
        &choices.dual
    } else {
        &choices.primal
    }
}
