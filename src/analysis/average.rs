//! The mean of any column of numbers over the trials of a point.

use super::bootstrap;
use super::mean::{Estimate, Interval, Mean};
use super::summary::{BOOTSTRAP, LOG_T, PointSummary, Quantity};
use crate::results::PointTrials;
use crate::solver::outcome::COLUMNS;

/// A column's mean over all trials of a point, like a [`Summary`](super::summary::Summary).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// Where trials were cut off, of what they had come to: a lower bound.
    pub mean: Mean,
    pub interval: Interval,
    pub method: &'static str,
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
                censored: summary.censored,
                cutoff: point.cutoff,
            });
        }
        let values = values(trials, column).filter(|values| !values.is_empty())?;
        let mean = Mean::of(&values);
        let rows = || trials.rows.with_columns(&[]);
        Some(Self {
            mean,
            interval: mean.interval(),
            method: LOG_T,
            censored: rows().filter(|row| row.outcome.ending.is_cut_off()).count() as u64,
            cutoff: rows().map(|row| row.cutoff).min()?,
        })
    }

    /// With the bootstrap's interval of the mean, from 200 to 10 000 trials none of which was cut
    /// off; else as it is.
    pub fn bootstrapped(mut self, trials: &PointTrials, column: &str) -> Self {
        let values = (self.censored == 0).then(|| values(trials, column));
        let values = values.flatten();
        if let Some(interval) = values.and_then(|it| bootstrap::interval_of_mean(&it)) {
            (self.interval, self.method) = (interval, BOOTSTRAP);
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
    let place = COLUMNS.iter().find(|it| it.name == column)?;
    let rows = trials.rows.with_columns(&[column]);
    rows.map(|row| place.count(&row.outcome)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::pair_key;
    use crate::experiment::store::Row;
    use crate::solver::{Ending, Outcome};

    fn point(ending: Ending, checks: impl IntoIterator<Item = Option<u64>>) -> PointTrials {
        let row = |checks| Row {
            seed: 1,
            trial: 0,
            cutoff: 100,
            outcome: Outcome {
                checks,
                ..Outcome::ended(ending)
            },
        };
        PointTrials {
            point: pair_key(8, 0.01),
            rows: checks.into_iter().map(row).collect(),
        }
    }

    #[test]
    fn any_column_of_numbers_has_a_mean_where_every_trial_has_one() {
        let average = |trials: &PointTrials| Average::of(trials, "checks");
        let trials = point(Ending::Exhausted, [Some(10), Some(20)]);
        let found = average(&trials).expect("every row has checks");
        let numbers = (found.mean.value, found.mean.trials, found.cutoff);
        assert_eq!((numbers, found.is_lower_bound()), ((15.0, 2, 100), false));
        assert_eq!(Average::of(&trials, "solution"), None);
        let cut = average(&point(Ending::Censored, [Some(10)]));
        assert!(cut.expect("it has checks").is_lower_bound());
        for nothing in [&[Some(10), None][..], &[]] {
            let nothing = point(Ending::Exhausted, nothing.iter().copied());
            assert_eq!(average(&nothing), None);
        }
    }

    /// 300 different numbers of checks: the bootstrap is asked for and gives another interval.
    #[test]
    fn a_figure_may_ask_for_the_bootstrap() {
        let squares = |count: u64| point(Ending::Exhausted, (0..count).map(|it| Some(it * it)));
        let both = |count| {
            let trials = squares(count);
            let average = Average::of(&trials, "checks").expect("every row has checks");
            [average, average.bootstrapped(&trials, "checks")]
        };
        let [plain, asked] = both(300);
        assert_eq!(asked.method, BOOTSTRAP);
        let [plain, asked] = [plain, asked].map(|it| it.interval.high - it.interval.low);
        assert!((asked / plain - 1.0).abs() < 0.05);
        let [plain, asked] = both(199);
        assert_eq!(asked, plain);
    }
}
