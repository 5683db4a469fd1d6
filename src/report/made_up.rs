//! Rows that a plan's trials might have, so that figures, and what is made of their tables, can be
//! tried before the run.

use super::figure::Figure;
use super::{Chart, Drawing, FigureRows, NothingToDraw};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::Row;
use crate::results::{PointCourses, PointTimings, PointTrials};
use crate::solver::course::{Course, Observation};
use crate::solver::exact::all_boards;
use crate::solver::exact::methods::bitboard;
use crate::solver::goal::Goal;
use crate::solver::outcome::Field;
use crate::solver::{Control, Ending, Outcome, algorithm};

/// Points above which no rows are made up: drawing them would take too long for a check.
const MOST_POINTS: usize = 1000;
/// The largest side of a board whose trials have a solution: no figure shows larger ones.
const LARGEST_BOARD: u64 = 8;

/// Each of a spec's figures drawn from made-up rows, or why it cannot be; `None` for a plan of too
/// many points.
pub fn drawings(figures: &[Figure], plan: &Plan) -> Option<Vec<Result<Drawing, NothingToDraw>>> {
    let rows = (plan.points.len() <= MOST_POINTS).then(|| rows(plan))?;
    Some(figures.iter().map(|it| Chart::of(it).draw(&rows)).collect())
}

fn rows(plan: &Plan) -> FigureRows {
    let seeds = plan.seeds.len() as u64;
    // A restart needs 20 trials, and of 40 it surely has an error.
    let trials = |it: &PlannedPoint| match u64::from(it.trials) * seeds {
        20.. => 40,
        few => few as u32,
    };
    let points = || plan.points.iter().map(|it| (it, trials(it)));
    FigureRows {
        timings: points().map(timings).collect(),
        courses: points()
            .filter_map(|(it, all)| courses((it, all.min(2))))
            .collect(),
        ..FigureRows::of_trials(points().map(point_trials).collect(), String::new())
    }
}

fn point_trials((planned, trials): (&PlannedPoint, u32)) -> PointTrials {
    PointTrials {
        point: planned.point.clone(),
        rows: (0..trials).map(|trial| row(planned, trial)).collect(),
    }
}

/// A trial that ended, with a number in each column that its algorithm fills: the later ones of a
/// trial are larger, so that differences are above 0.
fn row(planned: &PlannedPoint, trial: u32) -> Row {
    let ending = match planned.point.goal {
        None => Ending::Absorbed,
        Some(Goal::First) => Ending::Solved,
        Some(_) => Ending::Exhausted,
    };
    let mut outcome = Outcome::ended(ending);
    let boarded = planned.point.integer("n").filter(|n| *n <= LARGEST_BOARD);
    // Late, so that there is a course before it; those of two trials differ.
    let step = (planned.cutoff / 100).max(1);
    let last = planned
        .cutoff
        .saturating_sub(step * u64::from(trial))
        .max(2);
    let columns = algorithm(&planned.point.algorithm).map(|it| it.columns);
    for column in columns.unwrap_or_default() {
        let number = match column.name {
            "absorption_time" | "updates" => last,
            _ => last - 1,
        };
        match column.field {
            Field::Count(_, put) => *put(&mut outcome) = Some(number.min(planned.cutoff)),
            Field::Board(_, put) => *put(&mut outcome) = boarded.and_then(solution),
        }
    }
    Row {
        seed: 1,
        trial,
        cutoff: planned.cutoff,
        outcome,
    }
}

/// The row of the queen of each column in a solution of n queens, if there is one.
fn solution(n: u64) -> Option<Box<[u32]>> {
    let boards = all_boards(&bitboard::METHOD, n as usize, &Control::unstopped()).ok()?;
    let rows = boards.first()?.iter().map(|&row| row as u32);
    Some(rows.collect())
}

fn timings((planned, trials): (&PlannedPoint, u32)) -> PointTimings {
    let repeats = planned.repeats.unwrap_or(1) as usize;
    PointTimings {
        point: planned.point.clone(),
        rows: point_trials((planned, trials)).rows,
        seconds: (0..trials).map(|_| vec![1.0; repeats]).collect(),
    }
}

/// `None` where no course is written down.
fn courses((planned, trials): (&PlannedPoint, u32)) -> Option<PointCourses> {
    let moments = planned.moments();
    if moments.is_empty() {
        return None;
    }
    let trial = |trial| {
        let series = moments.iter().map(|it| observation(*it)).collect();
        (row(planned, trial), Course { series })
    };
    Some(PointCourses {
        point: planned.point.clone(),
        trials: (0..trials).map(trial).collect(),
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
