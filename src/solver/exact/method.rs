//! What one exhaustive method is to the shared part.

use super::counts::Measures;
use super::search::{Halt, Search};
use crate::solver::goal::Goal;

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
