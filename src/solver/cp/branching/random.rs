//! Random search: a uniform uninstantiated variable takes a uniform value of its domain.

use super::{Branching, Decision, Heuristic};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;
use crate::solver::rng::RandomSource;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'R',
    word: "random",
    needs_dual: false,
    is_random: true,
    start: |choices, coins| Box::new(Random::new(choices.decided, coins)),
};

/// Two draws from `coins` per decision: the variable, counted in the given order, then the value,
/// counted from the least.
pub struct Random<'a> {
    variables: Vec<Var>,
    open: Vec<Var>,
    coins: &'a mut dyn RandomSource,
}

impl<'a> Random<'a> {
    pub fn new(variables: Vec<Var>, coins: &'a mut dyn RandomSource) -> Self {
        Self {
            open: Vec::with_capacity(variables.len()),
            variables,
            coins,
        }
    }
}

impl Branching for Random<'_> {
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        self.open.clear();
        self.open.extend(
            self.variables
                .iter()
                .filter(|&&var| !engine.domains.is_bound(var)),
        );
        if self.open.is_empty() {
            return None;
        }
        let variable = self.open[self.coins.below(self.open.len() as u64) as usize];
        let at = self.coins.below(u64::from(engine.domains.size(variable))) as usize;
        engine
            .domains
            .values(variable)
            .nth(at)
            .map(|value| Decision { variable, value })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::solver::cp::domain::Value;
    use crate::solver::rng::Chance;

    /// A random source whose answers are given, and which notes how many there were to choose from.
    struct Told {
        draws: Vec<u64>,
        bounds: Vec<u64>,
    }

    impl RandomSource for Told {
        fn below(&mut self, bound: u64) -> u64 {
            self.bounds.push(bound);
            self.draws.remove(0)
        }

        fn flip(&mut self, _: Chance) -> bool {
            unreachable!("a decision draws integers only")
        }
    }

    /// Every fall of the two coins: each leads to another decision, and their sides are as many as
    /// variables and values, so that an open variable has probability 1/2 and each of its values
    /// the same share of it.
    #[test]
    fn uniform_variable_then_uniform_value() {
        let mut engine = Engine::default();
        let variables: Vec<Var> = (0..4).map(|_| engine.domains.variable(5)).collect();
        let domains: [&[Value]; 4] = [&[2], &[0, 3, 4], &[1], &[1, 4]];
        for (&var, domain) in variables.iter().zip(domains) {
            (0..5)
                .filter(|value| !domain.contains(value))
                .for_each(|value| {
                    engine
                        .domains
                        .remove(var, value)
                        .expect("another one stays")
                });
        }
        let mut decided = BTreeSet::new();
        for (at, open) in [1, 3].into_iter().enumerate() {
            for value in 0..domains[open].len() {
                let mut told = Told {
                    draws: vec![at as u64, value as u64],
                    bounds: Vec::new(),
                };
                let decision = Random::new(variables.clone(), &mut told).decide(&engine);
                let Decision { variable, value } = decision.expect("two variables are open");
                decided.insert((variable.index(), value));
                assert_eq!(told.bounds, [2, domains[open].len() as u64]);
            }
        }
        assert_eq!(
            decided,
            BTreeSet::from([(1, 0), (1, 3), (1, 4), (3, 1), (3, 4)])
        );
    }
}
