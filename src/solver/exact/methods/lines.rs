//! Three arrays instead of a board: columns, rising and falling diagonals, each element with the
//! queen that stands on that line.
//!
//! Source: the four-methods text, 6.2.4, "tableaux colonnes et diagonales": the arrays start with
//! 0, and queen r writes r for its lines (rows are numbered from 1 there; so are the queens here).
//!
//! - checks: squares tested, the same as for the method `backtracking`;
//! - nodes, failures: see `depth_first.rs`.

use crate::solver::board::N_MAX;
use crate::solver::exact::depth_first::{FAILURES, NODES, Square, Watch, walk};
use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    name: "lines",
    doc: "depth first with three arrays: columns and both diagonals",
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
    walk(n, &mut Vec::with_capacity(n), &mut Arrays::new(n), search)
}

/// The number of the queen on each line, 0 where there is none.
struct Arrays {
    n: usize,
    columns: Vec<u8>,
    /// The queens on each rising diagonal, by row + column.
    rising: Vec<u8>,
    /// The queens on each falling diagonal, by n + row − column.
    falling: Vec<u8>,
}

impl Arrays {
    fn new(n: usize) -> Self {
        Self {
            n,
            columns: vec![0; n],
            rising: vec![0; 2 * n],
            falling: vec![0; 2 * n],
        }
    }
}

impl Watch for Arrays {
    #[inline]
    fn is_safe(&self, (row, column): Square, search: &mut Search<'_>) -> Result<bool, Halt> {
        search.check()?;
        Ok(self.columns[column] == 0
            && self.rising[row + column] == 0
            && self.falling[self.n + row - column] == 0)
    }

    #[inline]
    fn put(
        &mut self,
        (row, column): Square,
        is_there: bool,
        _: &mut Search<'_>,
    ) -> Result<(), Halt> {
        let queen = if is_there { row as u8 + 1 } else { 0 };
        self.columns[column] = queen;
        self.rising[row + column] = queen;
        self.falling[self.n + row - column] = queen;
        Ok(())
    }
}
