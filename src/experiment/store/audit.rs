//! Whether what a results folder holds is what was written.

use std::path::Path;

use super::StoreError;
use super::catalog::{self, RunEntry};
use crate::experiment::provenance::Manifest;
use crate::experiment::shard::Shard;

/// What looking at every byte of a run has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    pub entry: RunEntry,
    pub state: State,
    /// What is wrong with it, one sentence for each thing.
    pub damage: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has a manifest.
    Complete { rows: u64 },
    /// So many parts are saved, besides shares; all together hold so many rows.
    Unfinished { parts: usize, rows: u64 },
}

/// Compares every checksum and manifest in `results`; writes nothing.
///
/// # Errors
/// A folder that cannot be listed. What is wrong with a run stands in its [`Audit`].
pub fn audit(results: &Path) -> Result<Vec<Audit>, StoreError> {
    Ok(catalog::runs(results)?.into_iter().map(audit_run).collect())
}

fn audit_run(entry: RunEntry) -> Audit {
    let mut damage = Vec::new();
    let state = if entry.folder.is_complete() {
        let manifest = entry.folder.manifest();
        let rows = manifest.as_ref().map_or(0, |manifest| manifest.rows);
        match manifest {
            Ok(manifest) => audit_complete(&entry, &manifest, &mut damage),
            Err(error) => damage.push(error.to_string()),
        }
        State::Complete { rows }
    } else {
        audit_unfinished(&entry, &mut damage)
    };
    Audit { entry, state, damage }
}

/// Whether the manifest speaks of the folder that it lies in.
fn audit_names(entry: &RunEntry, manifest: &Manifest, damage: &mut Vec<String>) {
    let path = entry.folder.path().join("manifest.toml");
    for (what, said, expected) in [
        ("experiment", &manifest.experiment, &entry.experiment),
        ("code version", &manifest.code_version, &entry.code_version),
        ("plan hash", &manifest.plan_hash, &entry.plan_hash),
    ] {
        if said != expected {
            damage.push(format!("{}: the {what} is {said}, the folder's name says {expected}", path.display()));
        }
    }
}

fn audit_complete(entry: &RunEntry, manifest: &Manifest, damage: &mut Vec<String>) {
    audit_names(entry, manifest, damage);
    let path = entry.folder.path().join("manifest.toml");
    for name in ["spec.toml", "timings.parquet"] {
        damage.extend(entry.folder.open_checked(manifest, name).err().map(|error| error.to_string()));
    }
    match entry.folder.rows(manifest) {
        Ok(rows) if rows == manifest.rows => {}
        Ok(rows) => damage.push(format!("{}: {} rows, trials.parquet has {rows}", path.display(), manifest.rows)),
        Err(error) => damage.push(error.to_string()),
    }
}

fn audit_unfinished(entry: &RunEntry, damage: &mut Vec<String>) -> State {
    let mut rows = 0;
    match entry.folder.look_at_parts(&mut |records| rows += records.len() as u64) {
        Ok(damaged) => damage.extend(damaged.into_iter().map(|part| format!("{}: {}", part.path.display(), part.reason))),
        Err(error) => damage.push(error.to_string()),
    }
    match entry.folder.shards() {
        Ok(shards) => rows += shards.into_iter().map(|shard| audit_shard(entry, shard, damage)).sum::<u64>(),
        Err(error) => damage.push(error.to_string()),
    }
    State::Unfinished { parts: entry.folder.parts(), rows }
}

/// The rows that a share has saved.
fn audit_shard(entry: &RunEntry, shard: Shard, damage: &mut Vec<String>) -> u64 {
    let folder = entry.folder.shard(shard);
    let share = RunEntry { folder: folder.clone(), ..entry.clone() };
    if !folder.is_complete() {
        let State::Unfinished { rows, .. } = audit_unfinished(&share, damage) else { return 0 };
        return rows;
    }
    let opened = folder.manifest().and_then(|manifest| {
        audit_names(&share, &manifest, damage);
        folder.open_checked(&manifest, "spec.toml")?;
        folder.shard_rows(&manifest)?;
        Ok(manifest.rows)
    });
    opened.unwrap_or_else(|error| {
        damage.push(error.to_string());
        0
    })
}

impl Audit {
    /// The files that a complete run has, and the parts of one under way, are all as they were written.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }
}
