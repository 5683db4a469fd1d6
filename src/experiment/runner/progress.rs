//! How far a run is, for who watches it and, in a small file of its folder, for other terminals.
//! The file goes when the run is complete; no result depends on it.

use std::fs;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::experiment::store::atomic;
use crate::experiment::store::folder::{PROGRESS, RunFolder};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Finished trials.
    pub trials: u64,
    /// Trials taken over from an earlier, interrupted attempt or from another run; part of
    /// `trials`.
    pub resumed: u64,
    /// As far as is known.
    pub total: u64,
    /// Whether points may need more than `total`.
    pub may_grow: bool,
    /// Updates simulated in this attempt.
    pub updates: u64,
    /// Since this attempt began.
    pub elapsed_seconds: f64,
    /// Share of the work, by the length of trials, from 0 to 1; `None` while too little is known.
    pub work_done: Option<f64>,
    /// About; `None` while too little is known.
    pub seconds_left: Option<f64>,
}

impl Progress {
    /// Keeps it in the run's folder. A run goes on without: the disk says so where rows cannot be
    /// saved.
    pub(super) fn write(&self, run: &RunFolder) {
        if let Ok(text) = toml::to_string(self) {
            let _ = atomic::write(&run.path().join(PROGRESS), text.as_bytes());
        }
    }

    /// What the run in this folder has last said, and how long ago; `None` where it says nothing.
    pub fn read(run: &RunFolder) -> Option<(Self, Duration)> {
        let path = run.path().join(PROGRESS);
        let progress = toml::from_str(&fs::read_to_string(&path).ok()?).ok()?;
        let written = path.metadata().ok()?.modified().ok()?;
        let age = SystemTime::now().duration_since(written);
        Some((progress, age.unwrap_or_default()))
    }
}
