//! A file of Parquet, read some rows at a time, of which only those bytes are fetched that are
//! decoded next.

use std::cell::Cell;
use std::io::Cursor;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use polars::io::parquet::read::{FileMetadata, ParallelStrategy};
use polars::prelude::*;

use super::super::StoreError;
use super::super::checked::CheckedFile;
use super::key::{Axes, wanted};
use super::unexpected;

/// Bytes at the end of a file of Parquet that its reader looks at first.
const END: u64 = 1 << 16;
/// After the footer: its length and a word.
const AFTER_FOOTER: u64 = 8;

/// Reads a file of Parquet some rows at a time.
pub struct Pieces {
    file: CheckedFile,
    metadata: FileMetadata,
    /// The same without row groups.
    bare: FileMetadata,
    schema: Arc<ArrowSchema>,
    /// Columns that are read.
    columns: Vec<usize>,
    most: usize,
    row_group: usize,
    /// Rows of the row group that were read.
    read: usize,
}

impl Pieces {
    /// At most `most` rows at a time, and never of two row groups.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are no Parquet with columns of our types.
    pub fn new(file: CheckedFile, most: usize) -> Result<Self, StoreError> {
        let whole = file.in_place(&[footer(&file)?])?;
        let (metadata, schema, columns) = guarded(file.path(), || {
            let mut reader = ParquetReader::new(Cursor::new(&*whole));
            let metadata = FileMetadata::clone(reader.get_metadata()?);
            let schema = reader.schema()?;
            let columns = wanted(&schema)?;
            Ok((metadata, schema, columns))
        })?;
        let bare = FileMetadata {
            row_groups: Vec::new(),
            ..metadata.clone()
        };
        Ok(Self {
            file,
            metadata,
            bare,
            schema,
            columns,
            most,
            row_group: 0,
            read: 0,
        })
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// All rows of the file.
    pub fn rows(&self) -> u64 {
        self.metadata.num_rows as u64
    }

    pub fn axes(&self) -> Axes {
        Axes::of_file(&self.schema)
    }

    /// The next rows; `None` after the last.
    ///
    /// # Errors
    /// Bytes that cannot be read, or are no Parquet.
    pub fn next(&mut self) -> Result<Option<DataFrame>, StoreError> {
        let groups = &self.metadata.row_groups;
        while groups
            .get(self.row_group)
            .is_some_and(|group| group.num_rows() == self.read)
        {
            self.row_group += 1;
            self.read = 0;
        }
        let Some(group) = groups.get(self.row_group) else {
            return Ok(None);
        };
        let rows = self.most.min(group.num_rows() - self.read);
        let names = self.columns.iter().filter_map(|&at| {
            let (name, _) = self.schema.get_at_index(at)?;
            Some(name.as_str())
        });
        let columns = names.filter_map(|name| group.columns_under_root_iter(name));
        let ranges = guarded(self.path(), || {
            let columns = columns.flatten();
            Ok(columns.map(|it| it.byte_range()).collect::<Vec<_>>())
        })?;
        let whole = self.file.in_place(&ranges)?;
        // Of the one row group alone: the reader would go through all that come before it.
        let metadata = FileMetadata {
            num_rows: group.num_rows(),
            row_groups: vec![group.clone()],
            ..self.bare.clone()
        };
        let frame = guarded(self.path(), || {
            let mut reader = ParquetReader::new(Cursor::new(&*whole))
                .with_slice(Some((self.read, rows)))
                .with_projection(Some(self.columns.clone()))
                .read_parallel(ParallelStrategy::None);
            reader.set_metadata(Arc::new(metadata));
            let frame = reader.finish()?;
            if frame.height() == rows {
                Ok(frame)
            } else {
                let found = format!("{} rows", frame.height());
                Err(unexpected("row group", &found))
            }
        })?;
        self.read += rows;
        Ok(Some(frame))
    }
}

/// Where the footer is, and what its reader reads with it.
fn footer(file: &CheckedFile) -> Result<Range<u64>, StoreError> {
    let all = file.length();
    let Some(end) = all.checked_sub(AFTER_FOOTER) else {
        return Err(unreadable(file.path(), "it is too short"));
    };
    let last = file.in_place(std::slice::from_ref(&(end..all)))?;
    let length = last[last.len() - AFTER_FOOTER as usize..].first_chunk();
    let length = u64::from(u32::from_le_bytes(*length.expect("eight bytes")));
    match end.checked_sub(length) {
        Some(begin) => Ok(begin.min(all.saturating_sub(END))..all),
        None => Err(unreadable(file.path(), "its footer is longer than it is")),
    }
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread, now, becomes an error, so that nothing is to be printed of it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What the library of Parquet makes of the bytes of a file; where it panics, as it does on some
/// that nobody would write, these are no table.
fn guarded<T>(path: &Path, decode: impl FnOnce() -> PolarsResult<T>) -> Result<T, StoreError> {
    GUARDED.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    match decoded {
        Ok(decoded) => decoded.map_err(|error| StoreError::format(path, error)),
        Err(_) => Err(unreadable(path, "its reader gave up")),
    }
}

fn unreadable(path: &Path, reason: &str) -> StoreError {
    let reason = format!("no file of Parquet that can be read: {reason}");
    StoreError::format(path, reason)
}
