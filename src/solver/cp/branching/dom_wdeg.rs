//! dom/wdeg: the variable with the least ratio of domain size to weighted degree takes its least value.
//!
//! Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints", ECAI 2004: every constraint starts with weight 1
//! and gains 1 whenever it fails; a variable's weighted degree sums over its constraints with another uninstantiated variable. Where all
//! decision variables are under the same constraints (`all_different` on the primal variables), this is min-domain.

use super::{Branching, Decision, Heuristic, least};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'W',
    word: "dom-wdeg",
    needs_dual: false,
    is_random: false,
    start: |queens, _| Box::new(DomWdeg::new(queens.decided.clone(), queens.engine.n_constraints())),
};

/// The first of the variables with the least ratio.
#[derive(Debug)]
pub struct DomWdeg {
    variables: Vec<Var>,
    weights: Vec<u64>,
}

impl DomWdeg {
    pub fn new(variables: Vec<Var>, n_constraints: usize) -> Self {
        Self { variables, weights: vec![1; n_constraints] }
    }
}

impl Branching for DomWdeg {
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        let open = self.variables.iter().filter(|&&var| !engine.domains.is_bound(var));
        // A last variable without a constraint to another one has degree 0: an infinite ratio.
        let ratios = open.map(|&var| (u64::from(engine.domains.size(var)), engine.weighted_degree(var, &self.weights), var));
        let best = ratios.reduce(|best, next| if next.0 * best.1 < best.0 * next.1 { next } else { best });
        best.map(|(_, _, var)| least(var, engine))
    }

    fn failed(&mut self, constraint: usize) {
        self.weights[constraint] += 1;
    }
}
