//! The time to a solution with probability 99 %, if trials start anew after the best time for it.

use super::kit::*;
use crate::analysis::restart::{REPLICATES, restart_time};

pub const RESTARTS: MeasureTable = MeasureTable {
    name: "restarts",
    measures: &[Measure::new(
        "restart_time",
        "updates to a solution with probability 99 %",
    )],
    rows,
    ignores: &["vary"],
    ..MeasureTable::PLAIN
};

type Row = (Point, Result<(Estimate, u64), String>);

fn row(trials: &PointTrials) -> Option<Row> {
    let cutoff = trials.rows.cutoffs().iter().copied().min()?;
    let times = Quantity::AbsorptionTime.of_all(&trials.rows, cutoff);
    let times = times.ok_or_else(|| "has no absorption times".to_owned());
    let found = times.and_then(|times| restart_time(&times, (0, REPLICATES)));
    Some((trials.point.clone(), found))
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let (chart, mut left_out) = (scope.chart, Vec::new());
    let reason = |it: &Row| chart.off_axis(&it.0).or(it.1.clone().err());
    let all = (scope.measured(row), (|it| &it.0) as fn(&Row) -> &Point);
    let placed = placed(chart, all, reason, &mut left_out).into_iter();
    let points: Vec<_> = placed.filter_map(|it| Some((it.0, it.1.ok()?))).collect();
    let columns = Frame::of(&points, |it| &it.0, &KEY_AXES)
        .column("trials", |it| it.1.0.trials)
        .column("restart_after", |it| it.1.1)
        .estimate("restart_time", |it| it.1.0)
        .left_out(left_out)
        .note(
            "`restart_time`: the least of t · max(1, ln 0.01 / ln(1 − F(t))) over times t by which ten trials have ended and ten have not, F(t) the share absorbed by t; `restart_after` is that t. \
             It is rather too small, so most of its interval (95 %, bootstrap) lies above it.",
        )
        .warn_if(|_| true, "trials start anew after the time that makes this least");
    Ok(columns.frame)
}
