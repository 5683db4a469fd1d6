//! One run's folder: `results/<experiment>/<code version>-<plan hash>[.<k>]/`.
//!
//! ```text
//! spec.toml         the spec as read
//! parts/            finished trials of a run under way: <number>-<BLAKE3>.parquet (see `parts`)
//! trials.parquet    every row, when all are there
//! timings.parquet   wall-clock seconds of each trial
//! timed.parquet     rows and seconds of the trials that had a time limit, if there are any: these
//!                   are not in the other two
//! series.parquet    observations of the trials' courses, if the plan asks for them
//! moves.parquet     moves of the trials' courses, if the plan asks for them
//! manifest.toml     written last: a folder that has one is complete
//! shards/           shards of the plan, which run apart (see `shards`)
//! lock              held by the process that runs this plan; gone with it
//! ```

mod locked;

use std::collections::VecDeque;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::locked::{CourseTables, LockedFolder};

use super::atomic;
use super::parts::{self, SetAside, io_error};
use super::so_far::SoFar;
use super::table::{Layout, TableReader};
use super::{PointTimings, PointTrials, Record, StoreError};
use crate::experiment::provenance::{Manifest, SCHEMA};

const MANIFEST: &str = "manifest.toml";
const TRIALS: &str = "trials.parquet";
const TIMINGS: &str = "timings.parquet";
const TIMED: &str = "timed.parquet";
const SPEC: &str = "spec.toml";
const PARTS: &str = "parts";
/// In a shard's folder, in place of the two tables.
const SHARD: &str = "shard.parquet";
const LOCK: &str = "lock";
/// Longer than [`RunFolder::is_locked`] takes, by far.
const INSTANT: Duration = Duration::from_millis(100);

