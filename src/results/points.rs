//! The rows, times and courses of what is stored, point by point.

use super::rows::Rows;
use super::{PointCourses, PointTimings, PointTrials};
use crate::experiment::store::StoreError;
use crate::experiment::store::schema::{self, OfTrial, SERIES, TIMINGS, TRIALS};
use crate::experiment::store::stored::Stored;
use crate::experiment::store::table::{StoredTable, Table, TableRow};
use crate::solver::Point;
use crate::solver::course::Course;

impl Stored {
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
        let Some(entries) = self.entries(schema::timings())? else {
            return Ok(Vec::new());
        };
        let searches = trials.iter().filter(|it| it.point.goal.is_some());
        let of_point = |PointTrials { point, rows }: &PointTrials| {
            let times = entries.by_trial(point, rows)?.into_iter();
            let seconds = times.map(|times| times.iter().map(|time| time.seconds).collect());
            let seconds: Vec<Vec<f64>> = seconds.collect();
            match seconds.iter().any(Vec::is_empty) {
                true => Err(format!("a trial of {point} has no time")),
                false => Ok(PointTimings {
                    point: point.clone(),
                    rows: rows.clone(),
                    seconds,
                }),
            }
        };
        let timings: Result<_, String> = searches.map(of_point).collect();
        timings.map_err(|reason| self.wrong_table(TIMINGS, reason))
    }

    /// The points whose trials wrote down something of their course.
    pub fn courses(&self) -> Result<Vec<PointCourses>, StoreError> {
        let Some(series) = self.entries(schema::series())? else {
            return Ok(Vec::new());
        };
        let wrong = |reason: String| self.wrong_table(SERIES, reason);
        let mut points = Vec::new();
        for PointTrials { point, rows } in self.points()? {
            let courses = series.by_trial(&point, &rows).map_err(wrong)?.into_iter();
            let courses: Vec<Course> = courses.map(|series| Course { series }).collect();
            if courses.iter().any(|course| !course.series.is_empty()) {
                let trials = rows.iter().zip(courses).collect();
                points.push(PointCourses { point, trials });
            }
        }
        Ok(points)
    }

    fn entries<E: Copy>(
        &self,
        stored: StoredTable<OfTrial<E>>,
    ) -> Result<Option<Entries<OfTrial<E>>>, StoreError>
    where
        OfTrial<E>: TableRow,
    {
        let file = stored.file;
        if !self.has(file) {
            return Ok(None);
        }
        let entries = Entries::of(&stored, self.table(file)?);
        let entries = entries.map_err(|error| self.wrong_table(file, error));
        entries.map(Some)
    }
}

/// A table with several rows for a trial.
struct Entries<R> {
    table: Table,
    rows: Vec<R>,
}

impl<E: Copy> Entries<OfTrial<E>>
where
    OfTrial<E>: TableRow,
{
    fn of(stored: &StoredTable<OfTrial<E>>, table: Table) -> polars::prelude::PolarsResult<Self> {
        let rows = stored.rows(&table)?;
        Ok(Self { table, rows })
    }

    /// What there is of each trial of a point.
    ///
    /// # Errors
    /// Rows of no trial, or not in the order of the trials.
    fn by_trial(&self, point: &Point, rows: &Rows) -> Result<Vec<Vec<E>>, String> {
        let mut entries = self.rows[self.table.range(point)].iter().peekable();
        let of_trial = |(seed, trial)| {
            let is_its = |row: &&OfTrial<E>| (row.trial().1, row.trial().2) == (seed, trial);
            let its = std::iter::from_fn(|| entries.next_if(is_its));
            its.map(|row| row.entry).collect()
        };
        let of_trials = rows.trials().map(of_trial).collect();
        entries.next().map_or(Ok(of_trials), |row| {
            let trial = row.trial_in_words();
            Err(format!(
                "the row of {trial} is of no trial of the run, or not in its place"
            ))
        })
    }
}
