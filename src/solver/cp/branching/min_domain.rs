//! Min-domain: the variable with the smallest domain takes its least value (Haralick and Elliott,
//! Artificial Intelligence 14, 1980). Of several variables it is the first.

use crate::solver::cp::engine::Engine;
use crate::solver::cp::heuristic::{Choices, Decision, Heuristic, least, smallest};
use crate::solver::rng::RandomSource;

/// The entry in the list of heuristics.
pub(super) const HEURISTIC: Heuristic = Heuristic::plain('D', "min-domain", decide);

fn decide(choices: &Choices, engine: &Engine, _: &mut dyn RandomSource) -> Option<Decision> {
    smallest(&choices.decided, engine).map(|var| least(var, engine))
}
