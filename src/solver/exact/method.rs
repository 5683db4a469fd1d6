//! What one exhaustive method is to the shared part, and what it counts.

use super::search::{Halt, Search};
use crate::solver::goal::Goal;
use crate::solver::{Ending, Outcome};

/// A way of finding solutions of the n-queens problem; its goals say whether it finds them all.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Registry name.
    pub name: &'static str,
    /// One line that says how the method works.
    pub doc: &'static str,
    /// Which counts the method fills, and what each means for it.
    pub measures: Measures,
    /// The goals that the method can be given.
    pub goals: &'static [Goal],
    /// Side of the largest board that the method takes.
    pub n_max: usize,
    /// Searches the n × n board to the end, and counts every check, node, failure and solution in
    /// the [`Search`]. An error of the search is passed on: the goal is reached, the cutoff is
    /// spent, or the search is to stop.
    pub search: fn(n: usize, search: &mut Search<'_>) -> Result<(), Halt>,
}

/// The meaning of each count for one method; `None` where the method does not fill it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measures {
    /// Nodes of the search tree.
    pub nodes: Option<&'static str>,
    /// The elementary step in which the method's cost, and a cutoff, is expressed.
    pub checks: Option<&'static str>,
    /// What turned out not to lead to a solution.
    pub failures: Option<&'static str>,
}

impl Measures {
    /// The facts of a search that has ended so, in the columns that the method fills.
    pub(super) fn outcome(&self, counts: &MethodCounts, ending: Ending) -> Outcome {
        Outcome {
            solutions: Some(counts.solutions),
            nodes: self.nodes.map(|_| counts.nodes),
            checks: self.checks.map(|_| counts.checks),
            failures: self.failures.map(|_| counts.failures),
            ..Outcome::ended(ending)
        }
    }
}

/// What a method counted; a count that its [`Measures`] leave out is 0 and means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MethodCounts {
    /// Boards found, mirror images and rotations apart.
    pub solutions: u64,
    /// See [`Measures::nodes`].
    pub nodes: u64,
    /// See [`Measures::checks`].
    pub checks: u64,
    /// See [`Measures::failures`].
    pub failures: u64,
}

impl std::ops::AddAssign for MethodCounts {
    fn add_assign(&mut self, other: Self) {
        self.solutions += other.solutions;
        self.nodes += other.nodes;
        self.checks += other.checks;
        self.failures += other.failures;
    }
}
