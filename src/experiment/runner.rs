//! A plan's missing trials, in parallel, into the store.

mod batches;
mod in_flight;
pub(super) mod ledger;
mod schedule;
mod sitting;
mod takeover;
mod time_limit;
mod turns;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

pub use self::batches::{StoppingRule, Tally};

use self::sitting::Sitting;
use super::plan::{Plan, PlannedPoint};
use super::provenance::{self, Machine, Manifest, SCHEMA};
use super::shard::Shard;
use super::spec::Spec;
use super::store::catalog;
use super::store::folder::RunFolder;
use super::store::parts::SetAside;
use super::store::{PointKey, StoreError};
use crate::solver;

/// What to run and where to.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    pub spec: &'a Spec,
    pub plan: &'a Plan,
    pub results: &'a Path,
    /// Only this share of the trials, into a folder of its own.
    pub shard: Option<Shard>,
    /// Threads that run trials; 0: one per logical processor (rayon's default).
    pub threads: usize,
    /// Run beside a complete run of the same plan instead of leaving it at that; every trial anew,
    /// none taken over.
    pub force: bool,
    /// When a point with `trials = { min, max, precision }` has trials enough.
    pub rule: StoppingRule,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub trials: u64,
    /// Trials taken over from an earlier, interrupted sitting or from another run; part of
    /// `trials`.
    pub resumed: u64,
    /// As far as is known.
    pub total: u64,
    /// Whether points may ask for more than `total`.
    pub may_grow: bool,
    /// Updates simulated in this sitting.
    pub updates: u64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// The plan was complete before; nothing ran.
    AlreadyComplete(RunFolder),
    Complete {
        folder: RunFolder,
        rows: u64,
        /// Runs of trials with a time limit, which have rows of their own.
        timed_rows: u64,
    },
    /// Asked to stop; what was finished is saved and the next run of the plan goes on from it.
    Interrupted {
        folder: RunFolder,
        progress: Progress,
    },
}

/// What a run tells while it goes on.
pub trait Observer {
    fn progress(&mut self, progress: Progress);

    /// Something that the user should know.
    fn remark(&mut self, remark: &Remark);
}

/// What a run does that its user might not expect.
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// A saved file cannot be trusted and was set aside; its trials run again.
    SetAside { path: PathBuf, reason: String },
    /// Rows of the same trials were found in another run of the experiment.
    TakenOver { from: PathBuf, rows: u64 },
    /// Another run of the experiment has rows that are not those of the plan's trials, or that
    /// cannot be read.
    NotTakenOver { from: PathBuf, reason: String },
    /// Sequential points that have all the trials they may have, and not the precision that is
    /// named beside each.
    Imprecise { points: Vec<(String, f64)> },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetAside { path, reason } => write!(
                f,
                "{}: {reason}; set aside, its trials run again",
                path.display()
            ),
            Self::TakenOver { from, rows } => {
                write!(f, "{rows} trials taken over from {}", from.display())
            }
            Self::NotTakenOver { from, reason } => {
                write!(f, "not taken over from {}: {reason}", from.display())
            }
            Self::Imprecise { points } => {
                let (count, noun) = (
                    points.len(),
                    if points.len() == 1 { "point" } else { "points" },
                );
                write!(
                    f,
                    "precision not reached at {count} {noun} with all trials that are allowed: {}",
                    listed(points)
                )
            }
        }
    }
}

/// `pair n=8 epsilon=0.01 (0.05), …`, the first of them.
fn listed(points: &[(String, f64)]) -> String {
    const MOST: usize = 10;
    let mut words: Vec<String> = points
        .iter()
        .take(MOST)
        .map(|(point, precision)| format!("{point} ({precision})"))
        .collect();
    if points.len() > MOST {
        words.push(format!("and {} more", points.len() - MOST));
    }
    words.join(", ")
}

