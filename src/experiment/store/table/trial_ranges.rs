//! Which trials a table has, without their facts: all that is needed to put the rows of several
//! tables in order, in few bytes where trials follow each other. What is done with them is in
//! `joined.rs`.

mod statistics;

use polars::prelude::PolarsResult;

use super::Table;
use crate::solver::Point;

/// Consecutive trials of one seed in consecutive rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// The seed of the trials.
    pub seed: u64,
    /// The index of the first trial.
    pub trial: u32,
    /// The row of the first trial in its table.
    pub row: u32,
    /// Number of trials, at least 1.
    pub length: u32,
}

/// The rows of one point in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct PointRows {
    /// What was run.
    pub point: Point,
    /// The name of the dynamics of its rows; `None` for a search.
    pub dynamics: Option<String>,
    /// The cutoff of its rows.
    pub cutoff: Option<i64>,
    /// Its rows in their order.
    pub stretches: Vec<Stretch>,
}

impl PointRows {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        let lengths = self.stretches.iter().map(|stretch| stretch.length as usize);
        lengths.sum()
    }

    /// Seed and index of each trial.
    pub fn trials(&self) -> impl Iterator<Item = (u64, u32)> {
        self.stretches.iter().flat_map(|stretch| {
            let trials = stretch.trial..stretch.trial + stretch.length;
            trials.map(|trial| (stretch.seed, trial))
        })
    }
}

impl Table {
    /// The rows of each point; `shift` is added to their indices.
    ///
    /// # Errors
    /// Columns that are missing, or of another type.
    pub fn order(&self, shift: usize) -> PolarsResult<Vec<PointRows>> {
        let dynamics = self.frame.column("dynamics")?.str()?;
        let cutoffs = self.frame.column("cutoff")?.i64()?;
        let trials = self.trials()?;
        let mut order = Vec::with_capacity(self.points.len());
        for (point, range) in &self.points {
            let mut stretches: Vec<Stretch> = Vec::new();
            for at in range.clone() {
                let (seed, trial) = trials.at(at);
                match stretches.last_mut() {
                    Some(last) if last.seed == seed && last.trial + last.length == trial => {
                        last.length += 1;
                    }
                    _ => stretches.push(Stretch {
                        seed,
                        trial,
                        row: (shift + at) as u32,
                        length: 1,
                    }),
                }
            }
            order.push(PointRows {
                point: point.clone(),
                dynamics: dynamics.get(range.start).map(str::to_owned),
                cutoff: cutoffs.get(range.start),
                stretches,
            });
        }
        Ok(order)
    }
}
