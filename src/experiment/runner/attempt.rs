//! One attempt at a run: one process that goes on from what is saved, has the missing trials
//! simulated, saves their rows in parts, and makes the tables of the parts when all are there.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::schedule::Schedule;
use super::workers::Shared;
use super::{Finish, Observer, Remark, Request, RunError, takeover};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::StoreError;
use crate::experiment::store::folder::RunFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::schema::TRIALS;

/// Finished trials are saved at least this often.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);

pub struct Attempt<'a> {
    request: &'a Request<'a>,
    /// The run's folder and its lock.
    folder: RunFolder,
    _lock: File,
    parts: Parts,
    /// Moves that were written down before this attempt.
    moves_before: u64,
    /// Those of this attempt, in trials that have not ended, are too many.
    is_over_limit: bool,
    /// Set by who wants the run to stop.
    stop: &'a AtomicBool,
}

impl<'a> Attempt<'a> {
    /// Goes on from what earlier attempts saved and, where they may count, other runs
    /// have.
    pub fn begin(
        request: &'a Request<'a>,
        (folder, lock, old): (RunFolder, File, Option<RunFolder>),
        manifest: Manifest,
        stop: &'a AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(Self, Schedule<'a>), StoreError> {
        for orphan in folder.tidy()? {
            observer.remark(&Remark::SetAside(orphan));
        }
        folder.save_spec(&request.spec.text)?;
        let mut schedule = Schedule::new(request.plan);
        let (mut parts, damaged) =
            Parts::of(&folder, request.plan, manifest, &mut |part, trials| {
                let entered = schedule.enter_all(trials);
                let entered = entered.map_err(|error| part.wrong_table(TRIALS, error))?;
                if entered {
                    schedule.moves += part.manifest.move_rows;
                    schedule.note_totals(&part.manifest.points);
                }
                Ok(entered)
            })?;
        let remarks = damaged.into_iter().map(Remark::SetAside);
        remarks.for_each(|remark| observer.remark(&remark));
        parts.join()?;
        let mut attempt = Self {
            request,
            folder,
            _lock: lock,
            parts,
            moves_before: 0,
            is_over_limit: false,
            stop,
        };
        if !schedule.all.is_complete() {
            attempt.take_over(&mut schedule, old, observer)?;
        }
        attempt.moves_before = schedule.moves;
        Ok((attempt, schedule))
    }

    /// Takes over what other runs have of the missing trials, the run itself among them if it was
    /// damaged and set aside. Another run that is damaged is left alone, with a remark.
    fn take_over(
        &mut self,
        schedule: &mut Schedule<'a>,
        old: Option<RunFolder>,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        let runs = (self.folder.path(), old);
        let remarks = takeover::take(self.request, runs, self.stop, schedule, &mut self.parts)?;
        remarks.iter().for_each(|remark| observer.remark(remark));
        Ok(())
    }

    /// Runs the missing trials until they are done or `stop` is set; saves on the way.
    pub fn simulate(
        &mut self,
        schedule: Schedule<'a>,
        pool: &ThreadPool,
        stop: &'a AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Schedule<'a>, RunError> {
        let threads = pool.current_num_threads();
        let shared = Shared::new(schedule, stop);
        thread::scope(|scope| {
            let simulate = || {
                let ended = OnDrop(|| shared.end(|state| state.all_ended = true));
                shared.run(pool);
                drop(ended);
            };
            let started = thread::Builder::new().spawn_scoped(scope, simulate);
            started.map_err(|error| RunError::Threads(error.into()))?;
            // When saving has failed, in whatever way, nothing more can be kept, so nothing more is
            // simulated, and no thread waits for space.
            let _closed = OnDrop(|| {
                shared.end(|state| {
                    if !state.all_ended {
                        stop.store(true, Ordering::Relaxed);
                    }
                    state.is_closed = true;
                });
            });
            Ok::<_, RunError>(self.collect(&shared, threads, stop, observer)?)
        })?;
        Ok(shared.into_schedule())
    }

    /// Saves trials as they end, until all have.
    fn collect(
        &mut self,
        shared: &Shared,
        threads: usize,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        let mut last_save = None::<Instant>;
        loop {
            let mut state = shared.wait(TICK);
            let all_ended = state.all_ended;
            let is_due = all_ended
                || state.schedule.is_full(1)
                || last_save.is_none_or(|last| last.elapsed() >= SAVE_INTERVAL);
            let written = shared.written.load(Ordering::Relaxed);
            self.is_over_limit |= self.moves_before + written > self.request.most_moves;
            if self.has_too_many_moves(&state.schedule) {
                stop.store(true, Ordering::Relaxed);
            }
            let progress = state.schedule.progress(threads);
            let drained = is_due.then(|| shared.drain(&mut state));
            drop(state);
            observer.progress(&progress);
            if let Some(mut ended) = drained {
                self.parts.save(&mut ended)?;
                last_save = Some(Instant::now());
            }
            if all_ended {
                return Ok(());
            }
        }
    }

    /// True if more moves were written down than may be; then nothing more is to run.
    pub fn has_too_many_moves(&self, schedule: &Schedule) -> bool {
        self.is_over_limit || schedule.moves > self.request.most_moves
    }

    /// Makes the tables and the manifest, if no trial is missing.
    pub fn end(
        self,
        schedule: &Schedule,
        started: String,
        threads: usize,
        observer: &mut dyn Observer,
    ) -> Result<Finish, RunError> {
        let folder = self.folder.clone();
        if self.has_too_many_moves(schedule) {
            let (folder, most) = (folder.path().into(), self.request.most_moves);
            return Err(RunError::TooManyMoves { folder, most });
        }
        if !schedule.all.is_complete() {
            let progress = schedule.progress(threads);
            return Ok(Finish::Interrupted { folder, progress });
        }
        let request = self.request;
        let manifest = request.manifest(started, threads);
        let spec_length = request.spec.text.len() as u64;
        let plan = (request.plan, spec_length);
        let rows = self.parts.complete(&self.folder, plan, manifest)?.rows;
        // The run is complete without it.
        let spare = takeover::spare_pieces(request, folder.path()).unwrap_or_default();
        if !spare.is_empty() {
            observer.remark(&Remark::SparePieces(spare));
        }
        Ok(Finish::Complete { folder, rows })
    }
}

/// Calls its function when it is dropped, also in a panic.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        self.0();
    }
}
