//! A statistic of any column of numbers over the trials of a point. Here is decided which trials a
//! mean, a quantile or a share takes, what a trial that was cut off counts with, which interval it
//! gets and its name in tables (`t of ln`, `t`, `binomial`, `Gaffke`), and when a point has no
//! number.

use super::distribution::least_share_of_all;
use super::estimate::Estimate;
use super::formula::{CENSORED, DividedBy, Statistic, Summary};
use super::jackknife;
use super::lower_bound::lower_bound_of_mean;
use super::quantile::{Bounded, Ordered};
use super::quantity::Quantity;
use super::share;
use crate::experiment::store::rows::PointTrials;
use crate::solver::algorithm;

/// The interval of a mean is the t interval of its logarithm.
const LOG_T: &str = "t of ln";

/// The interval of a mean of reals is the t interval of the mean itself.
pub const T: &str = "t";

/// Every trial was cut off: only the share that ends earlier is bounded, by the binomial law.
const BINOMIAL: &str = "binomial";

/// Some trials were cut off: the mean is a lower bound, and has a lower bound itself.
const GAFFKE: &str = "Gaffke";

/// A number that the trials of a point have together, all seeds pooled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The number; a mean of what trials had reached that were cut off is a lower bound.
    pub estimate: Estimate,
    /// The method of the interval, in a word.
    pub method: &'static str,
    /// Trials that were cut off before what is measured.
    pub censored: u64,
    /// Updates allowed to a trial; the least, where rows differ: later events count as censored at
    /// it.
    pub cutoff: u64,
}

impl Measured {
    /// A summary over all trials of a point; `None` where a trial has no value in a column of it,
    /// where it never fills the column of a share, and where there is no trial.
    pub fn of(trials: &PointTrials, summary: &Summary) -> Option<Self> {
        let column = &summary.formula.column;
        match (summary.statistic, &summary.formula.by) {
            (Statistic::Mean, DividedBy::Column(other)) => Self::ratio(trials, column, other),
            (Statistic::Mean, _) => Self::mean(trials, column),
            (Statistic::Quantile(percent), _) => Self::quantile(trials, column, percent),
            (Statistic::Share, _) => Self::share(trials, column),
        }
    }

    /// The mean of a column. Of times and moves that of X, the value at the event (absorption, or
    /// the first hit); with trials whose event did not happen within the cutoff the restricted mean
    /// E[X at min(event, cutoff)], a lower bound: a censored trial is never averaged as if it had
    /// ended.
    pub fn mean(trials: &PointTrials, column: &str) -> Option<Self> {
        if let Some(quantity) = Quantity::from_name(column) {
            let cutoff = trials.rows.least_cutoff()?;
            let (values, n_bounds) = quantity.values_of_all(&trials.rows, cutoff)?;
            return Some(Self::restricted((&values, n_bounds), quantity, cutoff));
        }
        if let Some(reals) = reals(trials, column) {
            return Self::with(trials, Estimate::mean_of_reals(&reals?), T);
        }
        let values = values(trials, column)?;
        let mut found = Self::with(trials, Estimate::mean(&values), LOG_T)?;
        if found.censored > 0 {
            found.estimate = found.estimate.bounding(true);
            found.estimate.low = lower_bound_of_mean(&values);
            found.method = GAFFKE;
        }
        Some(found)
    }

    /// With trials that were cut off the interval is a lower bound ([`lower_bound_of_mean`]). If no
    /// time ended, that is: the share p of trials that end is at most 1 − 0.025^(1/m), with 97.5 %
    /// confidence, so E[min(T, c)] is at least c (1 − p).
    fn restricted((values, n_bounds): (&[u64], usize), quantity: Quantity, cutoff: u64) -> Self {
        let censored = n_bounds as u64;
        let mut estimate = Estimate::mean(values);
        let method = if censored == 0 {
            LOG_T
        } else if quantity.is_time() && censored == estimate.trials {
            estimate.low = cutoff as f64 * least_share_of_all(censored);
            BINOMIAL
        } else {
            estimate.low = lower_bound_of_mean(values);
            GAFFKE
        };
        Self {
            estimate: estimate.bounding(censored > 0),
            method,
            censored,
            cutoff,
        }
    }

