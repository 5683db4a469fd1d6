//! The trials of a point as columns whose sums are all that its statistics need.

use super::{IntervalMethod, Measured, Quantity};
use crate::analysis::bootstrap::{MOST_TRIALS, Resampled, Sample};
use crate::analysis::distribution::least_share_of_all;
use crate::analysis::mean::{Estimate, Interval};
use crate::results::rows::Rows;

/// A trial's values of the four quantities, whether it was absorbed and whether it hit, and the
/// square of its absorption time: every statistic of a summary is a function of their sums, so one
/// set of resamples serves all.
pub type Columns = [f64; 7];
const EVENT: usize = 4;
const SQUARE: usize = 6;

/// The trials of a point, ready to be summarized.
pub struct PointSample<'a> {
    /// The least.
    pub cutoff: u64,
    /// Some trial is still running, so that there is no common cutoff.
    pub is_running: bool,
    rows: &'a Rows,
    resampled: Resampled<Trials<'a>, 7>,
}

/// The columns of each trial, made when they are asked for: of 10⁷ trials they would not fit into
/// memory.
struct Trials<'a> {
    rows: &'a Rows,
    cutoff: u64,
    /// The quantities that every trial measures, in the order of `Quantity::ALL`.
    measured: [bool; 4],
}

impl Sample<7> for Trials<'_> {
    fn trials(&self) -> usize {
        self.rows.len()
    }

    /// 0 for quantities that the algorithm does not measure.
    fn rows(&self) -> impl Iterator<Item = Columns> {
        Measured::all(self.rows).map(|trial| self.columns(&trial))
    }
}

impl Trials<'_> {
    #[inline]
    fn columns(&self, trial: &Measured) -> Columns {
        let mut columns = [0.0; 7];
        for (index, quantity) in Quantity::ALL.into_iter().enumerate() {
            let trial = trial.observed(quantity, self.cutoff);
            if let Some(trial) = trial.filter(|_| self.measured[index]) {
                columns[index] = trial.value as f64;
                if index < 2 {
                    columns[EVENT + index] = f64::from(u8::from(!trial.cut_off));
                }
            }
        }
        columns[SQUARE] = columns[0] * columns[0];
        columns
    }
}

impl<'a> PointSample<'a> {
    /// `None` without rows.
    pub fn of(rows: &'a Rows) -> Option<Self> {
        let cutoff = Measured::all(rows).map(|trial| trial.cutoff).min()?;
        let (mut is_running, mut measured) = (false, [true; 4]);
        for trial in Measured::all(rows) {
            is_running |= trial.is_running;
            for (is_measured, quantity) in measured.iter_mut().zip(Quantity::ALL) {
                *is_measured &= trial.observed(quantity, cutoff).is_some();
            }
        }
        let trials = Trials {
            rows,
            cutoff,
            measured,
        };
        Some(Self {
            cutoff,
            is_running,
            rows,
            resampled: Resampled::of(trials),
        })
    }

    /// The values of a quantity in the order of the rows, and how many of them were cut off; `None`
    /// where a trial does not measure it.
    pub fn measured(&self, quantity: Quantity) -> Option<(Vec<u64>, usize)> {
        let mut values = Vec::with_capacity(self.rows.len());
        let mut cut_off = 0;
        for trial in Measured::all(self.rows) {
            let trial = trial.observed(quantity, self.cutoff)?;
            cut_off += usize::from(trial.cut_off);
            values.push(trial.value);
        }
        Some((values, cut_off))
    }

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
