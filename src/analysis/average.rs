//! The mean of any column of numbers over the trials of a point.

use super::bootstrap;
use super::mean::{Estimate, Interval, Mean};
use super::summary::{IntervalMethod, PointSummary, Quantity};
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
    /// Of the interval.
    pub method: IntervalMethod,
    /// All seeds together.
    pub trials: u64,
    /// Trials that were cut off.
    pub censored: u64,
    /// Updates allowed to a trial; the least, where rows differ.
    pub cutoff: u64,
}

impl Average {
    /// `None` where a trial has no value in the column, or there is no trial. Times and moves are
    /// those of [`PointSummary`].
    pub fn of(trials: &PointTrials, column: &str) -> Option<Self> {
        if let Some(quantity) = Quantity::from_name(column) {
            let point = PointSummary::of(trials)?;
            let summary = point.quantity(quantity)?;
            return Some(Self {
                mean: summary.mean,
                interval: summary.interval,
                method: summary.method,
                trials: point.trials,
                censored: summary.censored,
                cutoff: point.cutoff,
            });
        }
        let values = values(trials, column).filter(|values| !values.is_empty())?;
        let mean = Mean::of(&values);
        let is_cut_off = |row: &Row| row.is_running() || row.outcome.ending.is_cut_off();
        Some(Self {
            mean,
            interval: mean.interval(),
            method: IntervalMethod::LogT,
            trials: values.len() as u64,
            censored: trials.rows.without_boards().filter(is_cut_off).count() as u64,
            cutoff: trials.rows.without_boards().map(|row| row.cutoff).min()?,
        })
    }

    /// With the bootstrap's interval of the mean, from 200 to 10 000 trials none of which was cut
    /// off; else as it is.
    pub fn bootstrapped(mut self, trials: &PointTrials, column: &str) -> Self {
        let values = (self.censored == 0).then(|| values(trials, column));
        let values = values.flatten();
        if let Some(interval) = values.and_then(|it| bootstrap::interval_of_mean(&it)) {
            (self.interval, self.method) = (interval, IntervalMethod::Bootstrap);
        }
        self
    }

    /// The mean with its interval.
    pub fn estimate(&self) -> Estimate {
        Estimate {
            value: self.mean.value,
            interval: self.interval,
        }
    }

    /// Whether the mean is only a lower bound.
    pub fn is_lower_bound(&self) -> bool {
        self.censored > 0
    }
}

/// `None` where a trial has none.
fn values(trials: &PointTrials, column: &str) -> Option<Vec<u64>> {
    let column = COLUMNS.iter().find(|it| it.name == column)?;
    let Field::Count(read, _) = column.field else {
        return None;
    };
    let rows = trials.rows.without_boards();
    rows.map(|row| *read(&row.outcome)).collect()
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

    /// 300 different numbers of checks: the bootstrap is asked for and gives another interval.
    #[test]
    fn a_figure_may_ask_for_the_bootstrap() {
        let rows: Vec<_> = (0..300)
            .map(|it| (Ending::Exhausted, Some(it * it)))
            .collect();
        let [many, few] = [&rows[..], &rows[..199]].map(point);
        let average = |trials| Average::of(trials, "checks").expect("every row has checks");
        let asked = average(&many).bootstrapped(&many, "checks");
        assert_eq!(asked.method, IntervalMethod::Bootstrap);
        let width = |it: Average| it.interval.high - it.interval.low;
        assert!((width(asked) / width(average(&many)) - 1.0).abs() < 0.05);
        let asked = average(&few).bootstrapped(&few, "checks");
        assert_eq!(asked, average(&few));
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
