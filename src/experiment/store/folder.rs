//! One run's folder: `results/<experiment>/<code version>-<plan hash>[.<k>]/`.
//!
//! ```text
//! spec.toml         the spec as read
//! parts/            finished trials of a run under way: <number>-<BLAKE3>.parquet
//! trials.parquet    every row, when all are there
//! timings.parquet   wall-clock seconds of each trial
//! manifest.toml     written last: a folder that has one is complete
//! shards/           shares of the plan that run apart, each a folder like this one: <i>-of-<K>
//! lock              held by the process that runs this plan; gone with it
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::table::{self, Keyed};
use super::{PointTrials, StoreError, atomic};
use crate::experiment::provenance::{Manifest, SCHEMA, checksum};
use crate::experiment::shard::Shard;

const MANIFEST: &str = "manifest.toml";
const TRIALS: &str = "trials.parquet";
const TIMINGS: &str = "timings.parquet";
const SPEC: &str = "spec.toml";
const PARTS: &str = "parts";
const SHARDS: &str = "shards";
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

/// A part found in a folder: its rows and the seconds each took.
#[derive(Debug)]
pub struct Part {
    pub points: Vec<PointTrials>,
    pub seconds: Vec<f64>,
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
        table::read_trials(&self.checked(manifest, TRIALS)?).map_err(|error| format_error(&self.path.join(TRIALS), error))
    }

    /// The seconds that each row of [`Self::trials`] took, in the same order; their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn seconds(&self, manifest: &Manifest) -> Result<Vec<f64>, StoreError> {
        table::read_seconds(&self.checked(manifest, TIMINGS)?).map_err(|error| format_error(&self.path.join(TIMINGS), error))
    }

    fn checked(&self, manifest: &Manifest, name: &str) -> Result<Vec<u8>, StoreError> {
        let path = self.path.join(name);
        let bytes = read(&path)?;
        let expected = manifest.files.get(name).ok_or_else(|| format_error(&self.path.join(MANIFEST), format!("no checksum of {name}")))?;
        let found = checksum(&bytes);
        if *expected != found {
            return Err(StoreError::Checksum { path, expected: expected.clone(), found });
        }
        Ok(bytes)
    }

    /// The folder of a share of this run.
    pub fn shard(&self, shard: Shard) -> Self {
        Self::at(self.path.join(SHARDS).join(shard.folder_name()))
    }

    /// The shares that have begun, in order; none where there are no shares.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn shards(&self) -> Result<Vec<Shard>, StoreError> {
        let path = self.path.join(SHARDS);
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|source| io_error(&path, source))?,
        };
        let mut shards = Vec::new();
        for entry in entries {
            let name = entry.map_err(|source| io_error(&path, source))?.file_name();
            shards.extend(name.to_str().and_then(Shard::from_folder_name));
        }
        shards.sort_by_key(|shard| (shard.count(), shard.index()));
        Ok(shards)
    }

    /// Whether a process holds this folder's lock now, as far as this machine's locks reach.
    pub fn is_locked(&self) -> bool {
        File::open(self.path.join(LOCK)).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Moves the folder out of its name's way; what it held can still be looked at. Returns where to.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn set_aside(&self) -> Result<PathBuf, StoreError> {
        let aside = |k: u32| {
            let mut path = self.path.clone().into_os_string();
            path.push(format!(".damaged-{k}"));
            PathBuf::from(path)
        };
        let free = (1..u32::MAX).map(aside).find(|path| !path.exists()).unwrap_or_else(|| aside(u32::MAX));
        fs::rename(&self.path, &free).map_err(|source| io_error(&self.path, source))?;
        Ok(free)
    }

    /// Trials saved so far by a run under way; 0 where it has no parts. Reads names only.
    pub fn parts(&self) -> usize {
        fs::read_dir(self.path.join(PARTS)).map_or(0, |entries| entries.filter_map(Result::ok).filter(is_part).count())
    }

    /// Makes the folder if need be and takes it for this process. The lock is the operating system's: it does not outlive its owner.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process has it.
    pub fn lock(self) -> Result<LockedFolder, StoreError> {
        let parts = self.path.join(PARTS);
        fs::create_dir_all(&parts).map_err(|source| io_error(&parts, source))?;
        let path = self.path.join(LOCK);
        let file = File::options().create(true).append(true).open(&path).map_err(|source| io_error(&path, source))?;
        match file.try_lock() {
            Ok(()) => Ok(LockedFolder { folder: self, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { path: self.path }),
            Err(TryLockError::Error(source)) => Err(io_error(&path, source)),
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

    /// Saves finished trials as part `number`.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn save_part(&self, number: usize, rows: &[Keyed], seconds: &[f64]) -> Result<(), StoreError> {
        let bytes = table::part(rows, seconds).map_err(|error| format_error(&self.folder.path, error))?;
        self.write(&format!("{PARTS}/{number:06}-{}.parquet", checksum(&bytes)), &bytes)
    }

    /// Reads the parts that are whole; a damaged one is set aside under another name, so that its trials run again.
    /// Returns the parts and the names of those set aside.
    ///
    /// # Errors
    /// Any of the file system's, and a whole part that is no Parquet of this schema.
    pub fn read_parts(&self) -> Result<(Vec<Part>, Vec<PathBuf>), StoreError> {
        let folder = self.folder.path.join(PARTS);
        let entries = fs::read_dir(&folder).map_err(|source| io_error(&folder, source))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).filter(is_part).map(|entry| entry.path()).collect();
        paths.sort();
        let (mut parts, mut damaged) = (Vec::new(), Vec::new());
        for path in paths {
            let bytes = read(&path)?;
            let named =
                path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.split_once('-')).map(|(_, hash)| hash.to_owned());
            if named.as_deref() != Some(checksum(&bytes).as_str()) {
                fs::rename(&path, path.with_extension("damaged")).map_err(|source| io_error(&path, source))?;
                damaged.push(path);
                continue;
            }
            let (points, seconds) = table::read_part(&bytes).map_err(|error| format_error(&path, error))?;
            parts.push(Part { points, seconds });
        }
        Ok((parts, damaged))
    }

    /// Turns the run into a complete one: the tables, then the manifest, and only then are the parts removed.
    ///
    /// # Errors
    /// Any of the file system's; what was saved stays.
    pub fn complete(&self, rows: &[Keyed], seconds: &[f64], mut manifest: Manifest) -> Result<Manifest, StoreError> {
        let encoded = |error: polars::error::PolarsError| format_error(&self.folder.path, error);
        let trials = table::trials(rows).map_err(encoded)?;
        let timings = table::timings(rows, seconds).map_err(encoded)?;
        manifest.rows = rows.len() as u64;
        for (name, bytes) in [(TRIALS, &trials), (TIMINGS, &timings)] {
            self.write(name, bytes)?;
            manifest.files.insert(name.into(), checksum(bytes));
        }
        let spec = self.folder.path.join(SPEC);
        manifest.files.insert(SPEC.into(), checksum(&read(&spec)?));
        let text = toml::to_string(&manifest).map_err(|error| format_error(&self.folder.path.join(MANIFEST), error))?;
        self.write(MANIFEST, text.as_bytes())?;
        let parts = self.folder.path.join(PARTS);
        fs::remove_dir_all(&parts).map_err(|source| io_error(&parts, source))?;
        let lock = self.folder.path.join(LOCK);
        fs::remove_file(&lock).map_err(|source| io_error(&lock, source))?;
        Ok(manifest)
    }

    /// Removes the shares, whose rows the complete run now holds.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn remove_shards(&self) -> Result<(), StoreError> {
        let shards = self.folder.path.join(SHARDS);
        fs::remove_dir_all(&shards).map_err(|source| io_error(&shards, source))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.folder.path.join(name);
        atomic::write(&path, bytes).map_err(|source| io_error(&path, source))
    }
}

fn is_part(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    !name.starts_with('.') && name.ends_with(".parquet")
}

fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(|source| io_error(path, source))
}

fn io_error(path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { path: path.into(), source }
}

fn format_error(path: &Path, reason: impl ToString) -> StoreError {
    StoreError::Format { path: path.into(), reason: reason.to_string() }
}
