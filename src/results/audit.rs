//! Whether what a results folder holds is what was written.

use std::path::Path;

use serde::Serialize;

use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::UNFINISHED;
use crate::experiment::store::catalog;
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

/// Compares every checksum and manifest in `results`, and in the reference results that it may
/// hold, of the wanted runs; writes nothing.
///
/// # Errors
/// A folder that cannot be listed. What is wrong with a run stands in its [`Audit`].
pub fn audit(
    results: &Path,
    wanted: impl Fn(&RunFolder) -> bool,
) -> Result<Vec<Audit>, StoreError> {
    let mut runs = catalog::runs(results)?;
    runs.extend(catalog::runs(&results.join("reference"))?);
    runs.retain(wanted);
    let mut audits = Vec::new();
    for runs in runs.chunk_by(|a, b| a.path().parent() == b.path().parent()) {
        // Beside the runs of an experiment is the table of the one that ended last.
        let ended = |run: &&RunFolder| {
            run.own_manifest()
                .map_or_else(|_| String::new(), |it| it.ended)
        };
        let newest = runs.iter().max_by_key(ended);
        for run in runs {
            let mut audit = audit_run(run.clone());
            let stale = newest.filter(|newest| *newest == run);
            audit
                .beside
                .extend(stale.map(RunFolder::stale_tables).unwrap_or_default());
            audits.push(audit);
        }
    }
    Ok(audits)
}

/// Compares every checksum of one run.
pub fn audit_run(run: RunFolder) -> Audit {
    let mut audit = Audit::of_nothing(&run);
    audit.state = audit.run(&run);
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

    /// Adds what is not named already, with the other files.
    fn add<T>(&mut self, result: Result<T, StoreError>) {
        if let Err(error) = result {
            self.add_error(&error);
        }
    }

    fn add_error(&mut self, error: &StoreError) {
        let cannot_be_read = matches!(error, StoreError::Io { .. }) && !error.is_damage();
        let found = match cannot_be_read {
            true => &mut self.unread,
            false => &mut self.damage,
        };
        let words = error.to_string();
        if !found.contains(&words) {
            found.push(words);
        }
    }

    fn run(&mut self, folder: &RunFolder) -> RunState {
        if !folder.is_complete() {
            self.files(folder, None);
            return self.unfinished(folder);
        }
        let run = match CompleteRun::at(folder.clone()) {
            Ok(run) => run,
            Err(error) => {
                self.add_error(&error);
                return RunState::Complete {
                    rows: 0,
                    series_rows: 0,
                };
            }
        };
        run.check().for_each(|error| self.add_error(&error));
        self.files(folder, Some(&run.manifest));
        self.add(run.folder.own_manifest());
        self.add(run.spec_text());
        // Whether the tables fit each other.
        self.add(
            run.points()
                .and_then(|points| run.timings_of_searches(&points)),
        );
        self.add(run.courses());
        let manifest = &run.manifest;
        RunState::Complete {
            rows: manifest.rows,
            series_rows: manifest.series_rows,
        }
    }

    fn unfinished(&mut self, folder: &RunFolder) -> RunState {
        let mut rows = 0;
        let parts = folder.scan_parts(&mut |part| {
            rows += part.frame.height() as u64;
            Ok(())
        });
        let in_words = |it: SetAside| format!("{}: {}", it.path.display(), it.reason);
        match parts {
            Ok(damaged) => self.damage.extend(damaged.into_iter().map(in_words)),
            Err(error) => self.add_error(&error),
        }
        RunState::Unfinished { rows }
    }

    /// What the folder holds beside the files of a complete run (those in its manifest) or of one
    /// under way, and those of its own files that are missing.
    fn files(&mut self, folder: &RunFolder, manifest: Option<&Manifest>) {
        let names = match folder.contents() {
            Ok(names) => names,
            Err(error) => return self.add_error(&error),
        };
        let Self { damage, beside, .. } = self;
        let path = folder.path().display();
        let is_listed = |name: &str| manifest.is_some_and(|it| it.files.contains_key(name));
        let own = manifest.map_or(&[][..], |_| &[SPEC, TRIALS]);
        let missing = own.iter().filter(|name| !is_listed(name));
        damage.extend(missing.map(|name| format!("{path}/{MANIFEST}: no checksum of {name}")));
        // Those that are made now have no manifest yet, and what they are made from is there.
        let has_sources = names.iter().any(|name| name == PARTS);
        let is_locked = folder.is_locked();
        for name in &names {
            let is_table = [TRIALS, TIMINGS, SERIES].contains(&&**name);
            let is_unfinished = name.starts_with(UNFINISHED);
            match (name.as_str(), manifest) {
                (LOCK | MANIFEST | SPEC, _) | (PARTS, None) => {}
                _ if is_listed(name) => {}
                (_, Some(_)) if is_table => {
                    damage.push(format!("{path}/{name}: {MANIFEST} has no checksum of it"));
                }
                (_, None) if is_table && has_sources => {}
                (_, None) if is_table => {
                    let reason = format!("there is no {MANIFEST} to check it by");
                    damage.push(format!("{path}/{name}: {reason}"));
                }
                _ if is_locked && is_unfinished => {}
                (PARTS, _) => beside.push(format!("{path}/{name}: {LEFT}")),
                _ if is_unfinished => beside.push(format!("{path}/{name}: {LEFT}")),
                _ => beside.push(format!("{path}/{name}: no file of the run")),
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
