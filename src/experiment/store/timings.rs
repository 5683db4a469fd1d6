//! Wall-clock times of a complete run, read back: each with the trial that it is of.

use std::collections::VecDeque;
use std::sync::Arc;

use super::checked::CheckedFile;
use super::folder::{RunFolder, TIMINGS, format_error};
use super::table::{Layout, TableReader, Time};
use super::{PointKey, PointTimings, PointTrials, Record, StoreError};
use crate::experiment::provenance::Manifest;

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
    /// Gives `take` the rows of a complete run with their times, the first of each, some thousands
    /// at once; the checksums are compared before anything is read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn records(
        &self,
        manifest: &Manifest,
        take: &mut dyn FnMut(Vec<Record>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut reader = RecordReader::open(self, manifest)?;
        while let Some(records) = reader.next_batch()? {
            take(records)?;
        }
        Ok(())
    }

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

/// Reads the rows of a complete run with their times, the first of each.
struct RecordReader {
    folder: RunFolder,
    trials: TableReader<CheckedFile>,
    timings: TableReader<CheckedFile>,
    /// Times that were read before their rows.
    waiting: VecDeque<Time>,
}

impl RecordReader {
    /// Compares the checksums of both tables.
    fn open(folder: &RunFolder, manifest: &Manifest) -> Result<Self, StoreError> {
        Ok(Self {
            folder: folder.clone(),
            trials: folder.open_table(manifest, Layout::Trials)?,
            timings: folder.open_table(manifest, Layout::Timings)?,
            waiting: VecDeque::new(),
        })
    }

    /// The next some thousand rows; `None` after the last, where no time may be left.
    fn next_batch(&mut self) -> Result<Option<Vec<Record>>, StoreError> {
        let batch = self.trials.next_batch();
        let batch = batch.map_err(|error| self.folder.table_error(Layout::Trials, error))?;
        let Some(mut records) = batch else {
            self.refuse_more_times()?;
            return Ok(None);
        };
        while self.waiting.len() < records.len()
            && let Some(times) = self.next_first_times()?
        {
            self.waiting.extend(times);
        }
        for record in &mut records {
            record.seconds = match self.waiting.pop_front() {
                Some(time) if is_of(&time, record) => time.seconds,
                _ => return Err(no_time_of(&self.folder, record)),
            };
        }
        Ok(Some(records))
    }

    fn refuse_more_times(&mut self) -> Result<(), StoreError> {
        while self.waiting.is_empty()
            && let Some(times) = self.next_first_times()?
        {
            self.waiting.extend(times);
        }
        match self.waiting.pop_front() {
            None => Ok(()),
            Some(time) => Err(of_no_trial(
                &self.folder,
                &time.point,
                time.seed,
                time.trial,
            )),
        }
    }

    /// The next times, of each trial's first run alone.
    fn next_first_times(&mut self) -> Result<Option<Vec<Time>>, StoreError> {
        let times = self.timings.next_times();
        let times = times.map_err(|error| self.folder.table_error(Layout::Timings, error))?;
        Ok(times.map(|mut times| {
            times.retain(|time| time.repeat == 0);
            times
        }))
    }
}

fn is_of(time: &Time, record: &Record) -> bool {
    (time.seed, time.trial) == (record.row.seed, record.row.trial) && time.point == record.point
}

/// A trial without a time, or whose time is not in its place.
fn no_time_of(folder: &RunFolder, Record { point, row, .. }: &Record) -> StoreError {
    let (seed, trial) = (row.seed, row.trial);
    format_error(
        &folder.path().join(TIMINGS),
        format!("no time of trial {trial} of seed {seed} at {point} in its place"),
    )
}

fn of_no_trial(folder: &RunFolder, point: &PointKey, seed: u64, trial: u32) -> StoreError {
    format_error(
        &folder.path().join(TIMINGS),
        format!("the time of trial {trial} of seed {seed} at {point} is of no trial of the run"),
    )
}
