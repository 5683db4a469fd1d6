//! How many rows the tables of courses will have.

use serde_json::{Value, json};

use super::run_time::Earlier;
use crate::cli::plan::at_most;
use crate::cli::text::{counted, size, spaced};
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan, PlannedPoint};
use crate::experiment::spec::{Refused, Spec};

/// Bytes of a row, about, as compressed in the runs of n = 4 and 8 that were looked at.
const SERIES_BYTES: u128 = 10;
const MOVE_BYTES: u128 = 5;

/// Rows of both tables, where there will be one.
pub(super) struct CourseRows {
    /// Exact; at most, where points are sequential.
    series: Option<u128>,
    /// By the mean of earlier trials of the same points, and the number of points that write down
    /// their moves and of which there are none.
    moves: Option<(u128, usize)>,
}

impl CourseRows {
    pub fn of(plan: &Plan, earlier: &Earlier) -> Self {
        let seeds = plan.seeds.len() as f64;
        let moves = |planned: &PlannedPoint| {
            earlier
                .mean_moves(planned)
                .map(|mean| mean * f64::from(planned.trials) * seeds)
        };
        let recorded = plan.points.iter().filter(|planned| planned.recorded.moves);
        let forecasts: Vec<Option<f64>> = recorded.map(moves).collect();
        Self {
            series: plan.records_series().then(|| plan.series_rows()),
            moves: plan.records_moves().then(|| {
                let forecast = forecasts.iter().flatten().sum::<f64>().round() as u128;
                (forecast, forecasts.iter().filter(|it| it.is_none()).count())
            }),
        }
    }

    /// Writes them into an object.
    pub fn add_to(&self, json: &mut Value) {
        if let Some(rows) = self.series {
            json["series_rows"] = json!(rows);
        }
        if let Some((forecast, unknown)) = self.moves {
            json["moves"] = json!({ "forecast": forecast, "unknown_points": unknown });
        }
    }

    /// Refuses a forecast of too many moves; that of the series is refused with the plan.
    pub fn refuse_huge(&self, spec: &Spec) -> Result<(), Refused> {
        let (rows, _) = self.moves.unwrap_or_default();
        if rows <= u128::from(MAX_COURSE_ROWS) {
            return Ok(());
        }
        Err(Refused::of_file(
            &spec.file,
            format!(
                "about {rows} rows of moves.parquet are to be expected; allowed are \
                 {MAX_COURSE_ROWS} without --allow-huge"
            ),
        ))
    }

    /// A line for each table.
    pub fn lines(&self, plan: &Plan) -> Vec<String> {
        let most = at_most(plan);
        let series = self.series.map(|rows| {
            let (size, rows) = (size(rows * SERIES_BYTES), spaced(rows));
            format!("series.parquet: {most}{rows} rows, about {size}")
        });
        let moves = self.moves.map(|(forecast, unknown)| {
            let rows = match unknown {
                1.. if forecast == 0 => {
                    "a row for each move, how many is unknown without earlier results".to_owned()
                }
                _ => {
                    let (rows, size) = (spaced(forecast), size(forecast * MOVE_BYTES));
                    format!("{most}about {rows} rows by the mean of earlier results, about {size}")
                }
            };
            let others = match counted(unknown as u64, "point") {
                points if unknown > 0 && forecast > 0 => {
                    format!(", and {points} of which there are no earlier results")
                }
                _ => String::new(),
            };
            let limit = spaced(MAX_COURSE_ROWS);
            format!(
                "moves.parquet: {rows}{others}; a run stops at {limit} rows without --allow-huge"
            )
        });
        series.into_iter().chain(moves).collect()
    }
}
