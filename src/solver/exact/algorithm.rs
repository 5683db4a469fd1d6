//! An exhaustive method as an algorithm of the registry.

use super::{Measures, Method, SearchRequest, explore};
use crate::goal::Goal;
use crate::outcome::rows_of_columns;
use crate::{Algorithm, Axis, Column, Control, Interrupted, Job, Outcome};

/// A method with its axes and columns.
pub struct ExactAlgorithm {
    method: &'static Method,
    axes: [Axis; 1],
    columns: Vec<Column>,
}

impl ExactAlgorithm {
    /// The method as an algorithm.
    pub fn new(method: &'static Method) -> Self {
        Self {
            method,
            axes: [Axis::side(method.n_max as u64)],
            columns: columns(method),
        }
    }
}

impl Algorithm for ExactAlgorithm {
    fn name(&self) -> &'static str {
        self.method.name
    }

    fn doc(&self) -> &'static str {
        self.method.doc
    }

    fn axes(&self) -> &[Axis] {
        &self.axes
    }

    fn goals(&self) -> &'static [Goal] {
        self.method.goals
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn definition(&self) -> u32 {
        self.method.definition
    }

    fn part(&self) -> &'static str {
        "exact"
    }

    /// The same for every trial and seed: nothing is drawn.
    fn trial(&self, job: &Job, _trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        let goal = job
            .point
            .goal
            .or(Goal::default_of(self.goals()))
            .expect("a method has a goal");
        let request = SearchRequest {
            n: job.point.side(),
            goal,
            cutoff: job.cutoff,
            parallel: false,
        };
        let mut first = None;
        let mut visit = |board: &[usize]| match goal {
            Goal::First => first = Some(rows_of_columns(board)),
            Goal::All | Goal::Count => control.show(|| rows_of_columns(board)),
        };
        let explored = explore(self.method, request, &mut visit, control)?;
        Ok(Outcome {
            solution: first,
            ..self.method.measures.outcome(&explored)
        })
    }
}

fn columns(method: &Method) -> Vec<Column> {
    let Measures {
        nodes,
        checks,
        failures,
    } = method.measures;
    let counts = [("nodes", nodes), ("checks", checks), ("failures", failures)];
    let counts = counts
        .into_iter()
        .filter_map(|(name, doc)| Some(Column::named(name).meaning(doc?)));
    ["solution", "solutions"]
        .map(Column::named)
        .into_iter()
        .chain(counts)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::searched;
    use crate::{Ending, Point, Value};

    fn run(name: &str, n: u64, goal: Goal, cutoff: u64) -> (Outcome, Vec<Vec<u32>>) {
        let point = Point {
            goal: Some(goal),
            ..Point::new(name, [("n", Value::Integer(n))])
        };
        let (outcome, boards, _) = searched(&point, (1, 0), cutoff);
        (outcome, boards)
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