    fn with(trials: &PointTrials, estimate: Estimate, method: &'static str) -> Option<Self> {
        let endings = trials.rows.endings().iter();
        Some(Self {
            estimate,
            method,
            censored: endings.filter(|ending| ending.is_cut_off()).count() as u64,
            cutoff: trials.rows.least_cutoff()?,
        })
    }

    /// A quantile instead of the mean; a lower bound where it exceeds what the first of the trials
    /// that were cut off had reached, whose ranks are not known.
    pub fn quantile(trials: &PointTrials, column: &str, percent: u32) -> Option<Self> {
        let mean = Self::mean(trials, column)?;
        if let Some(reals) = reals(trials, column) {
            let estimate = quantile_of_reals(&reals?, percent);
            let method = "order statistics";
            return Some(Self {
                estimate,
                method,
                ..mean
            });
        }
        let observed = match Quantity::from_name(column) {
            Some(quantity) => quantity.of_all(&trials.rows, mean.cutoff)?,
            None => grown(trials, column)?,
        };
        let quantile = Ordered::of_bounded(&observed).quantile(percent);
        let high = quantile
            .high
            .map_or(f64::INFINITY, |bounded| bounded.value as f64);
        let ends = [quantile.low.value as f64, high];
        Some(Self {
            method: "order statistics",
            estimate: Estimate {
                trials: mean.estimate.trials,
                is_bound: quantile.value.at_least,
                ..Estimate::within(quantile.value.value as f64, ends)
            },
            ..mean
        })
    }

    /// The share of the trials that have a value in the column, or that were cut off.
    fn share(trials: &PointTrials, column: &str) -> Option<Self> {
        let rows = &trials.rows;
        let is_known = match algorithm(&trials.point.algorithm) {
            Some(algorithm) => algorithm.columns.iter().any(|known| known.name == column),
            // A program fills what its rows have.
            None => rows.has_own(column) || rows.filled(column) > 0,
        };
        if !is_known && column != CENSORED {
            return None;
        }
        let filled = match is_known {
            true => rows.filled(column),
            false => rows
                .endings()
                .iter()
                .filter(|ending| ending.is_cut_off())
                .count(),
        };
        let share = share::share(filled as u64, rows.len() as u64);
        Self::with(trials, share, "Wilson")
    }

    /// The sum of a column over all trials, divided by that of another one, which is not 0. Where
    /// trials were cut off it is that up to the cutoff, which no fit weighs.
    fn ratio(trials: &PointTrials, column: &str, other: &str) -> Option<Self> {
        let pairs = pairs(trials, column, other)?;
        let is_real = [column, other]
            .iter()
            .any(|column| trials.rows.reals(column).is_some());
        let (ratio, method) = if is_real {
            let ratio = jackknife::ratio_of_reals(&pairs)?;
            let around = Estimate::with_error_around(ratio.value, ratio.error, ratio.trials);
            (around, T)
        } else {
            (jackknife::ratio(&pairs)?, LOG_T)
        };
        let mut found = Self::with(trials, ratio, method)?;
        if found.censored > 0 {
            found.estimate.error = f64::INFINITY;
        }
        Some(found)
    }
}

/// `None` where a trial has none.
fn values(trials: &PointTrials, column: &str) -> Option<Vec<u64>> {
    let values = trials.rows.count(column)?.whole()?;
    (!values.is_empty()).then(|| values.to_vec())
}

/// A column that grows within a trial: what a trial that was cut off had reached is a lower bound.
fn grown(trials: &PointTrials, column: &str) -> Option<Vec<Bounded>> {
    let values = values(trials, column)?.into_iter();
    let endings = trials.rows.endings().iter();
    let bounded = values.zip(endings).map(|(value, ending)| Bounded {
        value,
        at_least: ending.is_cut_off(),
    });
    Some(bounded.collect())
}

/// Both columns of each trial; `None` where a trial lacks one of both.
fn pairs(trials: &PointTrials, column: &str, other: &str) -> Option<Vec<[f64; 2]>> {
    let both = numbers_of(trials, column)?.into_iter();
    let both = both.zip(numbers_of(trials, other)?);
    Some(both.map(|(a, b)| [a, b]).collect())
}

/// The numbers of a column, of whatever kind; `None` where a trial has none.
fn numbers_of(trials: &PointTrials, column: &str) -> Option<Vec<f64>> {
    match reals(trials, column) {
        Some(reals) => reals,
        None => {
            let values = values(trials, column)?;
            Some(values.into_iter().map(|value| value as f64).collect())
        }
    }
}

