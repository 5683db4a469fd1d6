//! The rows of `timings.parquet`: whose time each is, and how long it took.

use std::sync::Arc;

use polars::prelude::*;

use super::bytes::{Bytes, TableError};
use super::{TableReader, points, present, unexpected};
use crate::experiment::store::{Place, PointKey, RecordKey};

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// What was run.
    pub point: Arc<PointKey>,
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Which run of the trial, from 0.
    pub repeat: u32,
    /// Wall-clock time, finite and not negative.
    pub seconds: f64,
}

impl Time {
    fn is_of_the_trial(&self, point: &PointKey, (seed, trial, _): &Place) -> bool {
        (self.seed, self.trial) == (*seed, *trial) && *self.point == *point
    }
}

impl<B: Bytes> TableReader<B> {
    /// The next rows, as many as stand in a row group; `None` after the last.
    ///
    /// # Errors
    /// A table of another schema, or whose rows are not sorted, the runs of each trial counted from
    /// 0.
    pub fn next_times(&mut self) -> Result<Option<Vec<Time>>, TableError> {
        let Some(frame) = self.frames.next()? else {
            return Ok(None);
        };
        let times = times(&frame)?;
        for time in &times {
            let first = match &self.last {
                Some(RecordKey { point, place }) if time.is_of_the_trial(point, place) => {
                    place.2.checked_add(1)
                }
                _ => Some(0),
            };
            self.follow(RecordKey {
                point: Arc::clone(&time.point),
                place: (time.seed, time.trial, time.repeat),
            })?;
            if first != Some(time.repeat) {
                return Err(unexpected("repeat", &time.repeat.to_string()).into());
            }
        }
        Ok(Some(times))
    }
}

fn times(frame: &DataFrame) -> PolarsResult<Vec<Time>> {
    let (seed, trial) = (frame.column("seed")?.u64()?, frame.column("trial")?.u32()?);
    let (repeat, seconds) = (
        frame.column("repeat")?.u32()?,
        frame.column("seconds")?.f64()?,
    );
    let time = |(i, point)| {
        Ok(Time {
            point,
            seed: present("seed", seed.get(i))?,
            trial: present("trial", trial.get(i))?,
            repeat: present("repeat", repeat.get(i))?,
            seconds: duration(seconds.get(i))?,
        })
    };
    points(frame)?.into_iter().enumerate().map(time).collect()
}

/// A time as a clock gives it.
pub(super) fn duration(seconds: Option<f64>) -> PolarsResult<f64> {
    let seconds = present("seconds", seconds)?;
    if seconds.is_finite() && seconds >= 0.0 {
        Ok(seconds)
    } else {
        Err(unexpected("seconds", &seconds.to_string()))
    }
}
