//! Trials of several runs, each once.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cli::BadInput;
use crate::cli::conditions::Conditions;
use crate::experiment::store::{Record, Row};
use crate::results::runs::CompleteRun;
use crate::solver::Ending;
use crate::solver::course::Course;

/// A trial, and the experiments that have it, sorted.
#[derive(Debug, Clone)]
pub struct Trial {
    pub record: Record,
    pub experiments: Vec<String>,
}

/// Rows of runs.
#[derive(Default)]
pub struct Gathered {
    all: Vec<Trial>,
    rows: u64,
    /// Of each algorithm, its definition number and the experiment that has it.
    definitions: BTreeMap<String, (u32, String)>,
    contradiction: Option<String>,
}

impl Gathered {
    /// Adds the rows of a run at the points that are meant.
    ///
    /// # Errors
    /// A damaged run; one that contradicts those before.
    pub fn add(&mut self, run: &CompleteRun, only: Option<&Conditions>) -> anyhow::Result<()> {
        let experiment = &run.manifest.experiment;
        let mut added = Vec::new();
        run.folder.each_point(&run.manifest, &mut |trials| {
            if only.is_some_and(|only| !only.admit(&trials.point)) {
                return Ok(());
            }
            let algorithm = &trials.point.algorithm;
            if let Some(&definition) = run.manifest.definitions.get(algorithm) {
                self.refuse_other_definition(algorithm, definition, experiment)?;
            }
            let point = Arc::new(trials.point);
            added.extend(trials.rows.iter().map(|row| Trial {
                record: Record {
                    point: Arc::clone(&point),
                    row,
                    repeat: 0,
                    seconds: f64::NAN,
                    course: Course::default(),
                },
                experiments: vec![experiment.clone()],
            }));
            anyhow::Ok(())
        })?;
        self.rows += added.len() as u64;
        self.all.extend(added);
        self.merge();
        match self.contradiction.take() {
            Some(reason) => Err(BadInput(reason).into()),
            None => Ok(()),
        }
    }

    /// In the order of every table.
    pub fn trials(&self) -> &[Trial] {
        &self.all
    }

    /// Rows of all runs, the same trials counted each time.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    fn refuse_other_definition(
        &mut self,
        algorithm: &str,
        definition: u32,
        experiment: &str,
    ) -> Result<(), BadInput> {
        let own = || (definition, experiment.to_owned());
        let known = self.definitions.entry(algorithm.to_owned());
        let (known, other) = known.or_insert_with(own);
        if *known == definition {
            return Ok(());
        }
        Err(BadInput(format!(
            "{algorithm}: {other} has its definition {known} and {experiment} its definition {definition}, which are not to be pooled; name one of the experiments, or run both again"
        )))
    }

    /// Joins rows of one trial.
    fn merge(&mut self) {
        self.all.sort_by_cached_key(|it| it.record.key());
        let contradiction = &mut self.contradiction;
        self.all.dedup_by(|later, kept| {
            if !later.record.is_of_the_trial_of(&kept.record) {
                return false;
            }
            if contradict(&later.record.row, &kept.record.row) && contradiction.is_none() {
                let Row { seed, trial, .. } = later.record.row;
                *contradiction = Some(format!(
                    "trial {trial} of seed {seed} at {}: {} and {} have different rows of it, made by different code; name one of the experiments, or run both again",
                    later.record.point,
                    kept.experiments.join(", "),
                    later.experiments.join(", ")
                ));
            }
            if later.record.row.cutoff > kept.record.row.cutoff {
                std::mem::swap(&mut later.record, &mut kept.record);
            }
            kept.experiments.append(&mut later.experiments);
            kept.experiments.sort();
            kept.experiments.dedup();
            true
        });
    }
}

/// Whether two rows of a trial cannot both be right: what ended under the smaller cutoff ends so
/// under a larger one.
fn contradict(a: &Row, b: &Row) -> bool {
    let (shorter, longer) = if a.cutoff <= b.cutoff { (a, b) } else { (b, a) };
    let must_agree = shorter.cutoff == longer.cutoff || shorter.outcome.ending != Ending::Censored;
    must_agree && shorter.outcome != longer.outcome
}
