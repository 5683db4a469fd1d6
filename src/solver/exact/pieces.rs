//! A search in pieces, perhaps on several threads: the sum of their counts when it is stopped.

use std::sync::{Mutex, PoisonError};

use super::counts::{Measures, MethodCounts};
use crate::solver::{Control, Ending, Interrupted};

/// What the pieces of a search have counted; each adds its own once, when it ends or is stopped.
pub struct Pieces<'a> {
    counts: Mutex<MethodCounts>,
    cutoff: u64,
    measures: Measures,
    control: &'a Control<'a>,
}

impl<'a> Pieces<'a> {
    /// Pieces of a search that has counted so much before.
    pub(super) fn new(
        before: MethodCounts,
        cutoff: u64,
        measures: Measures,
        control: &'a Control<'a>,
    ) -> Self {
        Self {
            counts: Mutex::new(before),
            cutoff,
            measures,
            control,
        }
    }

    /// A piece has ended with these counts.
    pub fn add(&self, piece: MethodCounts) {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner) += piece;
    }

    /// [`Control::poll`] for a piece, with `checks` more of them. When the search is stopped, the
    /// sum with the counts of this `piece` is noted; until then, threads share nothing.
    ///
    /// # Errors
    /// [`Interrupted`] when the search is stopped; then the piece is over.
    pub fn poll(
        &self,
        checks: u64,
        piece: impl FnOnce() -> MethodCounts,
    ) -> Result<(), Interrupted> {
        self.control.poll(checks).inspect_err(|_| {
            // Locked until it is noted: the last to stop notes the whole.
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            *counts += piece();
            // In parallel, pieces may together count more than the cutoff allows.
            let counted = MethodCounts {
                nodes: counts.nodes.min(self.cutoff),
                checks: counts.checks.min(self.cutoff),
                ..*counts
            };
            self.control
                .note(|| self.measures.outcome(&counted, Ending::Censored));
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use super::*;
    use crate::solver::{Ending, Gauge, Outcome};

    const MEASURES: Measures = Measures {
        nodes: Some("nodes"),
        checks: Some("checks"),
        failures: None,
    };

    fn counts(solutions: u64, nodes: u64) -> MethodCounts {
        MethodCounts {
            solutions,
            nodes,
            checks: nodes,
            failures: 0,
        }
    }

    /// Two pieces have ended, two are on their way, after what was counted before: the sums by
    /// hand.
    #[test]
    fn the_last_piece_to_stop_notes_the_whole_and_none_counts_twice() {
        let (stop, updates, gauge) = (AtomicBool::new(false), AtomicU64::new(0), Gauge::default());
        let control = Control::watched(&stop, &updates, &gauge);
        let pieces = Pieces::new(counts(0, 10), 2000, MEASURES, &control);
        pieces.add(counts(4, 100));
        assert_eq!(pieces.poll(50, || panic!("not stopped")), Ok(()));
        pieces.add(counts(2, 200));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(pieces.poll(70, || counts(6, 70)), Err(Interrupted));
        let expected = |solutions, nodes| {
            Some(Outcome {
                solutions: Some(solutions),
                nodes: Some(nodes),
                checks: Some(nodes),
                ..Outcome::ended(Ending::Censored)
            })
        };
        assert_eq!(gauge.read(), expected(12, 380));
        assert_eq!(pieces.poll(5, || counts(8, 1000)), Err(Interrupted));
        assert_eq!(gauge.read(), expected(20, 1380));
        assert_eq!(pieces.poll(5, || counts(0, 1000)), Err(Interrupted));
        assert_eq!(
            gauge.read(),
            expected(20, 2000),
            "the cutoff allows no more"
        );
        assert_eq!(updates.load(Ordering::Relaxed), 130);
    }
}
