//! The share of the trials that were absorbed.

use super::distribution::NORMAL_975;
use super::mean::{Estimate, Interval};
use crate::experiment::store::Row;
use crate::results::rows::Rows;

/// Trials of a point, and those that were absorbed before their cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsorbedShare {
    /// Absorbed trials.
    pub absorbed: u64,
    /// All of them.
    pub trials: u64,
}

impl AbsorbedShare {
    /// `None` where there is no trial, and for searches, which are never absorbed.
    pub fn of(rows: &Rows) -> Option<Self> {
        let is_local = |row: Row| row.outcome.updates.is_some();
        let is_absorbed = |row: &Row| row.outcome.absorption_time.is_some();
        (!rows.is_empty() && rows.without_boards().all(is_local)).then(|| Self {
            absorbed: rows.without_boards().filter(is_absorbed).count() as u64,
            trials: rows.len() as u64,
        })
    }

    /// absorbed / trials, with the 95 % interval of Wilson ([`wilson`]).
    pub fn estimate(self) -> Estimate {
        Estimate {
            value: self.absorbed as f64 / self.trials as f64,
            interval: wilson(self.absorbed, self.trials),
        }
    }
}

/// The 95 % interval of a probability by inverting its score test; never empty, never beyond 0 and
/// 1. Source: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209–212.
pub fn wilson(successes: u64, trials: u64) -> Interval {
    const Z: f64 = NORMAL_975;
    let (successes, trials) = (successes as f64, trials as f64);
    let centre = (successes + Z * Z / 2.0) / (trials + Z * Z);
    let reach =
        Z / (trials + Z * Z) * (successes * (trials - successes) / trials + Z * Z / 4.0).sqrt();
    Interval {
        low: (centre - reach).max(0.0),
        high: (centre + reach).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::solved_row;

    /// SciPy 1.17, by tests/reference/analysis.py.
    #[test]
    fn wilsons_interval() {
        for ((successes, trials), (low, high)) in [
            ((8, 10), (0.4901625, 0.9433178)),
            ((0, 10), (0.0, 0.2775328)),
        ] {
            let found = wilson(successes, trials);
            assert!(
                (found.low - low).abs() < 1e-7 && (found.high - high).abs() < 1e-7,
                "{found:?}"
            );
        }
    }

    #[test]
    fn trials_cut_off_count_among_all() {
        let solved = solved_row(&[1, 3, 0, 2]);
        let mut cut = solved.clone();
        cut.outcome.absorption_time = None;
        let share =
            AbsorbedShare::of(&vec![solved.clone(), cut, solved].into()).expect("three trials");
        assert_eq!((share.absorbed, share.trials), (2, 3));
        assert_eq!(AbsorbedShare::of(&vec![].into()), None);
    }
}
