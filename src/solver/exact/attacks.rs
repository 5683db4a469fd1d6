//! An n × n matrix of queens: before a queen is placed, one looks along row, column and diagonals
//! for another.
//!
//! Source: the four-methods text, 6.2.2, "prises sur l'échiquier". One looks both ways along each
//! of the four lines, to the edge or to the first queen, in the order of `STEPS`; nothing is taken
//! for granted, so one also looks at rows that are still empty.
//!
//! - checks: cells looked at, the square itself not included;
//! - nodes, failures: see `depth_first.rs`.

use super::depth_first::{FAILURES, NODES, Watch, walk};
use super::{Exhaustive, Halt, Measures, Search};

pub struct Attacks;

impl Exhaustive for Attacks {
    fn name(&self) -> &'static str {
        "attacks"
    }

    fn doc(&self) -> &'static str {
        "depth first on a matrix of queens; looks along row, column and diagonals before placing one"
    }

    fn measures(&self) -> Measures {
        Measures {
            nodes: Some(NODES),
            checks: Some("cells looked at"),
            failures: Some(FAILURES),
        }
    }

    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
        walk(
            n,
            &mut Vec::with_capacity(n),
            &mut Matrix(vec![vec![false; n]; n]),
            search,
        )
    }
}

/// (Δrow, Δcolumn) of the eight ways a queen moves: row, column, falling diagonal, rising diagonal,
/// each in both directions.
pub(super) const STEPS: [(isize, isize); 8] = [
    (0, -1),
    (0, 1),
    (-1, 0),
    (1, 0),
    (-1, -1),
    (1, 1),
    (-1, 1),
    (1, -1),
];

/// The cells that a queen on (row, column) attacks on an otherwise empty board: 3 (n − 1) + 2 ·
/// (rings between it and the edge) of them.
pub(super) fn attacked(
    n: usize,
    row: usize,
    column: usize,
) -> impl Iterator<Item = (usize, usize)> {
    STEPS.into_iter().flat_map(move |(down, across)| {
        let step = move |&(row, column): &(usize, usize)| {
            let next = (
                row.checked_add_signed(down)?,
                column.checked_add_signed(across)?,
            );
            (next.0 < n && next.1 < n).then_some(next)
        };
        std::iter::successors(step(&(row, column)), step)
    })
}

/// By row and column: a queen stands here.
struct Matrix(Vec<Vec<bool>>);

impl Watch for Matrix {
    fn is_safe(&self, row: usize, column: usize, search: &mut Search<'_>) -> Result<bool, Halt> {
        for (row, column) in attacked(self.0.len(), row, column) {
            search.check()?;
            if self.0[row][column] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn place(&mut self, row: usize, column: usize, _search: &mut Search<'_>) -> Result<(), Halt> {
        self.0[row][column] = true;
        Ok(())
    }

    fn take_back(
        &mut self,
        row: usize,
        column: usize,
        _search: &mut Search<'_>,
    ) -> Result<(), Halt> {
        self.0[row][column] = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the definition of an attack, cell by cell.
    #[test]
    fn a_queen_attacks_its_lines() {
        for n in 1..=7 {
            let cells = || (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
            for (row, column) in cells() {
                let mut seen: Vec<_> = attacked(n, row, column).collect();
                seen.sort_unstable();
                let shares_line = |&(r, c): &(usize, usize)| {
                    r == row || c == column || r + c == row + column || r + column == c + row
                };
                let expected: Vec<_> = cells()
                    .filter(|cell| *cell != (row, column))
                    .filter(shares_line)
                    .collect();
                assert_eq!(seen, expected);
                let ring = row.min(column).min(n - 1 - row).min(n - 1 - column);
                assert_eq!(seen.len(), 3 * (n - 1) + 2 * ring);
            }
        }
    }
}
