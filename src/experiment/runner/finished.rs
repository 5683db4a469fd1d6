//! Which trials of a plan are finished, so that the rows need not stay in memory.

use polars::prelude::PolarsResult;

use super::progress::{Tally, Work};
use crate::experiment::plan::Plan;
use crate::experiment::store::schema;
use crate::experiment::store::table::Table;
use crate::solver::Key;

/// A trial of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialId {
    /// Index in the plan's points.
    pub point: usize,
    pub key: Key,
}

/// The finished trials of a plan.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    pub plan: &'a Plan,
    pub tally: Tally,
    /// Of each point: whether each trial is finished, under one seed after the other.
    trials: Vec<Vec<bool>>,
}

impl<'a> Finished<'a> {
    /// Nothing is finished.
    pub fn new(plan: &'a Plan) -> Self {
        let trials = plan.points.iter();
        let trials = trials.map(|planned| vec![false; planned.trials as usize * plan.seeds.len()]);
        let trials: Vec<Vec<bool>> = trials.collect();
        let expected = trials.iter().map(|trials| trials.len() as u64);
        Self {
            plan,
            tally: Tally(expected.map(Work::of).collect()),
            trials,
        }
    }

    /// The trial of a point in the plan's order; `None` where the plan has no such trial.
    pub fn trial(&self, point: usize, seed: u64, trial: u32) -> Option<TrialId> {
        let planned = &self.plan.points[point];
        let is_planned = self.plan.seeds.binary_search(&seed).is_ok()
            && (planned.first..planned.first + planned.trials).contains(&trial);
        let key = Key { seed, trial };
        is_planned.then_some(TrialId { point, key })
    }

    /// The trials of a point that are not finished.
    pub fn missing(&self, point: usize) -> impl Iterator<Item = TrialId> + Send {
        let planned = &self.plan.points[point];
        let trials = planned.first..planned.first + planned.trials;
        let of_seed = move |&seed| {
            let trials = trials.clone();
            trials.map(move |trial| TrialId {
                point,
                key: Key { seed, trial },
            })
        };
        let all = self.plan.seeds.iter().flat_map(of_seed);
        let missing = all.zip(&self.trials[point]).filter(|it| !it.1);
        missing.map(|(id, _)| id)
    }

    /// True if the trial is finished.
    pub fn has(&self, id: TrialId) -> bool {
        self.trials[id.point][self.index(id)]
    }

    /// Enters a finished trial; false if it was entered before.
    pub fn enter(&mut self, id: TrialId) -> bool {
        let index = self.index(id);
        let is_new = !std::mem::replace(&mut self.trials[id.point][index], true);
        self.tally.0[id.point].finished += u64::from(is_new);
        is_new
    }

    /// Enters the plan's trials of a part, and how long they took.
    ///
    /// # Errors
    /// Columns that are missing or of another type.
    pub fn enter_all(&mut self, part: &Table) -> PolarsResult<()> {
        let ((seeds, trials), seconds) = (part.trials()?, schema::seconds(&part.frame)?);
        for (point, range) in &part.points {
            let Some(point) = self.plan.index_of(point) else {
                continue;
            };
            let runs = f64::from(self.plan.points[point].runs_per_trial());
            for at in range.clone() {
                let id = self.trial(point, seeds[at], trials[at]);
                let is_new = id.is_some_and(|id| self.enter(id));
                if let Some(seconds) = seconds[at].filter(|_| is_new) {
                    self.tally.0[point].note_length(seconds * runs);
                }
            }
        }
        Ok(())
    }

    /// The index of a trial among those of its point.
    fn index(&self, id: TrialId) -> usize {
        let planned = &self.plan.points[id.point];
        let seed = self.plan.seeds.binary_search(&id.key.seed);
        let seed = seed.expect("a trial of the plan has one of its seeds");
        seed * planned.trials as usize + (id.key.trial - planned.first) as usize
    }
}
