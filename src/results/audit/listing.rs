//! Every file in a run's folder, accounted for.

use super::Found;
use crate::experiment::provenance::Manifest;
use crate::experiment::store::atomic::UNFINISHED;
use crate::experiment::store::folder::{LOCK, MANIFEST, PARTS, RunFolder, SPEC};
use crate::experiment::store::schema::{MOVES, SERIES, SHARD, TIMINGS, TRIALS};
use crate::experiment::store::shards::SHARDS;

/// What `reines submit` has in the folder.
const SUBMISSIONS: &str = "slurm";

/// The tables of a run, and of a shard.
const TABLES: &[&str] = &[TRIALS, TIMINGS, SERIES, MOVES, SHARD];

/// Adds what the folder holds beside the files of a complete run (those in its manifest) or of one
/// under way, and those of its own files that are missing.
pub fn audit(folder: &RunFolder, manifest: Option<&Manifest>, found: &mut Found) {
    let names = match folder.names() {
        Ok(names) => names,
        Err(error) => return found.damage.push(error.to_string()),
    };
    let path = folder.path().display();
    if let Some(manifest) = manifest {
        for name in own_files(manifest) {
            if !manifest.files.contains_key(*name) {
                found
                    .damage
                    .push(format!("{path}/{MANIFEST}: no checksum of {name}"));
            }
        }
    }
    // Those that are made now have no manifest yet, and what they are made from is there.
    let has_sources = names.iter().any(|name| name == PARTS || name == SHARDS);
    let is_locked = folder.is_locked();
    for name in &names {
        let is_listed = manifest.is_some_and(|manifest| manifest.files.contains_key(name));
        let is_table = TABLES.contains(&name.as_str());
        match (name.as_str(), manifest) {
            (MANIFEST | SPEC | SUBMISSIONS, _) => {}
            (LOCK | PARTS | SHARDS, None) => {}
            _ if is_listed => {}
            (_, Some(_)) if is_table => found
                .damage
                .push(format!("{path}/{name}: {MANIFEST} has no checksum of it")),
            (_, None) if is_table && !has_sources => found.damage.push(format!(
                "{path}/{name}: there is no {MANIFEST} to check it by"
            )),
            (_, None) if is_table => {}
            _ if is_locked && name.starts_with(UNFINISHED) => {}
            (LOCK, Some(_)) if is_locked => {}
            (LOCK | PARTS | SHARDS, Some(_)) => found.beside.push(format!(
                "{path}/{name}: left by a process that was killed; `reines run` removes it"
            )),
            _ if name.starts_with(UNFINISHED) => found.beside.push(format!(
                "{path}/{name}: left by a process that was killed; `reines run` removes it"
            )),
            _ => found
                .beside
                .push(format!("{path}/{name}: no file of the run")),
        }
    }
}

/// The files that a complete run or shard always has.
fn own_files(manifest: &Manifest) -> &'static [&'static str] {
    match manifest.shard {
        None => &[SPEC, TIMINGS, TRIALS],
        Some(_) => &[SPEC, SHARD],
    }
}
