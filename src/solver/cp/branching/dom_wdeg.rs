//! dom/wdeg: the variable with the least ratio of domain size to weighted degree takes its least
//! value.
//!
//! Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints",
//! ECAI 2004: every constraint starts with weight 1 and gains 1 whenever it fails; a variable's
//! weighted degree sums over its constraints with another uninstantiated variable. Where all
//! decision variables are under the same constraints (`all_different` on the primal variables),
//! this is min-domain.

use super::{Branching, Decision, Heuristic, least};
use crate::solver::cp::domain::Var;
use crate::solver::cp::engine::Engine;

pub const HEURISTIC: Heuristic = Heuristic {
    letter: 'W',
    word: "dom-wdeg",
    needs_dual: false,
    is_random: false,
    start: |choices, _| Box::new(DomWdeg::new(choices.decided, choices.n_constraints)),
};

/// The first of the variables with the least ratio.
#[derive(Debug)]
pub struct DomWdeg {
    variables: Vec<Var>,
    weights: Vec<u64>,
}

impl DomWdeg {
    pub fn new(variables: Vec<Var>, n_constraints: usize) -> Self {
        Self {
            variables,
            weights: vec![1; n_constraints],
        }
    }
}

impl Branching for DomWdeg {
    fn decide(&mut self, engine: &Engine) -> Option<Decision> {
        let open = self
            .variables
            .iter()
            .filter(|&&var| !engine.domains.is_bound(var));
        // A last variable without a constraint to another one has degree 0: an infinite ratio.
        let ratios = open.map(|&var| {
            (
                u64::from(engine.domains.size(var)),
                engine.weighted_degree(var, &self.weights),
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

    fn failed(&mut self, constraint: usize) {
        self.weights[constraint] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::cp::domain::{Inconsistency, Value};
    use crate::solver::cp::propagator::less::Less;
    use crate::solver::cp::propagator::not_equal::NotEqual;

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

    fn chosen(branching: &mut DomWdeg, engine: &Engine) -> Option<(Var, Value)> {
        branching
            .decide(engine)
            .map(|decision| (decision.variable, decision.value))
    }

    /// By hand, as size / weighted degree of the variables in order. A degree of 0 is an infinite
    /// ratio.
    #[test]
    fn failures_weigh_and_instantiated_neighbours_do_not() {
        let (mut engine, [a, b, c, d, e, f]) = three_constraints();
        let mut branching = DomWdeg::new(vec![a, b, c, d, e, f], engine.n_constraints());
        assert_eq!(
            chosen(&mut branching, &engine),
            Some((a, 0)),
            "3/1 each: the first"
        );

        engine.push();
        for var in [c, d] {
            engine.domains.assign(var, 1).expect("one of three");
        }
        assert_eq!(engine.fixed_point(), Err(Inconsistency));
        assert_eq!(engine.culprit(), Some(2), "the third constraint posted");
        branching.failed(2);
        engine.undo();
        assert_eq!(
            chosen(&mut branching, &engine),
            Some((c, 0)),
            "3/1 3/1 3/2 3/2 3/1 3/1"
        );

        engine.push();
        assert_eq!(engine.assign(c, 0), Ok(()));
        assert_eq!(
            chosen(&mut branching, &engine),
            Some((a, 0)),
            "3/1 3/1 - 2/0 3/1 3/1"
        );
        assert_eq!(engine.assign(a, 0), Ok(()));
        assert_eq!(
            chosen(&mut branching, &engine),
            Some((e, 0)),
            "- 2/0 - 2/0 2/1 2/1: e < f leaves two values each"
        );
        assert_eq!(engine.assign(e, 0), Ok(()));
        assert_eq!(
            chosen(&mut branching, &engine),
            Some((b, 1)),
            "- 2/0 - 2/0 - 2/0: the first"
        );
    }
}
