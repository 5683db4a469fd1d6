//! The rows, times and courses of a complete run, point by point.

use super::rows::Rows;
use super::{PointCourses, PointTimings, PointTrials};
use crate::experiment::store::StoreError;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::{self, MOVES, OfTrial, SERIES, TIMINGS, TRIALS};
use crate::experiment::store::table::{StoredTable, Table, TableRow};
use crate::solver::Point;
use crate::solver::course::Course;

impl CompleteRun {
    /// The rows, point by point.
    pub fn points(&self) -> Result<Vec<PointTrials>, StoreError> {
        let points = Rows::by_point(self.table(TRIALS)?);
        points.map_err(|error| self.wrong_table(TRIALS, error))
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
        let entries = self.entries(schema::timings())?;
        let searches = trials.iter().filter(|it| it.point.goal.is_some());
        let of_point = |PointTrials { point, rows }: &PointTrials| {
            let times = entries.by_trial(self, point, rows)?.into_iter();
            let seconds = times.map(|times| times.iter().map(|time| time.seconds).collect());
            let seconds: Vec<Vec<f64>> = seconds.collect();
            if seconds.iter().any(Vec::is_empty) {
                return Err(self.wrong_table(TIMINGS, format!("a trial of {point} has no time")));
            }
            Ok(PointTimings {
                point: point.clone(),
                rows: rows.clone(),
                seconds,
            })
        };
        searches.map(of_point).collect()
    }

    /// The points whose trials wrote down something of their course.
    pub fn courses(&self) -> Result<Vec<PointCourses>, StoreError> {
        let series = self.has(SERIES).then(|| self.entries(schema::series()));
        let moves = self.has(MOVES).then(|| self.entries(schema::moves()));
        let (series, moves) = (series.transpose()?, moves.transpose()?);
        if series.is_none() && moves.is_none() {
            return Ok(Vec::new());
        }
        let mut points = Vec::new();
        for PointTrials { point, rows } in self.points()? {
            let mut courses = vec![Course::default(); rows.len()];
            if let Some(series) = &series {
                let series = series.by_trial(self, &point, &rows)?;
                let both = courses.iter_mut().zip(series);
                both.for_each(|(course, its)| course.series = its);
            }
            if let Some(moves) = &moves {
                let moves = moves.by_trial(self, &point, &rows)?;
                let both = courses.iter_mut().zip(moves);
                both.for_each(|(course, its)| course.moves = its);
            }
            if courses.iter().any(|course| course.entries() > 0) {
                let trials = rows.iter().zip(courses).collect();
                points.push(PointCourses { point, trials });
            }
        }
        Ok(points)
    }

    fn entries<E: Copy>(
        &self,
        stored: StoredTable<OfTrial<E>>,
    ) -> Result<Entries<OfTrial<E>>, StoreError>
    where
        OfTrial<E>: TableRow,
    {
        let (file, table) = (stored.file, self.table(stored.file)?);
        let rows = stored.rows(&table.frame);
        let rows = rows.map_err(|error| self.wrong_table(file, error))?;
        Ok(Entries { file, table, rows })
    }
}

/// A table with several rows for a trial.
struct Entries<R> {
    file: &'static str,
    table: Table,
    rows: Vec<R>,
}

impl<E: Copy> Entries<OfTrial<E>>
where
    OfTrial<E>: TableRow,
{
    /// What there is of each trial of a point.
    ///
    /// # Errors
    /// Rows of no trial, or not in the order of the trials.
    fn by_trial(
        &self,
        run: &CompleteRun,
        point: &Point,
        rows: &Rows,
    ) -> Result<Vec<Vec<E>>, StoreError> {
        let mut entries = self.rows[self.table.range(point)].iter().peekable();
        let of_trial = |(seed, trial)| {
            let is_its = |row: &&OfTrial<E>| (row.trial().1, row.trial().2) == (seed, trial);
            std::iter::from_fn(|| entries.next_if(is_its))
                .map(|row| row.entry)
                .collect()
        };
        let of_trials = rows.trials().map(of_trial).collect();
        match entries.next() {
            None => Ok(of_trials),
            Some(row) => {
                let trial = row.trial_in_words();
                let reason =
                    format!("the row of {trial} is of no trial of the run, or not in its place");
                Err(run.wrong_table(self.file, reason))
            }
        }
    }
}
