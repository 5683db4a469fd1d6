//! Finished trials of a run under way: `parts/<number>-<BLAKE3>.parquet`, each sorted and named by
//! its checksum.
//!
//! A long run saves often. So that it never has thousands of parts to merge at once, [`FAN`] parts
//! of about one size are merged into one: as a number's digits, there are fewer than [`FAN`] parts
//! of each size.
//!
//! Beside them, `running-<BLAKE3>.parquet` says how far the trials were that were running at the
//! last save: rows that are censored before their cutoff. It is for reports on an unfinished run;
//! the run itself starts such a trial again.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::{self, Sealed, Staged};
use super::checked::{CheckedFile, OtherChecksum};
use super::merge::{self, Source};
use super::table::{FurtherColumns, Layout, TableError, TableReader, TableWriter, first_batch};
use super::{Record, StoreError};

/// Begins the name of the table of running trials.
const RUNNING: &str = "running";

/// As many parts of about one size become one.
pub const FAN: usize = 16;

/// No run has so many parts. A file with a larger number is read like any other, but the numbers of
/// new parts do not go on from it.
const LARGEST: u64 = u64::MAX / 2;

/// The parts of a run that this process alone writes to.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    /// In the order of their numbers. Two may have the same one, where two processes have written
    /// to the folder because its locks do not work; each row counts once.
    whole: Vec<Part>,
    next: u64,
}

/// A part whose checksum was right when it was last looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    path: PathBuf,
    rows: u64,
}

/// A part that was not used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// Where the file is now.
    pub path: PathBuf,
    /// Why it is not trusted.
    pub reason: String,
}

