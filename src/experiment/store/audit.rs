//! Whether what a results folder holds is what was written.

mod listing;

use std::path::Path;

use super::catalog::{self, RunEntry, refuse_foreign};
use super::courses::{TrialReader, other_course};
use super::folder::{MANIFEST, RunFolder, SHARD, format_error};
use super::table::Layout;
use super::table::course_table::Entry;
use super::{Record, StoreError};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::shard::Shard;
use crate::solver::course::{Observation, QueenMove};

/// What looking at every byte of a run has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// The run.
    pub entry: RunEntry,
    /// What was found.
    pub state: State,
    /// What is wrong with it, one sentence for each thing.
    pub damage: Vec<String>,
    /// Files that are no part of the run and harm nothing: left by processes that were killed, set
    /// aside, or not of this program.
    pub beside: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has a manifest.
    Complete {
        /// Of `trials.parquet`.
        rows: u64,
        /// Of `series.parquet` and of `moves.parquet`.
        course_rows: [u64; 2],
    },
    /// It has no manifest yet.
    Unfinished {
        /// Saved parts.
        parts: usize,
        /// Of all parts.
        rows: u64,
    },
}

/// Compares every checksum and manifest in `results`, and in the reference results that it may
/// hold; writes nothing.
///
/// # Errors
/// A folder that cannot be listed. What is wrong with a run stands in its [`Audit`].
pub fn audit(results: &Path) -> Result<Vec<Audit>, StoreError> {
    let mut entries = catalog::runs(results)?;
    entries.extend(catalog::runs(&results.join("reference"))?);
    Ok(entries.into_iter().map(audit_run).collect())
}

fn audit_run(entry: RunEntry) -> Audit {
    let mut found = Found {
        damage: Vec::new(),
        beside: Vec::new(),
    };
    let plan = entry.plan();
    let state = audit_folder(
        &entry.folder,
        plan.as_ref(),
        &mut found,
        &|manifest, damage| {
            audit_identity(&entry, manifest, damage);
            if damage.is_empty() {
                audit_courses(&entry, plan.as_ref(), manifest, damage);
            }
        },
    );
    // The shards of a run that is whole are left by a merge that was killed while it removed them.
    let is_whole = matches!(state, State::Complete { .. }) && found.damage.is_empty();
    match entry.folder.shards() {
        Ok(_) if is_whole => {}
        Ok(shards) => shards.into_iter().for_each(|shard| {
            let folder = entry.folder.shard(shard);
            audit_folder(&folder, plan.as_ref(), &mut found, &|manifest, damage| {
                audit_shard(&entry, shard, manifest, damage);
            });
        }),
        Err(error) => found.damage.push(error.to_string()),
    }
    let Found { damage, beside } = found;
    Audit {
        entry,
        state,
        damage,
        beside,
    }
}

struct Found {
    damage: Vec<String>,
    beside: Vec<String>,
}

/// A run's folder or a share's; `further` looks at what only one of them has.
fn audit_folder(
    folder: &RunFolder,
    plan: Option<&Plan>,
    found: &mut Found,
    further: &dyn Fn(&Manifest, &mut Vec<String>),
) -> State {
    if !folder.is_complete() {
        listing::audit(folder, None, found);
        return audit_unfinished(folder, plan, &mut found.damage);
    }
    let manifest = match folder.manifest() {
        Ok(manifest) => manifest,
        Err(error) => {
            found.damage.push(error.to_string());
            return State::Complete {
                rows: 0,
                course_rows: [0, 0],
            };
        }
    };
    let files = manifest.files.keys();
    let damaged = files.filter_map(|name| folder.open_checked(&manifest, name).err());
    found.damage.extend(damaged.map(|error| error.to_string()));
    listing::audit(folder, Some(&manifest), found);
    further(&manifest, &mut found.damage);
    State::Complete {
        rows: manifest.rows,
        course_rows: [manifest.series_rows, manifest.move_rows],
    }
}

/// Whether the manifest is that of the folder that it lies in, and the rows are as many as it says.
fn audit_identity(entry: &RunEntry, manifest: &Manifest, damage: &mut Vec<String>) {
    damage.extend(entry.manifest().err().map(|error| error.to_string()));
    damage.extend(
        entry
            .folder
            .checked_spec(manifest)
            .err()
            .map(|error| error.to_string())
            .filter(|said| !damage.contains(said)),
    );
    match read_to_end(&entry.folder, manifest, Layout::Trials) {
        // Named already, with the other files.
        Ok(()) | Err(StoreError::Checksum { .. } | StoreError::Io { .. }) => {}
        Err(error) => damage.push(error.to_string()),
    }
    // Those that are wrong with the trials are named above.
    match entry.folder.records(manifest, &mut |_| Ok(())) {
        Err(error @ StoreError::Format { .. }) if !damage.contains(&error.to_string()) => {
            damage.push(error.to_string());
        }
        _ => {}
    }
}

