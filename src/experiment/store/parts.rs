//! Finished trials of a run under way: `parts/<number>-<BLAKE3>.parquet`, each sorted and named by its checksum.
//!
//! A long run saves often. So that it never has thousands of parts to merge at once, [`FAN`] parts of about one size are merged into one:
//! as a number's digits, there are fewer than [`FAN`] parts of each size.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use super::atomic::{self, Staged};
use super::merge::{self, Source};
use super::table::{Layout, TableReader, TableWriter};
use super::{Record, StoreError};

/// As many parts of about one size become one.
pub const FAN: usize = 16;

/// The parts of a run that this process alone writes to.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    /// By number.
    whole: BTreeMap<u64, Part>,
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
    pub path: PathBuf,
    pub reason: String,
}

impl Parts {
    /// Takes over the parts in `folder`, which is made if need be: gives every row of those that are whole to `admit`. A part that is damaged,
    /// or that has a row that `admit` refuses, is set aside under another name.
    ///
    /// # Errors
    /// Any of the file system's.
    pub fn take_over(folder: &Path, admit: &mut dyn FnMut(&[Record]) -> bool) -> Result<(Self, Vec<SetAside>), StoreError> {
        fs::create_dir_all(folder).and_then(|()| atomic::remove_unfinished(folder)).map_err(io_error(folder))?;
        let mut parts = Self { folder: folder.into(), whole: BTreeMap::new(), next: 0 };
        let mut damaged = Vec::new();
        for (number, path) in list(folder)? {
            parts.next = number + 1;
            match read_all(&path, admit)? {
                Ok(rows) => drop(parts.whole.insert(number, Part { path, rows })),
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
        records.sort_by(Record::order);
        self.write(&mut |sink| {
            records.chunks(Layout::Part.batch()).try_for_each(&mut *sink)?;
            Ok(records.len() as u64)
        })?;
        self.compact()
    }

    /// Readers of all parts, their checksums compared once more.
    ///
    /// # Errors
    /// A part that has been damaged meanwhile; any of the file system's.
    pub fn sources(&self) -> Result<Vec<Source>, StoreError> {
        self.whole.values().map(Part::source).collect()
    }

    /// Merges [`FAN`] parts of one size into one, and those of the next size if that makes so many.
    fn compact(&mut self) -> Result<(), StoreError> {
        loop {
            let mut by_size: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
            for (&number, part) in &self.whole {
                by_size.entry(part.rows.max(1).ilog(FAN as u64)).or_default().push(number);
            }
            let Some(full) = by_size.into_values().find(|numbers| numbers.len() >= FAN) else { return Ok(()) };
            let sources = full.iter().map(|number| self.whole[number].source()).collect::<Result<Vec<_>, _>>()?;
            let mut sources = Some(sources);
            self.write(&mut |sink| merge::merge(sources.take().unwrap_or_default(), Layout::Part.batch(), sink))?;
            // A crash before the old ones are gone leaves rows twice, which the next merge counts once.
            for number in full {
                if let Some(part) = self.whole.remove(&number) {
                    fs::remove_file(&part.path).map_err(io_error(&part.path))?;
                }
            }
        }
    }

    /// A new part of the rows that `fill` gives to its sink in order.
    fn write(&mut self, fill: &mut dyn FnMut(&mut Sink) -> Result<u64, StoreError>) -> Result<(), StoreError> {
        let mut file = Staged::in_folder(&self.folder).map_err(io_error(&self.folder))?;
        let encoded = encode_error(&self.folder);
        let mut writer = TableWriter::new(Layout::Part, &mut file).map_err(&encoded)?;
        let rows = fill(&mut |batch| writer.write(batch).map_err(&encoded))?;
        writer.finish().map_err(&encoded)?;
        let file = file.seal().map_err(io_error(&self.folder))?;
        let path = self.folder.join(format!("{:06}-{}.parquet", self.next, file.checksum()));
        file.publish(&path).map_err(io_error(&path))?;
        self.whole.insert(self.next, Part { path, rows });
        self.next += 1;
        Ok(())
    }
}

/// Takes a batch of rows.
type Sink<'a> = dyn FnMut(&[Record]) -> Result<(), StoreError> + 'a;

impl Part {
    fn source(&self) -> Result<Source, StoreError> {
        open(&self.path)?.map_err(|reason| StoreError::Format { path: self.path.clone(), reason })
    }
}

/// Reads the rows of every whole part in a folder that another process may be writing to; what is damaged or vanishes meanwhile is left out.
///
/// # Errors
/// A folder that cannot be listed.
pub fn look(folder: &Path, admit: &mut dyn FnMut(&[Record])) -> Result<(), StoreError> {
    for (_, path) in list(folder)? {
        // Merged into another part since the folder was listed, or damaged: its trials count as not finished.
        let _ = read_all(&path, &mut |records| {
            admit(records);
            true
        });
    }
    Ok(())
}

/// Number of parts in a folder; reads names only.
pub fn count(folder: &Path) -> usize {
    list(folder).map_or(0, |parts| parts.len())
}

/// The parts in a folder by number; none where there is no folder.
fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io_error(folder))?,
    };
    let mut parts = Vec::new();
    for entry in entries {
        let path = entry.map_err(io_error(folder))?.path();
        let number = name(&path).and_then(|(number, _)| number.parse().ok());
        parts.extend(number.map(|number| (number, path)));
    }
    parts.sort();
    Ok(parts)
}

