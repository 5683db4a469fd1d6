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
    ended: Vec<PointTotals>,
    open: Option<OpenPoint>,
}

/// A point that may have more trials.
struct OpenPoint {
    point: Arc<Point>,
    summary: PointTotals,
    /// Sum of the squared distances from the mean time (Welford 1962).
    squares: f64,
}

impl Summaries {
    /// Adds the next record; a trial that is timed once more counts once.
    pub fn add(&mut self, record: &Record) {
        if record.repeat > 0 {
            return;
        }
        if self.open.as_ref().is_none_or(|it| it.point != record.point) {
            self.close();
            self.open = Some(OpenPoint::new(&record.point));
        }
        if let Some(open) = &mut self.open {
            open.add(record);
        }
    }

    /// The summaries of all points that were added.
    pub fn finish(mut self) -> Vec<PointTotals> {
        self.close();
        self.ended
    }

    fn close(&mut self) {
        self.ended.extend(self.open.take().map(OpenPoint::ended));
    }
}

impl OpenPoint {
    fn new(point: &Arc<Point>) -> Self {
        Self {
            point: Arc::clone(point),
            summary: PointTotals {
                point: point.to_string(),
                trials: 0,
                censored: 0,
                seconds: 0.0,
                seconds_error: None,
                moves: Some(0),
            },
            squares: 0.0,
        }
    }

    fn add(&mut self, record: &Record) {
        let (summary, outcome) = (&mut self.summary, &record.row.outcome);
        summary.trials += 1;
        summary.censored += u64::from(outcome.ending == Ending::Censored);
        summary.moves = summary.moves.zip(outcome.moves).map(|(sum, it)| sum + it);
        let distance = record.seconds - summary.seconds;
        summary.seconds += distance / summary.trials as f64;
        self.squares += distance * (record.seconds - summary.seconds);
    }

    fn ended(self) -> PointTotals {
        let trials = self.summary.trials as f64;
        let error = (self.squares / (trials - 1.0) / trials).sqrt();
        PointTotals {
            seconds_error: Some(error).filter(|it| it.is_finite()),
            ..self.summary
        }
    }
}
