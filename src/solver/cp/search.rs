//! Depth-first search with binary branching. The order of the search tree: `variable = value`
//! first, `variable ≠ value` after it. Counted here: nodes (a fixed point that is an inner node or
//! a solution), failures and solutions, as Choco 6 defines them. Here a search ends: at its cutoff
//! in nodes (censored), at the first board, or at the end of the tree; and here a failure raises
//! the weight that dom/wdeg gives its constraint. Which variable and value come next is in
//! `branching.rs`, what a decision removes in `engine.rs`.

use super::branching::{Branching, BranchingChoices, Decision};
use super::domain::Domains;
use super::model::QueensModel;
use crate::goal::Goal;
use crate::outcome::Counts;
use crate::rng::RandomSource;
use crate::{Control, Ending, Interrupted};

/// A step of a search, reported when it is done and propagated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchStep {
    /// The left branch of a decision, `variable = value`.
    Decision(Decision),
    /// The right branch, `variable ≠ value`.
    Refutation(Decision),
    /// The root or the branch reported last is at its fixed point.
    FixedPoint,
    /// The root or the branch reported last has no solution.
    Failure,
    /// Every variable is instantiated.
    Solution,
}

/// Observes a search.
pub trait SearchObserver {
    /// The search begins, with these variables.
    fn begins(&mut self, _choices: &BranchingChoices) {}

    /// `depth`: decisions taken and not refuted on the way here; the domains as they are after the
    /// step.
    fn step(&mut self, _step: SearchStep, _depth: usize, _domains: &Domains) {}

    /// A solution: the column of the queen on each line.
    fn solution(&mut self, _board: &[u32]) {}
}

/// Observes nothing.
impl SearchObserver for () {}

/// Nodes between two polls of the stop flag: a node takes microseconds, milliseconds on boards of a
/// thousand lines.
const NODES_BETWEEN_POLLS: u64 = 1 << 5;

/// A search on a model.
pub(super) struct TreeSearch<'a, O> {
    pub queens: QueensModel,
    pub branching: Branching,
    pub coins: &'a mut dyn RandomSource,
    pub observer: &'a mut O,
    /// Nodes allowed.
    pub node_limit: u64,
    pub control: &'a Control<'a>,
    pub decisions: Vec<Decision>,
    pub board: Vec<u32>,
    /// Choco 6 defines them; nodes are inner nodes and solutions of the search tree:
    /// 2 · solutions + failures − 1 after a search for all. No checks.
    pub counts: Counts,
}

impl<O: SearchObserver> TreeSearch<'_, O> {
    /// Searches from the root; to be called once. It is censored where one more node would have
    /// been above the limit.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` is stopped.
    pub fn run(mut self, goal: Goal) -> Result<(Counts, Ending), Interrupted> {
        self.observer.begins(&self.queens.choices);
        let ending = self.explore(goal)?;
        // A search that has ended is not interrupted any more.
        let _ = self.control.poll(self.counts.nodes % NODES_BETWEEN_POLLS);
        Ok((self.counts, ending))
    }

    fn explore(&mut self, goal: Goal) -> Result<Ending, Interrupted> {
        let mut consistent = self.queens.engine.fixed_point().is_ok();
        loop {
            self.report(if consistent {
                SearchStep::FixedPoint
            } else {
                SearchStep::Failure
            });
            if consistent {
                if self.counts.nodes == self.node_limit {
                    return Ok(Ending::Censored);
                }
                self.count_node()?;
                if let Some(decision) = self.next_decision() {
                    consistent = self.decide(decision);
                    continue;
                }
                self.solution(goal);
                if goal == Goal::First {
                    return Ok(Ending::Solved);
                }
            } else {
                self.failure();
            }
            let Some(decision) = self.decisions.pop() else {
                return Ok(Ending::Exhausted);
            };
            consistent = self.refute(decision);
        }
    }

    #[inline]
    fn count_node(&mut self) -> Result<(), Interrupted> {
        self.counts.nodes += 1;
        if self.counts.nodes.is_multiple_of(NODES_BETWEEN_POLLS) {
            self.poll()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn poll(&self) -> Result<(), Interrupted> {
        self.control.poll(NODES_BETWEEN_POLLS)
    }

    #[inline]
    fn next_decision(&mut self) -> Option<Decision> {
        self.branching
            .decide(&self.queens.choices, &self.queens.engine, self.coins)
    }

    #[inline]
    fn decide(&mut self, decision: Decision) -> bool {
        self.queens.engine.push();
        self.decisions.push(decision);
        let consistent = self
            .queens
            .engine
            .assign(decision.variable, decision.value)
            .is_ok();
        self.report(SearchStep::Decision(decision));
        consistent
    }

    #[inline]
    fn refute(&mut self, decision: Decision) -> bool {
        self.queens.engine.undo();
        let consistent = self
            .queens
            .engine
            .remove(decision.variable, decision.value)
            .is_ok();
        self.report(SearchStep::Refutation(decision));
        consistent
    }

    #[inline]
    fn failure(&mut self) {
        self.counts.failures += 1;
        if self.branching.is_weighted()
            && let Some(constraint) = self.queens.engine.culprit()
        {
            self.queens.choices.weights[constraint] += 1;
        }
    }

    fn solution(&mut self, goal: Goal) {
        self.counts.solutions += 1;
        self.report(SearchStep::Solution);
        if goal != Goal::Count {
            self.queens.read(&mut self.board);
            self.observer.solution(&self.board);
        }
    }

    #[inline]
    fn report(&mut self, step: SearchStep) {
        self.observer
            .step(step, self.decisions.len(), &self.queens.engine.domains);
    }
}
