//! What is on disk of a complete run: a folder of tables with a sealed manifest, which is written
//! last. Nothing is read that was not compared with
//! its checksum first, and nothing is mapped into memory, where a read that fails could only kill
//! the process.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use polars::prelude::{DataFrame, PolarsResult};

use super::StoreError;
use super::atomic::{self, Staged};
use super::folder::{MANIFEST, RunFolder};
use super::schema::{self, SERIES, TIMINGS, TRIALS};
use super::table::Table;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::{FileSeal, Manifest, checksum};
use crate::experiment::spec::{MAX_REPEATS, Spec};

/// The largest file that this program writes, by far: a longer one is no table of a run.
const MOST: u64 = 1 << 33;

/// A complete run and its manifest.
#[derive(Clone)]
pub struct CompleteRun {
    /// The run's folder.
    pub folder: RunFolder,
    /// What the tables were made of, and the checksums of all files.
    pub manifest: Manifest,
    /// The spec and the plan, once they were read.
    pub(super) planned: Arc<OnceLock<(Arc<Spec>, Arc<Plan>)>>,
}

/// Writes the rows of the table of a name, and what is known of them into the manifest; returns how
/// many rows these are.
pub type Fill<'a> = dyn FnMut(&str, &mut Staged, &mut Manifest) -> PolarsResult<u64> + 'a;

impl CompleteRun {
    /// Writes the tables of these names and then the manifest.
    ///
    /// # Errors
    /// Any of the file system's, and those of `fill`; then there is no manifest.
    pub fn write(
        path: &Path,
        names: impl Iterator<Item = &'static str>,
        mut manifest: Manifest,
        fill: &mut Fill,
    ) -> Result<Manifest, StoreError> {
        let mut staged = Vec::new();
        for name in names {
            let mut file = Staged::in_folder(path).map_err(StoreError::io(path))?;
            let rows = fill(name, &mut file, &mut manifest);
            // Encoding fails where writing does, and then this says it better.
            if let Some(failure) = file.take_failure() {
                return Err(StoreError::io(path)(failure));
            }
            let rows = rows.map_err(|error| StoreError::format(path, error))?;
            match name {
                TRIALS => manifest.rows = rows,
                SERIES => manifest.series_rows = rows,
                _ => {}
            }
            staged.push((name, file));
        }
        for (name, file) in staged {
            let file = file.seal().map_err(StoreError::io(path))?;
            let seal = FileSeal {
                blake3: file.checksum.clone(),
                bytes: file.length,
            };
            let path = path.join(name);
            file.publish(&path).map_err(StoreError::io(&path))?;
            manifest.files.insert(name.to_owned(), seal);
        }
        let file = path.join(MANIFEST);
        let text = manifest.to_text();
        let text = text.map_err(|error| StoreError::format(&file, error))?;
        atomic::write(&file, text.as_bytes()).map_err(StoreError::io(&file))?;
        Ok(manifest)
    }

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

    /// True if another file has the bytes of the file of this name.
    pub(crate) fn is_same(&self, name: &str, other: &Path) -> bool {
        let seal = self.manifest.files.get(name);
        seal.is_some_and(|seal| read(other, seal).is_ok())
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
            open_sealed(&path, seal).map(drop)
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
    let mut file = open_sealed(path, seal)?;
    let bytes = read_up_to(&mut file, seal.bytes).map_err(StoreError::io(path))?;
    let found = checksum(&bytes);
    if found == seal.blake3 {
        return Ok(bytes);
    }
    Err(StoreError::Checksum {
        path: path.into(),
        expected: seal.blake3.clone(),
        found,
    })
}

/// Opens the file at `path`, which has the length of its seal.
fn open_sealed(path: &Path, seal: &FileSeal) -> Result<File, StoreError> {
    let (file, length) = open(path)?;
    if length == seal.bytes {
        return Ok(file);
    }
    let expected = seal.bytes;
    let reason =
        format!("{length} bytes; expected {expected}: the file is damaged and was not read");
    Err(StoreError::format(path, reason))
}

/// The bytes of a file, whatever they are.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, StoreError> {
    let (mut file, length) = open(path)?;
    read_up_to(&mut file, length).map_err(StoreError::io(path))
}

/// The text of a small file.
///
/// # Errors
/// A file that cannot be read, is no regular file, has more than `most` bytes, or is no UTF-8.
pub(crate) fn read_small(path: &Path, most: u64) -> Result<String, StoreError> {
    let (mut file, length) = open(path)?;
    if length > most {
        let reason = format!("it is larger than {most} bytes; expected what this program writes");
        return Err(StoreError::format(path, reason));
    }
    let bytes = read_up_to(&mut file, length).map_err(StoreError::io(path))?;
    String::from_utf8(bytes).map_err(|_| StoreError::format(path, "not UTF-8"))
}

/// Opens a regular file. Anything else might never end, and a pipe would already wait here.
fn open(path: &Path) -> Result<(File, u64), StoreError> {
    let metadata = path.metadata().map_err(StoreError::io(path))?;
    if !metadata.is_file() {
        let reason = "it is no regular file; expected one: the file is damaged and was not read";
        return Err(StoreError::format(path, reason));
    }
    let length = metadata.len();
    if length > MOST {
        let reason = format!("it has {length} bytes; expected at most {MOST}");
        return Err(StoreError::format(path, reason));
    }
    Ok((File::open(path).map_err(StoreError::io(path))?, length))
}

/// The bytes of a file that had this length, and no more than one beyond.
fn read_up_to(file: &mut File, length: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(length + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
