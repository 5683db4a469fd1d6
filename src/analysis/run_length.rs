//! The run-length distribution of a point: how its absorption times are spread, and whether
//! starting over would help.

use super::distribution::{NORMAL_975, crossing};
use super::estimate::Estimate;
use super::jackknife::jackknife;
use super::quantile::Bounded;
use super::summary::{PointSummary, Quantity, Summary};
use super::survival::SurvivalCurve;
use crate::results::PointTrials;
use crate::results::rows::Rows;

/// Everything about the absorption times of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLength {
    pub summary: PointSummary,
    /// What [`Self::survival`] is made of: the curves of all points of a large run would not fit
    /// into memory.
    rows: Rows,
    /// Maximum-likelihood mean of an exponential law, updates: Σ min(T, c) / events, the mean
    /// without censored trials and the ERT with them.
    pub scale: f64,
    /// The shape of Weibull's law; 1 is the exponential law.
    pub shape: Option<Estimate>,
    pub residual_life: Vec<ResidualLife>,
}

impl RunLength {
    /// `None` where there are no rows, no trial was absorbed, or all start absorbed.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let summary = PointSummary::of(trials)?;
        let cutoff = summary.time()?.measured.cutoff;
        let observed = Quantity::AbsorptionTime.of_all(&trials.rows, cutoff)?;
        let time = summary.time()?;
        let scale = time
            .expected_run_length
            .unwrap_or(time.measured.estimate)
            .value;
        if !scale.is_finite() || scale == 0.0 {
            return None;
        }
        Some(Self {
            rows: trials.rows.clone(),
            scale,
            shape: weibull_shape(&observed),
            residual_life: residual_life(&observed),
            summary,
        })
    }

    /// The share of the trials that go on beyond a time.
    pub fn survival(&self) -> SurvivalCurve {
        let observed = Quantity::AbsorptionTime.of_all(&self.rows, self.time().measured.cutoff);
        let curve = observed.and_then(|observed| SurvivalCurve::of(&observed));
        curve.expect("`of` takes no point without it")
    }

    /// The summary of the absorption times.
    pub fn time(&self) -> &Summary {
        self.summary.time().expect("`of` takes no point without it")
    }
}

/// A time of 0 has no logarithm and counts as half an update.
const LEAST_TIME: f64 = 0.5;

/// The shape k of the Weibull law S(t) = exp(−(t/λ)^k): 1 is exponential, below 1 the hazard falls
/// (restarts may help), above 1 it rises. The interval is k · exp(±1.96 se), se from the observed
/// information of ln k.
///
/// Of maximum likelihood: the root of 1/k + Σ_events ln tᵢ / d − Σ tᵢ^k ln tᵢ / Σ tᵢ^k, over all
/// trials, those cut off with the time at which they were. `None` with fewer than two events or
/// when all logarithms are one.
fn weibull_shape(observed: &[Bounded]) -> Option<Estimate> {
    // Of times over the largest, so that no power overflows; the scale does not matter.
    let time = |trial: &Bounded| (trial.value as f64).max(LEAST_TIME);
    let largest = observed.iter().map(time).max_by(f64::total_cmp)?;
    let log = |trial| libm::log(time(trial) / largest);
    let logs: Vec<f64> = observed.iter().map(log).collect();
    let ended = || observed.iter().zip(&logs).filter(|it| !it.0.at_least);
    let events = ended().count() as f64;
    let mean_log = ended().map(|it| it.1).sum::<f64>() / events;
    // Σ w l / Σ w and Σ w l² / Σ w with the weights w = t^k of the logarithms l.
    let moments = |shape: f64| {
        let [mut weights, mut first, mut second] = [0.0; 3];
        for log in &logs {
            let weight = libm::exp(shape * log);
            weights += weight;
            first += weight * log;
            second += weight * log * log;
        }
        [first / weights, second / weights]
    };
    let log_variance = |shape: f64| {
        let [first, second] = moments(shape);
        second - first * first
    };
    let slope = |shape: f64| 1.0 / shape + mean_log - moments(shape)[0];
    let (least, greatest) = (1e-3, 1e3);
    let is_known = events >= 2.0 && log_variance(1.0) > 0.0;
    if !is_known || slope(least) < 0.0 || slope(greatest) > 0.0 {
        return None;
    }
    // The slope falls with k.
    let ends = (libm::log(least), libm::log(greatest));
    let shape = libm::exp(crossing(ends, 1e-14, |log| slope(libm::exp(log)) > 0.0));
    // Information of k, with the scale profiled out: d (1/k² + Var_w l); of ln k: k² times that.
    let information = events * (1.0 + shape * shape * log_variance(shape));
    let factor = libm::exp(NORMAL_975 / information.sqrt());
    Some(Estimate::within_factor(shape, factor))
}

/// Fewest later events behind a mean residual life.
const LEAST_LATER: usize = 5;

