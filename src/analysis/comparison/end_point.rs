//! What is compared at a point: four end points and the numbers that an algorithm has for itself,
//! and how each is tested. When times of samples are tested by the log-rank test (neither side has
//! twice as many trials), and else by that of Mann and Whitney, is decided here; whether trials are
//! pairs or samples in `comparison.rs`, the level in `significance.rs`.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Serialize, Serializer};

use super::pairs::Pairs;
use super::two_sample::{Test, log_rank, mann_whitney, paired};
use crate::analysis::estimate::Estimate;
use crate::analysis::jackknife::{jackknife, ratio};
use crate::analysis::quantile::Bounded;
use crate::analysis::quantity::Quantity;
use crate::experiment::store::Row;
use crate::experiment::store::rows::Rows;

/// The name of the test of times of two samples of about one size.
pub(super) const LOG_RANK: &str = "log-rank";

/// A number of each trial whose distribution a change of code may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndPoint {
    /// Updates until absorption.
    AbsorptionTime,
    /// Updates until the positions first form a solution.
    HittingTime,
    /// Up to the end of the trial: complete even when it was cut off, if the cutoffs are equal.
    Moves,
    /// Updates of a trial divided by its moves; of trials with moves. It scatters far less than
    /// either, so it sees a change of ε that the others miss.
    UpdatesPerMove,
    /// A number of this name that an algorithm has for itself, as it was at the end of the trial.
    Own(&'static str),
}

impl Serialize for EndPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// One test of one end point at one point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EndPointTest {
    /// What was tested.
    pub end_point: EndPoint,
    /// How, in words: of times of samples of about one size the log-rank test, of other samples by
    /// their ranks, of the same trials of both sides by their differences.
    #[serde(rename = "test")]
    pub method: &'static str,
    /// Statistic and p-value.
    #[serde(flatten)]
    pub test: Test,
    /// The means of A and of B; of times, of min(T, c).
    pub means: [f64; 2],
    /// True for a side with censored trials, whose mean is at least this.
    pub are_bounds: [bool; 2],
    /// Mean of B divided by mean of A (of times: of min(T, c)), the effect's size; `None` where a
    /// mean is 0, or a value is negative.
    pub ratio: Option<Estimate>,
    /// p adjusted for the whole family; 1 before [`adjust`](super::adjust).
    pub holm: f64,
    /// How much the values of a side scatter: of pairs their coefficient of variation, of samples
    /// the standard deviation of their logarithms.
    #[serde(skip)]
    pub spread: f64,
}

impl EndPoint {
    /// Those of local rules, in the order in which they are tested; own numbers follow by name.
    const OF_RULES: [Self; 4] = [
        Self::AbsorptionTime,
        Self::HittingTime,
        Self::Moves,
        Self::UpdatesPerMove,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::AbsorptionTime => Quantity::AbsorptionTime.name(),
            Self::HittingTime => Quantity::HittingTime.name(),
            Self::Moves => Quantity::Moves.name(),
            Self::UpdatesPerMove => "updates_per_move",
            Self::Own(name) => name,
        }
    }

    /// What both sides may have.
    fn of([a, b]: [&Rows; 2]) -> Vec<Self> {
        let names: BTreeSet<&str> = a.own_numbers().chain(b.own_numbers()).collect();
        let own = names.into_iter().map(|name| Self::Own(kept(name)));
        Self::OF_RULES.into_iter().chain(own).collect()
    }

    fn is_time(self) -> bool {
        matches!(self, Self::AbsorptionTime | Self::HittingTime)
    }

    /// `None` where the trial has no such number.
    fn value(self, row: &Row) -> Option<f64> {
        match self {
            Self::UpdatesPerMove => {
                let moves = row.outcome.moves.filter(|&moves| moves > 0)?;
                Some(row.outcome.updates? as f64 / moves as f64)
            }
            Self::Own(name) => row.outcome.own.get(name)?.number(),
            _ => Some(self.observed(row)?.value as f64),
        }
    }

    /// True for a trial that ended before this could be seen whole.
    fn is_cut(self, row: &Row) -> bool {
        self.is_time() && self.observed(row).is_some_and(|observed| observed.at_least)
    }

    /// The value as a whole number that a survival curve can be made of; updates per move in
    /// thousandths. `None` of own numbers.
    pub(crate) fn observed(self, row: &Row) -> Option<Bounded> {
        match self {
            Self::AbsorptionTime => Quantity::AbsorptionTime.observed(row, row.cutoff),
            Self::HittingTime => Quantity::HittingTime.observed(row, row.cutoff),
            Self::Moves => row.outcome.moves.map(Bounded::exactly),
            Self::UpdatesPerMove => {
                let thousandths = (self.value(row)? * 1000.0).round();
                Some(Bounded::exactly(thousandths as u64))
            }
            Self::Own(_) => None,
        }
    }
}

