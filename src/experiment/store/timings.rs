//! Wall-clock times of a complete run, read back: each with the trial that it is of.

use std::collections::VecDeque;

use super::checked::CheckedFile;
use super::folder::{RunFolder, TIMINGS, format_error};
use super::table::{Layout, TableReader, Time};
use super::{PointKey, Record, StoreError};
use crate::experiment::provenance::Manifest;

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
}

/// Reads the rows of a complete run with their times, the first of each.
pub(crate) struct RecordReader {
    folder: RunFolder,
    trials: TableReader<CheckedFile>,
    timings: TableReader<CheckedFile>,
    /// Times that were read before their rows.
    waiting: VecDeque<Time>,
}

impl RecordReader {
    /// Compares the checksums of both tables.
    pub fn open(folder: &RunFolder, manifest: &Manifest) -> Result<Self, StoreError> {
        Ok(Self {
            folder: folder.clone(),
            trials: folder.open_table(manifest, Layout::Trials)?,
            timings: folder.open_table(manifest, Layout::Timings)?,
            waiting: VecDeque::new(),
        })
    }

    /// The next some thousand rows; `None` after the last, where no time may be left.
    pub fn next_batch(&mut self) -> Result<Option<Vec<Record>>, StoreError> {
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
