//! What a run knows of its trials: which are finished (a bit for each, so that the rows need not
//! stay in memory), which are to run and in which order, which run now, and which
//! have ended and wait to be saved.

mod order;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use polars::prelude::PolarsResult;

use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::PointTotals;
use crate::experiment::store::table::Table;
use crate::experiment::store::{Point, Record, Row};
use crate::solver::Outcome;
use crate::solver::course::Course;

/// Finished trials that wait in memory to be saved; of tiny trials, 10 seconds bring millions.
const MANY_ENDED: usize = 1 << 16;
/// Observations and moves that wait in memory to be saved, about.
const MANY_IN_COURSES: usize = 1 << 20;

/// A trial of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialId {
    /// Index in the plan's points.
    pub point: usize,
    pub seed: u64,
    pub trial: u32,
}

/// The trials of a plan.
#[derive(Debug, Clone)]
pub struct Schedule<'a> {
    pub plan: &'a Plan,
    /// The work of each point, in the plan's order, which is that of the tables.
    pub works: Vec<Work>,
    /// The runs of each point under each seed.
    seed_runs: Vec<SeedRuns>,
    /// The next missing trial under each seed that has one, least first: see [`Self::next`].
    queue: BinaryHeap<Reverse<order::QueuedRuns>>,
    /// The counts of all points together.
    pub all: Count,
    /// Records of trials that have ended and are to be saved.
    pub ended: Vec<Record>,
    /// Observations and moves of the records in `ended`.
    pub in_courses: usize,
    /// Moves that were written down in all.
    pub moves: u64,
}

/// The trials of a point, under all seeds.
#[derive(Debug, Clone)]
pub struct Work {
    key: Arc<Point>,
    pub count: Count,
    /// Trials whose length is known, and their seconds.
    pub timed: (u64, f64),
}

/// The trials of a point under one seed.
#[derive(Debug, Clone, Default)]
struct SeedRuns {
    /// The finished trials, a bit for each, up to the last finished one.
    finished: Vec<u64>,
    /// The first trial that is neither finished nor claimed; there is none before it.
    next: u64,
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

impl<'a> Schedule<'a> {
    /// Nothing is finished or queued.
    pub fn new(plan: &'a Plan) -> Self {
        let seeds = plan.seeds.len();
        let mut schedule = Self {
            plan,
            works: plan.points.iter().map(|it| Work::of(it, seeds)).collect(),
            seed_runs: vec![SeedRuns::default(); plan.points.len() * seeds],
            queue: BinaryHeap::new(),
            all: Count::default(),
            ended: Vec::new(),
            in_courses: 0,
            moves: 0,
        };
        for Work { count, .. } in &schedule.works {
            schedule.all.expected += count.expected;
        }
        schedule
    }

    /// The trial of a point in the plan's order; `None` where the plan has no such trial.
    pub fn trial(&self, point: usize, seed: u64, trial: u32) -> Option<TrialId> {
        let planned = &self.plan.points[point];
        let is_planned = self.plan.seeds.binary_search(&seed).is_ok()
            && (planned.first..planned.first + planned.trials).contains(&trial);
        is_planned.then_some(TrialId { point, seed, trial })
    }

    /// True if the trial is finished.
    pub fn has(&self, id: TrialId) -> bool {
        self.seed_runs[self.seed_runs_index(id)].is_finished(self.run(id))
    }

    /// Enters a finished trial; false if it was entered before.
    pub fn enter(&mut self, id: TrialId) -> bool {
        let is_new = self.mark(id);
        if is_new {
            self.works[id.point].count.finished += 1;
            self.all.finished += 1;
        }
        is_new
    }

    /// Enters the trials of a table, if all of them are of the plan; whether they are.
    ///
    /// # Errors
    /// Columns that are missing or of another type.
    pub fn enter_all(&mut self, trials: &Table) -> PolarsResult<bool> {
        let (seeds, indices) = trials.trials()?;
        let mut ids = Vec::with_capacity(seeds.len());
        for (point, range) in &trials.points {
            let Some(point) = self.plan.index_of(point) else {
                return Ok(false);
            };
            for at in range.clone() {
                match self.trial(point, seeds[at], indices[at]) {
                    Some(id) => ids.push(id),
                    None => return Ok(false),
                }
            }
        }
        for id in ids {
            self.enter(id);
        }
        Ok(true)
    }

    /// Enters a record that no file holds yet; false if its trial was entered before.
    pub fn add(&mut self, id: TrialId, record: Record) -> bool {
        let is_new = self.enter(id);
        if is_new {
            let seconds = record.seconds.iter().sum();
            self.note_lengths(id.point, 1, seconds);
            self.in_courses += record.course.entries();
            self.moves += record.course.moves.len() as u64;
            self.ended.push(record);
        }
        is_new
    }

