//! The rows of a `trials.parquet` point by point, so that no more than one point need be in memory.

use std::sync::Arc;
use std::vec::IntoIter;

use super::PointTrials;
use super::rows::RowsBuilder;
use crate::experiment::provenance::Manifest;
use crate::experiment::store::checked::CheckedFile;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::table::{Bytes, Layout, TableError, TableReader};
use crate::experiment::store::{PointKey, Record, StoreError};

/// Reads a table point by point.
pub struct PointReader<B> {
    table: TableReader<B>,
    /// Read and not yet given.
    batch: IntoIter<Record>,
}

impl<B: Bytes> TableReader<B> {
    /// The rows that are left, point by point.
    pub fn points(self) -> PointReader<B> {
        PointReader {
            table: self,
            batch: Vec::new().into_iter(),
        }
    }

    /// The rows that are left, grouped by point.
    ///
    /// # Errors
    /// A table of another schema.
    pub fn by_point(self) -> Result<Vec<PointTrials>, TableError> {
        let (mut reader, mut points) = (self.points(), Vec::new());
        while let Some(point) = reader.next_point()? {
            points.push(point);
        }
        Ok(points)
    }
}

impl<B: Bytes> PointReader<B> {
    /// All rows of the next point; `None` after the last.
    ///
    /// # Errors
    /// As [`TableReader::next_batch`].
    pub fn next_point(&mut self) -> Result<Option<PointTrials>, TableError> {
        if !self.fill()? {
            return Ok(None);
        }
        let mut rows = RowsBuilder::default();
        let mut point: Option<Arc<PointKey>> = None;
        while self.fill()? {
            let Some(next) = self.batch.as_slice().first() else {
                break;
            };
            let point = point.get_or_insert_with(|| Arc::clone(&next.point));
            if !Arc::ptr_eq(point, &next.point) && *point != next.point {
                break;
            }
            rows.extend(self.batch.next().map(|record| record.row));
        }
        Ok(point.map(|point| PointTrials {
            point: PointKey::clone(&point),
            rows: rows.finish(),
        }))
    }

    /// Reads on where nothing is waiting; whether there is a row.
    fn fill(&mut self) -> Result<bool, TableError> {
        while self.batch.as_slice().is_empty() {
            match self.table.next_batch()? {
                Some(batch) => self.batch = batch.into_iter(),
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

impl RunFolder {
    /// The rows of a complete run. Their checksum is compared before they are read.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn trials(&self, manifest: &Manifest) -> Result<Vec<PointTrials>, StoreError> {
        let reader = self.open_table(manifest, Layout::Trials)?;
        reader
            .by_point()
            .map_err(|error| self.table_error(Layout::Trials, error))
    }

    /// [`RunFolder::trials`] point by point, one in memory at a time.
    ///
    /// # Errors
    /// A damaged or missing file; those of `take`, after which no more is read.
    pub fn each_point<E: From<StoreError>>(
        &self,
        manifest: &Manifest,
        take: &mut dyn FnMut(PointTrials) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut points = self.points(manifest)?;
        while let Some(point) = points.next_point()? {
            take(point)?;
        }
        Ok(())
    }

    /// [`RunFolder::trials`], read point by point.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn points(&self, manifest: &Manifest) -> Result<Points, StoreError> {
        Ok(Points {
            reader: self.open_table(manifest, Layout::Trials)?.points(),
            folder: self.clone(),
        })
    }
}

/// The points of a complete run, one after the other.
pub struct Points {
    reader: PointReader<CheckedFile>,
    folder: RunFolder,
}

impl Points {
    /// All rows of the next point; `None` after the last.
    ///
    /// # Errors
    /// A damaged file.
    pub fn next_point(&mut self) -> Result<Option<PointTrials>, StoreError> {
        let next = self.reader.next_point();
        next.map_err(|error| self.folder.table_error(Layout::Trials, error))
    }
}
