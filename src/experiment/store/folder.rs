//! One run's folder: `results/<experiment>/<code version>-<plan hash>[.<k>]/`.
//!
//! ```text
//! spec.toml         the spec as read
//! parts/            finished trials of a run under way: <number>-<BLAKE3>.parquet (see `parts`)
//! trials.parquet    every row, when all are there
//! timings.parquet   wall-clock seconds of each trial
//! series.parquet    observations of the trials' courses, if the plan asks for them
//! moves.parquet     moves of the trials' courses, if the plan asks for them
//! manifest.toml     written last: a folder that has one is complete
//! shards/           shards of the plan, which run apart (see `shards`)
//! lock              held by the process that runs this plan; gone with it
//! ```

mod locked;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use self::locked::{CourseTables, LockedFolder};

use super::atomic;
use super::checked::{CheckedFile, OtherChecksum, read_small};
use super::parts::{self, SetAside, io_error};
use super::so_far::{Gathering, SoFar};
use super::table::{Bytes, Layout, PointReader, TableError, TableReader};
use super::{PointTimings, PointTrials, Record, StoreError};
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{Manifest, NoManifest, SCHEMA, checksum};
use crate::experiment::spec::{self, MAX_BYTES};

pub(super) const MANIFEST: &str = "manifest.toml";
pub(super) const TRIALS: &str = "trials.parquet";
pub(super) const TIMINGS: &str = "timings.parquet";
/// Of trials that the clock could stop: of runs of earlier versions.
const TIMED: &str = "timed.parquet";
pub(super) const SPEC: &str = "spec.toml";
pub(super) const PARTS: &str = "parts";
/// In a shard's folder, in place of the two tables.
pub(super) const SHARD: &str = "shard.parquet";
pub(super) const LOCK: &str = "lock";
/// Bytes that a manifest may have: several times those of the most shards.
const MOST_OF_MANIFEST: u64 = 1 << 27;
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

    /// Whether there is such a folder.
    ///
    /// # Errors
    /// A file system that does not say.
    pub fn exists(&self) -> Result<bool, StoreError> {
        self.path.try_exists().map_err(io_error(&self.path))
    }

    /// Whether the run in it is finished. Where the file system does not say, it is taken to be:
    /// then reading its manifest says what is wrong, and nothing is overwritten.
    pub fn is_complete(&self) -> bool {
        may_exist(&self.path.join(MANIFEST))
    }

    /// The manifest of a complete run.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, or of a newer schema.
    pub fn manifest(&self) -> Result<Manifest, StoreError> {
        let path = self.path.join(MANIFEST);
        let text = String::from_utf8(read_small(&path, MOST_OF_MANIFEST)?)
            .map_err(|_| format_error(&path, "not UTF-8"))?;
        Manifest::from_text(&text).map_err(|error| match error {
            NoManifest::Schema(found) => StoreError::Schema {
                path,
                found,
                newest: SCHEMA,
            },
            NoManifest::Damaged(reason) => format_error(&path, reason),
        })
    }

    /// The spec that a complete run was started from, whose checksum is compared.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn checked_spec(&self, manifest: &Manifest) -> Result<String, StoreError> {
        let path = self.path.join(SPEC);
        let text = self.spec_text()?;
        let found = checksum(text.as_bytes());
        // The manifest names it twice.
        let said = manifest.files.get(SPEC).unwrap_or(&manifest.spec_hash);
        for expected in [said, &manifest.spec_hash] {
            if *expected != found {
                return Err(StoreError::Checksum {
                    path,
                    expected: expected.clone(),
                    found,
                });
            }
        }
        Ok(text)
    }

    /// The bytes of a file of a complete run, whose checksum is compared.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn checked_bytes(&self, manifest: &Manifest, name: &str) -> Result<Vec<u8>, StoreError> {
        let path = self.path.join(name);
        let file = self.open_checked(manifest, name)?;
        let all = 0..file.length();
        let bytes = file.in_place(std::slice::from_ref(&all));
        Ok(bytes.map_err(io_error(&path))?.into_owned())
    }

    /// The spec that the run was started from, as it was then.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn spec_text(&self) -> Result<String, StoreError> {
        let path = self.path.join(SPEC);
        String::from_utf8(read_small(&path, MAX_BYTES)?)
            .map_err(|_| format_error(&path, "not UTF-8"))
    }

    /// The rows of a complete run. Their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn trials(&self, manifest: &Manifest) -> Result<Vec<PointTrials>, StoreError> {
        let reader = self.open_table(manifest, Layout::Trials)?;
        reader
            .by_point()
            .map_err(|error| self.table_error(Layout::Trials, error))
    }

    /// [`RunFolder::trials`] point by point, one in memory at a time.
    ///
    /// # Errors
    /// A damaged or missing file; those of `take`, after which no more is read.
    pub fn each_point<E: From<StoreError>>(
        &self,
        manifest: &Manifest,
        take: &mut dyn FnMut(PointTrials) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut points = self.points(manifest)?;
        while let Some(point) = points.next_point()? {
            take(point)?;
        }
        Ok(())
    }

    /// [`RunFolder::trials`], read point by point.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn points(&self, manifest: &Manifest) -> Result<Points, StoreError> {
        Ok(Points {
            reader: self.open_table(manifest, Layout::Trials)?.points(),
            folder: self.clone(),
        })
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

    /// A reader of one of the tables of a complete run or shard, which must have as many rows as
    /// the manifest says; those that are none of its plan are refused.
    ///
    /// # Errors
    /// A damaged or missing file; a run that has rows in a table that is not read any more.
    pub(super) fn open_table(
        &self,
        manifest: &Manifest,
        layout: Layout,
    ) -> Result<TableReader<CheckedFile>, StoreError> {
        if manifest.files.contains_key(TIMED) {
            let reason = format!(
                "rows of trials with a time limit: this program reads no run that has them, code version {} does",
                manifest.code_version
            );
            return Err(format_error(&self.path.join(TIMED), reason));
        }
        let name = table_name(layout);
        let file = self.open_checked(manifest, name)?;
        let reader = TableReader::new(file, layout);
        let reader = reader.map_err(|error| self.table_error(layout, error))?;
        let said = match layout {
            Layout::Trials => manifest.rows,
            // Of these it says how many trials they have.
            Layout::Timings | Layout::Part => reader.rows(),
        };
        if said != reader.rows() {
            let reason = format!("{said} rows, {name} has {}", reader.rows());
            return Err(format_error(&self.path.join(MANIFEST), reason));
        }
        Ok(reader.of_plan(self.plan(manifest)))
    }

    /// The plan that ran, unless this program does not make it of the spec any more.
    pub(super) fn plan(&self, manifest: &Manifest) -> Option<Plan> {
        let text = self.checked_spec(manifest).ok()?;
        let spec = spec::parse_without_figures(&manifest.experiment, SPEC, &text).ok()?;
        Plan::recover(&spec, &manifest.plan_hash)
    }

    /// Why a table cannot be read.
    pub(super) fn table_error(&self, layout: Layout, error: TableError) -> StoreError {
        table_error(&self.path.join(table_name(layout)), error)
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
    pub fn open_checked(&self, manifest: &Manifest, name: &str) -> Result<CheckedFile, StoreError> {
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
        CheckedFile::open(&path, expected)?.map_err(|OtherChecksum { found }| {
            StoreError::Checksum {
                path,
                expected: expected.clone(),
                found,
            }
        })
    }

    /// Whether a process holds this folder's lock now, as far as this machine's locks reach.
    pub fn is_locked(&self) -> bool {
        File::open(self.path.join(LOCK))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The names of what is in the folder, sorted.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub(super) fn names(&self) -> Result<Vec<String>, StoreError> {
        let listed = || -> io::Result<Vec<String>> {
            let entries = fs::read_dir(&self.path)?;
            let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
            names.collect()
        };
        let mut names = listed().map_err(io_error(&self.path))?;
        names.sort();
        Ok(names)
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
        admit: &mut dyn FnMut(&[Record]) -> bool,
    ) -> Result<Vec<SetAside>, StoreError> {
        parts::look(&self.path.join(PARTS), admit)
    }

    /// Gives `admit` the rows of the trials that were running at the last save: see
    /// [`parts::look_at_running`].
    ///
    /// # Errors
    /// As [`Self::look_at_parts`].
    pub(super) fn look_at_running(
        &self,
        admit: &mut dyn FnMut(&[Record]) -> bool,
    ) -> Result<Vec<SetAside>, StoreError> {
        parts::look_at_running(&self.path.join(PARTS), admit)
    }

    /// What an unfinished run of the plan has so far, its shards included: finished trials, and
    /// those that were running at the last save, which are censored before their cutoff; without
    /// their courses. All rows are in memory at once.
    ///
    /// # Errors
    /// As [`Self::look_at_parts`].
    pub fn so_far(&self, plan: &Plan) -> Result<SoFar, StoreError> {
        let (mut gathering, mut damaged) = (Gathering::default(), Vec::new());
        let shards = self.shards()?.into_iter().map(|shard| self.shard(shard));
        for folder in std::iter::once(self.clone()).chain(shards) {
            if folder.is_complete() {
                damaged.extend(folder.rows_of_shard(&mut gathering)?);
            }
            damaged.extend(folder.look_at_parts(&mut |records| {
                gathering.add(records, false);
                plan.has_rows(records)
            })?);
            damaged.extend(folder.look_at_running(&mut |records| {
                gathering.add(records, true);
                plan.has_rows(records)
            })?);
        }
        Ok(gathering.end(damaged))
    }

    /// Adds the rows of a complete shard, without their courses, unless it is damaged.
    fn rows_of_shard(&self, gathering: &mut Gathering) -> Result<Option<SetAside>, StoreError> {
        let mut read = || -> Result<(), StoreError> {
            let mut rows = self.shard_rows(&self.manifest()?)?.without_courses();
            while let Some(batch) = rows.pull_batch()? {
                gathering.add(&batch, false);
            }
            Ok(())
        };
        match read() {
            Ok(()) => Ok(None),
            Err(error) if error.is_damage() => Ok(Some(SetAside {
                path: self.path.clone(),
                reason: error.to_string(),
            })),
            Err(error) => Err(error),
        }
    }

    /// Removes what a complete run no longer needs, and a killed process has left: its parts, files
    /// under temporary names, the shards that it was put together from unless one of them runs, and
    /// its lock. Nothing where there is nothing, and where nothing can be removed: the run is
    /// whole.
    ///
    /// # Errors
    /// Any other of the file system's.
    pub fn remove_leftovers(&self) -> Result<(), StoreError> {
        let removed = |path: &Path, removed| tolerate_gone(removed).map_err(io_error(path));
        // Looked for first: in a folder that cannot be written, even removing nothing is an error.
        let parts = self.path.join(PARTS);
        if may_exist(&parts) {
            removed(&parts, fs::remove_dir_all(&parts))?;
        }
        removed(&self.path, atomic::remove_unfinished(&self.path))?;
        self.remove_shards()?;
        let lock = self.path.join(LOCK);
        if may_exist(&lock) {
            removed(&lock, fs::remove_file(&lock))?;
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

/// The points of a complete run, one after the other.
pub struct Points {
    reader: PointReader<CheckedFile>,
    folder: RunFolder,
}

impl Points {
    /// All rows of the next point; `None` after the last.
    ///
    /// # Errors
    /// A damaged file.
    pub fn next_point(&mut self) -> Result<Option<PointTrials>, StoreError> {
        let next = self.reader.next_point();
        next.map_err(|error| self.folder.table_error(Layout::Trials, error))
    }
}

pub(super) fn table_name(layout: Layout) -> &'static str {
    match layout {
        Layout::Trials => TRIALS,
        Layout::Timings => TIMINGS,
        Layout::Part => SHARD,
    }
}

/// Another process may have removed it first, or the folder cannot be written, as that of results
/// that are published.
pub(super) fn tolerate_gone(result: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
    match result {
        Err(error)
            if !matches!(
                error.kind(),
                NotFound | PermissionDenied | ReadOnlyFilesystem
            ) =>
        {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Whether there is something, or may be: where the file system does not say.
pub(super) fn may_exist(path: &Path) -> bool {
    match path.try_exists() {
        Err(error) => error.kind() != io::ErrorKind::NotADirectory,
        Ok(exists) => exists,
    }
}

/// Why a table cannot be read.
pub(super) fn table_error(path: &Path, error: TableError) -> StoreError {
    match error {
        TableError::Io(error) => io_error(path)(error),
        TableError::Format(error) => format_error(path, error),
    }
}

pub(super) fn format_error(path: &Path, reason: impl ToString) -> StoreError {
    StoreError::Format {
        path: path.into(),
        reason: reason.to_string(),
    }
}
