//! The rows that a clock may have cut short, and all rows together.

use std::sync::Arc;

use super::folder::{RunFolder, TIMINGS, format_error};
use super::table::{Layout, Time};
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

    /// The rows of a complete run, those with a time limit among the others, and the times of each
    /// run of its searches: of other trials nothing asks for them.
    ///
    /// # Errors
    /// A damaged or missing file, of the times too.
    pub fn all(
        &self,
        manifest: &Manifest,
    ) -> Result<(Vec<PointTrials>, Vec<PointTimings>), StoreError> {
        let mut trials = self.trials(manifest)?;
        let mut timings = self.timings_of_searches(manifest, &trials)?;
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

    /// The times of the points with a goal. Refuses times that are not those of `trials`, one by
    /// one.
    fn timings_of_searches(
        &self,
        manifest: &Manifest,
        trials: &[PointTrials],
    ) -> Result<Vec<PointTimings>, StoreError> {
        let mut rows = trials.iter().flat_map(|PointTrials { point, rows }| {
            let trials = rows.trials();
            trials.map(move |trial| (point, trial))
        });
        let reason = "its times are not those of the trials of the run";
        let refused = || format_error(&self.path().join(TIMINGS), reason);
        let (mut table, mut timings) = (self.open_table(manifest, Layout::Timings)?, Vec::new());
        let mut checked = SamePoint(None);
        while let Some(times) = table
            .next_times()
            .map_err(|error| self.table_error(Layout::Timings, error))?
        {
            for time in times {
                if time.repeat == 0 && !rows.next().is_some_and(|row| checked.is_of(row, &time)) {
                    return Err(refused());
                }
                if time.point.goal.is_some() {
                    time.add_to(&mut timings);
                }
            }
        }
        match rows.next() {
            None => Ok(timings),
            Some(_) => Err(refused()),
        }
    }
}

/// The points of a row and of a time that were found to be the same last: neighbours share theirs.
struct SamePoint<'a>(Option<(&'a PointKey, Arc<PointKey>)>);

impl<'a> SamePoint<'a> {
    fn is_of(&mut self, (point, trial): (&'a PointKey, (u64, u32)), time: &Time) -> bool {
        let is_known = self.0.as_ref().is_some_and(|(of_row, of_time)| {
            std::ptr::eq(*of_row, point) && Arc::ptr_eq(of_time, &time.point)
        });
        if !is_known && *point == *time.point {
            self.0 = Some((point, Arc::clone(&time.point)));
        } else if !is_known {
            return false;
        }
        trial == (time.seed, time.trial)
    }
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