/// `<number>-<BLAKE3>.parquet` → its two pieces.
fn name(path: &Path) -> Option<(&str, &str)> {
    path.file_name()?.to_str()?.strip_suffix(".parquet")?.split_once('-')
}

/// Gives the rows to `admit` and returns their number; or says why the part is not to be used.
fn read_all(path: &Path, admit: &mut dyn FnMut(&[Record]) -> bool) -> Result<Result<u64, String>, StoreError> {
    let mut source = match open(path)? {
        Ok(source) => source,
        Err(reason) => return Ok(Err(reason)),
    };
    let (mut rows, mut last) = (0, None::<Record>);
    loop {
        let batch = match source.pull_batch() {
            Ok(Some(batch)) => batch,
            Ok(None) => return Ok(Ok(rows)),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let sorted = last.iter().chain(&batch).is_sorted_by(|a, b| a.order(b).is_lt());
        if !sorted || !admit(&batch) {
            return Ok(Err("its rows are not this plan's".into()));
        }
        rows += batch.len() as u64;
        last = batch.last().cloned();
    }
}

/// No byte reaches the Parquet reader before the checksum in the name has been compared.
fn open(path: &Path) -> Result<Result<Source, String>, StoreError> {
    let mut file = File::open(path).map_err(io_error(path))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(&file).map_err(io_error(path))?;
    let found = hasher.finalize().to_hex();
    if name(path).is_none_or(|(_, checksum)| checksum != found.as_str()) {
        return Ok(Err(format!("its BLAKE3 is {found}, not what its name says")));
    }
    file.rewind().map_err(io_error(path))?;
    Ok(TableReader::new(file, Layout::Part).map(|reader| Source::new(path.into(), reader)).map_err(|error| error.to_string()))
}

pub(super) fn io_error(path: &Path) -> impl Fn(io::Error) -> StoreError {
    let path = path.to_path_buf();
    move |source| StoreError::Io { path: path.clone(), source }
}

/// Encoding fails where writing does.
pub(super) fn encode_error(path: &Path) -> impl Fn(polars::error::PolarsError) -> StoreError {
    let path = path.to_path_buf();
    move |error| match error {
        polars::error::PolarsError::IO { error, .. } => {
            StoreError::Io { path: path.clone(), source: io::Error::new(error.kind(), error.to_string()) }
        }
        error => StoreError::Format { path: path.clone(), reason: error.to_string() },
    }
}
