//! How well the mean of a point is known, and how many trials would tell it better. Here are the
//! precision that is wanted (5 %), which column is the length of a trial, and when no number of
//! trials is advised (with fewer than 10); `run` and `list` print it.

use serde::Serialize;

use super::distribution::NORMAL_975;
use super::estimate::Estimate;
use super::measured::Measured;
use crate::experiment::store::rows::PointTrials;
use crate::solver::outcome::{ABSORPTION_TIME, HITTING_TIME};
use crate::solver::{algorithm, draws};

/// The relative half width that a mean for a figure should have, of its 95 % interval.
const WANTED: f64 = 0.05;

/// The fewest trials whose scatter is known to better than a quarter of itself.
const FEWEST: u64 = 10;

/// The columns that say how long a trial takes, in updates or in steps of a search.
const LENGTHS: [&str; 3] = [ABSORPTION_TIME, "checks", "nodes"];

/// How well the mean length of a point's trials is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Precision {
    /// What was run, as text.
    pub point: String,
    pub trials: u64,
    /// Trials that were stopped at their cutoff.
    pub censored: u64,
    /// The column of `trials.parquet` whose mean this is.
    pub column: String,
    pub mean: f64,
    /// True if the true mean is this or larger: then nothing below is known.
    pub is_lower_bound: bool,
    /// Half the width of the 95 % interval of ln mean, t · standard error / mean; 0 where every
    /// trial is the same. `None` of a single trial.
    pub relative_error: Option<f64>,
    /// The trials, in all, with which it would be 5 %, by the scatter of those that there are;
    /// `None` of fewer than [`FEWEST`].
    pub trials_for_5_percent: Option<u64>,
}

impl Precision {
    /// `None` where the algorithm has no such column, or there are no rows.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let point = &trials.point;
        let algorithm = algorithm(&point.algorithm);
        let has = |name: &&str| match algorithm {
            Some(algorithm) => algorithm.columns.iter().any(|column| column.name == *name),
            // A program fills what its rows have; its times are null where all are censored.
            None if *name == ABSORPTION_TIME => trials.rows.filled("updates") > 0,
            None => trials.rows.filled(name) > 0,
        };
        let is_program = algorithm.is_none();
        let hits = is_program.then(|| hits_alone(trials)).flatten();
        let length = hits.or_else(|| LENGTHS.into_iter().find(has));
        // Of what measures no length the first own column of numbers.
        let column = length.or_else(|| trials.rows.own_numbers().next())?;
        let measured = Measured::mean(trials, column)?;
        let mean = measured.estimate;
        let is_known = !mean.is_bound;
        let is_real = trials.rows.reals(column).is_some();
        let relative_error = if is_real {
            let half = (mean.high - mean.low) / 2.0 / mean.value.abs();
            half.is_finite().then_some(half)
        } else if draws(point) {
            mean.log_half_width()
        } else {
            Some(0.0)
        };
        Some(Self {
            point: point.to_string(),
            trials: mean.trials,
            censored: measured.censored,
            column: column.to_owned(),
            mean: mean.value,
            is_lower_bound: mean.is_bound,
            relative_error: relative_error.filter(|_| is_known),
            trials_for_5_percent: mean
                .trials_for(WANTED)
                .filter(|_| is_known && mean.trials >= FEWEST),
        })
    }
}

/// The hitting time of a program that fills it and no absorption time: some of its trials have come
/// to their end without one.
fn hits_alone(trials: &PointTrials) -> Option<&'static str> {
    let rows = &trials.rows;
    let has_ended = rows.endings().iter().any(|ending| !ending.is_cut_off());
    let is_alone = rows.filled(ABSORPTION_TIME) == 0 && rows.filled(HITTING_TIME) > 0;
    (has_ended && is_alone).then_some(HITTING_TIME)
}

impl Estimate {
    /// The number of values with which 1.96 standard errors would be this share of the mean, if
    /// they scatter as these do: (1.96 s / (wanted · mean))².
    fn trials_for(&self, wanted: f64) -> Option<u64> {
        let variation = self.error * (self.trials as f64).sqrt() / self.value.abs();
        let root = NORMAL_975 * variation / wanted;
        root.is_finite().then(|| (root * root).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, SyntheticLaw, pair_key, trials};
    use crate::experiment::spec::number::MOST_INTEGER;

    /// 1 and 3 have by hand: mean 2, standard error 1, t(1) = 12.706: ± 635 %; s = √2, so that
    /// (1.96 · 0.7071 / 0.05)² = 768.3 values are wanted.
    #[test]
    fn two_values_tell_little() {
        let mean = Estimate::mean(&[1, 3]);
        assert_eq!(mean.trials_for(WANTED), Some(769));
        assert_eq!(Estimate::mean(&[5]).trials_for(WANTED), None);
        assert_eq!(Estimate::mean(&[5, 5]).log_half_width(), Some(0.0));
        let half = mean.log_half_width().expect("two values");
        assert!((half - 12.706_204_7 / 2.0).abs() < 1e-6, "{half}");
    }

    /// Exponential times have a deviation as large as their mean: (1.96 / 0.05)² = 1537 trials.
    #[test]
    fn exponential_times_need_some_1537_trials() {
        let law = SyntheticLaw::of(pair_key(8, 0.01), 1e6, MOST_INTEGER);
        let known = Precision::of(&trials(&mut Draws::new(1), &law, 40_000)).expect("rows");
        let needed = known.trials_for_5_percent.expect("none is cut off");
        assert!((1450..1630).contains(&needed), "{needed}");
        let error = known.relative_error.expect("many trials");
        assert!((error * 200.0 / 1.96 - 1.0).abs() < 0.03, "{error}");
        assert_eq!(known.column, "absorption_time");
    }

    /// A mean of which some trials were cut off is a bound, and its error is not known.
    #[test]
    fn a_bound_has_no_error() {
        let law = SyntheticLaw::of(pair_key(8, 0.01), 1e6, 100_000);
        let known = Precision::of(&trials(&mut Draws::new(1), &law, 200)).expect("rows");
        assert!(known.is_lower_bound && known.censored > 100);
        assert_eq!(
            (known.relative_error, known.trials_for_5_percent),
            (None, None)
        );
    }
}
