//! Whether programs give the same row again. A rule and a search of this package do by the way they
//! are built, which tests hold; of a program it is a promise, and is checked: the first trial of
//! each point is made once more in a new process, after another trial, so that one that keeps
//! something of its earlier trials does not pass. Which trials are made again (the first of each
//! point that took at most 60 s) and how a difference is said, is decided here.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSlice as _;

use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::store::Record;
use crate::solver::outcome::COLUMNS;
use crate::solver::{Algorithm, Column, Control, Key, Outcome, TrialError};

/// A trial that took longer than this is not made again.
const LONGEST_SECONDS: f64 = 60.0;

/// The first trial of a point of a program, as this process has made it.
pub struct FirstTrial {
    point: usize,
    key: Key,
    outcome: Outcome,
}

impl FirstTrial {
    /// The trial of a record, if it is the first of its point and of a program.
    pub fn of(plan: &Plan, point: usize, record: &Record) -> Option<Self> {
        let planned = &plan.points[point];
        plan.programs.program(&planned.point.algorithm)?;
        let key = Key {
            seed: record.row.seed,
            trial: record.row.trial,
        };
        let is_first = key == first_of(plan, planned);
        let is_short = record
            .seconds
            .iter()
            .all(|seconds| *seconds < LONGEST_SECONDS);
        (is_first && is_short).then(|| Self {
            point,
            key,
            outcome: record.row.outcome.clone(),
        })
    }
}

/// The first trial of a point.
fn first_of(plan: &Plan, planned: &PlannedPoint) -> Key {
    Key {
        seed: plan.seeds[0],
        trial: planned.first,
    }
}

/// Makes the trials again on so many threads, and returns a sentence for each that has another row
/// now. No process of a program must be waiting.
pub fn repeat(
    plan: &Plan,
    mut firsts: Vec<FirstTrial>,
    threads: usize,
    stop: &AtomicBool,
) -> Vec<String> {
    // In another order than they were made.
    firsts.sort_by_key(|first| std::cmp::Reverse(first.point));
    let each = firsts.len().div_ceil(threads).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let Ok(pool) = pool else {
        return Vec::new();
    };
    let chunks: Vec<&[FirstTrial]> = firsts.par_chunks(each).collect();
    let found: Vec<Vec<String>> = pool.install(|| {
        let chunks = chunks.par_iter();
        chunks
            .map(|chunk| repeat_chunk(plan, chunk, stop))
            .collect()
    });
    found.concat()
}

fn repeat_chunk(plan: &Plan, firsts: &[FirstTrial], stop: &AtomicBool) -> Vec<String> {
    let updates = AtomicU64::new(0);
    let control = Control::new(stop, &updates);
    let mut differing = Vec::new();
    let mut warm: Vec<&str> = Vec::new();
    for first in firsts {
        let planned = &plan.points[first.point];
        let Some(algorithm) = plan.algorithm(&planned.point) else {
            continue;
        };
        if !warm.contains(&algorithm.name) {
            warm.push(algorithm.name);
            let (other, key) = another_trial(plan, first);
            // An error of it is no news: it ran before.
            let _ = run(algorithm, other, key, &control);
        }
        let Key { seed, trial } = first.key;
        let place = format!("{}: trial {trial} of seed {seed}", planned.point);
        match run(algorithm, planned, first.key, &control) {
            Ok(outcome) if outcome == first.outcome => {}
            Ok(outcome) => {
                let values = difference(&first.outcome, &outcome);
                differing.push(format!("{place}: {values}"));
            }
            Err(TrialError::Interrupted(_)) => break,
            Err(TrialError::Failed(reason)) => differing.push(format!("{place}: {reason}")),
        }
    }
    differing
}

fn run(
    algorithm: &Algorithm,
    planned: &PlannedPoint,
    key: Key,
    control: &Control,
) -> Result<Outcome, TrialError> {
    let prepared = (algorithm.prepare)(&planned.point, planned.dynamics);
    prepared(key, planned.cutoff, control).map(|(outcome, _)| outcome)
}

/// A trial that is made before the first one: the next of its point, or the first of another point
/// of the program.
fn another_trial<'p>(plan: &'p Plan, first: &FirstTrial) -> (&'p PlannedPoint, Key) {
    let planned = &plan.points[first.point];
    if planned.trials > 1 {
        let trial = first.key.trial + 1;
        return (planned, Key { trial, ..first.key });
    }
    let algorithm = &planned.point.algorithm;
    let mut others = plan.points.iter().enumerate();
    let other =
        others.find(|(at, other)| *at != first.point && other.point.algorithm == *algorithm);
    let other = other.map_or(planned, |(_, other)| other);
    (other, first_of(plan, other))
}

/// `energy = 1.5 and 2.5, turns = 3 and none`: the values of two outcomes that differ.
fn difference(one: &Outcome, other: &Outcome) -> String {
    let mut differing = Vec::new();
    if one.ending != other.ending {
        let ending = one.ending.name();
        let other_ending = other.ending.name();
        differing.push(format!("outcome = {ending} and {other_ending}"));
    }
    for column in COLUMNS.iter().filter(|column| !column.is_equal(one, other)) {
        let value = fact_in_words(column, one);
        let other_value = fact_in_words(column, other);
        differing.push(format!("{} = {value} and {other_value}", column.name));
    }

    let own_values = one.own.iter().chain(other.own.iter());
    let names: BTreeSet<&str> = own_values.map(|(name, _)| name).collect();
    for name in names {
        if one.own.get(name) != other.own.get(name) {
            let value = own_value_in_words(name, one);
            let other_value = own_value_in_words(name, other);
            differing.push(format!("{name} = {value} and {other_value}"));
        }
    }
    differing.join(", ")
}

fn fact_in_words(column: &Column, outcome: &Outcome) -> String {
    match column.count(outcome) {
        Some(count) => count.to_string(),
        None if column.is_filled(outcome) => "a board".to_owned(),
        None => "none".to_owned(),
    }
}

fn own_value_in_words(name: &str, outcome: &Outcome) -> String {
    let value = outcome.own.get(name);
    value.map_or("none".to_owned(), ToString::to_string)
}
