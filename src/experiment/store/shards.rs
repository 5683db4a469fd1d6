//! The shards of a run: `shards/<i>-of-<K>/` in its folder, each with the lock, the parts, the spec
//! and the manifest of a run's folder, and, when it is done, with one table `shard.parquet` of its
//! rows and seconds, laid out as a part is.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::catalog::refuse_foreign;
use super::complete::CompleteRun;
use super::folder::{RunFolder, entries, may_exist, tolerate_gone};
use super::parts::{Admit, SetAside};
use super::{StoreError, schema};
use crate::experiment::shard::Shard;

pub const SHARDS: &str = "shards";

impl RunFolder {
    /// The folder of a shard of this run.
    pub(crate) fn shard(&self, shard: Shard) -> Self {
        Self::at(self.path().join(SHARDS).join(shard.folder_name()))
    }

    /// The shards that have begun, of the cut into fewest first; none where there are no shards.
    pub(crate) fn shards(&self) -> Result<BTreeSet<Shard>, StoreError> {
        let entries = entries(&self.path().join(SHARDS))?.into_iter();
        let shard = |path: PathBuf| Shard::from_folder_name(path.file_name()?.to_str()?);
        Ok(entries.filter_map(shard).collect())
    }

    /// The folder of a shard that a process works in.
    pub(crate) fn running_shard(&self) -> Result<Option<PathBuf>, StoreError> {
        let folders = self.shards()?.into_iter().map(|it| self.shard(it));
        let mut running = folders.filter(Self::is_locked);
        Ok(running.next().map(|folder| folder.path().to_path_buf()))
    }

    /// Gives the finished rows of every shard to `admit`, and leaves every file as it is; returns
    /// the shards and parts of shards that are damaged or foreign, or have a row that `admit`
    /// refuses.
    pub(crate) fn scan_shards(&self, admit: &mut Admit) -> Result<Vec<SetAside>, StoreError> {
        let mut refused = Vec::new();
        for shard in self.shards()? {
            let folder = self.shard(shard);
            if !folder.is_complete() {
                refused.extend(folder.scan_parts(admit)?);
            }
            // It may have become complete meanwhile: then its parts may be gone.
            if !folder.is_complete() {
                continue;
            }
            let reason = match self.scan_shard(shard, admit) {
                Ok(()) => continue,
                Err(StoreError::Format { reason, .. }) => reason,
                // Of a file that cannot be read now nothing is known.
                Err(error @ StoreError::Io { .. }) if !error.is_damage() => return Err(error),
                Err(error) => error.to_string(),
            };
            let path = folder.path().to_path_buf();
            refused.push(SetAside { path, reason });
        }
        Ok(refused)
    }

    /// Gives all rows of a complete shard to `admit`.
    ///
    /// # Errors
    /// A shard that is damaged or foreign, or has a row that `admit` refuses.
    pub(crate) fn scan_shard(&self, shard: Shard, admit: &mut Admit) -> Result<(), StoreError> {
        let run = CompleteRun::at(self.shard(shard))?;
        refuse_foreign(self, &run.manifest, Some(shard))?;
        for batch in run.table(schema::part())? {
            if !admit(&batch?) {
                let reason = "its rows are not this plan's";
                return Err(StoreError::format(run.folder.path(), reason));
            }
        }
        Ok(())
    }

    /// Removes the shards, whose rows the run holds, unless a process works in one of them.
    pub(super) fn remove_shards(&self) -> Result<(), StoreError> {
        let path = self.path().join(SHARDS);
        if !may_exist(&path) || self.running_shard()?.is_some() {
            return Ok(());
        }
        tolerate_gone(fs::remove_dir_all(&path)).map_err(StoreError::io(&path))
    }
}
