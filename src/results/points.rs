//! The rows, times and courses of a complete run, point by point.

use std::iter::Peekable;
use std::sync::Arc;

use super::rows::Rows;
use super::{PointCourses, PointTimings, PointTrials};
use crate::experiment::store::complete::{CompleteRun, TrialReader};
use crate::experiment::store::schema::{self, OfTrial, TIMINGS, Timing};
use crate::experiment::store::table::TableRow;
use crate::experiment::store::{Point, Record, StoreError};

/// The points of some trials in order, one after the other: no more than one need be in memory.
pub struct Points<I: Iterator = TrialReader>(Peekable<I>);

impl<I: Iterator<Item = Result<Record, StoreError>>> Points<I> {
    /// The points of these records.
    pub fn of(trials: I) -> Self {
        Self(trials.peekable())
    }
}

impl<I: Iterator<Item = Result<Record, StoreError>>> Iterator for Points<I> {
    type Item = Result<PointTrials, StoreError>;

    /// All rows of the next point, or what is wrong; then nothing is to be asked any more.
    fn next(&mut self) -> Option<Self::Item> {
        let mut point = None::<Arc<Point>>;
        let rows: Result<Rows, _> = std::iter::from_fn(|| {
            let next = self.0.next_if(|next| match (next, &point) {
                (Ok(next), Some(point)) => Arc::ptr_eq(&next.point, point) || next.point == *point,
                _ => true,
            });
            next.map(|next| next.map(|next| (next.row, point = Some(next.point)).0))
        })
        .collect();
        let of_point = |rows| {
            let point = Point::clone(&*point?);
            Some(PointTrials { point, rows })
        };
        rows.map(of_point).transpose()
    }
}

impl CompleteRun {
    /// The rows, point by point.
    pub fn points(&self) -> Result<Points, StoreError> {
        Ok(Points::of(self.trials()?))
    }

    /// [`Self::points`], all in memory at once.
    pub fn all_points(&self) -> Result<Vec<PointTrials>, StoreError> {
        self.points()?.collect()
    }

    /// The times of the points of `trials`, the run's own, that are searches: of others nothing
    /// asks for them. Refuses times that are not those of `trials`, one by one.
    pub fn timings_of_searches(
        &self,
        trials: &[PointTrials],
    ) -> Result<Vec<PointTimings>, StoreError> {
        if !self.has(TIMINGS) {
            return Ok(Vec::new());
        }
        let mut table = self.table(schema::timings())?.row_by_row();
        let mut timings = Vec::new();
        for PointTrials { point, rows } in trials {
            let (key, mut of_point) = (Arc::new(point.clone()), Vec::new());
            for (seed, trial) in rows.trials() {
                let its = OfTrial::<Timing>::blank(Arc::clone(&key), seed, trial);
                let times = match point.goal {
                    Some(_) => table.take_some_of(&its)?,
                    // In the schema before, other trials have times, too.
                    None => table.take_of(&its)?,
                };
                of_point.push(times.into_iter().map(|time| time.entry.seconds).collect());
            }
            if point.goal.is_some() {
                timings.push(PointTimings {
                    point: point.clone(),
                    seconds: of_point,
                });
            }
        }
        table.finish()?;
        Ok(timings)
    }

    /// The points whose trials wrote down something of their course, all in memory at once.
    pub fn courses(&self) -> Result<Vec<PointCourses>, StoreError> {
        let has_course = |it: &PointCourses| it.trials.iter().any(|(_, it)| it.entries() > 0);
        let mut points: Vec<PointCourses> = Vec::new();
        for record in self.trials()?.with_courses(self)? {
            let record = record?;
            if points.last().is_none_or(|last| last.point != *record.point) {
                points.pop_if(|last| !has_course(last));
                points.push(PointCourses {
                    point: Point::clone(&record.point),
                    trials: Vec::new(),
                });
            }
            let last = points.last_mut();
            let last = last.expect("one was pushed where there was none");
            last.trials.push((record.row, record.course));
        }
        points.pop_if(|last| !has_course(last));
        Ok(points)
    }
}
