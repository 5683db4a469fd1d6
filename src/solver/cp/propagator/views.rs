//! The variables of an `all_different`, each with a number that is added to its value: what its
//! levels of consistency share.

use crate::cp::domain::{DomainValue, Domains, Inconsistency, Var};
use crate::cp::trail::{CellId, Trail};

/// The value of a variable plus a constant: `C_i + i` without a variable of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The variable.
    pub var: Var,
    /// What is added to its value.
    pub offset: DomainValue,
}

impl From<Var> for View {
    fn from(var: Var) -> Self {
        Self { var, offset: 0 }
    }
}

/// The values that views could ever take, from the least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub least: DomainValue,
    pub len: usize,
}

impl Range {
    pub fn of(views: &[View], domains: &Domains) -> Self {
        let least = views.iter().map(|view| view.offset).min().unwrap_or(0);
        let end = views
            .iter()
            .map(|view| domains.capacity(view.var) as DomainValue + view.offset)
            .max()
            .unwrap_or(0);
        Self {
            least,
            len: (end - least) as usize,
        }
    }
}

/// The views of an `all_different`, and which of them are not instantiated yet: a reversible sparse
/// set (Briggs and Torczon, ACM LOPLAS 2, 1993). Members come first; a removed one is swapped
/// behind them, so that an undo only resets the size.
#[derive(Debug)]
pub(super) struct Members {
    pub scope: Vec<Var>,
    /// Per member: what makes the least value of all views 0.
    offsets: Vec<DomainValue>,
    order: Vec<u32>,
    position: Vec<u32>,
    size: CellId,
}

impl Members {
    pub fn new(views: &[View], range: Range, domains: &mut Domains) -> Self {
        let all: Vec<u32> = (0..views.len() as u32).collect();
        Self {
            scope: views.iter().map(|view| view.var).collect(),
            offsets: views.iter().map(|view| view.offset - range.least).collect(),
            position: all.clone(),
            order: all,
            size: domains.trail.cell(views.len() as u64),
        }
    }

    /// Returns the members that are unbound, in no particular order.
    #[inline]
    pub fn unbound(&self, trail: &Trail) -> &[u32] {
        &self.order[..trail.get(self.size) as usize]
    }

    /// The other members.
    #[inline]
    pub fn bound(&self, trail: &Trail) -> &[u32] {
        &self.order[trail.get(self.size) as usize..]
    }

    /// The variable of a member, and what is added to its value.
    #[inline]
    pub fn view(&self, member: u32) -> (Var, DomainValue) {
        (self.scope[member as usize], self.offsets[member as usize])
    }

    /// Takes out the member at `member`, which is instantiated, and its value from the others.
    ///
    /// # Errors
    /// [`Inconsistency`] when it is the only one of another.
    #[inline]
    pub fn instantiated(
        &mut self,
        member: usize,
        domains: &mut Domains,
    ) -> Result<(), Inconsistency> {
        self.remove(member, &mut domains.trail);
        let value = domains.min(self.scope[member]) + self.offsets[member];
        let n_members = domains.trail.get(self.size) as usize;
        for &other in &self.order[..n_members] {
            let (var, offset) = self.view(other);
            domains.remove(var, value - offset)?;
        }
        Ok(())
    }

    #[inline]
    fn remove(&mut self, member: usize, trail: &mut Trail) {
        let last = trail.get(self.size) as usize - 1;
        let at = self.position[member] as usize;
        let other = self.order[last];
        debug_assert!(at <= last, "{member} is no member");
        (self.order[at], self.order[last]) = (other, member as u32);
        (self.position[other as usize], self.position[member]) = (at as u32, last as u32);
        trail.set(self.size, last as u64);
    }
}
