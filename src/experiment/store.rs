//! Rows and the files that hold them.

pub mod table;

pub mod rows;

pub(crate) mod atomic;

mod checked;

pub mod parts;

pub mod merge;

pub mod so_far;

pub mod courses;

pub mod course_comparison;

pub mod folder;

pub(crate) mod shards;

pub mod catalog;

pub mod timings;

pub mod audit;

use std::cmp::Ordering;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use self::rows::Rows;
use crate::solver::course::Course;
use crate::solver::goal::Goal;
use crate::solver::point::write_point;
use crate::solver::{AxisValues, Ending, Outcome, Point, Value};

/// A point as the results know it: the key columns that say what was run.
#[derive(Debug, Clone, PartialEq)]
pub struct PointKey {
    /// Registry name.
    pub algorithm: String,
    /// Empty, or the variant's acronym.
    pub variant: String,
    /// A value for each axis.
    pub axes: AxisValues,
    /// What a search was for.
    pub goal: Option<Goal>,
}

impl PointKey {
    /// Of an algorithm without variants that is no search.
    pub fn new(
        algorithm: impl Into<String>,
        axes: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        Self {
            algorithm: algorithm.into(),
            variant: String::new(),
            axes: axes.into_iter().collect(),
            goal: None,
        }
    }

    /// The key columns of a point of a plan.
    pub fn of(point: &Point) -> Self {
        Self {
            algorithm: point.algorithm.into(),
            variant: point.variant.clone(),
            axes: point.values.clone(),
            goal: point.goal,
        }
    }

    /// The integer on axis `name`, if the point has one there.
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.axes.integer(name)
    }

    /// The real number on axis `name`, if the point has one there.
    pub fn real(&self, name: &str) -> Option<f64> {
        self.axes.real(name)
    }

    /// The point with another value on an axis.
    #[must_use]
    pub fn with(&self, name: &'static str, value: Value) -> Self {
        let mut point = self.clone();
        point.axes.set(name, value);
        point
    }

    /// Order of the rows of `trials.parquet`: column by column, nulls first.
    pub fn order(&self, other: &Self) -> Ordering {
        self.order_apart(other, &[])
    }

    /// [`PointKey::order`] without the columns of the axes `apart`.
    pub fn order_apart(&self, other: &Self, apart: &[&str]) -> Ordering {
        (&self.algorithm, &self.variant)
            .cmp(&(&other.algorithm, &other.variant))
            .then_with(|| self.axes.order(&other.axes, apart))
            .then_with(|| self.goal.map(Goal::name).cmp(&other.goal.map(Goal::name)))
    }

    /// Whether the points differ at most on the axes `apart`.
    pub fn is_same_apart(&self, other: &Self, apart: &[&str]) -> bool {
        self.order_apart(other, apart).is_eq()
    }
}

impl fmt::Display for PointKey {
    /// As a [`Point`]: `pair n=8 epsilon=0.01`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_point(f, &self.algorithm, &self.variant, &self.axes, self.goal)
    }
}

/// One trial's row; what `trials.parquet` has besides its point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Updates, or checks or nodes, allowed.
    pub cutoff: u64,
    /// How the trial ended, and its facts.
    pub outcome: Outcome,
}

impl Row {
    /// Whether the trial had neither ended nor reached its cutoff when its row was taken: only rows
    /// of unfinished runs.
    pub fn is_running(&self) -> bool {
        let Outcome {
            ending, updates, ..
        } = self.outcome;
        ending == Ending::Censored && updates.is_some_and(|updates| updates < self.cutoff)
    }
}

/// A row, its point, and how long its trial took. A trial that was run several times to be timed
/// has a record for each, with the same row.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// What was run.
    pub point: Arc<PointKey>,
    /// The facts of the trial.
    pub row: Row,
    /// Which run of the trial was timed, from 0.
    pub repeat: u32,
    /// Wall-clock time of the trial; NaN where it is not known.
    pub seconds: f64,
    /// What the trial wrote down of its course; empty for most.
    pub course: Course,
}

impl Record {
    /// What the rows of every table are ordered by.
    pub fn key(&self) -> RecordKey {
        RecordKey {
            point: Arc::clone(&self.point),
            place: self.place(),
        }
    }

    /// What the rows of one point are ordered by: seed, trial, repeat.
    pub fn place(&self) -> Place {
        (self.row.seed, self.row.trial, self.repeat)
    }

    /// Another run of the same trial, or the same.
    pub fn is_of_the_trial_of(&self, other: &Self) -> bool {
        (self.row.seed, self.row.trial) == (other.row.seed, other.row.trial)
            && self.point == other.point
    }
}

#[cfg(test)]
impl Record {
    /// A trial of seed 1 that was cut off, and nothing more is known of it.
    pub fn bare(point: &Arc<PointKey>, trial: u32) -> Self {
        Self {
            point: Arc::clone(point),
            row: Row {
                seed: 1,
                trial,
                cutoff: 9,
                outcome: Outcome::ended(Ending::Censored),
            },
            repeat: 0,
            seconds: 0.0,
            course: Course::default(),
        }
    }
}

/// Seed, trial, repeat.
pub type Place = (u64, u32, u32);

/// The key of a row, in the order of the rows of every table: by point, then by place.
#[derive(Debug, Clone)]
pub struct RecordKey {
    /// What was run.
    pub point: Arc<PointKey>,
    /// Which trial, and which run of it.
    pub place: Place,
}

impl Ord for RecordKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let points = if Arc::ptr_eq(&self.point, &other.point) {
            Ordering::Equal
        } else {
            self.point.order(&other.point)
        };
        points.then_with(|| self.place.cmp(&other.place))
    }
}

impl PartialOrd for RecordKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RecordKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for RecordKey {}

/// All rows of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTrials {
    /// What was run.
    pub point: PointKey,
    /// Its trials.
    pub rows: Rows,
}

/// The wall-clock times of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTimings {
    /// What was run.
    pub point: PointKey,
    /// The times of each trial.
    pub trials: Vec<TrialTimes>,
}

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialTimes {
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Of each of its repeats.
    pub seconds: Vec<f64>,
}

/// What can be wrong with stored results.
// The messages name the fields.
#[allow(missing_docs)]
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A file is not the one that was written.
    #[error("{}: the file's BLAKE3 is {found}, its manifest says {expected}: the file is damaged and was not read; `reines run --force` runs the plan again beside it", path.display())]
    Checksum {
        path: PathBuf,
        expected: String,
        found: String,
    },
    /// A file of a schema that this program does not read.
    #[error("{}: schema {found}; this program reads schemas 1 to {newest}", path.display())]
    Schema {
        path: PathBuf,
        found: i64,
        newest: u32,
    },
    /// A run in the folder of another.
    #[error("{}: the {what} is {found}, where that of {expected} belongs: the run was moved here, and is not used", path.display())]
    Foreign {
        path: PathBuf,
        what: &'static str,
        found: String,
        expected: String,
    },
    /// A file that is not of its format.
    #[error("{}: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    /// Another process runs the plan.
    #[error("{}: another process is running this plan", path.display())]
    Locked { path: PathBuf },
}

impl StoreError {
    /// Whether the files are not those that were written: some are gone, or were read and are
    /// others. A file that could not be read may be sound.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Format { .. } | Self::Checksum { .. } => true,
            Self::Io { source, .. } => source.kind() == std::io::ErrorKind::NotFound,
            Self::Schema { .. } | Self::Foreign { .. } | Self::Locked { .. } => false,
        }
    }
}
