//! Whether what a results folder holds is what was written.

mod listing;

use std::path::Path;

use super::courses::other_course;
use crate::experiment::plan::Plan;
use crate::experiment::provenance::Manifest;
use crate::experiment::shard::Shard;
use crate::experiment::store::catalog::{self, RunEntry, refuse_foreign};
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::folder::{MANIFEST, RunFolder};
use crate::experiment::store::schema::{self, SHARD};
use crate::experiment::store::{Record, StoreError};

/// What looking at every byte of a run has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    /// The run.
    pub entry: RunEntry,
    /// What was found.
    pub state: State,
    /// What is wrong with it, one sentence for each thing.
    pub damage: Vec<String>,
    /// Files that are no part of the run and harm nothing: left by processes that were killed, set
    /// aside, or not of this program.
    pub beside: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has a manifest.
    Complete {
        /// Of `trials.parquet`.
        rows: u64,
        /// Of `series.parquet` and of `moves.parquet`.
        course_rows: [u64; 2],
    },
    /// It has no manifest yet.
    Unfinished {
        /// Saved parts.
        parts: usize,
        /// Of all parts.
        rows: u64,
    },
}

/// Compares every checksum and manifest in `results`, and in the reference results that it may
/// hold; writes nothing.
///
/// # Errors
/// A folder that cannot be listed. What is wrong with a run stands in its [`Audit`].
pub fn audit(results: &Path) -> Result<Vec<Audit>, StoreError> {
    let mut entries = catalog::runs(results)?;
    entries.extend(catalog::runs(&results.join("reference"))?);
    Ok(entries.into_iter().map(audit_run).collect())
}

fn audit_run(entry: RunEntry) -> Audit {
    let mut found = Found {
        damage: Vec::new(),
        beside: Vec::new(),
    };
    let plan = entry.plan();
    let state = audit_folder(&entry.folder, plan.as_ref(), &mut found, &|run, damage| {
        add(entry.manifest().err(), damage);
        add(run.spec_text().err(), damage);
        audit_trials(run, plan.as_ref(), damage);
    });
    // The shards of a run that is whole are left by a merge that was killed while it removed them.
    let is_whole = matches!(state, State::Complete { .. }) && found.damage.is_empty();
    match entry.folder.shards() {
        Ok(_) if is_whole => {}
        Ok(shards) => shards.into_iter().for_each(|shard| {
            let folder = entry.folder.shard(shard);
            audit_folder(&folder, plan.as_ref(), &mut found, &|run, damage| {
                add(refuse_foreign_shard(&entry, shard, run).err(), damage);
                add(audit_shard(run, plan.as_ref()).err(), damage);
            });
        }),
        Err(error) => found.damage.push(error.to_string()),
    }
    let Found { damage, beside } = found;
    Audit {
        entry,
        state,
        damage,
        beside,
    }
}

struct Found {
    damage: Vec<String>,
    beside: Vec<String>,
}

fn in_words(error: StoreError) -> String {
    error.to_string()
}

/// Adds what is not named already, with the other files.
fn add(error: Option<StoreError>, damage: &mut Vec<String>) {
    let new = error.map(in_words).filter(|it| !damage.contains(it));
    damage.extend(new);
}

/// A run's folder or a shard's; `further` looks at what only one of them has.
fn audit_folder(
    folder: &RunFolder,
    plan: Option<&Plan>,
    found: &mut Found,
    further: &dyn Fn(&CompleteRun, &mut Vec<String>),
) -> State {
    if !folder.is_complete() {
        listing::audit(folder, None, found);
        return audit_unfinished(folder, plan, &mut found.damage);
    }
    let run = match CompleteRun::at(folder.clone()) {
        Ok(run) => run,
        Err(error) => {
            found.damage.push(error.to_string());
            return State::Complete {
                rows: 0,
                course_rows: [0, 0],
            };
        }
    };
    found.damage.extend(run.damaged_files().map(in_words));
    listing::audit(folder, Some(&run.manifest), found);
    further(&run, &mut found.damage);
    let Manifest {
        rows,
        series_rows,
        move_rows,
        ..
    } = run.manifest;
    State::Complete {
        rows,
        course_rows: [series_rows, move_rows],
    }
}

