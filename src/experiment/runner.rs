//! The runner of a plan's missing trials, in parallel, into the store.

mod attempt;
mod progress;
pub(super) mod schedule;
mod takeover;
mod workers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rayon::ThreadPoolBuilder;

pub use self::progress::Progress;
pub use self::takeover::existing;

use self::attempt::Attempt;
use super::plan::{MAX_COURSE_ROWS, Plan, PlannedPoint};
use super::provenance::{self, Machine, Manifest, SCHEMA};
use super::spec::Spec;
use super::store::StoreError;
use super::store::folder::RunFolder;
use super::store::parts::SetAside;
use crate::solver;

/// A run of a plan that is to be completed in a results folder, and how it is made.
pub struct Request<'a> {
    /// The experiment.
    pub spec: &'a Spec,
    /// The spec's plan.
    pub plan: &'a Plan,
    /// The results folder, in which the run has a folder of its own.
    pub results: &'a Path,
    /// The number of the plan's run, from 1; without a number, the first run that is complete, else
    /// the first that is not.
    pub repeat: Option<u32>,
    /// The command line, for the manifest.
    pub command: Vec<String>,
    /// Threads that run trials; 0: one per logical processor (rayon's default).
    pub threads: usize,
    /// The most rows of `moves.parquet`; a run with more stops and keeps what is finished.
    pub most_moves: u64,
    /// True to run even beside a complete run of the same plan, with no trials taken over.
    pub force: bool,
}

impl<'a> Request<'a> {
    /// A request for all trials of a plan, on every processor, at most [`MAX_COURSE_ROWS`] moves.
    pub fn new(spec: &'a Spec, plan: &'a Plan, results: &'a Path) -> Self {
        Self {
            spec,
            plan,
            results,
            repeat: None,
            command: Vec::new(),
            threads: 0,
            most_moves: MAX_COURSE_ROWS,
            force: false,
        }
    }

    /// The folder of run number `repeat`, else of the plan's first with this code version.
    pub fn folder(&self) -> RunFolder {
        let before = self.repeat.map_or(0, |repeat| repeat as usize - 1);
        let mut folders = self.folders().skip(before);
        folders.next().expect("the numbers of runs do not end")
    }

    /// The folders of the plan's first run, of its second, …, whether they exist or not.
    fn folders(&self) -> impl Iterator<Item = RunFolder> {
        let name = format!("{}-{}", self.plan.code_version(), self.plan.hash());
        let path = self.results.join(&self.spec.name).join(name);
        std::iter::once(RunFolder::at(&path)).chain((2..).map(move |repeat: u32| {
            let mut repeated = path.clone().into_os_string();
            repeated.push(format!(".{repeat}"));
            RunFolder::at(repeated)
        }))
    }

    /// The manifest of a run that ends now; its list of files is empty.
    fn manifest(&self, started: String, threads: usize) -> Manifest {
        let points = self.plan.points.iter();
        let dynamics = points.clone().filter_map(PlannedPoint::dynamics_name);
        let dynamics: BTreeSet<String> = dynamics.map(str::to_owned).collect();
        Manifest {
            schema: SCHEMA,
            experiment: self.spec.name.clone(),
            code_version: self.plan.code_version(),
            plan_hash: self.plan.hash(),
            spec_hash: provenance::checksum(self.spec.text.as_bytes()),
            commit: env!("REINES_COMMIT").into(),
            dirty: env!("REINES_DIRTY") == "true",
            rows: self.plan.trials(),
            series_rows: 0,
            move_rows: 0,
            dynamics: dynamics.into_iter().collect(),
            definitions: points
                .filter_map(|planned| solver::algorithm(&planned.point.algorithm))
                .map(|algorithm| (algorithm.name().to_owned(), algorithm.definition()))
                .collect(),
            parts: self.plan.parts(),
            started,
            ended: provenance::now(),
            command: self.command.clone(),
            machine: Machine::here(threads),
            files: Default::default(),
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
    /// Rows of the same trials were found in another run of the experiment.
    TakenOver { from: PathBuf, rows: u64 },
    /// Another run of the experiment has rows of other trials, or some that cannot be read.
    NotTakenOver { from: PathBuf, reason: String },
    /// Folders of pieces of the run that hold nothing of their own any more.
    SparePieces(Vec<PathBuf>),
}

/// Why a run ended early.
// The messages name the fields.
#[allow(missing_docs)]
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written, or another process runs the plan.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// More moves were recorded than are allowed.
    #[error(
        "{}: more than {most} rows of moves.parquet; what is finished is kept; expected fewer trials, or points, that record moves",
        folder.display()
    )]
    TooManyMoves { folder: PathBuf, most: u64 },
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
    let started = provenance::now();
    let pool = ThreadPoolBuilder::new()
        .num_threads(request.threads)
        .build()
        .map_err(|error| RunError::Threads(error.into()))?;
    let folder = loop {
        let (folder, is_complete) = choose_folder(request)?;
        if is_complete {
            return Ok(Finish::AlreadyComplete(folder));
        }
        let lock = folder.lock()?;
        // Another process may have finished the run between the choice and the lock: with `force`
        // this process then needs another folder.
        if choose_folder(request)? == (folder.clone(), false) {
            break (folder, lock);
        }
    };
    let (mut attempt, mut schedule) = Attempt::begin(request, folder, stop, observer)?;
    if !attempt.has_too_many_moves(&schedule) {
        schedule = attempt.simulate(schedule, &pool, stop, observer)?;
    }
    attempt.end(&schedule, started, pool.current_num_threads(), observer)
}

/// The folder of the run, and whether it is complete. Without `force`, any complete run of the plan
/// is enough; with it, an unfinished run goes on before a new one is started.
fn choose_folder(request: &Request) -> Result<(RunFolder, bool), StoreError> {
    let mut folders = request.folders();
    let mut taken = Vec::new();
    let new = loop {
        // A run with a given number is the only candidate, unless `force` wants one beside it.
        if let (Some(_), false) = (request.repeat, request.force) {
            taken.push(request.folder());
            break request.folder();
        }
        let folder = folders.next().expect("the numbers of runs do not end");
        let exists = folder.path().try_exists();
        if !exists.map_err(StoreError::io(folder.path()))? {
            break folder;
        }
        taken.push(folder);
    };
    // Each folder is checked once: a failing file system may answer differently a moment later.
    let (finished, unfinished): (Vec<_>, Vec<_>) =
        taken.iter().partition(|folder| folder.is_complete());
    let asked = finished.into_iter().filter(|_| !request.force);
    let mut checked = asked.map(|folder| (folder, folder.checked_manifest()));
    // A repetition may be intact where the first run is damaged.
    let found = match checked.next() {
        Some(damaged @ (_, Err(_))) => checked.find(|(_, it)| it.is_ok()).or(Some(damaged)),
        first => first,
    };
    if let Some((found, manifest)) = found {
        // A damaged or foreign manifest is an error before anything is removed.
        found.refuse_foreign(&manifest?)?;
        found.remove_leftovers()?;
        return Ok((found.clone(), true));
    }
    let run = unfinished.first().copied().unwrap_or(&new);
    Ok((run.clone(), false))
}
