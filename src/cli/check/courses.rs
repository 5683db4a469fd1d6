//! How many rows of courses a plan has, as far as that is known before it runs.

use serde::{Serialize, Serializer};

use super::forecast::Forecast;
use crate::cli::terminal::json_count;
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan, PlannedPoint};
use crate::experiment::spec::{Refused, Spec};

/// Rows of both tables, where there will be one.
#[derive(Serialize)]
pub struct CourseRows {
    #[serde(rename = "series_rows", serialize_with = "count")]
    series: Option<u128>,
    moves: Option<MoveRows>,
}

/// Rows of `moves.parquet`.
#[derive(Serialize)]
struct MoveRows {
    /// The rows by the mean of earlier trials of the same points.
    forecast: u64,
    /// Points that write down their moves and of which there are no earlier trials.
    unknown_points: usize,
    /// Rows at which a run stops.
    at_most: u64,
}

impl CourseRows {
    pub fn of(plan: &Plan, forecast: &Forecast) -> Self {
        let seeds = plan.seeds.len() as f64;
        let moves = |planned: &PlannedPoint| {
            let mean = forecast.moves(planned)?;
            Some(mean * f64::from(planned.trials) * seeds)
        };
        let recorded = plan.points.iter().filter(|planned| planned.recorded.moves);
        let forecasts: Vec<Option<f64>> = recorded.map(moves).collect();
        Self {
            series: plan.records_series().then(|| plan.series_rows()),
            moves: plan.records_moves().then(|| MoveRows {
                forecast: forecasts.iter().flatten().sum::<f64>().round() as u64,
                unknown_points: forecasts.iter().filter(|it| it.is_none()).count(),
                at_most: MAX_COURSE_ROWS,
            }),
        }
    }

    /// Refuses a forecast of too many moves; that of the series is refused with the plan.
    pub fn refuse_huge(&self, spec: &Spec) -> Result<(), Refused> {
        let rows = self.moves.as_ref().map_or(0, |it| it.forecast);
        if rows <= MAX_COURSE_ROWS {
            return Ok(());
        }
        let reason = format!(
            "a plan of about {rows} rows of moves.parquet; expected at most {MAX_COURSE_ROWS}"
        );
        Err(Refused::of_file(&spec.file, reason))
    }
}

fn count<S: Serializer>(rows: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
    rows.map(json_count).serialize(to)
}
