//! One run's folder: `results/<experiment>/<code version>-<plan hash>[.<k>]/`.
//!
//! ```text
//! spec.toml         the spec as read
//! parts/            finished trials of a run under way: <number>-<BLAKE3>.parquet (see `parts`)
//! trials.parquet    every row, when all are there
//! timings.parquet   wall-clock seconds of each trial
//! manifest.toml     written last: a folder that has one is complete
//! lock              held by the process that runs this plan; gone with it
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::{self, Staged};
use super::merge;
use super::parts::{self, Parts, SetAside, encode_error, io_error};
use super::table::{self, Layout, TableWriter};
use super::{PointTimings, PointTrials, Record, StoreError};
use crate::experiment::provenance::{Manifest, SCHEMA, checksum};

const MANIFEST: &str = "manifest.toml";
const TRIALS: &str = "trials.parquet";
const TIMINGS: &str = "timings.parquet";
const SPEC: &str = "spec.toml";
const PARTS: &str = "parts";
const LOCK: &str = "lock";

/// A run's folder, complete or under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

/// A run's folder that this process alone writes to.
#[derive(Debug)]
pub struct LockedFolder {
    folder: RunFolder,
    _lock: File,
}

impl RunFolder {
    /// The folder at `path`, there or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the run in it is finished.
    pub fn is_complete(&self) -> bool {
        self.path.join(MANIFEST).exists()
    }

    /// The manifest of a complete run.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, or of a newer schema.
    pub fn manifest(&self) -> Result<Manifest, StoreError> {
        let path = self.path.join(MANIFEST);
        let text = String::from_utf8(read(&path)?).map_err(|_| format_error(&path, "not UTF-8"))?;
        let damaged = |error: toml::de::Error| format_error(&path, format!("not a manifest: {}", error.message()));
        let tree: toml::Table = text.parse().map_err(damaged)?;
        match tree.get("schema").and_then(toml::Value::as_integer) {
            Some(found) if found > i64::from(SCHEMA) => {
                Err(StoreError::Schema { path, found: u32::try_from(found).unwrap_or(u32::MAX), newest: SCHEMA })
            }
            _ => toml::from_str(&text).map_err(damaged),
        }
    }

    /// The spec that the run was started from, as it was then.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn spec_text(&self) -> Result<String, StoreError> {
        let path = self.path.join(SPEC);
        String::from_utf8(read(&path)?).map_err(|_| format_error(&path, "not UTF-8"))
    }

    /// The rows of a complete run; their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn trials(&self, manifest: &Manifest) -> Result<Vec<PointTrials>, StoreError> {
        let bytes = self.checked(TRIALS, manifest)?;
        table::read_trials(&bytes).map_err(|error| format_error(&self.path.join(TRIALS), error))
    }

    /// The wall-clock times of a complete run; their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn timings(&self, manifest: &Manifest) -> Result<Vec<PointTimings>, StoreError> {
        let bytes = self.checked(TIMINGS, manifest)?;
        table::read_timings(&bytes).map_err(|error| format_error(&self.path.join(TIMINGS), error))
    }

    /// The bytes of a file that the manifest vouches for.
    fn checked(&self, name: &str, manifest: &Manifest) -> Result<Vec<u8>, StoreError> {
        let path = self.path.join(name);
        let bytes = read(&path)?;
        let no_checksum = || format_error(&self.path.join(MANIFEST), format!("no checksum of {name}"));
        let expected = manifest.files.get(name).ok_or_else(no_checksum)?;
        let found = checksum(&bytes);
        if *expected == found { Ok(bytes) } else { Err(StoreError::Checksum { path, expected: expected.clone(), found }) }
    }

    /// Number of parts that a run under way has saved; 0 where it has none. Reads names only.
    pub fn parts(&self) -> usize {
        parts::count(&self.path.join(PARTS))
    }

    /// Gives `admit` the rows that a run under way has saved, and leaves every file as it is. Another process may be running it.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn look_at_parts(&self, admit: &mut dyn FnMut(&[Record])) -> Result<(), StoreError> {
        parts::look(&self.path.join(PARTS), admit)
    }

    /// Removes what a complete run no longer needs, and a killed process has left: its parts and its lock. Nothing where there is nothing.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn remove_leftovers(&self) -> Result<(), StoreError> {
        let (parts, lock) = (self.path.join(PARTS), self.path.join(LOCK));
        // Looked for first: in a folder that cannot be written, even removing nothing is an error.
        if parts.exists() {
            tolerate_gone(fs::remove_dir_all(&parts)).map_err(io_error(&parts))?;
        }
        if lock.exists() {
            tolerate_gone(fs::remove_file(&lock)).map_err(io_error(&lock))?;
        }
        Ok(())
    }

    /// Makes the folder if need be and takes it for this process. The lock is the operating system's: it does not outlive its owner.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process has it.
    pub fn lock(self) -> Result<LockedFolder, StoreError> {
        fs::create_dir_all(&self.path).map_err(io_error(&self.path))?;
        let path = self.path.join(LOCK);
        let file = File::options().create(true).append(true).open(&path).map_err(io_error(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(LockedFolder { folder: self, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: self.path }),
            Err(TryLockError::Error(source)) => Err(io_error(&path)(source)),
        }
    }
}

