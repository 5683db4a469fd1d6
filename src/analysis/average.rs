//! The mean of any column of numbers over the trials of a point.

use super::bootstrap;
use super::mean::{Estimate, Interval, Mean};
use super::quantile::Ordered;
use super::summary::{BOOTSTRAP, LOG_T, PERCENTS, PointSummary, Quantity};
use super::{jackknife, share};
use crate::experiment::spec::CENSORED;
use crate::experiment::store::Row;
use crate::results::PointTrials;
use crate::solver::algorithm;

/// A column's mean over all trials of a point, like a [`Summary`](super::summary::Summary).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// The mean; if trials were cut off, of what they had reached: a lower bound.
    pub mean: Mean,
    pub interval: Interval,
    pub method: &'static str,
    pub censored: u64,
    /// Updates allowed to a trial; the least, where rows differ.
    pub cutoff: u64,
    /// True if the true number is this or larger.
    pub is_lower_bound: bool,
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
                is_lower_bound: summary.is_lower_bound(),
            });
        }
        let values = values(trials, column).filter(|values| !values.is_empty())?;
        let average = Self::with(trials, Mean::of(&values), LOG_T)?;
        Some(Self {
            is_lower_bound: average.censored > 0,
            ..average
        })
    }

    /// No lower bound, with the interval of the mean.
    fn with(trials: &PointTrials, mean: Mean, method: &'static str) -> Option<Self> {
        let endings = trials.rows.endings().iter();
        Some(Self {
            mean,
            interval: mean.interval(),
            method,
            censored: endings.filter(|ending| ending.is_cut_off()).count() as u64,
            cutoff: trials.rows.cutoffs().iter().copied().min()?,
            is_lower_bound: false,
        })
    }

    /// The same trials with another number, which has no error for a fit to weigh it by.
    fn saying(self, Estimate { value, interval }: Estimate) -> Self {
        let mean = Mean {
            value,
            standard_error: f64::INFINITY,
            trials: self.mean.trials,
        };
        Self {
            mean,
            interval,
            ..self
        }
    }

    /// The median instead of the mean; where the rank of trials that were cut off is not known, a
    /// lower bound. `None` as for the mean.
    pub fn median(trials: &PointTrials, column: &str) -> Option<Self> {
        const MEDIAN: usize = 2;
        let average = Self::of(trials, column)?;
        let quantile = match Quantity::from_name(column) {
            Some(quantity) => PointSummary::of(trials)?.quantity(quantity)?.quantiles[MEDIAN],
            None => {
                let values = values(trials, column)?;
                let exact = if average.censored == 0 {
                    values.len()
                } else {
                    0
                };
                Ordered::of(values, exact).quantile(PERCENTS[MEDIAN])
            }
        };
        // An end that is itself only a bound bounds nothing from above.
        let high = quantile.high.filter(|it| !it.at_least);
        let median = Estimate {
            value: quantile.value.value as f64,
            interval: Interval {
                low: quantile.low.value as f64,
                high: high.map_or(f64::INFINITY, |it| it.value as f64),
            },
        };
        Some(Self {
            method: "order statistics",
            is_lower_bound: quantile.value.at_least,
            ..average.saying(median)
        })
    }

    /// The share of the trials that have a value in the column, or that were cut off. `None`
    /// where the algorithm never fills it, or there is no trial.
    pub fn share(trials: &PointTrials, column: &str) -> Option<Self> {
        let mut columns = algorithm(&trials.point.algorithm)?.columns.iter();
        let known = columns.find(|it| it.name == column);
        if known.is_none() && column != CENSORED {
            return None;
        }
        let rows = trials.rows.with_columns(&[column]);
        let has = |row: &Row| match known {
            Some(known) => known.is_filled(&row.outcome),
            None => row.outcome.ending.is_cut_off(),
        };
        let filled = rows.filter(has).count();
        let all = trials.rows.len() as u64;
        let unknown = Mean {
            value: 0.0,
            standard_error: f64::INFINITY,
            trials: all,
        };
        let average = Self::with(trials, unknown, "Wilson")?;
        Some(Self {
            is_lower_bound: false,
            ..average.saying(share::share(filled as u64, all))
        })
    }

    /// The sum of a column over all trials, divided by that of another one. `None` where a trial
    /// lacks one of both, or the other sum is 0.
    pub fn ratio(trials: &PointTrials, column: &str, other: &str) -> Option<Self> {
        let both = values(trials, column)?.into_iter();
        let both = both.zip(values(trials, other)?);
        let pairs: Vec<[f64; 2]> = both.map(|(a, b)| [a as f64, b as f64]).collect();
        Self::with(trials, jackknife::ratio(&pairs)?, LOG_T)
    }

    /// The average with the bootstrap's interval of the mean, if there are 200 to 10 000 trials of
    /// which none was cut off; else as it is.
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
}

