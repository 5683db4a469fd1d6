//! Whether what a results folder holds is what was written.

use std::path::Path;

use super::StoreError;
use super::catalog::{self, RunEntry};
use super::folder::{RunFolder, table_name};
use super::table::Layout;
use crate::experiment::provenance::Manifest;

/// What looking at every byte of a run has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// The run.
    pub entry: RunEntry,
    /// What was found.
    pub state: State,
    /// What is wrong with it, one sentence for each thing.
    pub damage: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has a manifest.
    Complete {
        /// Of `trials.parquet`.
        rows: u64,
        /// Of trials with a time limit.
        timed_rows: u64,
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
    let mut damage = Vec::new();
    let state = audit_folder(&entry.folder, &mut damage, &|manifest, damage| {
        audit_identity(&entry, manifest, damage)
    });
    match entry.folder.shards() {
        Ok(shards) => shards.into_iter().for_each(|shard| {
            audit_folder(&entry.folder.shard(shard), &mut damage, &|_, _| ());
        }),
        Err(error) => damage.push(error.to_string()),
    }
    Audit {
        entry,
        state,
        damage,
    }
}

/// A run's folder or a share's; `further` looks at what only one of them has.
fn audit_folder(
    folder: &RunFolder,
    damage: &mut Vec<String>,
    further: &dyn Fn(&Manifest, &mut Vec<String>),
) -> State {
    if !folder.is_complete() {
        return audit_unfinished(folder, damage);
    }
    let manifest = match folder.manifest() {
        Ok(manifest) => manifest,
        Err(error) => {
            damage.push(error.to_string());
            return State::Complete {
                rows: 0,
                timed_rows: 0,
            };
        }
    };
    damage.extend(
        manifest
            .files
            .keys()
            .filter_map(|name| folder.open_checked(&manifest, name).err())
            .map(|error| error.to_string()),
    );
    further(&manifest, damage);
    State::Complete {
        rows: manifest.rows,
        timed_rows: manifest.timed_rows,
    }
}

/// Whether the manifest is that of the folder that it lies in, and the rows are as many as it says.
fn audit_identity(entry: &RunEntry, manifest: &Manifest, damage: &mut Vec<String>) {
    let path = entry.folder.path().join("manifest.toml");
    for (what, said, expected) in [
        ("experiment", &manifest.experiment, &entry.experiment),
        ("code version", &manifest.code_version, &entry.code_version),
        ("plan hash", &manifest.plan_hash, &entry.plan_hash),
    ] {
        if said != expected {
            damage.push(format!(
                "{}: the {what} is {said}, the folder's name says {expected}",
                path.display()
            ));
        }
    }
    for (layout, said) in [
        (Layout::Trials, Some(manifest.rows)),
        (
            Layout::Timed,
            (manifest.timed_rows > 0).then_some(manifest.timed_rows),
        ),
    ] {
        match said.map(|said| (said, entry.folder.rows(manifest, layout))) {
            Some((said, Ok(rows))) if rows != said => {
                damage.push(format!(
                    "{}: {said} rows, {} has {rows}",
                    path.display(),
                    table_name(layout)
                ));
            }
            // Named already, with the other files.
            None | Some((_, Ok(_) | Err(StoreError::Checksum { .. } | StoreError::Io { .. }))) => {}
            Some((_, Err(error))) => damage.push(error.to_string()),
        }
    }
}

fn audit_unfinished(folder: &RunFolder, damage: &mut Vec<String>) -> State {
    let mut rows = 0;
    match folder.look_at_parts(&mut |records| rows += records.len() as u64) {
        Ok(damaged) => damage.extend(
            damaged
                .into_iter()
                .map(|part| format!("{}: {}", part.path.display(), part.reason)),
        ),
        Err(error) => damage.push(error.to_string()),
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
