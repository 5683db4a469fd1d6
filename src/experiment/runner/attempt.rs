//! One attempt at a run: one process that goes on from what is saved, has the missing trials
//! simulated, saves their rows in parts, and makes the tables of the parts when all are there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;

use super::finished::Finished;
use super::progress::Tally;
use super::workers::{Ended, Workers};
use super::{Finish, Observer, Remark, Request, RunError, takeover};
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::{Record, StoreError};

/// Finished trials are saved so often at first; later, so that parts stay few, whenever a hundredth
/// of the time that has passed has passed once more, and at least every 5 minutes.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
const LONGEST_SAVE_INTERVAL: Duration = Duration::from_secs(300);
/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);
/// Finished trials that wait in memory to be saved; of tiny trials, 10 seconds bring millions.
const MANY_ENDED: usize = 1 << 16;
/// Observations that wait in memory to be saved, about.
const MANY_IN_COURSES: usize = 1 << 20;
/// Trials that have ended and wait to be taken: few, where each may have a long course.
const WAITING: usize = 1 << 14;
const WAITING_WITH_COURSES: usize = 1 << 6;

pub struct Attempt<'a> {
    request: &'a Request<'a>,
    folder: &'a RunFolder,
    parts: Parts<'a>,
    finished: Finished<'a>,
    threads: usize,
}

impl<'a> Attempt<'a> {
    /// Goes on from what earlier attempts saved in a folder whose lock this process has.
    pub fn begin(
        request: &'a Request<'a>,
        folder: &'a RunFolder,
        threads: usize,
        observer: &mut dyn Observer,
    ) -> Result<Self, StoreError> {
        let orphans = folder.tidy()?;
        folder.save_spec(&request.spec.text)?;
        let (parts, saved, damaged) = Parts::open(folder, request.plan)?;
        let remarks = orphans.into_iter().chain(damaged).map(Remark::SetAside);
        remarks.for_each(|remark| observer.remark(&remark));
        let mut finished = Finished::new(request.plan);
        let entered = saved.map_or(Ok(()), |saved| finished.enter_all(&saved));
        entered.map_err(|error| StoreError::format(folder.path(), error))?;
        Ok(Self {
            request,
            folder,
            parts,
            finished,
            threads,
        })
    }

    /// Takes what other runs have of the missing trials, where it may count; the run itself, if it
    /// was damaged and set aside, is among them.
    pub fn take_over(
        &mut self,
        old: Option<RunFolder>,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        if !self.finished.tally.is_complete() {
            let runs = (self.folder.path(), old);
            let (finished, parts) = (&mut self.finished, &mut self.parts);
            let remarks = takeover::take(self.request, runs, stop, finished, parts)?;
            remarks.iter().for_each(|remark| observer.remark(remark));
        }
        Ok(())
    }

    /// Runs the missing trials until they are done or `stop` is set, and saves on the way.
    pub fn simulate(
        &mut self,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Tally, RunError> {
        let (finished, threads) = (&self.finished, self.threads);
        let mut saving = Saving {
            request: self.request,
            parts: &mut self.parts,
            threads,
            tally: finished.tally.clone(),
            new: Vec::new(),
            in_courses: 0,
            begun: Instant::now(),
            last: None,
        };
        let points = &finished.plan.points;
        let (sent, ended) = match points.iter().all(|it| it.recorded.is_empty()) {
            true => sync_channel(WAITING),
            false => sync_channel(WAITING_WITH_COURSES),
        };
        let over = AtomicBool::new(stop.load(Ordering::Relaxed));
        let workers = Workers {
            finished,
            points: points.iter().map(|it| Arc::new(it.point.clone())).collect(),
            stop: &over,
            sent,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RunError::Threads(error.into()))?;
        pool.in_place_scope(|scope| {
            // However this ends, no more trials are to run, and nobody waits.
            let _over = OnDrop(|| over.store(true, Ordering::Relaxed));
            let ended = ended;
            scope.spawn(|_| workers.run(threads));
            saving.collect(&ended, [stop, &over], observer)
        })?;
        Ok(saving.tally)
    }

    /// Makes the tables and the manifest, if no trial is missing.
    pub fn end(self, tally: &Tally, started: String) -> Result<Finish, RunError> {
        let (folder, request) = (self.folder, self.request);
        if !tally.is_complete() {
            // What is said to be kept must still be there.
            let spec = folder.spec_file();
            spec.metadata().map_err(StoreError::io(&spec))?;
            let progress = tally.progress(request.plan, self.threads);
            let folder = folder.clone();
            return Ok(Finish::Interrupted { folder, progress });
        }
        let manifest = request.manifest(started, self.threads);
        let rows = self.parts.complete(manifest)?.rows;
        let folder = folder.clone();
        Ok(Finish::Complete { folder, rows })
    }
}

/// The trials that have ended and are to be saved.
struct Saving<'s, 'a> {
    request: &'s Request<'s>,
    parts: &'s mut Parts<'a>,
    threads: usize,
    /// All that are finished, those that are not saved yet among them.
    tally: Tally,
    new: Vec<Record>,
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
        ended: &Receiver<Ended>,
        [stop, over]: [&AtomicBool; 2],
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let mut told = Instant::now();
        loop {
            let next = ended.recv_timeout(TICK.saturating_sub(told.elapsed()));
            let have_all_ended = matches!(next, Err(RecvTimeoutError::Disconnected));
            if let Ok((point, record)) = next {
                self.add(point, record);
            }
            if told.elapsed() >= TICK || have_all_ended {
                told = Instant::now();
                if stop.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                }
                let progress = self.tally.progress(self.request.plan, self.threads);
                observer.progress(&progress);
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

    fn add(&mut self, point: usize, record: Record) {
        let work = &mut self.tally.0[point];
        work.finished += 1;
        work.note_length(record.seconds.iter().sum());
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
        let are_many = self.new.len() >= MANY_ENDED || self.in_courses >= MANY_IN_COURSES;
        are_many || (is_old && !self.new.is_empty())
    }
}

/// Calls its function when it is dropped, also in a panic.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}
