//! One attempt at a run: one process that goes on from what is saved, has the missing trials
//! simulated, saves their rows in parts, and makes the tables of the parts when all are there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use itertools::Itertools as _;
use rayon::ThreadPoolBuilder;

use super::again::{self, FirstTrial};
use super::finished::Finished;
use super::progress::{Progress, Work};
use super::workers::{EndedTrial, Workers};
use super::{Finish, Observer, Remark, Request, RunError, takeover};
use crate::experiment::plan::Plan;
use crate::experiment::program::Program;
use crate::experiment::provenance;
use crate::experiment::store::folder::{RunFolder, SPEC};
use crate::experiment::store::parts::Parts;
use crate::experiment::store::{Record, StoreError};

/// Finished trials are saved so often at first; later, so that parts stay few, whenever a hundredth
/// of the time that has passed has passed once more, and at least every 5 minutes.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
const LONGEST_SAVE_INTERVAL: Duration = Duration::from_secs(300);
/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);
/// Time between two looks for trials that have ended. A receiver that waits for the next one would
/// be woken by each: of tiny trials, a switch of threads for every trial.
const PAUSE: Duration = Duration::from_millis(2);
/// Finished trials that wait in memory to be saved; of tiny trials, 10 seconds bring millions.
const MANY_ENDED: usize = 1 << 16;
/// Observations that wait in memory to be saved, about.
const MANY_IN_COURSES: usize = 1 << 20;
/// Trials that have ended and wait to be taken: few, where each may have a long course.
const WAITING: usize = 1 << 14;
const WAITING_WITH_COURSES: usize = 1 << 6;

