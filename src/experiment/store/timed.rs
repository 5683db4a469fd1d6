//! The rows that a clock may have cut short, and all rows together.

use std::sync::Arc;

use super::folder::{RunFolder, TIMINGS, format_error};
use super::table::Layout;
use super::{PointKey, PointTimings, PointTrials, Record, Row, StoreError, TrialTimes};
use crate::experiment::provenance::Manifest;
use crate::solver::Ending;

impl RunFolder {
    /// Every run of every trial of a complete run that had a time limit, with its seconds; none
    /// where no sweep has one. Their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn timed(&self, manifest: &Manifest) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::new();
        if manifest.timed_rows > 0 {
            let mut table = self.open_table(manifest, Layout::Timed)?;
            while let Some(batch) = table
                .next_batch()
                .map_err(|error| self.table_error(Layout::Timed, error))?
            {
                records.extend(batch);
            }
        }
        Ok(records)
    }

    /// The rows of a complete run and the times of each trial's runs, those with a time limit among
    /// the others.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn all(
        &self,
        manifest: &Manifest,
    ) -> Result<(Vec<PointTrials>, Vec<PointTimings>), StoreError> {
        let (mut trials, mut timings) = (self.trials(manifest)?, self.timings(manifest)?);
        refuse_other_trials(self, &trials, &timings)?;
        for records in self
            .timed(manifest)?
            .chunk_by(|a, b| Arc::ptr_eq(&a.point, &b.point) || a.point == b.point)
        {
            let point = || PointKey::clone(&records[0].point);
            timings.push(PointTimings {
                point: point(),
                trials: records
                    .chunk_by(Record::is_of_the_trial_of)
                    .map(times)
                    .collect(),
            });
            trials.push(PointTrials {
                point: point(),
                rows: records
                    .chunk_by(Record::is_of_the_trial_of)
                    .map(row)
                    .collect(),
            });
        }
        trials.sort_by(|a, b| a.point.order(&b.point));
        timings.sort_by(|a, b| a.point.order(&b.point));
        Ok((trials, timings))
    }
}

/// Refuses times that are not those of the trials, one by one.
fn refuse_other_trials(
    folder: &RunFolder,
    trials: &[PointTrials],
    timings: &[PointTimings],
) -> Result<(), StoreError> {
    let of_rows = trials.iter().flat_map(|PointTrials { point, rows }| {
        let trial = move |row: &Row| (point, row.seed, row.trial);
        rows.iter().map(trial)
    });
    let of_times = timings.iter().flat_map(|PointTimings { point, trials }| {
        let trial = move |it: &TrialTimes| (point, it.seed, it.trial);
        trials.iter().map(trial)
    });
    if of_rows.eq(of_times) {
        return Ok(());
    }
    let reason = "its times are not those of the trials of the run";
    Err(format_error(&folder.path().join(TIMINGS), reason))
}

/// The row of a trial that ran several times: of the first run that the clock stopped, else of the
/// first. A trial that was stopped once counts as stopped, so that its times are taken for lower
/// bounds.
fn row(runs: &[Record]) -> Row {
    runs.iter()
        .find(|run| run.row.outcome.ending == Ending::TimedOut)
        .unwrap_or(&runs[0])
        .row
        .clone()
}

fn times(runs: &[Record]) -> TrialTimes {
    TrialTimes {
        seed: runs[0].row.seed,
        trial: runs[0].row.trial,
        seconds: runs.iter().map(|run| run.seconds).collect(),
    }
}
