//! One attempt at a run: one process that goes on from what is saved, has the missing trials
//! simulated, saves their rows in parts, and makes the tables of the parts when all are there. Here
//! is decided how often rows are saved (each 10 s at first, later up to 5 minutes, or 2¹⁶ trials),
//! how often progress is reported, and when programs are asked again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use itertools::Itertools as _;
use rayon::ThreadPoolBuilder;

use super::finished::Finished;
use super::progress::{Progress, Work};
use super::repeatability::{self, FirstTrial};
use super::workers::{EndedTrial, Workers};
use super::{Finish, Observer, Remark, Request, RunError, takeover};
use crate::experiment::manifest;
use crate::experiment::plan::Plan;
use crate::experiment::program::Program;
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
    let attempt = Attempt {
        request,
        folder,
        threads: match request.threads {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads,
        },
        started: manifest::now(),
        stop,
    };
    attempt.save_sources()?;
    let mut parts = attempt.open_parts(observer)?;
    let finished = attempt.finished_before(old, &mut parts, observer)?;
    for program in programs_of_missing(&finished) {
        observer.remark(&Remark::Program(program.in_words()));
    }
    let (progress, firsts) = attempt.simulate(&finished, &mut parts, observer)?;
    if progress.is_complete() {
        return attempt.complete(&parts, progress, firsts, observer);
    }
    // What is said to be kept must still be there.
    let spec = folder.spec_file();
    spec.metadata().map_err(StoreError::io(&spec))?;
    Ok(attempt.interrupted(progress))
}

/// One attempt at a run.
struct Attempt<'a> {
    request: &'a Request<'a>,
    folder: &'a RunFolder,
    /// Threads that run trials, at least 1.
    threads: usize,
    /// When it was started.
    started: String,
    stop: &'a AtomicBool,
}

impl Attempt<'_> {
    /// Saves the spec and the files of its programs.
    fn save_sources(&self) -> Result<(), StoreError> {
        self.folder.save(SPEC, &self.request.spec.text)?;
        for file in self.request.plan.programs.files() {
            self.folder.save_program_file(file)?;
        }
        Ok(())
    }

    /// The parts that earlier attempts saved; those that are damaged are set aside.
    fn open_parts(&self, observer: &mut dyn Observer) -> Result<Parts<'_>, StoreError> {
        let (parts, damaged) = Parts::open(self.folder, self.request.plan)?;
        for error in &damaged {
            observer.remark(&Remark::SetAside(error.to_string()));
        }
        Ok(parts)
    }

    /// The trials that earlier attempts saved, and those that are taken over from other runs.
    fn finished_before(
        &self,
        old: Option<RunFolder>,
        parts: &mut Parts,
        observer: &mut dyn Observer,
    ) -> Result<Finished<'_>, StoreError> {
        let plan = self.request.plan;
        let mut finished = Finished::new(plan);
        parts.saved().for_each(|rows| finished.enter(rows));
        if !Progress::of(&finished.works, plan, self.threads).is_complete() {
            let runs = (self.folder.path(), old);
            let remarks = takeover::take(self.request, runs, self.stop, &mut finished, parts)?;
            remarks.iter().for_each(|remark| observer.remark(remark));
        }
        Ok(finished)
    }

    /// Runs the missing trials, and saves on the way; how far the run is then, and the first trials
    /// of programs that ran.
    fn simulate(
        &self,
        finished: &Finished,
        parts: &mut Parts,
        observer: &mut dyn Observer,
    ) -> Result<(Progress, Vec<FirstTrial>), RunError> {
        let plan = finished.plan;
        let (sent, ended) = sync_channel(most_waiting(plan));
        let is_over = AtomicBool::new(self.stop.load(Ordering::Relaxed));
        let failure = OnceLock::new();
        let points = plan.points.iter();
        let shared_points = points.map(|planned| Arc::new(planned.point.clone()));
        let workers = Workers {
            finished,
            failure: &failure,
            shared_points: shared_points.collect(),
            stop: &is_over,
            sent,
        };
        let mut saving = Saving::new(finished, parts, self.threads);

        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| RunError::Threads(error.into()))?;
        pool.in_place_scope(|scope| {
            let ended = ended;
            scope.spawn(|_| workers.run());
            let collected = saving.collect(&ended, [self.stop, &is_over], observer);
            // However this ended, no more trials are to run.
            is_over.store(true, Ordering::Relaxed);
            collected
        })?;

        let progress = saving.progress();
        let ended_programs = plan.programs.end();
        let failure = failure.into_inner().or(ended_programs.err());
        match failure {
            Some(reason) => Err(RunError::Failed { reason, progress }),
            None => Ok((progress, saving.firsts)),
        }
    }

    /// Makes the tables of the parts, which have all trials, and checks that programs give the same
    /// rows again.
    fn complete(
        &self,
        parts: &Parts,
        progress: Progress,
        firsts: Vec<FirstTrial>,
        observer: &mut dyn Observer,
    ) -> Result<Finish, RunError> {
        let plan = self.request.plan;
        let failed = |reason| RunError::Failed { reason, progress };
        plan.programs.refuse_changed().map_err(failed)?;
        let mut manifest = self.request.manifest(self.started.clone(), self.threads);
        let is_checked = !firsts.is_empty();
        manifest.not_repeatable = repeatability::repeat(plan, firsts, self.threads, self.stop);
        // What it writes here was never an answer.
        let _ = plan.programs.end();
        // Not all of them were made again.
        if is_checked && self.stop.load(Ordering::Relaxed) {
            return Ok(self.interrupted(progress));
        }
        let manifest = parts.complete(manifest)?;
        if !manifest.held_up.is_empty() {
            observer.remark(&Remark::HeldUp(manifest.held_up.len()));
        }
        Ok(Finish::Complete {
            folder: self.folder.clone(),
            rows: manifest.rows,
        })
    }

    fn interrupted(&self, progress: Progress) -> Finish {
        let folder = self.folder.clone();
        Finish::Interrupted { folder, progress }
    }
}

/// How many trials that have ended may wait to be taken.
fn most_waiting(plan: &Plan) -> usize {
    match plan.records_series() {
        true => WAITING_WITH_COURSES,
        false => WAITING,
    }
}

/// The programs that have trials which are missing.
fn programs_of_missing(finished: &Finished) -> Vec<&'static Program> {
    let works = finished.works.iter().zip(&finished.plan.points);
    let missing = works.filter(|(work, _)| work.finished < work.expected);
    let algorithms = missing.map(|(_, planned)| &planned.point.algorithm);
    let programs = algorithms
        .unique()
        .filter_map(|name| finished.plan.programs.program(name));
    programs.collect()
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

impl<'s, 'a> Saving<'s, 'a> {
    /// Nothing has ended but what was finished before.
    fn new(finished: &Finished<'s>, parts: &'s mut Parts<'a>, threads: usize) -> Self {
        Self {
            plan: finished.plan,
            parts,
            threads,
            works: finished.works.clone(),
            new: Vec::new(),
            firsts: Vec::new(),
            in_courses: 0,
            begun: Instant::now(),
            last: None,
        }
    }

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
                // Its memory is kept: new pages for each part take 3 % of the time of tiny trials.
                self.new.clear();
                self.in_courses = 0;
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
