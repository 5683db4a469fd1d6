//! What a run has come to, in a few lines.

use crate::cli::terminal::say;
use crate::cli::text::{counted, spaced};
use crate::cli::{own_name, report};
use crate::experiment::spec::Spec;
use crate::experiment::store::StoreError;
use crate::experiment::store::folder::RunFolder;
use crate::results::runs::CompleteRun;
use crate::solver::Ending;

/// More rows would take longer to be summed up than a person waits.
const MOST_ROWS: u64 = 50_000;

/// Prints points, trials, how many were censored, and the first thing that the figures find. A run
/// is complete without it: what cannot be summed up is left out.
pub fn print(spec: &Spec, folder: RunFolder) {
    let Ok(run) = CompleteRun::at(folder) else {
        return;
    };
    if let Ok(counts) = counts(&run) {
        say!("  {counts}");
    }
    if run.manifest.rows <= MOST_ROWS {
        let figures = match report::drawings(spec, &run) {
            Ok(figures) => figures,
            Err(error) => return say!("  the figures find nothing: {error:#}"),
        };
        let found = figures.iter().flat_map(|(name, _, drawing)| {
            let of_figure = drawing.findings.iter();
            of_figure.map(move |finding| format!("  {name}: {finding}"))
        });
        let found: Vec<String> = found.collect();
        if let Some((first, others)) = found.split_first() {
            say!("{first}");
            if !others.is_empty() {
                let count = others.len();
                say!(
                    "  and {count} more, in the figures of `{} report`",
                    own_name()
                );
            }
        }
    }
}

/// `7 points, 1400 trials, 12 of them censored`.
fn counts(run: &CompleteRun) -> Result<String, StoreError> {
    let (mut points, mut censored) = (0u64, 0u64);
    for point in run.points()? {
        points += 1;
        let point = point?;
        let rows = point.rows.without_boards();
        let censored_here = rows.filter(|row| row.outcome.ending == Ending::Censored);
        censored += censored_here.count() as u64;
    }
    let rows = run.manifest.rows;
    let (points, trials) = (counted(points, "point"), counted(rows, "trial"));
    let censored = spaced(censored);
    Ok(format!("{points}, {trials}, {censored} of them censored"))
}
