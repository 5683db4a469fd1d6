//! How many boards there are, and which.

use super::*;
use reines::solver::density;
use reines::solver::exact::symmetry;

/// A002562: solutions up to turns and reflections, n = 1 … 13.
const FUNDAMENTAL: [usize; 13] = [1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787, 9233];

#[test]
fn every_method_counts_a000170_as_far_as_it_reaches() {
    for name in names() {
        for (n, &solutions) in SOLUTIONS.iter().enumerate().take(reach(name) + 1) {
            let known = density::solution_count(n.max(1) as u32);
            assert_eq!(known, Some(solutions), "behind 1/d in the figures, n = {n}");
            let (counts, ending) = counted(name, n);
            let found = (ending, counts.solutions);
            assert_eq!(found, (Ending::Exhausted, solutions), "{name}, n = {n}");
        }
    }
}

/// To 17 the count takes half a minute.
#[test]
fn bit_masks_count_further() {
    let last = crate::effort(15, 17);
    for (n, &solutions) in SOLUTIONS.iter().enumerate().take(last + 1).skip(15) {
        assert_eq!(counted("bitboard", n).0.solutions, solutions, "n = {n}");
        assert_eq!(density::solution_count(n as u32), Some(solutions));
    }
}

/// The sets of boards agree: every method finds every board that any finds, none twice, and each is
/// a solution by the definition.
#[test]
fn every_method_finds_the_same_boards() {
    for (n, &solutions) in SOLUTIONS.iter().enumerate().take(9) {
        let expected: BTreeSet<Vec<usize>> = boards("backtracking", n).into_iter().collect();
        let is_right = |board: &Vec<usize>| board.len() == n && is_solution(board);
        assert!(expected.iter().all(is_right));
        for name in names().filter(|name| n <= reach(name)) {
            let found = boards(name, n);
            let once = found.len() as u64 == solutions;
            assert!(once, "{name}, n = {n}: a board comes twice");
            let found: BTreeSet<_> = found.into_iter().collect();
            assert_eq!(found, expected, "{name}, n = {n}");
        }
    }
}

/// Number of different images: 8, or 4, 2 or 1 for a board that is its own image under some
/// symmetry.
fn n_images(board: &[usize]) -> usize {
    BTreeSet::from(symmetry::images(board)).len()
}

/// This also checks the sets beyond n = 8: one board lost or changed would take its class from the
/// list or add one.
#[test]
fn fundamental_solutions_are_a002562() {
    for (n, &fundamental) in (1..).zip(&FUNDAMENTAL) {
        let boards = boards("bitboard", n);
        let classes = boards.iter().map(|board| symmetry::canonical(board));
        let classes: BTreeSet<Vec<usize>> = classes.collect();
        assert_eq!(classes.len(), fundamental, "n = {n}");
        let images: usize = classes.iter().map(|board| n_images(board)).sum();
        assert_eq!(images, boards.len(), "n = {n}");
    }
}

/// A solution of n queens does not in general extend one of n − 1: there is none for 3.
#[test]
fn the_smallest_boards_have_one_solution_or_none() {
    for name in names() {
        for n in 0..=3 {
            let ((_, ending), boards) = undisturbed(name, SearchRequest::new(n, Goal::First));
            let expected = match n {
                0 | 1 => (Ending::Solved, vec![vec![0; n]]),
                _ => (Ending::Exhausted, vec![]),
            };
            assert_eq!((ending, boards), expected, "{name}, n = {n}");
        }
    }
}
