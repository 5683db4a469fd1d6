//! `x ≠ y + c`: a network of binary differences.
//!
//! Arc consistency of a difference removes nothing until one side is instantiated (Van Hentenryck,
//! Deville and Teng, Artificial Intelligence 57, 1992): then its value is removed from the other
//! side. All differences of a model are in one network, so that an instantiation goes through the
//! neighbours of one variable and nothing else.

use super::Propagator;
use crate::cp::domain::{DomainValue, Domains, Inconsistency, Var};

/// Differences between two variables each.
#[derive(Debug, Default)]
pub struct NotEqual {
    scope: Vec<Var>,
    /// Per member: what an instantiation there removes, and from which variables.
    neighbours: Vec<Neighbours>,
    n_constraints: usize,
    culprit: usize,
}

/// The differences on one variable, those to the same other variable side by side.
#[derive(Debug, Clone, Default)]
struct Neighbours {
    differences: Vec<OffsetDifference>,
    /// The other variables, each with the end of its differences in `differences`.
    others: Vec<(Var, u32)>,
}

/// The other variable is not this one's value plus `offset`.
#[derive(Debug, Clone, Copy)]
struct OffsetDifference {
    offset: DomainValue,
    constraint: u32,
}

impl NotEqual {
    /// A network on `scope` without differences.
    pub fn new(scope: Vec<Var>) -> Self {
        Self {
            neighbours: vec![Neighbours::default(); scope.len()],
            scope,
            n_constraints: 0,
            culprit: 0,
        }
    }

    /// Adds `x ≠ y + c`, where x and y are the variables at two indices of the scope.
    pub fn differ(&mut self, x: usize, y: usize, c: DomainValue) {
        let constraint = self.n_constraints as u32;
        self.neighbours[x].push(
            self.scope[y],
            OffsetDifference {
                offset: -c,
                constraint,
            },
        );
        self.neighbours[y].push(
            self.scope[x],
            OffsetDifference {
                offset: c,
                constraint,
            },
        );
        self.n_constraints += 1;
    }
}

impl Neighbours {
    fn push(&mut self, other: Var, difference: OffsetDifference) {
        self.differences.push(difference);
        let end = self.differences.len() as u32;
        match self.others.last_mut() {
            Some(last) if last.0 == other => last.1 = end,
            _ => self.others.push((other, end)),
        }
    }

    /// Each other variable with its differences.
    #[inline]
    fn groups(&self) -> impl Iterator<Item = (Var, &[OffsetDifference])> {
        let mut start = 0;
        self.others.iter().map(move |&(other, end)| {
            (
                other,
                &self.differences[std::mem::replace(&mut start, end as usize)..end as usize],
            )
        })
    }
}

impl Propagator for NotEqual {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    #[inline]
    fn instantiated(&mut self, member: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        let value = domains.min(self.scope[member]);
        for (other, differences) in self.neighbours[member].groups() {
            if domains
                .remove_all(
                    other,
                    differences
                        .iter()
                        .map(|difference| value + difference.offset),
                )
                .is_err()
            {
                let culprit = differences
                    .iter()
                    .find(|difference| domains.remove(other, value + difference.offset).is_err());
                self.culprit = culprit.map_or(0, |difference| difference.constraint as usize);
                return Err(Inconsistency);
            }
        }
        Ok(())
    }

    fn n_constraints(&self) -> usize {
        self.n_constraints
    }

    fn culprit(&self) -> usize {
        self.culprit
    }

    fn weighted_degree(&self, member: usize, weights: &[u64], domains: &Domains) -> u64 {
        let open = self.neighbours[member]
            .groups()
            .filter(|&(other, _)| !domains.is_bound(other));
        open.flat_map(|(_, differences)| differences)
            .map(|difference| weights[difference.constraint as usize])
            .sum()
    }
}
