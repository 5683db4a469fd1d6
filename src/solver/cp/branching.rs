//! Branching: which variable takes which value next. Here are the five branchings of the lab
//! (lexicographic, random, smallest domain, dom/wdeg, dual-dom), how each breaks ties (the first
//! variable, the least value), and what random branching draws. Their words and letters are in
//! `variant.rs`; the weights of dom/wdeg are raised in `search.rs`.
//!
//! # Adding a branching
//! A variant of [`Branching`] with its function, at the end of [`Branching::ALL`], and its word and
//! letter in the table of [`variant`](super::variant).

use super::domain::{DomainValue, Var};
use super::engine::Engine;
use crate::rng::RandomSource;

/// How the next decision is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branching {
    /// The first uninstantiated variable takes its least value.
    Lexicographic,
    /// A uniform uninstantiated variable takes a uniform value of its domain.
    Random,
    /// The variable with the smallest domain takes its least value (Haralick and Elliott,
    /// Artificial Intelligence 14, 1980). Of several variables it is the first.
    MinDomain,
    /// dom/wdeg: the variable with the least ratio of domain size to weighted degree takes its
    /// least value.
    ///
    /// Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting
    /// constraints", ECAI 2004: every constraint starts with weight 1 and gains 1 whenever it
    /// fails; a variable's weighted degree sums over its constraints with another uninstantiated
    /// variable. Where all decision variables are under the same constraints (`all_different` on
    /// the primal variables), this is min-domain.
    DomWdeg,
    /// The variable with the smallest domain takes the value whose dual variable has the smallest
    /// domain.
    ///
    /// Smith, "Modelling a permutation problem", research report 2000.18, University of Leeds: with
    /// channelled primal and dual variables, the value that fewest other variables can take is the
    /// one most likely to be lost.
    DualDom,
}

impl Branching {
    /// All of them, in the order of the lab's table; the first is the default.
    pub const ALL: [Self; 5] = [
        Self::Lexicographic,
        Self::Random,
        Self::MinDomain,
        Self::DomWdeg,
        Self::DualDom,
    ];

    /// True if the branching needs the variables of the dual model.
    pub fn needs_dual(self) -> bool {
        self == Self::DualDom
    }

    /// True if the branching draws at random.
    pub fn is_random(self) -> bool {
        self == Self::Random
    }

    /// True if the branching reads [`BranchingChoices::weights`], which are counted only then.
    pub fn is_weighted(self) -> bool {
        self == Self::DomWdeg
    }

    /// The decision at a fixed point; `None` when every decision variable is instantiated.
    #[inline]
    pub fn decide(
        self,
        choices: &BranchingChoices,
        engine: &Engine,
        coins: &mut dyn RandomSource,
    ) -> Option<Decision> {
        match self {
            Self::Lexicographic => first(choices, engine),
            Self::Random => random(choices, engine, coins),
            Self::MinDomain => smallest(choices, engine).map(|var| least(var, engine)),
            Self::DomWdeg => heaviest(choices, engine),
            Self::DualDom => least_dual(choices, engine),
        }
    }
}

/// `variable = value` in the left branch, `variable ≠ value` in the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The variable that is decided on.
    pub variable: Var,
    /// A value of its domain.
    pub value: DomainValue,
}

/// What a model gives to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BranchingChoices {
    /// The decision variables, in order.
    pub decided: Vec<Var>,
    /// The variables of the primal model.
    pub primal: Vec<Var>,
    /// The variables of the dual model, empty where there are none.
    pub dual: Vec<Var>,
    /// Per constraint: 1 + how often it has failed. Empty unless the branching is weighted.
    pub weights: Vec<u64>,
}

/// `variable =` its least value.
#[inline]
fn least(variable: Var, engine: &Engine) -> Decision {
    Decision {
        variable,
        value: engine.domains.min(variable),
    }
}

fn first(choices: &BranchingChoices, engine: &Engine) -> Option<Decision> {
    choices
        .decided
        .iter()
        .find(|&&var| !engine.domains.is_bound(var))
        .map(|&var| least(var, engine))
}

/// Two draws per decision: the variable, counted in the given order, then the value, counted from
/// the least.
fn random(
    choices: &BranchingChoices,
    engine: &Engine,
    coins: &mut dyn RandomSource,
) -> Option<Decision> {
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

/// The first of the uninstantiated variables with the smallest domain.
#[inline]
fn smallest(choices: &BranchingChoices, engine: &Engine) -> Option<Var> {
    let open = choices
        .decided
        .iter()
        .map(|&var| (engine.domains.size(var), var))
        .filter(|&(size, _)| size > 1);
    open.min_by_key(|&(size, _)| size).map(|(_, var)| var)
}

/// The first of the variables with the least ratio.
fn heaviest(choices: &BranchingChoices, engine: &Engine) -> Option<Decision> {
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

/// Decides on the first of several variables and the least of several values.
fn least_dual(choices: &BranchingChoices, engine: &Engine) -> Option<Decision> {
    let variable = smallest(choices, engine)?;
    let duals = duals(choices, variable);
    let size = |value: &DomainValue| engine.domains.size(duals[*value as usize]);
    engine
        .domains
        .values(variable)
        .min_by_key(size)
        .map(|value| Decision { variable, value })
}

/// The other side of `variable`: the variable for its value j is the j-th of them.
fn duals(choices: &BranchingChoices, variable: Var) -> &[Var] {
    if choices.primal.contains(&variable) {
        &choices.dual
    } else {
        &choices.primal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::cp::domain::Inconsistency;
    use crate::cp::propagator::less::Less;
    use crate::cp::propagator::not_equal::NotEqual;
    use crate::local::tests::samples::every_answer;
    use crate::rng::TrialStream;

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

    fn chosen(choices: &BranchingChoices, engine: &Engine) -> Option<(Var, DomainValue)> {
        let mut unused = TrialStream::new("reines/test/dom-wdeg/1", 1, &Point::new("cp", []), 0);
        Branching::DomWdeg
            .decide(choices, engine, &mut unused)
            .map(|decision| (decision.variable, decision.value))
    }

    /// The ratio is size / weighted degree, here computed by hand for the variables in order. A
    /// degree of 0 is an infinite ratio.
    #[test]
    fn failures_weigh_and_instantiated_neighbours_do_not() {
        let (mut engine, [a, b, c, d, e, f]) = three_constraints();
        let mut choices = BranchingChoices {
            decided: vec![a, b, c, d, e, f],
            weights: vec![1; engine.n_constraints()],
            ..BranchingChoices::default()
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
        let choices = BranchingChoices {
            decided: variables,
            ..BranchingChoices::default()
        };
        let decided = every_answer(|coins| {
            let decision = Branching::Random.decide(&choices, &engine, coins);
            let decision = decision.expect("two variables are open");
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
