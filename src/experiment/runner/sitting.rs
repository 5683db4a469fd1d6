//! One process's work on a plan: trials in parallel, their rows into parts, and the parts into
//! tables.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::in_flight::InFlight;
use super::ledger::{Ledger, TrialId};
use super::schedule::{Lengths, Missing};
use super::turns::Turns;
use super::{Observer, Progress, Remark, Request, takeover, time_limit};
use crate::experiment::plan::{Plan, PlannedPoint};
use crate::experiment::provenance::Manifest;
use crate::experiment::store::folder::{LockedFolder, RunFolder};
use crate::experiment::store::parts::Parts;
use crate::experiment::store::{Record, Row, StoreError};
use crate::solver::{self, Control, Gauge, Interrupted, Job, Outcome};

/// Finished trials are saved at least this often,
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// and when a point has ended, though not more often than this: a plan may have 100 000 points.
const POINT_INTERVAL: Duration = Duration::from_millis(250);
/// Finished trials that wait in memory to be saved, at most: of tiny trials, 10 seconds bring
/// millions.
const MOST_UNSAVED: usize = 1 << 17;
/// Finished trials on the way from the simulating threads, at most; while the disk is slow they
/// wait.
const MOST_UNDERWAY: usize = 1 << 12;
/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(200);

/// One process's work on a plan.
pub struct Sitting<'a> {
    plan: &'a Plan,
    folder: LockedFolder,
    parts: Parts,
    ledger: Ledger<'a>,
    lengths: Lengths,
    unsaved: Vec<Record>,
    /// Whether a point has ended since the last save.
    point_ended: bool,
    progress: Progress,
}

/// A trial that has ended, and its wall-clock time.
struct Finished {
    id: TrialId,
    outcome: Outcome,
    seconds: f64,
}

/// What the simulating threads share.
struct Shared<'a> {
    plan: &'a Plan,
    lengths: &'a Lengths,
    stop: &'a AtomicBool,
    updates: AtomicU64,
    in_flight: InFlight,
}

impl<'a> Sitting<'a> {
    /// Takes over what earlier sittings saved.
    pub fn resume(
        request: &Request<'a>,
        folder: LockedFolder,
        observer: &mut dyn Observer,
    ) -> Result<Self, StoreError> {
        let plan = request.plan;
        loop {
            let (mut ledger, lengths) = (
                Ledger::new(plan, request.shard, request.rule),
                Lengths::unknown(plan),
            );
            let (parts, set_aside) = folder.take_over_parts(&mut |records| {
                let mut enter = |record: &Record| {
                    let trial = ledger.trial(record);
                    trial.inspect(|&id| {
                        ledger.enter(id, record.row.outcome.absorption_time);
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

    pub fn folder(&self) -> &RunFolder {
        self.folder.folder()
    }

    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Takes over what other runs of the experiment have of the missing trials.
    ///
    /// # Errors
    /// Those of saving; another run that is damaged is left alone, with a remark.
    pub fn take_over(
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
                self.unsaved.push(record);
                if self.unsaved.len() >= MOST_UNSAVED {
                    parts.save(&mut self.unsaved)?;
                    self.unsaved.clear();
                }
            }
            Ok(is_new)
        })?;
        remarks.iter().for_each(|remark| observer.remark(remark));
        self.count();
        self.progress.resumed = self.progress.trials;
        self.save()
    }

    /// The ledger with all rows of other runs in it. Only from all of them follows how many a
    /// sequential point asks for, and so which are its own.
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

    /// What there is to say of the precision that was asked for.
    pub fn precision_remark(&self) -> Option<Remark> {
        let imprecise = self.ledger.imprecise();
        let named = |(point, precision): (usize, f64)| {
            (self.plan.points[point].point.to_string(), precision)
        };
        (!imprecise.is_empty()).then(|| Remark::Imprecise {
            points: imprecise.into_iter().map(named).collect(),
        })
    }

    /// Runs the missing trials until they are done or `stop` is set; saves on the way and at the
    /// end.
    pub fn simulate(
        &mut self,
        pool: &ThreadPool,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        let plan = self.plan;
        // What the threads know of the trials' lengths goes on from what is known now.
        let lengths = std::mem::replace(&mut self.lengths, Lengths::unknown(plan));
        let missing =
            [false, true].map(|alone| Missing::new(plan, self.ledger.clone(), &lengths, alone));
        let in_flight = InFlight::new(pool.current_num_threads());
        let shared = Shared {
            plan,
            lengths: &lengths,
            stop,
            updates: AtomicU64::new(0),
            in_flight,
        };
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(MOST_UNDERWAY);
            scope.spawn(|| shared.run(missing, pool, sender));
            let collected = self.collect(receiver, &shared, observer);
            if collected.is_err() {
                // The disk failed: nothing more can be kept, so nothing more is simulated.
                stop.store(true, Ordering::Relaxed);
            }
            collected
        })
    }

    /// The tables and the manifest.
    pub fn complete(&mut self, manifest: Manifest) -> Result<Manifest, StoreError> {
        self.folder.complete(
            &self.parts,
            self.progress.total,
            &super::timed_points(self.plan),
            manifest,
        )
    }

    /// Receives trials until the simulating threads have hung up. The receiver is dropped at the
    /// end, so that threads that wait for room in the channel hear of a failure.
    fn collect(
        &mut self,
        receiver: Receiver<Finished>,
        shared: &Shared,
        observer: &mut dyn Observer,
    ) -> Result<(), StoreError> {
        let (mut last_save, mut last_tick) = (Instant::now(), Instant::now());
        observer.progress(self.progress);
        loop {
            let message = receiver.recv_timeout(TICK);
            let disconnected = matches!(message, Err(RecvTimeoutError::Disconnected));
            if let Ok(finished) = message {
                self.take(finished);
            }
            if disconnected || last_tick.elapsed() >= TICK {
                self.progress.updates = shared.updates.load(Ordering::Relaxed);
                observer.progress(self.progress);
                last_tick = Instant::now();
            }
            if disconnected || self.is_due(last_save.elapsed()) {
                // Whoever has ended since the look is still on the way, or has been taken: no trial
                // is missed.
                let running = shared.in_flight.look();
                receiver.try_iter().for_each(|finished| self.take(finished));
                self.save()?;
                self.save_running(running)?;
                last_save = Instant::now();
            }
            if disconnected {
                return Ok(());
            }
        }
    }

    fn take(
        &mut self,
        Finished {
            id,
            outcome,
            seconds,
        }: Finished,
    ) {
        self.ledger.enter(id, outcome.absorption_time);
        self.point_ended |= self.ledger.is_complete(id.point);
        self.unsaved.push(self.record(id, outcome, seconds));
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
        }
    }

    fn is_due(&self, since_save: Duration) -> bool {
        self.unsaved.len() >= MOST_UNSAVED
            || since_save
                >= if self.point_ended {
                    POINT_INTERVAL
                } else {
                    SAVE_INTERVAL
                }
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
        }
        self.point_ended = false;
        Ok(())
    }
}

