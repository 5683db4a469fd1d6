//! n queens anywhere on the n² cells: every placement of n queens that are told apart, one after
//! the other.
//!
//! Source: the enumerations from which the texts start, for n = 8: 2⁴⁸ placements when queens may
//! share a cell (the random start of the local rules), 178 462 987 637 760 when they may not. Out
//! of reach there, hence n ≤ 5 for the search and closed forms for the numbers.
//!
//! Each board is met n! times, once for each way of numbering its queens, and reported when queen i
//! stands in row i:
//! - checks: placements tried, [`placements`] or [`distinct_placements`] to the end;
//! - failures: placements with an attack (two queens on one cell attack each other), so that checks
//!   = failures + n! · solutions to the end, and (checks − failures) / checks is the density of
//!   solutions among the random starts.

use super::{Exhaustive, Halt, Measures, Search};

/// Both enumerations: with and without placements in which queens share a cell.
pub struct Cells {
    distinct: bool,
}

impl Cells {
    /// Several queens may stand on one cell.
    pub const ANY: Self = Self { distinct: false };
    /// Every queen has a cell of its own.
    pub const DISTINCT: Self = Self { distinct: true };
}

/// n^(2n): placements of n numbered queens on n² cells; `None` beyond 128 bits.
pub fn placements(n: u32) -> Option<u128> {
    u128::from(n).checked_pow(2 * n)
}

/// n² (n² − 1) … (n² − n + 1): placements of n numbered queens on n² cells, no two on one cell;
/// `None` beyond 128 bits.
pub fn distinct_placements(n: u32) -> Option<u128> {
    let cells = u128::from(n) * u128::from(n);
    (0..u128::from(n)).try_fold(1_u128, |ways, taken| ways.checked_mul(cells - taken))
}

impl Exhaustive for Cells {
    fn name(&self) -> &'static str {
        if self.distinct {
            "distinct-cells"
        } else {
            "cells"
        }
    }

    fn doc(&self) -> &'static str {
        if self.distinct {
            "all placements of n numbered queens on n² cells, no two on one cell"
        } else {
            "all placements of n numbered queens on n² cells, where they may share a cell: n^(2n)"
        }
    }

    fn measures(&self) -> Measures {
        Measures {
            nodes: None,
            checks: Some("placements tried"),
            failures: Some("placements with an attack"),
        }
    }

    fn n_max(&self) -> usize {
        5
    }

    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
        self.place(n, &mut Vec::with_capacity(n), search)
    }
}

/// (row, column).
type Cell = (usize, usize);

impl Cells {
    /// Puts the next queen on every cell in turn.
    fn place(&self, n: usize, queens: &mut Vec<Cell>, search: &mut Search<'_>) -> Result<(), Halt> {
        if queens.len() == n {
            return judge(queens, search);
        }
        for cell in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            if !(self.distinct && queens.contains(&cell)) {
                queens.push(cell);
                self.place(n, queens, search)?;
                queens.pop();
            }
        }
        Ok(())
    }
}

fn judge(queens: &[Cell], search: &mut Search<'_>) -> Result<(), Halt> {
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

fn attack(a: Cell, b: Cell) -> bool {
    let (down, across) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    down == 0 || across == 0 || down == across
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_text_for_eight_queens() {
        assert_eq!(placements(8), Some(1 << 48));
        assert_eq!(distinct_placements(8), Some(178_462_987_637_760));
    }

    #[test]
    fn small_and_too_large_numbers_of_placements() {
        assert_eq!(
            [0, 1, 2, 3].map(placements),
            [Some(1), Some(1), Some(16), Some(729)]
        );
        assert_eq!(
            [0, 1, 2, 3].map(distinct_placements),
            [Some(1), Some(1), Some(12), Some(504)]
        );
        assert_eq!((placements(27), distinct_placements(27)), (None, None));
    }
}
