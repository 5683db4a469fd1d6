//! Random search: a uniform uninstantiated variable takes a uniform value of its domain.

use super::{Branching, Decision};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;
use crate::solver::rng::Coins;

/// Two draws from `coins` per decision: the variable, counted in the given order, then the value, counted from the least.
#[derive(Debug)]
pub struct Random<'a, C: ?Sized> {
    variables: Vec<Var>,
    open: Vec<Var>,
    coins: &'a mut C,
}

impl<'a, C: Coins + ?Sized> Random<'a, C> {
    pub fn new(variables: Vec<Var>, coins: &'a mut C) -> Self {
        Self { open: Vec::with_capacity(variables.len()), variables, coins }
    }
}

impl<C: Coins + ?Sized> Branching for Random<'_, C> {
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
