//! The constraint models of n queens, on a kernel small enough to read in an evening.
//!
//! Read [`trail`] (memory that can be taken back), [`domain`] (what a variable can still be),
//! [`engine`] (propagation to the fixed point), [`search`] (depth first), then [`model`] (the lab's
//! models of n queens) and [`variant`] (their acronyms).
//!
//! # Adding a propagator
//! 1. One file in `propagator/` with its paper, its `mod` line in [`propagator`], and a type that
//!    implements [`propagator::Propagator`].
//! 2. `scope` lists the variables; the engine names them by their place in this list from then on.
//!    `runs_on` says how little has to happen to them for `propagate` to be worth running.
//! 3. `instantiated` is told every instantiation once, before anything is propagated: the place for
//!    what needs no more than the one value (a value goes from everybody else). `propagate` does
//!    the rest; it may rely on all instantiations having been told, and gets the places that
//!    changed.
//! 4. Filter through [`domain::Domains`] only (`remove`, `assign`, `remove_below`, `remove_above`,
//!    `retain`), pass every [`domain::Inconsistency`] on, and stop there: what was half done is
//!    taken back.
//! 5. State that must follow backtracking is a cell of [`trail::Trail`], made in the constructor.
//!    Anything else must be right in any state: scratch, or rebuilt in each run. Memory of one run
//!    must not survive an `Inconsistency`.
//! 6. Be monotone: from smaller domains reach smaller domains. TreeCounts of nodes are comparable
//!    between solvers only because the fixed point is one.
//! 7. Say `is_idempotent` only when a second run right after the first finds nothing to do, its own
//!    changes included.
//! 8. Post it in [`model`], and give it to the generic checkers of `tests/cp/propagators.rs`:
//!    random domains against enumeration (no value of a solution is lost, every value or bound left
//!    has a support if the level promises it), undo, and incremental against from scratch.

pub mod bits;

pub mod trail;

pub mod variable;

pub mod event;

pub mod domain;

pub mod engine;

pub mod propagator;

pub mod heuristic;

pub mod branching;

pub mod search;

pub mod model;

pub mod variant;

pub mod trace;

pub mod algorithm;

use self::model::Queens;
use self::search::{End, Observer, Search, TreeCounts};
use self::variant::Variant;
use super::goal::Goal;
use super::rng::Coins;
use super::{Control, Interrupted};

/// What to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    /// Lines, columns and queens; at least 1.
    pub n: usize,
    pub variant: Variant,
    pub goal: Goal,
    /// Nodes allowed: a search that needs no more is complete.
    pub node_limit: u64,
}

/// Solves `problem`; `coins` are for random branching, which alone draws any.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop.
pub fn solve(
    problem: &Problem,
    coins: &mut dyn Coins,
    observer: &mut impl Observer,
    control: &Control,
) -> Result<(TreeCounts, End), Interrupted> {
    let mut queens = Queens::new(problem.n, &problem.variant);
    Search::new(
        &mut queens,
        problem.variant.branching,
        coins,
        observer,
        problem.node_limit,
        control,
    )
    .run(problem.goal)
}
