//! Row by row, the list of all safe partial boards: each is extended by every column that is safe
//! for one more queen.
//!
//! Source: the three-ways text, "seconde approche", `solve` (called backtracking there; it walks
//! the tree breadth first, without backtracking). The whole list of a row is kept, which is what
//! limits n.
//!
//! - checks: partial boards kept, over all rows (the empty one that it starts from is not counted);
//! - nodes: safe partial boards looked at, the empty and the complete ones included: checks + 1 to
//!   the end;
//! - failures: incomplete partial boards that no column extends.

use super::depth_first::is_safe;
use crate::exact::{ALGORITHM, Halt, Method, Search};
use crate::{Algorithm, Axis, Column};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    algorithm: Algorithm {
        name: "partial-lists",
        doc: "row by row, the list of all safe partial boards is extended by every column",
        // At 13, 4.7 million partial boards in all and a quarter of them in one list.
        axes: &[Axis::side(13)],
        columns: &[
            Column::named("solution"),
            Column::named("solutions"),
            Column::named("nodes").meaning("safe partial boards, the empty one included"),
            Column::named("checks").meaning("partial boards kept"),
            Column::named("failures").meaning("incomplete partial boards that no column extends"),
        ],
        ..ALGORITHM
    },
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let mut partial_boards = vec![vec![]];
    for _row in 0..n {
        partial_boards = extend(&partial_boards, n, search)?;
    }
    for board in &partial_boards {
        search.node()?;
        search.solution(board)?;
    }
    Ok(())
}

/// Every board with one more queen, in the row below, that is still safe.
fn extend(
    boards: &[Vec<usize>],
    n: usize,
    search: &mut Search<'_>,
) -> Result<Vec<Vec<usize>>, Halt> {
    let mut extended = Vec::new();
    for board in boards {
        search.node()?;
        let before = extended.len();
        for column in (0..n).filter(|&column| is_safe(column, board)) {
            search.check()?;
            extended.push([board.as_slice(), &[column]].concat());
        }
        if extended.len() == before {
            search.fail();
        }
    }
    Ok(extended)
}
