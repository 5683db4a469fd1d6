//! Rows ↔ files of Parquet. The same rows give the same bytes: one chunk, fixed row groups and
//! pages, fixed compression, no parallel encoding; nothing is read that was not checked first.

mod key;
mod reader;
mod writer;

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use polars::prelude::*;

pub use self::key::Axes;
pub use self::reader::{Reader, RowByRow, Table};
pub use self::writer::{Groups, Output, Writer, write_at_once};

use super::{Point, Record};

/// Rows in a row group of the tables of a complete run.
pub(crate) const GROUP: usize = 1 << 16;

/// A row of a table, which is of a trial.
pub trait TableRow: Clone + Send + Sync + 'static {
    /// A row that says nothing else yet.
    fn blank(point: Arc<Point>, seed: u64, trial: u32) -> Self;

    /// Point, seed and index of its trial.
    fn trial(&self) -> (&Arc<Point>, u64, u32);

    /// `trial 3 of seed 1 at pair n=8`.
    fn trial_in_words(&self) -> String {
        let (point, seed, trial) = self.trial();
        format!("trial {trial} of seed {seed} at {point}")
    }

    /// Observations and moves in it.
    fn entries(&self) -> usize {
        0
    }
}

/// What a table is: the columns beside the key.
pub struct StoredTable<R> {
    /// Name of the file in a run's folder.
    pub file: &'static str,
    /// The columns in their order.
    pub columns: Vec<StoredColumn<R>>,
    /// Rows in a row group, at most.
    pub group: usize,
    /// Adds the rows of a record.
    pub of: fn(&Record, &mut Vec<R>),
}

impl<R: TableRow> StoredTable<R> {
    /// The columns of these rows.
    ///
    /// # Errors
    /// A point with a value that its axis' column cannot hold.
    pub fn frame(&self, axes: &Axes, rows: &[R]) -> PolarsResult<DataFrame> {
        let mut columns = key::columns(axes, rows)?;
        let own = self.columns.iter().map(|column| (column.encode)(rows));
        columns.extend(own.map(Series::into_column));
        DataFrame::new(rows.len(), columns)
    }

    /// The same columns in the order of this table with these axes; those that a file of an earlier
    /// code version lacks are null.
    pub fn aligned(&self, axes: &Axes, frame: &DataFrame) -> PolarsResult<DataFrame> {
        let wanted = self.frame(axes, &[])?;
        let columns = wanted.columns().iter().map(|wanted| {
            let (name, kind) = (wanted.name().clone(), wanted.dtype());
            let own = frame.column(&name).cloned();
            own.unwrap_or_else(|_| Column::full_null(name, frame.height(), kind))
        });
        DataFrame::new(frame.height(), columns.collect())
    }

    /// The rows of these columns.
    pub fn rows(&self, frame: &DataFrame) -> PolarsResult<Vec<R>> {
        let mut rows = key::rows(frame)?;
        // From the last: what a column says may depend on those after it.
        for column in self.columns.iter().rev() {
            match frame.column(column.name) {
                Ok(values) => (column.decode)(values.as_materialized_series(), &mut rows)?,
                // Of an earlier code version: it is null throughout.
                Err(_) if column.may_lack => {}
                Err(error) => return Err(error),
            }
        }
        Ok(rows)
    }
}

/// A value that a column cannot have.
pub(crate) fn unexpected(column: &str, found: &str) -> PolarsError {
    let reason = format!("column {column}: {found:?} is not a value of this schema");
    PolarsError::ComputeError(reason.into())
}

/// A column of a table with rows of type `R`.
pub struct StoredColumn<R> {
    /// The column's name in the file.
    pub name: &'static str,
    /// True if files of earlier code versions may be without the column.
    pub may_lack: bool,
    /// The values of rows.
    pub encode: Encode<R>,
    /// Puts the values into rows, as many as there are.
    pub decode: Decode<R>,
    /// The numbers of a column of numbers.
    pub numbers: Option<Numbers<R>>,
}

type Encode<R> = Box<dyn Fn(&[R]) -> Series + Send + Sync>;
type Decode<R> = Box<dyn Fn(&Series, &mut [R]) -> PolarsResult<()> + Send + Sync>;

/// The numbers of a column one by one, as 64 bits each.
pub struct Numbers<R> {
    /// The number of a row.
    pub get: Box<dyn Fn(&R) -> u64 + Send + Sync>,
    /// Puts a number into a row; whether it is one that the row can have.
    pub put: Put<R>,
    /// The number of a row in words.
    pub show: Box<dyn Fn(&R) -> String + Send + Sync>,
}

