//! Lexicographic search: the first uninstantiated variable takes its least value.

use super::{Branching, Decision, Heuristic, least};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'L',
    word: "lexicographic",
    needs_dual: false,
    is_random: false,
    start: |choices, _| Box::new(Lexicographic::new(choices.decided)),
};

/// Variables in the given order.
#[derive(Debug)]
pub struct Lexicographic {
    variables: Vec<Var>,
}

impl Lexicographic {
    pub fn new(variables: Vec<Var>) -> Self {
        Self { variables }
    }
}

impl Branching for Lexicographic {
    #[inline]
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        self.variables
            .iter()
            .find(|&&var| !engine.domains.is_bound(var))
            .map(|&var| least(var, engine))
    }
}
