//! Trials of several runs, each once.

use std::collections::BTreeMap;
use std::iter::repeat_n;
use std::ops::Range;

use itertools::Itertools;
use polars::prelude::{DataFrame, IdxCa, IdxSize};

use super::PointTrials;
use super::rows::Rows;
use super::runs::CompleteRun;
use crate::experiment::spec::{Conditions, Refused};
use crate::experiment::store::Row;
use crate::experiment::store::schema::{self, TRIALS};
use crate::experiment::store::table::{Axes, Table};
use crate::solver::{Ending, Point};

/// The trials of some runs, point by point in the order of every table.
pub struct Distinct<'a> {
    runs: &'a [CompleteRun],
    /// The columns of each run's trials, the same in all.
    frames: Vec<DataFrame>,
    /// The points that are meant, and of each the runs that have it, with their rows.
    points: BTreeMap<Point, Vec<PointOfRun>>,
    /// The columns.
    pub header: DataFrame,
    /// Rows of all runs, the same trials counted each time.
    pub rows: u64,
}

/// The index of a run, and the rows of a point in its table.
type PointOfRun = (usize, Range<usize>, Rows);

/// The trials of a point.
pub struct SharedTrials<'a> {
    /// The columns of `trials.parquet`.
    pub frame: DataFrame,
    /// The experiments that have each trial, sorted; of all of them where there is only one list.
    pub experiments: Vec<Vec<&'a str>>,
}

impl<'a> Distinct<'a> {
    /// The trials of these runs at the points that are meant.
    pub fn of(runs: &'a [CompleteRun], only: Option<&Conditions>) -> anyhow::Result<Self> {
        let tables = runs.iter().map(|run| run.table(TRIALS));
        let tables: Vec<Table> = tables.collect::<Result<_, _>>()?;
        let axes = Axes::of_all(tables.iter().map(|table| Axes::of_frame(&table.frame)));
        let header =
            schema::part(&axes, false, &[]).and_then(|part| schema::rows_in(TRIALS, &part))?;
        let (mut frames, mut points, mut all) = (Vec::new(), BTreeMap::new(), 0);
        let mut definitions = BTreeMap::new();
        for (at, (run, table)) in runs.iter().zip(tables).enumerate() {
            let wrong = |error| run.wrong_table(TRIALS, error);
            let frame = schema::aligned(&header, &table.frame);
            frames.push(frame.map_err(wrong)?);
            let ranges: Vec<Range<usize>> = table.points.iter().map(|it| it.1.clone()).collect();
            let trials = Rows::by_point(table).map_err(wrong)?;
            for (PointTrials { point, rows }, range) in trials.into_iter().zip(ranges) {
                if only.is_some_and(|only| !only.admit(&point)) {
                    continue;
                }
                refuse_other_definition(&mut definitions, &point.algorithm, run)?;
                all += rows.len() as u64;
                let of_point: &mut Vec<PointOfRun> = points.entry(point).or_default();
                of_point.push((at, range, rows));
            }
        }
        Ok(Self {
            runs,
            frames,
            points,
            header,
            rows: all,
        })
    }

    /// The trials of each point.
    pub fn points(&self) -> impl Iterator<Item = anyhow::Result<SharedTrials<'a>>> {
        self.points
            .iter()
            .map(|(point, runs)| self.merged(point, runs))
    }

    fn experiment(&self, run: usize) -> &'a str {
        &self.runs[run].manifest.experiment
    }

    /// The trials of a point in their order, the rows of each joined.
    fn merged(&self, point: &Point, runs: &[PointOfRun]) -> anyhow::Result<SharedTrials<'a>> {
        let slice =
            |(run, range, _): &PointOfRun| self.frames[*run].slice(range.start as i64, range.len());
        if let [only] = runs {
            return Ok(SharedTrials {
                frame: slice(only),
                experiments: vec![vec![self.experiment(only.0)]],
            });
        }
        let mut frame = self.header.clone();
        for of_run in runs {
            frame.vstack_mut(&slice(of_run))?;
        }
        frame.rechunk_mut();
        // Under another dynamics it is another trial.
        let dynamics = frame.column("dynamics")?.str()?.clone();
        let rows = runs.iter().enumerate();
        let rows =
            rows.flat_map(|(of, (_, range, rows))| repeat_n(of, range.len()).zip(rows.trials()));
        let mut trials: Vec<_> = rows
            .enumerate()
            .map(|(at, (of, trial))| (trial, dynamics.get(at), at, of))
            .collect();
        trials.sort_unstable();
        let starts: Vec<usize> = runs
            .iter()
            .scan(0, |end, (_, range, _)| {
                let start = *end;
                *end += range.len();
                Some(start)
            })
            .collect();
        let row = |at: usize, of: usize| runs[of].2.row(at - starts[of], true);
        let (mut kept, mut experiments) = (Vec::<IdxSize>::new(), Vec::new());
        for same in trials.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (_, _, at, of) = same[0];
            let mut best = (row(at, of), at, of);
            for &(_, _, at, of) in &same[1..] {
                let next = (row(at, of), at, of);
                if contradict(&next.0, &best.0) {
                    let both = [best.2, of].map(|of| &self.runs[runs[of].0]);
                    return Err(contradiction(point, &next.0, both).into());
                }
                if next.0.cutoff > best.0.cutoff {
                    best = next;
                }
            }
            kept.push(best.1 as IdxSize);
            let names = same.iter().map(|it| self.experiment(runs[it.3].0));
            experiments.push(names.sorted().dedup().collect());
        }
        let kept = IdxCa::from_vec("".into(), kept);
        let frame = frame.take(&kept)?;
        Ok(SharedTrials { frame, experiments })
    }
}

/// Refuses rows of an algorithm that another run has under another definition.
fn refuse_other_definition<'a>(
    definitions: &mut BTreeMap<&'a str, (u32, &'a str)>,
    algorithm: &str,
    run: &'a CompleteRun,
) -> Result<(), Refused> {
    let (experiment, own) = (&*run.manifest.experiment, &run.manifest.definitions);
    let Some((algorithm, &definition)) = own.get_key_value(algorithm) else {
        return Ok(());
    };
    match *definitions
        .entry(algorithm)
        .or_insert((definition, experiment))
    {
        (known, _) if known == definition => Ok(()),
        (known, other) => Err(Refused::new(format!(
            "{algorithm}: {other} has its definition {known} and {experiment} its definition {definition}; expected one definition: name one of the experiments, or run both with this program"
        ))),
    }
}

/// The error of two runs that have different rows of a trial. Each would take the other's rows over
/// if it ran again beside it.
fn contradiction(point: &Point, row: &Row, runs: [&CompleteRun; 2]) -> Refused {
    let [one, other] = runs.map(|run| run.folder.path().display());
    Refused::new(format!(
        "trial {} of seed {} at {point}: {one} and {other} have different rows of it; expected the same: name one of them, or remove both and run their experiments again",
        row.trial, row.seed
    ))
}

/// True if two rows of a trial cannot both be right: what ended under the smaller cutoff ends so
/// under a larger one.
fn contradict(a: &Row, b: &Row) -> bool {
    let (shorter, longer) = if a.cutoff <= b.cutoff { (a, b) } else { (b, a) };
    let must_agree = shorter.cutoff == longer.cutoff || shorter.outcome.ending != Ending::Censored;
    must_agree && shorter.outcome != longer.outcome
}