impl Parts {
    /// Takes over the parts in `folder`, which is made if need be: gives every row of those that
    /// are whole to `admit`. A part that is damaged, or that has a row that `admit` refuses, is set
    /// aside under another name.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn take_over(
        folder: &Path,
        admit: &mut dyn FnMut(&[Record]) -> bool,
    ) -> Result<(Self, Vec<SetAside>), StoreError> {
        atomic::make_folder(folder)
            .and_then(|()| atomic::remove_unfinished(folder))
            .map_err(io_error(folder))?;
        let mut parts = Self {
            folder: folder.into(),
            whole: Vec::new(),
            next: 0,
        };
        let mut damaged = Vec::new();
        for (number, path) in list(folder)? {
            if number < LARGEST {
                parts.next = number + 1;
            }
            match read_all(&path, admit)? {
                Ok(rows) => parts.whole.push(Part { path, rows }),
                Err(reason) => {
                    fs::rename(&path, path.with_extension("damaged")).map_err(io_error(&path))?;
                    damaged.push(SetAside { path, reason });
                }
            }
        }
        Ok((parts, damaged))
    }

    /// Saves rows, in whatever order they come.
    ///
    /// # Errors
    /// Any of the file system's; what was saved before stays.
    pub fn save(&mut self, records: &mut [Record]) -> Result<(), StoreError> {
        sort(records);
        self.write(&FurtherColumns::of(records), &mut |sink| {
            let mut rest = &*records;
            while !rest.is_empty() {
                let batch;
                (batch, rest) = rest.split_at(first_batch(rest, Layout::Part.batch()));
                sink(batch)?;
            }
            Ok(records.len() as u64)
        })?;
        self.compact()
    }

    /// Replaces what is known of the running trials.
    ///
    /// # Errors
    /// Any of the file system's; then the older or both are there.
    pub fn save_running(&self, records: &mut [Record]) -> Result<(), StoreError> {
        let old = list_running(&self.folder)?;
        if !records.is_empty() {
            sort(records);
            let further = FurtherColumns::of(records);
            let (file, _) = self.staged(&further, &mut |sink| sink(records).map(|()| 0))?;
            let path = self
                .folder
                .join(format!("{RUNNING}-{}.parquet", file.checksum()));
            file.publish(&path).map_err(io_error(&path))?;
            return old
                .iter()
                .filter(|&old| *old != path)
                .try_for_each(|old| fs::remove_file(old).map_err(io_error(old)));
        }
        old.iter()
            .try_for_each(|old| fs::remove_file(old).map_err(io_error(old)))
    }

    /// Adds the rows of other sorted tables, in memory that depends on their number; `admit` may
    /// refuse them.
    ///
    /// # Errors
    /// Any of the file system's; a table that is not sorted or contradicts another; what `admit`
    /// says.
    pub fn gather(
        &mut self,
        sources: Vec<Source>,
        admit: &mut BatchSink,
    ) -> Result<(), StoreError> {
        let further = merge::further(&sources);
        let mut sources = Some(sources);
        self.write(&further, &mut |sink| {
            merge::merge(
                sources.take().unwrap_or_default(),
                Layout::Part.batch(),
                &mut |batch| {
                    admit(&batch)?;
                    sink(&batch)
                },
            )
        })?;
        self.compact()
    }

    /// Readers of all parts, their checksums compared once more.
    ///
    /// # Errors
    /// A part that has been damaged meanwhile; any of the file system's.
    pub fn sources(&self) -> Result<Vec<Source>, StoreError> {
        self.whole.iter().map(Part::source).collect()
    }

    /// Merges [`FAN`] parts of one size into one, and those of the next size if that makes so many.
    fn compact(&mut self) -> Result<(), StoreError> {
        loop {
            let size = |part: &Part| part.rows.max(1).ilog(FAN as u64);
            let mut of_size: BTreeMap<u32, usize> = BTreeMap::new();
            for part in &self.whole {
                *of_size.entry(size(part)).or_default() += 1;
            }
            let Some((&full, _)) = of_size.iter().find(|(_, count)| **count >= FAN) else {
                return Ok(());
            };
            let merged: Vec<Part> = self
                .whole
                .iter()
                .filter(|part| size(part) == full)
                .cloned()
                .collect();
            let sources = merged
                .iter()
                .map(Part::source)
                .collect::<Result<Vec<_>, _>>()?;
            let further = merge::further(&sources);
            let mut sources = Some(sources);
            self.write(&further, &mut |sink| {
                merge::merge(
                    sources.take().unwrap_or_default(),
                    Layout::Part.batch(),
                    &mut |batch| sink(&batch),
                )
            })?;
            // A crash before the old ones are gone leaves rows twice, which the next merge counts
            // once.
            self.whole.retain(|part| !merged.contains(part));
            for part in merged {
                fs::remove_file(&part.path).map_err(io_error(&part.path))?;
            }
        }
    }

    /// A new part of the rows that `fill` gives to its sink in order.
    fn write(&mut self, further: &FurtherColumns, fill: &mut Fill) -> Result<(), StoreError> {
        let (file, rows) = self.staged(further, fill)?;
        let path = self
            .folder
            .join(format!("{:06}-{}.parquet", self.next, file.checksum()));
        file.publish(&path).map_err(io_error(&path))?;
        self.whole.push(Part { path, rows });
        self.next += 1;
        Ok(())
    }

    /// A table without a name yet, and the number of its rows as `fill` says.
    fn staged(
        &self,
        further: &FurtherColumns,
        fill: &mut Fill,
    ) -> Result<(Sealed, u64), StoreError> {
        let mut file = Staged::in_folder(&self.folder).map_err(io_error(&self.folder))?;
        let rows = encode(&mut file, &self.folder, further, fill);
        if let Some(failure) = file.take_failure() {
            return Err(io_error(&self.folder)(failure));
        }
        let rows = rows?;
        Ok((file.seal().map_err(io_error(&self.folder))?, rows))
    }
}

fn encode(
    file: &mut Staged,
    folder: &Path,
    further: &FurtherColumns,
    fill: &mut Fill,
) -> Result<u64, StoreError> {
    let encoded = encode_error(folder);
    let mut writer = TableWriter::new(Layout::Part, further, file).map_err(&encoded)?;
    let rows = fill(&mut |batch| writer.write(batch).map_err(&encoded))?;
    writer.finish().map_err(&encoded)?;
    Ok(rows)
}

/// Gives rows in order to a sink and returns their number.
type Fill<'a> = dyn FnMut(&mut BatchSink) -> Result<u64, StoreError> + 'a;

/// Looks at a batch of rows.
pub type BatchSink<'a> = dyn FnMut(&[Record]) -> Result<(), StoreError> + 'a;

/// Into the order of every table. Rows are large, so their keys are sorted in their place.
fn sort(records: &mut [Record]) {
    records.sort_by_cached_key(Record::key);
}

impl Part {
    fn source(&self) -> Result<Source, StoreError> {
        open(&self.path)?.map_err(|reason| StoreError::Format {
            path: self.path.clone(),
            reason,
        })
    }
}

/// Reads the rows of every whole part in a folder that another process may be writing to, and
/// leaves every file as it is; returns the parts that are damaged, or have a row that `admit`
/// refuses. A part that vanishes meanwhile, merged into another, is passed over.
///
/// # Errors
/// A folder that cannot be listed, or a file that cannot be read.
pub fn look(
    folder: &Path,
    admit: &mut dyn FnMut(&[Record]) -> bool,
) -> Result<Vec<SetAside>, StoreError> {
    let tables = list(folder)?.into_iter().map(|(_, path)| path);
    look_at(tables.collect(), admit)
}

