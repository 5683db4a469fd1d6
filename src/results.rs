//! What has run, read for reports: rows point by point, what an unfinished run has so far, courses,
//! which runs a name means, and whether their files are what was written. Nothing here can reach a
//! row: a run writes, resumes and takes over with [`store`](crate::experiment::store) alone.

pub mod rows;

pub mod points;

pub(crate) mod so_far;

pub(crate) mod course_comparison;

pub mod runs;

pub(crate) mod audit;

use self::rows::Rows;
use crate::experiment::store::Row;
use crate::solver::Point;
use crate::solver::course::Course;

/// All rows of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTrials {
    /// What was run.
    pub point: Point,
    /// Its trials.
    pub rows: Rows,
}

/// The wall-clock times of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTimings {
    /// What was run.
    pub point: Point,
    /// The times of each trial.
    pub trials: Vec<TrialTimes>,
}

/// How long one trial took.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialTimes {
    /// Of the spec.
    pub seed: u64,
    /// Index from 0.
    pub trial: u32,
    /// Of each of its repeats.
    pub seconds: Vec<f64>,
}

/// The trials of one point, ordered by seed, then trial, each with its course.
#[derive(Debug, Clone, PartialEq)]
pub struct PointCourses {
    /// What was run.
    pub point: Point,
    /// Its trials.
    pub trials: Vec<(Row, Course)>,
}
