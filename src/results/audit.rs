//! Whether what a results folder holds is what was written: all that `verify` looks at. The lengths
//! and checksums of a run's files are compared in `experiment/store/complete/damage`. The sentences
//! on what is damaged, missing, left behind or no file of the run are here.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::experiment::plan::MAX_COURSE_ROWS;
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::{MOST, UNFINISHED, bytes_of};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::{LOCK, MANIFEST, PARTS, RunFolder, SPEC, may_exist};
use crate::experiment::store::schema::{SERIES, TIMINGS, TRIALS};
use crate::experiment::store::table::Table;

/// What looking at every byte of a run has found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Audit {
    pub folder: String,
    /// `complete` if it has a manifest, else `unfinished`.
    pub state: &'static str,
    /// Rows of `trials.parquet`, or trials in the parts; `None` where the manifest that says it is
    /// damaged.
    pub rows: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series_rows: Option<u64>,
    /// What is wrong with it, one sentence for each thing.
    pub damage: Vec<String>,
    /// What cannot be read now, by permissions or a failing disk: nothing is known of it.
    pub unread: Vec<String>,
    /// Where the run was made, if it lies in the folder of another: it is as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<String>,
    /// Files that are no part of the run and harm nothing: left by processes that were killed, set
    /// aside, or not of this program.
    pub beside: Vec<String>,
}

/// Compares every checksum of one run.
pub fn audit_run(run: &RunFolder) -> Audit {
    let mut audit = Audit {
        folder: run.path().display().to_string(),
        state: "unfinished",
        ..Audit::default()
    };
    let mut complete = None;
    if run.is_complete() {
        (audit.state, audit.series_rows) = ("complete", Some(0));
        complete = audit.add(CompleteRun::open(run));
        match &complete {
            Some(complete) => audit.add_complete(run, complete),
            None => {
                audit.add_unsealed(run);
                return audit;
            }
        }
    } else {
        audit.add_parts(run);
    }
    for name in audit.add(run.contents()).unwrap_or_default() {
        audit.add_file(run, complete.as_ref(), &name);
    }
    audit
}

/// What is wrong with a file in the place of the link to a table of a run: which trials it lacks,
/// or has beside those of the run; nothing where it has the same rows.
pub fn file_beside(run: &CompleteRun, file: &Path, name: &str) -> Option<String> {
    let own = run.folder.path().join(name);
    let shown = file.display();
    let own = own.display();
    let then = "remove it, and `reines run` makes the link";
    if !run.has(name) {
        return Some(format!(
            "{shown}: {own} is not there, a file of other rows is; remove it"
        ));
    }
    let found = bytes_of(file, MOST).and_then(|bytes| {
        let table = Table::of_bytes(bytes, MAX_COURSE_ROWS, None);
        table.map_err(|error| StoreError::format(file, error))
    });
    let table = match found {
        Err(error) => return Some(format!("{error}; expected a link to {own}: {then}")),
        Ok(table) => table,
    };
    let expected = run.table(name).ok()?;
    if table.frame.equals_missing(&expected.frame) {
        return None;
    }
    let there = trials_of(&table);
    let wanted = trials_of(&expected);
    let missing: Vec<&TrialName> = wanted.difference(&there).collect();
    let more = there.difference(&wanted).count();
    let what = match (missing.first(), more) {
        (Some((point, seed, trial)), _) => {
            let lacking = missing.len();
            let all = wanted.len();
            let first = format!("{point} seed={seed} trial={trial}");
            format!("{lacking} of {all} trials are missing, the first is {first}")
        }
        (None, 0) => "its values are others".to_owned(),
        (None, more) => format!("it has {more} trials that the run does not have"),
    };
    Some(format!(
        "{shown}: a file in the place of a link to {own}: {what}; {then}"
    ))
}

/// A point, a seed and the index of a trial.
type TrialName = (String, u64, u32);

/// The trials of a table.
fn trials_of(table: &Table) -> BTreeSet<TrialName> {
    let mut all = BTreeSet::new();
    let Ok(trials) = table.trials() else {
        return all;
    };
    for (point, range) in &table.points {
        for at in range.clone() {
            let (seed, trial) = trials.at(at);
            all.insert((point.to_string(), seed, trial));
        }
    }
    all
}

impl Audit {
    /// Adds what is wrong beside the run.
    pub fn add_damage(&mut self, words: String) {
        self.damage.push(words);
    }

