//! Whether the files of a complete run are damaged: each is compared with the length and the BLAKE3
//! checksum that the manifest has of it, before anything of it is used. What `verify` says of a
//! whole folder of results is in `results/audit.rs`.

use std::path::{Component, Path, PathBuf};

use super::CompleteRun;
use crate::experiment::manifest::FileSeal;
use crate::experiment::store::StoreError;
use crate::experiment::store::atomic::{MOST, UNREAD, bytes_of, checksum, open};
use crate::experiment::store::folder::MANIFEST;

impl CompleteRun {
    /// The bytes of a file that has its checksum, and lies in the folder whatever the manifest
    /// says.
    ///
    /// # Errors
    /// A file that cannot be read, of which nothing is known then; one that is no regular file, of
    /// another length, or with another checksum.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let bytes = bytes_of(&self.whole(name)?, MOST)?;
        self.compare(name, &bytes)?;
        Ok(bytes)
    }

    /// Refuses bytes that are not those of a file.
    pub(super) fn compare(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let found = checksum(bytes);
        let expected = &self.seal(name)?.blake3;
        if found == *expected {
            return Ok(());
        }
        let said = format!("expected {expected}, as the manifest says");
        Err(self.wrong_file(name, format!("its BLAKE3 is {found}; {said}: {UNREAD}")))
    }

    /// The path of a file that can be opened and has its length.
    fn whole(&self, name: &str) -> Result<PathBuf, StoreError> {
        let expected = self.seal(name)?.bytes;
        let path = self.folder.path().join(name);
        let (_, length) = open(&path, MOST)?;
        if length == expected {
            return Ok(path);
        }
        let reason = format!("{length} bytes; expected {expected}: {UNREAD}");
        Err(self.wrong_file(name, reason))
    }

    fn seal(&self, name: &str) -> Result<&FileSeal, StoreError> {
        let reason = match self.manifest.files.get(name) {
            None => format!("no checksum of {name}"),
            Some(seal) if is_inside(name) => return Ok(seal),
            Some(_) => format!("{name:?} is no file of this folder"),
        };
        Err(self.wrong_file(MANIFEST, reason))
    }

    /// What is wrong with the files, each read to its end.
    pub fn check(&self) -> impl Iterator<Item = StoreError> {
        let names = self.manifest.files.keys();
        names.filter_map(|name| self.file(name).err())
    }

    /// What is wrong with the files that can be seen without reading one: each can be opened, and
    /// has the length that the manifest states.
    pub fn check_lengths(&self) -> Result<(), StoreError> {
        let mut names = self.manifest.files.keys();
        names.try_for_each(|name| self.whole(name).map(drop))
    }

    /// A file that is not what it should be.
    pub(crate) fn wrong_file(&self, name: &str, reason: impl ToString) -> StoreError {
        StoreError::format(&self.folder.path().join(name), reason)
    }
}

/// True for a path that stays in the folder: that of a program's file may have folders in it.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}
