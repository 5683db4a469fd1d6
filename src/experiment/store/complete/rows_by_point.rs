//! The rows, times and courses of what is stored, point by point. Here is the warning that all
//! trials of a program's point are the same (from eight trials on).

use polars::prelude::PolarsError;

use super::CompleteRun;
use crate::experiment::program::PART;
use crate::experiment::store::StoreError;
use crate::experiment::store::rows::{PointCourses, PointTimings, PointTrials, Rows};
use crate::experiment::store::schema::{self, SERIES, TIMINGS, TRIALS};

impl CompleteRun {
    /// The rows, point by point.
    pub fn points(&self) -> Result<Vec<PointTrials>, StoreError> {
        let points = Rows::of_file(self.table_file(TRIALS)?, &self.manifest.columns);
        let path = self.folder.path().join(TRIALS);
        points.map_err(|error| StoreError::of_table(&path, error))
    }

    /// The rows, point by point, whose columns are read when they are asked for: whoever has used
    /// them calls [`Self::refuse_unread`].
    pub fn points_on_demand(&self) -> Result<Vec<PointTrials>, StoreError> {
        let points = Rows::on_demand(self.table_file(TRIALS)?, &self.manifest.columns);
        let path = self.folder.path().join(TRIALS);
        points.map_err(|error| StoreError::of_table(&path, error))
    }

    /// Refuses rows of which a column was asked for that cannot be read.
    pub fn refuse_unread(&self, points: &[PointTrials]) -> Result<(), StoreError> {
        let refused = points.first().and_then(|point| point.rows.refused());
        let Some(error) = refused else {
            return Ok(());
        };
        let error = match error {
            PolarsError::OutOfBounds(reason) => PolarsError::OutOfBounds(reason.to_string().into()),
            other => PolarsError::ComputeError(other.to_string().into()),
        };
        let path = self.folder.path().join(TRIALS);
        Err(StoreError::of_table(&path, error))
    }

    /// A sentence for each point of a program where all trials, eight or more, have the same row:
    /// what a program gives that does not use its random numbers. Of a run without programs no row
    /// is read.
    pub fn points_of_one_row(&self) -> Result<Vec<String>, StoreError> {
        const FEWEST: usize = 8;
        let parts = self.manifest.parts.keys();
        let programs: Vec<&str> = parts.filter_map(|part| part.strip_prefix(PART)).collect();
        if programs.is_empty() {
            return Ok(Vec::new());
        }
        let mut lines = Vec::new();
        for PointTrials { point, rows } in self.points()? {
            let is_program = programs.contains(&&*point.algorithm) && point.goal.is_none();
            if !is_program || rows.len() < FEWEST {
                continue;
            }
            let first = rows.row(0, true).outcome;
            if rows.iter().all(|row| row.outcome == first) {
                let trials = rows.len();
                lines.push(format!(
                    "{point}: all {trials} trials are the same: does the program use `random`?"
                ));
            }
        }
        Ok(lines)
    }

    /// Refuses trials that cannot be read, piece by piece, so that the whole table is never in
    /// memory.
    pub fn check_trials(&self) -> Result<(), StoreError> {
        let file = self.table_file(TRIALS)?;
        for rows in file.pieces() {
            let points = Rows::by_point(self.piece(TRIALS, &file, rows)?, &self.manifest.columns);
            points.map_err(|error| self.wrong_file(TRIALS, error))?;
        }
        Ok(())
    }

    /// The times of the points of `trials`, those stored here, that are searches: of others nothing
    /// asks for them. A trial has none where they are lost. Refuses times that are not those of
    /// `trials`, one by one.
    pub fn timings_of_searches(
        &self,
        trials: &[PointTrials],
    ) -> Result<Vec<PointTimings>, StoreError> {
        if !self.has(TIMINGS) {
            return Ok(Vec::new());
        }
        let part = self.part(&[TIMINGS])?;
        let seconds = schema::Seconds::of(&part.frame);
        let seconds = seconds.map_err(|error| self.wrong_file(TIMINGS, error))?;
        let mut timings = Vec::new();
        let mut first = 0;
        for PointTrials { point, rows } in trials {
            let of_point = first..first + rows.len();
            first = of_point.end;
            if point.goal.is_none() {
                continue;
            }
            let of_point = of_point.map(|trial| seconds.at(trial).to_vec());
            timings.push(PointTimings {
                point: point.clone(),
                rows: rows.clone(),
                seconds: of_point.collect(),
            });
        }
        Ok(timings)
    }

    /// The points whose trials wrote down something of their course.
    pub fn courses(&self) -> Result<Vec<PointCourses>, StoreError> {
        if !self.has(SERIES) {
            return Ok(Vec::new());
        }
        let part = self.part(&[SERIES])?;
        let courses = schema::courses(&part.frame);
        let courses = courses.map_err(|error| self.wrong_file(SERIES, error))?;
        let points = Rows::by_point(part, &self.manifest.columns);
        let points = points.map_err(|error| self.wrong_file(TRIALS, error))?;

        let mut of_trials = courses.into_iter();
        let mut with_courses = Vec::new();
        for PointTrials { point, rows } in points {
            let trials: Vec<_> = rows.iter().zip(of_trials.by_ref()).collect();
            if trials.iter().any(|(_, course)| !course.series.is_empty()) {
                with_courses.push(PointCourses { point, trials });
            }
        }
        Ok(with_courses)
    }
}
