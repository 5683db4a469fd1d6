//! Wall-clock times of a complete run, trial by trial and point by point.

use std::sync::Arc;

use super::{PointTimings, PointTrials, TrialTimes};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::folder::{RunFolder, TIMINGS, format_error};
use crate::experiment::store::table::{Layout, Time};
use crate::experiment::store::timings::RecordReader;
use crate::experiment::store::{PointKey, Record, StoreError};

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// What was run.
    pub point: Arc<PointKey>,
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Wall-clock time.
    pub seconds: f64,
}

/// The first time that each trial of a complete run was measured, in the order of the rows, read as
/// they are asked for.
///
/// # Errors
/// A damaged or missing file.
pub fn read(
    folder: &RunFolder,
    manifest: &Manifest,
) -> Result<impl Iterator<Item = Result<Timing, StoreError>>, StoreError> {
    let mut records = RecordReader::open(folder, manifest)?;
    let batches = std::iter::from_fn(move || records.next_batch().transpose());
    Ok(batches.flat_map(|batch| {
        let (records, error) = match batch {
            Ok(records) => (records, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        let timings = records.into_iter().map(|record| Ok(timing(record)));
        timings.chain(error)
    }))
}

fn timing(record: Record) -> Timing {
    Timing {
        point: record.point,
        seed: record.row.seed,
        trial: record.row.trial,
        seconds: record.seconds,
    }
}

impl RunFolder {
    /// The times of the points of `trials`, the run's own, that are searches: of others nothing
    /// asks for them. Refuses times that are not those of `trials`, one by one.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn timings_of_searches(
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

impl Time {
    /// Adds it to those of its trial; times are added in the order of the table.
    fn add_to(self, timings: &mut Vec<PointTimings>) {
        if timings.last().is_none_or(|last| last.point != *self.point) {
            timings.push(PointTimings {
                point: PointKey::clone(&self.point),
                trials: Vec::new(),
            });
        }
        let trials = &mut timings.last_mut().expect("just pushed").trials;
        if self.repeat == 0 {
            trials.push(TrialTimes {
                seed: self.seed,
                trial: self.trial,
                seconds: Vec::new(),
            });
        }
        let trial = trials.last_mut().expect("runs are counted from 0");
        trial.seconds.push(self.seconds);
    }
}
