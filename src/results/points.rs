//! The rows, times and courses of what is stored, point by point.

use super::rows::Rows;
use super::{PointCourses, PointTimings, PointTrials};
use crate::experiment::store::StoreError;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::{self, SERIES, TIMINGS, TRIALS};

impl CompleteRun {
    /// The rows, point by point.
    pub fn points(&self) -> Result<Vec<PointTrials>, StoreError> {
        let points = Rows::by_point(self.table(TRIALS)?);
        points.map_err(|error| self.wrong_file(TRIALS, error))
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
        let seconds = schema::seconds(&self.part(&[TIMINGS])?.frame);
        let seconds = seconds.map_err(|error| self.wrong_file(TIMINGS, error))?;
        let (mut seconds, mut timings) = (seconds.into_iter(), Vec::new());
        for PointTrials { point, rows } in trials {
            let seconds: Vec<Vec<f64>> = seconds.by_ref().take(rows.len()).collect();
            if point.goal.is_none() {
                continue;
            }
            timings.push(PointTimings {
                point: point.clone(),
                rows: rows.clone(),
                seconds,
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
        let mut courses = courses.into_iter();
        let points = Rows::by_point(part).map_err(|error| self.wrong_file(TRIALS, error))?;
        let points = points.into_iter().map(|PointTrials { point, rows }| {
            let trials: Vec<_> = rows.iter().zip(courses.by_ref()).collect();
            PointCourses { point, trials }
        });
        let has_course = |own: &PointCourses| own.trials.iter().any(|it| !it.1.series.is_empty());
        Ok(points.filter(has_course).collect())
    }
}
