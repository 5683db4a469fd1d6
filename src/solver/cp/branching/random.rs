//! Random search: a uniform uninstantiated variable takes a uniform value of its domain.

use super::{Branching, Decision, Heuristic};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;
use crate::solver::rng::Coins;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'R',
    word: "random",
    needs_dual: false,
    is_random: true,
    start: |queens, coins| Box::new(Random::new(queens.decided.clone(), coins)),
};

/// Two draws from `coins` per decision: the variable, counted in the given order, then the value, counted from the least.
pub struct Random<'a> {
    variables: Vec<Var>,
    open: Vec<Var>,
    coins: &'a mut dyn Coins,
}

impl<'a> Random<'a> {
    pub fn new(variables: Vec<Var>, coins: &'a mut dyn Coins) -> Self {
        Self { open: Vec::with_capacity(variables.len()), variables, coins }
    }
}

impl Branching for Random<'_> {
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        self.open.clear();
        self.open.extend(self.variables.iter().filter(|&&var| !engine.domains.is_bound(var)));
        if self.open.is_empty() {
            return None;
        }
        let variable = self.open[self.coins.below(self.open.len() as u64) as usize];
        let at = self.coins.below(u64::from(engine.domains.size(variable))) as usize;
        engine.domains.values(variable).nth(at).map(|value| Decision { variable, value })
    }
}
