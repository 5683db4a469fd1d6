//! The shards of a run: `shards/<i>-of-<K>/` in its folder, each with the lock, the parts, the spec
//! and the manifest of a run's folder, and, when it is done, with one table `shard.parquet` of its
//! rows and seconds, laid out as a part is.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::StoreError;
use super::folder::{LockedFolder, RunFolder, entries, may_exist, tolerate_gone};
use super::parts::Parts;
use crate::experiment::shard::Shard;

pub const SHARDS: &str = "shards";
/// Within [`SHARDS`]: what a merge under way has read.
const MERGING: &str = "merging";

/// The shards of a run that is cut into `count`: which have begun, and which of these are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shards {
    /// All shards of the cut.
    pub count: u32,
    /// Those that have a folder.
    pub begun: BTreeSet<u32>,
    pub done: BTreeSet<u32>,
}

impl Shards {
    /// The shards of a run in its cut into `count`.
    pub fn of(run: &RunFolder, count: u32) -> Result<Self, StoreError> {
        let mut begun = run.shards()?;
        begun.retain(|shard| shard.count() == count);
        let done = begun.iter().filter(|it| run.shard(**it).is_complete());
        Ok(Self {
            count,
            done: done.map(Shard::index).collect(),
            begun: begun.iter().map(Shard::index).collect(),
        })
    }

    /// Every way in which a run has been cut, fewest shards first.
    pub fn cuts(run: &RunFolder) -> Result<Vec<Self>, StoreError> {
        let counts: BTreeSet<u32> = run.shards()?.iter().map(Shard::count).collect();
        let cuts = counts.into_iter().map(|count| Self::of(run, count));
        cuts.collect()
    }

    pub fn missing(&self) -> Vec<u32> {
        let all = 0..self.count;
        all.filter(|index| !self.done.contains(index)).collect()
    }
}

impl RunFolder {
    /// The folder of a shard of this run.
    pub(crate) fn shard(&self, shard: Shard) -> Self {
        Self::at(self.path().join(SHARDS).join(shard.folder_name()))
    }

    /// The shards that have begun, in order; none where there are no shards.
    pub(crate) fn shards(&self) -> Result<Vec<Shard>, StoreError> {
        let entries = entries(&self.path().join(SHARDS))?.into_iter();
        let shard = |path: PathBuf| Shard::from_folder_name(path.file_name()?.to_str()?);
        let mut shards: Vec<Shard> = entries.filter_map(shard).collect();
        shards.sort_by_key(|shard| (shard.count(), shard.index()));
        Ok(shards)
    }

    /// Removes the shards, whose rows the run holds, unless a process works in one of them.
    pub(super) fn remove_shards(&self) -> Result<(), StoreError> {
        let path = self.path().join(SHARDS);
        if !may_exist(&path) || self.shards()?.iter().any(|it| self.shard(*it).is_locked()) {
            return Ok(());
        }
        tolerate_gone(fs::remove_dir_all(&path)).map_err(StoreError::io(&path))
    }
}

impl LockedFolder {
    /// An empty set of parts for the rows of the shards.
    pub(crate) fn parts_for_shards(&self) -> Result<Parts, StoreError> {
        let path = self.folder().path().join(SHARDS).join(MERGING);
        if may_exist(&path) {
            // Left by a merge that was killed.
            tolerate_gone(fs::remove_dir_all(&path)).map_err(StoreError::io(&path))?;
        }
        Parts::take_over(&path, &mut |_| false).map(|(parts, _)| parts)
    }
}
