//! How many trials of plans exist already, without reading the rows of complete runs.

use std::path::Path;

use itertools::Itertools;

use super::super::finished::{Finished, TrialId};
use super::{Theirs, is_same};
use crate::experiment::plan::Plan;
use crate::experiment::store::schema::TRIALS;
use crate::experiment::store::{StoreError, catalog};

/// The trials of each point of each plan that `results` has: those that a run would take over, and
/// its own. Trials that another run had under another cutoff are not counted, though one that ended
/// before both is taken over.
///
/// # Errors
/// A results folder that cannot be listed. A run that cannot be read counts for nothing.
pub fn existing(plans: &[&Plan], results: &Path) -> Result<Vec<Vec<u64>>, StoreError> {
    let mut all: Vec<Finished> = plans.iter().map(|plan| Finished::new(plan)).collect();
    for run in catalog::runs(results)? {
        if let Some(theirs) = Theirs::of(&run) {
            for finished in &mut all {
                theirs.enter(finished);
            }
        }
    }
    let counts = |finished: Finished| {
        let trials = finished.tally.works.iter().map(|work| work.count.finished);
        trials.collect()
    };
    Ok(all.into_iter().map(counts).collect())
}

impl Theirs<'_> {
    /// Enters the trials that this run has of those of the plan.
    fn enter(&self, finished: &mut Finished) {
        let plan = finished.plan;
        let is_own =
            [plan.code_version(), plan.hash()] == [self.run.names()[1], self.run.names()[2]];
        let is_taken = |point: usize| {
            let planned = &plan.points[point];
            let other = self.plan.at(&planned.point)?;
            let is_alike = is_own || is_same(planned, other) && planned.cutoff == other.cutoff;
            (is_alike && self.changed_at(planned).is_empty()).then_some(other)
        };
        if !self.run.is_complete() {
            let _ = self.run.scan_parts(&mut |part| {
                let table = part.table(TRIALS)?;
                let wrong = |error| part.wrong_table(TRIALS, error);
                let (seeds, indices) = table.trials().map_err(wrong)?;
                for (point, range) in &table.points {
                    let point = plan.index_of(point);
                    let Some(point) = point.filter(|at| is_taken(*at).is_some()) else {
                        continue;
                    };
                    for at in range.clone() {
                        if let Some(id) = finished.trial(point, seeds[at], indices[at]) {
                            finished.enter(id);
                        }
                    }
                }
                Ok(())
            });
            return;
        }
        let seeds = plan
            .seeds
            .iter()
            .filter(|seed| self.plan.seeds.contains(seed));
        let seeds: Vec<u64> = seeds.copied().collect();
        for (point, planned) in plan.points.iter().enumerate() {
            let Some(other) = is_taken(point) else {
                continue;
            };
            let [end, other_end] = [planned, other].map(|it| it.first + it.trials);
            let trials = planned.first.max(other.first)..end.min(other_end);
            for (&seed, trial) in seeds.iter().cartesian_product(trials) {
                finished.enter(TrialId { point, seed, trial });
            }
        }
    }
}