/// A run's folder, complete or under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// The folder at `path`, there or not.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where the folder is.
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
        let damaged = |error: toml::de::Error| {
            format_error(&path, format!("not a manifest: {}", error.message()))
        };
        let tree: toml::Table = text.parse().map_err(damaged)?;
        match tree.get("schema").and_then(toml::Value::as_integer) {
            Some(found) if found > i64::from(SCHEMA) => Err(StoreError::Schema {
                path,
                found: u32::try_from(found).unwrap_or(u32::MAX),
                newest: SCHEMA,
            }),
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

    /// The rows of a complete run, without those of trials that had a time limit: what any machine
    /// gives. Their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn trials(&self, manifest: &Manifest) -> Result<Vec<PointTrials>, StoreError> {
        let reader = self.open_table(manifest, Layout::Trials)?;
        reader
            .by_point()
            .map_err(|error| self.table_error(Layout::Trials, error))
    }

    /// The wall-clock times of [`RunFolder::trials`]; their checksum is compared before they are
    /// read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn timings(&self, manifest: &Manifest) -> Result<Vec<PointTimings>, StoreError> {
        let reader = self.open_table(manifest, Layout::Timings)?;
        reader
            .times_by_point()
            .map_err(|error| self.table_error(Layout::Timings, error))
    }

    /// The wall-clock seconds of each trial, of its first run, in the order of the rows of
    /// [`RunFolder::trials`].
    ///
    /// # Errors
    /// As [`RunFolder::trials`].
    pub fn seconds(&self, manifest: &Manifest) -> Result<Vec<f64>, StoreError> {
        let mut timings = self.open_table(manifest, Layout::Timings)?;
        let mut seconds = Vec::new();
        while let Some(batch) = timings
            .next_first_seconds()
            .map_err(|error| self.table_error(Layout::Timings, error))?
        {
            seconds.extend(batch);
        }
        Ok(seconds)
    }

    /// Gives `take` the rows of a complete run with their times, the first of each, some thousands
    /// at once; the checksums are compared before anything is read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn records(
        &self,
        manifest: &Manifest,
        take: &mut dyn FnMut(Vec<Record>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (mut trials, mut timings) = (
            self.open_table(manifest, Layout::Trials)?,
            self.open_table(manifest, Layout::Timings)?,
        );
        let encoded = |error: polars::error::PolarsError| format_error(&self.path, error);
        let mut waiting = VecDeque::new();
        while let Some(mut records) = trials.next_batch().map_err(encoded)? {
            while waiting.len() < records.len()
                && let Some(seconds) = timings.next_first_seconds().map_err(encoded)?
            {
                waiting.extend(seconds);
            }
            let ready = records.len().min(waiting.len());
            records
                .iter_mut()
                .zip(waiting.drain(..ready))
                .for_each(|(record, seconds)| record.seconds = seconds);
            take(records)?;
        }
        Ok(())
    }

    /// How many rows a table of a complete run has, its checksum compared first.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub(super) fn rows(&self, manifest: &Manifest, layout: Layout) -> Result<u64, StoreError> {
        self.open_table(manifest, layout).map(|table| table.rows())
    }

    /// A reader of one of the tables of a complete run or shard.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub(super) fn open_table(
        &self,
        manifest: &Manifest,
        layout: Layout,
    ) -> Result<TableReader<File>, StoreError> {
        let name = table_name(layout);
        let mut file = self.open_checked(manifest, name)?;
        let path = self.path.join(name);
        file.rewind().map_err(io_error(&path))?;
        TableReader::new(file, layout).map_err(|error| format_error(&path, error))
    }

    /// Why a table cannot be read.
    pub(super) fn table_error(&self, layout: Layout, reason: impl ToString) -> StoreError {
        format_error(&self.path.join(table_name(layout)), reason)
    }

    /// The manifest of a complete run whose every table has been read to its end and has its
    /// checksum.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, or of a newer schema; the first file that is damaged or
    /// missing.
    pub fn checked_manifest(&self) -> Result<Manifest, StoreError> {
        let manifest = self.manifest()?;
        for name in manifest.files.keys() {
            self.open_checked(&manifest, name)?;
        }
        Ok(manifest)
    }

    /// A file of a complete run whose bytes have the checksum in the manifest; it has been read to
    /// its end. A manifest cannot make us read outside its folder.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn open_checked(&self, manifest: &Manifest, name: &str) -> Result<File, StoreError> {
        let path = self.path.join(name);
        let expected = manifest.files.get(name);
        let expected = expected.ok_or_else(|| {
            format_error(&self.path.join(MANIFEST), format!("no checksum of {name}"))
        })?;
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(format_error(
                &self.path.join(MANIFEST),
                format!("{name:?} is no file of this folder"),
            ));
        }
        let file = File::open(&path).map_err(io_error(&path))?;
        let found = blake3::Hasher::new()
            .update_reader(&file)
            .map_err(io_error(&path))?
            .finalize()
            .to_hex();
        if expected == found.as_str() {
            return Ok(file);
        }
        Err(StoreError::Checksum {
            path,
            expected: expected.clone(),
            found: found.to_string(),
        })
    }

    /// Whether a process holds this folder's lock now, as far as this machine's locks reach.
    pub fn is_locked(&self) -> bool {
        File::open(self.path.join(LOCK))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Number of parts that a run under way has saved; 0 where it has none. Reads names only.
    pub fn parts(&self) -> usize {
        parts::count(&self.path.join(PARTS))
    }

    /// Gives `admit` the rows that a run under way has saved: see [`parts::look`].
    ///
    /// # Errors
    /// A folder that cannot be listed, or a file that cannot be read.
    pub fn look_at_parts(
        &self,
        admit: &mut dyn FnMut(&[Record]),
    ) -> Result<Vec<SetAside>, StoreError> {
        parts::look(&self.path.join(PARTS), admit)
    }

    /// What an unfinished run has so far, its shards included: finished trials, and those that were
    /// running at the last save, which are censored before their cutoff; without their courses. All
    /// rows are in memory at once.
    ///
    /// # Errors
    /// As [`Self::look_at_parts`].
    pub fn so_far(&self) -> Result<SoFar, StoreError> {
        let (mut finished, mut running) = (Vec::new(), Vec::new());
        let shards = self.shards()?.into_iter().map(|shard| self.shard(shard));
        for folder in std::iter::once(self.clone()).chain(shards) {
            if let (true, Ok(mut rows)) = (
                folder.is_complete(),
                folder
                    .manifest()
                    .and_then(|manifest| folder.shard_rows(&manifest)?.without_courses()),
            ) {
                while let Some(batch) = rows.pull_batch()? {
                    finished.extend(batch);
                }
            }
            folder.look_at_parts(&mut |records| {
                finished.extend(records.iter().map(Record::without_course));
            })?;
            running.extend(parts::look_at_running(&folder.path.join(PARTS))?);
        }
        Ok(SoFar::of(finished, running))
    }

    /// Removes what a complete run no longer needs, and a killed process has left: its parts and
    /// its lock. Nothing where there is nothing.
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

    /// Makes the folder if need be and takes it for this process. The lock is the operating
    /// system's: it does not outlive its owner.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process has it.
    pub fn lock(self) -> Result<LockedFolder, StoreError> {
        atomic::make_folder(&self.path).map_err(io_error(&self.path))?;
        let path = self.path.join(LOCK);
        let file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(io_error(&path))?;
        let mut locked = file.try_lock();
        if matches!(locked, Err(TryLockError::WouldBlock)) {
            // Who asks whether the lock is held, holds it for an instant.
            std::thread::sleep(INSTANT);
            locked = file.try_lock();
        }
        match locked {
            Ok(()) => Ok(LockedFolder::new(self, file)),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: self.path }),
            Err(TryLockError::Error(source)) => Err(io_error(&path)(source)),
        }
    }
}

pub(super) fn table_name(layout: Layout) -> &'static str {
    match layout {
        Layout::Trials => TRIALS,
        Layout::Timings => TIMINGS,
        Layout::Timed => TIMED,
        Layout::Part => SHARD,
    }
}

/// Another process may have removed it first.
fn tolerate_gone(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            Ok(())
        } else {
            Err(error)
        }
    })
}

fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(io_error(path))
}

fn format_error(path: &Path, reason: impl ToString) -> StoreError {
    StoreError::Format {
        path: path.into(),
        reason: reason.to_string(),
    }
}
