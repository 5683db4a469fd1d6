//! The courses of a complete run, with the rows of their trials.

use std::vec::IntoIter;

use crate::experiment::provenance::Manifest;
use crate::experiment::store::checked::CheckedFile;
use crate::experiment::store::course_reader::CourseReader;
use crate::experiment::store::folder::{RunFolder, format_error};
use crate::experiment::store::table::{Layout, TableReader};
use crate::experiment::store::{PointKey, Record, Row, StoreError};
use crate::solver::course::Course;

/// The trials of one point, ordered by seed, then trial, each with its course.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCourses {
    /// What was run.
    pub point: PointKey,
    /// Its trials.
    pub trials: Vec<(Row, Course)>,
}

impl RunFolder {
    /// Gives `take` the points of a complete run one after the other, in the order of
    /// `trials.parquet`: those whose trials wrote down something of their course. Memory is that of
    /// the largest point. All checksums are compared before anything is read.
    ///
    /// # Errors
    /// A damaged or missing file; those of `take`.
    pub fn each_course(
        &self,
        manifest: &Manifest,
        take: &mut dyn FnMut(PointCourses) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut last = None::<PointCourses>;
        let mut finish = |point: Option<PointCourses>| match point {
            Some(point) if point.trials.iter().any(|(_, it)| it.entries() > 0) => take(point),
            _ => Ok(()),
        };
        let plan = self.plan(manifest);
        let planned = |point: &PointKey| plan.as_ref().and_then(|plan| plan.at(point));
        let mut trials = TrialReader::open(self, manifest)?;
        while let Some(record) = trials.pull()? {
            if planned(&record.point).is_some_and(|it| !it.has_course(&record)) {
                return Err(format_error(self.path(), other_course(&record)));
            }
            let Record {
                point, row, course, ..
            } = record;
            match last.as_mut().filter(|last| last.point == *point) {
                Some(last) => last.trials.push((row, course)),
                None => {
                    let next = PointCourses {
                        point: PointKey::clone(&point),
                        trials: vec![(row, course)],
                    };
                    finish(last.replace(next))?;
                }
            }
        }
        finish(last)
    }

    /// [`Self::each_course`], all in memory at once.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn courses(&self, manifest: &Manifest) -> Result<Vec<PointCourses>, StoreError> {
        let mut points = Vec::new();
        self.each_course(manifest, &mut |point| {
            points.push(point);
            Ok(())
        })?;
        Ok(points)
    }
}

/// What is wrong with a trial whose course is not what its row and the plan ask for.
pub(super) fn other_course(Record { point, row, .. }: &Record) -> String {
    format!(
        "the course of trial {} of seed {} at {point} does not fit its row and the plan",
        row.trial, row.seed
    )
}

/// Reads the trials of a complete run with their courses, one after the other.
pub struct TrialReader {
    folder: RunFolder,
    trials: TableReader<CheckedFile>,
    batch: IntoIter<Record>,
    courses: CourseReader,
}

impl TrialReader {
    /// A reader of the run's files, their checksums compared first.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn open(folder: &RunFolder, manifest: &Manifest) -> Result<Self, StoreError> {
        Ok(Self {
            folder: folder.clone(),
            trials: folder.open_table(manifest, Layout::Trials)?,
            batch: Vec::new().into_iter(),
            courses: CourseReader::open(folder, manifest)?,
        })
    }

    /// Rows of `series.parquet` and of `moves.parquet`; 0 where there is none.
    pub fn course_rows(&self) -> [u64; 2] {
        self.courses.rows()
    }

    /// The next trial; `None` after the last.
    ///
    /// # Errors
    /// A file of another schema; a row of a course that is of no trial, or not in its place.
    pub fn pull(&mut self) -> Result<Option<Record>, StoreError> {
        loop {
            if let Some(mut record) = self.batch.next() {
                record.course = self.courses.take(&record)?;
                return Ok(Some(record));
            }
            let batch = self.trials.next_batch();
            match batch.map_err(|error| self.folder.table_error(Layout::Trials, error))? {
                Some(batch) => self.batch = batch.into_iter(),
                None => return self.courses.finish().map(|()| None),
            }
        }
    }
}
