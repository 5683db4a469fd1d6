//! What a complete run has of each point, in its manifest: lists and forecasts read no rows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::store::Record;
use crate::solver::{Ending, Point};

/// The trials of a point in a run: a table `[[points]]` of its manifest, in the order of the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointTotals {
    /// The point, as `check` prints it.
    pub point: String,
    /// Trials under all seeds.
    pub trials: u64,
    /// Trials that were stopped at their cutoff.
    pub censored: u64,
    /// Mean wall-clock time of a trial, in seconds.
    pub seconds: f64,
    /// Standard error of that mean, in seconds; absent of a single trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_error: Option<f64>,
    /// Queen moves of all trials; absent where a row has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
}

/// Sums up the trials of a run, in the order of `trials.parquet`.
#[derive(Default)]
pub struct Summaries {
    /// The totals of the points so far.
    pub points: Vec<PointTotals>,
    /// The point of the last of them.
    last: Option<Arc<Point>>,
    /// Sum of the squared distances from its mean time (Welford 1962).
    squares: f64,
}

impl Summaries {
    /// Adds the next record; a trial that is timed once more counts once.
    pub fn add(&mut self, record: &Record) {
        if record.repeat > 0 {
            return;
        }
        if self.last.as_ref() != Some(&record.point) {
            self.begin(&record.point);
        }
        let Some(totals) = self.points.last_mut() else {
            return;
        };
        let outcome = &record.row.outcome;
        totals.trials += 1;
        totals.censored += u64::from(outcome.ending == Ending::Censored);
        totals.moves = totals.moves.zip(outcome.moves).map(|(sum, it)| sum + it);
        let (trials, distance) = (totals.trials as f64, record.seconds - totals.seconds);
        totals.seconds += distance / trials;
        self.squares += distance * (record.seconds - totals.seconds);
        let error = (self.squares / (trials - 1.0) / trials).sqrt();
        totals.seconds_error = Some(error).filter(|it| it.is_finite());
    }

    fn begin(&mut self, point: &Arc<Point>) {
        self.points.push(PointTotals {
            point: point.to_string(),
            trials: 0,
            censored: 0,
            seconds: 0.0,
            seconds_error: None,
            moves: Some(0),
        });
        (self.last, self.squares) = (Some(Arc::clone(point)), 0.0);
    }
}
