//! What the methods count: numbers of the texts, closed forms, and what one method's counts say
//! about another's.

use super::*;

/// A319284, n = 8.
const PROFILE: [u64; 9] = [1, 8, 42, 140, 344, 568, 550, 312, 92];

/// n with 1 … n multiplied.
fn factorials() -> impl Iterator<Item = (usize, u64)> {
    (0..).scan(1, |factorial, n: usize| {
        *factorial *= n.max(1) as u64;
        Some((n, *factorial))
    })
}

#[test]
fn backtracking_tests_the_squares_of_the_text() {
    let expected = [60, 220, 894, 3584, 15_720, 72_378, 348_150];
    for (n, checks) in (4..).zip(expected) {
        assert_eq!(counted("backtracking", n).0.checks, checks, "n = {n}");
        assert_eq!(counted("lines", n).0.checks, checks, "n = {n}");
    }
}

#[test]
fn enumerations_try_as_many_as_there_are() {
    for (n, factorial) in factorials().take(10) {
        assert_eq!(counted("permutations", n).0.checks, factorial);
        assert_eq!(counted("heap", n).0.checks, factorial);
    }
    for n in 0..=reach("rows") {
        assert_eq!(counted("rows", n).0.checks, (n as u64).pow(n as u32));
    }
}

/// What is tried is refused or a solution.
#[test]
fn enumerations_refuse_all_the_rest() {
    for (n, &solutions) in SOLUTIONS.iter().enumerate().take(7) {
        for name in ["permutations", "heap", "rows"] {
            let counts = counted(name, n).0;
            let accepted = counts.checks - counts.failures;
            assert_eq!(accepted, solutions, "{name}, n = {n}");
        }
    }
}

/// Whether a queen of a row above attacks this cell.
fn is_attacked(row: usize, column: usize) -> impl Fn((usize, &usize)) -> bool {
    move |(r, &c)| c == column || row - r == c.abs_diff(column)
}

/// Nodes at each depth of the whole tree, from the empty board to the solutions, by the definition
/// of a safe partial board.
fn profile(n: usize) -> Vec<u64> {
    fn visit(n: usize, queens: &mut Vec<usize>, nodes: &mut [u64]) {
        let row = queens.len();
        nodes[row] += 1;
        for column in (0..n).filter(|_| row < n) {
            if !queens.iter().enumerate().any(is_attacked(row, column)) {
                queens.push(column);
                visit(n, queens, nodes);
                queens.pop();
            }
        }
    }
    let mut nodes = vec![0; n + 1];
    visit(n, &mut Vec::new(), &mut nodes);
    nodes
}

#[test]
fn the_profile_of_eight_queens_is_a319284() {
    assert_eq!(profile(8), PROFILE);
    assert_eq!(profile(0), [1]);
    assert_eq!(profile(3), [1, 3, 2, 0]);
}

/// The tree is one, however it is walked; the half that is counted is one half below the root (and
/// below the middle of the first row).
#[test]
fn tree_methods_visit_the_same_nodes() {
    for n in 0..=10 {
        let nodes: u64 = profile(n).iter().sum();
        for name in ["attacks", "backtracking", "fill", "lines", "partial-lists"] {
            assert_eq!(counted(name, n).0.nodes, nodes, "{name}, n = {n}");
        }
        let ((whole, _), _) = undisturbed("bitboard", SearchRequest::new(n, Goal::All));
        assert_eq!((whole.nodes, whole.checks), (nodes, nodes), "n = {n}");
        let middle = n as u64 % 2;
        let half = match n {
            0 | 1 => nodes,
            _ => 1 + middle + (nodes - 1 - middle) / 2,
        };
        let counts = counted("bitboard", n).0;
        assert_eq!((counts.nodes, counts.checks), (half, half), "n = {n}");
    }
    let but_the_root = PROFILE.iter().sum::<u64>() - 1;
    assert_eq!(counted("partial-lists", 8).0.checks, but_the_root);
}

/// A dead end seen from its other side: for n = 4, by hand, the two first rows leave 2 of their 6
/// boards without a square (and so on).
#[test]
fn tree_methods_fail_at_the_same_dead_ends() {
    for n in 0..=9 {
        let failures = counted("partial-lists", n).0.failures;
        for name in ["attacks", "backtracking", "fill", "lines"] {
            assert_eq!(counted(name, n).0.failures, failures, "{name}, n = {n}");
        }
    }
    // n = 2: both first queens; n = 3: the middle, and both boards of two queens; n = 4: 02, 31,
    // 031 and 302 (columns from the top).
    let failures = [2, 3, 4].map(|n| counted("backtracking", n).0.failures);
    assert_eq!(failures, [2, 3, 4]);
}

/// The work counted by hand for n = 2, queen in the first column: 3 cells for it, then 2 and 3
/// until it is seen from the squares below; with it in the second column 3, then 3 and 2.
#[test]
fn attacks_looks_at_the_cells_of_a_small_board() {
    let checks = [0, 1, 2].map(|n| counted("attacks", n).0.checks);
    assert_eq!(checks, [0, 0, 16]);
}

/// Every node but the root is a queen that came and went, and wrote each time what it attacks: 3 (n
/// − 1) + 2 · ring cells.
#[test]
fn fill_writes_what_each_queen_attacks() {
    fn written(n: usize, queens: &mut Vec<usize>) -> u64 {
        let row = queens.len();
        let mut sum = 0;
        for column in (0..n).filter(|_| row < n) {
            if !queens.iter().enumerate().any(is_attacked(row, column)) {
                let ring = row.min(column).min(n - 1 - row).min(n - 1 - column);
                queens.push(column);
                sum += 2 * (3 * (n - 1) + 2 * ring) as u64 + written(n, queens);
                queens.pop();
            }
        }
        sum
    }
    for n in 0..=7 {
        let expected = written(n, &mut Vec::new());
        assert_eq!(counted("fill", n).0.checks, expected, "n = {n}");
    }
}

/// What a method does not fill stays 0.
#[test]
fn counts_without_a_meaning_are_empty() {
    for method in METHODS {
        let Algorithm { name, columns, .. } = method.algorithm;
        let counts = undisturbed(name, SearchRequest::new(5, Goal::First)).0.0;
        for (column, count) in [
            ("nodes", counts.nodes),
            ("checks", counts.checks),
            ("failures", counts.failures),
        ] {
            let is_listed = columns.iter().any(|it| it.name == column);
            assert!(is_listed || count == 0, "{name}: {column}");
        }
    }
}
