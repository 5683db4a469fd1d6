//! Min-domain: the variable with the smallest domain takes its least value (Haralick and Elliott,
//! Artificial Intelligence 14, 1980).

use super::{Branching, Decision, Heuristic, least};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'D',
    word: "min-domain",
    needs_dual: false,
    is_random: false,
    start: |choices, _| Box::new(MinDomain::new(choices.decided)),
};

/// The uninstantiated variable with the smallest domain; of several the first.
#[derive(Debug)]
pub struct MinDomain {
    variables: Vec<Var>,
}

impl MinDomain {
    pub fn new(variables: Vec<Var>) -> Self {
        Self { variables }
    }
}

impl Branching for MinDomain {
    #[inline]
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        smallest(&self.variables, engine).map(|var| least(var, engine))
    }
}

/// The first of the uninstantiated variables with the smallest domain.
#[inline]
pub(super) fn smallest(variables: &[Var], engine: &Engine) -> Option<Var> {
    let open = variables
        .iter()
        .map(|&var| (engine.domains.size(var), var))
        .filter(|&(size, _)| size > 1);
    open.min_by_key(|&(size, _)| size).map(|(_, var)| var)
}
