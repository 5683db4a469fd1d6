//! Which places of a scope are not instantiated yet: a sparse set on the trail.

use crate::solver::cp::domain::{DomainValue, Domains, Inconsistency, Var};
use crate::solver::cp::trail::{CellId, Trail};

/// Reversible sparse set (Briggs and Torczon, ACM LOPLAS 2, 1993): members come first; a removed
/// one is swapped behind them, so that an undo only resets the size.
#[derive(Debug)]
pub struct Unbound {
    order: Vec<u32>,
    position: Vec<u32>,
    size: CellId,
}

impl Unbound {
    /// The places `0 .. count`.
    pub fn new(count: usize, domains: &mut Domains) -> Self {
        let all: Vec<u32> = (0..count as u32).collect();
        Self {
            position: all.clone(),
            order: all,
            size: domains.trail.cell(count as u64),
        }
    }

    /// Members, in no particular order.
    #[inline]
    pub fn members(&self, trail: &Trail) -> &[u32] {
        &self.order[..trail.get(self.size) as usize]
    }

    /// The other places.
    #[inline]
    pub fn non_members(&self, trail: &Trail) -> &[u32] {
        &self.order[trail.get(self.size) as usize..]
    }

    /// Removes the value of the variable at `place` from the members of an `all_different`.
    ///
    /// # Errors
    /// [`Inconsistency`] when it is the only one of a member.
    #[inline]
    pub fn take_value(
        &self,
        place: usize,
        scope: &[Var],
        offsets: &[DomainValue],
        domains: &mut Domains,
    ) -> Result<(), Inconsistency> {
        let value = domains.min(scope[place]) + offsets[place];
        let n_members = domains.trail.get(self.size) as usize;
        for &other in &self.order[..n_members] {
            domains.remove(scope[other as usize], value - offsets[other as usize])?;
        }
        Ok(())
    }

    /// Takes a member out.
    #[inline]
    pub fn remove(&mut self, place: usize, trail: &mut Trail) {
        let last = trail.get(self.size) as usize - 1;
        let (at, other) = (self.position[place] as usize, self.order[last]);
        debug_assert!(at <= last, "{place} is no member");
        (self.order[at], self.order[last]) = (other, place as u32);
        (self.position[other as usize], self.position[place]) = (at as u32, last as u32);
        trail.set(self.size, last as u64);
    }
}
