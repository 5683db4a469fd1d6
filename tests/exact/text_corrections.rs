//! What the source texts say of the exhaustive methods and what is so: docs/rules.md.

use std::collections::BTreeSet;

use super::{boards, counted};

/// The permutations of 0 … n − 1 in the order of the text's code: as printed, it exchanges after
/// the last round of each loop, too.
fn as_printed(n: usize) -> Vec<Vec<usize>> {
    fn permutations(items: &mut [usize], size: usize, found: &mut Vec<Vec<usize>>) {
        if size == 1 {
            return found.push(items.to_vec());
        }
        for i in 0..size {
            permutations(items, size - 1, found);
            items.swap(if size.is_multiple_of(2) { i } else { 0 }, size - 1);
        }
    }
    let mut found = Vec::new();
    permutations(&mut (0..n).collect::<Vec<_>>(), n, &mut found);
    found
}

/// Steps from one permutation to the next that move more than two elements.
fn long_steps(permutations: &[Vec<usize>]) -> usize {
    let moved = |a: &[usize], b: &[usize]| a.iter().zip(b).filter(|(a, b)| a != b).count();
    permutations
        .windows(2)
        .filter(|pair| moved(&pair[0], &pair[1]) > 2)
        .count()
}

/// Counted also with the text's own Python. The order for three letters is the one that the text
/// prints.
#[test]
fn the_printed_generator_moves_more_than_two_elements() {
    assert_eq!(
        as_printed(3),
        [
            [0, 1, 2],
            [1, 0, 2],
            [2, 0, 1],
            [0, 2, 1],
            [1, 2, 0],
            [2, 1, 0]
        ]
    );
    assert_eq!([3, 4, 8].map(|n| long_steps(&as_printed(n))), [0, 3, 6719]);
    let all = as_printed(8);
    assert_eq!(
        (all.len(), all.iter().collect::<BTreeSet<_>>().len()),
        (40_320, 40_320)
    );
}

/// Eight queens on any of 64 squares, on different squares, and one in each row.
#[test]
fn the_labs_placements_of_eight_queens() {
    assert_eq!(64_u64.pow(8), 281_474_976_710_656);
    assert_eq!((57..=64_u64).product::<u64>(), 178_462_987_637_760);
    assert_eq!(8_u64.pow(8), 16_777_216);
}

#[test]
fn boards_of_ten_and_twelve_queens() {
    assert_eq!(
        [10, 12].map(|n| counted("lines", n).counts.solutions),
        [724, 14_200]
    );
}

/// A board extends one of n − 1 queens when a queen stands in the corner of the last row and
/// column: without it n − 1 are left on a smaller board. n = 3 has none, so none of n = 4 can; and
/// of the 10 boards of n = 5 exactly two, one for each of n = 4.
#[test]
fn boards_do_not_in_general_extend_smaller_ones() {
    let extensions = |n: usize| {
        boards("backtracking", n)
            .iter()
            .filter(|board| board.last() == Some(&(n - 1)))
            .count()
    };
    assert_eq!(
        (
            boards("backtracking", 3).len(),
            boards("backtracking", 4).len()
        ),
        (0, 2)
    );
    assert_eq!([4, 5].map(extensions), [0, 2]);
}

/// Depth first or breadth first: the same safe partial boards, the empty one included.
#[test]
fn both_readings_of_backtracking_visit_the_same_partial_boards() {
    assert_eq!(
        ["backtracking", "partial-lists"].map(|name| counted(name, 8).counts.nodes),
        [2057, 2057]
    );
}
