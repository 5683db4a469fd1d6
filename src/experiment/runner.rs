//! The runner of a plan's missing trials, in parallel, into the store. Here are the remarks and
//! errors of a run as values; their words are in `src/cli/progress.rs`.
//!
//! To be read in this order: [`run`] (here: whether the run is complete, its lock), `attempt` (one
//! process' way from what is saved to the tables, and when it saves), `workers` (the threads that
//! run trials), `finished` (which trials there are already), `takeover` (rows of other runs),
//! `repeatability` (programs asked again), then `progress` and `stopwatch`.
//!
//! Neither the order in which trials end nor a clock may reach a row: a record has the times of its
//! trial in a column of its own, and parts are sorted when they are joined. A row is taken over
//! only if it is that of the very same trial; `takeover` says when.

mod attempt;
mod finished;
mod progress;
mod repeatability;
mod stopwatch;
mod takeover;
mod workers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use itertools::Itertools;

pub use self::progress::Progress;

use super::laws::Laws;
use super::manifest::{self, FileSeal, Machine, Manifest, SCHEMA};
use super::plan::{Plan, PlannedPoint};
use super::spec::Spec;
use super::store::StoreError;
use super::store::catalog;
use super::store::complete::CompleteRun;
use super::store::folder::{MANIFEST, PARTS, RunFolder, SPEC, Unlinked, exists, may_exist};
use super::store::schema::{SERIES, TIMINGS, TRIALS};
use crate::solver::Algorithm;

/// A run of a plan that is to be completed in a results folder, and how it is made.
pub struct Request<'a> {
    /// The experiment.
    pub spec: &'a Spec,
    /// The spec's plan.
    pub plan: &'a Plan,
    /// The results folder, in which the run has a folder of its own.
    pub results: &'a Path,
    /// The command line, for the manifest.
    pub command: Vec<String>,
    /// Threads that run trials; 0: one for each logical processor.
    pub threads: usize,
    /// True if the tables beside the experiment's runs are to be links to those of this run.
    pub links_tables: bool,
}

impl<'a> Request<'a> {
    /// A request for all trials of a plan, on every processor.
    pub fn new(spec: &'a Spec, plan: &'a Plan, results: &'a Path) -> Self {
        Self {
            spec,
            plan,
            results,
            command: Vec::new(),
            threads: 0,
            links_tables: false,
        }
    }

    /// The folder of the plan's run with this code version.
    pub fn folder(&self) -> RunFolder {
        RunFolder::of(self.plan, &self.spec.name, self.results)
    }

    /// The laws of the plan's rules. What a run of the experiment by the same code says of a rule
    /// is not found out again.
    fn laws(&self) -> Laws {
        let code_version = self.plan.code_version();
        let mut runs = catalog::runs_of(self.results, &self.spec.name).unwrap_or_default();
        runs.retain(|run| run.code_version == code_version);
        let manifests = runs.iter().filter_map(|run| run.manifest().ok());
        let of_code = manifests.filter(|manifest| manifest.code_version == code_version);
        let known: Laws = of_code.flat_map(|manifest| manifest.laws).collect();
        self.plan.laws(&known)
    }

    /// The seals of the spec and of the files of its programs, as they were saved.
    fn files(&self) -> BTreeMap<String, FileSeal> {
        let spec = (SPEC.to_owned(), FileSeal::of(self.spec.text.as_bytes()));
        let files = self.plan.programs.files().into_iter();
        let files = files.map(|file| (file.name.clone(), FileSeal::of(&file.bytes)));
        [spec].into_iter().chain(files).collect()
    }

    /// The algorithm of each point.
    fn algorithms(&self) -> impl Iterator<Item = &'static Algorithm> {
        let points = self.plan.points.iter();
        points.filter_map(|planned| self.plan.algorithm(&planned.point))
    }

    /// The dynamics of the points, by name, sorted, each once.
    fn dynamics(&self) -> Vec<String> {
        let names = self.plan.points.iter();
        let names = names.filter_map(PlannedPoint::dynamics_name);
        names.sorted().dedup().map(str::to_owned).collect()
    }

    /// The definition number of each algorithm.
    fn definitions(&self) -> BTreeMap<String, u32> {
        let algorithms = self.algorithms();
        let numbers = algorithms.map(|algorithm| (algorithm.name.to_owned(), algorithm.definition));
        numbers.collect()
    }

    /// The manifest of a run that ends now, without tables.
    fn manifest(&self, started: String, threads: usize) -> Manifest {
        // The commit of these sources says nothing of an algorithm that stands in others.
        let is_of_others = self.algorithms().any(|algorithm| algorithm.part.is_empty());
        let commit = match is_of_others {
            true => "",
            false => env!("REINES_COMMIT"),
        };
        Manifest {
            schema: SCHEMA,
            experiment: self.spec.name.clone(),
            code_version: self.plan.code_version(),
            plan_hash: self.plan.hash(),
            commit: commit.to_owned(),
            dirty: !is_of_others && env!("REINES_DIRTY") == "true",
            sources: env!("REINES_SOURCES").into(),
            rows: self.plan.trials(),
            series_rows: 0,
            dynamics: self.dynamics(),
            definitions: self.definitions(),
            parts: self.plan.parts(),
            laws: self.laws(),
            columns: self.plan.own_columns(),
            not_repeatable: Vec::new(),
            started,
            ended: manifest::now(),
            command: self.command.clone(),
            machine: Machine::here(threads),
            // As it was saved: what is on the disk since then does not count.
            files: self.files(),
            points: Vec::new(),
            held_up: Vec::new(),
        }
    }
}