impl From<SetAside> for Remark {
    fn from(SetAside { path, reason }: SetAside) -> Self {
        Self::SetAside { path, reason }
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the threads could not be started: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// Runs what is missing of a plan; the rows depend on the plan and the code version alone.
///
/// # Errors
/// Nothing finished is lost, except what was finished since the last save when the disk itself
/// fails.
pub fn run(
    request: &Request,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Finish, RunError> {
    let started = provenance::now();
    let pool = ThreadPoolBuilder::new()
        .num_threads(request.threads)
        .build()?;
    let folder = match choose_folder(request)? {
        Choice::Complete(folder) => return Ok(Finish::AlreadyComplete(folder)),
        Choice::Run(folder) => folder.lock()?,
    };
    if let Choice::Complete(folder) = choose_folder(request)? {
        // Another process finished it between the look and the lock.
        return Ok(Finish::AlreadyComplete(folder));
    }
    folder
        .tidy()?
        .into_iter()
        .for_each(|orphan| observer.remark(&orphan.into()));
    folder.save_spec(&request.spec.text)?;
    let mut sitting = Sitting::resume(request, folder, observer)?;
    if !request.force {
        sitting.take_over(request, observer)?;
    }
    sitting.simulate(&pool, stop, observer)?;
    let progress = sitting.progress();
    if progress.trials < progress.total {
        return Ok(Finish::Interrupted {
            folder: sitting.folder().clone(),
            progress,
        });
    }
    if let Some(remark) = sitting.precision_remark() {
        observer.remark(&remark);
    }
    let manifest = sitting.complete(manifest(request, started, pool.current_num_threads()))?;
    Ok(Finish::Complete {
        folder: sitting.folder().clone(),
        rows: manifest.rows,
        timed_rows: manifest.timed_rows,
    })
}

enum Choice {
    Complete(RunFolder),
    Run(RunFolder),
}

/// Without `force`, any complete run of the plan will do; with it, an unfinished forced run goes on
/// before a new one is started.
fn choose_folder(request: &Request) -> Result<Choice, StoreError> {
    let (code_version, hash) = (request.plan.code_version(), request.plan.hash());
    let folder = |repeat| {
        catalog::folder(
            request.results,
            &request.spec.name,
            &code_version,
            &hash,
            repeat,
        )
    };
    let taken: Vec<RunFolder> = (1..)
        .map(folder)
        .take_while(|folder| folder.path().exists())
        .collect();
    let unfinished = taken.iter().find(|folder| !folder.is_complete());
    let mut finished = taken.iter().filter(|folder| folder.is_complete());
    // A repetition may be whole where the first run's manifest is damaged.
    let sound = finished
        .clone()
        .find(|folder| folder.manifest().is_ok())
        .or_else(|| finished.next());
    match (sound, unfinished) {
        (Some(found), _) if !request.force => complete(found.clone()),
        (_, Some(unfinished)) => choose_shard(request, unfinished.clone()),
        (_, None) => choose_shard(
            request,
            folder(u32::try_from(taken.len() + 1).unwrap_or(u32::MAX)),
        ),
    }
}

/// The folder of the requested share, if only a share is to run.
fn choose_shard(request: &Request, run: RunFolder) -> Result<Choice, StoreError> {
    match request.shard.map(|shard| run.shard(shard)) {
        None => Ok(Choice::Run(run)),
        Some(shard) if shard.is_complete() => complete(shard),
        Some(shard) => Ok(Choice::Run(shard)),
    }
}

fn complete(folder: RunFolder) -> Result<Choice, StoreError> {
    // A manifest that is cut or of a newer schema vouches for nothing.
    folder.manifest()?;
    folder.remove_leftovers()?;
    Ok(Choice::Complete(folder))
}

/// The points whose trials have a time limit, in the order of the tables.
pub(super) fn timed_points(plan: &Plan) -> Vec<PointKey> {
    plan.points
        .iter()
        .filter(|planned| planned.timing.time_limit.is_some())
        .map(|planned| PointKey::of(&planned.point))
        .collect()
}

pub(super) fn manifest(request: &Request, started: String, threads: usize) -> Manifest {
    let (commit, dirty) = provenance::commit();
    let mut dynamics: Vec<String> = request
        .plan
        .points
        .iter()
        .filter_map(PlannedPoint::dynamics_name)
        .map(str::to_owned)
        .collect();
    dynamics.sort();
    dynamics.dedup();
    Manifest {
        schema: SCHEMA,
        experiment: request.spec.name.clone(),
        code_version: request.plan.code_version(),
        plan_hash: request.plan.hash(),
        shard: request.shard.map(|shard| shard.to_string()),
        spec_hash: provenance::checksum(request.spec.text.as_bytes()),
        commit,
        dirty,
        rows: request.plan.trials(),
        timed_rows: 0,
        dynamics,
        definitions: request
            .plan
            .points
            .iter()
            .filter_map(|planned| solver::algorithm(planned.point.algorithm))
            .map(|algorithm| (algorithm.name().to_owned(), algorithm.definition()))
            .collect(),
        parts: request.plan.parts(),
        started,
        ended: provenance::now(),
        command: request.command.to_vec(),
        machine: Machine::here(threads),
        files: Default::default(),
        shards: Vec::new(),
    }
}
