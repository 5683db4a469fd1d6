//! The exhaustive methods against the known numbers, against each other, and against what their
//! texts say of their cost.

mod goals;
mod known_numbers;
mod work;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use reines::solver::exact::methods::METHODS;
use reines::solver::exact::{Counts, Goal, Method, SearchRequest, explore};
use reines::solver::{Algorithm, Control, Ending, Interrupted};

/// S(n) for n = 0 … 18, OEIS A000170.
const SOLUTIONS: [u64; 19] = [
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
    95815104, 666090624,
];

fn method(name: &str) -> &'static Method {
    let method = METHODS.iter().find(|it| it.algorithm.name == name);
    method.expect("a registered method")
}

fn names() -> impl Iterator<Item = &'static str> {
    METHODS.iter().map(|method| method.algorithm.name)
}

/// The largest board of which a method sees the whole tree in a fraction of a second on one core of
/// a small machine, and thoroughly, where a tree takes a second or so.
fn reach(name: &str) -> usize {
    let further = crate::effort(0, 2);
    match name {
        "rows" => 6 + further,
        "permutations" | "heap" => 8 + further,
        "attacks" | "fill" => 9 + further,
        "partial-lists" | "backtracking" | "lines" => 10 + further,
        "bitboard" => 14,
        _ => panic!("{name}: how far does it reach?"),
    }
}

fn undisturbed(name: &str, request: SearchRequest) -> ((Counts, Ending), Vec<Vec<usize>>) {
    let mut boards = Vec::new();
    let mut shown = |board: &[usize]| boards.push(board.to_vec());
    let explored = explore(method(name), request, &mut shown, &Control::unstopped());
    (explored.expect("no stop"), boards)
}

fn boards(name: &str, n: usize) -> Vec<Vec<usize>> {
    undisturbed(name, SearchRequest::new(n, Goal::All)).1
}

/// A count shows no board.
fn counted(name: &str, n: usize) -> (Counts, Ending) {
    let (explored, boards) = undisturbed(name, SearchRequest::new(n, Goal::Count));
    assert!(boards.is_empty(), "{name}");
    explored
}

/// No two queens share a column or a diagonal, by the definition.
fn is_solution(board: &[usize]) -> bool {
    let queens = || board.iter().enumerate();
    queens().all(|(row, &column)| {
        column < board.len()
            && queens()
                .skip(row + 1)
                .all(|(r, &c)| c != column && r.abs_diff(row) != c.abs_diff(column))
    })
}
