//! Rows and the files that hold them.

pub mod table;

pub mod atomic;

pub mod parts;

pub mod merge;

pub mod so_far;

pub mod folder;

pub mod shards;

pub mod catalog;

pub mod timings;

pub mod timed;

pub mod audit;

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

use crate::solver::goal::Goal;
use crate::solver::{Ending, Outcome, Point};

/// A point as the results know it: the key columns that say what was run.
#[derive(Debug, Clone, PartialEq)]
pub struct PointKey {
    pub algorithm: String,
    /// Empty, or the variant's acronym.
    pub variant: String,
    /// Board side.
    pub n: u32,
    pub epsilon: Option<f64>,
    pub eta: Option<f64>,
    /// What a search was for.
    pub goal: Option<Goal>,
}

impl PointKey {
    /// The key columns of a point of a plan.
    pub fn of(point: &Point) -> Self {
        let n = point
            .integer("n")
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0);
        Self {
            algorithm: point.algorithm.into(),
            variant: point.variant.clone(),
            n,
            epsilon: point.real("epsilon"),
            eta: point.real("eta"),
            goal: point.goal,
        }
    }

    /// Order of the rows of `trials.parquet`: column by column, nulls first.
    pub fn order(&self, other: &Self) -> Ordering {
        let real = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        };
        (&self.algorithm, &self.variant, self.n)
            .cmp(&(&other.algorithm, &other.variant, other.n))
            .then_with(|| real(self.epsilon, other.epsilon))
            .then_with(|| real(self.eta, other.eta))
            .then_with(|| self.goal.map(Goal::name).cmp(&other.goal.map(Goal::name)))
    }
}

/// One trial's row; what `trials.parquet` has besides its point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub seed: u64,
    pub trial: u32,
    /// Updates, or checks or nodes, allowed.
    pub cutoff: u64,
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
    pub point: Arc<PointKey>,
    pub row: Row,
    /// Which run of the trial was timed, from 0.
    pub repeat: u32,
    /// Wall-clock time of the trial; NaN where it is not known.
    pub seconds: f64,
}

impl Record {
    /// Order of the rows of every table: point, seed, trial, repeat.
    pub fn order(&self, other: &Self) -> Ordering {
        let points = if Arc::ptr_eq(&self.point, &other.point) {
            Ordering::Equal
        } else {
            self.point.order(&other.point)
        };
        points.then_with(|| {
            (self.row.seed, self.row.trial, self.repeat).cmp(&(
                other.row.seed,
                other.row.trial,
                other.repeat,
            ))
        })
    }

    /// Another run of the same trial, or the same.
    pub fn is_of_the_trial_of(&self, other: &Self) -> bool {
        (self.row.seed, self.row.trial) == (other.row.seed, other.row.trial)
            && self.point == other.point
    }
}

/// All rows of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTrials {
    pub point: PointKey,
    pub rows: Vec<Row>,
}

/// The wall-clock times of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTimings {
    pub point: PointKey,
    pub trials: Vec<TrialTimes>,
}

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialTimes {
    pub seed: u64,
    pub trial: u32,
    /// Of each of its repeats.
    pub seconds: Vec<f64>,
}

/// What can be wrong with stored results.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: the file's BLAKE3 is {found}, its manifest says {expected}: the file is damaged and was not read", path.display())]
    Checksum {
        path: PathBuf,
        expected: String,
        found: String,
    },
    #[error("{}: schema {found}; this program reads schemas 1 to {newest}", path.display())]
    Schema {
        path: PathBuf,
        found: u32,
        newest: u32,
    },
    #[error("{}: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    #[error("{}: another process is running this plan", path.display())]
    Locked { path: PathBuf },
}
