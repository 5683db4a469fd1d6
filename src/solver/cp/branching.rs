//! Branching: which variable takes which value next.

pub mod lexicographic;

pub mod random;

pub mod min_domain;

pub mod dom_wdeg;

pub mod dual_dom;

use super::domain::{Value, Var};
use super::engine::Engine;

/// `variable = value` in the left branch, `variable ≠ value` in the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub variable: Var,
    pub value: Value,
}

/// A rule that chooses the next decision.
pub trait Branching {
    /// The decision at a fixed point; `None` when every decision variable is instantiated.
    fn decide(&mut self, engine: &Engine) -> Option<Decision>;

    /// The constraint with this number has failed.
    fn failed(&mut self, _constraint: usize) {}
}

/// `variable =` its least value.
fn least(variable: Var, engine: &Engine) -> Decision {
    Decision { variable, value: engine.domains.min(variable) }
}
