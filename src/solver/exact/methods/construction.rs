//! One solution in O(n) for every n except 2 and 3, which have none: written down, not searched
//! for.
//!
//! Source: see `solver::construction`. The text's polynomial-time methods that reach only certain
//! classes of solutions: this one reaches a single board, so it cannot count.
//!
//! Nothing is checked, so no count but `solutions` is filled.

use crate::solver::construction::board;
use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    name: "construction",
    doc: "one solution written down in O(n) for every n that has one (Pauls 1874)",
    measures: Measures {
        nodes: None,
        checks: None,
        failures: None,
    },
    goals: &[Goal::First],
    n_max: 1_000_000,
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    board(n).map_or(Ok(()), |board| search.solution(&board))
}
