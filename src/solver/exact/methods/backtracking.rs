//! Depth first, row by row: a square is safe when no queen of the list above it shares its column
//! or a diagonal.
//!
//! Source: the three-ways text, "retour sur trace": its `is_safe` on the queens placed so far,
//! walked as in its prose (its code builds lists instead, see the method `partial-lists`).
//!
//! - checks: squares tested, every column in every row reached: n times the incomplete nodes, 15
//!   720 at n = 8;
//! - nodes, failures: see `depth_first.rs`.

use crate::solver::board::N_MAX;
use crate::solver::exact::depth_first::{self, FAILURES, NODES, Square, Watch, walk};
use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    name: "backtracking",
    doc: "depth first, row by row; each square is compared with the queens above it",
    measures: Measures {
        nodes: Some(NODES),
        checks: Some("squares tested"),
        failures: Some(FAILURES),
    },
    goals: &Goal::EVERY,
    n_max: N_MAX,
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    walk(
        n,
        &mut Vec::with_capacity(n),
        &mut Columns(Vec::with_capacity(n)),
        search,
    )
}

/// The column of the queen in each row so far.
struct Columns(Vec<usize>);

impl Watch for Columns {
    #[inline]
    fn is_safe(&self, (_, column): Square, search: &mut Search<'_>) -> Result<bool, Halt> {
        search.check()?;
        Ok(depth_first::is_safe(column, &self.0))
    }

    fn put(&mut self, square: Square, is_there: bool, _: &mut Search<'_>) -> Result<(), Halt> {
        if is_there {
            self.0.push(square.1);
        } else {
            self.0.pop();
        }
        Ok(())
    }
}
