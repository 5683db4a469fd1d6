//! Which squares queens attack, for the methods that test square by square.

use super::depth_first::Square;

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
pub(super) fn attacked(n: usize, queen: Square) -> impl Iterator<Item = Square> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the definition of an attack, cell by cell.
    #[test]
    fn a_queen_attacks_its_lines() {
        for n in 1..=7 {
            let cells = || (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
            for (row, column) in cells() {
                let mut seen: Vec<_> = attacked(n, (row, column)).collect();
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
