//! What the file of a table says of its columns without decoding one: the statistics of its row
//! groups. (A module below [`trial_ranges`](super) and none beside it: the lines of `table.rs` are
//! a part of the code version, and what only reads changes none.)

use std::ops::Range;

use polars::prelude::{
    AnyValue, Column, DataType, ParallelStrategy, PolarsResult, Scalar, SerReader as _,
};
use polars_parquet::parquet::metadata::RowGroupMetadata;
use polars_parquet::parquet::statistics::Statistics;

use crate::experiment::store::table::{TableFile, as_signed};

impl TableFile {
    /// The rows of each row group, in their order.
    pub fn row_groups(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.groups.iter().map(move |group| {
            let start = end;
            end += group.num_rows();
            start..end
        })
    }

    /// The value that a column of this type has in every row of a row group; `None` where the
    /// statistics do not say that all have the same, and where it is a number below 0, of which
    /// [`TableFile::read`] says what is wrong.
    pub fn constant(&self, name: &str, group: usize, kind: &DataType) -> Option<Scalar> {
        let group = &self.groups[group];
        let statistics = self.statistics(name, group)?;
        let n_nulls = statistics.null_count()?;
        if n_nulls == group.num_rows() as i64 {
            return Some(Scalar::null(kind.clone()));
        }
        if n_nulls > 0 {
            return None;
        }
        let value = match (kind, statistics) {
            (DataType::String, Statistics::Binary(ends)) => {
                let text = same(ends.min_value, ends.max_value)?;
                AnyValue::StringOwned(String::from_utf8(text).ok()?.into())
            }
            (DataType::Int32, Statistics::Int32(ends)) => {
                AnyValue::Int32(same(ends.min_value, ends.max_value).filter(|value| *value >= 0)?)
            }
            (DataType::Int64, Statistics::Int64(ends)) => {
                AnyValue::Int64(same(ends.min_value, ends.max_value).filter(|value| *value >= 0)?)
            }
            (DataType::Float64, Statistics::Double(ends)) => {
                AnyValue::Float64(same(ends.min_value, ends.max_value)?)
            }
            _ => return None,
        };
        Some(Scalar::new(kind.clone(), value))
    }

    /// True if the statistics say that a column of integers has one that is not below 0 in every
    /// row, and there is a row.
    pub fn is_counted(&self, name: &str) -> bool {
        let is_counted = |group| match self.statistics(name, group) {
            Some(Statistics::Int64(ends)) => {
                // The greatest of a file of schema 3, which has no sign there, may be one, too.
                let is_number = |end: Option<i64>| end.is_some_and(|end| end >= 0);
                let are_numbers = is_number(ends.min_value) && is_number(ends.max_value);
                ends.null_count == Some(0) && are_numbers
            }
            _ => false,
        };
        !self.groups.is_empty() && self.groups.iter().all(is_counted)
    }

    /// [`TableFile::column`] in as many pieces as it is read in: to put them into one takes as long
    /// as to decode them.
    ///
    /// # Errors
    /// Those of [`TableFile::read`].
    pub fn column_in_pieces(
        &self,
        name: &str,
        rows: &Range<usize>,
    ) -> PolarsResult<Option<Column>> {
        if !self.has_value(name) {
            return Ok(None);
        }
        let reader = self
            .reader(rows)
            .with_columns(Some(vec![name.to_owned()]))
            .read_parallel(ParallelStrategy::None);
        let column = reader.finish()?.drop_in_place(name)?;
        as_signed(&column).map(Some)
    }

    /// The statistics of a column in a row group, if it has some.
    fn statistics(&self, name: &str, group: &RowGroupMetadata) -> Option<Statistics> {
        let mut columns = group.columns_under_root_iter(name)?;
        let found = columns.next()?.statistics(&self.head.footer_buf)?;
        found.ok()
    }
}

/// The value between the least and the greatest, if both are the same.
fn same<T: PartialEq>(least: Option<T>, greatest: Option<T>) -> Option<T> {
    let greatest = greatest?;
    (least? == greatest).then_some(greatest)
}
