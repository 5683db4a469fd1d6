//! One queen in each row, and every way of choosing their columns: nⁿ placements (16 777 216 at n =
//! 8).
//!
//! Source: the three-ways text, "modélisation": two queens never share a row, so a placement is a
//! list of columns; columns and both diagonals are compared pair by pair.
//!
//! - checks: placements tried, nⁿ to the end;
//! - failures: placements with an attack, so that checks = failures + solutions to the end.

use crate::board::N_MAX;
use crate::exact::{ALGORITHM, Halt, Method, Search};
use crate::{Algorithm, Axis, Column};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    algorithm: Algorithm {
        name: "rows",
        doc: "one queen per row in any column: all nⁿ placements",
        axes: &[Axis::side(N_MAX as u64)],
        columns: &[
            Column::named("solution"),
            Column::named("solutions"),
            Column::named("checks").meaning("placements tried"),
            Column::named("failures").meaning("placements with an attack"),
        ],
        ..ALGORITHM
    },
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let mut columns = vec![0; n];
    loop {
        search.tried(&columns, is_safe(&columns))?;
        if !next_placement(&mut columns) {
            return Ok(());
        }
    }
}

/// No two queens share a column or a diagonal.
fn is_safe(columns: &[usize]) -> bool {
    for i in 0..columns.len() {
        for j in i + 1..columns.len() {
            let apart = columns[i].abs_diff(columns[j]);
            if apart == 0 || apart == j - i {
                return false;
            }
        }
    }
    true
}

/// Counts on by one, the last row's column running fastest; false at the last placement.
fn next_placement(columns: &mut [usize]) -> bool {
    let n = columns.len();
    for column in columns.iter_mut().rev() {
        *column += 1;
        if *column < n {
            return true;
        }
        *column = 0;
    }
    false
}
