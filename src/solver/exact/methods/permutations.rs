//! Every permutation in lexicographic order, accepted when no two queens share a diagonal.
//!
//! Source: the four-methods text, 6.2.1 (after S. Chazallet, *Python 3, les fondamentaux du
//! langage*): a board is accepted when the set of its rising diagonals and the set of its falling
//! ones have n elements each. All n! permutations are tried, whatever their first queens are.
//!
//! - checks: permutations tried, n! to the end;
//! - failures: permutations refused, so that checks = failures + solutions to the end.

use crate::board::N_MAX;
use crate::exact::{ALGORITHM, Halt, Method, Search};
use crate::{Algorithm, Axis, Column};

/// The entry in the list of methods.
pub(super) const METHOD: Method = Method {
    algorithm: Algorithm {
        name: "permutations",
        doc: "every permutation in lexicographic order; accepted when both sets of diagonals have n elements",
        axes: &[Axis::side(N_MAX as u64)],
        columns: &[
            Column::named("solution"),
            Column::named("solutions"),
            Column::named("checks").meaning("permutations tried"),
            Column::named("failures").meaning("permutations refused"),
        ],
        ..ALGORITHM
    },
    search,
};

fn search(n: usize, search: &mut Search<'_>) -> Result<(), Halt> {
    let mut board: Vec<usize> = (0..n).collect();
    loop {
        search.check()?;
        if has_own_diagonals(&board) {
            search.solution(&board)?;
        } else {
            search.fail();
        }
        if !next_permutation(&mut board) {
            return Ok(());
        }
    }
}

/// Both sets of diagonals have as many elements as there are queens.
fn has_own_diagonals(board: &[usize]) -> bool {
    // A set of diagonals is one word: 2n − 1 bits of 128.
    let (mut rising, mut falling) = (0_u128, 0_u128);
    for (row, column) in board.iter().enumerate() {
        rising |= 1 << (column + row);
        falling |= 1 << (column + board.len() - 1 - row);
    }
    let n = board.len() as u32;
    rising.count_ones() == n && falling.count_ones() == n
}

/// Rearranges `items` to the permutation that follows in lexicographic order; false, and nothing
/// done, at the last one.
fn next_permutation(items: &mut [usize]) -> bool {
    let Some(ascent) = items.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let larger = items
        .iter()
        .rposition(|&item| item > items[ascent])
        .expect("the element after the ascent is larger");
    items.swap(ascent, larger);
    items[ascent + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_come_in_order() {
        let mut items = [0, 1, 2];
        let mut seen = vec![items];
        while next_permutation(&mut items) {
            seen.push(items);
        }
        assert_eq!(
            seen,
            [
                [0, 1, 2],
                [0, 2, 1],
                [1, 0, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0]
            ]
        );
    }
}
