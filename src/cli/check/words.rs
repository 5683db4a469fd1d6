//! Forecasts of run times, and of rows of courses, in words, and for programs.

use std::collections::BTreeSet;
use std::time::Duration;

use super::run_time::Earlier;
use crate::analysis::mean::Interval;
use crate::analysis::run_time::{Basis, Forecast};
use crate::cli::progress::duration;
use crate::cli::text::{counted, size, spaced};
use crate::experiment::plan::{MAX_COURSE_ROWS, Plan, PlannedPoint};
use crate::experiment::spec::{Refused, Spec};

impl Earlier {
    /// The whole plan in a few words: `about 2 min 05 s`.
    pub fn in_short(&self, plan: &Plan) -> String {
        let forecasts = self.forecasts(plan);
        let known: Vec<&Forecast> = forecasts.iter().flatten().collect();
        let seconds: f64 = known.iter().map(|forecast| forecast.seconds).sum();
        let seconds = about(seconds / self.threads as f64);
        match known.len() {
            0 => "time unknown".to_owned(),
            some if some < forecasts.len() => format!("more than {seconds}"),
            _ => format!("about {seconds}"),
        }
    }

    /// The whole plan in a sentence.
    pub fn in_words(&self, forecasts: &[Option<Forecast>]) -> String {
        let known: Vec<&Forecast> = forecasts.iter().flatten().collect();
        let unreadable = match counted(self.unreadable, "damaged run") {
            _ if self.unreadable == 0 => String::new(),
            runs => format!("; {runs} left out"),
        };
        if known.is_empty() {
            return format!(
                "run time: unknown, no earlier results of these points that tell of it{unreadable}"
            );
        }
        let seconds: f64 = known.iter().map(|forecast| forecast.seconds).sum();
        let unknown = forecasts.len() - known.len();
        let rest = match counted(unknown, "point") {
            _ if unknown == 0 => String::new(),
            points => format!(", and {points} of unknown length"),
        };
        let bases: BTreeSet<&str> = known.iter().map(|forecast| kind(&forecast.basis)).collect();
        let bases = bases.into_iter().collect::<Vec<_>>().join("; ");
        let whose = match self.is_elsewhere {
            true => "on other kinds of processors too",
            false => "on this kind of processor",
        };
        let threads = counted(self.threads, "thread");
        format!(
            "run time: about {} of trials, {} on {threads}{rest}; from earlier results {whose} ({bases}), if it is as busy as then{unreadable}",
            about(seconds),
            about(seconds / self.threads as f64)
        )
    }
}

/// `12 s (9 s to 15 s)`.
pub fn in_words(forecast: &Forecast) -> String {
    let Interval { low, high } = forecast.interval;
    let high = match high.is_finite() {
        true => about(high),
        false => "?".to_owned(),
    };
    format!("{} ({} to {high})", about(forecast.seconds), about(low))
}

fn kind(basis: &Basis) -> &'static str {
    match basis {
        Basis::SameCode { .. } => "this code version",
        Basis::OtherCode { .. } => "other code versions",
        Basis::Growth { .. } => "growth with n where n is new",
        Basis::Nearest { .. } => "roughly as the nearest point where ε or η is new",
    }
}

/// Two digits below ten seconds, whole seconds above, minutes and hours as a clock has them.
fn about(seconds: f64) -> String {
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else {
        duration(Duration::from_secs_f64(seconds.min(1e15).round()))
    }
}

/// Bytes of a row, about, as compressed in the runs of n = 4 and 8 that were looked at.
const SERIES_BYTES: u128 = 10;
const MOVE_BYTES: u128 = 5;

/// Rows of both tables, where there will be one.
pub struct CourseRows {
    /// Exact.
    pub series: Option<u128>,
    /// The number by the mean of earlier trials of the same points, and the number of points that
    /// write down their moves and of which there are no earlier trials.
    pub moves: Option<(u128, usize)>,
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

    /// Refuses a forecast of too many moves; that of the series is refused with the plan.
    pub fn refuse_huge(&self, spec: &Spec) -> Result<(), Refused> {
        let (rows, _) = self.moves.unwrap_or_default();
        if rows <= u128::from(MAX_COURSE_ROWS) {
            return Ok(());
        }
        Err(Refused::of_file(
            &spec.file,
            format!(
                "a plan of about {rows} rows of moves.parquet; expected at most {MAX_COURSE_ROWS}"
            ),
        ))
    }

    pub fn lines(&self) -> Vec<String> {
        let series = self.series.map(|rows| {
            let (size, rows) = (size(rows * SERIES_BYTES), spaced(rows));
            format!("series.parquet: {rows} rows, about {size}")
        });
        let moves = self.moves.map(|(forecast, unknown)| {
            let rows = match unknown {
                1.. if forecast == 0 => {
                    "a row for each move, how many is unknown without earlier results".to_owned()
                }
                _ => {
                    let (rows, size) = (spaced(forecast), size(forecast * MOVE_BYTES));
                    format!("about {rows} rows by the mean of earlier results, about {size}")
                }
            };
            let others = match counted(unknown, "point") {
                points if unknown > 0 && forecast > 0 => {
                    format!(", and {points} of which there are no earlier results")
                }
                _ => String::new(),
            };
            let limit = spaced(MAX_COURSE_ROWS);
            format!("moves.parquet: {rows}{others}; a run stops at {limit} rows")
        });
        series.into_iter().chain(moves).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_share_the_time_of_the_trials() {
        let earlier = Earlier {
            trials: Vec::new(),
            unreadable: 0,
            threads: 4,
            is_elsewhere: false,
        };
        let of = |seconds: f64| {
            Some(Forecast {
                seconds,
                interval: Interval::UNKNOWN,
                basis: Basis::SameCode { trials: 1 },
            })
        };
        let forecasts = [of(100.0), None, of(300.0)];
        let told = earlier.in_words(&forecasts);
        let expected = "run time: about 6 min 40 s of trials, 1 min 40 s on 4 threads, and 1 point of unknown length;";
        assert!(told.starts_with(expected), "{told}");
    }
}
