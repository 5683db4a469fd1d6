//! Row by row, the list of all safe partial boards: each is extended by every column that is safe
//! for one more queen.
//!
//! Source: the three-ways text, "seconde approche", `solve` (called backtracking there; it walks
//! the tree breadth first and never goes back). The whole list of a row is kept, which is what
//! limits n.
//!
//! - checks: partial boards kept, over all rows (the empty one that it starts from is not counted);
//! - nodes: safe partial boards looked at, the empty and the complete ones included: checks + 1 to
//!   the end;
//! - failures: incomplete partial boards that no column extends.

use super::{Exhaustive, Halt, Measures, Search};

pub struct PartialLists;

impl Exhaustive for PartialLists {
    fn name(&self) -> &'static str {
        "partial-lists"
    }

    fn doc(&self) -> &'static str {
        "row by row, the list of all safe partial boards is extended by every column"
    }

    fn measures(&self) -> Measures {
        Measures {
            nodes: Some("safe partial boards, the empty one included"),
            checks: Some("partial boards kept"),
            failures: Some("incomplete partial boards that no column extends"),
        }
    }

    /// At 13, 4.7 million partial boards in all and a quarter of them in one list.
    fn n_max(&self) -> usize {
        13
    }

    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
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

/// A queen in `column` of the next row shares neither column nor diagonal with one of `queens`.
pub(super) fn is_safe(column: usize, queens: &[usize]) -> bool {
    let row = queens.len();
    !queens.contains(&column)
        && !queens
            .iter()
            .enumerate()
            .any(|(i, &queen)| column.abs_diff(queen) == row - i)
}
