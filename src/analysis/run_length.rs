//! The run-length distribution of a point: how its absorption times are spread, and whether
//! starting over would help.

use super::each_point::of_each_point;
use super::exponentiality::weibull_shape;
use super::mean::{Estimate, Mean};
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
    /// Of Weibull's law.
    pub shape: Option<Estimate>,
    pub residual_life: Vec<ResidualLife>,
}

impl RunLength {
    /// `None` where there are no rows, no trial was absorbed, or all start absorbed.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let summary = PointSummary::of(trials)?;
        let cutoff = summary.cutoff;
        let observed = absorption_times(&trials.rows, cutoff)?;
        let time = summary.quantity(Quantity::AbsorptionTime)?;
        let scale = time
            .expected_run_length
            .map_or(time.mean.value, |length| length.value);
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
        let observed = absorption_times(&self.rows, self.summary.cutoff);
        let curve = observed.and_then(|observed| SurvivalCurve::of(&observed));
        curve.expect("`of` takes no point without it")
    }

    /// Of the absorption times.
    pub fn time(&self) -> &Summary {
        self.summary
            .quantity(Quantity::AbsorptionTime)
            .expect("`of` takes no point without it")
    }
}

/// `None` where a trial has none.
fn absorption_times(rows: &Rows, cutoff: u64) -> Option<Vec<Bounded>> {
    let mut observed = Vec::with_capacity(rows.len());
    for row in Quantity::rows(rows) {
        observed.push(Quantity::AbsorptionTime.observed(&row, cutoff)?);
    }
    Some(observed)
}

/// Of all points, in the order given; the points are shared out over the processors.
pub fn run_lengths(trials: &[PointTrials]) -> Vec<RunLength> {
    of_each_point(trials, RunLength::of)
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
    pub mean: Mean,
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
        let mean = (events >= LEAST_LATER).then(|| Mean::of(&left()))?;
        Some(ResidualLife { time, mean })
    };
    times.into_iter().filter_map(life).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1 … 40; after the time 20, half of the trials are left, with 1 … 20 to come.
    #[test]
    fn residual_life_is_the_mean_of_what_is_left() {
        let trial = |at_least| move |value| Bounded { value, at_least };
        let trials: Vec<Bounded> = (1..=40).map(trial(false)).collect();
        let lives = residual_life(&trials);
        assert_eq!(lives[0].mean.value, 20.5);
        let half = lives.iter().find(|life| life.time == 20);
        let half = half.expect("ten twentieths").mean;
        assert_eq!((half.value, half.trials), (10.5, 20));
        assert!(lives.iter().all(|life| life.mean.trials >= 5));
        let cut_off = residual_life(&(1..=40).map(trial(true)).collect::<Vec<_>>());
        assert!(cut_off.is_empty());
    }
}
