//! A plan's missing trials, in parallel, into the store.

mod schedule;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rayon::iter::{ParallelBridge, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use self::schedule::{Missing, TrialId};
use super::plan::{Plan, PlannedPoint};
use super::provenance::{self, CODE_VERSION, Machine, Manifest, SCHEMA};
use super::shard::Shard;
use super::spec::Spec;
use super::store::catalog;
use super::store::folder::{LockedFolder, Part, RunFolder};
use super::store::{PointKey, Row, StoreError};
use crate::solver::{self, Control, Interrupted, Job};

/// Finished trials are saved at least this often.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);

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
    /// Run beside a complete run of the same plan instead of leaving it at that.
    pub force: bool,
    /// The command line, for the manifest.
    pub command: &'a [String],
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub trials: u64,
    /// Trials taken over from an earlier, interrupted sitting; part of `trials`.
    pub resumed: u64,
    pub total: u64,
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

    /// A saved part whose bytes do not match its checksum was set aside; its trials run again.
    fn damaged(&mut self, part: &Path);
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the threads could not be started: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// A trial that has ended, and its wall-clock time.
struct Finished {
    row: Row,
    seconds: f64,
}

/// Runs what is missing of a plan; the rows depend on the plan and the code version alone.
///
/// # Errors
/// Nothing finished is lost, except what was finished since the last save when the disk itself fails.
pub fn run(request: &Request, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<Finish, RunError> {
    let started = provenance::now();
    let pool = ThreadPoolBuilder::new().num_threads(request.threads).build()?;
    let folder = match choose_folder(request) {
        Choice::Complete(folder) => return Ok(Finish::AlreadyComplete(folder)),
        Choice::Run(folder) => folder.lock()?,
    };
    if let Choice::Complete(folder) = choose_folder(request) {
        // Another process finished it between the look and the lock.
        return Ok(Finish::AlreadyComplete(folder));
    }
    folder.save_spec(&request.spec.text)?;
    let mut sitting = Sitting::resume(request.plan, request.shard, folder, observer)?;
    sitting.simulate(&pool, stop, observer)?;
    if sitting.progress.trials < sitting.progress.total {
        return Ok(Finish::Interrupted { folder: sitting.folder.folder().clone(), progress: sitting.progress });
    }
    let manifest = sitting.complete(manifest(request, started, pool.current_num_threads()))?;
    Ok(Finish::Complete { folder: sitting.folder.folder().clone(), rows: manifest.rows })
}

enum Choice {
    Complete(RunFolder),
    Run(RunFolder),
}

/// Without `force`, any complete run of the plan will do; with it, an unfinished forced run goes on before a new one is started.
fn choose_folder(request: &Request) -> Choice {
    let hash = request.plan.hash();
    let folder = |repeat| catalog::folder(request.results, &request.spec.name, CODE_VERSION, &hash, repeat);
    let taken: Vec<RunFolder> = (1..).map(folder).take_while(|folder| folder.path().exists()).collect();
    let unfinished = taken.iter().find(|folder| !folder.is_complete());
    match (taken.iter().find(|folder| folder.is_complete()), unfinished) {
        (Some(complete), _) if !request.force => Choice::Complete(complete.clone()),
        (_, Some(unfinished)) => choose_shard(request, unfinished.clone()),
        (_, None) => choose_shard(request, folder(u32::try_from(taken.len() + 1).unwrap_or(u32::MAX))),
    }
}

/// The folder of the requested share, if only a share is to run.
fn choose_shard(request: &Request, run: RunFolder) -> Choice {
    match request.shard.map(|shard| run.shard(shard)) {
        None => Choice::Run(run),
        Some(shard) if shard.is_complete() => Choice::Complete(shard),
        Some(shard) => Choice::Run(shard),
    }
}

pub(super) fn manifest(request: &Request, started: String, threads: usize) -> Manifest {
    let (commit, dirty) = provenance::commit();
    let mut dynamics: Vec<String> = request.plan.points.iter().map(|planned| planned.dynamics.name().to_owned()).collect();
    dynamics.sort();
    dynamics.dedup();
    Manifest {
        schema: SCHEMA,
        experiment: request.spec.name.clone(),
        code_version: CODE_VERSION.into(),
        plan_hash: request.plan.hash(),
        shard: request.shard.map(|shard| shard.to_string()),
        spec_hash: provenance::checksum(request.spec.text.as_bytes()),
        commit,
        dirty,
        rows: 0,
        dynamics,
        definitions: request
            .plan
            .points
            .iter()
            .filter_map(|planned| solver::algorithm(planned.point.algorithm))
            .map(|algorithm| (algorithm.name().to_owned(), algorithm.definition()))
            .collect(),
        started,
        ended: provenance::now(),
        command: request.command.to_vec(),
        machine: Machine::here(threads),
        files: Default::default(),
        shards: Vec::new(),
    }
}

/// One process's work on a plan.
struct Sitting<'a> {
    plan: &'a Plan,
    shard: Option<Shard>,
    folder: LockedFolder,
    /// Per point of the plan, in the order of finishing.
    finished: Vec<Vec<Finished>>,
    /// How many of each point's rows are in a part.
    saved: Vec<usize>,
    next_part: usize,
    progress: Progress,
}

impl<'a> Sitting<'a> {
    /// Takes over what earlier sittings saved.
    fn resume(plan: &'a Plan, shard: Option<Shard>, folder: LockedFolder, observer: &mut dyn Observer) -> Result<Self, StoreError> {
        let (parts, damaged) = folder.read_parts()?;
        damaged.iter().for_each(|part| observer.damaged(part));
        let next_part = parts.len() + damaged.len();
        let mut finished: Vec<Vec<Finished>> = plan.points.iter().map(|_| Vec::new()).collect();
        let keys: Vec<PointKey> = plan.points.iter().map(|planned| PointKey::of(&planned.point)).collect();
        for Part { points, seconds } in parts {
            let mut seconds = seconds.into_iter();
            for trials in points {
                let index = keys.iter().position(|key| *key == trials.point);
                let rows = trials.rows.into_iter().zip(&mut seconds).map(|(row, seconds)| Finished { row, seconds });
                match index {
                    Some(index) => finished[index].extend(rows),
                    None => rows.for_each(drop),
                }
            }
        }
        for rows in &mut finished {
            rows.sort_by_key(|finished| (finished.row.seed, finished.row.trial));
            rows.dedup_by_key(|finished| (finished.row.seed, finished.row.trial));
        }
        let resumed = finished.iter().map(|rows| rows.len() as u64).sum();
        let saved = finished.iter().map(Vec::len).collect();
        let total = shard.map_or_else(|| plan.trials(), |shard| shard.trials(plan));
        let progress = Progress { trials: resumed, resumed, total, updates: 0 };
        Ok(Self { plan, shard, folder, finished, saved, next_part, progress })
    }

