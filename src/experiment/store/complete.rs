//! Complete runs: folders of tables with a sealed manifest, which is written last, and the spec and
//! plan that they were made of. Nothing is read that was not compared with its checksum first, and
//! nothing is mapped into memory, where a read that fails could only kill the process.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use polars::prelude::DataFrame;

use super::StoreError;
use super::folder::{MANIFEST, RunFolder, SPEC};
use super::schema::{self, SERIES, TIMINGS, TRIALS};
use super::table::Table;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{FileSeal, Manifest, checksum};
use crate::experiment::spec::{self, MAX_REPEATS, Refused, Spec};

/// The largest file that this program writes, by far: a longer one is no table of a run.
pub(super) const MOST: u64 = 1 << 33;
/// Ends what is said of a damaged file.
pub(super) const UNREAD: &str = "the file is damaged and was not read";

/// A complete run and its manifest.
#[derive(Clone)]
pub struct CompleteRun {
    /// The run's folder.
    pub folder: RunFolder,
    /// What the tables were made of, and the checksums of all files.
    pub manifest: Manifest,
    /// The spec and the plan, once they were read.
    planned: Arc<OnceLock<(Arc<Spec>, Arc<Plan>)>>,
}

impl CompleteRun {
    /// What lies in a folder, by its manifest.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, or of another schema.
    pub fn open(folder: &RunFolder) -> Result<Self, StoreError> {
        let manifest = folder.manifest()?;
        Ok(Self::of(folder.clone(), manifest))
    }

    /// The run of this manifest.
    pub(crate) fn of(folder: RunFolder, manifest: Manifest) -> Self {
        Self {
            folder,
            manifest,
            planned: Arc::default(),
        }
    }

    /// The run in its own folder.
    ///
    /// # Errors
    /// A manifest that is missing, damaged, of a newer schema, or of another run than the folder.
    pub fn read(folder: &RunFolder) -> Result<Self, StoreError> {
        let run = Self::at(folder.clone())?;
        folder.refuse_foreign(&run.manifest)?;
        Ok(run)
    }

    /// The run in a folder of any name.
    pub fn at(folder: RunFolder) -> Result<Self, StoreError> {
        let run = Self::open(&folder)?;
        // What it is follows from the spec that it keeps, which is there and sound.
        run.spec_text()?;
        Ok(run)
    }

    /// The spec that the run kept, without figures, and the plan that ran.
    ///
    /// # Errors
    /// A spec that is damaged, or of which this program makes no such plan.
    pub fn plan(&self) -> anyhow::Result<(Arc<Spec>, Arc<Plan>)> {
        if let Some(known) = self.planned.get() {
            return Ok(known.clone());
        }
        let manifest = &self.manifest;
        let label = self.folder.path().join(SPEC).display().to_string();
        let text = self.spec_text()?;
        let spec = spec::parse_plan(&manifest.experiment, &label, &text)?;
        let (hash, code_version) = (&manifest.plan_hash, &manifest.code_version);
        let Some(plan) = Plan::new(&spec).ok().filter(|plan| plan.hash() == *hash) else {
            let reason = format!(
                "this program makes no plan {hash} of it; expected code version {code_version}"
            );
            return Err(Refused::of_file(&label, reason).into());
        };
        let known = (Arc::new(spec), Arc::new(plan));
        Ok(self.planned.get_or_init(|| known).clone())
    }

    /// The spec that the run was started from, whose checksum is compared.
    pub(crate) fn spec_text(&self) -> Result<String, StoreError> {
        let (path, seal) = self.sealed(SPEC)?;
        let text = self.folder.spec_text()?;
        check_bytes(&path, text.as_bytes(), seal)?;
        Ok(text)
    }

