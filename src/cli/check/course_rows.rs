//! How many rows the tables of courses will have.

use serde::Serialize;

use super::run_time::Earlier;
use crate::cli::plan::at_most;
use crate::cli::text::{counted, size, spaced};
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan, PlannedPoint};
use crate::experiment::spec::{Refused, Spec};

/// Bytes of a row, about, as compressed in the runs of n = 4 and 8 that were looked at.
const SERIES_BYTES: u128 = 10;
const MOVE_BYTES: u128 = 5;

/// Rows of both tables; a key that is absent is of a table that there will not be.
#[derive(Debug, Serialize)]
pub(super) struct CourseRows {
    /// Exact; at most, where points are sequential.
    #[serde(skip_serializing_if = "Option::is_none")]
    series_rows: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<MoveRows>,
}

/// Rows of `moves.parquet`.
#[derive(Debug, Serialize)]
struct MoveRows {
    /// By the mean of earlier trials of the same points, those of `unknown_points` left out.
    forecast: u128,
    /// Points that write down their moves and of which there are no earlier trials.
    unknown_points: usize,
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
            series_rows: plan.records_series().then(|| plan.series_rows()),
            moves: plan.records_moves().then(|| MoveRows {
                forecast: forecasts.iter().flatten().sum::<f64>().round() as u128,
                unknown_points: forecasts.iter().filter(|it| it.is_none()).count(),
            }),
        }
    }

    /// Refuses a forecast of too many moves; that of the series is refused with the plan.
    pub fn refuse_huge(&self, spec: &Spec) -> Result<(), Refused> {
        let rows = self.moves.as_ref().map_or(0, |moves| moves.forecast);
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
        let series = self.series_rows.map(|rows| {
            let (size, rows) = (size(rows * SERIES_BYTES), spaced(rows));
            format!("series.parquet: {most}{rows} rows, about {size}")
        });
        let moves = self.moves.as_ref().map(|moves| moves.line(most));
        series.into_iter().chain(moves).collect()
    }
}

impl MoveRows {
    fn line(&self, most: &str) -> String {
        let limit = spaced(MAX_COURSE_ROWS);
        let stops = format!("a run stops at {limit} rows without --allow-huge");
        let unknown = match counted(self.unknown_points as u64, "point") {
            _ if self.unknown_points == 0 => String::new(),
            points => format!(", and {points} of which there are no earlier results"),
        };
        if self.forecast == 0 && self.unknown_points > 0 {
            return format!(
                "moves.parquet: a row for each move, how many is unknown without earlier results; {stops}"
            );
        }
        let (rows, size) = (spaced(self.forecast), size(self.forecast * MOVE_BYTES));
        format!(
            "moves.parquet: {most}about {rows} rows by the mean of earlier results, about {size}{unknown}; {stops}"
        )
    }
}
