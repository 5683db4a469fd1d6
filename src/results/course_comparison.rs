//! The courses of the trials that two complete runs have in common.

use serde::Serialize;

use super::in_common;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::SERIES;
use crate::experiment::store::{Row, StoreError};
use crate::solver::course::Course;

/// How many courses are the same. A course follows from the streams as the row does; so only trials
/// whose rows are the same are compared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CourseComparison {
    /// Trials with the same row on both sides, and a course on both.
    pub trials: u64,
    /// Trials with courses on both sides that were not compared, since their rows differ.
    pub other_rows: u64,
    /// Rows of `series.parquet` that were compared: those of moments that both sides have.
    pub rows: u64,
    /// How many of `trials` have different courses.
    pub differing: u64,
}

impl CourseComparison {
    /// Compares two complete runs; what only one of them recorded is left out.
    pub fn of(a: &CompleteRun, b: &CompleteRun) -> Result<Self, StoreError> {
        let mut comparison = Self::default();
        if ![a, b].iter().all(|run| run.has(SERIES)) {
            return Ok(comparison);
        }
        let (a, b) = (a.courses()?, b.courses()?);
        for (a, b) in in_common(&a, &b, |x, y| x.point.order(&y.point)) {
            let order = |x: &(Row, Course), y: &(Row, Course)| {
                (x.0.seed, x.0.trial).cmp(&(y.0.seed, y.0.trial))
            };
            for (a, b) in in_common(&a.trials, &b.trials, order) {
                comparison.add(a, b);
            }
        }
        Ok(comparison)
    }

    fn add(&mut self, (row, a): &(Row, Course), (other_row, b): &(Row, Course)) {
        if a.series.is_empty() || b.series.is_empty() {
        } else if row != other_row {
            self.other_rows += 1;
        } else {
            let moments = in_common(&a.series, &b.series, |x, y| x.update.cmp(&y.update));
            let same: Vec<bool> = moments.map(|(a, b)| a == b).collect();
            self.trials += 1;
            self.rows += same.len() as u64;
            self.differing += u64::from(same.contains(&false));
        }
    }
}
