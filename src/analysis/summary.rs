//! The rows of a point in a few numbers, each with its uncertainty.

mod quantity;

pub use self::quantity::Quantity;

use super::distribution::least_share_of_all;
use super::estimate::Estimate;
use super::jackknife::{jackknife, ratio, variation};
use super::measured::{LOG_T, Measured};
use super::quantile::{Bounded, Quantile};
use crate::experiment::store::Point;
use crate::results::PointTrials;
use crate::results::rows::Rows;

/// The quantiles of a [`Summary`], in per cent.
pub const PERCENTS: [u32; 5] = [5, 25, 50, 75, 95];

/// Every trial was cut off: only the share that ends earlier is bounded, by the binomial law.
pub(crate) const BINOMIAL: &str = "binomial";

/// One quantity over all trials of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// What is summarized.
    pub quantity: Quantity,
    /// Mean of X, the quantity's value at its event (absorption, or the first hit); with trials
    /// whose event did not happen within the cutoff the restricted mean E[X at min(event, cutoff)],
    /// a lower bound: a censored trial is never averaged as if it had ended.
    pub measured: Measured,
    /// The mean time with independent restarts at the cutoff (ERT), E[min(T, c)] / F(c), of a time
    /// with censored trials; infinite when no trial ended.
    pub expected_run_length: Option<Estimate>,
    /// The coefficient of variation (standard deviation / mean) of the absorption time, if no trial
    /// is censored; 1 for exponential times.
    pub variation: Option<Estimate>,
    /// The quantiles at [`PERCENTS`].
    pub quantiles: [Quantile; 5],
}

impl Summary {
    /// `None` where a trial does not measure the quantity.
    pub(super) fn of(rows: &Rows, quantity: Quantity, cutoff: u64) -> Option<Self> {
        let observed = quantity.of_all(rows, cutoff)?;
        let values: Vec<u64> = observed.iter().map(|it| it.value).collect();
        let censored = observed.iter().filter(|it| it.at_least).count();
        let (trials, mean) = (values.len(), Estimate::mean(&values));
        let is_time = quantity.is_time();
        let bounds = (is_time && censored == trials).then(|| bounds(cutoff, trials));
        let [[low, high], run_length] = bounds.unwrap_or([[mean.low, mean.high]; 2]);
        let squares = || values.iter().map(|&it| it as f64).map(|it| [it, it * it]);
        let has_variation = quantity == Quantity::AbsorptionTime && censored == 0 && trials > 1;
        let variation = has_variation.then(|| jackknife(squares, variation));
        let expected_run_length = (is_time && censored > 0).then(|| {
            let pair = |it: &Bounded| [it.value as f64, f64::from(u8::from(!it.at_least))];
            let ended = ratio(&observed.iter().map(pair).collect::<Vec<_>>());
            let none = || Estimate::within(f64::INFINITY, run_length);
            ended.unwrap_or_else(none)
        });
        let ordered = quantity.ordered(&observed);
        Some(Self {
            quantity,
            measured: Measured {
                estimate: Estimate { low, high, ..mean }.bounding(censored > 0),
                method: bounds.map_or(LOG_T, |_| BINOMIAL),
                censored: censored as u64,
                cutoff,
            },
            expected_run_length,
            variation: variation.flatten(),
            quantiles: PERCENTS.map(|percent| ordered.quantile(percent)),
        })
    }
}

/// The intervals if no trial ended: then the share p of trials that end is at most 1 − 0.025^(1/m),
/// with 97.5 % confidence. So E[min(T, c)] is at least c (1 − p), and the expected run length is at
/// least c (1 − p) / p, since it falls with p.
fn bounds(cutoff: u64, trials: usize) -> [[f64; 2]; 2] {
    let (cutoff, rest) = (cutoff as f64, least_share_of_all(trials as u64));
    [
        [cutoff * rest, f64::INFINITY],
        [cutoff * rest / (1.0 - rest), f64::INFINITY],
    ]
}

/// Every quantity of a point, all its seeds pooled.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSummary {
    /// What was run.
    pub point: Point,
    /// The summaries in the order of [`Quantity::ALL`], without quantities that the algorithm does
    /// not measure.
    pub summaries: Vec<Summary>,
}

