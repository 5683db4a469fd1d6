//! Rows ↔ columns, each of which is declared once.

mod file;
mod key;

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use polars::prelude::*;

pub use self::file::{Groups, Table, joined};
pub use self::key::Axes;

use super::{Point, Record};

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
}

/// What a table is: the columns beside the key.
pub struct StoredTable<R> {
    /// Name of the file in a run's folder.
    pub file: &'static str,
    /// The columns in their order.
    pub columns: Vec<StoredColumn<R>>,
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

    /// The rows of a table whose columns are all numbers.
    pub fn rows(&self, table: &Table) -> PolarsResult<Vec<R>> {
        let mut rows = key::rows(table)?;
        // From the last: what a column says may depend on those after it.
        for column in self.columns.iter().rev() {
            if let Some(numbers) = &column.numbers {
                let values = table.frame.column(column.name)?;
                (numbers.decode)(values.as_materialized_series(), &mut rows)?;
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
    /// The values of rows.
    pub encode: Encode<R>,
    /// How the numbers of a column of entries are read back.
    pub numbers: Option<Numbers<R>>,
}

type Encode<R> = Box<dyn Fn(&[R]) -> Series + Send + Sync>;
type Decode<R> = Box<dyn Fn(&Series, &mut [R]) -> PolarsResult<()> + Send + Sync>;
type Show<R> = Box<dyn Fn(&R) -> String + Send + Sync>;

/// A column of numbers, one in every row.
pub struct Numbers<R> {
    /// Puts the values into rows, as many as there are.
    decode: Decode<R>,
    /// The number of a row in words.
    pub show: Show<R>,
}

/// A value of a column that has one in every row.
pub trait Number: Copy + Display + 'static {
    /// A column of these values.
    fn series(name: &str, values: Vec<Self>) -> Series;

    /// The values of a column.
    fn values(series: &Series) -> PolarsResult<Vec<Option<Self>>>;
}

macro_rules! number {
    ($($type:ident),+) => {
        $(impl Number for $type {
            fn series(name: &str, values: Vec<Self>) -> Series {
                Series::new(name.into(), values)
            }

            fn values(series: &Series) -> PolarsResult<Vec<Option<Self>>> {
                Ok(series.$type()?.iter().collect())
            }
        })+
    };
}

number!(u32, u64, f64, bool);

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
            encode: Box::new(move |rows| T::series(name, rows.iter().map(get).collect())),
            numbers: Some(Numbers {
                decode: Box::new(decode),
                show: Box::new(move |row| get(row).to_string()),
            }),
        }
    }

    /// A column of counts, some of which are not known.
    pub fn count(
        name: &'static str,
        get: impl Fn(&R) -> Option<u64> + Copy + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            encode: Box::new(move |rows| {
                Series::new(name.into(), rows.iter().map(get).collect::<Vec<_>>())
            }),
            numbers: None,
        }
    }

    /// A column of texts, some of which may be missing.
    pub fn text(
        name: &'static str,
        get: impl Fn(&R) -> Option<Cow<'_, str>> + Copy + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            encode: Box::new(move |rows| {
                Series::new(name.into(), rows.iter().map(get).collect::<Vec<_>>())
            }),
            numbers: None,
        }
    }
}

/// The value of a column that has one in every row.
pub(crate) fn present<T>(column: &str, value: Option<T>) -> PolarsResult<T> {
    value.ok_or_else(|| unexpected(column, "null"))
}