type Put<R> = Box<dyn Fn(&mut R, u64) -> bool + Send + Sync>;

/// A value of a column that has one in every row.
pub trait Number: Copy + Display + 'static {
    /// A column of these values.
    fn series(name: &str, values: Vec<Self>) -> Series;

    /// The values of a column.
    fn values(series: &Series) -> PolarsResult<Vec<Option<Self>>>;

    /// The value as 64 bits.
    fn bits(self) -> u64;

    /// [`Self::bits`] read back.
    fn of_bits(bits: u64) -> Option<Self>;
}

macro_rules! number {
    ($type:ty, $values:ident, $bits:expr, $of_bits:expr) => {
        impl Number for $type {
            fn series(name: &str, values: Vec<Self>) -> Series {
                Series::new(name.into(), values)
            }

            fn values(series: &Series) -> PolarsResult<Vec<Option<Self>>> {
                Ok(series.$values()?.iter().collect())
            }

            fn bits(self) -> u64 {
                $bits(self)
            }

            fn of_bits(bits: u64) -> Option<Self> {
                $of_bits(bits)
            }
        }
    };
}

number!(u32, u32, u64::from, |bits| u32::try_from(bits).ok());
number!(u64, u64, u64::from, Some);
number!(f64, f64, f64::to_bits, |bits| Some(f64::from_bits(bits)));
number!(bool, bool, u64::from, |bits| (bits < 2)
    .then_some(bits == 1));

impl<R: 'static> StoredColumn<R> {
    /// A column with a value in every row: how it is got, and put back where the row can have it.
    pub fn number<T: Number>(
        name: &'static str,
        get: impl Fn(&R) -> T + Copy + Send + Sync + 'static,
        put: impl Fn(&mut R, T) -> bool + Copy + Send + Sync + 'static,
    ) -> Self {
        let decode = move |series: &Series, rows: &mut [R]| {
            for (row, value) in rows.iter_mut().zip(T::values(series)?) {
                let value = present(name, value)?;
                if !put(row, value) {
                    return Err(unexpected(name, &value.to_string()));
                }
            }
            Ok(())
        };
        Self {
            name,
            may_lack: false,
            encode: Box::new(move |rows| T::series(name, rows.iter().map(get).collect())),
            decode: Box::new(decode),
            numbers: Some(Numbers {
                get: Box::new(move |row| get(row).bits()),
                put: Box::new(move |row, bits| T::of_bits(bits).is_some_and(|it| put(row, it))),
                show: Box::new(move |row| get(row).to_string()),
            }),
        }
    }

    /// A column of counts, some of which are not known.
    pub fn count(
        name: &'static str,
        get: impl Fn(&R) -> Option<u64> + Copy + Send + Sync + 'static,
        put: impl Fn(&mut R, Option<u64>) + Send + Sync + 'static,
    ) -> Self {
        let encode =
            move |rows: &[R]| Series::new(name.into(), rows.iter().map(get).collect::<Vec<_>>());
        let decode = move |series: &Series, rows: &mut [R]| {
            let values = rows.iter_mut().zip(series.u64()?.iter());
            values.for_each(|(row, value)| put(row, value));
            Ok(())
        };
        Self::of(name, encode, decode)
    }

    /// A column of texts, some of which may be missing.
    pub fn text(
        name: &'static str,
        get: impl Fn(&R) -> Option<Cow<'_, str>> + Copy + Send + Sync + 'static,
        put: impl Fn(&mut R, Option<&str>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let encode =
            move |rows: &[R]| Series::new(name.into(), rows.iter().map(get).collect::<Vec<_>>());
        let decode = move |series: &Series, rows: &mut [R]| {
            for (row, text) in rows.iter_mut().zip(series.str()?.iter()) {
                if !put(row, text) {
                    return Err(unexpected(name, text.unwrap_or("null")));
                }
            }
            Ok(())
        };
        Self::of(name, encode, decode)
    }

    /// A column of any type.
    pub fn of(
        name: &'static str,
        encode: impl Fn(&[R]) -> Series + Send + Sync + 'static,
        decode: impl Fn(&Series, &mut [R]) -> PolarsResult<()> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            may_lack: false,
            encode: Box::new(encode),
            decode: Box::new(decode),
            numbers: None,
        }
    }

    /// The same column, which files of earlier code versions may be without.
    #[must_use]
    pub fn may_lack(self) -> Self {
        let may_lack = true;
        Self { may_lack, ..self }
    }
}

/// The value of a column that has one in every row.
pub(crate) fn present<T>(column: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| unexpected(column, "null"))
}
