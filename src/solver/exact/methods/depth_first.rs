//! Four methods that walk the same tree: row by row, depth first, back to the last choice when no
//! square of a row is safe. They differ in what they keep about the queens, and so in what it costs
//! to find out that a square is safe.
//!
//! Sources: the three-ways text, "retour sur trace" (`backtracking`, walked as in its prose; its
//! code builds lists instead, see the method `partial-lists`), and the four-methods text, 6.2.2 to
//! 6.2.4 (`attacks`, `fill`, `lines`).
//!
//! Common to them:
//! - nodes: safe partial boards entered, the empty and the complete ones included;
//! - failures: dead ends, that is incomplete partial boards of which the next row has no safe
//!   square.

use crate::board::N_MAX;
use crate::exact::{ALGORITHM, Halt, Method, Search};
use crate::{Algorithm, Axis, Column};

/// What the methods of this file have in common.
const DEPTH_FIRST: Algorithm = Algorithm {
    axes: &[Axis::side(N_MAX as u64)],
    ..ALGORITHM
};

/// The columns of a method with this meaning of a check.
const fn columns(checks: &'static str) -> [Column; 5] {
    [
        Column::named("solution"),
        Column::named("solutions"),
        Column::named("nodes").meaning("safe partial boards entered, the empty one included"),
        Column::named("checks").meaning(checks),
        Column::named("failures")
            .meaning("incomplete partial boards without a safe square in the next row"),
    ]
}

/// Checks: squares tested, every column in every row reached: n times the incomplete nodes, 15 720
/// at n = 8.
pub(super) const BACKTRACKING: Method = Method {
    algorithm: Algorithm {
        name: "backtracking",
        doc: "depth first, row by row; each square is compared with the queens above it",
        columns: &columns("squares tested"),
        ..DEPTH_FIRST
    },
    search: |n, search| walk(n, &mut Vec::with_capacity(n), &mut NothingElse, search),
};

/// Checks: cells looked at, the square itself not included.
pub(super) const ATTACKS: Method = Method {
    algorithm: Algorithm {
        name: "attacks",
        doc: "depth first on a matrix of queens; looks along row, column and diagonals before placing one",
        columns: &columns("cells looked at"),
        ..DEPTH_FIRST
    },
    search: |n, search| {
        let mut matrix = Matrix(vec![vec![false; n]; n]);
        walk(n, &mut Vec::with_capacity(n), &mut matrix, search)
    },
};

/// Checks: cells written, of a queen that comes and of one that goes.
pub(super) const FILL: Method = Method {
    algorithm: Algorithm {
        name: "fill",
        doc: "depth first on a matrix of attack counters, filled in as queens come and go",
        columns: &columns("cells written"),
        ..DEPTH_FIRST
    },
    search: |n, search| {
        let mut counters = AttackCounters(vec![vec![0; n]; n]);
        walk(n, &mut Vec::with_capacity(n), &mut counters, search)
    },
};

/// Checks: squares tested, the same as for `backtracking`.
pub(super) const LINES: Method = Method {
    algorithm: Algorithm {
        name: "lines",
        doc: "depth first with three arrays: columns and both diagonals",
        columns: &columns("squares tested"),
        ..DEPTH_FIRST
    },
    search: |n, search| {
        let mut arrays = Arrays {
            n,
            columns: vec![0; n],
            rising: vec![0; 2 * n],
            falling: vec![0; 2 * n],
        };
        walk(n, &mut Vec::with_capacity(n), &mut arrays, search)
    },
};

/// (row, column).
type Square = (usize, usize);

/// What a method keeps about the queens on the board besides their list, the column of each row.
/// Each method counts its own checks.
trait QueenRecord {
    /// True if no queen of the list attacks the square in this column of the next row.
    fn is_safe(
        &self,
        queens: &[usize],
        column: usize,
        search: &mut Search<'_>,
    ) -> Result<bool, Halt>;

