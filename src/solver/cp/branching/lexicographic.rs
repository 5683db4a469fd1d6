//! Lexicographic search: the first uninstantiated variable takes its least value.

use crate::solver::cp::engine::Engine;
use crate::solver::cp::heuristic::{Choices, Decision, Heuristic, least};
use crate::solver::rng::RandomSource;

/// The entry in the list of heuristics.
pub(super) const HEURISTIC: Heuristic = Heuristic::plain('L', "lexicographic", decide);

fn decide(choices: &Choices, engine: &Engine, _: &mut dyn RandomSource) -> Option<Decision> {
    choices
        .decided
        .iter()
        .find(|&&var| !engine.domains.is_bound(var))
        .map(|&var| least(var, engine))
}
