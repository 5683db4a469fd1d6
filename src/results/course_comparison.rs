//! The courses of the trials that two complete runs have in common, compared row by row.

use std::sync::Arc;

use serde::Serialize;

use super::{PointCourses, in_common};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::{self, OfTrial, SERIES};
use crate::experiment::store::table::TableRow;
use crate::experiment::store::{Row, StoreError};
use crate::solver::Point;
use crate::solver::course::{Course, Observation};

/// What is the same and what is not. A course follows from the streams as the row does; so only
/// trials whose rows are the same are compared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CourseComparison {
    /// Trials with the same row on both sides, and a course on both.
    pub trials: u64,
    /// Trials with courses on both sides that were not compared, since their rows differ.
    pub other_rows: u64,
    /// Rows of `series.parquet` that were compared.
    pub rows: u64,
    /// How many of `trials` have different courses.
    pub differing: u64,
    /// The first difference, in words.
    pub first: Option<String>,
}

impl CourseComparison {
    /// Compares two complete runs; what only one of them recorded is left out.
    pub fn of(a: &CompleteRun, b: &CompleteRun) -> Result<Self, StoreError> {
        let mut comparison = Self::default();
        if ![a, b].iter().all(|run| run.has(SERIES)) {
            return Ok(comparison);
        }
        let (a, b) = (a.courses()?, b.courses()?);
        for (one, other) in in_common(&a, &b, |x, y| x.point.order(&y.point)) {
            comparison.add_point(one, other);
        }
        Ok(comparison)
    }

    fn add_point(&mut self, a: &PointCourses, b: &PointCourses) {
        let trial = |(row, _): &(Row, Course)| (row.seed, row.trial);
        for (one, other) in in_common(&a.trials, &b.trials, |x, y| trial(x).cmp(&trial(y))) {
            if let Some(difference) = self.add([&one.0, &other.0], [&one.1, &other.1]) {
                self.differing += 1;
                let ((seed, trial), point) = (trial(one), &a.point);
                let first = || format!("trial {trial} of seed {seed} of {point} at {difference}");
                self.first.get_or_insert_with(first);
            }
        }
    }

    /// Adds a trial of both sides; how their courses differ, in words.
    fn add(&mut self, [a, b]: [&Row; 2], [of_a, of_b]: [&Course; 2]) -> Option<String> {
        // Of the moments those that both sides have.
        let series = in_common(&of_a.series, &of_b.series, |x, y| x.update.cmp(&y.update));
        let series: Vec<_> = series.map(|(a, b)| (*a, *b)).collect();
        if of_a.series.is_empty() || of_b.series.is_empty() {
            return None;
        }
        if a != b {
            self.other_rows += 1;
            return None;
        }
        self.trials += 1;
        self.rows += series.len() as u64;
        difference(&series)
    }
}

/// The first pair of entries that are not the same, in words.
fn difference(pairs: &[(Observation, Observation)]) -> Option<String> {
    let table = schema::series();
    let &(a, b) = pairs.iter().find(|(a, b)| a != b)?;
    let no_point = Arc::new(Point::new("", []));
    let in_words = |entry| {
        let mut row = OfTrial::blank(Arc::clone(&no_point), 0, 0);
        row.entry = entry;
        let numbers = table.columns.iter().filter_map(|it| it.numbers.as_ref());
        numbers.map(|it| (it.show)(&row)).collect::<Vec<_>>()
    };
    let (a, b) = (in_words(a), in_words(b));
    let column = a.iter().zip(&b).position(|(a, b)| a != b)?;
    let (update, name, file) = (&a[0], table.columns[column].name, table.file);
    let (value, there) = (&a[column], &b[column]);
    Some(format!(
        "update {update} in {file}: {name} is {value}, there it is {there}"
    ))
}
