//! n queens anywhere on the n² cells: every placement of n numbered queens, one after the other.
//!
//! Source: the enumerations from which the texts start, for n = 8: 2⁴⁸ placements when queens may
//! share a cell (the random start of the local rules), 178 462 987 637 760 when they may not. Out
//! of reach there, hence n ≤ 5 for the search and closed forms for the numbers.
//!
//! Each board is met n! times, once for each way of numbering its queens, and reported when queen i
//! stands in row i:
//! - checks: placements tried, to the end n^(2n), or n² (n² − 1) … (n² − n + 1) where queens may
//!   not share a cell;
//! - failures: placements with an attack (two queens on one cell attack each other), so that checks
//!   = failures + n! · solutions to the end, and (checks − failures) / checks is the density of
//!   solutions among the random starts.

use crate::solver::exact::depth_first::Square;
use crate::solver::exact::{Goal, Halt, Measures, Method, Search};

/// Queens may share a cell.
pub(super) const CELLS: Method = Method {
    name: "cells",
    doc: "all placements of n numbered queens on n² cells, where they may share a cell: n^(2n)",
    measures: MEASURES,
    goals: &Goal::EVERY,
    n_max: 5,
    search: |n, search| place(n, false, &mut Vec::with_capacity(n), search),
};

/// Each queen has a cell of its own.
pub(super) const DISTINCT_CELLS: Method = Method {
    name: "distinct-cells",
    doc: "all placements of n numbered queens on n² cells, no two on one cell",
    search: |n, search| place(n, true, &mut Vec::with_capacity(n), search),
    ..CELLS
};

const MEASURES: Measures = Measures {
    nodes: None,
    checks: Some("placements tried"),
    failures: Some("placements with an attack"),
};

/// Puts the next queen on every cell in turn.
fn place(
    n: usize,
    distinct: bool,
    queens: &mut Vec<Square>,
    search: &mut Search<'_>,
) -> Result<(), Halt> {
    if queens.len() == n {
        return judge(queens, search);
    }
    for cell in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        if !(distinct && queens.contains(&cell)) {
            queens.push(cell);
            place(n, distinct, queens, search)?;
            queens.pop();
        }
    }
    Ok(())
}

fn judge(queens: &[Square], search: &mut Search<'_>) -> Result<(), Halt> {
    search.check()?;
    let has_attack = (0..queens.len()).any(|i| (0..i).any(|j| attack(queens[i], queens[j])));
    if has_attack {
        search.fail();
    } else if queens
        .iter()
        .enumerate()
        .all(|(queen, &(row, _))| row == queen)
    {
        let board: Vec<usize> = queens.iter().map(|&(_, column)| column).collect();
        search.solution(&board)?;
    }
    Ok(())
}

fn attack(a: Square, b: Square) -> bool {
    let (down, across) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    down == 0 || across == 0 || down == across
}
