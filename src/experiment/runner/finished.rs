//! Which trials of a plan are finished, so that the rows need not stay in memory; and how many of
//! each point, and how long they took.

use polars::prelude::PolarsResult;

use crate::experiment::plan::Plan;
use crate::experiment::store::schema;
use crate::experiment::store::table::Table;
use crate::solver::Key;

/// A trial of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialId {
    /// Index in the plan's points.
    pub point: usize,
    pub seed: u64,
    pub trial: u32,
}

impl TrialId {
    pub fn key(self) -> Key {
        Key {
            seed: self.seed,
            trial: self.trial,
        }
    }
}

/// The finished trials of a plan.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    pub plan: &'a Plan,
    pub tally: Tally,
    /// Of each point: whether each trial is finished, under one seed after the other.
    trials: Vec<Vec<bool>>,
}

/// How many trials are finished.
#[derive(Debug, Clone)]
pub struct Tally {
    /// The work of each point, in the plan's order, which is that of the tables.
    pub works: Vec<Work>,
    /// The counts of all points together.
    pub all: Count,
}

/// The trials of a point, under all seeds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work {
    pub count: Count,
    /// Trials whose length is known, and their seconds.
    pub timed: (u64, f64),
}

/// Trials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub finished: u64,
    /// Trials to be finished in all.
    pub expected: u64,
}

impl Count {
    /// True if no trial is missing.
    pub fn is_complete(&self) -> bool {
        self.finished == self.expected
    }
}

impl<'a> Finished<'a> {
    /// Nothing is finished.
    pub fn new(plan: &'a Plan) -> Self {
        let trials = plan.points.iter();
        let trials = trials.map(|planned| vec![false; planned.trials as usize * plan.seeds.len()]);
        let trials: Vec<Vec<bool>> = trials.collect();
        let count = |expected| Count {
            finished: 0,
            expected,
        };
        let works = trials.iter().map(|trials| Work {
            count: count(trials.len() as u64),
            timed: (0, 0.0),
        });
        Self {
            plan,
            tally: Tally {
                works: works.collect(),
                all: count(plan.trials()),
            },
            trials,
        }
    }

    /// The trial of a point in the plan's order; `None` where the plan has no such trial.
    pub fn trial(&self, point: usize, seed: u64, trial: u32) -> Option<TrialId> {
        let planned = &self.plan.points[point];
        let is_planned = self.plan.seeds.binary_search(&seed).is_ok()
            && (planned.first..planned.first + planned.trials).contains(&trial);
        is_planned.then_some(TrialId { point, seed, trial })
    }

    /// The trials of a point that are not finished.
    pub fn missing(&self, point: usize) -> impl Iterator<Item = TrialId> + Send {
        let planned = &self.plan.points[point];
        let trials = planned.first..planned.first + planned.trials;
        let of_seed = move |&seed| {
            let trials = trials.clone();
            trials.map(move |trial| TrialId { point, seed, trial })
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
        self.tally.count(id.point, is_new.into());
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
                    self.tally.note_lengths(point, 1, seconds * runs);
                }
            }
        }
        Ok(())
    }

    /// The index of a trial among those of its point.
    fn index(&self, id: TrialId) -> usize {
        let planned = &self.plan.points[id.point];
        let seed = self.plan.seeds.binary_search(&id.seed);
        let seed = seed.expect("a trial of the plan has one of its seeds");
        seed * planned.trials as usize + (id.trial - planned.first) as usize
    }
}

impl Tally {
    /// Counts new trials of a point.
    pub fn count(&mut self, point: usize, new: u64) {
        self.works[point].count.finished += new;
        self.all.finished += new;
    }

    /// Counts how long so many trials of a point have taken.
    pub fn note_lengths(&mut self, point: usize, count: u64, seconds: f64) {
        let (trials, sum) = &mut self.works[point].timed;
        (*trials, *sum) = (*trials + count, *sum + seconds);
    }
}
