//! The time to a solution with probability 99 %, if trials start anew after the best time for it.
//! How the time is chosen, and how many trials it needs, is in `analysis/restart.rs`.

use crate::analysis::restart::{FEWEST_TRIALS, restart_time};
use crate::report::measures::kit::*;

pub const RESTARTS: MeasureTable = MeasureTable {
    name: "restarts",
    measures: &[Measure::new(
        "restart_time",
        "updates to a solution with probability 99 %",
    )],
    rows,
    ignores: &["vary"],
    fewest_trials: FEWEST_TRIALS,
    ..MeasureTable::PLAIN
};

type Restart = (Estimate, u64);

fn row(trials: &PointTrials) -> Option<(Point, Result<Restart, String>)> {
    let cutoff = trials.rows.least_cutoff()?;
    let times = Quantity::AbsorptionTime.of_all(&trials.rows, cutoff);
    let times = times.ok_or_else(|| "has no absorption times".to_owned());
    let found = times.and_then(|times| restart_time(&times));
    Some((trials.point.clone(), found))
}

fn rows(scope: &Scope) -> Result<Table, String> {
    let (points, left_out) = scope.placed(scope.measured(row));
    let columns = Table::of(&points, |(point, _)| point, &KEY_AXES)
        .column("trials", |(_, restart)| restart.0.trials)
        .column("restart_after", |(_, restart)| restart.1)
        .estimate("restart_time", |(_, restart)| restart.0)
        .left_out(left_out)
        .note(
            "`restart_time`: t · max(1, ln 0.01 / ln(1 − F(t))), F(t) the share absorbed by t of every second trial; `restart_after` is t, at which the upper end of this number's interval is least for the other trials. \
             The interval (95 %) follows from Wilson's of F(t).",
        )
        .warn_if(|_| true, "trials start again after the time that makes this least");
    Ok(columns.table)
}
