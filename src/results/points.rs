//! The rows, times and courses of what is stored, point by point.

use super::rows::Rows;
use super::{PointCourses, PointTimings, PointTrials};
use crate::experiment::store::StoreError;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::{self, SECONDS, SERIES, TIMINGS, TRIALS};
use crate::solver::course::Course;

impl CompleteRun {
    /// The rows, point by point.
    pub fn points(&self) -> Result<Vec<PointTrials>, StoreError> {
        let points = Rows::by_point(self.table(TRIALS)?);
        points.map_err(|error| self.wrong_table(TRIALS, error))
    }

    /// The times of the points of `trials`, those stored here, that are searches: of others nothing
    /// asks for them. Refuses times that are not those of `trials`, one by one.
    pub fn timings_of_searches(
        &self,
        trials: &[PointTrials],
    ) -> Result<Vec<PointTimings>, StoreError> {
        if !self.has(TIMINGS) {
            return Ok(Vec::new());
        }
        let (times, lengths) = self.entries(TIMINGS, &self.table(TRIALS)?)?;
        let seconds = times.column(SECONDS).and_then(|it| it.f64()?.cont_slice());
        let seconds = seconds.map_err(|error| self.wrong_table(TIMINGS, error))?;
        let (mut seconds, mut lengths) = (seconds.iter().copied(), lengths.into_iter());
        let mut timings = Vec::new();
        for PointTrials { point, rows } in trials {
            let lengths = lengths.by_ref().take(rows.len());
            let of_trials = lengths.map(|length| seconds.by_ref().take(length).collect());
            let of_trials: Vec<Vec<f64>> = of_trials.collect();
            if point.goal.is_none() {
                continue;
            }
            if of_trials.iter().any(Vec::is_empty) {
                let reason = format!("a trial of {point} has no time");
                return Err(self.wrong_table(TIMINGS, reason));
            }
            timings.push(PointTimings {
                point: point.clone(),
                rows: rows.clone(),
                seconds: of_trials,
            });
        }
        Ok(timings)
    }

    /// The points whose trials wrote down something of their course.
    pub fn courses(&self) -> Result<Vec<PointCourses>, StoreError> {
        if !self.has(SERIES) {
            return Ok(Vec::new());
        }
        let trials = self.table(TRIALS)?;
        let (series, lengths) = self.entries(SERIES, &trials)?;
        let observations = schema::observations(&series);
        let observations = observations.map_err(|error| self.wrong_table(SERIES, error))?;
        let (mut observations, mut lengths) = (observations.into_iter(), lengths.into_iter());
        let points = Rows::by_point(trials).map_err(|error| self.wrong_table(TRIALS, error))?;
        let of_point = |PointTrials { point, rows }| {
            let lengths = lengths.by_ref().take(rows.len());
            let courses = lengths.map(|length| Course {
                series: observations.by_ref().take(length).collect(),
            });
            let trials: Vec<_> = rows.iter().zip(courses).collect();
            PointCourses { point, trials }
        };
        let has_course = |it: &PointCourses| it.trials.iter().any(|it| !it.1.series.is_empty());
        Ok(points
            .into_iter()
            .map(of_point)
            .filter(has_course)
            .collect())
    }
}
