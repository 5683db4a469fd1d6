//! Shards as tasks of Slurm: how far each is, by its files and by the queue, and what to submit.
//!
//! Nothing here reaches a result: a task is `reines run --shard i/K`, and every queue that gives a
//! task an index can run it (docs/clusters.md). Of a submission nothing is kept but the script that
//! its jobs run; the queue finds them by a name that no other run has.

pub mod slurm;

pub mod state;

pub mod submit;

use std::path::PathBuf;

use crate::experiment::store::folder::RunFolder;

/// The folder for the script, a copy of the spec and what jobs print, within a run's.
pub fn folder(run: &RunFolder) -> PathBuf {
    run.path().join("slurm")
}

/// A word that a shell reads back as `text`, for every text.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
