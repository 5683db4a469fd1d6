//! `a + b ≠ c + d`: two queens of the naive model are not on one diagonal.
//!
//! With lines L and columns C, the diagonals are `L_i + C_j ≠ L_j + C_i` and `L_i + C_i ≠ L_j +
//! C_j`. Three instantiated variables leave the fourth one value less; before that every value has
//! a support.

use super::Propagator;
use crate::cp::domain::{DomainValue, Domains, Inconsistency, Var};

/// `a + b ≠ c + d` on four different variables.
#[derive(Debug)]
pub struct Diagonal {
    /// a, b, c, d.
    scope: [Var; 4],
}

impl Diagonal {
    /// `a + b ≠ c + d`.
    pub fn new([a, b]: [Var; 2], [c, d]: [Var; 2]) -> Self {
        Self {
            scope: [a, b, c, d],
        }
    }
}

impl Propagator for Diagonal {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    fn instantiated(&mut self, _: usize, domains: &mut Domains) -> Result<(), Inconsistency> {
        let mut open = (0..4).filter(|&at| !domains.is_bound(self.scope[at]));
        let (last, None) = (open.next().unwrap_or(0), open.next()) else {
            return Ok(());
        };
        // (a + b) − (c + d) without the last variable; the forbidden value makes it 0.
        let sign = |at: usize| if at < 2 { 1 } else { -1 };
        let known = (0..4)
            .filter(|&at| at != last)
            .map(|at| sign(at) * domains.min(self.scope[at]))
            .sum::<DomainValue>();
        domains.remove(self.scope[last], -known * sign(last))
    }
}
