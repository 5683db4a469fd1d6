//! Which trials of a plan are finished, so that the rows need not stay in memory. What `list` says
//! of a run under way (how many trials are saved) comes from here.

use polars::prelude::PolarsResult;

use super::progress::{Progress, Work};
use crate::experiment::plan::Plan;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::table::{PointRows, Table};
use crate::solver::Key;

/// The finished trials of a plan.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    pub plan: &'a Plan,
    /// The work of each point, in the plan's order, which is that of the tables.
    pub works: Vec<Work>,
    /// True for each finished trial of each point, under one seed after the other.
    trials: Vec<Vec<bool>>,
}

impl<'a> Finished<'a> {
    /// Nothing is finished.
    pub fn new(plan: &'a Plan) -> Self {
        let mut works = Vec::with_capacity(plan.points.len());
        let mut trials = Vec::with_capacity(plan.points.len());
        for planned in &plan.points {
            let n_trials = planned.trials as usize * plan.seeds.len();
            trials.push(vec![false; n_trials]);
            works.push(Work {
                expected: n_trials as u64,
                ..Work::default()
            });
        }
        Self {
            plan,
            works,
            trials,
        }
    }

    /// The index of a trial among those of its point; `None` where the plan has no such trial.
    fn index(&self, point: usize, seed: u64, trial: u32) -> Option<usize> {
        let planned = &self.plan.points[point];
        let seed = self.plan.seeds.binary_search(&seed).ok()?;
        let trial = trial.checked_sub(planned.first)?;
        (trial < planned.trials).then(|| seed * planned.trials as usize + trial as usize)
    }

    /// True for a trial of the plan that is not finished.
    pub fn is_missing(&self, point: usize, seed: u64, trial: u32) -> bool {
        let index = self.index(point, seed, trial);
        index.is_some_and(|at| !self.trials[point][at])
    }

    /// The trials of a point that are not finished.
    pub fn missing(&self, point: usize) -> impl Iterator<Item = Key> + Send {
        let planned = &self.plan.points[point];
        let trials = planned.first..planned.first + planned.trials;
        let of_seed = move |&seed| trials.clone().map(move |trial| Key { seed, trial });
        let all = self.plan.seeds.iter().flat_map(of_seed);
        let missing = all
            .zip(&self.trials[point])
            .filter(|(_, is_finished)| !**is_finished);
        missing.map(|(key, _)| key)
    }

    /// Enters the plan's trials among rows of a point.
    pub fn enter(&mut self, rows: &PointRows) {
        let Some(point) = self.plan.index_of(&rows.point) else {
            return;
        };
        for (seed, trial) in rows.trials() {
            let index = self.index(point, seed, trial);
            if let Some(index) = index.filter(|index| !self.trials[point][*index]) {
                self.trials[point][index] = true;
                self.works[point].finished += 1;
            }
        }
    }

    /// Enters the plan's trials of a part.
    ///
    /// # Errors
    /// Columns that are missing or of another type.
    pub fn enter_all(&mut self, part: &Table) -> PolarsResult<()> {
        part.order(0)?.iter().for_each(|rows| self.enter(rows));
        Ok(())
    }
}

impl Progress {
    /// How far an unfinished run is by what it has saved; `None` where its spec cannot be read, or
    /// one of its parts.
    pub fn of_saved(run: &RunFolder) -> Option<Self> {
        let plan = run.plan()?;
        let mut finished = Finished::new(&plan);
        run.scan_parts(&mut |part| finished.enter_all(&part)).ok()?;
        // Of what was saved no time is known that they would share.
        Some(Self::of(&finished.works, &plan, 1))
    }
}
