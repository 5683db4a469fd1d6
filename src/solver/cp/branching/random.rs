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
    use super::*;
    use crate::solver::cp::domain::{DomainValue, Var};
    use crate::solver::local::samples::every_answer;

    /// Each of the two open variables has probability 1/2, and its values divide that equally.
    #[test]
    fn uniform_variable_then_uniform_value() {
        let mut engine = Engine::default();
        let variables: Vec<Var> = (0..4).map(|_| engine.domains.variable(5)).collect();
        let domains: [&[DomainValue]; 4] = [&[2], &[0, 3, 4], &[1], &[1, 4]];
        for (&var, domain) in variables.iter().zip(domains) {
            for value in (0..5).filter(|value| !domain.contains(value)) {
                let removed = engine.domains.remove(var, value);
                removed.expect("another one stays");
            }
        }
        let choices = Choices {
            decided: variables,
            ..Choices::default()
        };
        let decided = every_answer(|coins| {
            let decision = decide(&choices, &engine, coins).expect("two variables are open");
            (decision.variable.index(), decision.value)
        });
        assert_eq!(
            decided,
            [
                (0.5 / 3.0, (1, 0)),
                (0.5 / 3.0, (1, 3)),
                (0.5 / 3.0, (1, 4)),
                (0.25, (3, 1)),
                (0.25, (3, 4))
            ]
        );
    }
}