/// Reads every row of a run: whether the tables fit each other, and each trial has the course that
/// its row and the plan ask for.
fn audit_trials(run: &CompleteRun, plan: Option<&Plan>, damage: &mut Vec<String>) {
    let path = run.folder.path().display();
    let (mut wrong, mut first) = (0, None);
    let mut read = || -> Result<(), StoreError> {
        for record in run.timed_trials()?.with_courses(run)? {
            let record = record?;
            if !has_course(plan, &record) {
                wrong += 1;
                first.get_or_insert_with(|| format!("{path}: {}", other_course(&record)));
            }
        }
        Ok(())
    };
    let read = read();
    add(read.err(), damage);
    damage.extend(first);
    if wrong > 1 {
        let more = wrong - 1;
        damage.push(format!(
            "{path}: the courses of {more} more trials do not fit"
        ));
    }
}

/// Reads every row of a shard: whether its trials are as many as the manifest says and have their
/// courses.
fn audit_shard(run: &CompleteRun, plan: Option<&Plan>) -> Result<(), StoreError> {
    let (mut trials, folder) = (0, run.folder.path());
    for batch in run.table(schema::part())? {
        let batch = batch?;
        trials += batch.iter().filter(|record| record.repeat == 0).count() as u64;
        if let Some(record) = batch.iter().find(|record| !has_course(plan, record)) {
            return Err(StoreError::format(folder, other_course(record)));
        }
    }
    if trials != run.manifest.rows {
        let reason = format!("{} rows, {SHARD} has {trials}", run.manifest.rows);
        return Err(StoreError::format(&folder.join(MANIFEST), reason));
    }
    Ok(())
}

/// Refuses a shard that is none of this run.
fn refuse_foreign_shard(
    entry: &RunEntry,
    shard: Shard,
    CompleteRun {
        folder, manifest, ..
    }: &CompleteRun,
) -> Result<(), StoreError> {
    let (none, number) = ("none".to_owned(), shard.to_string());
    refuse_foreign(
        folder,
        [
            ("experiment", &manifest.experiment, &entry.experiment),
            ("code version", &manifest.code_version, &entry.code_version),
            ("plan hash", &manifest.plan_hash, &entry.plan_hash),
            ("shard", manifest.shard.as_ref().unwrap_or(&none), &number),
        ],
    )
}

/// Where the plan is not known, a trial with moves must have all of them.
fn has_course(plan: Option<&Plan>, record: &Record) -> bool {
    let moves = record.course.moves.len() as u64;
    match plan.and_then(|plan| plan.at(&record.point)) {
        Some(planned) => planned.has_course(record),
        None => moves == 0 || record.row.outcome.moves == Some(moves),
    }
}

fn audit_unfinished(folder: &RunFolder, plan: Option<&Plan>, damage: &mut Vec<String>) -> State {
    let mut rows = 0;
    let is_planned = |records: &[Record]| plan.is_none_or(|plan| plan.has_rows(records));
    let parts = folder.look_at_parts(&mut |records| {
        rows += records.len() as u64;
        is_planned(records) && records.iter().all(|record| has_course(plan, record))
    });
    let running = folder.look_at_running(&mut |records| is_planned(records));
    for looked in [parts, running] {
        match looked {
            Ok(damaged) => damage.extend(
                damaged
                    .into_iter()
                    .map(|part| format!("{}: {}", part.path.display(), part.reason)),
            ),
            Err(error) => damage.push(error.to_string()),
        }
    }
    State::Unfinished {
        parts: folder.parts(),
        rows,
    }
}

impl Audit {
    /// The files that a complete run has, and the parts of one under way, are all as they were
    /// written.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }
}
