//! Wall-clock times of a complete run, read back: each with the trial that it is of.

use std::collections::VecDeque;

use super::checked::CheckedFile;
use super::folder::{RunFolder, TIMINGS, format_error};
use super::table::{Layout, TableReader, Time};
use super::{PointKey, Record, StoreError};
use crate::experiment::provenance::Manifest;

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// What was run.
    pub point: PointKey,
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Wall-clock time.
    pub seconds: f64,
}

/// The first time that each trial of a complete run was measured.
///
/// # Errors
/// A damaged or missing file.
pub fn read(folder: &RunFolder, manifest: &Manifest) -> Result<Vec<Timing>, StoreError> {
    let mut timings = Vec::new();
    folder.records(manifest, &mut |records| {
        let timing = |Record {
                          point,
                          row,
                          seconds,
                          ..
                      }: Record| Timing {
            point: PointKey::clone(&point),
            seed: row.seed,
            trial: row.trial,
            seconds,
        };
        timings.extend(records.into_iter().map(timing));
        Ok(())
    })?;
    Ok(timings)
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
        let (mut trials, mut timings) = (
            self.open_table(manifest, Layout::Trials)?,
            self.open_table(manifest, Layout::Timings)?,
        );
        let mut waiting: VecDeque<Time> = VecDeque::new();
        while let Some(mut records) = trials
            .next_batch()
            .map_err(|error| self.table_error(Layout::Trials, error))?
        {
            while waiting.len() < records.len()
                && let Some(times) = self.next_first_times(&mut timings)?
            {
                waiting.extend(times);
            }
            for record in &mut records {
                record.seconds = match waiting.pop_front() {
                    Some(time) if is_of(&time, record) => time.seconds,
                    _ => return Err(no_time_of(self, record)),
                };
            }
            take(records)?;
        }
        while let Some(times) = self.next_first_times(&mut timings)? {
            waiting.extend(times);
        }
        match waiting.pop_front() {
            None => Ok(()),
            Some(time) => Err(of_no_trial(self, &time.point, time.seed, time.trial)),
        }
    }

    /// The next times, of each trial's first run alone.
    fn next_first_times(
        &self,
        timings: &mut TableReader<CheckedFile>,
    ) -> Result<Option<Vec<Time>>, StoreError> {
        let times = timings
            .next_times()
            .map_err(|error| self.table_error(Layout::Timings, error))?;
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
