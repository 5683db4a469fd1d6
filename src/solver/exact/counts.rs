//! What an exhaustive method counts, and what each count means for it.

use crate::solver::{Ending, Outcome};

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
