//! The bytes of a table, of which only those pieces are fetched that are decoded next.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Cursor};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use polars::io::parquet::read::FileMetadata;
use polars::prelude::*;

/// Bytes at the end of a file of Parquet that its reader looks at first.
const END: u64 = 1 << 16;
/// After the footer: its length and a word.
const AFTER_FOOTER: u64 = 8;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The bytes cannot be read again: no damage, as far as is known.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes are no table of this schema.
    #[error(transparent)]
    Format(#[from] PolarsError),
}

/// Where the bytes of a table come from.
pub trait Bytes {
    /// Their number.
    fn length(&self) -> u64;

    /// As many bytes, of which those in `ranges` are the table's; the others may be anything.
    ///
    /// # Errors
    /// Bytes that cannot be read.
    fn in_place(&self, ranges: &[Range<u64>]) -> io::Result<Cow<'_, [u8]>>;
}

impl<T: AsRef<[u8]>> Bytes for Cursor<T> {
    fn length(&self) -> u64 {
        self.get_ref().as_ref().len() as u64
    }

    fn in_place(&self, _: &[Range<u64>]) -> io::Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(self.get_ref().as_ref()))
    }
}

/// Where the footer is, and what its reader reads with it.
pub(super) fn footer(source: &impl Bytes) -> Result<Range<u64>, TableError> {
    let all = source.length();
    let Some(end) = all.checked_sub(AFTER_FOOTER) else {
        return Err(unreadable("it is too short").into());
    };
    let last = source.in_place(std::slice::from_ref(&(end..all)))?;
    let length = last[last.len() - AFTER_FOOTER as usize..].first_chunk();
    let length = u64::from(u32::from_le_bytes(*length.expect("eight bytes")));
    match end.checked_sub(length) {
        Some(begin) => Ok(begin.min(all.saturating_sub(END))..all),
        None => Err(unreadable("its footer is longer than it is").into()),
    }
}

/// Where the columns of these names are in a row group.
pub(super) fn ranges<'a>(
    metadata: &FileMetadata,
    row_group: usize,
    names: impl Iterator<Item = &'a str>,
) -> Result<Vec<Range<u64>>, TableError> {
    let group = &metadata.row_groups[row_group];
    guarded(|| {
        let columns = names.filter_map(|name| group.columns_under_root_iter(name));
        Ok(columns
            .flatten()
            .map(|column| column.byte_range())
            .collect())
    })
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread, now, becomes an error, so that nothing is to be printed of it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What the library of Parquet makes of bytes; where it panics, as it does on some that nobody
/// would write, these are no table.
pub(super) fn guarded<T>(decode: impl FnOnce() -> PolarsResult<T>) -> Result<T, TableError> {
    GUARDED.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(false);
    match decoded {
        Ok(decoded) => Ok(decoded?),
        Err(_) => Err(unreadable("its reader gave up").into()),
    }
}

fn unreadable(reason: &str) -> PolarsError {
    PolarsError::ComputeError(format!("no file of Parquet that can be read: {reason}").into())
}
