//! Finished trials of a run under way: `parts/<number>-<BLAKE3>.parquet`, each sorted and named by
//! its checksum.
//!
//! A long run saves often. So that it never has thousands of parts to merge at once, [`FAN`] parts
//! of about one size are merged into one: as a number's digits, there are fewer than [`FAN`] parts
//! of each size.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::atomic::{self, Sealed, Staged};
use super::folder::{PARTS, RunFolder, entries};
use super::table::{Axes, Output, Reader, RowByRow, TableRow, Writer};
use super::{Point, Record, RunKey, StoreError, schema};
use crate::experiment::provenance::FileSeal;

/// The number of parts of about one size that are merged into one.
pub const FAN: usize = 16;

/// No run has so many parts. A file with a larger number is read like any other, but the numbers of
/// new parts do not go on from it.
const LARGEST: u64 = u64::MAX / 2;

/// The parts of a run that this process alone writes to.
#[derive(Debug)]
pub struct Parts {
    folder: PathBuf,
    /// The files with their numbers of rows, in the order of their numbers; each had its checksum
    /// when it was last read. Two may have the same number, if two processes have written to the
    /// folder because its locks do not work; each row counts once.
    whole: Vec<(PathBuf, u64)>,
    next: u64,
}

/// A part that was not used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The path of the file now.
    pub path: PathBuf,
    /// The reason why the file is not used.
    pub reason: String,
}

/// Looks at rows; whether they are of the run.
pub type Admit<'a> = dyn FnMut(&[Record]) -> bool + 'a;

impl Parts {
    /// The parts in `folder`, which is made if need be: gives every row of those that are whole to
    /// `admit`. A part that is damaged, or that has a row that `admit` refuses, is set aside under
    /// another name.
    pub fn in_folder(
        folder: &Path,
        admit: &mut Admit,
    ) -> Result<(Self, Vec<SetAside>), StoreError> {
        atomic::make_folder(folder)
            .and_then(|()| atomic::remove_unfinished(folder))
            .map_err(StoreError::io(folder))?;
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
                Ok(rows) => parts.whole.push((path, rows)),
                Err(reason) => {
                    fs::rename(&path, path.with_extension("damaged"))
                        .map_err(StoreError::io(&path))?;
                    damaged.push(SetAside { path, reason });
                }
            }
        }
        Ok((parts, damaged))
    }

    /// Saves rows, in whatever order they come.
    pub fn save(&mut self, records: &mut [Record]) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        self.write(self.staged_sorted(records)?)?;
        self.compact()
    }

    /// Readers of all parts, their checksums compared once more.
    pub fn tables(&self) -> Result<Vec<Reader<Record>>, StoreError> {
        self.whole.iter().map(|(path, _)| open(path)).collect()
    }

    /// Merges [`FAN`] parts of one size into one, and those of the next size if that makes so many.
    fn compact(&mut self) -> Result<(), StoreError> {
        loop {
            let mut of_size: BTreeMap<u32, Vec<PathBuf>> = BTreeMap::new();
            for (path, rows) in &self.whole {
                let size = (*rows).max(1).ilog(FAN as u64);
                of_size.entry(size).or_default().push(path.clone());
            }
            let Some(full) = of_size.into_values().find(|parts| parts.len() >= FAN) else {
                return Ok(());
            };
            let tables = full.iter().map(|path| open(path));
            self.write_merged(tables.collect::<Result<_, _>>()?)?;
            // A crash before the old ones are gone leaves rows twice, until the next merge.
            self.whole.retain(|(path, _)| !full.contains(path));
            full.iter().try_for_each(|path| remove(path))?;
        }
    }

    fn write_merged(&mut self, tables: Vec<Reader<Record>>) -> Result<(), StoreError> {
        let axes = Axes::of_all(tables.iter().map(Reader::axes));
        self.write(self.staged(&axes, Merged::new(tables))?)
    }

    /// Gives a table its name among the parts.
    fn write(&mut self, (file, rows): (Sealed, u64)) -> Result<(), StoreError> {
        let path = self.publish(&format!("{:06}", self.next), file)?;
        self.whole.push((path, rows));
        self.next += 1;
        Ok(())
    }

    fn publish(&self, word: &str, file: Sealed) -> Result<PathBuf, StoreError> {
        let name = format!("{word}-{}.parquet", file.checksum);
        let path = self.folder.join(name);
        file.publish(&path).map_err(StoreError::io(&path))?;
        Ok(path)
    }

    /// A table without a name yet of rows in whatever order, and their number.
    fn staged_sorted(&self, records: &mut [Record]) -> Result<(Sealed, u64), StoreError> {
        // Rows are large, so their keys are sorted in their place.
        records.sort_by_cached_key(Record::key);
        let axes = Axes::of(records.iter().map(|record| &record.point));
        self.staged(&axes, records.iter().map(Ok))
    }

    /// A table without a name yet, and the number of its rows.
    fn staged<R: Borrow<Record>>(
        &self,
        axes: &Axes,
        records: impl Iterator<Item = Result<R, StoreError>>,
    ) -> Result<(Sealed, u64), StoreError> {
        let io = StoreError::io(&self.folder);
        let mut file = Staged::in_folder(&self.folder).map_err(&io)?;
        let encode = || {
            let encoded = |error| StoreError::format(&self.folder, error);
            let mut writer = Writer::new(schema::part(), axes, &mut file).map_err(encoded)?;
            for record in records {
                writer.write(record?.borrow()).map_err(encoded)?;
            }
            writer.finish().map_err(encoded)
        };
        let rows = encode();
        // Encoding fails where writing does, and then this says it better.
        if let Some(failure) = file.take_failure() {
            return Err(io(failure));
        }
        let rows = rows?;
        Ok((file.seal().map_err(io)?, rows))
    }
}