/// The real numbers of a column, or `None` in their place where a trial has none; `None` of a
/// column that has no reals.
fn reals(trials: &PointTrials, column: &str) -> Option<Option<Vec<f64>>> {
    let reals: Option<Vec<f64>> = trials.rows.reals(column)?.iter().copied().collect();
    Some(reals.filter(|reals| !reals.is_empty()))
}

/// A quantile of real numbers with the interval of its ranks, as [`Ordered::quantile`]: from −∞ or
/// to ∞ where the sample is too small. A number stands for its rank among all doubles there, which
/// has the same order.
fn quantile_of_reals(reals: &[f64], percent: u32) -> Estimate {
    const SIGN: u64 = 1 << 63;
    let rank = |real: &f64| match real.to_bits() {
        bits if bits >= SIGN => !bits,
        bits => bits | SIGN,
    };
    let real = |rank: u64| match rank {
        rank if rank >= SIGN => f64::from_bits(rank ^ SIGN),
        rank => f64::from_bits(!rank),
    };
    let ranks: Vec<u64> = reals.iter().map(rank).collect();
    let quantile = Ordered::of(ranks, reals.len()).quantile(percent);
    let low = match quantile.low.value {
        // No finite number has this rank: the sample is too small.
        0 => f64::NEG_INFINITY,
        rank => real(rank),
    };
    let high = quantile.high.map_or(f64::INFINITY, |high| real(high.value));
    Estimate {
        trials: reals.len() as u64,
        ..Estimate::within(real(quantile.value.value), [low, high])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::formula::Formula;
    use crate::analysis::synthetic::{assert_close, pair_key};
    use crate::experiment::store::Row;
    use crate::solver::outcome::OwnValues;
    use crate::solver::{Ending, Outcome, OwnValue};

    /// Under the cutoff 1000: the times of the absorption and of the hit, and the moves up to each.
    fn row(times: [Option<u64>; 2], moves: u64, moves_at_hit: Option<u64>) -> Row {
        let [absorption_time, hitting_time] = times;
        let ending = absorption_time.map_or(Ending::Censored, |_| Ending::Absorbed);
        Row {
            seed: 1,
            trial: 0,
            cutoff: 1000,
            outcome: Outcome {
                absorption_time,
                hitting_time,
                moves: Some(moves),
                moves_at_hit,
                updates: absorption_time.or(Some(1000)),
                ..Outcome::ended(ending)
            },
        }
    }

    fn of_each(rows: &[Row], statistic: Statistic) -> [Option<Measured>; 4] {
        let trials = PointTrials {
            point: pair_key(8, 0.01),
            rows: rows.to_vec().into(),
        };
        Quantity::ALL.map(|it| of(&trials, it.name(), statistic))
    }

    fn mean_and_censored(found: Option<Measured>) -> (f64, u64) {
        let Measured {
            estimate, censored, ..
        } = found.expect("the rows have it");
        (estimate.value, censored)
    }

    /// The expected values are by hand: min(T, 1000) of 100, 1000, 1000, 300; the second trial hit
    /// at 700, the third never.
    #[test]
    fn censored_trials_count_with_their_cutoff_and_are_counted() {
        let rows = [
            row([Some(100), Some(100)], 5, Some(5)),
            row([None, Some(700)], 20, Some(9)),
            row([None, None], 30, None),
            row([Some(300), Some(200)], 5, Some(2)),
        ];
        let means = of_each(&rows, Statistic::Mean).map(mean_and_censored);
        assert_eq!(means, [(600.0, 2), (500.0, 1), (15.0, 2), (11.5, 1)]);
        // Below the least of the moves so far, 20, moves have their rank.
        let is_bound = |percent| {
            let [time, _, moves, _] = of_each(&rows, Statistic::Quantile(percent));
            [time, moves].map(|it| it.expect("a quantile").estimate.is_bound)
        };
        let are_bounds = [5, 25, 50, 75, 95].map(is_bound);
        let [exact, bound] = [[false; 2], [true; 2]];
        assert_eq!(are_bounds, [exact, exact, exact, bound, bound]);
    }

    /// Clopper and Pearson's bound for 0 of 20 is 0.16843347 (SciPy's `binomtest`).
    #[test]
    fn when_every_trial_was_cut_off_the_binomial_law_bounds_what_may_come() {
        let rows = vec![row([None, None], 3, None); 20];
        let [time, _, moves, _] = of_each(&rows, Statistic::Mean).map(|it| it.expect("a mean"));
        assert_close(&[time.estimate.low], &[831.56652901691], 1e-11);
        let upper = [time.estimate.value, time.estimate.high];
        assert_eq!(upper, [1000.0, f64::INFINITY]);
        assert_eq!([time, moves].map(|it| it.method), [BINOMIAL, GAFFKE]);
    }

    #[test]
    fn under_two_cutoffs_the_least_counts() {
        let mut early = row([None, None], 3, None);
        early.cutoff = 150;
        let late = row([Some(900), Some(800)], 8, Some(7));
        let rows = [early, row([Some(100), Some(90)], 8, Some(7)), late];
        let [time, ..] = of_each(&rows, Statistic::Mean);
        assert_eq!(time.map(|it| it.cutoff), Some(150));
        assert_eq!(mean_and_censored(time), (400.0 / 3.0, 2));
    }

    #[test]
    fn what_an_algorithm_does_not_measure_has_no_mean() {
        let mut bare = row([Some(100), None], 0, None);
        bare.outcome.moves = None;
        let are_known = of_each(&[bare], Statistic::Mean).map(|it| it.is_some());
        assert_eq!(are_known, [true, false, false, false]);
    }

    fn of(trials: &PointTrials, formula: &str, statistic: Statistic) -> Option<Measured> {
        let formula = Formula::of(formula);
        Measured::of(trials, &Summary { statistic, formula })
    }

    fn numbers(Measured { estimate, .. }: Measured) -> [f64; 3] {
        [estimate.value, estimate.low, estimate.high]
    }

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
        let average = |trials: &PointTrials| of(trials, "checks", Statistic::Mean);
        let trials = point(Ending::Exhausted, [Some(10), Some(20)]);
        let found = average(&trials).expect("every row has checks");
        let Estimate {
            value,
            trials: count,
            is_bound,
            ..
        } = found.estimate;
        assert_eq!(
            (value, count, found.cutoff, is_bound),
            (15.0, 2, 100, false)
        );
        assert_eq!(of(&trials, "solution", Statistic::Mean), None);
        let cut = average(&point(Ending::Censored, [Some(10)]));
        assert!(cut.expect("it has checks").estimate.is_bound);
        for nothing in [&[Some(10), None][..], &[]] {
            let nothing = point(Ending::Exhausted, nothing.iter().copied());
            assert_eq!(average(&nothing), None);
        }
    }

    /// The numbers −50 … 49 in units of 0.5, whose median is that of the ranks 50, 40 and 61 as
    /// below; a row without a number gives none, and censored ones are no bounds of a real.
    #[test]
    fn reals_have_a_mean_a_median_and_a_ratio() {
        let row = |half: i32, ending| {
            let mut outcome = Outcome::ended(ending);
            let energy = OwnValue::Real(f64::from(half) / 2.0);
            outcome.own.set("energy", energy);
            outcome.checks = Some(2);
            Row {
                seed: 1,
                trial: 0,
                cutoff: 100,
                outcome,
            }
        };
        let rows = (-50..50).map(|half| row(half, Ending::Censored));
        let trials = PointTrials {
            point: pair_key(8, 0.01),
            rows: rows.collect(),
        };
        let mean = of(&trials, "energy", Statistic::Mean).expect("a real each");
        assert_close(&[mean.estimate.value], &[-0.25], 1e-12);
        assert_eq!(
            (mean.method, mean.censored, mean.estimate.is_bound),
            (T, 100, false)
        );
        let median = of(&trials, "energy", Statistic::Quantile(50)).expect("a real each");
        assert_eq!(numbers(median), [-0.5, -5.5, 5.0]);
        let ratio = of(&trials, "energy / checks", Statistic::Mean).expect("both columns");
        assert_close(&[ratio.estimate.value], &[-0.125], 1e-12);
        assert!(ratio.estimate.low < -0.125 && ratio.estimate.high > -0.125);
        // Reals whose sum is 0 exactly: the error of their mean, √(Σ x² / (m (m − 1))), over 2.
        let balanced = (-50..=50).map(|half| row(half, Ending::Absorbed));
        let balanced = PointTrials {
            point: pair_key(8, 0.01),
            rows: balanced.collect(),
        };
        let ratio = of(&balanced, "energy / checks", Statistic::Mean).expect("both columns");
        let mean = of(&balanced, "energy", Statistic::Mean).expect("a real each");
        let half = mean.estimate.high / 2.0;
        assert_close(&[ratio.estimate.high], &[half], 1e-9);
        let few = quantile_of_reals(&[3.0, -1.0], 50);
        assert_eq!(few.low, f64::NEG_INFINITY);
        let mut lacking = trials.clone();
        lacking
            .rows
            .edit(|rows| rows[0].outcome.own = OwnValues::default());
        assert_eq!(of(&lacking, "energy", Statistic::Mean), None);
    }

    /// The interval of the median of 1 … 100 is that of the ranks 40 and 61 (SciPy, by
    /// tests/reference/analysis.py). Where all trials were cut off no rank of a count is known;
    /// where one was, after 70 checks, the ranks up to 70 are, and so are the median and its
    /// interval.
    #[test]
    fn the_median_has_the_interval_of_its_ranks() {
        let hundred = || (1..=100).rev().map(Some);
        let median = |ending| of(&point(ending, hundred()), "checks", Statistic::Quantile(50));
        let found = median(Ending::Exhausted).expect("every row has checks");
        assert_eq!(numbers(found), [50.0, 40.0, 61.0]);
        let cut = median(Ending::Censored).expect("every row has checks");
        assert_eq!(cut.estimate.high, f64::INFINITY);
        let are_bounds = [found, cut].map(|it| it.estimate.is_bound);
        assert_eq!(are_bounds, [false, true]);
        let mut one_cut = point(Ending::Exhausted, hundred());
        one_cut.rows.edit_each(|row| {
            if row.outcome.checks == Some(70) {
                row.outcome.ending = Ending::Censored;
            }
        });
        let of_one_cut = |percent| of(&one_cut, "checks", Statistic::Quantile(percent));
        let [median, upper] = [50, 75].map(|percent| of_one_cut(percent).expect("checks"));
        assert_eq!(numbers(median), [50.0, 40.0, 61.0]);
        let are_bounds = [median, upper].map(|it| it.estimate.is_bound);
        assert_eq!(are_bounds, [false, true]);
        let few = point(Ending::Exhausted, [Some(7), Some(9), Some(8)]);
        let few = of(&few, "checks", Statistic::Quantile(50)).expect("every row has checks");
        assert_eq!(numbers(few), [8.0, 0.0, f64::INFINITY]);
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
        let found = of(&trials, "absorption_time", Statistic::Share).expect("a column of the rule");
        assert_close(&numbers(found), &[0.8, 0.4901625, 0.9433178], 1e-6);
        assert_eq!(
            (found.estimate.trials, found.estimate.is_bound),
            (10, false)
        );
        assert_eq!(of(&trials, "nodes", Statistic::Share), None);
        // Their endings are censored, whatever their times.
        let cut = of(&trials, "censored", Statistic::Share).expect("every rule has an ending");
        assert_eq!(cut.estimate.value, 1.0);
    }

    /// (3 + 5) / (10 + 30), not the mean of 3/10 and 5/30; leaving one of both out gives 5/30 and
    /// 3/10, so the jackknife's error is √(1/2 · 2 · (1/15)²) = 1/15. Up to a cutoff it is the same
    /// number, without weight in a fit.
    #[test]
    fn a_ratio_is_that_of_the_sums() {
        let trials = |ending| {
            let mut trials = point(ending, [Some(10), Some(30)]);
            let rows = trials.rows.iter().zip([3, 5]).map(|(mut row, failures)| {
                row.outcome.failures = Some(failures);
                row
            });
            let rows: Vec<Row> = rows.collect();
            trials.rows = rows.into();
            trials
        };
        let [whole, cut] = [Ending::Exhausted, Ending::Censored].map(trials);
        let [found, so_far] = [&whole, &cut]
            .map(|it| of(it, "failures / checks", Statistic::Mean).expect("both columns"));
        let error = [found.estimate.value, found.estimate.error];
        assert_close(&error, &[0.2, 1.0 / 15.0], 1e-12);
        assert_eq!(numbers(found), numbers(so_far));
        assert_eq!((so_far.censored, so_far.estimate.is_bound), (2, false));
        assert_eq!(so_far.estimate.log_variance(), None);
        assert_eq!(of(&whole, "failures / nodes", Statistic::Mean), None);
    }
}
