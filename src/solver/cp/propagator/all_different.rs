//! `all_different` at a chosen level of consistency, and what its levels share.

use super::bounds::BoundsConsistent;
use super::domain::DomainConsistent;
use super::not_equal::NotEqual;
use crate::cp::domain::{DomainValue, Domains, Inconsistency, Var};
use crate::cp::engine::Engine;
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

/// How much an `all_different` filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Consistency {
    /// A value is removed from all other variables as soon as one takes it: a clique of
    /// differences.
    Forward,
    /// Every value has what the level above asks, and every bound has a support among the intervals
    /// from least to greatest values.
    Bounds,
    /// Every value has a support.
    Domain,
}

/// The level for these variables where the model names none: domain consistency where the variables
/// need every value, differences alone where values are left over.
///
/// A permutation is full of Hall sets. With values to spare (the diagonals of n queens: n
/// variables, 2n − 1 values) they are rare, and looking for them takes more time than it saves.
pub fn automatic(views: &[View], domains: &Domains) -> Consistency {
    let span = Range::of(views, domains).len;
    if span <= views.len() {
        Consistency::Domain
    } else {
        Consistency::Forward
    }
}

/// Posts `all_different(views)`.
pub fn post(views: &[View], consistency: Consistency, engine: &mut Engine) {
    match consistency {
        Consistency::Forward => engine.post(clique(views)),
        Consistency::Bounds => {
            let propagator = BoundsConsistent::new(views, &mut engine.domains);
            engine.post(propagator);
        }
        Consistency::Domain => {
            let propagator = DomainConsistent::new(views, &mut engine.domains);
            engine.post(propagator);
        }
    }
}

fn clique(views: &[View]) -> NotEqual {
    let mut network = NotEqual::new(views.iter().map(|view| view.var).collect());
    for (j, y) in views.iter().enumerate() {
        for (i, x) in views[..j].iter().enumerate() {
            network.differ(i, j, y.offset - x.offset);
        }
    }
    network
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
        let (at, other) = (self.position[member] as usize, self.order[last]);
        debug_assert!(at <= last, "{member} is no member");
        (self.order[at], self.order[last]) = (other, member as u32);
        (self.position[other as usize], self.position[member]) = (at as u32, last as u32);
        trail.set(self.size, last as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n queens: n columns for n lines, 2n − 1 diagonals of each kind.
    #[test]
    fn columns_need_every_value_and_diagonals_do_not() {
        for n in [2, 8, 100] {
            let mut domains = Domains::default();
            let vars: Vec<_> = (0..n).map(|_| domains.variable(n)).collect();
            let sloped = |slope: DomainValue| -> Vec<View> {
                vars.iter()
                    .zip(0..)
                    .map(|(&var, i)| View {
                        var,
                        offset: slope * i,
                    })
                    .collect()
            };
            let levels = [0, 1, -1].map(|slope| automatic(&sloped(slope), &domains));
            assert_eq!(
                levels,
                [
                    Consistency::Domain,
                    Consistency::Forward,
                    Consistency::Forward
                ],
                "n = {n}"
            );
        }
    }
}