fn remove(path: &Path) -> Result<(), StoreError> {
    fs::remove_file(path).map_err(StoreError::io(path))
}

impl RunFolder {
    /// Reads the rows of every whole part of a run that another process may be working at, and
    /// leaves every file as it is; returns the parts that are damaged, or have a row that `admit`
    /// refuses. Where a part vanishes meanwhile, the one that it was merged into is read, too, so
    /// that a row may be given twice.
    pub fn scan_parts(&self, admit: &mut Admit) -> Result<Vec<SetAside>, StoreError> {
        let folder = self.path().join(PARTS);
        let parts = || Ok(list(&folder)?.into_iter().map(|(_, path)| path).collect());
        scan(&parts, admit)
    }

    /// Number of parts that a run under way has saved; 0 where it has none. Reads names only.
    pub fn parts(&self) -> usize {
        list(&self.path().join(PARTS)).map_or(0, |parts| parts.len())
    }
}

/// Reads each listed table once; lists them again until none has vanished before it was read.
fn scan(
    list: &dyn Fn() -> Result<Vec<PathBuf>, StoreError>,
    admit: &mut Admit,
) -> Result<Vec<SetAside>, StoreError> {
    let (mut damaged, mut seen) = (Vec::new(), BTreeSet::new());
    loop {
        let mut has_vanished = false;
        for path in list()? {
            if !seen.insert(path.clone()) {
                continue;
            }
            match read_all(&path, admit) {
                Ok(Ok(_)) => {}
                Ok(Err(reason)) => damaged.push(SetAside { path, reason }),
                Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                    has_vanished = true;
                }
                Err(error) => return Err(error),
            }
        }
        if !has_vanished {
            return Ok(damaged);
        }
    }
}

/// The parts in a folder by number; none where there is no folder.
fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let numbered = |path: PathBuf| Some((name(&path)?.0.parse().ok()?, path));
    let mut parts: Vec<_> = entries(folder)?.into_iter().filter_map(numbered).collect();
    parts.sort();
    Ok(parts)
}

/// `<number>-<BLAKE3>.parquet` → its two pieces.
fn name(path: &Path) -> Option<(&str, &str)> {
    let name = path.file_name()?.to_str()?;
    name.strip_suffix(".parquet")?.split_once('-')
}

