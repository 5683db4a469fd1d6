//! The run-length distribution of a point: how its absorption times are spread, and whether
//! starting over would help.

use super::each_point::of_each_point;
use super::exponentiality::weibull_shape;
use super::mean::Estimate;
use super::residual_life::{ResidualLife, residual_life};
use super::summary::{Measured, PointSummary, Quantity, Summary};
use super::survival::{Observed, SurvivalCurve};
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
fn absorption_times(rows: &Rows, cutoff: u64) -> Option<Vec<Observed>> {
    let mut observed = Vec::with_capacity(rows.len());
    for trial in Measured::all(rows) {
        observed.push(trial.observed(Quantity::AbsorptionTime, cutoff)?);
    }
    Some(observed)
}

/// Of all points, in the order given; the points are shared out over the processors.
pub fn run_lengths(trials: &[PointTrials]) -> Vec<RunLength> {
    of_each_point(trials, RunLength::of)
}
