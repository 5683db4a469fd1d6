//! `x < y`, bounds consistent and so domain consistent: one of each mirrored pair of boards has
//! `C_0 < C_(n−1)`.

use super::Propagator;
use crate::cp::domain::{Domains, Event, Inconsistency, Var};

/// `x < y`.
#[derive(Debug)]
pub struct Less {
    scope: [Var; 2],
}

impl Less {
    /// `x < y`.
    pub fn new(x: Var, y: Var) -> Self {
        Self { scope: [x, y] }
    }
}

impl Propagator for Less {
    fn scope(&self) -> &[Var] {
        &self.scope
    }

    fn runs_on(&self) -> Option<Event> {
        Some(Event::Bounds)
    }

    fn is_light(&self) -> bool {
        true
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn propagate(&mut self, _: &[u32], domains: &mut Domains) -> Result<(), Inconsistency> {
        let [x, y] = self.scope;
        domains.remove_above(x, domains.max(y) - 1)?;
        domains.remove_below(y, domains.min(x) + 1)
    }
}