    /// Notes that a queen comes to this square or, if it is not to be there, that the last one that
    /// came goes again.
    fn put(&mut self, square: Square, is_there: bool, search: &mut Search<'_>) -> Result<(), Halt>;
}

/// Fills the rows from `queens.len()` on in every safe way.
fn walk(
    n: usize,
    queens: &mut Vec<usize>,
    kept: &mut impl QueenRecord,
    search: &mut Search<'_>,
) -> Result<(), Halt> {
    search.node()?;
    let row = queens.len();
    if row == n {
        return search.solution(queens);
    }
    let mut is_dead_end = true;
    for column in 0..n {
        if kept.is_safe(queens, column, search)? {
            is_dead_end = false;
            kept.put((row, column), true, search)?;
            queens.push(column);
            walk(n, queens, kept, search)?;
            queens.pop();
            kept.put((row, column), false, search)?;
        }
    }
    if is_dead_end {
        search.fail();
    }
    Ok(())
}

/// `backtracking`: the list of the queens alone.
struct NothingElse;

impl QueenRecord for NothingElse {
    #[inline]
    fn is_safe(
        &self,
        queens: &[usize],
        column: usize,
        search: &mut Search<'_>,
    ) -> Result<bool, Halt> {
        search.check()?;
        Ok(is_safe(column, queens))
    }

    fn put(&mut self, _: Square, _: bool, _: &mut Search<'_>) -> Result<(), Halt> {
        Ok(())
    }
}

/// A queen in `column` of the next row shares neither column nor diagonal with one of `queens`, the
/// columns of the queens in the rows above.
#[inline]
pub(super) fn is_safe(column: usize, queens: &[usize]) -> bool {
    let row = queens.len();
    !queens.contains(&column)
        && !queens
            .iter()
            .enumerate()
            .any(|(i, &queen)| column.abs_diff(queen) == row - i)
}

/// `attacks`: the cells with a queen, by row and column. Before a queen is placed, its four lines
/// are searched both ways, to the edge or to the first queen, in the order of [`STEPS`]; rows that
/// are still empty are searched as well.
struct Matrix(Vec<Vec<bool>>);

impl QueenRecord for Matrix {
    #[inline]
    fn is_safe(
        &self,
        queens: &[usize],
        column: usize,
        search: &mut Search<'_>,
    ) -> Result<bool, Halt> {
        for (row, column) in attacked(self.0.len(), (queens.len(), column)) {
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

/// `fill`: the number of queens that attack each cell, by row and column, raised along the lines of
/// a queen that comes and lowered when it goes. Counters instead of marks, so that a cell attacked
/// by several queens is freed by the last one (the text's remark uses a set of queens per cell for
/// that).
struct AttackCounters(Vec<Vec<u8>>);

impl QueenRecord for AttackCounters {
    #[inline]
    fn is_safe(&self, queens: &[usize], column: usize, _: &mut Search<'_>) -> Result<bool, Halt> {
        Ok(self.0[queens.len()][column] == 0)
    }

    fn put(&mut self, square: Square, is_there: bool, search: &mut Search<'_>) -> Result<(), Halt> {
        for (row, column) in attacked(self.0.len(), square) {
            search.check()?;
            let queens = &mut self.0[row][column];
            *queens = if is_there { *queens + 1 } else { *queens - 1 };
        }
        Ok(())
    }
}

/// `lines`: the number of the queen on each line, 0 where there is none. As in the text, rows and
/// so queens are numbered from 1.
struct Arrays {
    n: usize,
    columns: Vec<u8>,
    /// The queens on each rising diagonal, by row + column.
    rising: Vec<u8>,
    /// The queens on each falling diagonal, by n + row − column.
    falling: Vec<u8>,
}

impl QueenRecord for Arrays {
    #[inline]
    fn is_safe(
        &self,
        queens: &[usize],
        column: usize,
        search: &mut Search<'_>,
    ) -> Result<bool, Halt> {
        search.check()?;
        let row = queens.len();
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

/// (Δrow, Δcolumn) of the eight ways a queen moves: row, column, falling diagonal, rising diagonal,
/// each in both directions.
const STEPS: [(isize, isize); 8] = [
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
    (-1, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
];

/// The cells that a queen attacks on an otherwise empty board, along each line in
/// turn from the queen to the edge: 3 (n − 1) + 2 · (rings between it and the edge) of them.
#[inline]
fn attacked(n: usize, queen: Square) -> impl Iterator<Item = Square> {
    STEPS.into_iter().flat_map(move |(down, across)| {
        let step = move |&(row, column): &Square| {
            let next = (
                row.checked_add_signed(down)?,
                column.checked_add_signed(across)?,
            );
            (next.0 < n && next.1 < n).then_some(next)
        };
        std::iter::successors(step(&queen), step)
    })
}
