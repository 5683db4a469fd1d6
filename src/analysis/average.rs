//! The mean of any column of numbers over the trials of a point.

use super::mean::{Interval, Mean};
use super::summary::{PointSummary, Quantity};
use crate::experiment::store::Row;
use crate::results::PointTrials;
use crate::solver::outcome::{COLUMNS, Field};

/// A column's mean over all trials of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// Where trials were cut off, of what they had come to: a lower bound.
    pub mean: Mean,
    /// 95 %.
    pub interval: Interval,
    /// Of the interval: see [`IntervalMethod`](super::summary::IntervalMethod).
    pub method: &'static str,
    /// All seeds together.
    pub trials: u64,
    /// Trials that were cut off.
    pub censored: u64,
    /// Updates allowed to a trial; the least, where rows differ.
    pub cutoff: u64,
}

impl Average {
    /// `None` where a trial has no value in the column, or there is no trial. Times and moves are
    /// those of [`PointSummary`]; other columns have the t interval of the logarithm.
    pub fn of(trials: &PointTrials, column: &str) -> Option<Self> {
        let quantity = Quantity::ALL.into_iter().find(|it| it.name() == column);
        if let Some(quantity) = quantity {
            let point = PointSummary::of(trials)?;
            let summary = point.quantity(quantity)?;
            return Some(Self {
                mean: summary.mean,
                interval: summary.interval,
                method: summary.method.name(),
                trials: point.trials,
                censored: summary.censored,
                cutoff: point.cutoff,
            });
        }
        let column = COLUMNS.iter().find(|it| it.name == column)?;
        let Field::Count(read, _) = column.field else {
            return None;
        };
        let values: Option<Vec<u64>> = {
            let rows = trials.rows.without_boards();
            rows.map(|row| *read(&row.outcome)).collect()
        };
        let values = values.filter(|values| !values.is_empty())?;
        let mean = Mean::of(&values);
        let is_cut_off = |row: &Row| row.is_running() || row.outcome.ending.is_cut_off();
        Some(Self {
            mean,
            interval: mean.interval(),
            method: "t of ln",
            trials: values.len() as u64,
            censored: trials.rows.without_boards().filter(is_cut_off).count() as u64,
            cutoff: trials.rows.without_boards().map(|row| row.cutoff).min()?,
        })
    }

    /// Whether the mean is only a lower bound.
    pub fn is_lower_bound(&self) -> bool {
        self.censored > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::pair_key;
    use crate::solver::{Ending, Outcome};

    fn point(rows: &[(Ending, Option<u64>)]) -> PointTrials {
        let row = |&(ending, checks): &(Ending, Option<u64>)| Row {
            seed: 1,
            trial: 0,
            cutoff: 100,
            outcome: Outcome {
                checks,
                updates: Some(7),
                ..Outcome::ended(ending)
            },
        };
        PointTrials {
            point: pair_key(8, 0.01),
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn any_column_of_numbers_has_a_mean() {
        let trials = point(&[(Ending::Exhausted, Some(10)), (Ending::Exhausted, Some(20))]);
        let average = Average::of(&trials, "checks").expect("every row has checks");
        assert_eq!(
            (average.mean.value, average.trials, average.cutoff),
            (15.0, 2, 100)
        );
        assert!(!average.is_lower_bound() && average.interval.low < 15.0);
        assert_eq!(Average::of(&trials, "nodes"), None);
        assert_eq!(Average::of(&trials, "solution"), None);
    }

    #[test]
    fn a_trial_cut_off_makes_a_lower_bound_and_a_missing_value_no_mean() {
        let cut = point(&[(Ending::Exhausted, Some(10)), (Ending::Censored, Some(20))]);
        assert!(
            Average::of(&cut, "checks")
                .expect("values")
                .is_lower_bound()
        );
        let missing = point(&[(Ending::Exhausted, Some(10)), (Ending::Exhausted, None)]);
        assert_eq!(Average::of(&missing, "checks"), None);
        assert_eq!(Average::of(&point(&[]), "checks"), None);
    }
}