    /// Runs the missing trials until they are done or `stop` is set; saves on the way and at the end.
    fn simulate(&mut self, pool: &ThreadPool, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<(), StoreError> {
        let missing = Missing::new(self.plan, self.shard, |point| {
            self.finished[point].iter().map(|finished| (finished.row.seed, finished.row.trial))
        });
        let updates = AtomicU64::new(0);
        let plan = self.plan;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(|| run_trials(plan, missing, pool, &Control::new(stop, &updates), sender));
            let collected = self.collect(&receiver, &updates, observer);
            if collected.is_err() {
                // The disk failed: nothing more can be kept, so nothing more is simulated.
                stop.store(true, Ordering::Relaxed);
            }
            collected
        })
    }

    /// Receives trials until the simulating threads have hung up.
    fn collect(
        &mut self,
        receiver: &Receiver<(TrialId, Finished)>,
        updates: &AtomicU64,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        let (mut last_save, mut last_tick) = (Instant::now(), Instant::now());
        observer.progress(self.progress);
        loop {
            let message = receiver.recv_timeout(TICK);
            let disconnected = matches!(message, Err(RecvTimeoutError::Disconnected));
            if let Ok((id, finished)) = message {
                self.finished[id.point].push(finished);
                self.progress.trials += 1;
            }
            if disconnected || last_tick.elapsed() >= TICK {
                self.progress.updates = updates.load(Ordering::Relaxed);
                observer.progress(self.progress);
                last_tick = Instant::now();
            }
            if disconnected {
                // A finished plan goes straight into its tables.
                return if self.progress.trials < self.progress.total { self.save() } else { Ok(()) };
            }
            if last_save.elapsed() >= SAVE_INTERVAL {
                self.save()?;
                last_save = Instant::now();
            }
        }
    }

    /// Saves what no part holds yet.
    fn save(&mut self) -> Result<(), StoreError> {
        let keys: Vec<PointKey> = self.plan.points.iter().map(|planned| PointKey::of(&planned.point)).collect();
        let fresh = || {
            keys.iter()
                .zip(self.finished.iter().zip(&self.saved))
                .flat_map(|(key, (rows, &saved))| rows[saved..].iter().map(move |finished| (key, finished)))
        };
        let rows: Vec<_> = fresh().map(|(key, finished)| (key, &finished.row)).collect();
        let seconds: Vec<f64> = fresh().map(|(_, finished)| finished.seconds).collect();
        if rows.is_empty() {
            return Ok(());
        }
        self.folder.save_part(self.next_part, &rows, &seconds)?;
        self.next_part += 1;
        self.saved = self.finished.iter().map(Vec::len).collect();
        Ok(())
    }

    fn complete(&mut self, manifest: Manifest) -> Result<Manifest, StoreError> {
        for rows in &mut self.finished {
            rows.sort_by_key(|finished| (finished.row.seed, finished.row.trial));
        }
        let keys: Vec<PointKey> = self.plan.points.iter().map(|planned| PointKey::of(&planned.point)).collect();
        let all = || keys.iter().zip(&self.finished).flat_map(|(key, rows)| rows.iter().map(move |finished| (key, finished)));
        let rows: Vec<_> = all().map(|(key, finished)| (key, &finished.row)).collect();
        let seconds: Vec<f64> = all().map(|(_, finished)| finished.seconds).collect();
        self.folder.complete(&rows, &seconds, manifest)
    }
}

/// Sends each missing trial as it ends; returns when all have ended or the run was asked to stop, which the collector sees by the count.
fn run_trials(plan: &Plan, missing: Missing, pool: &ThreadPool, control: &Control, sender: Sender<(TrialId, Finished)>) {
    let _ = pool.install(|| {
        missing.par_bridge().try_for_each_with(sender, |sender, id| {
            control.poll(0)?;
            let finished = run_trial(&plan.points[id.point], id, control)?;
            // A collector that has hung up has set the stop flag.
            sender.send((id, finished)).map_err(|_| Interrupted)
        })
    });
}

fn run_trial(planned: &PlannedPoint, id: TrialId, control: &Control) -> Result<Finished, Interrupted> {
    let algorithm = solver::algorithm(planned.point.algorithm).expect("a plan is made of registered algorithms");
    let job = Job { point: &planned.point, seed: id.seed, cutoff: planned.cutoff, dynamics: planned.dynamics };
    let start = Instant::now();
    let outcome = algorithm.trial(&job, id.trial, control)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Finished { row: Row::new(id.seed, id.trial, planned.cutoff, outcome), seconds })
}
