//! Random search: a uniform uninstantiated variable takes a uniform value of its domain.

use crate::solver::cp::engine::Engine;
use crate::solver::cp::heuristic::{Choices, Decision, Heuristic};
use crate::solver::rng::RandomSource;

/// The entry in the list of heuristics.
pub(super) const HEURISTIC: Heuristic = Heuristic {
    is_random: true,
    ..Heuristic::plain('R', "random", decide)
};

/// Two draws per decision: the variable, counted in the given order, then the value, counted from
/// the least.
fn decide(choices: &Choices, engine: &Engine, coins: &mut dyn RandomSource) -> Option<Decision> {
    let open = || {
        let variables = choices.decided.iter().copied();
        variables.filter(|&var| !engine.domains.is_bound(var))
    };
    let n_open = open().count();
    if n_open == 0 {
        return None;
    }
    let variable = open().nth(coins.below(n_open as u64) as usize)?;
    let at = coins.below(u64::from(engine.domains.size(variable))) as usize;
    engine
        .domains
        .values(variable)
        .nth(at)
        .map(|value| Decision { variable, value })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::solver::cp::domain::{DomainValue, Var};
    use crate::solver::rng::Chance;

    /// Returns given draws, and keeps the bounds that were asked for.
    struct Scripted {
        draws: Vec<u64>,
        bounds: Vec<u64>,
    }

    impl RandomSource for Scripted {
        fn below(&mut self, bound: u64) -> u64 {
            self.bounds.push(bound);
            self.draws.remove(0)
        }

        fn flip(&mut self, _: Chance) -> bool {
            unreachable!("a decision draws integers only")
        }
    }

    /// Every pair of draws leads to another decision, and the bounds are the numbers of variables
    /// and values: an open variable has probability 1/2, and its values divide that equally.
    #[test]
    fn uniform_variable_then_uniform_value() {
        let mut engine = Engine::default();
        let variables: Vec<Var> = (0..4).map(|_| engine.domains.variable(5)).collect();
        let domains: [&[DomainValue]; 4] = [&[2], &[0, 3, 4], &[1], &[1, 4]];
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
        let choices = Choices {
            decided: variables,
            ..Choices::default()
        };
        let mut decided = BTreeSet::new();
        for (at, open) in [1, 3].into_iter().enumerate() {
            for value in 0..domains[open].len() {
                let mut script = Scripted {
                    draws: vec![at as u64, value as u64],
                    bounds: Vec::new(),
                };
                let decision = decide(&choices, &engine, &mut script);
                let Decision { variable, value } = decision.expect("two variables are open");
                decided.insert((variable.index(), value));
                assert_eq!(script.bounds, [2, domains[open].len() as u64]);
            }
        }
        assert_eq!(
            decided,
            BTreeSet::from([(1, 0), (1, 3), (1, 4), (3, 1), (3, 4)])
        );
    }
}
