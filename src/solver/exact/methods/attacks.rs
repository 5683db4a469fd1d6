//! An n × n matrix of queens: before a queen is placed, its row, column and diagonals are searched
//! for another.
//!
//! Source: the four-methods text, 6.2.2, "prises sur l'échiquier". Each of the four lines is
//! searched both ways, to the edge or to the first queen, in the order of `depth_first::STEPS`;
//! rows that are still empty are searched as well.
//!
//! - checks: cells looked at, the square itself not included;
//! - nodes, failures: see `depth_first.rs`.

use crate::solver::board::N_MAX;
use crate::solver::exact::depth_first::{FAILURES, NODES, Square, Watch, attacked, walk};
use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    name: "attacks",
    doc: "depth first on a matrix of queens; looks along row, column and diagonals before placing one",
    measures: Measures {
        nodes: Some(NODES),
        checks: Some("cells looked at"),
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
        &mut Matrix(vec![vec![false; n]; n]),
        search,
    )
}

/// The cells with a queen, by row and column.
struct Matrix(Vec<Vec<bool>>);

impl Watch for Matrix {
    #[inline]
    fn is_safe(&self, square: Square, search: &mut Search<'_>) -> Result<bool, Halt> {
        for (row, column) in attacked(self.0.len(), square) {
            search.check()?;
            if self.0[row][column] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn put(&mut self, square: Square, is_there: bool, _: &mut Search<'_>) -> Result<(), Halt> {
        self.0[square.0][square.1] = is_there;
        Ok(())
    }
}
