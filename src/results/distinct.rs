//! Trials of several runs, each once.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::sync::Arc;

use super::runs::CompleteRun;
use crate::experiment::spec::{Conditions, Refused};
use crate::experiment::store::complete::TrialReader;
use crate::experiment::store::schema;
use crate::experiment::store::table::Axes;
use crate::experiment::store::{Record, Row, StoreError};
use crate::solver::{Dynamics, Ending, Point};

/// The trials of runs in the order of every table, each once. One point of each run and what its
/// reader has read ahead are in memory.
pub struct Distinct<'a> {
    sources: Vec<RunSource<'a>>,
    only: Option<&'a Conditions>,
    /// The axes of their tables.
    pub axes: Axes,
    /// Rows of all runs so far, the same trials counted each time.
    pub rows: u64,
    /// The definition number of each algorithm, and the experiment that has it.
    definitions: BTreeMap<&'a str, (u32, &'a str)>,
}

/// A trial, and the experiments that have it, sorted.
pub type SharedTrial<'a> = (Record, Vec<&'a str>);

/// A run that is read.
struct RunSource<'a> {
    run: &'a CompleteRun,
    records: Peekable<TrialReader>,
}

impl RunSource<'_> {
    /// The point that comes next.
    fn point(&mut self) -> Result<Option<Arc<Point>>, StoreError> {
        match self.records.peek() {
            Some(Ok(record)) => Ok(Some(Arc::clone(&record.point))),
            Some(Err(_)) => self.records.next().transpose().map(|_| None),
            None => Ok(None),
        }
    }

    /// The rows of a point, if it comes next.
    fn take(&mut self, point: &Point) -> Result<Vec<Record>, StoreError> {
        let is_next = |next: &Result<Record, _>| match next {
            Ok(record) => *record.point == *point,
            Err(_) => true,
        };
        std::iter::from_fn(|| self.records.next_if(is_next)).collect()
    }
}

impl<'a> Distinct<'a> {
    /// The trials of these runs at the points that are meant.
    pub fn of(runs: &'a [CompleteRun], only: Option<&'a Conditions>) -> Result<Self, StoreError> {
        let (mut sources, mut axes) = (Vec::new(), Vec::new());
        for run in runs {
            axes.push(run.table(schema::trials())?.axes());
            let records = run.trials()?.peekable();
            sources.push(RunSource { run, records });
        }
        Ok(Self {
            sources,
            only,
            axes: Axes::of_all(axes),
            rows: 0,
            definitions: BTreeMap::new(),
        })
    }

    /// The trials of the next point that is meant; `None` after the last.
    pub fn next_point(&mut self) -> anyhow::Result<Option<Vec<SharedTrial<'a>>>> {
        loop {
            let heads = self.sources.iter_mut().map(RunSource::point);
            let heads: Vec<_> = heads.collect::<Result<_, _>>()?;
            let Some(point) = heads.into_iter().flatten().min() else {
                return Ok(None);
            };
            let trials = self.take(&point)?;
            if !trials.is_empty() {
                return merged(trials).map(Some);
            }
        }
    }

    /// The rows that the runs have of a point; none where it is not meant.
    fn take(&mut self, point: &Point) -> anyhow::Result<Vec<SharedTrial<'a>>> {
        let is_meant = self.only.is_none_or(|only| only.admit(point));
        let mut trials = Vec::new();
        for at in 0..self.sources.len() {
            let source = &mut self.sources[at];
            let (run, records) = (source.run, source.take(point)?);
            if records.is_empty() || !is_meant {
                continue;
            }
            self.refuse_other_definition(&point.algorithm, run)?;
            self.rows += records.len() as u64;
            let experiment = &*run.manifest.experiment;
            trials.extend(records.into_iter().map(|it| (it, vec![experiment])));
        }
        Ok(trials)
    }

    /// Refuses rows of an algorithm that another run has under another definition.
    fn refuse_other_definition(
        &mut self,
        algorithm: &str,
        run: &'a CompleteRun,
    ) -> Result<(), Refused> {
        let (experiment, definitions) = (&*run.manifest.experiment, &run.manifest.definitions);
        let Some((algorithm, &definition)) = definitions.get_key_value(algorithm) else {
            return Ok(());
        };
        let known = self.definitions.entry(algorithm);
        match *known.or_insert((definition, experiment)) {
            (known, _) if known == definition => Ok(()),
            (known, other) => Err(Refused::new(format!(
                "{algorithm}: {other} has its definition {known} and {experiment} its definition {definition}; expected one definition: name one of the experiments, or run both again"
            ))),
        }
    }
}

/// The trials of a point in their order, the rows of each joined.
fn merged(mut trials: Vec<SharedTrial>) -> anyhow::Result<Vec<SharedTrial>> {
    // Under another dynamics it is another trial.
    let trial = |it: &Record| (it.row.seed, it.row.trial, it.dynamics.map(Dynamics::name));
    trials.sort_by_key(|(record, _)| trial(record));
    let mut contradiction = None;
    trials.dedup_by(|(later, theirs), (kept, own)| {
        if trial(later) != trial(kept) {
            return false;
        }
        let Row { seed, trial, .. } = later.row;
        if contradict(&later.row, &kept.row) {
            let [own, other] = [&*own, theirs].map(|it| it.join(", "));
            contradiction.get_or_insert_with(|| format!(
                "trial {trial} of seed {seed} at {}: {own} and {other} have different rows of it; expected the same: name one of the experiments, or run both again",
                later.point,
            ));
        }
        own.append(theirs);
        own.sort_unstable();
        own.dedup();
        if later.row.cutoff > kept.row.cutoff {
            std::mem::swap(later, kept);
        }
        true
    });
    match contradiction {
        None => Ok(trials),
        Some(reason) => Err(Refused::new(reason).into()),
    }
}

/// True if two rows of a trial cannot both be right: what ended under the smaller cutoff ends so
/// under a larger one.
fn contradict(a: &Row, b: &Row) -> bool {
    let (shorter, longer) = if a.cutoff <= b.cutoff { (a, b) } else { (b, a) };
    let must_agree = shorter.cutoff == longer.cutoff || shorter.outcome.ending != Ending::Censored;
    must_agree && shorter.outcome != longer.outcome
}
