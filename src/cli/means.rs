//! How well the mean of each point of a run is known.

use super::shelf::Shelf;
use crate::analysis::precision::Precision;
use crate::experiment::store::StoreError;
use crate::experiment::store::folder::RunFolder;
use crate::results::runs::CompleteRun;

/// The means of all points of a run; none where the rows cannot be read, which `verify` tells.
pub fn of(run: &CompleteRun) -> Vec<Precision> {
    let points = run.points().unwrap_or_default();
    points.iter().filter_map(Precision::of).collect()
}

/// More rows would take longer to be summed up than a person waits.
pub const MOST_ROWS: u64 = 50_000;

/// The means of all points of the runs of an experiment, also where `-s` has changed it, but for
/// those that are too large.
pub fn earlier(shelf: &Shelf, experiment: &str) -> Result<Vec<Precision>, StoreError> {
    let changed = format!("{experiment}-with-");
    let is_own = |run: &RunFolder| {
        let name = &run.experiment;
        run.is_complete() && (name == experiment || name.starts_with(&changed))
    };
    let runs = shelf.own()?.iter().filter(|it| is_own(&it.folder));
    let runs = runs.filter_map(|it| it.read().ok());
    let runs = runs.filter(|run| run.manifest.rows <= MOST_ROWS);
    Ok(runs.flat_map(of).collect())
}

/// The relative error that a mean will have with so many trials that scatter as its own do.
pub fn with_trials(mean: &Precision, trials: u64) -> Option<f64> {
    Some(mean.relative_error? * (mean.trials as f64 / trials as f64).sqrt())
}
