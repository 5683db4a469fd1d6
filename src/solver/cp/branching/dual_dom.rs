//! Dual-dom: the variable with the smallest domain takes the value whose dual variable has the
//! smallest domain.
//!
//! Smith, "Modelling a permutation problem", research report 2000.18, University of Leeds: with
//! channelled primal and dual variables, the value that fewest other variables can take is the one
//! most likely to be lost.

use super::min_domain::smallest;
use super::{Branching, Decision, Heuristic};
use crate::solver::cp::domain::{Value, Var};
use crate::solver::cp::engine::Engine;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'C',
    word: "dual-dom",
    needs_dual: true,
    is_random: false,
    start: |choices, _| Box::new(DualDom::new(choices.decided, choices.primal, choices.dual)),
};

/// Of several variables the first; of several values the least.
#[derive(Debug)]
pub struct DualDom {
    variables: Vec<Var>,
    primal: Vec<Var>,
    dual: Vec<Var>,
}

impl DualDom {
    /// Decides on `variables`, each one of `primal` or of `dual`.
    pub fn new(variables: Vec<Var>, primal: Vec<Var>, dual: Vec<Var>) -> Self {
        Self {
            variables,
            primal,
            dual,
        }
    }

    /// The other side of `variable`: its value j names the j-th of them.
    fn duals(&self, variable: Var) -> &[Var] {
        if self.primal.contains(&variable) {
            &self.dual
        } else {
            &self.primal
        }
    }
}

impl Branching for DualDom {
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        let variable = smallest(&self.variables, engine)?;
        let duals = self.duals(variable);
        let size = |value: &Value| engine.domains.size(duals[*value as usize]);
        engine
            .domains
            .values(variable)
            .min_by_key(size)
            .map(|value| Decision { variable, value })
    }
}
