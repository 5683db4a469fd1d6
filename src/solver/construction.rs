//! One solution in O(n) for every n except 2 and 3, which have none: written down, not searched
//! for. A relaxation starts there (`local/relaxation.rs`). The warning that n = 2 and 3 have no
//! solution is here, too.
//!
//! Source: E. Pauls, "Das Maximalproblem der Damen auf dem Schachbrete", Deutsche Schachzeitung 29
//! (1874), as tabulated by J. Bell and B. Stevens, "A survey of known results and research areas
//! for n-queens", Discrete Mathematics 309 (2009) 1–31.

use super::Point;

/// What is to be said of a point whose trials end with a solution, where the board has none; `None`
/// elsewhere.
pub fn has_none(point: &Point) -> Option<String> {
    let n = point.integer("n").filter(|n| [2, 3].contains(n))?;
    Some(format!(
        "n = {n} has no solution: every trial there will be censored at its cutoff"
    ))
}

/// The board itself: element r is the column of the queen in row r, both counted from 0. `None` for
/// n = 2 and n = 3.
pub fn board(n: usize) -> Option<Vec<usize>> {
    (n != 2 && n != 3).then(|| columns(n).into_iter().map(|column| column - 1).collect())
}

/// The column of the queen in each row, rows and columns counted from 1 as in the source. Not for n
/// = 2 and n = 3.
fn columns(n: usize) -> Vec<usize> {
    let even = || (2..=n).step_by(2);
    let odd = || (1..n).step_by(2);
    match n % 6 {
        0 | 4 => even().chain(odd()).collect(),
        1 | 5 => [n].into_iter().chain(even()).chain(odd()).collect(),
        2 => {
            let down_to_6 = (6..n).step_by(2).rev();
            let down_to_3 = (3..n - 4).step_by(2).rev();
            [4].into_iter()
                .chain(down_to_6)
                .chain([n, 2, n - 1, 1])
                .chain(down_to_3)
                .chain([n - 3])
                .collect()
        }
        _ => columns(n - 1).into_iter().chain([n]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boards are read by hand from the table in the survey.
    #[test]
    fn the_boards_of_the_table() {
        assert_eq!(columns(4), [2, 4, 1, 3]);
        assert_eq!(columns(5), [5, 2, 4, 1, 3]);
        assert_eq!(columns(8), [4, 6, 8, 2, 7, 1, 3, 5]);
        assert_eq!(columns(9), [4, 6, 8, 2, 7, 1, 3, 5, 9]);
        assert_eq!(columns(14), [4, 12, 10, 8, 6, 14, 2, 13, 1, 9, 7, 5, 3, 11]);
        assert_eq!((columns(0), columns(1)), (vec![], vec![1]));
    }

    /// No two queens on one column or diagonal, for every residue of n and far beyond the search.
    #[test]
    fn every_board_is_a_solution() {
        for n in (4..=2000).chain([9_998, 9_999, 10_000]) {
            let board = columns(n);
            assert_eq!(board.len(), n);
            let mut taken = [
                vec![false; n + 1],
                vec![false; 2 * n + 1],
                vec![false; 2 * n + 1],
            ];
            for (row, column) in board.into_iter().enumerate() {
                for (line, at) in taken
                    .iter_mut()
                    .zip([column, row + column, n + row - column + 1])
                {
                    assert!(
                        !std::mem::replace(&mut line[at], true),
                        "n = {n}: two queens on a line of row {row}"
                    );
                }
            }
        }
    }
}
