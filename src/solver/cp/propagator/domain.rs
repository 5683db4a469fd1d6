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
use super::all_different::Range;
use super::residual::Residual;
use super::unbound::Unbound;
use crate::solver::cp::domain::{DomainValue, Domains, Event, Inconsistency, Var, View};
use crate::solver::cp::trail::CellId;

/// `all_different`, domain consistent.
#[derive(Debug)]
pub struct DomainConsistent {
    scope: Vec<Var>,
    /// Per place: what makes the least value of all views 0.
    offsets: Vec<DomainValue>,
    unbound: Unbound,
    /// Per place: the value that the last matching gave to the variable, plus 1; at first 0.
    matching: CellId,
    residual: Residual,
}

impl DomainConsistent {
    pub fn new(views: &[View], domains: &mut Domains) -> Self {
        let range = Range::of(views, domains);
        Self {
            scope: views.iter().map(|view| view.var).collect(),
            offsets: views.iter().map(|view| view.offset - range.least).collect(),
            unbound: Unbound::new(views.len(), domains),
            matching: domains.trail.cells(views.iter().map(|_| 0)),
            residual: Residual::new(views.len(), range.len),
        }
    }

    /// Reads the domains and the old matching, as far as it still holds.
    fn read(&mut self, domains: &Domains) {
        self.residual.clear();
        for &place in self.unbound.members(&domains.trail) {
            let (var, offset) = (
                self.scope[place as usize],
                self.offsets[place as usize] as usize,
            );
            let old = domains.trail.get(self.matching.plus(place as usize)) as u32;
            self.residual.add(place, old.checked_sub(1), |row| {
                raise(domains, var, offset, row)
            });
        }
    }

    fn complete(&mut self, domains: &mut Domains) -> Result<(), Inconsistency> {
        let n_members = self.unbound.members(&domains.trail).len();
        let changes = self
            .residual
            .complete(self.unbound.members(&domains.trail))
            .ok_or(Inconsistency)?;
        if changes {
            for at in 0..n_members {
                let place = self.unbound.members(&domains.trail)[at];
                domains.trail.set(
                    self.matching.plus(place as usize),
                    u64::from(self.residual.value(place)) + 1,
                );
            }
        }
        Ok(())
    }
}

impl Propagator for DomainConsistent {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    fn runs_on(&self) -> Option<Event> {
        Some(Event::Domain)
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn instantiated(&mut self, place: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        self.unbound.remove(place, &mut domains.trail);
        self.unbound
            .take_value(place, &self.scope, &self.offsets, domains)
    }

    fn propagate(&mut self, _: &[u32], domains: &mut Domains) -> Result<(), Inconsistency> {
        if self.unbound.members(&domains.trail).len() < 2 {
            return Ok(());
        }
        self.read(domains);
        self.complete(domains)?;
        self.residual.prune(self.unbound.members(&domains.trail));
        for &place in self.residual.pruned() {
            let (var, offset) = (
                self.scope[place as usize],
                self.offsets[place as usize] as usize,
            );
            let row = self.residual.row(place);
            domains.retain(var, |at| lowered(row, offset, at))?;
        }
        Ok(())
    }
}

/// Writes the domain of `var` into `row`, every value raised by `offset`.
#[inline]
fn raise(domains: &Domains, var: Var, offset: usize, row: &mut [u64]) {
    let (words, bits) = (offset / 64, offset % 64);
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
    let (words, bits) = (offset / 64, offset % 64);
    let word = |at: usize| row.get(at).copied().unwrap_or(0);
    let low = word(at + words) >> bits;
    if bits == 0 {
        low
    } else {
        low | word(at + words + 1) << (64 - bits)
    }
}
