//! A plan's missing trials, in parallel, into the store.

mod attempt;
mod batches;
pub(super) mod board;
mod planned_run;
mod progress;
mod takeover;
mod workers;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

pub use self::batches::{StoppingRule, Tally};
pub use self::planned_run::PlannedRun;
pub use self::progress::Progress;

use self::attempt::Attempt;
use super::provenance::{self, Manifest};
use super::shard::Shard;
use super::store::StoreError;
use super::store::folder::RunFolder;
use super::store::parts::SetAside;

/// What to run, and how.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The plan, and where its rows go.
    pub run: PlannedRun<'a>,
    /// Only this shard of the trials, into a folder of its own.
    pub shard: Option<Shard>,
    /// Threads that run trials; 0: one per logical processor (rayon's default).
    pub threads: usize,
    /// Rows that `moves.parquet` may have; a run that has more stops and keeps what is finished.
    /// [`MAX_COURSE_ROWS`](super::plan::MAX_COURSE_ROWS) unless huge plans are allowed.
    pub most_moves: u64,
    /// Seconds of a trial of each point, as far as they can be foreseen, for [`Progress`] alone;
    /// asked for once, where trials are missing. May be empty.
    pub foreseen: &'a dyn Fn() -> Vec<Option<f64>>,
    /// Run even where there is a complete run of the same plan, in a folder beside it; every trial
    /// anew, none taken over.
    pub force: bool,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// The plan was complete before; nothing ran.
    AlreadyComplete(RunFolder),
    /// Every trial is there.
    Complete {
        /// The run's folder, or the shard's.
        folder: RunFolder,
        /// Rows of `trials.parquet`.
        rows: u64,
    },
    /// Asked to stop; what was finished is saved and the next run of the plan goes on from it.
    Interrupted {
        /// The run's folder, or the shard's.
        folder: RunFolder,
        /// How far it is.
        progress: Progress,
    },
}

/// Where a run reports while it goes on.
pub trait Observer {
    /// How far the run is, some times a second.
    fn progress(&mut self, progress: &Progress);

    /// Something that the user might not expect.
    fn remark(&mut self, remark: &Remark);
}

/// Without a display.
impl Observer for () {
    fn progress(&mut self, _: &Progress) {}

    fn remark(&mut self, _: &Remark) {}
}

/// What a run does that its user might not expect.
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// A saved file cannot be trusted and was set aside; its trials run again.
    SetAside {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Rows of the same trials were found in another run of the experiment.
    TakenOver {
        /// The other run's folder.
        from: PathBuf,
        /// Their number.
        rows: u64,
    },
    /// Another run of the experiment has rows that are not those of the plan's trials, or that
    /// cannot be read.
    NotTakenOver {
        /// The other run's folder.
        from: PathBuf,
        /// What differs or is wrong.
        reason: String,
    },
    /// Sequential points that have all the trials they may have, and not the precision that is
    /// named beside each.
    Imprecise {
        /// Each point as text, and its precision.
        points: Vec<(String, f64)>,
    },
}

impl From<SetAside> for Remark {
    fn from(SetAside { path, reason }: SetAside) -> Self {
        Self::SetAside { path, reason }
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written, or another process runs the plan.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// More moves were written down than are allowed.
    #[error(
        "{}: more than {most} rows of moves.parquet; what is finished is kept, and --allow-huge goes on from it",
        folder.display()
    )]
    TooManyMoves {
        /// The run's folder, or the shard's.
        folder: PathBuf,
        /// Rows that were allowed.
        most: u64,
    },
    /// The operating system refused the threads.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// The operating system refused one more thread.
    #[error("the threads could not be started: {0}")]
    Thread(#[source] std::io::Error),
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
        // Another process finished it between the first check and the lock.
        return Ok(Finish::AlreadyComplete(folder));
    }
    let mut attempt = Attempt::begin(request, folder, observer)?;
    if !attempt.has_too_many_moves() {
        attempt = attempt.simulate(&pool, stop, observer)?;
    }
    attempt.end(started, pool.current_num_threads(), observer)
}

enum Choice {
    Complete(RunFolder),
    Run(RunFolder),
}

/// Without `force`, any complete run of the plan will do; with it, an unfinished forced run goes on
/// before a new one is started.
fn choose_folder(request: &Request) -> Result<Choice, StoreError> {
    let mut folders = request.run.folders();
    let mut taken = Vec::new();
    let new = loop {
        let folder = folders.next().expect("the numbers of runs do not end");
        if !folder.exists()? {
            break folder;
        }
        taken.push(folder);
    };
    // Each is asked once: a file system that fails now may say something else a moment later.
    let (finished, unfinished): (Vec<_>, Vec<_>) =
        taken.iter().partition(|folder| folder.is_complete());
    let asked = finished.into_iter().filter(|_| !request.force);
    let mut checked = asked.map(|folder| (folder, folder.checked_manifest()));
    // A repetition may be whole where the first run is damaged.
    let found = match checked.next() {
        Some(damaged @ (_, Err(_))) => checked.find(|(_, it)| it.is_ok()).or(Some(damaged)),
        first => first,
    };
    match (found, unfinished.first().copied()) {
        (Some((found, manifest)), _) => complete(request, found.clone(), manifest?, None),
        (_, Some(unfinished)) => choose_shard(request, unfinished.clone()),
        (_, None) => choose_shard(request, new),
    }
}

/// The folder of the requested shard, if only a shard is to run.
fn choose_shard(request: &Request, run: RunFolder) -> Result<Choice, StoreError> {
    let Some(shard) = request.shard else {
        return Ok(Choice::Run(run));
    };
    let folder = run.shard(shard);
    if folder.is_complete() {
        let manifest = folder.checked_manifest()?;
        complete(request, folder, manifest, Some(shard))
    } else {
        Ok(Choice::Run(folder))
    }
}

/// A manifest of another run is an error here, before anything is removed, as a damaged file was.
fn complete(
    request: &Request,
    folder: RunFolder,
    manifest: Manifest,
    shard: Option<Shard>,
) -> Result<Choice, StoreError> {
    request.run.refuse_foreign(&folder, &manifest, shard)?;
    folder.remove_leftovers()?;
    Ok(Choice::Complete(folder))
}
