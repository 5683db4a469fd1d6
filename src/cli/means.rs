//! How well the mean of each point of a run is known, as a table.

use super::shelf::Shelf;
use super::text::{aligned, spaced};
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

/// A relative error in words.
pub fn percent(error: f64) -> String {
    match error {
        0.0 => "exact".to_owned(),
        error => format!("{} %", (error * 100.0).ceil()),
    }
}

const TITLES: [&str; 7] = [
    "point",
    "mean of",
    "mean",
    "± 95 %",
    "trials",
    "censored",
    "for ± 5 %",
];

/// A line for each point; nothing of none.
pub fn table(means: &[Precision]) -> Vec<String> {
    if means.is_empty() {
        return Vec::new();
    }
    let titles = [TITLES.map(str::to_owned).to_vec()].into_iter();
    let rows: Vec<_> = titles.chain(means.iter().map(row)).collect();
    aligned(2, 2, &rows)
}

/// `pair n=8 epsilon=0.01  absorption_time  1 234 567  ± 12 %  200  0  1 150`.
fn row(it: &Precision) -> Vec<String> {
    let least = if it.is_lower_bound { "≥ " } else { "" };
    let mean = match it.mean {
        mean if mean < 100.0 => format!("{least}{mean:.1}"),
        mean => format!("{least}{}", spaced(mean.round() as u64)),
    };
    let error = it.relative_error.map(percent);
    vec![
        it.point.clone(),
        it.column.to_owned(),
        mean,
        error.unwrap_or_else(|| "?".to_owned()),
        spaced(it.trials),
        spaced(it.censored),
        it.trials_for_5_percent
            .map_or_else(|| "?".to_owned(), spaced),
    ]
}
