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
mod tests;
