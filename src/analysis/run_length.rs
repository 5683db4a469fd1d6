//! The run-length distribution of a point: how its absorption times are spread.

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
}

impl RunLength {
    /// `None` where there are no rows, no trial was absorbed, or all start absorbed.
    pub fn of(trials: &PointTrials) -> Option<Self> {
        let summary = PointSummary::of(trials)?;
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