impl Shared<'_> {
    /// Sends each missing trial as it ends, first those that run beside each other; returns when
    /// all have ended or the run was asked to stop, which the collector sees by the count.
    fn run(
        &self,
        [beside, mut alone]: [Missing; 2],
        pool: &ThreadPool,
        sender: SyncSender<Finished>,
    ) {
        let turns = Turns::new(beside);
        pool.broadcast(|_| {
            while let Some(turn) = turns.next() {
                // An interrupted one is dropped, which ends the turns of all.
                if let Ok(absorption_time) = self.run_one(turn.id, &sender) {
                    turn.end(absorption_time);
                }
            }
        });
        // One at a time, so that nothing disturbs their times.
        let _ = pool.install(|| alone.try_for_each(|id| self.run_one(id, &sender).map(drop)));
    }

    /// Runs a trial and sends its row; returns its absorption time, if it has one.
    fn run_one(
        &self,
        id: TrialId,
        sender: &SyncSender<Finished>,
    ) -> Result<Option<u64>, Interrupted> {
        let (planned, slot) = (&self.plan.points[id.point], self.in_flight.slot());
        let control = Control::watched(self.stop, &self.updates, slot.gauge())
            .on_all_threads(planned.timing.parallel);
        control.poll(0)?;
        slot.begin(id);
        let finished = run_trial(planned, id, &control, slot.gauge())?;
        self.lengths.count(id.point, finished.seconds);
        let absorption_time = finished.outcome.absorption_time;
        // A collector that has hung up has set the stop flag.
        let sent = sender.send(finished).map_err(|_| Interrupted);
        slot.end();
        sent.map(|()| absorption_time)
    }
}

fn run_trial(
    planned: &PlannedPoint,
    id: TrialId,
    control: &Control,
    gauge: &Gauge,
) -> Result<Finished, Interrupted> {
    let algorithm = solver::algorithm(planned.point.algorithm)
        .expect("a plan is made of registered algorithms");
    let job = Job {
        point: &planned.point,
        seed: id.seed,
        cutoff: planned.cutoff,
        dynamics: planned.dynamics,
    };
    let trial = |control: &Control| algorithm.trial(&job, id.trial, control);
    let (outcome, time) = match planned.timing.time_limit {
        None => {
            let start = Instant::now();
            (trial(control)?, start.elapsed())
        }
        Some(limit) => time_limit::within(limit.duration(), control, gauge, trial)?,
    };
    Ok(Finished {
        id,
        outcome,
        seconds: time.as_secs_f64(),
    })
}
