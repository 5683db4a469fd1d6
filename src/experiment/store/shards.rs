//! The shares of a run: `shards/<i>-of-<K>/` in its folder, each with the lock, the parts, the spec
//! and the manifest of a run's folder, and, when it is done, with one table `shard.parquet` of its
//! rows and seconds, laid out as a part is.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::StoreError;
use super::folder::{LockedFolder, RunFolder};
use super::merge::Source;
use super::parts::{Parts, io_error};
use super::table::Layout;
use crate::experiment::provenance::Manifest;
use crate::experiment::shard::Shard;

const SHARDS: &str = "shards";
/// Within [`SHARDS`]: what a merge under way has read.
const MERGING: &str = "merging";

impl RunFolder {
    /// The folder of a share of this run.
    pub fn shard(&self, shard: Shard) -> Self {
        Self::at(self.path().join(SHARDS).join(shard.folder_name()))
    }

    /// The shares that have begun, in order; none where there are no shares.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn shards(&self) -> Result<Vec<Shard>, StoreError> {
        let path = self.path().join(SHARDS);
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(io_error(&path))?,
        };
        let mut shards = Vec::new();
        for entry in entries {
            let name = entry.map_err(io_error(&path))?.file_name();
            shards.extend(name.to_str().and_then(Shard::from_folder_name));
        }
        shards.sort_by_key(|shard| (shard.count(), shard.index()));
        Ok(shards)
    }

    /// The rows of a complete share; their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn shard_rows(&self, manifest: &Manifest) -> Result<Source, StoreError> {
        Ok(Source::new(
            self.path().into(),
            self.open_table(manifest, Layout::Part)?,
        ))
    }

    /// Moves the folder out of its name's way; what it held can still be looked at. Returns where
    /// to.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn set_aside(&self) -> Result<PathBuf, StoreError> {
        let aside = |number: u32| {
            let mut path = self.path().as_os_str().to_owned();
            path.push(format!(".damaged-{number}"));
            PathBuf::from(path)
        };
        let free = (1..)
            .map(aside)
            .find(|path| !path.exists())
            .expect("numbers do not run out");
        fs::rename(self.path(), &free).map_err(io_error(self.path()))?;
        Ok(free)
    }
}

impl LockedFolder {
    /// An empty set of parts for the rows of the shares.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn parts_for_shards(&self) -> Result<Parts, StoreError> {
        let path = self.folder().path().join(SHARDS).join(MERGING);
        if path.exists() {
            // Of a merge that was killed.
            fs::remove_dir_all(&path).map_err(io_error(&path))?;
        }
        Parts::take_over(&path, &mut |_| false).map(|(parts, _)| parts)
    }

    /// Removes the shares, whose rows the complete run now holds.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn remove_shards(&self) -> Result<(), StoreError> {
        let shards = self.folder().path().join(SHARDS);
        fs::remove_dir_all(&shards).map_err(io_error(&shards))
    }
}