/// Gives `admit` how far the trials were that were running at the last save, as rows censored
/// before their cutoff; returns the tables of them that are damaged.
///
/// # Errors
/// As [`look`].
pub fn look_at_running(
    folder: &Path,
    admit: &mut dyn FnMut(&[Record]) -> bool,
) -> Result<Vec<SetAside>, StoreError> {
    look_at(list_running(folder)?, admit)
}

fn look_at(
    tables: Vec<PathBuf>,
    admit: &mut dyn FnMut(&[Record]) -> bool,
) -> Result<Vec<SetAside>, StoreError> {
    let mut damaged = Vec::new();
    for path in tables {
        match read_all(&path, admit) {
            Ok(Ok(_)) => {}
            Ok(Err(reason)) => damaged.push(SetAside { path, reason }),
            Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(damaged)
}

/// Number of parts in a folder; reads names only.
pub fn count(folder: &Path) -> usize {
    list(folder).map_or(0, |parts| parts.len())
}

/// The parts in a folder by number; none where there is no folder.
fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let numbered = |path: PathBuf| {
        name(&path)
            .and_then(|(number, _)| number.parse().ok())
            .map(|number| (number, path))
    };
    let mut parts: Vec<_> = entries(folder)?.into_iter().filter_map(numbered).collect();
    parts.sort();
    Ok(parts)
}

/// The tables of running trials; after a crash there may be two.
fn list_running(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut tables = entries(folder)?;
    tables.retain(|path| name(path).is_some_and(|(word, _)| word == RUNNING));
    tables.sort();
    Ok(tables)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries
            .and_then(|entries| {
                entries
                    .map(|entry| entry.map(|entry| entry.path()))
                    .collect()
            })
            .map_err(io_error(folder)),
    }
}

/// `<number>-<BLAKE3>.parquet` → its two pieces.
fn name(path: &Path) -> Option<(&str, &str)> {
    path.file_name()?
        .to_str()?
        .strip_suffix(".parquet")?
        .split_once('-')
}

/// Gives the rows to `admit` and returns their number; or says why the part is not to be used.
fn read_all(
    path: &Path,
    admit: &mut dyn FnMut(&[Record]) -> bool,
) -> Result<Result<u64, String>, StoreError> {
    let mut source = match open(path)? {
        Ok(source) => source,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut rows = 0;
    loop {
        let batch = match source.pull_batch() {
            Ok(Some(batch)) => batch,
            Ok(None) => return Ok(Ok(rows)),
            // Of a file that cannot be read now nothing is known.
            Err(error @ StoreError::Io { .. }) => return Err(error),
            Err(error) => return Ok(Err(error.to_string())),
        };
        if !admit(&batch) {
            return Ok(Err("its rows are not this plan's".into()));
        }
        rows += batch.len() as u64;
    }
}

fn open(path: &Path) -> Result<Result<Source, String>, StoreError> {
    open_checked(path, name(path).map_or("", |(_, checksum)| checksum))
}

/// A reader of a table like a part; or says why there is none. No byte reaches the Parquet reader
/// before the checksum has been compared.
pub(super) fn open_checked(
    path: &Path,
    expected: &str,
) -> Result<Result<Source, String>, StoreError> {
    let file = match CheckedFile::open(path, expected)? {
        Ok(file) => file,
        Err(OtherChecksum { found }) => {
            return Ok(Err(format!(
                "its BLAKE3 is {found}, not the {expected} that was written"
            )));
        }
    };
    match TableReader::new(file, Layout::Part) {
        Ok(reader) => Ok(Ok(Source::new(path.into(), reader))),
        Err(TableError::Io(error)) => Err(io_error(path)(error)),
        Err(TableError::Format(error)) => Ok(Err(error.to_string())),
    }
}

pub(super) fn io_error(path: &Path) -> impl Fn(io::Error) -> StoreError {
    let path = path.to_path_buf();
    move |source| StoreError::Io {
        path: path.clone(),
        source,
    }
}

/// Encoding fails where writing does, and then [`Staged::take_failure`] says it better.
pub(super) fn encode_error(path: &Path) -> impl Fn(polars::error::PolarsError) -> StoreError {
    let path = path.to_path_buf();
    move |error| StoreError::Format {
        path: path.clone(),
        reason: error.to_string(),
    }
}
