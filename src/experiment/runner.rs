//! The runner of a plan's missing trials, in parallel, into the store.

mod attempt;
mod finished;
mod progress;
mod takeover;
mod workers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

pub use self::progress::Progress;

use self::attempt::Attempt;
use super::plan::{Plan, PlannedPoint};
use super::provenance::{self, FileSeal, Machine, Manifest, SCHEMA};
use super::spec::Spec;
use super::store::StoreError;
use super::store::folder::{RunFolder, SPEC, SetAside, exists};
use super::store::stored::{MANIFEST, Stored};
use crate::solver;

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
        let name = format!("{}-{}", self.plan.code_version(), self.plan.hash());
        RunFolder::at(self.results.join(&self.spec.name).join(name))
    }

    /// The manifest of a run that ends now, without tables.
    fn manifest(&self, started: String, threads: usize) -> Manifest {
        let points = self.plan.points.iter();
        let dynamics = points.clone().filter_map(PlannedPoint::dynamics_name);
        let dynamics: BTreeSet<String> = dynamics.map(str::to_owned).collect();
        Manifest {
            schema: SCHEMA,
            experiment: self.spec.name.clone(),
            code_version: self.plan.code_version(),
            plan_hash: self.plan.hash(),
            commit: env!("REINES_COMMIT").into(),
            dirty: env!("REINES_DIRTY") == "true",
            rows: self.plan.trials(),
            series_rows: 0,
            dynamics: dynamics.into_iter().collect(),
            definitions: points
                .filter_map(|planned| solver::algorithm(&planned.point.algorithm))
                .map(|algorithm| (algorithm.name.to_owned(), algorithm.definition))
                .collect(),
            parts: self.plan.parts(),
            started,
            ended: provenance::now(),
            command: self.command.clone(),
            machine: Machine::here(threads),
            // As it was saved: what is on the disk since then does not count.
            files: [(SPEC.to_owned(), FileSeal::of(self.spec.text.as_bytes()))].into(),
            points: Vec::new(),
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
    SetAside(SetAside),
    /// A complete run is damaged; its folder was renamed, and what is missing runs again.
    RunSetAside {
        path: PathBuf,
        to: PathBuf,
        reason: String,
    },
    /// Rows of the same trials were found in another run of the experiment.
    TakenOver { from: PathBuf, rows: u64 },
    /// A table beside the runs is no link to that of this run.
    Link(String),
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
        let words = folder.link_tables().into_iter().map(Remark::Link);
        words.for_each(|remark| observer.remark(&remark));
    }
    Ok(finish)
}

fn run_missing(
    request: &Request,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Finish, RunError> {
    let started = provenance::now();
    let folder = request.folder();
    let lock = match damage_of(&folder)? {
        State::Sound => return Ok(Finish::AlreadyComplete(folder)),
        State::Unfinished | State::Damaged(_) => folder.lock()?,
    };
    // Another process may have finished the run before this one got the lock.
    // The lock is held until the end.
    let (_lock, old) = match damage_of(&folder)? {
        State::Sound => return Ok(Finish::AlreadyComplete(folder)),
        State::Unfinished => (lock, None),
        State::Damaged(reason) => {
            let old = folder.set_aside()?;
            let (path, to) = (folder.path().into(), old.path().into());
            observer.remark(&Remark::RunSetAside { path, to, reason });
            (folder.lock()?, Some(old))
        }
    };
    let threads = match request.threads {
        0 => available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let mut attempt = Attempt::begin(request, &folder, threads, observer)?;
    attempt.take_over(old, stop, observer)?;
    let tally = attempt.simulate(stop, observer)?;
    attempt.end(&tally, started)
}

/// What is in the folder of a run.
enum State {
    /// No run, or one that is not complete.
    Unfinished,
    /// A complete run.
    Sound,
    /// A complete run of which something is not what was written, and what that is.
    Damaged(String),
}

/// What is in the folder of a run, each of its files compared with its checksum; of a sound run
/// what a killed process has left is removed.
///
/// # Errors
/// A file that cannot be read now, and a run of another plan: neither is damage.
fn damage_of(folder: &RunFolder) -> Result<State, StoreError> {
    if !exists(&folder.path().join(MANIFEST))? {
        return Ok(State::Unfinished);
    }
    let checked = Stored::open(folder.path()).and_then(|stored| {
        let damage = stored.check().next();
        damage.map_or(Ok(stored), Err)
    });
    match checked {
        Ok(stored) => {
            folder.refuse_foreign(&stored.manifest)?;
            folder.remove_leftovers()?;
            Ok(State::Sound)
        }
        Err(error) if error.is_damage() => Ok(State::Damaged(error.to_string())),
        Err(error) => Err(error),
    }
}