    /// The rows that no file holds yet, which are to be saved now.
    pub fn take_ended(&mut self) -> Vec<Record> {
        self.in_courses = 0;
        std::mem::take(&mut self.ended)
    }

    /// True if as many rows wait to be saved as are saved at once, or that number multiplied by
    /// `times`.
    pub fn is_full(&self, times: usize) -> bool {
        self.ended.len() >= times * MANY_ENDED || self.in_courses >= times * MANY_IN_COURSES
    }

    /// Counts how long so many trials of a point have taken.
    pub fn note_lengths(&mut self, point: usize, count: u64, seconds: f64) {
        let (trials, sum) = &mut self.works[point].timed;
        (*trials, *sum) = (*trials + count, *sum + seconds);
    }

    /// Counts how long the trials took that a manifest has totals of.
    pub fn note_totals(&mut self, points: &[PointTotals]) {
        for (at, totals) in self.own_totals(points) {
            let runs = f64::from(self.plan.points[at].runs_per_trial());
            self.note_lengths(at, totals.timed, totals.seconds_sum * runs);
        }
    }

    /// Counts the trials that a manifest has totals of as finished, whichever these are.
    pub fn count_totals(&mut self, points: &[PointTotals]) {
        for (at, totals) in self.own_totals(points) {
            let count = &mut self.works[at].count;
            let new = totals.trials.min(count.expected - count.finished);
            count.finished += new;
            self.all.finished += new;
        }
    }

    /// The totals of the plan's points, each with the point's index.
    fn own_totals<'t>(&self, points: &'t [PointTotals]) -> Vec<(usize, &'t PointTotals)> {
        let own = self.works.iter().enumerate();
        let own: BTreeMap<String, usize> = own.map(|(at, it)| (it.key.to_string(), at)).collect();
        let totals = points.iter();
        let totals = totals.filter_map(|totals| Some((*own.get(&totals.point)?, totals)));
        totals.collect()
    }

    pub fn record(
        &self,
        id: TrialId,
        (outcome, course): (Outcome, Course),
        seconds: Vec<f64>,
    ) -> Record {
        let planned = &self.plan.points[id.point];
        Record {
            point: Arc::clone(&self.works[id.point].key),
            row: Row {
                seed: id.seed,
                trial: id.trial,
                cutoff: planned.cutoff,
                outcome,
            },
            dynamics: planned.dynamics,
            seconds,
            course,
        }
    }

    /// Sets a trial's bit; false if it was set.
    fn mark(&mut self, id: TrialId) -> bool {
        let (index, run) = (self.seed_runs_index(id), self.run(id));
        let (word, bit) = word_and_bit(run);
        let bits = &mut self.seed_runs[index].finished;
        if bits.len() <= word {
            bits.resize(word + 1, 0);
        }
        let is_new = bits[word] & bit == 0;
        bits[word] |= bit;
        is_new
    }

    fn run(&self, id: TrialId) -> u64 {
        u64::from(id.trial - self.plan.points[id.point].first)
    }

    fn seed_runs_index(&self, id: TrialId) -> usize {
        let seed = self.plan.seeds.binary_search(&id.seed);
        id.point * self.plan.seeds.len() + seed.expect("a trial of the plan has one of its seeds")
    }

    fn seed_runs_of(&self, point: usize) -> std::ops::Range<usize> {
        let seeds = self.plan.seeds.len();
        point * seeds..(point + 1) * seeds
    }
}

impl Work {
    fn of(planned: &PlannedPoint, seeds: usize) -> Self {
        Self {
            key: Arc::new(planned.point.clone()),
            count: Count {
                finished: 0,
                expected: u64::from(planned.trials) * seeds as u64,
            },
            timed: (0, 0.0),
        }
    }
}

impl SeedRuns {
    fn is_finished(&self, run: u64) -> bool {
        let (word, bit) = word_and_bit(run);
        self.finished.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// The word of a run and its bit in the word.
fn word_and_bit(run: u64) -> (usize, u64) {
    let word = usize::try_from(run / 64).expect("a bit that fits into memory");
    (word, 1 << (run % 64))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::solver::DynamicsChoice;

    pub fn plan(text: &str) -> Plan {
        Plan::example(text, DynamicsChoice::Auto)
    }

    pub fn first(point: usize, trial: u32) -> TrialId {
        TrialId {
            point,
            seed: 1,
            trial,
        }
    }
}
