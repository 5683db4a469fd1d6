//! Whether what a results folder holds is what was written.

use serde::Serialize;

use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::UNFINISHED;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::{LOCK, MANIFEST, PARTS, RunFolder, SPEC, SetAside};
use crate::experiment::store::schema::{SERIES, TIMINGS, TRIALS};

/// What looking at every byte of a run has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Audit {
    pub folder: String,
    #[serde(flatten)]
    pub state: RunState,
    /// What is wrong with it, one sentence for each thing.
    pub damage: Vec<String>,
    /// What cannot be read now, by permissions or a failing disk: nothing is known of it.
    pub unread: Vec<String>,
    /// Files that are no part of the run and harm nothing: left by processes that were killed, set
    /// aside, or not of this program.
    pub beside: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum RunState {
    /// It has a manifest.
    Complete {
        /// Rows of `trials.parquet`.
        rows: u64,
        series_rows: u64,
    },
    /// It has no manifest yet.
    Unfinished {
        /// Trials in its parts.
        rows: u64,
    },
}

impl Audit {
    /// The files that a complete run has, and the parts of one under way, are all as they were
    /// written.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty() && self.unread.is_empty()
    }
}

/// Compares every checksum and manifest of the runs of experiments, and whether the table beside
/// them is that of the newest; writes nothing.
pub fn audit(runs: &[RunFolder]) -> Vec<Audit> {
    let mut audits: Vec<Audit> = Vec::new();
    for runs in runs.chunk_by(|a, b| a.path().parent() == b.path().parent()) {
        let first = audits.len();
        audits.extend(runs.iter().map(audit_run));
        // Beside the runs of an experiment is the table of the one that ended last.
        let ended = |at: &usize| {
            runs[*at]
                .own_manifest()
                .map(|it| it.ended)
                .unwrap_or_default()
        };
        let newest = (0..runs.len()).max_by_key(ended).unwrap_or_default();
        audits[first + newest]
            .beside
            .extend(runs[newest].stale_tables());
    }
    audits
}

/// Compares every checksum of one run.
pub fn audit_run(run: &RunFolder) -> Audit {
    let mut audit = Audit::of_nothing(run);
    let mut manifest = None;
    if run.is_complete() {
        audit.state = RunState::Complete {
            rows: 0,
            series_rows: 0,
        };
        let complete = CompleteRun::at(run.clone()).inspect_err(|error| audit.add_error(error));
        let Ok(complete) = complete else { return audit };
        manifest = Some(audit.complete(&complete));
    }
    match run.contents() {
        Ok(names) => audit.names(run, &names, manifest.as_ref()),
        Err(error) => audit.add_error(&error),
    }
    if !run.is_complete() {
        audit.unfinished(run);
    }
    audit
}

impl Audit {
    fn of_nothing(run: &RunFolder) -> Self {
        Self {
            folder: run.path().display().to_string(),
            state: RunState::Unfinished { rows: 0 },
            damage: Vec::new(),
            unread: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// Adds what is not named already.
    fn add_error(&mut self, error: &StoreError) {
        let found = match error {
            StoreError::Io { .. } if !error.is_damage() => &mut self.unread,
            _ => &mut self.damage,
        };
        let words = error.to_string();
        if !found.contains(&words) {
            found.push(words);
        }
    }

    fn complete(&mut self, run: &CompleteRun) -> Manifest {
        self.state = RunState::Complete {
            rows: run.manifest.rows,
            series_rows: run.manifest.series_rows,
        };
        let own = run.folder.own_manifest().err();
        // Whether the tables fit each other.
        let points = run
            .points()
            .and_then(|it| run.timings_of_searches(&it))
            .err();
        let wrong = run
            .check()
            .chain(own)
            .chain(points)
            .chain(run.courses().err());
        wrong.for_each(|error| self.add_error(&error));
        run.manifest.clone()
    }

    fn unfinished(&mut self, run: &RunFolder) {
        let mut rows = 0;
        let damaged = run.scan_parts(&mut |part| {
            rows += part.frame.height() as u64;
            Ok(())
        });
        let in_words = |it: SetAside| format!("{}: {}", it.path.display(), it.reason);
        match damaged {
            Ok(damaged) => self.damage.extend(damaged.into_iter().map(in_words)),
            Err(error) => self.add_error(&error),
        }
        self.state = RunState::Unfinished { rows };
    }

    /// What the folder holds beside the files of a complete run, those in its manifest, or of one
    /// under way.
    fn names(&mut self, run: &RunFolder, names: &[String], manifest: Option<&Manifest>) {
        let is_listed = |name: &str| manifest.is_some_and(|it| it.files.contains_key(name));
        // Tables that are made now have no manifest yet, and what they are made from is there.
        let (has_parts, is_locked) = (names.iter().any(|name| name == PARTS), run.is_locked());
        for name in names.iter().filter(|name| !is_listed(name)) {
            let is_table = [TRIALS, TIMINGS, SERIES].contains(&&**name);
            let left = name == PARTS || name.starts_with(UNFINISHED);
            let path = format!("{}/{name}", run.path().display());
            match (name.as_str(), manifest) {
                (LOCK | MANIFEST | SPEC, _) | (PARTS, None) => {}
                (_, Some(_)) if is_table => {
                    let reason = format!("{path}: {MANIFEST} has no checksum of it");
                    self.damage.push(reason);
                }
                (_, None) if is_table && has_parts => {}
                (_, None) if is_table => {
                    let reason = format!("{path}: there is no {MANIFEST} to check it by");
                    self.damage.push(reason);
                }
                _ if is_locked && name != PARTS && left => {}
                _ if left => self.beside.push(format!("{path}: {LEFT}")),
                _ => self.beside.push(format!("{path}: no file of the run")),
            }
        }
    }
}

const LEFT: &str = "left by a process that was killed; `reines run` removes it";

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind};

    use super::*;

    #[test]
    fn what_may_not_be_read_is_not_called_damaged() {
        let of = |kind: ErrorKind| {
            let mut audit = Audit::of_nothing(&RunFolder::at("a/0.1.0-1a2b3c4d-5e6f7a8b"));
            audit.add_error(&StoreError::io("trials.parquet".as_ref())(io::Error::from(
                kind,
            )));
            assert!(!audit.is_sound());
            audit.damage.is_empty()
        };
        assert!(of(ErrorKind::PermissionDenied) && of(ErrorKind::Other));
        assert!(!of(ErrorKind::NotFound) && !of(ErrorKind::IsADirectory));
    }
}
