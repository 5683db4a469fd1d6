//! Rows that a plan's trials might have, so that what is made of a run's tables can be tried before
//! the run: the names of tables and columns depend on the plan alone.

use super::{Chart, FigureRows, Table};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::spec::Spec;
use crate::experiment::store::Row;
use crate::results::{PointCourses, PointTimings, PointTrials};
use crate::solver::course::{Course, Observation, QueenMove};
use crate::solver::goal::Goal;
use crate::solver::outcome::Field;
use crate::solver::{Ending, Outcome, algorithm};

/// Points above which no rows are made up: drawing them would take too long for a check.
const MOST_POINTS: usize = 1000;
/// Trials of a point: as many as the table that needs the most of them, the residual life.
const TRIALS: u32 = 6;

/// The table of each of a spec's figures, drawn from made-up rows; `None` where that is not
/// possible.
pub fn tables(spec: &Spec, plan: &Plan) -> Vec<(String, Option<Table>)> {
    let is_small = plan.points.len() <= MOST_POINTS;
    let rows = is_small.then(|| rows(plan));
    let table = |rows: &FigureRows, chart: Chart| Some(chart.draw(rows).ok()?.table);
    let figures = spec.figures.iter();
    figures
        .map(|figure| {
            let drawn = rows.as_ref().and_then(|it| table(it, Chart::of(figure)));
            (figure.name.clone(), drawn)
        })
        .collect()
}

fn rows(plan: &Plan) -> FigureRows {
    let trials = plan.points.iter().map(trials).collect();
    FigureRows {
        timings: plan.points.iter().map(timings).collect(),
        courses: plan.points.iter().filter_map(courses).collect(),
        ..FigureRows::of_trials(trials, String::new())
    }
}

fn trials(planned: &PlannedPoint) -> PointTrials {
    PointTrials {
        point: planned.point.clone(),
        rows: (0..TRIALS).map(|trial| row(planned, trial)).collect(),
    }
}

/// A trial that ended, with a number in each column that its algorithm fills.
fn row(planned: &PlannedPoint, trial: u32) -> Row {
    let ending = match planned.point.goal {
        None => Ending::Absorbed,
        Some(Goal::First) => Ending::Solved,
        Some(_) => Ending::Exhausted,
    };
    let mut outcome = Outcome::ended(ending);
    let number = (10 + 7 * u64::from(trial)).min(planned.cutoff);
    let columns = algorithm(&planned.point.algorithm).map(|it| it.columns);
    for column in columns.unwrap_or_default() {
        if let Field::Count(_, put) = column.field {
            *put(&mut outcome) = Some(number);
        }
    }
    Row {
        seed: 1,
        trial,
        cutoff: planned.cutoff,
        outcome,
    }
}

fn timings(planned: &PlannedPoint) -> PointTimings {
    let repeats = planned.repeats.unwrap_or(1) as usize;
    PointTimings {
        point: planned.point.clone(),
        rows: trials(planned).rows,
        seconds: (0..TRIALS).map(|_| vec![1.0; repeats]).collect(),
    }
}

/// `None` where no course is written down.
fn courses(planned: &PlannedPoint) -> Option<PointCourses> {
    let recording = planned.recording();
    let trial = |trial| {
        let course = Course {
            series: recording
                .moments
                .iter()
                .map(|it| observation(*it))
                .collect(),
            moves: (1..=10)
                .filter(|_| recording.moves)
                .map(queen_move)
                .collect(),
        };
        (row(planned, trial), course)
    };
    (!recording.is_empty()).then(|| PointCourses {
        point: planned.point.clone(),
        trials: (0..TRIALS).map(trial).collect(),
    })
}

fn observation(update: u64) -> Observation {
    Observation {
        update,
        signals: 2,
        true_signals: 1,
        threatened: 1,
        attacked: 1,
        safe_cells: 1,
        truly_safe_cells: 1,
        safe_moves: 1,
        conflicts: 1,
        moves: update,
    }
}

fn queen_move(number: u64) -> QueenMove {
    QueenMove {
        update: number * number,
        from: 0,
        to: 1,
        dangerous: number.is_multiple_of(2),
        needless: false,
        deceived: false,
        threatened: 1,
    }
}
