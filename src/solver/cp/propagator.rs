//! Propagators: what a constraint removes from the domains. The guide "Adding a propagator" is in
//! [`super`]. Here is what the engine asks of each: its variables, the least event for which it
//! runs, whether it is light and idempotent, how many constraints it counts for and which of them
//! failed. `all_different.rs` chooses among levels of consistency.

pub mod all_different;
mod bounds;
pub mod diagonal;
mod domain;
pub mod inverse;
pub mod less;
pub mod not_equal;
mod value_graph;
pub mod views;

use super::domain::{Domains, Event, Inconsistency, Var};

/// Removes values that no solution of its constraints has.
///
/// Propagators are monotone: from smaller domains they reach smaller domains. So the fixed point is
/// the same in any order.
pub trait Propagator {
    /// The variables it is on; the engine names a variable to it by its index in this list, as a
    /// *member*.
    fn scope(&self) -> &[Var];

    /// The least event on its variables that makes [`Propagator::propagate`] run; `None` for one
    /// that does all in [`Propagator::instantiated`].
    fn runs_on(&self) -> Option<Event> {
        None
    }

    /// Returns whether it is linear in what changed and does not read all its variables: such
    /// propagators run before the others; the fixed point is the same in any order.
    fn is_light(&self) -> bool {
        false
    }

    /// Returns whether a second run right after the first finds nothing to do.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// The variable of this member is instantiated. Called once for each, one after the other,
    /// before any propagator is run.
    ///
    /// # Errors
    /// [`Inconsistency`] when the constraint cannot hold.
    fn instantiated(&mut self, _member: usize, _: &mut Domains) -> Result<(), Inconsistency> {
        Ok(())
    }

    /// Something happened to the variables of these members (some may occur twice; in the first
    /// call all do).
    ///
    /// # Errors
    /// As [`Propagator::instantiated`].
    fn propagate(&mut self, _changed: &[u32], _: &mut Domains) -> Result<(), Inconsistency> {
        Ok(())
    }

    /// Number of constraints that it posts.
    fn n_constraints(&self) -> usize {
        1
    }

    /// Returns the index of the propagator that failed last.
    fn culprit(&self) -> usize {
        0
    }

    /// The sum of `weights` over those of its constraints that are on the variable `member` and
    /// on another uninstantiated one.
    fn weighted_degree(&self, member: usize, weights: &[u64], domains: &Domains) -> u64 {
        let mut others = self
            .scope()
            .iter()
            .enumerate()
            .filter(|&(at, _)| at != member);
        if others.any(|(_, &var)| !domains.is_bound(var)) {
            weights[0]
        } else {
            0
        }
    }
}
