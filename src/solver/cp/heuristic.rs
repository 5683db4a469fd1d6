//! Branching: which variable takes which value next.
//!
//! # Adding a heuristic
//! One file in `branching/` with a [`Heuristic`] and its function, its `mod` line, and its place in
//! [`HEURISTICS`](super::branching::HEURISTICS).

use super::domain::{DomainValue, Var};
use super::engine::Engine;
use crate::solver::rng::RandomSource;

/// A heuristic as the table of variants has it.
#[derive(Debug, Clone, Copy)]
pub struct Heuristic {
    /// The letter in the acronym; no two heuristics have the same.
    pub letter: char,
    /// The word in a spec.
    pub word: &'static str,
    /// It needs the variables of the dual model.
    pub needs_dual: bool,
    /// It draws at random.
    pub is_random: bool,
    /// It reads [`Choices::weights`], which are counted only then.
    pub is_weighted: bool,
    /// The decision at a fixed point; `None` when every decision variable is instantiated.
    pub decide: Decide,
}

/// [`Heuristic::decide`].
type Decide = fn(&Choices, &Engine, &mut dyn RandomSource) -> Option<Decision>;

impl Heuristic {
    /// One that draws nothing and needs neither dual variables nor weights.
    pub(super) const fn plain(letter: char, word: &'static str, decide: Decide) -> Self {
        Self {
            letter,
            word,
            needs_dual: false,
            is_random: false,
            is_weighted: false,
            decide,
        }
    }
}

impl PartialEq for Heuristic {
    fn eq(&self, other: &Self) -> bool {
        self.letter == other.letter
    }
}

impl Eq for Heuristic {}

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
pub struct Choices {
    /// The decision variables, in order.
    pub decided: Vec<Var>,
    /// The variables of the primal model.
    pub primal: Vec<Var>,
    /// The variables of the dual model, empty where there are none.
    pub dual: Vec<Var>,
    /// Per constraint: 1 + how often it has failed. Empty unless the heuristic is weighted.
    pub weights: Vec<u64>,
}

/// `variable =` its least value.
#[inline]
pub(super) fn least(variable: Var, engine: &Engine) -> Decision {
    Decision {
        variable,
        value: engine.domains.min(variable),
    }
}

/// The first of the uninstantiated variables with the smallest domain.
#[inline]
pub(super) fn smallest(variables: &[Var], engine: &Engine) -> Option<Var> {
    let open = variables
        .iter()
        .map(|&var| (engine.domains.size(var), var))
        .filter(|&(size, _)| size > 1);
    open.min_by_key(|&(size, _)| size).map(|(_, var)| var)
}
