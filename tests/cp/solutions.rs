//! Every variant's solutions against a search that shares nothing with the kernel.

use std::collections::BTreeSet;

use reines::solver::cp::search::{End, Goal, Visitor};
use reines::solver::cp::variant::{Model, Variant};

use super::{run, variant};

/// Columns by line, ascending: the next line's column is tried against all lines before.
fn boards(n: usize) -> BTreeSet<Vec<u32>> {
    fn extend(board: &mut Vec<u32>, n: u32, found: &mut BTreeSet<Vec<u32>>) {
        let line = board.len() as u32;
        if line == n {
            found.insert(board.clone());
            return;
        }
        for column in 0..n {
            let free = board.iter().zip(0..).all(|(&other, above)| other != column && other.abs_diff(column) != line - above);
            if free {
                board.push(column);
                extend(board, n, found);
                board.pop();
            }
        }
    }
    let mut found = BTreeSet::new();
    extend(&mut Vec::new(), n as u32, &mut found);
    found
}

/// Solutions in the order in which the search finds them.
fn solutions(n: usize, variant: Variant) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let (counts, end) = run(n, variant, Goal::All, u64::MAX, &mut Visitor(|board: &[u32]| found.push(board.to_vec())));
    assert_eq!((end, counts.solutions), (End::Complete, found.len() as u64), "{variant} n = {n}");
    assert_eq!(counts.nodes + 1, 2 * counts.solutions + counts.failures, "{variant} n = {n}");
    found
}

/// With symmetry, one of each mirrored pair.
fn expected(n: usize, variant: Variant, boards: &BTreeSet<Vec<u32>>) -> BTreeSet<Vec<u32>> {
    boards.iter().filter(|board| !variant.symmetry || n == 1 || board[0] < board[n - 1]).cloned().collect()
}

fn agrees(n: usize, variant: Variant, boards: &BTreeSet<Vec<u32>>) {
    let found = solutions(n, variant);
    let expected = expected(n, variant, boards);
    assert_eq!(found.len(), expected.len(), "{variant} n = {n}");
    assert!(found.into_iter().collect::<BTreeSet<_>>() == expected, "{variant} n = {n}");
}

/// S(n) from OEIS A000170, so that the enumerator is right too.
#[test]
fn every_variant_finds_every_board() {
    for (n, count) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352), (10, 724)] {
        let boards = boards(n);
        assert_eq!(boards.len(), count);
        Variant::all().filter(|variant| variant.model != Model::Naive).for_each(|variant| agrees(n, variant, &boards));
    }
}

/// One branching for each model, level and symmetry; each branching occurs.
#[test]
fn twelve_queens() {
    let boards = boards(12);
    assert_eq!(boards.len(), 14_200);
    for variant in Variant::all().filter(|variant| variant.model != Model::Naive) {
        agrees(12, variant, &boards);
    }
}

/// n! labellings of each board: S(n) · n!, each board that often.
#[test]
fn naive_model_counts_labellings() {
    for (n, labellings) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        let boards = boards(n);
        for variant in Variant::all().filter(|variant| variant.model == Model::Naive) {
            let found = solutions(n, variant);
            // Queens 0 and n − 1 of a labelling may stand anywhere: half of all labellings have them in ascending columns.
            let halves = if variant.symmetry && n > 1 { 2 } else { 1 };
            assert_eq!(found.len() * halves, boards.len() * labellings, "{variant} n = {n}");
            assert!(found.into_iter().collect::<BTreeSet<_>>() == boards, "{variant} n = {n}");
        }
    }
}

/// The first solution that lexicographic search finds is the first of all boards in lexicographic order.
#[test]
fn lexicographic_search_is_lexicographic() {
    let boards = boards(8);
    for acronym in ["PN_PL", "PB_PL", "PA_PL", "PS_PL", "AN_PL", "AA_DL"] {
        assert!(solutions(8, variant(acronym)).iter().eq(boards.iter()), "{acronym}");
    }
}

/// Said after an exhaustive search, which here ends at the root or below it.
#[test]
fn two_and_three_queens_cannot_be_placed() {
    for variant in Variant::all() {
        for n in [2, 3] {
            let (counts, end) = run(n, variant, Goal::First, u64::MAX, &mut ());
            assert_eq!((counts.solutions, end), (0, End::Complete), "{variant} n = {n}");
            assert!(counts.failures > 0);
        }
    }
}
