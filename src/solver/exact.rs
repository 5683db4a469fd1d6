//! The exhaustive methods of the source texts, side by side: how much work each does for the same
//! boards. Here are the columns and goals that all methods share; the greatest n of a method, what
//! it counts as a check, and its line of `reines list` stand in its file.
//!
//! A board is written as the texts write it, one queen per row: element r is the column of the
//! queen in row r, both counted from 0. `search` is what all methods share: goal, cutoff and the
//! counts of a trial. The number of checks of a method is a column of tables, and part of what it
//! is; `methods/bitboard.rs` alone is written for speed.
//!
//! # Adding a method
//! One file in `methods/` with a [`Method`], its `mod` line, and one line in [`methods::METHODS`].

pub mod methods;
pub mod symmetry;

mod search;

pub use self::search::{Halt, Search, SearchRequest};

pub use super::goal::Goal;
pub use super::outcome::Counts;

use self::methods::METHODS;
use super::algorithm::LENGTHS_OF_SEARCHES;
use super::outcome::rows_of_columns;
use super::{Algorithm, Control, Course, Domain, Ending, Interrupted, Outcome, Point, Prepared};

/// A way of finding the solutions of the n-queens problem.
pub struct Method {
    /// The method as an algorithm.
    pub algorithm: Algorithm,
    /// Searches the n × n board to the end, and counts every check, node, failure and solution in
    /// the [`Search`]. An error of the search is passed on: the goal is reached, the cutoff is
    /// spent, or the search is to stop.
    pub search: fn(n: usize, search: &mut Search<'_>) -> Result<(), Halt>,
}

impl Method {
    /// Side of the largest board that the method takes.
    pub fn n_max(&self) -> usize {
        match self.algorithm.axes[0].domain {
            Domain::Integer { max, .. } => max as usize,
            Domain::Real { .. } => unreachable!("the side of a board is an integer"),
        }
    }
}

/// What all methods have in common: the same facts for every trial and seed, as nothing is drawn.
const ALGORITHM: Algorithm = Algorithm {
    is_search: true,
    cutoff_unit: "checks",
    lengths: LENGTHS_OF_SEARCHES,
    part: "exact",
    prepare: &|point, _| prepare(point),
    ..Algorithm::UNNAMED
};

fn prepare(point: &Point) -> Prepared {
    let is_its = |method: &&Method| method.algorithm.name == point.algorithm;
    let method = METHODS.iter().find(is_its).expect("a method");
    let n = point.side();
    let goal = point.goal.unwrap_or_default();
    Box::new(move |_, cutoff, control| {
        let request = SearchRequest {
            cutoff,
            ..SearchRequest::new(n, goal)
        };
        let mut first = None;
        let mut visit = |board: &[usize]| match goal {
            Goal::First => first = Some(rows_of_columns(board)),
            Goal::All | Goal::Count => control.show(|| rows_of_columns(board)),
        };
        let (counts, ending) = explore(method, request, &mut visit, control)?;
        let outcome = Outcome {
            solution: first,
            ..counts.outcome(ending, method.algorithm.columns)
        };
        Ok((outcome, Course::default()))
    })
}

/// Runs `method` on `request` and shows each board found to `visit` (none when the goal is
/// [`Goal::Count`]).
///
/// # Errors
/// [`Interrupted`] when `control` is stopped before the search has ended.
///
/// # Panics
/// When the board is larger than the method's limit.
pub fn explore(
    method: &Method,
    request: SearchRequest,
    visit: &mut dyn FnMut(&[usize]),
    control: &Control<'_>,
) -> Result<(Counts, Ending), Interrupted> {
    let name = method.algorithm.name;
    let n = request.n;
    let n_max = method.n_max();
    assert!(n <= n_max, "{name} takes boards up to n = {n_max}, not {n}");
    let mut search = Search::new(request, visit, control);
    let ending = match (method.search)(n, &mut search) {
        Ok(()) => Ending::Exhausted,
        Err(Halt::Found) => Ending::Solved,
        Err(Halt::Cutoff) => Ending::Censored,
        Err(Halt::Interrupted) => return Err(Interrupted),
    };
    Ok((search.finish(), ending))
}

/// Every solution of the n × n board, in the order in which `method` finds them.
///
/// # Errors
/// [`Interrupted`] when `control` is stopped.
///
/// # Panics
/// As [`explore`].
pub fn all_boards(
    method: &Method,
    n: usize,
    control: &Control<'_>,
) -> Result<Vec<Vec<usize>>, Interrupted> {
    let mut boards = Vec::new();
    explore(
        method,
        SearchRequest::new(n, Goal::All),
        &mut |board| boards.push(board.to_vec()),
        control,
    )?;
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::searched;
    use crate::{Point, Value};

    fn run(name: &str, n: u64, goal: Goal, cutoff: u64) -> (Outcome, Vec<Vec<u32>>) {
        let point = Point {
            goal: Some(goal),
            ..Point::new(name, [("n", Value::Integer(n))])
        };
        searched(&point, (1, 0), cutoff)
    }

    /// The two boards of n = 4 are each other's mirror images and, seen by columns, each other's
    /// transposes: ♛ at (row, column) (0, 1), (1, 3), (2, 0), (3, 2) has its queens in the rows 2,
    /// 0, 3, 1 of columns 0 to 3.
    #[test]
    fn boards_are_told_by_columns() {
        let (outcome, boards) = run("backtracking", 4, Goal::All, 1000);
        assert_eq!(
            (outcome.ending, outcome.solutions, outcome.solution),
            (Ending::Exhausted, Some(2), None)
        );
        assert_eq!(boards, [[2, 0, 3, 1], [1, 3, 0, 2]]);
        let (outcome, boards) = run("backtracking", 4, Goal::First, 1000);
        assert_eq!(
            (outcome.ending, outcome.solution),
            (Ending::Solved, Some([2, 0, 3, 1].into()))
        );
        assert!(boards.is_empty());
    }

    /// The text's 15 720 squares at n = 8; one fewer is not enough.
    #[test]
    fn counts_and_cutoffs_reach_the_row() {
        let (outcome, _) = run("backtracking", 8, Goal::Count, 15_720);
        assert_eq!(
            (outcome.ending, outcome.solutions, outcome.checks),
            (Ending::Exhausted, Some(92), Some(15_720))
        );
        let (outcome, _) = run("backtracking", 8, Goal::Count, 15_719);
        assert_eq!(
            (outcome.ending, outcome.checks, outcome.updates),
            (Ending::Censored, Some(15_719), None)
        );
    }
}
