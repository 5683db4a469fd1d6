//! The trials of a complete run together with what they wrote down of their course.

use super::checked::CheckedFile;
use super::folder::{RunFolder, table_error};
use super::table::course_table::{Entry, EntryReader};
use super::table::{MOST_IN_COURSES, TableError};
use super::{Record, StoreError};
use crate::experiment::provenance::Manifest;
use crate::solver::course::{Course, Observation, QueenMove};

impl RunFolder {
    /// [`RunFolder::records`] with their courses, in batches that fit into memory.
    ///
    /// # Errors
    /// A damaged or missing file; those of `take`.
    pub fn records_with_courses(
        &self,
        manifest: &Manifest,
        take: &mut dyn FnMut(Vec<Record>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut courses = CourseReader::open(self, manifest)?;
        if courses.is_empty() {
            return self.records(manifest, take);
        }
        self.records(manifest, &mut |records| {
            let (mut ready, mut in_courses) = (Vec::new(), 0);
            for mut record in records {
                record.course = courses.take(&record)?;
                in_courses += record.course.entries();
                ready.push(record);
                if in_courses > MOST_IN_COURSES {
                    take(std::mem::take(&mut ready))?;
                    in_courses = 0;
                }
            }
            take(ready)
        })?;
        courses.finish()
    }

    /// A reader of one of the tables of courses, its checksum compared first; `None` where the run
    /// has none.
    fn open_entries<E: Entry>(
        &self,
        manifest: &Manifest,
    ) -> Result<Option<EntryReader<E, CheckedFile>>, StoreError> {
        if !manifest.files.contains_key(E::FILE) {
            return Ok(None);
        }
        let file = self.open_checked(manifest, E::FILE)?;
        let reader = EntryReader::new(file).map_err(|error| self.entry_error::<E>(error))?;
        Ok(Some(reader))
    }

    fn entry_error<E: Entry>(&self, error: TableError) -> StoreError {
        table_error(&self.path().join(E::FILE), error)
    }
}

/// Reads the courses of a complete run in the order of its trials.
pub struct CourseReader {
    folder: RunFolder,
    series: Option<EntryReader<Observation, CheckedFile>>,
    moves: Option<EntryReader<QueenMove, CheckedFile>>,
}

impl CourseReader {
    /// A reader of the run's files, their checksums compared first.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn open(folder: &RunFolder, manifest: &Manifest) -> Result<Self, StoreError> {
        Ok(Self {
            folder: folder.clone(),
            series: folder.open_entries(manifest)?,
            moves: folder.open_entries(manifest)?,
        })
    }

    /// Whether the run has no such file.
    pub fn is_empty(&self) -> bool {
        self.series.is_none() && self.moves.is_none()
    }

    /// Rows of `series.parquet` and of `moves.parquet`; 0 where there is none.
    pub fn rows(&self) -> [u64; 2] {
        [
            self.series.as_ref().map_or(0, EntryReader::rows),
            self.moves.as_ref().map_or(0, EntryReader::rows),
        ]
    }

    /// The course of a trial, which must come after those of the calls before.
    ///
    /// # Errors
    /// A file of another schema.
    pub fn take(&mut self, record: &Record) -> Result<Course, StoreError> {
        Ok(Course {
            series: take(&mut self.series, &self.folder, record)?,
            moves: take(&mut self.moves, &self.folder, record)?,
        })
    }

    /// To be called after the last trial.
    ///
    /// # Errors
    /// A row that is of no trial, or not in its place.
    pub fn finish(&self) -> Result<(), StoreError> {
        finish(&self.series, &self.folder)?;
        finish(&self.moves, &self.folder)
    }
}

fn take<E: Entry>(
    reader: &mut Option<EntryReader<E, CheckedFile>>,
    folder: &RunFolder,
    record: &Record,
) -> Result<Vec<E>, StoreError> {
    let Some(reader) = reader else {
        return Ok(Vec::new());
    };
    reader
        .take(record)
        .map_err(|error| folder.entry_error::<E>(error))
}

fn finish<E: Entry>(
    reader: &Option<EntryReader<E, CheckedFile>>,
    folder: &RunFolder,
) -> Result<(), StoreError> {
    match reader.as_ref().and_then(EntryReader::trial) {
        None => Ok(()),
        Some((point, seed, trial)) => Err(StoreError::Format {
            path: folder.path().join(E::FILE),
            reason: format!(
                "the row of trial {trial} of seed {seed} at {point} is of no trial of the run, or not in its place"
            ),
        }),
    }
}
