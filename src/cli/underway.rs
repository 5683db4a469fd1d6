//! How far a run under way is, for other terminals: a small file beside the parts that it saves,
//! gone with them when the run is complete. No result depends on it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::progress::{duration, left, so_far};
use crate::experiment::runner::{PlannedRun, Progress};
use crate::experiment::shard::Shard;
use crate::experiment::store::atomic;
use crate::experiment::store::catalog;
use crate::experiment::store::folder::RunFolder;

/// In the folder of the parts, so that it goes when they go.
const FILE: &str = "parts/progress.json";

/// Time between two notices.
const INTERVAL: Duration = Duration::from_secs(2);

/// What the file says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Underway {
    /// Trials that have ended, in all attempts.
    pub trials: u64,
    /// Of them, those of earlier attempts and other runs.
    pub resumed: u64,
    /// To be run in all, as far as is known.
    pub total: u64,
    /// Whether that may grow.
    pub may_grow: bool,
    /// Updates of this attempt.
    pub updates: u64,
    /// Since this attempt began.
    pub elapsed_seconds: f64,
}

/// Writes the file while a run goes on.
pub struct Notice {
    /// The runs of the plan, one of which is under way.
    folders: Box<dyn Fn() -> Option<PathBuf>>,
    file: Option<PathBuf>,
    last: Option<Instant>,
}

impl Notice {
    /// Of a run, or of one of its shards.
    pub fn of(run: &PlannedRun, shard: Option<Shard>) -> Self {
        let (results, name) = (run.results.to_path_buf(), run.spec.name.clone());
        let (code_version, plan_hash) = (run.plan.code_version(), run.plan.hash());
        let folder =
            move |repeat| catalog::folder(&results, &name, &code_version, &plan_hash, repeat);
        // A run goes on with the first that is not complete.
        let folders = move || {
            let begun = (1..).map(&folder).take_while(|it| it.path().exists());
            let run = begun.into_iter().find(|folder| !folder.is_complete())?;
            let folder = shard.map_or(run.clone(), |shard| run.shard(shard));
            Some(folder.path().join(FILE))
        };
        Self {
            folders: Box::new(folders),
            file: None,
            last: None,
        }
    }

    /// Some times a second; writes at once, and then every few seconds.
    pub fn progress(&mut self, progress: Progress, elapsed: Duration) {
        if self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.write(progress, elapsed);
    }

    /// Writes now, as the last word of a run that stops.
    pub fn write(&mut self, progress: Progress, elapsed: Duration) {
        self.last = Some(Instant::now());
        if self.file.is_none() {
            self.file = (self.folders)();
        }
        let Progress {
            trials,
            resumed,
            total,
            may_grow,
            updates,
        } = progress;
        let underway = Underway {
            trials,
            resumed,
            total,
            may_grow,
            updates,
            elapsed_seconds: elapsed.as_secs_f64(),
        };
        // A run goes on without it: the disk says so where rows cannot be saved.
        if let (Some(file), Ok(text)) = (&self.file, serde_json::to_string(&underway)) {
            let _ = atomic::write(file, text.as_bytes());
        }
    }
}

impl Underway {
    /// What is said of the run in this folder, and how long ago; `None` where nothing is.
    pub fn of(run: &RunFolder) -> Option<(Self, Duration)> {
        let path = run.path().join(FILE);
        let underway = serde_json::from_str(&fs::read_to_string(&path).ok()?).ok()?;
        let written = path.metadata().ok()?.modified().ok()?;
        let age = SystemTime::now().duration_since(written);
        Some((underway, age.unwrap_or_default()))
    }

    /// How far a run is, and how long it still takes, which it says itself while it runs.
    pub fn in_words(run: &RunFolder) -> Option<String> {
        let (underway, age) = Self::of(run)?;
        let trials = so_far(underway.progress());
        if !run.is_locked() {
            return Some(format!("stopped with {trials}; run again to go on"));
        }
        let elapsed = Duration::from_secs_f64(underway.elapsed_seconds.clamp(0.0, 1e15));
        let left = left(underway.progress(), elapsed);
        let age = duration(age);
        Some(format!("running: {trials}, {left}, as of {age} ago"))
    }

    fn progress(self) -> Progress {
        let Self {
            trials,
            resumed,
            total,
            may_grow,
            updates,
            ..
        } = self;
        Progress {
            trials,
            resumed,
            total,
            may_grow,
            updates,
        }
    }
}
