//! One attempt at a run: one process that goes on from what is saved, has the missing trials
//! simulated, saves their rows in parts, and makes the tables of the parts when all are there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::handover::{Handover, Receiver};
use super::ledger::{Ledger, TrialId};
use super::schedule::{Lengths, Missing};
use super::simulation::{Finished, Simulation, most_underway};
use super::{Finish, Observer, Progress, Remark, Request, RunError, takeover};
use crate::experiment::plan::Plan;
use crate::experiment::store::folder::LockedFolder;
use crate::experiment::store::parts::Parts;
use crate::experiment::store::{Record, Row, StoreError};
use crate::solver::course::Course;
use crate::solver::{Gpu, Outcome};

/// Finished trials are saved at least this often,
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// and when a point has ended, though not more often than this: a plan may have 100 000 points.
const POINT_INTERVAL: Duration = Duration::from_millis(250);
/// Finished trials that wait in memory to be saved, at most: of tiny trials, 10 seconds bring
/// millions.
const MOST_UNSAVED: usize = 1 << 17;
/// Observations and moves that wait in memory to be saved, about.
const MOST_IN_COURSES: usize = 1 << 20;
/// Finished trials are taken from the simulating threads at least this often.
const RECEIVE_INTERVAL: Duration = Duration::from_millis(50);
/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);

/// One attempt at a run.
pub struct Attempt<'a> {
    plan: &'a Plan,
    folder: LockedFolder,
    parts: Parts,
    ledger: Ledger<'a>,
    lengths: Lengths,
    unsaved: Vec<Record>,
    /// Observations and moves of those.
    in_courses: usize,
    /// Moves that were written down in all.
    moves: u64,
    /// As many may be.
    most_moves: u64,
    /// Whether a point has ended since the last save.
    point_ended: bool,
    progress: Progress,
}

impl<'a> Attempt<'a> {
    /// Goes on from what earlier attempts saved and, unless every trial is to run anew, from what
    /// other runs of the experiment have.
    ///
    /// # Errors
    /// Those of reading the folder and of saving.
    pub fn begin(
        request: &Request<'a>,
        folder: LockedFolder,
        observer: &mut dyn Observer,
    ) -> Result<Self, StoreError> {
        for orphan in folder.tidy()? {
            observer.remark(&orphan.into());
        }
        folder.save_spec(&request.run.spec.text)?;
        let mut attempt = Self::resume(request, folder, observer)?;
        if !request.force {
            attempt.take_over(request, observer)?;
        }
        Ok(attempt)
    }

    /// Takes over what earlier attempts saved.
    fn resume(
        request: &Request<'a>,
        folder: LockedFolder,
        observer: &mut dyn Observer,
    ) -> Result<Self, StoreError> {
        let plan = request.run.plan;
        loop {
            let (mut ledger, lengths) = (
                Ledger::new(plan, request.shard, request.run.rule),
                Lengths::unknown(plan),
            );
            let mut moves = 0;
            let (parts, set_aside) = folder.take_over_parts(&mut |records| {
                let mut enter = |record: &Record| {
                    let trial = ledger.trial(record);
                    trial.inspect(|&id| {
                        if ledger.enter(id, record.row.outcome.absorption_time) {
                            moves += record.course.moves.len() as u64;
                        }
                        lengths.count(id.point, record.seconds);
                    })
                };
                records.iter().all(|record| enter(record).is_some())
            })?;
            if set_aside.is_empty() {
                let resumed = ledger.total();
                let progress = Progress {
                    trials: resumed,
                    resumed,
                    total: ledger.expected(),
                    may_grow: ledger.may_grow(),
                    updates: 0,
                };
                return Ok(Self {
                    plan,
                    folder,
                    parts,
                    ledger,
                    lengths,
                    unsaved: Vec::new(),
                    in_courses: 0,
                    moves,
                    most_moves: most_moves(request),
                    point_ended: false,
                    progress,
                });
            }
            // Rows of a part that was refused midway must not count: once more, without it.
            set_aside
                .into_iter()
                .for_each(|part| observer.remark(&part.into()));
        }
    }

