//! The share of the trials that were absorbed.

use super::distribution::NORMAL_975;
use super::mean::{Estimate, Interval};
use crate::experiment::store::Row;
use crate::results::rows::Rows;

/// Trials of a point, and those that were absorbed before their cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsorbedShare {
    pub absorbed: u64,
    pub trials: u64,
}

impl AbsorbedShare {
    /// `None` where there is no trial, and for searches, which are never absorbed.
    pub fn of(rows: &Rows) -> Option<Self> {
        let seen = || rows.with_columns(&["updates", "absorption_time"]);
        let is_local = !rows.is_empty() && seen().all(|row| row.outcome.updates.is_some());
        let is_absorbed = |row: &Row| row.outcome.absorption_time.is_some();
        is_local.then(|| Self {
            absorbed: seen().filter(is_absorbed).count() as u64,
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
    use crate::analysis::synthetic::{assert_close, solved_row};

    /// SciPy 1.17, by tests/reference/analysis.py.
    #[test]
    fn wilsons_interval() {
        let [some, none] = [wilson(8, 10), wilson(0, 10)];
        let scipy = [0.4901625, 0.9433178, 0.2775328];
        assert_close(&[some.low, some.high, none.high], &scipy, 1e-6);
        assert!(none.low.abs() < 1e-15);
    }

    #[test]
    fn trials_cut_off_count_among_all() {
        let mut cut = solved_row(&[1, 3, 0, 2]);
        cut.outcome.absorption_time = None;
        let share = AbsorbedShare::of(&vec![solved_row(&[1, 3, 0, 2]), cut].into());
        let share = share.expect("two trials");
        assert_eq!((share.absorbed, share.trials), (1, 2));
        assert_eq!(AbsorbedShare::of(&vec![].into()), None);
    }
}
