//! The courses of a complete run, with the rows of their trials.

use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::{Point, Record, Row, StoreError};
use crate::solver::course::Course;

/// The trials of one point, ordered by seed, then trial, each with its course.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCourses {
    /// What was run.
    pub point: Point,
    /// Its trials.
    pub trials: Vec<(Row, Course)>,
}

impl CompleteRun {
    /// The points whose trials wrote down something of their course, all in memory at once.
    ///
    /// # Errors
    /// A damaged or missing file; a course that is not what its row and the plan ask for.
    pub fn courses(&self) -> Result<Vec<PointCourses>, StoreError> {
        let plan = self.plan().ok().map(|(_, plan)| plan);
        let has_course = |it: &PointCourses| it.trials.iter().any(|(_, it)| it.entries() > 0);
        let mut points: Vec<PointCourses> = Vec::new();
        for record in self.trials()?.with_courses(self)? {
            let record = record?;
            let planned = plan.as_ref().and_then(|plan| plan.at(&record.point));
            if planned.is_some_and(|it| !it.has_course(&record)) {
                return Err(StoreError::format(
                    self.folder.path(),
                    other_course(&record),
                ));
            }
            let Record {
                point, row, course, ..
            } = record;
            if points.last().is_none_or(|last| last.point != *point) {
                points.pop_if(|last| !has_course(last));
                let point = Point::clone(&point);
                let trials = Vec::new();
                points.push(PointCourses { point, trials });
            }
            let last = points
                .last_mut()
                .expect("one was pushed where there was none");
            last.trials.push((row, course));
        }
        points.pop_if(|last| !has_course(last));
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