impl LockedFolder {
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Keeps the spec beside the results.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn save_spec(&self, text: &str) -> Result<(), StoreError> {
        self.write(SPEC, text.as_bytes())
    }

    /// Clears away what a killed process had begun to write. Tables without a manifest and without the parts that they were made from cannot be
    /// checked: they are set aside under another name.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn tidy(&self) -> Result<Vec<SetAside>, StoreError> {
        let folder = &self.folder.path;
        atomic::remove_unfinished(folder).map_err(io_error(folder))?;
        if self.folder.is_complete() || folder.join(PARTS).exists() {
            return Ok(Vec::new());
        }
        let orphans = [TRIALS, TIMINGS].into_iter().map(|name| folder.join(name)).filter(|path| path.exists());
        orphans.map(|path| set_aside_unchecked(&path)).collect()
    }

    /// Takes over what earlier sittings saved: see [`Parts::take_over`].
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn take_over_parts(&self, admit: &mut dyn FnMut(&[Record]) -> bool) -> Result<(Parts, Vec<SetAside>), StoreError> {
        Parts::take_over(&self.folder.path.join(PARTS), admit)
    }

    /// Turns the run, of which `parts` hold all `records`, into a complete one: the tables, then the manifest, and only then are the parts removed.
    ///
    /// # Errors
    /// Any of the file system's, or records that are missing; what was saved stays.
    pub fn complete(&self, parts: &Parts, records: u64, mut manifest: Manifest) -> Result<Manifest, StoreError> {
        manifest.files = self.write_tables(parts, records)?;
        let spec = self.folder.path.join(SPEC);
        manifest.files.insert(SPEC.into(), checksum(&read(&spec)?));
        let text = toml::to_string(&manifest).map_err(|error| format_error(&self.folder.path.join(MANIFEST), error))?;
        self.write(MANIFEST, text.as_bytes())?;
        self.folder.remove_leftovers()?;
        Ok(manifest)
    }

    /// Both tables from the parts, in one pass; returns their checksums.
    fn write_tables(&self, parts: &Parts, records: u64) -> Result<BTreeMap<String, String>, StoreError> {
        let folder = &self.folder.path;
        let staged = || Staged::in_folder(folder).map_err(io_error(folder));
        let (mut trials, mut timings) = (staged()?, staged()?);
        let encoded = encode_error(folder);
        let mut writers = [
            TableWriter::new(Layout::Trials, &mut trials).map_err(&encoded)?,
            TableWriter::new(Layout::Timings, &mut timings).map_err(&encoded)?,
        ];
        let found = merge::merge(parts.sources()?, Layout::Trials.batch(), &mut |batch| {
            writers.iter_mut().try_for_each(|writer| writer.write(batch)).map_err(&encoded)
        })?;
        if found != records {
            return Err(format_error(folder, format!("the parts hold {found} trials of {records}; run again to go on")));
        }
        writers.into_iter().try_for_each(TableWriter::finish).map_err(&encoded)?;
        let mut files = BTreeMap::new();
        for (name, file) in [(TRIALS, trials), (TIMINGS, timings)] {
            let file = file.seal().map_err(io_error(folder))?;
            files.insert(name.to_owned(), file.checksum().to_owned());
            file.publish(&folder.join(name)).map_err(io_error(&folder.join(name)))?;
        }
        Ok(files)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.folder.path.join(name);
        atomic::write(&path, bytes).map_err(io_error(&path))
    }
}

/// Another process may have removed it first.
fn tolerate_gone(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Renames a table that no manifest vouches for.
fn set_aside_unchecked(path: &Path) -> Result<SetAside, StoreError> {
    let free = (1..).map(|number: u32| path.with_extension(format!("parquet.unchecked-{number}"))).find(|path| !path.exists());
    let to = free.expect("numbers do not run out");
    fs::rename(path, &to).map_err(io_error(path))?;
    Ok(SetAside { path: path.into(), reason: format!("there is no manifest.toml to check it by; kept as {}", to.display()) })
}

fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(io_error(path))
}

fn format_error(path: &Path, reason: impl ToString) -> StoreError {
    StoreError::Format { path: path.into(), reason: reason.to_string() }
}