/// `None` where a trial has none.
fn values(trials: &PointTrials, column: &str) -> Option<Vec<u64>> {
    trials.rows.integers(column).map(<[u64]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, pair_key};
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
        assert_eq!((numbers, found.is_lower_bound), ((15.0, 2, 100), false));
        assert_eq!(Average::of(&trials, "solution"), None);
        let cut = average(&point(Ending::Censored, [Some(10)]));
        assert!(cut.expect("it has checks").is_lower_bound);
        for nothing in [&[Some(10), None][..], &[]] {
            let nothing = point(Ending::Exhausted, nothing.iter().copied());
            assert_eq!(average(&nothing), None);
        }
    }

    /// The interval of the median of 1 … 100 is that of the ranks 40 and 61 (SciPy, by
    /// tests/reference/analysis.py); after a trial was cut off no rank of a count is known.
    #[test]
    fn the_median_has_the_interval_of_its_ranks() {
        let hundred = || (1..=100).rev().map(Some);
        let median = |ending| Average::median(&point(ending, hundred()), "checks");
        let found = median(Ending::Exhausted).expect("every row has checks");
        let numbers = [found.mean.value, found.interval.low, found.interval.high];
        assert_eq!((numbers, found.is_lower_bound), ([50.0, 40.0, 61.0], false));
        let cut = median(Ending::Censored).expect("every row has checks");
        assert_eq!(
            (cut.interval.high, cut.is_lower_bound),
            (f64::INFINITY, true)
        );
        let few = point(Ending::Exhausted, [Some(7), Some(9), Some(8)]);
        let few = Average::median(&few, "checks").expect("every row has checks");
        let numbers = [few.mean.value, few.interval.low, few.interval.high];
        assert_eq!(numbers, [8.0, 0.0, f64::INFINITY]);
    }

    /// 8 of 10 trials were absorbed: SciPy's interval of Wilson, as in `share`. A column that the
    /// rule never fills is no share of 0.
    #[test]
    fn a_share_is_of_all_trials() {
        let mut trials = point(Ending::Censored, [None; 10]);
        let row = |absorbed: bool| {
            let mut row = trials.rows.iter().next().expect("a row");
            row.outcome.absorption_time = absorbed.then_some(60);
            row
        };
        let rows: Vec<Row> = (0..10).map(|it| row(it < 8)).collect();
        trials.rows = rows.into();
        let found = Average::share(&trials, "absorption_time").expect("a column of the rule");
        assert_eq!((found.mean.value, found.mean.trials), (0.8, 10));
        let ends = [found.interval.low, found.interval.high];
        assert_close(&ends, &[0.4901625, 0.9433178], 1e-6);
        assert!(!found.is_lower_bound);
        assert_eq!(Average::share(&trials, "nodes"), None);
        // Their endings are censored, whatever their times.
        let cut = Average::share(&trials, "censored").expect("every rule has an ending");
        assert_eq!(cut.mean.value, 1.0);
    }

    /// (3 + 5) / (10 + 30), not the mean of 3/10 and 5/30; leaving one of both out gives 5/30 and
    /// 3/10, so the jackknife's error is √(1/2 · 2 · (1/15)²) = 1/15.
    #[test]
    fn a_ratio_is_that_of_the_sums() {
        let mut trials = point(Ending::Censored, [Some(10), Some(30)]);
        let rows = trials.rows.iter().zip([3, 5]).map(|(mut row, failures)| {
            row.outcome.failures = Some(failures);
            row
        });
        let rows: Vec<Row> = rows.collect();
        trials.rows = rows.into();
        let found = Average::ratio(&trials, "failures", "checks").expect("both columns");
        let numbers = [found.mean.value, found.mean.standard_error];
        assert_close(&numbers, &[0.2, 1.0 / 15.0], 1e-12);
        assert_eq!((found.censored, found.is_lower_bound), (2, false));
        assert_eq!(Average::ratio(&trials, "failures", "nodes"), None);
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
