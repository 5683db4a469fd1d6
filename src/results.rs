//! What has run, read for reports: rows point by point, courses, which runs are the newest, the
//! trials of several of them, and whether their files are what was written. Nothing here can reach
//! a row: a run writes, resumes and takes over with [`store`](crate::experiment::store) alone.

pub(crate) mod audit;
pub(crate) mod conditions;
pub(crate) mod course_comparison;
pub(crate) mod distinct;
pub mod points;
pub mod rows;
pub mod runs;

use std::cmp::Ordering;

use self::rows::Rows;
use crate::experiment::store::Row;
use crate::solver::Point;
use crate::solver::course::Course;

/// All rows of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTrials {
    /// What was run.
    pub point: Point,
    /// The rows of its trials.
    pub rows: Rows,
}

/// The wall-clock times of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTimings {
    /// What was run.
    pub point: Point,
    /// The rows of its trials.
    pub rows: Rows,
    /// The wall-clock times of each trial's repeats, in seconds.
    pub seconds: Vec<Vec<f64>>,
}

/// The trials of one point, ordered by seed, then trial, each with its course.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCourses {
    /// What was run.
    pub point: Point,
    /// The rows and courses of its trials.
    pub trials: Vec<(Row, Course)>,
}

impl PointCourses {
    /// Trials that were cut off: what they wrote down ends there.
    pub fn cut_off(&self) -> usize {
        let ends = self.trials.iter().map(|(row, _)| row.outcome.ending);
        ends.filter(|ending| ending.is_cut_off()).count()
    }
}

/// What both sides have, each of which is in this order.
pub(crate) fn in_common<'a, T>(
    a: &'a [T],
    b: &'a [T],
    order: impl Fn(&T, &T) -> Ordering,
) -> impl Iterator<Item = (&'a T, &'a T)> {
    a.iter().filter_map(move |of_a| {
        let at = b.binary_search_by(|of_b| order(of_b, of_a));
        Some((of_a, &b[at.ok()?]))
    })
}