    /// Takes over what other runs of the experiment have of the missing trials. Another run that is
    /// damaged is left alone, with a remark.
    fn take_over(
        &mut self,
        request: &Request,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        if self.progress.trials == self.progress.total {
            return Ok(());
        }
        let foreseen = self.foresee(request)?;
        let Self {
            ledger,
            lengths,
            parts,
            ..
        } = self;
        let own = self.folder.folder().path();
        let remarks = takeover::take_over(request, own, &mut |record, id| {
            let is_new = id.trial < foreseen.limit(id.point)
                && ledger.enter(id, record.row.outcome.absorption_time);
            if is_new {
                lengths.count(id.point, record.seconds);
                self.in_courses += record.course.entries();
                self.moves += record.course.moves.len() as u64;
                self.unsaved.push(record);
                if self.unsaved.len() >= MOST_UNSAVED || self.in_courses >= MOST_IN_COURSES {
                    parts.save(&mut self.unsaved)?;
                    self.unsaved.clear();
                    self.in_courses = 0;
                }
            }
            Ok(is_new)
        })?;
        remarks.iter().for_each(|remark| observer.remark(remark));
        self.count();
        self.progress.resumed = self.progress.trials;
        self.save()
    }

    /// The ledger with all rows of other runs in it. Only from all of them follows how many trials
    /// a sequential point needs, and so which are its own.
    fn foresee(&self, request: &Request) -> Result<Ledger<'a>, StoreError> {
        let mut ledger = self.ledger.clone();
        if ledger.may_grow() {
            let own = self.folder.folder().path();
            takeover::take_over(request, own, &mut |record, id| {
                Ok(ledger.enter(id, record.row.outcome.absorption_time))
            })?;
        }
        Ok(ledger)
    }

    /// Runs the missing trials until they are done or `stop` is set; saves on the way and at the
    /// end.
    ///
    /// # Errors
    /// Those of saving, and a thread that cannot be started; the simulation then stops.
    pub fn simulate(
        &mut self,
        pool: &ThreadPool,
        gpu: Option<&Gpu>,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let plan = self.plan;
        // The threads go on counting from the lengths that are known now.
        let lengths = std::mem::replace(&mut self.lengths, Lengths::unknown(plan));
        let missing =
            [false, true].map(|alone| Missing::new(plan, self.ledger.clone(), &lengths, alone));
        let simulation = Simulation::new(plan, &lengths, stop, pool.current_num_threads(), gpu);
        let handover = Handover::of_at_most(most_underway(plan));
        thread::scope(|scope| {
            let (sender, receiver) = handover.ends();
            let simulating = || simulation.run(missing, pool, sender);
            thread::Builder::new()
                .spawn_scoped(scope, simulating)
                .map_err(RunError::Thread)?;
            let mut end = StopUnless {
                stop,
                is_well: false,
            };
            self.collect(receiver, &simulation, stop, observer)?;
            end.is_well = true;
            Ok(())
        })
    }

    /// Whether more moves were written down than may be; then nothing more is to run.
    pub fn has_too_many_moves(&self) -> bool {
        self.moves > self.most_moves
    }

    /// The error of which [`Self::has_too_many_moves`] is the reason.
    pub fn too_many_moves(&self) -> RunError {
        RunError::TooManyMoves {
            folder: self.folder.folder().path().into(),
            most: self.most_moves,
        }
    }

    /// Makes the tables and the manifest, if no trial is missing.
    ///
    /// # Errors
    /// Those of reading the parts and of writing the tables; what was saved stays.
    pub fn end(
        self,
        request: &Request,
        started: String,
        threads: usize,
        observer: &mut dyn Observer,
    ) -> Result<Finish, StoreError> {
        let (folder, progress) = (self.folder.folder().clone(), self.progress);
        if progress.trials < progress.total {
            return Ok(Finish::Interrupted { folder, progress });
        }
        let imprecise = self.imprecise();
        if !imprecise.is_empty() {
            observer.remark(&Remark::Imprecise { points: imprecise });
        }
        let mut manifest = request.run.manifest(request.shard, started, threads);
        manifest.machine.device = request.gpu.map(|gpu| gpu.name().to_owned());
        let manifest = self.folder.complete(
            &self.parts,
            progress.total,
            request.run.course_tables(),
            manifest,
        )?;
        Ok(Finish::Complete {
            folder,
            rows: manifest.rows,
        })
    }

    /// The points that have all their trials and not their precision, and that precision.
    fn imprecise(&self) -> Vec<(String, f64)> {
        let named = |(point, precision): (usize, f64)| {
            (self.plan.points[point].point.to_string(), precision)
        };
        self.ledger.imprecise().into_iter().map(named).collect()
    }

    /// Receives trials until the simulating threads have dropped their sender. The receiver is
    /// dropped at the end, so that threads that wait for room go on after a failure.
    fn collect(
        &mut self,
        receiver: Receiver,
        simulation: &Simulation,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        let (mut last_save, mut last_tick) = (Instant::now(), Instant::now());
        let mut received = Vec::new();
        observer.progress(self.progress);
        loop {
            let all_sent = receiver.receive(&mut received, RECEIVE_INTERVAL);
            received.drain(..).for_each(|finished| self.take(finished));
            if self.has_too_many_moves() {
                stop.store(true, Ordering::Relaxed);
            }
            if all_sent || last_tick.elapsed() >= TICK {
                self.progress.updates = simulation.updates.load(Ordering::Relaxed);
                observer.progress(self.progress);
                last_tick = Instant::now();
            }
            if all_sent || self.is_due(last_save.elapsed()) {
                // A trial that has ended since then waits to be received, or has been taken: none
                // is missed.
                let running = simulation.in_flight.running();
                receiver.receive(&mut received, Duration::ZERO);
                received.drain(..).for_each(|finished| self.take(finished));
                self.save()?;
                self.save_running(running)?;
                last_save = Instant::now();
            }
            if all_sent {
                return Ok(());
            }
        }
    }

    fn take(
        &mut self,
        Finished {
            id,
            outcome,
            course,
            seconds,
        }: Finished,
    ) {
        self.ledger.enter(id, outcome.absorption_time);
        self.point_ended |= self.ledger.is_complete(id.point);
        self.in_courses += course.entries();
        self.moves += course.moves.len() as u64;
        let record = self.record(id, outcome, seconds);
        self.unsaved.push(Record { course, ..record });
        self.count();
    }

    fn count(&mut self) {
        let Self {
            progress, ledger, ..
        } = self;
        (progress.trials, progress.total, progress.may_grow) =
            (ledger.total(), ledger.expected(), ledger.may_grow());
    }

    fn record(&self, id: TrialId, outcome: Outcome, seconds: f64) -> Record {
        let row = Row {
            seed: id.seed,
            trial: id.trial,
            cutoff: self.plan.points[id.point].cutoff,
            outcome,
        };
        Record {
            point: self.ledger.key(id.point),
            row,
            repeat: id.repeat,
            seconds,
            course: Course::default(),
        }
    }

    fn is_due(&self, since_save: Duration) -> bool {
        self.unsaved.len() >= MOST_UNSAVED
            || self.in_courses >= MOST_IN_COURSES
            || since_save >= save_interval(self.point_ended)
    }

    /// Saves how far the trials are that have not ended: what is drawn before the end would be
    /// biased without them.
    fn save_running(&mut self, running: Vec<(TrialId, Outcome)>) -> Result<(), StoreError> {
        let unfinished = running
            .into_iter()
            .filter(|&(id, _)| !self.ledger.is_finished(id));
        let mut records: Vec<Record> = unfinished
            .map(|(id, so_far)| self.record(id, so_far, f64::NAN))
            .collect();
        self.parts.save_running(&mut records)
    }

    /// Saves what no part holds yet.
    fn save(&mut self) -> Result<(), StoreError> {
        if !self.unsaved.is_empty() {
            self.parts.save(&mut self.unsaved)?;
            self.unsaved.clear();
            self.in_courses = 0;
        }
        self.point_ended = false;
        Ok(())
    }
}

/// Stops the simulation when collecting its trials has failed, in whatever way: nothing more can be
/// kept, so nothing more is simulated.
struct StopUnless<'a> {
    stop: &'a AtomicBool,
    is_well: bool,
}

impl Drop for StopUnless<'_> {
    fn drop(&mut self) {
        if !self.is_well {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// A shard may write down its part of what the run may.
fn most_moves(request: &Request) -> u64 {
    let shards = request.shard.map_or(1, |shard| shard.count().into());
    request.most_moves / shards
}

/// How long finished trials may wait for being saved.
fn save_interval(point_ended: bool) -> Duration {
    if point_ended {
        POINT_INTERVAL
    } else {
        SAVE_INTERVAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_that_has_ended_is_saved_soon() {
        assert!(save_interval(true) < Duration::from_secs(1));
        assert!(save_interval(false) > Duration::from_secs(5));
    }
}
