//! The trials of a point as columns whose sums are all that its statistics need.

use super::IntervalMethod;
use crate::analysis::bootstrap::{MOST_TRIALS, Resampled};
use crate::analysis::distribution::least_share_of_all;
use crate::analysis::mean::{Estimate, Interval};
use crate::analysis::survival::Observed;

/// A trial's values of the four quantities, whether it was absorbed and whether it hit, and the
/// square of its absorption time: every statistic of a summary is a function of their sums, so one
/// set of resamples serves all.
pub type Columns = [f64; 7];
const EVENT: usize = 4;
const SQUARE: usize = 6;

/// The trials of a point, ready to be summarized.
pub struct Sample<'a> {
    pub cutoff: u64,
    /// Some trial is still running, so that there is no common cutoff.
    pub is_running: bool,
    /// In the order of `Quantity::ALL`.
    pub observed: [Option<Vec<Observed>>; 4],
    pub resampled: Resampled<'a, 7>,
}

/// The columns of each trial; 0 for quantities that the algorithm does not measure.
pub fn columns(observed: &[Option<Vec<Observed>>; 4], trials: usize) -> Vec<Columns> {
    let mut rows = vec![[0.0; 7]; trials];
    for (index, quantity) in observed.iter().enumerate() {
        for (row, trial) in rows.iter_mut().zip(quantity.iter().flatten()) {
            row[index] = trial.value as f64;
            if index < 2 {
                row[EVENT + index] = f64::from(u8::from(!trial.cut_off));
            }
        }
    }
    rows.iter_mut()
        .for_each(|row| row[SQUARE] = row[0] * row[0]);
    rows
}

impl Sample<'_> {
    /// Of the mean of the quantity at this index.
    pub fn mean_interval(&self, index: usize) -> (Interval, IntervalMethod) {
        let method = if self.resampled.trials() > MOST_TRIALS {
            IntervalMethod::LogT
        } else {
            IntervalMethod::Bca
        };
        (
            self.resampled.interval(|sums, trials| sums[index] / trials),
            method,
        )
    }

    /// Where no trial ended, at most this share does, with 97.5 % confidence: 1 − 0.025^(1/m), the
    /// exact binomial bound. `None` without trials.
    pub fn share_that_may_end(&self) -> Option<f64> {
        let trials = self.resampled.trials();
        (trials > 0).then(|| 1.0 - least_share_of_all(trials as u64))
    }

    /// E[min(T, c)] / F(c) of the time at this index.
    pub fn expected_run_length(&self, index: usize) -> Estimate {
        let value = self.resampled.total()[index] / self.resampled.total()[EVENT + index];
        match self.share_that_may_end() {
            // E[min(T, c)] is at least c (1 − F), and this falls with F.
            Some(share) if value.is_infinite() => Estimate {
                value,
                interval: Interval {
                    low: self.cutoff as f64 * (1.0 - share) / share,
                    high: f64::INFINITY,
                },
            },
            _ => Estimate {
                value,
                interval: self
                    .resampled
                    .interval(|sums, _| sums[index] / sums[EVENT + index]),
            },
        }
    }

    /// Standard deviation / mean of the absorption time.
    pub fn variation(&self) -> Estimate {
        let variation = |sums: &Columns, trials: f64| {
            let mean = sums[0] / trials;
            ((sums[SQUARE] - sums[0] * mean).max(0.0) / (trials - 1.0)).sqrt() / mean
        };
        Estimate {
            value: variation(self.resampled.total(), self.resampled.trials() as f64),
            interval: self.resampled.interval(variation),
        }
    }
}