/// The mean time still to come of the trials that have lasted a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResidualLife {
    /// Updates already spent.
    pub time: u64,
    /// Mean of T − time over the trials with T > time; with trials cut off, of min(T, cutoff) −
    /// time: a lower bound.
    pub mean: Estimate,
    /// The mean over that from the start ([`RunLength::scale`]): both are of the same trials, so
    /// that its error is that of the ratio. At the start it is 1, without an error.
    pub in_means: Estimate,
}

/// Mean residual life after each of the times at which 0, 1, …, 9 tenths and 19 twentieths of the
/// trials have ended; times with fewer than five later events are left out.
///
/// Restarting after a time helps if and only if the mean residual life there exceeds the mean from
/// the start.
fn residual_life(observed: &[Bounded]) -> Vec<ResidualLife> {
    let mut sorted = observed.to_vec();
    sorted.sort_unstable_by_key(|trial| trial.value);
    let trials = sorted.len();
    let ended_by = |twentieths: usize| sorted[(trials * twentieths / 20).max(1) - 1].value;
    let quantiles = [2, 4, 6, 8, 10, 12, 14, 16, 18, 19].map(ended_by);
    let mut times: Vec<u64> = std::iter::once(0).chain(quantiles).collect();
    times.dedup();
    let life = |time: u64| {
        let later = &sorted[sorted.partition_point(|trial| trial.value <= time)..];
        let events = later.iter().filter(|trial| !trial.at_least).count();
        let left = || {
            later
                .iter()
                .map(|trial| trial.value - time)
                .collect::<Vec<_>>()
        };
        let mean = (events >= LEAST_LATER).then(|| Estimate::mean(&left()))?;
        // Σ (T − time) and number of those left, Σ T and number of those that ended.
        let sums = |trial: &Bounded| {
            let is_left = f64::from(u8::from(trial.value > time));
            let left = trial.value.saturating_sub(time) as f64;
            let ended = f64::from(u8::from(!trial.at_least));
            [left, is_left, trial.value as f64, ended]
        };
        let ratio = |&[left, number, all, ended]: &[f64; 4], _| left / number / (all / ended);
        let in_means = jackknife(|| sorted.iter().map(sums), ratio)?;
        Some(ResidualLife {
            time,
            mean,
            in_means,
        })
    };
    times.into_iter().filter_map(life).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{assert_close, remission};

    /// The expected lives are by hand: 1 … 40; after the time 20, half of the trials are left, with
    /// 1 … 20 to come.
    #[test]
    fn residual_life_is_the_mean_of_what_is_left() {
        let trial = |at_least| move |value| Bounded { value, at_least };
        let trials: Vec<Bounded> = (1..=40).map(trial(false)).collect();
        let lives = residual_life(&trials);
        assert_eq!(lives[0].mean.value, 20.5);
        let half = lives.iter().find(|life| life.time == 20);
        let half = half.expect("ten twentieths").mean;
        assert_eq!((half.value, half.trials), (10.5, 20));
        // By the jackknife in Python, each of the 40 left out in turn: of the mean alone, over the
        // mean from the start, it would be 1.3229/20.5 = 0.0645.
        let in_means = |at: usize| [lives[at].in_means.value, lives[at].in_means.error];
        assert_eq!(in_means(0), [1.0, 0.0]);
        let at = lives.iter().position(|life| life.time == 20).expect("it");
        assert_close(&in_means(at), &[10.5 / 20.5, 0.06539002947217017], 1e-12);
        assert!(lives.iter().all(|life| life.mean.trials >= 5));
        let cut_off = residual_life(&(1..=40).map(trial(true)).collect::<Vec<_>>());
        assert!(cut_off.is_empty());
    }

    /// lifelines' `WeibullFitter` with and without censoring, and SciPy's `weibull_min.fit`, by
    /// tests/reference/statistics.py.
    #[test]
    fn shape_and_interval_are_lifelines() {
        let shapes = remission().map(|trials| {
            let shape = weibull_shape(&trials).expect("there are events");
            [shape.value, shape.low, shape.high]
        });
        let lifelines = [
            [1.353734512947583, 0.7844419393725314, 2.3361794411595445],
            [1.3704998467369731, 0.9752913743404132, 1.9258550617002386],
        ];
        assert_close(shapes.as_flattened(), lifelines.as_flattened(), 1e-5);
    }

    #[test]
    fn too_little_says_nothing() {
        let trial = |value, at_least| Bounded { value, at_least };
        for too_little in [
            &[trial(5, true)][..],
            &[trial(5, false), trial(9, true)],
            &[trial(5, false), trial(5, false)],
        ] {
            assert_eq!(weibull_shape(too_little), None);
        }
        let start = [trial(0, false), trial(5, false), trial(9, false)];
        assert!(
            weibull_shape(&start).is_some(),
            "a start that is a solution"
        );
    }
}
