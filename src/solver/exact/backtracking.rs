//! Depth first, row by row: a square is safe when no queen of the list above it shares its column
//! or a diagonal.
//!
//! Source: the three-ways text, "retour sur trace": its `is_safe` on the queens placed so far,
//! walked as its prose says (its code builds lists instead, see [`super::partial_lists`]).
//!
//! - checks: squares tested, every column in every row reached: n times the incomplete nodes, 15
//!   720 at n = 8;
//! - nodes, failures: see `depth_first.rs`.

use super::depth_first::{FAILURES, NODES, Watch, walk};
use super::{Exhaustive, Halt, Measures, Search, partial_lists};

pub struct Backtracking;

impl Exhaustive for Backtracking {
    fn name(&self) -> &'static str {
        "backtracking"
    }

    fn doc(&self) -> &'static str {
        "depth first, row by row; each square is compared with the queens above it"
    }

    fn measures(&self) -> Measures {
        Measures {
            nodes: Some(NODES),
            checks: Some("squares tested"),
            failures: Some(FAILURES),
        }
    }

    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
        walk(
            n,
            &mut Vec::with_capacity(n),
            &mut Queens(Vec::with_capacity(n)),
            search,
        )
    }
}

/// The column of the queen in each row so far.
struct Queens(Vec<usize>);

impl Watch for Queens {
    fn is_safe(&self, _row: usize, column: usize, search: &mut Search<'_>) -> Result<bool, Halt> {
        search.check()?;
        Ok(partial_lists::is_safe(column, &self.0))
    }

    fn place(&mut self, _row: usize, column: usize, _search: &mut Search<'_>) -> Result<(), Halt> {
        self.0.push(column);
        Ok(())
    }

    fn take_back(
        &mut self,
        _row: usize,
        _column: usize,
        _search: &mut Search<'_>,
    ) -> Result<(), Halt> {
        self.0.pop();
        Ok(())
    }
}
