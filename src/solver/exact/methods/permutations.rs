//! Every permutation of the columns, whatever its first queens are, accepted when no two queens
//! share a diagonal: by two orders, and two ways of looking at the diagonals.
//!
//! - checks: permutations tried, n! to the end;
//! - failures: permutations refused, so that checks = failures + solutions to the end.

use crate::board::N_MAX;
use crate::exact::{ALGORITHM, Halt, Method};
use crate::{Algorithm, Axis, Column};

/// What both methods have in common.
const PERMUTATIONS: Algorithm = Algorithm {
    axes: &[Axis::side(N_MAX as u64)],
    columns: &[
        Column::named("solution"),
        Column::named("solutions"),
        Column::named("checks").meaning("permutations tried"),
        Column::named("failures").meaning("permutations refused"),
    ],
    ..ALGORITHM
};

/// The order of B. R. Heap, "Permutations by interchanges", Computer Journal 6 (1963) 293–298.
///
/// Source: the three-ways text, "approche naïve", with its pairwise `is_safe` that leaves at the
/// first pair in conflict. The text says that two elements, and only two, change places from one
/// permutation to the next. Its own generator does not keep that: it also exchanges after the last
/// round of each loop, which from n = 4 on moves up to four elements at once, and six at n = 8
/// (every permutation still comes once). Here the exchange after the last round is left out, as in
/// Heap's paper.
pub(super) const HEAP: Method = Method {
    algorithm: Algorithm {
        name: "heap",
        doc: "every permutation by Heap's algorithm, one exchange each; pairs of queens are compared until two share a diagonal",
        ..PERMUTATIONS
    },
    search: |n, search| {
        let mut board: Vec<usize> = (0..n).collect();
        exchanged(&mut board, n, &mut |board| {
            search.tried(board, is_safe(board))
        })
    },
};

/// The lexicographic order.
///
/// Source: the four-methods text, 6.2.1 (after S. Chazallet, *Python 3, les fondamentaux du
/// langage*): a board is accepted when the set of its rising diagonals and the set of its falling
/// ones have n elements each.
pub(super) const LEXICOGRAPHIC: Method = Method {
    algorithm: Algorithm {
        name: "permutations",
        doc: "every permutation in lexicographic order; accepted when both sets of diagonals have n elements",
        ..PERMUTATIONS
    },
    search: |n, search| {
        let mut board: Vec<usize> = (0..n).collect();
        loop {
            search.tried(&board, has_own_diagonals(&board))?;
            if !next_permutation(&mut board) {
                return Ok(());
            }
        }
    },
};

/// Shows every arrangement of the first `size` items, each one exchange after the one before.
fn exchanged(
    items: &mut [usize],
    size: usize,
    show: &mut impl FnMut(&[usize]) -> Result<(), Halt>,
) -> Result<(), Halt> {
    if size <= 1 {
        return show(items);
    }
    for round in 0..size {
        exchanged(items, size - 1, show)?;
        if round < size - 1 {
            items.swap(if size.is_multiple_of(2) { round } else { 0 }, size - 1);
        }
    }
    Ok(())
}

/// No two queens of a permutation share a diagonal.
fn is_safe(permutation: &[usize]) -> bool {
    for i in 0..permutation.len() {
        for j in i + 1..permutation.len() {
            if permutation[i].abs_diff(permutation[j]) == j - i {
                return false;
            }
        }
    }
    true
}

/// Both sets of diagonals have as many elements as there are queens.
fn has_own_diagonals(board: &[usize]) -> bool {
    // A set of diagonals is one word: 2n − 1 bits of 128.
    let mut rising = 0_u128;
    let mut falling = 0_u128;
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
    use std::collections::BTreeSet;

    fn every(n: usize) -> Vec<Vec<usize>> {
        let mut seen = Vec::new();
        let mut items: Vec<usize> = (0..n).collect();
        exchanged(&mut items, n, &mut |items| {
            seen.push(items.to_vec());
            Ok(())
        })
        .expect("not stopped");
        seen
    }

    /// The text's example, with a, b, c = 0, 1, 2.
    #[test]
    fn three_items_come_in_the_order_of_the_text() {
        assert_eq!(
            every(3),
            [
                [0, 1, 2],
                [1, 0, 2],
                [2, 0, 1],
                [0, 2, 1],
                [1, 2, 0],
                [2, 1, 0]
            ]
        );
    }

    #[test]
    fn every_permutation_comes_once_and_one_exchange_after_the_other() {
        for (n, factorial) in [
            (0, 1),
            (1, 1),
            (2, 2),
            (3, 6),
            (4, 24),
            (5, 120),
            (6, 720),
            (7, 5040),
        ] {
            let seen = every(n);
            assert_eq!(
                (seen.len(), seen.iter().collect::<BTreeSet<_>>().len()),
                (factorial, factorial)
            );
            for pair in seen.windows(2) {
                let moved = pair[0]
                    .iter()
                    .zip(&pair[1])
                    .filter(|(before, after)| before != after)
                    .count();
                assert_eq!(moved, 2, "n = {n}: {pair:?}");
            }
        }
    }

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