/// Reads every row of a table; of a shard also whether its trials are as many as the manifest says
/// and have their courses.
fn read_to_end(folder: &RunFolder, manifest: &Manifest, layout: Layout) -> Result<(), StoreError> {
    let plan = folder.plan(manifest);
    let mut table = folder.open_table(manifest, layout)?;
    let mut next = || {
        let batch = table.next_batch();
        batch.map_err(|error| folder.table_error(layout, error))
    };
    let mut trials = 0;
    while let Some(batch) = next()? {
        trials += batch.iter().filter(|record| record.repeat == 0).count() as u64;
        let other = |record: &&Record| layout == Layout::Part && !has_course(plan.as_ref(), record);
        if let Some(record) = batch.iter().find(other) {
            return Err(format_error(folder.path(), other_course(record)));
        }
    }
    if layout == Layout::Part && trials != manifest.rows {
        let reason = format!("{} rows, {SHARD} has {trials}", manifest.rows);
        return Err(format_error(&folder.path().join(MANIFEST), reason));
    }
    Ok(())
}

/// Whether a shard is one of this run, of which every row is the plan's.
fn audit_shard(entry: &RunEntry, shard: Shard, manifest: &Manifest, damage: &mut Vec<String>) {
    let own = entry.folder.shard(shard);
    let (none, number) = ("none".to_owned(), shard.to_string());
    let said = refuse_foreign(
        &own,
        [
            ("experiment", &manifest.experiment, &entry.experiment),
            ("code version", &manifest.code_version, &entry.code_version),
            ("plan hash", &manifest.plan_hash, &entry.plan_hash),
            ("shard", manifest.shard.as_ref().unwrap_or(&none), &number),
        ],
    );
    damage.extend(said.err().map(|error| error.to_string()));
    // Other errors are named already, with the other files.
    if let Err(error @ StoreError::Format { .. }) = read_to_end(&own, manifest, Layout::Part) {
        damage.push(error.to_string());
    }
}

/// Whether each trial has the course that its row and the plan ask for, of files that are whole.
fn audit_courses(
    entry: &RunEntry,
    plan: Option<&Plan>,
    manifest: &Manifest,
    damage: &mut Vec<String>,
) {
    let asks = plan.is_some_and(|plan| plan.records_series() || plan.records_moves());
    let names = [Observation::FILE, QueenMove::FILE];
    if !asks && names.iter().all(|name| !manifest.files.contains_key(*name)) {
        return;
    }
    let path = entry.folder.path().display();
    let mut audit = || -> Result<(), StoreError> {
        let mut trials = TrialReader::open(&entry.folder, manifest)?;
        let said = [manifest.series_rows, manifest.move_rows];
        for ((name, rows), said) in names.into_iter().zip(trials.course_rows()).zip(said) {
            if rows != said {
                damage.push(format!(
                    "{path}/manifest.toml: {said} rows, {name} has {rows}"
                ));
            }
        }
        let mut wrong = 0;
        while let Some(record) = trials.pull()? {
            if !has_course(plan, &record) {
                wrong += 1;
                if wrong == 1 {
                    damage.push(format!("{path}: {}", other_course(&record)));
                }
            }
        }
        if wrong > 1 {
            damage.push(format!(
                "{path}: the courses of {} more trials do not fit",
                wrong - 1
            ));
        }
        Ok(())
    };
    let result = audit();
    damage.extend(result.err().map(|error| error.to_string()));
}

/// Where the plan is not known, a trial with moves must have all of them.
fn has_course(plan: Option<&Plan>, record: &Record) -> bool {
    let moves = record.course.moves.len() as u64;
    match plan.and_then(|plan| plan.at(&record.point)) {
        Some(planned) => planned.has_course(record),
        None => moves == 0 || record.row.outcome.moves == Some(moves),
    }
}

fn audit_unfinished(folder: &RunFolder, plan: Option<&Plan>, damage: &mut Vec<String>) -> State {
    let mut rows = 0;
    let is_planned = |records: &[Record]| plan.is_none_or(|plan| plan.has_rows(records));
    let parts = folder.look_at_parts(&mut |records| {
        rows += records.len() as u64;
        is_planned(records) && records.iter().all(|record| has_course(plan, record))
    });
    let running = folder.look_at_running(&mut |records| is_planned(records));
    for looked in [parts, running] {
        match looked {
            Ok(damaged) => damage.extend(
                damaged
                    .into_iter()
                    .map(|part| format!("{}: {}", part.path.display(), part.reason)),
            ),
            Err(error) => damage.push(error.to_string()),
        }
    }
    State::Unfinished {
        parts: folder.parts(),
        rows,
    }
}

impl Audit {
    /// The files that a complete run has, and the parts of one under way, are all as they were
    /// written.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }
}
