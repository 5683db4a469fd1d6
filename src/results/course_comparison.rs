//! The courses of the trials that two complete runs have in common. Which moments are compared
//! (those that both sides have), and when two states are the same, is decided here.

use serde::Serialize;

use super::in_common;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::{Row, StoreError};
use crate::solver::course::{Course, Observation};

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
    /// All rows of these trials in A and in B.
    pub of: [u64; 2],
    /// How many of `trials` have different courses.
    pub differing: u64,
}

impl CourseComparison {
    /// Compares two complete runs; what only one of them recorded is left out.
    pub fn of(a: &CompleteRun, b: &CompleteRun) -> Result<Self, StoreError> {
        let mut comparison = Self::default();
        let a = a.courses()?;
        let b = b.courses()?;
        let key = |(row, _): &(Row, Course)| (row.seed, row.trial);
        for (a, b) in in_common(&a, &b, |x, y| x.point.order(&y.point)) {
            let trials = in_common(&a.trials, &b.trials, |x, y| key(x).cmp(&key(y)));
            let trials = trials.filter(|(a, b)| !a.1.series.is_empty() && !b.1.series.is_empty());
            for ((row, a), (other_row, b)) in trials {
                if row != other_row {
                    comparison.other_rows += 1;
                    continue;
                }
                let moments = in_common(&a.series, &b.series, |x, y| x.update.cmp(&y.update));
                let same: Vec<bool> = moments.map(|(a, b)| are_equal(*a, *b)).collect();
                comparison.trials += 1;
                comparison.rows += same.len() as u64;
                comparison.of[0] += a.series.len() as u64;
                comparison.of[1] += b.series.len() as u64;
                comparison.differing += u64::from(same.contains(&false));
            }
        }
        Ok(comparison)
    }
}

/// True if two observations are the same in what both sides counted: a run of an earlier version
/// may lack the tally.
fn are_equal(a: Observation, b: Observation) -> bool {
    let has_both = a.tally.is_some() && b.tally.is_some();
    if has_both {
        a == b
    } else {
        Observation { tally: None, ..a } == Observation { tally: None, ..b }
    }
}
