//! Shards on a cluster: the batch scripts, which shards still need a task, and how far each is.
//!
//! Nothing here reaches a result: a task is `reines run --shard i/K`, and every queue that gives a
//! task an index can run it (docs/clusters.md).

pub mod slurm;

pub mod script;

pub mod submission;

pub mod state;

pub mod submit;

use std::io;
use std::path::PathBuf;

use crate::experiment::store::StoreError;

/// Why something on a cluster did not work.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{program} cannot be started: {source}")]
    Absent {
        program: &'static str,
        source: io::Error,
    },
    #[error("{program} failed: {message}")]
    Refused {
        program: &'static str,
        message: String,
    },
    #[error("{program} answered {found:?}, which is not {expected}")]
    Answer {
        program: &'static str,
        found: String,
        expected: &'static str,
    },
    #[error("this Slurm has no job arrays: MaxArraySize is {0}")]
    NoArrays(u32),
    #[error("{}: {reason}", path.display())]
    Submissions { path: PathBuf, reason: String },
    #[error(
        "{}: this run is cut into {begun} shards already; {asked} would start it over: leave --shards out, or remove shards/ and slurm/ there first",
        run.display()
    )]
    OtherCut {
        run: PathBuf,
        begun: u32,
        asked: u32,
    },
    #[error("{}: a batch script can name only paths that are valid UTF-8", .0.display())]
    NotText(PathBuf),
    #[error("{}: another process is submitting this run", .0.display())]
    Busy(PathBuf),
}

impl ClusterError {
    /// Whether the command line is at fault.
    pub fn is_bad_input(&self) -> bool {
        matches!(self, Self::OtherCut { .. } | Self::NotText(_))
    }
}
