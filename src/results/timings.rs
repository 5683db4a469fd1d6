//! Wall-clock times of a complete run, point by point.

use std::sync::Arc;

use super::{PointTimings, PointTrials, TrialTimes};
use crate::experiment::store::complete::{Companion, CompleteRun};
use crate::experiment::store::{StoreError, schema};

impl CompleteRun {
    /// The times of the points of `trials`, the run's own, that are searches: of others nothing
    /// asks for them. Refuses times that are not those of `trials`, one by one.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn timings_of_searches(
        &self,
        trials: &[PointTrials],
    ) -> Result<Vec<PointTimings>, StoreError> {
        let mut table = Companion::new(self.table(schema::timings())?);
        let mut timings = Vec::new();
        for PointTrials { point, rows } in trials {
            let (key, mut of_point) = (Arc::new(point.clone()), Vec::new());
            for (seed, trial) in rows.trials() {
                let times = table.take(&key, seed, trial)?;
                if times.is_empty() {
                    return Err(table.has_none(point, seed, trial));
                }
                if point.goal.is_some() {
                    of_point.push(TrialTimes {
                        seed,
                        trial,
                        seconds: times.into_iter().map(|time| time.seconds).collect(),
                    });
                }
            }
            if point.goal.is_some() {
                timings.push(PointTimings {
                    point: point.clone(),
                    trials: of_point,
                });
            }
        }
        table.finish()?;
        Ok(timings)
    }
}
