//! `x ≠ y + c`: a network of binary differences.
//!
//! Arc consistency of a difference asks for nothing until one side is instantiated (Van Hentenryck, Deville and Teng, Artificial Intelligence
//! 57, 1992): then its value goes from the other side. All differences of a model stand in one network, so that an instantiation goes
//! through the neighbours of one variable and nothing else.

use super::Propagator;
use crate::solver::cp::domain::{Domains, Event, Inconsistency, Value, Var};

/// Differences between two variables each.
#[derive(Debug, Default)]
pub struct NotEqual {
    scope: Vec<Var>,
    /// Per place: what an instantiation there takes from whom.
    neighbours: Vec<Vec<Neighbour>>,
    n_constraints: usize,
    culprit: usize,
}

/// This variable is not `other − offset`.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    other: Var,
    offset: Value,
    constraint: u32,
}

impl NotEqual {
    /// A network on `scope` without differences.
    pub fn new(scope: Vec<Var>) -> Self {
        Self { neighbours: vec![Vec::new(); scope.len()], scope, n_constraints: 0, culprit: 0 }
    }

    /// Adds `x ≠ y + c`, where x and y are the variables at two places of the scope.
    pub fn differ(&mut self, x: usize, y: usize, c: Value) {
        let constraint = self.n_constraints as u32;
        self.neighbours[x].push(Neighbour { other: self.scope[y], offset: -c, constraint });
        self.neighbours[y].push(Neighbour { other: self.scope[x], offset: c, constraint });
        self.n_constraints += 1;
    }
}

impl Propagator for NotEqual {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    fn runs_on(&self) -> Option<Event> {
        None
    }

    #[inline]
    fn instantiated(&mut self, place: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        let value = domains.min(self.scope[place]);
        for neighbour in &self.neighbours[place] {
            if domains.remove(neighbour.other, value + neighbour.offset).is_err() {
                self.culprit = neighbour.constraint as usize;
                return Err(Inconsistency);
            }
        }
        Ok(())
    }

    fn propagate(&mut self, _: &[u32], _: &mut Domains) -> Result<(), Inconsistency> {
        Ok(())
    }

    fn n_constraints(&self) -> usize {
        self.n_constraints
    }

    fn culprit(&self) -> usize {
        self.culprit
    }

    fn weighted_degree(&self, place: usize, weights: &[u64], domains: &Domains) -> u64 {
        let open = self.neighbours[place].iter().filter(|neighbour| !domains.is_bound(neighbour.other));
        open.map(|neighbour| weights[neighbour.constraint as usize]).sum()
    }
}