/// Tests of two independent samples of rows of one point, under one cutoff.
pub fn between_samples(sides: [&Rows; 2]) -> Vec<EndPointTest> {
    let tested = |end_point: EndPoint| {
        let values = sides.map(|rows| -> Vec<f64> {
            let rows = rows.without_boards();
            rows.filter_map(|row| end_point.value(&row)).collect()
        });
        if values.iter().any(Vec::is_empty) {
            return None;
        }
        let means = values.each_ref().map(|values| mean(values.iter().copied()));
        let ratio = ratio_of_samples(&values[0], &values[1]);
        let is_negative = values.iter().flatten().any(|value| *value < 0.0);
        let logarithms = values.each_ref().map(|values| logarithms(values));
        let (method, test) = if end_point.is_time() && are_balanced(sides) {
            let times = sides.map(|rows| {
                let rows = rows.without_boards();
                rows.filter_map(|row| end_point.observed(&row)).collect()
            });
            (LOG_RANK, log_rank(times))
        } else {
            ("Mann-Whitney", mann_whitney(values))
        };
        Some(EndPointTest {
            end_point,
            method,
            test,
            means,
            are_bounds: sides.map(|rows| rows.without_boards().any(|row| end_point.is_cut(&row))),
            ratio: ratio.filter(|_| !is_negative),
            holm: 1.0,
            spread: libm::sqrt(mean(logarithms.iter().map(|values| variance(values)))),
        })
    };
    EndPoint::of(sides).into_iter().filter_map(tested).collect()
}

/// True if neither side has twice as many rows as the other. The log-rank statistic of few trials
/// against many is far from normal: of 4 exponential times against 150 it has p below 0.00125 in
/// 1.3 % of cases, of 10 against 100 in 0.5 %; Mann and Whitney's less often than it should
/// (tests/reference/power.py).
fn are_balanced(sides: [&Rows; 2]) -> bool {
    let [a, b] = sides.map(Rows::len);
    a < 2 * b && b < 2 * a
}

/// Tests of the differences between rows of the same trials.
pub(super) fn within_pairs(common: Pairs) -> Vec<EndPointTest> {
    let tested = |end_point: EndPoint| {
        let values = |(a, b)| Some([end_point.value(&b)?, end_point.value(&a)?]);
        let pairs: Vec<[f64; 2]> = common.rows(false).filter_map(values).collect();
        let are_cut = |(a, b)| [end_point.is_cut(&b), end_point.is_cut(&a)];
        let cut: Vec<[bool; 2]> = common.rows(false).map(are_cut).collect();
        let differences: Vec<f64> = pairs.iter().map(|[b, a]| b - a).collect();
        let test = (!pairs.is_empty()).then(|| paired(&differences))?;
        let is_negative = pairs.iter().flatten().any(|value| *value < 0.0);
        let variation = |side: usize| {
            let values: Vec<f64> = pairs.iter().map(|pair| pair[side]).collect();
            let mean = mean(values.iter().copied());
            variance(&values) / (mean * mean)
        };
        Some(EndPointTest {
            end_point,
            method: "paired t",
            test,
            means: [1, 0].map(|side| mean(pairs.iter().map(|pair| pair[side]))),
            are_bounds: [1, 0].map(|side| cut.iter().any(|pair| pair[side])),
            // Of times that are all cut off nothing is known.
            ratio: ratio_of_pairs(&pairs)
                .filter(|_| !is_negative && cut.iter().any(|pair| *pair != [true; 2])),
            holm: 1.0,
            spread: libm::sqrt((variation(0) + variation(1)) / 2.0),
        })
    };
    let end_points = EndPoint::of([common.a, common.b]);
    end_points.into_iter().filter_map(tested).collect()
}

/// The name of an own number, which is kept once for the whole process.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = name.to_owned().leak();
    names.insert(name);
    name
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

/// The variance Σ (x − mean)² / (m − 1) of values; not a number for a single one.
fn variance(values: &[f64]) -> f64 {
    let mean = mean(values.iter().copied());
    let squares = values.iter().map(|value| (value - mean) * (value - mean));
    squares.sum::<f64>() / (values.len() as f64 - 1.0)
}

/// The natural logarithms of whole numbers, 0 counted as ½. Of reals below ½ there is none, as of
/// negative ones: a factor says nothing of these.
fn logarithms(values: &[f64]) -> Vec<f64> {
    let is_whole = values
        .iter()
        .all(|value| *value >= 0.0 && value.fract() == 0.0);
    let logarithm = |value: &f64| match is_whole {
        true => libm::log(value.max(0.5)),
        false => libm::log(*value),
    };
    values.iter().map(logarithm).collect()
}

/// Mean of b / mean of a, both independent. `None` as [`Estimate::ratio_to`].
fn ratio_of_samples(a: &[f64], b: &[f64]) -> Option<Estimate> {
    let mean = |values: &[f64]| {
        let values = || values.iter().map(|&value| [value]);
        jackknife(values, |[sum], trials| sum / trials)
    };
    mean(b)?.ratio_to(&mean(a)?)
}

/// Σ b / Σ a over pairs [b, a]. `None` where a sum is 0.
fn ratio_of_pairs(pairs: &[[f64; 2]]) -> Option<Estimate> {
    ratio(pairs).filter(|ratio| ratio.value > 0.0)
}
