//! dom/wdeg: the variable with the least ratio of domain size to weighted degree takes its least
//! value.
//!
//! Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints",
//! ECAI 2004: every constraint starts with weight 1 and gains 1 whenever it fails; a variable's
//! weighted degree sums over its constraints with another uninstantiated variable. Where all
//! decision variables are under the same constraints (`all_different` on the primal variables),
//! this is min-domain.

use crate::solver::cp::engine::Engine;
use crate::solver::cp::heuristic::{Choices, Decision, Heuristic, least};
use crate::solver::rng::RandomSource;

/// The entry in the list of heuristics.
pub(super) const HEURISTIC: Heuristic = Heuristic {
    is_weighted: true,
    ..Heuristic::plain('W', "dom-wdeg", decide)
};

/// The first of the variables with the least ratio.
fn decide(choices: &Choices, engine: &Engine, _: &mut dyn RandomSource) -> Option<Decision> {
    let open = choices
        .decided
        .iter()
        .filter(|&&var| !engine.domains.is_bound(var));
    // A last variable without a constraint to another one has degree 0: an infinite ratio.
    let ratios = open.map(|&var| {
        (
            u64::from(engine.domains.size(var)),
            engine.weighted_degree(var, &choices.weights),
            var,
        )
    });
    let best = ratios.reduce(|best, next| {
        if next.0 * best.1 < best.0 * next.1 {
            next
        } else {
            best
        }
    });
    best.map(|(_, _, var)| least(var, engine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Point;
    use crate::solver::cp::domain::Inconsistency;
    use crate::solver::cp::domain::{DomainValue, Var};
    use crate::solver::cp::propagator::less::Less;
    use crate::solver::cp::propagator::not_equal::NotEqual;
    use crate::solver::rng::TrialStream;

    /// `e < f`, `a ≠ b`, `c ≠ d`, in this order, on the values 0, 1, 2.
    fn three_constraints() -> (Engine, [Var; 6]) {
        let mut engine = Engine::default();
        let [a, b, c, d, e, f] = [(); 6].map(|()| engine.domains.variable(3));
        engine.post(Less::new(e, f));
        let mut network = NotEqual::new(vec![a, b, c, d]);
        network.differ(0, 1, 0);
        network.differ(2, 3, 0);
        engine.post(network);
        (engine, [a, b, c, d, e, f])
    }

    fn chosen(choices: &Choices, engine: &Engine) -> Option<(Var, DomainValue)> {
        let mut unused = TrialStream::new("reines/test/dom-wdeg/1", 1, &Point::new("cp", []), 0);
        decide(choices, engine, &mut unused).map(|decision| (decision.variable, decision.value))
    }

    /// The ratio is size / weighted degree, here reckoned by hand for the variables in order. A
    /// degree of 0 is an infinite ratio.
    #[test]
    fn failures_weigh_and_instantiated_neighbours_do_not() {
        let (mut engine, [a, b, c, d, e, f]) = three_constraints();
        let mut choices = Choices {
            decided: vec![a, b, c, d, e, f],
            weights: vec![1; engine.n_constraints()],
            ..Choices::default()
        };
        assert_eq!(
            chosen(&choices, &engine),
            Some((a, 0)),
            "3/1 each: the first"
        );

        engine.push();
        for var in [c, d] {
            engine.domains.assign(var, 1).expect("one of three");
        }
        assert_eq!(engine.fixed_point(), Err(Inconsistency));
        assert_eq!(engine.culprit(), Some(2), "the third constraint posted");
        choices.weights[2] += 1;
        engine.undo();
        assert_eq!(
            chosen(&choices, &engine),
            Some((c, 0)),
            "3/1 3/1 3/2 3/2 3/1 3/1"
        );

        engine.push();
        assert_eq!(engine.assign(c, 0), Ok(()));
        assert_eq!(
            chosen(&choices, &engine),
            Some((a, 0)),
            "3/1 3/1 - 2/0 3/1 3/1"
        );
        assert_eq!(engine.assign(a, 0), Ok(()));
        assert_eq!(
            chosen(&choices, &engine),
            Some((e, 0)),
            "- 2/0 - 2/0 2/1 2/1: e < f leaves two values each"
        );
        assert_eq!(engine.assign(e, 0), Ok(()));
        assert_eq!(
            chosen(&choices, &engine),
            Some((b, 1)),
            "- 2/0 - 2/0 - 2/0: the first"
        );
    }
}
