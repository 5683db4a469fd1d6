//! The constraint models of n queens, on a small propagation kernel of its own.
//!
//! Read [`trail`] (memory that can be taken back), [`domain`] (what a variable can still be),
//! [`engine`] (propagation to the fixed point), [`search`] (depth first), then `model` (the lab's
//! models of n queens) and [`variant`] (their acronyms). What a node costs is in `engine`, `domain`
//! and `trail`; the number of nodes is a column of tables, and must not change by a faster kernel.
//!
//! # Adding a propagator
//! 1. One file in `propagator/` with its paper, its `mod` line in [`propagator`], and a type that
//!    implements [`propagator::Propagator`].
//! 2. `scope` lists the variables; the engine names them by their index in this list from then on.
//!    `runs_on` is the least event on them for which `propagate` runs.
//! 3. `instantiated` is called once for every instantiation, before anything is propagated: the
//!    right place for what needs the one value only (as its removal from all other variables).
//!    `propagate` does the rest; `instantiated` has been called for all instantiations by then, and
//!    it gets the indices that changed.
//! 4. Filter through [`domain::Domains`] only (`remove`, `assign`, `remove_below`, `remove_above`,
//!    `retain`), pass every [`domain::Inconsistency`] on, and stop there: what was half done is
//!    taken back.
//! 5. State that must follow backtracking is a cell of [`trail::Trail`], made in the constructor.
//!    Anything else must be right in any state: scratch, or rebuilt in each run. Memory of one run
//!    must not survive an `Inconsistency`.
//! 6. Be monotone: from smaller domains reach smaller domains. Counts of nodes are comparable
//!    between solvers only because the fixed point is one.
//! 7. Declare `is_idempotent` only when a second run right after the first finds nothing to do, its
//!    own changes included.
//! 8. Post it in `model`, and give it to the generic checkers of `tests/cp/propagators.rs`:
//!    random domains against enumeration (no value of a solution is lost, every value or bound left
//!    has a support if the level promises it), undo, and incremental against from scratch.

mod algorithm;
pub mod branching;
pub mod domain;
pub mod engine;
mod model;
pub mod propagator;
pub mod search;
pub mod trail;
pub mod variant;

pub(crate) use self::algorithm::ALGORITHM;

use self::model::QueensModel;
use self::search::{SearchObserver, TreeSearch};
use self::variant::Variant;
use super::goal::Goal;
use super::outcome::Counts;
use super::rng::RandomSource;
use super::{Control, Ending, Interrupted};

/// What to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    /// Lines, columns and queens; at least 1.
    pub n: usize,
    /// Model, constraints, decisions and branching.
    pub variant: Variant,
    /// What the search is for.
    pub goal: Goal,
    /// Nodes allowed: a search that needs no more is complete.
    pub node_limit: u64,
}

/// Solves `problem`; `coins` are for random branching, the only one that draws.
///
/// # Errors
/// [`Interrupted`] when `control` is stopped.
pub fn solve(
    problem: &Problem,
    coins: &mut dyn RandomSource,
    observer: &mut impl SearchObserver,
    control: &Control,
) -> Result<(Counts, Ending), Interrupted> {
    TreeSearch {
        queens: QueensModel::new(problem.n, &problem.variant),
        branching: problem.variant.branching,
        coins,
        observer,
        node_limit: problem.node_limit,
        control,
        decisions: Vec::new(),
        board: Vec::new(),
        counts: Counts::default(),
    }
    .run(problem.goal)
}