/// Goes on from what earlier attempts saved in a folder whose lock this process has, takes over
/// what other runs have, the same run as it was set aside among them, and runs the trials that are
/// missing until they are done or `stop` is set.
pub fn go_on(
    request: &Request,
    (folder, old): (&RunFolder, Option<RunFolder>),
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Finish, RunError> {
    let plan = request.plan;
    let started_at = provenance::now();
    let threads = match request.threads {
        0 => available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    folder.save(SPEC, &request.spec.text)?;
    for file in plan.programs.files() {
        folder.save_program_file(file)?;
    }
    let (mut parts, damaged) = Parts::open(folder, plan)?;
    for error in &damaged {
        observer.remark(&Remark::SetAside(error.to_string()));
    }
    let mut finished = Finished::new(plan);
    parts.saved().for_each(|rows| finished.enter(rows));
    if !Progress::of(&finished.works, plan, threads).is_complete() {
        let runs = (folder.path(), old);
        let remarks = takeover::take(request, runs, stop, &mut finished, &mut parts)?;
        remarks.iter().for_each(|remark| observer.remark(remark));
    }
    for program in started(&finished) {
        observer.remark(&Remark::Program(program.in_words()));
    }
    let (progress, firsts) = simulate(&finished, threads, &mut parts, stop, observer)?;
    let folder = folder.clone();
    if !progress.is_complete() {
        // What is said to be kept must still be there.
        let spec = folder.spec_file();
        spec.metadata().map_err(StoreError::io(&spec))?;
        return Ok(Finish::Interrupted { folder, progress });
    }
    let failed = |reason| RunError::Failed { reason, progress };
    plan.programs.refuse_changed().map_err(failed)?;
    let mut manifest = request.manifest(started_at, threads);
    let is_checked = !firsts.is_empty();
    manifest.not_repeatable = again::repeat(plan, firsts, threads, stop);
    // What it writes here was never an answer.
    let _ = plan.programs.end();
    // Not all of them were made again.
    if is_checked && stop.load(Ordering::Relaxed) {
        return Ok(Finish::Interrupted { folder, progress });
    }
    let manifest = parts.complete(manifest)?;
    if !manifest.held_up.is_empty() {
        observer.remark(&Remark::HeldUp(manifest.held_up.len()));
    }
    let rows = manifest.rows;
    Ok(Finish::Complete { folder, rows })
}

/// The programs that have trials which are missing.
fn started(finished: &Finished) -> Vec<&'static Program> {
    let works = finished.works.iter().zip(&finished.plan.points);
    let missing = works.filter(|(work, _)| work.finished < work.expected);
    let names = missing.map(|(_, planned)| &planned.point.algorithm);
    let names = names
        .unique()
        .filter_map(|name| finished.plan.programs.program(name));
    names.collect()
}

/// Runs the missing trials, and saves on the way; how far the run is then, and the first trials of
/// programs that ran.
fn simulate(
    finished: &Finished,
    threads: usize,
    parts: &mut Parts,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<(Progress, Vec<FirstTrial>), RunError> {
    let points = &finished.plan.points;
    let mut saving = Saving {
        plan: finished.plan,
        parts,
        threads,
        works: finished.works.clone(),
        new: Vec::new(),
        firsts: Vec::new(),
        in_courses: 0,
        begun: Instant::now(),
        last: None,
    };
    let (sent, ended) = if points.iter().all(|point| point.recorded.is_empty()) {
        sync_channel(WAITING)
    } else {
        sync_channel(WAITING_WITH_COURSES)
    };
    let over = AtomicBool::new(stop.load(Ordering::Relaxed));
    let failure = OnceLock::new();
    let workers = Workers {
        finished,
        failure: &failure,
        points: points
            .iter()
            .map(|point| Arc::new(point.point.clone()))
            .collect(),
        stop: &over,
        sent,
    };
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| RunError::Threads(error.into()))?;
    pool.in_place_scope(|scope| {
        let ended = ended;
        scope.spawn(|_| workers.run());
        let collected = saving.collect(&ended, [stop, &over], observer);
        // However this ended, no more trials are to run.
        over.store(true, Ordering::Relaxed);
        collected
    })?;
    let progress = saving.progress();
    let wrong = finished.plan.programs.end();
    match failure.into_inner() {
        Some(reason) => Err(RunError::Failed { reason, progress }),
        None => {
            wrong.map_err(|reason| RunError::Failed { reason, progress })?;
            Ok((progress, saving.firsts))
        }
    }
}

/// The trials that have ended and are to be saved.
struct Saving<'s, 'a> {
    plan: &'s Plan,
    parts: &'s mut Parts<'a>,
    threads: usize,
    /// All that are finished, those that are not saved yet among them.
    works: Vec<Work>,
    new: Vec<Record>,
    /// The first trial of each point of a program.
    firsts: Vec<FirstTrial>,
    /// Observations of the new ones.
    in_courses: usize,
    begun: Instant,
    last: Option<Instant>,
}

impl Saving<'_, '_> {
    /// Takes trials as they end and saves them, until all threads have ended. Sets `over` where
    /// the run is to stop.
    fn collect(
        &mut self,
        ended: &Receiver<EndedTrial>,
        [stop, over]: [&AtomicBool; 2],
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let mut told = Instant::now();
        loop {
            let left = TICK.saturating_sub(told.elapsed());
            let have_all_ended = self.take_waiting(ended) || self.wait(ended, left);
            if told.elapsed() >= TICK || have_all_ended {
                told = Instant::now();
                if stop.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                }
                observer.progress(&self.progress());
                for note in self.plan.programs.take_notes() {
                    observer.remark(&Remark::Program(note));
                }
            }
            if have_all_ended || self.is_due() {
                self.parts.save(&mut self.new)?;
                (self.new, self.in_courses) = (Vec::new(), 0);
                self.last = Some(Instant::now());
            }
            if have_all_ended {
                return Ok(());
            }
        }
    }

    /// Takes the trials that wait, until enough are there to be saved; true if all threads have
    /// ended and none waits.
    fn take_waiting(&mut self, ended: &Receiver<EndedTrial>) -> bool {
        while !self.are_many() {
            match ended.try_recv() {
                Ok(trial) => self.add(trial),
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => return true,
            }
        }
        false
    }

    /// Waits for more trials, unless enough are there to be saved; true if all threads have ended.
    fn wait(&mut self, ended: &Receiver<EndedTrial>, most: Duration) -> bool {
        if self.are_many() {
            return false;
        }
        if !self.plan.records_series() {
            sleep(PAUSE);
            return false;
        }
        // Few trials with courses wait, so that the threads would wait for this one.
        match ended.recv_timeout(most) {
            Ok(trial) => self.add(trial),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return true,
        }
        false
    }

    fn progress(&self) -> Progress {
        Progress::of(&self.works, self.plan, self.threads)
    }

    fn add(&mut self, trial: EndedTrial) {
        let EndedTrial {
            point,
            record,
            held_up,
        } = trial;
        let work = &mut self.works[point];
        work.finished += 1;
        work.run += u64::from(!record.seconds.is_empty());
        work.seconds += record.seconds.iter().sum::<f64>();
        self.parts.held_up.extend(held_up);
        self.firsts
            .extend(FirstTrial::of(self.plan, point, &record));
        self.in_courses += record.course.series.len();
        self.new.push(record);
    }

    fn is_due(&self) -> bool {
        let passed = self.begun.elapsed() / 100;
        let interval = passed.clamp(SAVE_INTERVAL, LONGEST_SAVE_INTERVAL);
        let is_old = match self.last {
            Some(last) => last.elapsed() >= interval,
            None => self.begun.elapsed() >= TICK,
        };
        self.are_many() || (is_old && !self.new.is_empty())
    }

    /// True if as many trials are there as are saved at once.
    fn are_many(&self) -> bool {
        self.new.len() >= MANY_ENDED || self.in_courses >= MANY_IN_COURSES
    }
}
