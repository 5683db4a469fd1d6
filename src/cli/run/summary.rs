//! What a run has come to, in a few lines.

use crate::cli::report;
use crate::cli::terminal::say;
use crate::experiment::spec::Spec;
use crate::experiment::store::StoreError;
use crate::experiment::store::folder::RunFolder;
use crate::results::runs::CompleteRun;
use crate::solver::Ending;

/// More rows would take longer to be summed up than a person waits.
const MOST_ROWS: u64 = 50_000;

/// Prints points, trials, how many were censored, and what the figures find. A run is complete
/// without it: what cannot be summed up is left out.
pub fn print(spec: &Spec, folder: RunFolder) {
    let Ok(run) = CompleteRun::at(folder) else {
        return;
    };
    if let Ok(counts) = counts(&run) {
        say!("  {counts}");
    }
    if run.manifest.rows <= MOST_ROWS {
        let figures = report::drawings(spec, &run).unwrap_or_default();
        for (name, _, drawing) in figures {
            if let Some(finding) = drawing.findings.first() {
                say!("  {name}: {finding}");
            }
        }
    }
}

/// `7 points, 1400 trials, 12 of them censored`.
fn counts(run: &CompleteRun) -> Result<String, StoreError> {
    let (mut points, mut censored) = (0, 0);
    run.folder.each_point(&run.manifest, &mut |trials| {
        let rows = trials.rows.without_boards();
        points += 1;
        censored += rows
            .filter(|row| row.outcome.ending == Ending::Censored)
            .count();
        Ok::<(), StoreError>(())
    })?;
    let rows = run.manifest.rows;
    let noun =
        |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let points = noun(points, "point");
    let trials = noun(rows, "trial");
    Ok(format!("{points}, {trials}, {censored} of them censored"))
}
