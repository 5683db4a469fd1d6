//! The synchronous rule beside those that update one site at a time.

use std::collections::BTreeSet;

use super::kit::*;
use crate::analysis::jackknife::ratio;
use crate::analysis::measured::Measured;
use crate::experiment::store::{Point, Row};

pub const SYNCHRONOUS: MeasureTable = MeasureTable {
    name: NAME,
    measures: &[
        Measure::new("updates", "mean updates"),
        Measure::new("joint_share", "joint / moving steps"),
        Measure::new("moves", "mean number of queen moves"),
    ],
    rows,
    takes_steps: true,
    ..MeasureTable::PLAIN
};

const NAME: &str = "synchronous";

fn unit(point: &Point) -> f64 {
    updates_per_unit(point) as f64
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let all = scope.rows.trials.iter().map(|it| &it.point);
    let synchronous = all.filter(|it| it.algorithm == NAME);
    let sides: BTreeSet<Option<u64>> = synchronous.map(|it| it.integer("n")).collect();
    let (mut kept, left_out) = scope.points(|it| sides.contains(&it.integer("n")));
    kept.sort_by_key(|it| it.point.integer("n"));
    let timed = kept.iter().filter_map(|it| Some((it, it.time()?.measured)));
    let timed: Vec<(&PointSummary, Measured)> = timed.collect();
    let columns = Frame::of(&timed, |it| &it.0.point, &KEY_AXES)
        .left_out(left_out)
        .trials(|it| it.1)
        .column("mean_is", |it| mean_is(it.1.estimate))
        .column("updates_per_step", |it| unit(&it.0.point).to_string())
        .estimate("time", |it| it.1.estimate)
        .estimate("updates", |it| {
            it.1.estimate.in_units(1.0 / unit(&it.0.point))
        })
        .estimate("moves", |it| {
            Some(it.0.quantity(Quantity::Moves)?.measured.estimate)
        })
        .estimate("joint_share", |it| joint(&it.0.point, &scope.rows.trials))
        .note(
            "`time` is the mean absorption time in steps under the synchronous rule, in updates under the others; `updates` = `time` · `updates_per_step` (n² or 1). \
             `joint_share`: `joint_moves` / `moving_steps`, both summed over the trials. Brackets hold 95 % intervals; the formulas are in docs/statistics.md.",
        )
        .note_if(
            |it| it.1.estimate.is_bound,
            "`lower bound`: `censored` trials were cut off at `cutoff`; the true mean is larger.",
        );
    Ok(columns.frame)
}

/// Joint moves among the moving steps; none where they are not counted.
fn joint(point: &Point, trials: &[PointTrials]) -> Option<Estimate> {
    let trials = trials.iter().find(|trials| trials.point == *point)?;
    let counts = |row: Row| Some([row.outcome.joint_moves?, row.outcome.moving_steps?]);
    let pairs = |row| counts(row).map(|pair| pair.map(|count| count as f64));
    let pairs: Option<Vec<_>> = trials.rows.without_boards().map(pairs).collect();
    ratio(&pairs?)
}
