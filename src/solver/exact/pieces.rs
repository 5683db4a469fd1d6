//! A search in pieces, perhaps on several threads: what they have come to together when it is asked to stop.

use std::sync::{Mutex, PoisonError};

use super::search::so_far;
use super::{Counts, Measures};
use crate::solver::{Control, Interrupted};

/// What the pieces of a search have counted; each adds its own once, when it ends or is asked to stop.
pub struct Pieces<'a> {
    counts: Mutex<Counts>,
    cutoff: u64,
    measures: Measures,
    control: &'a Control<'a>,
}

impl<'a> Pieces<'a> {
    /// Pieces of a search that has counted so much before.
    pub(super) fn new(before: Counts, cutoff: u64, measures: Measures, control: &'a Control<'a>) -> Self {
        Self { counts: Mutex::new(before), cutoff, measures, control }
    }

    /// A piece has ended with these counts.
    pub fn add(&self, piece: Counts) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) += piece;
    }

    /// [`Control::poll`] for a piece, with `checks` more of them. On the wish to stop, the sum with what it has counted `so_far` is noted: nothing
    /// is shared between threads that need not stop.
    ///
    /// # Errors
    /// [`Interrupted`] on the wish to stop; then the piece is over.
    pub fn poll(&self, checks: u64, piece: impl FnOnce() -> Counts) -> Result<(), Interrupted> {
        self.control.poll(checks).inspect_err(|_| {
            // Locked until it is noted: the last to stop notes the whole.
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            *counts += piece();
            // Side by side, pieces may together look further than the cutoff allows.
            let counted = Counts { nodes: counts.nodes.min(self.cutoff), checks: counts.checks.min(self.cutoff), ..*counts };
            self.control.note(|| so_far(self.measures, &counted));
        })
    }
}
