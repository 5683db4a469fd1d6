//! All that writes or reads the files of a run.
//!
//! To be read in this order: [`Record`] (a trial that has ended), [`schema`] (the columns of its
//! tables), [`table`] (tables in memory and as Parquet), `atomic` (files, each there whole or not
//! at all), [`folder`] (the folder of a run, its lock, the links beside it), [`parts`] (a run under
//! way), [`complete`] (a complete run, and whether it is damaged), [`rows`] (its rows, which
//! analysis reads), `catalog` (all runs of a results folder).
//!
//! Formats, held by frozen files and docs/data.md: the columns and bytes of tables, the order of
//! rows (that of the points of the plan), the names of files. A line of `schema`, `table`,
//! `table/key` or `table/joined` is a part of the code version: with another one all runs are made
//! anew. The encoding of a part (`table/part_file`) is free.

pub mod schema;

pub mod table;

pub(crate) mod atomic;

pub mod folder;

pub mod parts;

pub mod complete;

pub mod rows;

mod known_laws;

pub(crate) mod catalog;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::PolarsError;

use serde::{Deserialize, Serialize};

use crate::solver::course::Course;
use crate::solver::{Column, Dynamics, Kind, Outcome};

/// A point as the results know it: the key columns that say what was run.
pub use crate::solver::Point;

/// The columns that algorithms have for themselves, by name.
pub type OwnColumns = BTreeMap<String, OwnColumn>;

/// What a column is that an algorithm has for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnColumn {
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Their unit; empty for what has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

/// The own ones of some columns.
pub fn own_columns<'c>(columns: impl IntoIterator<Item = &'c Column>) -> OwnColumns {
    let own = columns.into_iter().filter_map(|column| {
        let own = OwnColumn {
            kind: column.kind()?,
            unit: column.unit.to_owned(),
            doc: column.doc.to_owned(),
        };
        Some((column.name.to_owned(), own))
    });
    own.collect()
}

/// One trial's row; what `trials.parquet` has besides its point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The seed of the spec.
    pub seed: u64,
    /// The trial's index, from 0.
    pub trial: u32,
    /// Updates, or checks or nodes, allowed.
    pub cutoff: u64,
    /// How the trial ended, and its facts.
    pub outcome: Outcome,
}

/// A trial that has ended: its point, its row, and what else is stored of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// What was run.
    pub point: Arc<Point>,
    /// The facts of the trial.
    pub row: Row,
    /// How it was simulated; `None` for a search, and where an earlier code version has not written
    /// it down.
    pub dynamics: Option<Dynamics>,
    /// Wall-clock time of each run of the trial, of which only a timed one has several.
    pub seconds: Vec<f64>,
    /// What the trial wrote down of its course; empty for most.
    pub course: Course,
}

#[cfg(test)]
impl Record {
    /// A trial of seed 1 that was cut off, and nothing more is known of it.
    pub(crate) fn bare(point: &Arc<Point>, trial: u32) -> Self {
        Self {
            point: Arc::clone(point),
            row: Row {
                seed: 1,
                trial,
                cutoff: 9,
                outcome: Outcome::ended(crate::solver::Ending::Censored),
            },
            dynamics: None,
            seconds: Vec::new(),
            course: Course::default(),
        }
    }
}

/// What can be wrong with stored results.
// The messages name the fields.
#[allow(missing_docs)]
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A sound run in the folder of another.
    #[error("{}: {reason}: the run is ignored", path.display())]
    Foreign { path: PathBuf, reason: String },
    /// A sound run that this program does not read: of another schema, or with numbers that its
    /// tables cannot hold.
    #[error("{}: {reason}: the run is left as it is", path.display())]
    Unread { path: PathBuf, reason: String },
    #[error("{}: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    #[error("{}: another process is running this plan", path.display())]
    Locked { path: PathBuf },
}

impl StoreError {
    /// What the file system says of a path.
    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::Io {
            path: path.clone(),
            source,
        }
    }

    /// A file that is not what it should be.
    pub(crate) fn format(path: &Path, reason: impl ToString) -> Self {
        Self::Format {
            path: path.into(),
            reason: reason.to_string(),
        }
    }

    /// A table that cannot be read.
    pub(crate) fn of_table(path: &Path, error: PolarsError) -> Self {
        match error {
            PolarsError::OutOfBounds(reason) => Self::Unread {
                path: path.into(),
                reason: reason.to_string(),
            },
            error => Self::format(path, error),
        }
    }

    /// True if the files are not those that were written: some are gone, or were read and are
    /// others. A file that could not be read may be sound.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Format { .. } => true,
            Self::Io { source, .. } => {
                use std::io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
                matches!(source.kind(), NotFound | IsADirectory | NotADirectory)
            }
            Self::Foreign { .. } | Self::Unread { .. } | Self::Locked { .. } => false,
        }
    }
}
