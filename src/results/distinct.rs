//! Trials of several runs, each once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::runs::CompleteRun;
use crate::experiment::spec::{Conditions, Refused};
use crate::experiment::store::table::TableRow;
use crate::experiment::store::{Record, Row};
use crate::solver::Ending;
use crate::solver::course::Course;

/// Trials of runs in the order of every table, each once: all are in memory.
#[derive(Default)]
pub struct Gathered {
    /// Each trial, and the place in `sets` of the experiments that have it.
    pub trials: Vec<(Record, usize)>,
    /// Experiments that have a trial in common, sorted; each set once.
    pub sets: Vec<Vec<String>>,
    /// Rows of all runs, the same trials counted each time.
    pub rows: u64,
    /// The definition number of each algorithm, and the experiment that has it.
    definitions: BTreeMap<String, (u32, String)>,
}

impl Gathered {
    /// Adds the rows of a run at the points that are meant.
    pub fn add(&mut self, run: &CompleteRun, only: Option<&Conditions>) -> anyhow::Result<()> {
        let experiment = &run.manifest.experiment;
        let set = place(&mut self.sets, vec![experiment.clone()]);
        for point in run.points()? {
            let point = point?;
            if only.is_some_and(|only| !only.admit(&point.point)) {
                continue;
            }
            let algorithm = &point.point.algorithm;
            if let Some(&definition) = run.manifest.definitions.get(algorithm) {
                let own = || (definition, experiment.clone());
                let known = self.definitions.entry(algorithm.clone());
                let (known, other) = known.or_insert_with(own);
                if *known != definition {
                    return Err(Refused::new(format!(
                        "{algorithm}: {other} has its definition {known} and {experiment} its definition {definition}, which are not to be pooled; name one of the experiments, or run both again"
                    )).into());
                }
            }
            let key = Arc::new(point.point);
            let record = |row| Record {
                point: Arc::clone(&key),
                row,
                repeat: 0,
                seconds: f64::NAN,
                course: Course::default(),
            };
            let rows = point.rows.iter().map(|row| (record(row), set));
            self.trials.extend(rows);
            self.rows += point.rows.len() as u64;
        }
        self.merge()
    }

    /// Joins rows of one trial.
    fn merge(&mut self) -> anyhow::Result<()> {
        let Self { trials, sets, .. } = self;
        trials.sort_by_cached_key(|(record, _)| record.key());
        let mut contradiction = None;
        trials.dedup_by(|(later, later_set), (kept, set)| {
            if later.trial() != kept.trial() {
                return false;
            }
            if contradict(&later.row, &kept.row) {
                let Row { seed, trial, .. } = later.row;
                let [own, other] = [*set, *later_set].map(|set| sets[set].join(", "));
                contradiction.get_or_insert_with(|| format!(
                    "trial {trial} of seed {seed} at {}: {own} and {other} have different rows of it, made by different code; name one of the experiments, or run both again",
                    later.point,
                ));
            }
            let mut both = [&sets[*set][..], &sets[*later_set]].concat();
            both.sort();
            both.dedup();
            *set = place(sets, both);
            if later.row.cutoff > kept.row.cutoff {
                std::mem::swap(later, kept);
            }
            true
        });
        contradiction.map_or(Ok(()), |reason| Err(Refused::new(reason).into()))
    }
}

/// The index of a set, which is added if it is not there yet.
fn place(sets: &mut Vec<Vec<String>>, set: Vec<String>) -> usize {
    sets.iter().position(|it| *it == set).unwrap_or_else(|| {
        sets.push(set);
        sets.len() - 1
    })
}

/// True if two rows of a trial cannot both be right: what ended under the smaller cutoff ends the
/// same under a larger one.
fn contradict(a: &Row, b: &Row) -> bool {
    let (shorter, longer) = if a.cutoff <= b.cutoff { (a, b) } else { (b, a) };
    let must_agree = shorter.cutoff == longer.cutoff || shorter.outcome.ending != Ending::Censored;
    must_agree && shorter.outcome != longer.outcome
}