/// Gives the rows to `admit` and returns their number; or says why the part is not to be used.
fn read_all(path: &Path, admit: &mut Admit) -> Result<Result<u64, String>, StoreError> {
    let mut read = || {
        let mut rows = 0;
        for batch in open(path)? {
            let batch = batch?;
            if !admit(&batch) {
                return Ok(Err("its rows are not this plan's".into()));
            }
            rows += batch.len() as u64;
        }
        Ok(Ok(rows))
    };
    match read() {
        // Of a file that cannot be read now nothing is known.
        Err(error @ StoreError::Io { .. }) => Err(error),
        Err(StoreError::Format { reason, .. }) => Ok(Err(reason)),
        Err(error) => Ok(Err(error.to_string())),
        read => read,
    }
}

/// A reader of a part, whose name has its checksum.
fn open(path: &Path) -> Result<Reader<Record>, StoreError> {
    let expected = name(path).map_or("", |(_, checksum)| checksum);
    let seal = FileSeal {
        blake3: expected.to_owned(),
        bytes: None,
    };
    Reader::open(schema::part(), path, &seal).map_err(|error| match error {
        StoreError::Checksum { found, .. } => {
            let reason = format!("its BLAKE3 is {found}; expected {expected}, as its name says");
            StoreError::format(path, reason)
        }
        error => error,
    })
}

/// The records of sorted tables in order, each run of a trial once, up to an error; in memory that
/// depends on the number of tables, not of rows.
pub struct Merged {
    tables: Vec<RowByRow<Record>>,
    /// The tables that have a record of the point that is being read next, and that record's
    /// position.
    heads: BinaryHeap<Reverse<(RunKey, usize)>>,
    /// The record that was read last: returned when it is known that the next one does not
    /// contradict it.
    last: Option<Record>,
}

impl Merged {
    /// The records of these tables.
    pub fn new(tables: Vec<Reader<Record>>) -> Self {
        Self {
            tables: tables.into_iter().map(Reader::row_by_row).collect(),
            heads: BinaryHeap::new(),
            last: None,
        }
    }

    /// The least head, and which table it is of. Points are compared as text once for each of
    /// them, and their rows as numbers.
    fn pull(&mut self) -> Result<Option<(Record, usize)>, StoreError> {
        if self.heads.is_empty() {
            let heads = self.tables.iter_mut().map(RowByRow::peek);
            let heads: Vec<_> = heads.collect::<Result<_, _>>()?;
            let points = heads.iter().flatten().map(|head| &head.point);
            let Some(point) = points.min().cloned() else {
                return Ok(None);
            };
            for (at, table) in self.tables.iter_mut().enumerate() {
                let key = run_key_at(table, &point)?;
                self.heads.extend(key.map(|key| Reverse((key, at))));
            }
        }
        let Some(mut least) = self.heads.peek_mut() else {
            return Ok(None);
        };
        let Reverse((key, at)) = &mut *least;
        let at = *at;
        let table = &mut self.tables[at];
        let Some(record) = table.next().transpose()? else {
            return Ok(None);
        };
        // Of the record's own point, which is the same object where another one is only equal.
        match run_key_at(table, &record.point)? {
            Some(next) => *key = next,
            None => drop(PeekMut::pop(least)),
        }
        Ok(Some((record, at)))
    }

    fn next_record(&mut self) -> Result<Option<Record>, StoreError> {
        while let Some((record, at)) = self.pull()? {
            let last = self.last.as_ref();
            match last.filter(|it| it.trial() == record.trial()) {
                Some(last) if last.row != record.row || last.course != record.course => {
                    let reason = format!("{} has two different rows", record.trial_in_words());
                    return Err(StoreError::format(self.tables[at].path(), reason));
                }
                Some(last) if last.repeat == record.repeat => {}
                _ => {
                    if let Some(last) = self.last.replace(record) {
                        return Ok(Some(last));
                    }
                }
            }
        }
        Ok(self.last.take())
    }
}

impl Iterator for Merged {
    type Item = Result<Record, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}

/// The key of the next record among those of this point, if it is one of them. The records of
/// a batch share their point, so it is compared as text between batches alone.
fn run_key_at(
    table: &mut RowByRow<Record>,
    point: &Arc<Point>,
) -> Result<Option<RunKey>, StoreError> {
    let head = table.peek()?.filter(|head| head.point == *point);
    Ok(head.map(Record::run_key))
}