/// How a run ended: the run's folder, and the rows of `trials.parquet`.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// The plan was complete before; nothing ran.
    AlreadyComplete(RunFolder),
    /// Every trial is there.
    Complete { folder: RunFolder, rows: u64 },
    /// The run was stopped; what was finished is saved, and the plan's next run goes on from it.
    Interrupted {
        folder: RunFolder,
        progress: Progress,
    },
}

/// The receiver of what a run reports while it goes on.
pub trait Observer {
    /// How far the run is, some times a second.
    fn progress(&mut self, progress: &Progress);

    /// Something that the user might not expect.
    fn remark(&mut self, remark: &Remark);
}

/// The observer that shows nothing.
impl Observer for () {
    fn progress(&mut self, _: &Progress) {}

    fn remark(&mut self, _: &Remark) {}
}

/// What a run does that its user might not expect.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// A saved file cannot be trusted and was set aside; its trials run again.
    SetAside(String),
    /// A complete run is damaged, or is another one than its folder's name says; the folder was
    /// renamed, and what is missing runs again.
    RunSetAside {
        path: PathBuf,
        to: PathBuf,
        reason: String,
        is_damaged: bool,
    },
    /// The times of searches, whose rows were taken over, are lost.
    SecondsLost {
        from: PathBuf,
        searches: u64,
        reason: String,
    },
    /// Rows of the same trials were found in another run of the experiment.
    TakenOver { from: PathBuf, rows: u64 },
    /// No link to a table can be made beside the runs.
    Link(Unlinked),
    /// So many times of searches are longer than the processor time of their thread, as often as
    /// they were measured.
    HeldUp(usize),
    /// What there is to be said of a program while it runs.
    Program(String),
    /// Another run of the experiment has rows of other trials, or some that cannot be read.
    NotTakenOver { from: PathBuf, reason: String },
}

/// Why a run ended early.
// The messages name the fields.
#[allow(missing_docs)]
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written, or another process runs the plan.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A trial has failed: no more were begun, and those that had ended are saved.
    #[error("{reason}")]
    Failed { reason: String, progress: Progress },
    /// The operating system refused the threads.
    #[error("the threads could not be started: {0}")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Runs what is missing of a plan; the rows depend on the plan and the code version alone.
///
/// # Errors
/// When the disk itself fails, what was finished since the last save is lost, and nothing else.
pub fn run(
    request: &Request,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Finish, RunError> {
    let finish = run_missing(request, stop, observer)?;
    if let Finish::AlreadyComplete(folder) | Finish::Complete { folder, .. } = &finish
        && request.links_tables
    {
        for unlinked in folder.link_tables() {
            observer.remark(&Remark::Link(unlinked));
        }
    }
    Ok(finish)
}

fn run_missing(
    request: &Request,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Finish, RunError> {
    let folder = request.folder();
    if let Found::Complete = found_in(&folder)? {
        return Ok(Finish::AlreadyComplete(folder));
    }
    // Held until the end.
    let mut lock = folder.lock()?;
    let mut old = None;
    // Another process may have finished the run before this one got the lock.
    let aside = match found_in(&folder)? {
        Found::Complete => return Ok(Finish::AlreadyComplete(folder)),
        Found::Unfinished => None,
        Found::Damaged(error) => Some((folder.set_aside()?, error, true)),
        Found::Another(manifest, error) => Some((folder.give_own_name(&manifest)?, error, false)),
    };
    if let Some((aside, error, is_damaged)) = aside {
        observer.remark(&Remark::RunSetAside {
            path: folder.path().into(),
            to: aside.path().into(),
            reason: error.to_string(),
            is_damaged,
        });
        (lock, old) = (folder.lock()?, Some(aside));
    }
    let finish = attempt::go_on(request, (&folder, old), stop, observer);
    drop(lock);
    finish
}

/// What the folder of a run has.
enum Found {
    /// A complete run, each of whose files is as it was written.
    Complete,
    /// None, or one that was begun.
    Unfinished,
    /// A run of which a file is not as it was written.
    Damaged(StoreError),
    /// A sound run that belongs into another folder.
    Another(Box<Manifest>, StoreError),
}

/// What a folder has, by the checksums of all files; what a killed process has left beside a
/// complete run is removed.
///
/// # Errors
/// A file that cannot be read now, or is of another schema.
fn found_in(folder: &RunFolder) -> Result<Found, StoreError> {
    match sound(folder) {
        Err(error) if error.is_damage() => Ok(Found::Damaged(error)),
        found => found,
    }
}

fn sound(folder: &RunFolder) -> Result<Found, StoreError> {
    let path = |name| folder.path().join(name);
    if !exists(&path(MANIFEST))? {
        // Tables without the parts that they were made of; nothing can check them.
        for table in [TRIALS, TIMINGS, SERIES].map(path) {
            if !may_exist(&path(PARTS)) && exists(&table)? {
                let reason = "there is no manifest.toml to check it by";
                return Err(StoreError::format(&table, reason));
            }
        }
        return Ok(Found::Unfinished);
    }
    let stored = CompleteRun::open(folder)?;
    stored.check().next().map_or(Ok(()), Err)?;
    if let Err(error) = folder.refuse_foreign(&stored.manifest) {
        return Ok(Found::Another(Box::new(stored.manifest), error));
    }
    folder.remove_leftovers()?;
    Ok(Found::Complete)
}
