//! `C_i = j ⇔ L_j = i`: the channelling between columns and lines, domain consistent for each of
//! its equivalences.
//!
//! A value removed on one side is removed on the other, and an instantiation on one side is one on
//! the other (Cheng, Choi, Lee and Wu, Constraints 4, 1999). Nothing else is filtered: that each
//! side is a permutation follows, but no `all_different` is enforced beyond it.

use super::Propagator;
use crate::bits::{first_ones, ones};
use crate::cp::domain::{DomainValue, Domains, Event, Inconsistency, Var};
use crate::cp::trail::CellId;

/// `x_i = j ⇔ y_j = i` between two lists of n variables with the values `0 .. n`.
#[derive(Debug)]
pub struct Inverse {
    /// x, then y.
    scope: Vec<Var>,
    /// Per member: the domain's words as they were when their losses were last mirrored on the
    /// other side.
    mirrored: Vec<CellId>,
}

impl Inverse {
    /// # Panics
    /// When the lists differ in length or a variable does not take as many values.
    pub fn new(x: &[Var], y: &[Var], domains: &mut Domains) -> Self {
        let scope = [x, y].concat();
        assert!(
            scope.iter().all(|&var| domains.capacity(var) == x.len()) && x.len() == y.len(),
            "each variable names one of the others"
        );
        Self {
            mirrored: scope
                .iter()
                .map(|_| domains.trail.cells(first_ones(x.len())))
                .collect(),
            scope,
        }
    }

    /// The index of the variable `member` in its own list, and where the other list begins.
    fn sides(&self, member: usize) -> (usize, usize) {
        let n = self.scope.len() / 2;
        if member < n {
            (member, n)
        } else {
            (member - n, 0)
        }
    }

    /// Mirrors on the other side the values that the variable `member` has lost since the last
    /// time.
    fn mirror(&self, member: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        let (own, others) = self.sides(member);
        for at in 0..domains.n_words(self.scope[member]) {
            let mirrored = self.mirrored[member].plus(at);
            let now = domains.word(self.scope[member], at);
            let gone = domains.trail.get(mirrored) & !now;
            if gone == 0 {
                continue;
            }
            domains.trail.set(mirrored, now);
            for bit in ones(gone) {
                domains.remove(self.scope[others + 64 * at + bit], own as DomainValue)?;
            }
        }
        Ok(())
    }
}

impl Propagator for Inverse {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    fn runs_on(&self) -> Option<Event> {
        Some(Event::Domain)
    }

    fn is_light(&self) -> bool {
        true
    }

    fn instantiated(&mut self, member: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        let (own, others) = self.sides(member);
        let value = domains.min(self.scope[member]) as usize;
        domains.assign(self.scope[others + value], own as DomainValue)
    }

    fn propagate(&mut self, changed: &[u32], domains: &mut Domains) -> Result<(), Inconsistency> {
        changed
            .iter()
            .try_for_each(|&member| self.mirror(member as usize, domains))
    }
}
