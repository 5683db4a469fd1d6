//! `all_different` with domain consistency.
//!
//! Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994. An assignment
//! is a matching of variables and values. Given one that covers the variables, an edge is in
//! another one exactly if it lies on an alternating cycle, or on an even alternating path that ends
//! at a value that no variable takes. With each matched pair as one node (an edge from x to y: x
//! could take y's value), these are the edges inside a strongly connected component (Tarjan, SIAM
//! Journal on Computing 1, 1972) and those of the variables that reach a free value.
//!
//! The matching is kept on the trail and only mended. A value is also removed from all other
//! variables as soon as one takes it, so the graph has the uninstantiated variables only.

use super::Propagator;
use super::value_graph::ValueGraph;
use super::views::{Members, Range, View};
use crate::cp::domain::{Domains, Event, Inconsistency, Var};
use crate::cp::trail::CellId;

/// `all_different`, domain consistent.
#[derive(Debug)]
pub struct DomainConsistent {
    members: Members,
    /// Per member: the value that the last matching gave to the variable, plus 1; at first 0.
    matching: CellId,
    graph: ValueGraph,
}

impl DomainConsistent {
    pub fn new(views: &[View], domains: &mut Domains) -> Self {
        let range = Range::of(views, domains);
        Self {
            members: Members::new(views, range, domains),
            matching: domains.trail.cells(views.iter().map(|_| 0)),
            graph: ValueGraph::new(views.len(), range.len),
        }
    }

    /// Reads the domains and the old matching, as far as it still holds.
    fn read(&mut self, domains: &Domains) {
        self.graph.clear();
        for &member in self.members.unbound(&domains.trail) {
            let (var, offset) = self.members.view(member);
            let old = domains.trail.get(self.matching.plus(member as usize)) as u32;
            self.graph.add(member, old.checked_sub(1), |row| {
                raise(domains, var, offset as usize, row)
            });
        }
    }

    fn complete(&mut self, domains: &mut Domains) -> Result<(), Inconsistency> {
        let members = self.members.unbound(&domains.trail);
        if self.graph.complete(members).ok_or(Inconsistency)? {
            for at in 0..members.len() {
                let member = self.members.unbound(&domains.trail)[at];
                domains.trail.set(
                    self.matching.plus(member as usize),
                    u64::from(self.graph.value(member)) + 1,
                );
            }
        }
        Ok(())
    }
}

impl Propagator for DomainConsistent {
    fn scope(&self) -> &[Var] {
        &self.members.scope
    }

    fn runs_on(&self) -> Option<Event> {
        Some(Event::Domain)
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn instantiated(&mut self, member: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        self.members.instantiated(member, domains)
    }

    fn propagate(&mut self, _: &[u32], domains: &mut Domains) -> Result<(), Inconsistency> {
        if self.members.unbound(&domains.trail).len() < 2 {
            return Ok(());
        }
        self.read(domains);
        self.complete(domains)?;
        self.graph.prune(self.members.unbound(&domains.trail));
        for &member in self.graph.pruned() {
            let (var, offset) = self.members.view(member);
            let row = self.graph.row(member);
            domains.retain(var, |at| lowered(row, offset as usize, at))?;
        }
        Ok(())
    }
}

/// Writes the domain of `var` into `row`, every value raised by `offset`.
#[inline]
fn raise(domains: &Domains, var: Var, offset: usize, row: &mut [u64]) {
    let words = offset / 64;
    let bits = offset % 64;
    row.fill(0);
    for at in 0..domains.n_words(var) {
        let word = domains.word(var, at);
        row[at + words] |= word << bits;
        if bits > 0 && word >> (64 - bits) != 0 {
            row[at + words + 1] |= word >> (64 - bits);
        }
    }
}

/// Word `at` of `row` with every value lowered by `offset`.
#[inline]
fn lowered(row: &[u64], offset: usize, at: usize) -> u64 {
    let words = offset / 64;
    let bits = offset % 64;
    let word = |at: usize| row.get(at).copied().unwrap_or(0);
    let low = word(at + words) >> bits;
    if bits == 0 {
        low
    } else {
        low | word(at + words + 1) << (64 - bits)
    }
}