    /// The files that a complete run has, and the parts of one under way, are all as they were
    /// written.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty() && self.unread.is_empty()
    }

    /// Adds what is wrong with a run whose manifest is as it was written.
    fn add_complete(&mut self, run: &RunFolder, complete: &CompleteRun) {
        self.rows = Some(complete.manifest.rows);
        self.series_rows = Some(complete.manifest.series_rows);
        complete.check().for_each(|error| self.add_error(&error));
        let foreign = run.refuse_foreign(&complete.manifest).err();
        self.moved = foreign.map(|error| error.to_string());
        // The tables must fit each other.
        if complete.has(TIMINGS) {
            let points = complete.points();
            self.add(points.and_then(|points| complete.timings_of_searches(&points)));
        } else {
            self.add(complete.check_trials());
        }
        self.add(complete.courses());
    }

    /// Adds what is wrong with the other files where the manifest is damaged: each is compared with
    /// the checksum that the manifest has, if one can be read there, and else named as one that was
    /// not compared.
    fn add_unsealed(&mut self, run: &RunFolder) {
        let unsealed = run.unsealed_manifest().map(|manifest| CompleteRun {
            folder: run.clone(),
            manifest,
        });
        if let Some(unsealed) = &unsealed {
            unsealed.check().for_each(|error| self.add_error(&error));
        }
        for name in [SPEC, TRIALS, TIMINGS, SERIES] {
            let path = run.path().join(name);
            let is_compared = unsealed.as_ref().is_some_and(|run| run.has(name));
            if !is_compared && may_exist(&path) {
                let words = "not compared, since the manifest that has its checksum is damaged";
                self.unread.push(format!("{}: {words}", path.display()));
            }
        }
    }

    /// Adds the trials that an unfinished run has saved, and what is wrong with their files.
    fn add_parts(&mut self, run: &RunFolder) {
        let mut rows = 0;
        let damaged = run.scan_parts(&mut |part| {
            rows += part.frame.height() as u64;
            Ok(())
        });
        self.rows = Some(rows);
        let damaged = self.add(damaged).unwrap_or_default();
        damaged.iter().for_each(|error| self.add_error(error));
    }

    fn add<T>(&mut self, found: Result<T, StoreError>) -> Option<T> {
        found.inspect_err(|error| self.add_error(error)).ok()
    }

    /// Adds what is not named already.
    fn add_error(&mut self, error: &StoreError) {
        let found = match error {
            // A run of another schema may be sound.
            StoreError::Io { .. } | StoreError::Foreign { .. } | StoreError::Unread { .. }
                if !error.is_damage() =>
            {
                &mut self.unread
            }
            _ => &mut self.damage,
        };
        let words = error.to_string();
        if !found.contains(&words) {
            found.push(words);
        }
    }

    /// Adds what the folder holds beside the files of a complete run, those in its manifest, or of
    /// one under way.
    fn add_file(&mut self, run: &RunFolder, complete: Option<&CompleteRun>, name: &str) {
        const LEFT: &str = "left by a process that was killed; `reines run` removes it";
        let is_begun = name.starts_with(UNFINISHED);
        let is_under_way = complete.is_none() && may_exist(&run.path().join(PARTS));
        let is_own = match complete {
            Some(complete) => complete.has(name) || has_folder(complete, name),
            None => name == PARTS || is_of_program(run, name),
        };
        let (found, words) = match name {
            LOCK | MANIFEST | SPEC => return,
            _ if is_own || is_begun && run.is_locked() => return,
            // They are made now, of what is still there.
            TRIALS | TIMINGS | SERIES if is_under_way => return,
            TRIALS | TIMINGS | SERIES => (&mut self.damage, "no manifest.toml has its checksum"),
            _ if is_begun || name == PARTS => (&mut self.beside, LEFT),
            _ => (&mut self.beside, "no file of the run"),
        };
        found.push(format!("{}: {words}", run.path().join(name).display()));
    }
}

/// True if a complete run has files in a folder of this name: those of a program.
fn has_folder(run: &CompleteRun, name: &str) -> bool {
    let mut files = run.manifest.files.keys();
    files.any(|file| file.split('/').next() == Some(name))
}

/// True if a run under way has a file of a program of this name, or in a folder of this name.
fn is_of_program(run: &RunFolder, name: &str) -> bool {
    let plan = run.plan();
    let files = plan.iter().flat_map(|plan| plan.programs.files());
    files
        .map(|file| file.name.split('/').next())
        .any(|first| first == Some(name))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn what_may_not_be_read_is_not_called_damaged() {
        let of = |kind: ErrorKind| {
            let mut audit = Audit::default();
            audit.add_error(&StoreError::io(TRIALS.as_ref())(kind.into()));
            assert!(!audit.is_sound());
            audit.damage.is_empty()
        };
        assert!(of(ErrorKind::PermissionDenied) && of(ErrorKind::Other));
        assert!(!of(ErrorKind::NotFound) && !of(ErrorKind::IsADirectory));
    }
}