impl PointSummary {
    /// `None` where there are no rows.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let rows = &trials.rows;
        let cutoff = rows.cutoffs().iter().copied().min()?;
        let summary = |quantity| Summary::of(rows, quantity, cutoff);
        Some(Self {
            point: trials.point.clone(),
            summaries: Quantity::ALL.into_iter().filter_map(summary).collect(),
        })
    }

    /// The absorption time; `None` for a search.
    pub fn time(&self) -> Option<&Summary> {
        self.quantity(Quantity::AbsorptionTime)
    }

    /// `None` where the algorithm does not measure `quantity`.
    pub fn quantity(&self, quantity: Quantity) -> Option<&Summary> {
        self.summaries
            .iter()
            .find(|summary| summary.quantity == quantity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, pair_key};
    use crate::experiment::store::Row;
    use crate::solver::{Ending, Outcome};

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

    fn summarized(rows: &[Row]) -> PointSummary {
        let trials = PointTrials {
            point: pair_key(8, 0.01),
            rows: rows.to_vec().into(),
        };
        PointSummary::of(&trials).expect("there are rows")
    }

    fn mean(summary: &PointSummary, quantity: Quantity) -> (f64, u64) {
        let summary = summary.quantity(quantity).expect("the rows have it");
        (summary.measured.estimate.value, summary.measured.censored)
    }

    /// The expected values are by hand: min(T, 1000) of 100, 1000, 1000, 300; the second trial hit
    /// at 700, the third never. So 2400 updates for two absorptions, 2000 for three hits.
    #[test]
    fn censored_trials_count_with_their_cutoff_and_are_counted() {
        let summary = summarized(&[
            row([Some(100), Some(100)], 5, Some(5)),
            row([None, Some(700)], 20, Some(9)),
            row([None, None], 30, None),
            row([Some(300), Some(200)], 5, Some(2)),
        ]);
        assert_eq!(
            Quantity::ALL.map(|quantity| mean(&summary, quantity)),
            [(600.0, 2), (500.0, 1), (15.0, 2), (11.5, 1)]
        );
        let [absorption, hit, moves, _] = &summary.summaries[..] else {
            panic!("all are measured")
        };
        let is_bound = |it: &Summary| it.quantiles.map(|it| it.value.at_least);
        assert_eq!(is_bound(absorption), [false, false, false, true, true]);
        // Below the least of the moves so far, 20, moves have their rank.
        assert_eq!(is_bound(moves), [false, false, false, true, true]);
        assert_eq!(absorption.variation, None);
        let length = |it: &Summary| it.expected_run_length.map(|length| length.value);
        let expected = [Some(1200.0), Some(2000.0 / 3.0), None];
        assert_eq!([absorption, hit, moves].map(length), expected);
    }

    /// Clopper and Pearson's bound for 0 of 20 is 0.16843347 (SciPy's `binomtest`).
    #[test]
    fn when_every_trial_was_cut_off_the_binomial_law_bounds_what_may_come() {
        let summary = summarized(&vec![row([None, None], 3, None); 20]);
        let [time, _, moves, _] = &summary.summaries[..] else {
            panic!("all are measured")
        };
        let (mean, length) = (time.measured.estimate, time.expected_run_length);
        let length = length.expect("a time, cut off");
        assert_close(&[mean.low], &[831.56652901691], 1e-11);
        assert_eq!((mean.value, mean.high), (1000.0, f64::INFINITY));
        let odds = 0.83156652901691 / 0.16843347098309;
        assert_close(&[length.low], &[1000.0 * odds], 1e-11);
        assert!(length.value.is_infinite());
        let methods = [time, moves].map(|it| it.measured.method);
        assert_eq!(methods, [BINOMIAL, LOG_T]);
    }

    /// The expected values are by hand: 100, 200 and 600 have mean 300 and standard deviation √70
    /// 000.
    #[test]
    fn variation_is_deviation_over_mean() {
        let complete = [100, 200, 600].map(|time| row([Some(time); 2], 1, Some(1)));
        let variation = summarized(&complete).summaries[0].variation;
        let variation = variation.expect("complete times").value;
        assert_close(&[variation], &[70_000.0_f64.sqrt() / 300.0], 1e-12);
    }

    #[test]
    fn under_two_cutoffs_the_least_counts() {
        let mut early = row([None, None], 3, None);
        early.cutoff = 150;
        let late = row([Some(900), Some(800)], 8, Some(7));
        let summary = summarized(&[early, row([Some(100), Some(90)], 8, Some(7)), late]);
        assert_eq!(summary.summaries[0].measured.cutoff, 150);
        assert_eq!(mean(&summary, Quantity::AbsorptionTime), (400.0 / 3.0, 2));
    }

    #[test]
    fn what_an_algorithm_does_not_measure_has_no_summary() {
        let mut bare = row([Some(100), None], 0, None);
        bare.outcome.moves = None;
        let summary = summarized(&[bare]);
        assert_eq!(summary.summaries.len(), 1, "the absorption time");
    }
}