    /// True if there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.manifest.files.contains_key(name)
    }

    /// The bytes of a file that has its checksum, and lies in the folder whatever the manifest
    /// says.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let (path, seal) = self.sealed(name)?;
        read(&path, seal)
    }

    fn sealed(&self, name: &str) -> Result<(PathBuf, &FileSeal), StoreError> {
        let Some(seal) = self.manifest.files.get(name) else {
            return Err(self.wrong_manifest(format!("no checksum of {name}")));
        };
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(self.wrong_manifest(format!("{name:?} is no file of this folder")));
        }
        Ok((self.folder.path().join(name), seal))
    }

    /// What is wrong with the files, each read to its end.
    pub fn check(&self) -> impl Iterator<Item = StoreError> {
        let names = self.manifest.files.keys();
        names.filter_map(|name| self.file(name).err())
    }

    /// What is wrong with the files that can be seen without reading one: each can be opened, and
    /// has the length that the manifest states.
    pub fn check_lengths(&self) -> Result<(), StoreError> {
        let names = self.manifest.files.keys();
        names.map(|name| self.sealed(name)).try_for_each(|it| {
            let (path, seal) = it?;
            check_length(&path, seal)
        })
    }

    /// A table with as many rows as the manifest says.
    pub fn table(&self, name: &str) -> Result<Table, StoreError> {
        let said = match name {
            TRIALS => Some(self.manifest.rows),
            SERIES => Some(self.manifest.series_rows),
            // Of these it says how many trials they have.
            _ => None,
        };
        let most = said.unwrap_or(self.manifest.rows.saturating_mul(MAX_REPEATS.into()));
        let table = Table::of_bytes(self.file(name)?, most, None);
        let table = table.map_err(|error| self.wrong_table(name, error))?;
        let rows = table.frame.height() as u64;
        let said = said.unwrap_or(rows);
        if said == rows {
            return Ok(table);
        }
        let reason = format!("{said} rows; expected {rows}, as {name} has");
        Err(self.wrong_manifest(reason))
    }

    /// The rows of a table that has several of a trial, and how many each of the trials has.
    pub fn entries(
        &self,
        name: &str,
        trials: &Table,
    ) -> Result<(DataFrame, Vec<usize>), StoreError> {
        let rows = self.table(name)?;
        let lengths = trials.lengths_in(&rows);
        let lengths = lengths.map_err(|error| self.wrong_table(name, error))?;
        Ok((rows.frame, lengths))
    }

    /// All that is stored of the trials, with the columns that a part has.
    pub fn part(&self) -> Result<Table, StoreError> {
        let mut trials = self.table(TRIALS)?;
        for name in [TIMINGS, SERIES].into_iter().filter(|name| self.has(name)) {
            let (rows, lengths) = self.entries(name, &trials)?;
            let lists = schema::lists_of(name, &rows, &lengths);
            let stacked = trials.frame.hstack(&lists);
            trials.frame = stacked.map_err(|error| self.wrong_table(name, error))?;
        }
        Ok(trials)
    }

    /// A file that is not what it should be.
    pub(crate) fn wrong_table(&self, name: &str, reason: impl ToString) -> StoreError {
        StoreError::format(&self.folder.path().join(name), reason)
    }

    /// What its manifest says that is not so.
    pub(crate) fn wrong_manifest(&self, reason: String) -> StoreError {
        StoreError::format(&self.folder.path().join(MANIFEST), reason)
    }
}

/// All bytes of the file at `path`, which are those of its seal.
///
/// # Errors
/// A file that cannot be read, of which nothing is known then; one that is no regular file, of
/// another length, or with another checksum.
fn read(path: &Path, seal: &FileSeal) -> Result<Vec<u8>, StoreError> {
    check_length(path, seal)?;
    let bytes = bytes_of(path, MOST)?;
    check_bytes(path, &bytes, seal)?;
    Ok(bytes)
}

/// Refuses bytes that are not those of the seal.
fn check_bytes(path: &Path, bytes: &[u8], seal: &FileSeal) -> Result<(), StoreError> {
    let (found, expected) = (checksum(bytes), &seal.blake3);
    let is_same = found == *expected;
    let reason =
        format!("its BLAKE3 is {found}; expected {expected}, as the manifest says: {UNREAD}");
    is_same
        .then_some(())
        .ok_or_else(|| StoreError::format(path, reason))
}

/// Refuses a file that does not have the length of its seal.
fn check_length(path: &Path, seal: &FileSeal) -> Result<(), StoreError> {
    let (length, expected) = (open(path, MOST)?.1, seal.bytes);
    let reason = || format!("{length} bytes; expected {expected}: {UNREAD}");
    let is_whole = length == expected;
    is_whole
        .then_some(())
        .ok_or_else(|| StoreError::format(path, reason()))
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// A file that cannot be read, is no regular file, is larger, or is no UTF-8.
pub(super) fn text_of(path: &Path, most: u64) -> Result<String, StoreError> {
    let text = String::from_utf8(bytes_of(path, most)?);
    text.map_err(|_| StoreError::format(path, "not UTF-8"))
}

/// The bytes of a file, of which there are at most so many: as many as it had, and no more than
/// one beyond.
pub(super) fn bytes_of(path: &Path, most: u64) -> Result<Vec<u8>, StoreError> {
    let (file, length) = open(path, most)?;
    let mut bytes = Vec::new();
    let read = file.take(length + 1).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(StoreError::io(path))
}

/// Opens a regular file. Anything else might never end, and a pipe would already wait here.
fn open(path: &Path, most: u64) -> Result<(File, u64), StoreError> {
    let metadata = path.metadata().map_err(StoreError::io(path))?;
    if !metadata.is_file() {
        let reason = format!("it is no regular file; expected one: {UNREAD}");
        return Err(StoreError::format(path, reason));
    }
    let length = metadata.len();
    if length > most {
        let reason = format!("it has {length} bytes; expected at most {most}");
        return Err(StoreError::format(path, reason));
    }
    Ok((File::open(path).map_err(StoreError::io(path))?, length))
}
