//! The threads that run the missing trials, and the lock that they share.

mod side_by_side;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

pub use self::side_by_side::runs_in_lanes;
use super::schedule::{Schedule, TrialId};
use crate::experiment::plan::PlannedPoint;
use crate::experiment::store::Record;
use crate::solver::course::{Course, Recording};
use crate::solver::{self, Control, Interrupted, Key, Outcome, Prepared};

/// The schedule behind its lock.
pub struct Shared<'a> {
    state: Mutex<SharedState<'a>>,
    /// The signal to the threads: there is space for ended trials, or the run is over.
    changed: Condvar,
    /// The signal to the thread that saves: many trials have ended, or all.
    arrived: Condvar,
    /// Each point made ready, from its first trial on.
    prepared: Vec<OnceLock<Box<dyn Prepared>>>,
    stop: &'a AtomicBool,
    /// Updates, or checks or nodes, of all threads so far.
    pub updates: AtomicU64,
    /// Moves that were written down so far, those of running trials among them.
    pub written: AtomicU64,
}

pub struct SharedState<'a> {
    pub schedule: Schedule<'a>,
    /// A trial did not come to its end: no more are to run.
    pub is_over: bool,
    /// Nothing more is saved.
    pub is_closed: bool,
    /// The threads have come to their end.
    pub all_ended: bool,
}

impl<'a> Shared<'a> {
    pub fn new(schedule: Schedule<'a>, stop: &'a AtomicBool) -> Self {
        let points = &schedule.plan.points;
        Self {
            prepared: points.iter().map(|_| OnceLock::new()).collect(),
            state: Mutex::new(SharedState {
                schedule,
                is_over: false,
                is_closed: false,
                all_ended: false,
            }),
            changed: Condvar::new(),
            arrived: Condvar::new(),
            stop,
            updates: AtomicU64::new(0),
            written: AtomicU64::new(0),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, SharedState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn into_schedule(self) -> Schedule<'a> {
        let state = self.state.into_inner();
        state.unwrap_or_else(PoisonError::into_inner).schedule
    }

    /// Waits until there is something to save soon, for this time at most.
    pub fn wait(&self, within: Duration) -> MutexGuard<'_, SharedState<'a>> {
        let is_quiet = |state: &mut SharedState| !state.all_ended && !state.schedule.is_full(1);
        let arrived = &self.arrived;
        let waited = arrived.wait_timeout_while(self.lock(), within, is_quiet);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Takes what has ended.
    pub fn drain(&self, state: &mut SharedState) -> Vec<Record> {
        let ended = state.schedule.take_ended();
        self.changed.notify_all();
        ended
    }

    /// Ends the run for all threads, or says that all have come to their end.
    pub fn end(&self, end: impl FnOnce(&mut SharedState)) {
        end(&mut self.lock());
        self.changed.notify_all();
        self.arrived.notify_all();
    }

    /// Runs the missing trials, those that run with nothing beside them after the others; returns
    /// when all have ended or the run is stopped.
    pub fn run(&self, pool: &ThreadPool) {
        self.lock().schedule.begin(false);
        pool.broadcast(|_| self.work());
        self.lock().schedule.begin(true);
        pool.install(|| self.work());
    }

    /// Runs trials while there are any. A dropped claim, as of an interrupted one, ends the run.
    fn work(&self) {
        while let Some(claim) = self.claim(None) {
            let planned = claim.planned;
            // The errors are those of dropped claims.
            let _ = if runs_in_lanes(planned) {
                self.run_in_lanes(claim)
            } else {
                self.run_one(claim)
            };
        }
    }

    /// The next trial, of this point alone if one is given; `None` when there is none.
    fn claim(&self, point: Option<usize>) -> Option<Claim<'_, 'a>> {
        let mut state = self.lock();
        if state.is_over {
            return None;
        }
        let id = match point {
            Some(point) => state.schedule.next_at(point),
            None => state.schedule.next(),
        }?;
        let start = Instant::now();
        Some(Claim {
            shared: self,
            planned: &state.schedule.plan.points[id.point],
            id,
            start,
            has_ended: false,
        })
    }

    fn prepared(&self, point: usize, planned: &PlannedPoint) -> &dyn Prepared {
        let prepare = || solver::prepare(&planned.point, planned.dynamics);
        &**self.prepared[point].get_or_init(prepare)
    }

    fn run_one(&self, claim: Claim<'_, 'a>) -> Result<(), Interrupted> {
        let Claim { planned, id, .. } = claim;
        let control = Control::new(self.stop, &self.updates);
        control.poll(0)?;
        let key = Key {
            seed: id.seed,
            trial: id.trial,
        };
        let control = control.recording(Recording {
            written: Some(&self.written),
            ..planned.recording()
        });
        let prepared = self.prepared(id.point, planned);
        let run = || {
            let start = Instant::now();
            let ended = prepared.trial(key, planned.cutoff, &control)?;
            Ok((ended, start.elapsed().as_secs_f64()))
        };
        let (ended, first) = run()?;
        let mut seconds = vec![first];
        for _ in 1..planned.runs_per_trial() {
            let (again, next) = run()?;
            assert_eq!(
                again.0, ended.0,
                "trial {} of {} is no function of them",
                id.trial, planned.point
            );
            seconds.push(next);
        }
        claim.end(ended, seconds)
    }
}

fn wait<'m, T>(condition: &Condvar, locked: MutexGuard<'m, T>) -> MutexGuard<'m, T> {
    let waited = condition.wait(locked);
    waited.unwrap_or_else(PoisonError::into_inner)
}

/// A trial that one thread runs.
struct Claim<'s, 'a> {
    shared: &'s Shared<'a>,
    planned: &'a PlannedPoint,
    id: TrialId,
    start: Instant,
    has_ended: bool,
}

impl Claim<'_, '_> {
    /// The trial has ended; waits while too many others are not saved.
    fn end(mut self, ended: (Outcome, Course), seconds: Vec<f64>) -> Result<(), Interrupted> {
        let Shared {
            changed, arrived, ..
        } = self.shared;
        let mut state = self.shared.lock();
        while state.schedule.is_full(2) && !state.is_closed {
            state = wait(changed, state);
        }
        if state.is_closed {
            // Before the claim, which locks it again.
            drop(state);
            return Err(Interrupted);
        }
        self.has_ended = true;
        let schedule = &mut state.schedule;
        let was_full = schedule.is_full(1);
        let record = schedule.record(self.id, ended, seconds);
        schedule.add(self.id, record);
        let is_full = schedule.is_full(1) && !was_full;
        drop(state);
        if is_full {
            arrived.notify_one();
        }
        Ok(())
    }
}

impl Drop for Claim<'_, '_> {
    /// Ends the run if the trial was interrupted or has panicked: no thread may wait for it.
    fn drop(&mut self) {
        if !self.has_ended {
            self.shared.end(|state| state.is_over = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::experiment::plan::Plan;
    use crate::solver::{DynamicsChoice, Ending};

    fn plan(trials: &str) -> Plan {
        let text = format!(
            "seed = 1\n[[sweep]]\nalgorithm = \"pair\"\nn = 4\nepsilon = 0.01\ntrials = {trials}\ncutoff = 10\n"
        );
        Plan::example(&text, DynamicsChoice::Auto)
    }

    fn with_shared(plan: &Plan, use_it: impl FnOnce(&Shared)) {
        let stop = AtomicBool::new(false);
        let mut schedule = Schedule::new(plan);
        schedule.begin(false);
        use_it(&Shared::new(schedule, &stop));
    }

    fn ended(absorption_time: u64) -> (Outcome, Course) {
        let mut outcome = Outcome::ended(Ending::Absorbed);
        outcome.absorption_time = Some(absorption_time);
        (outcome, Course::default())
    }

    /// Four threads end 300 000 trials, which is more than may wait: each is drained once.
    #[test]
    fn every_trial_is_drained_once_while_threads_wait_for_room() {
        with_shared(&plan("300_000"), |shared| {
            let mut seen = vec![0; 300_000];
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(move || {
                        while let Some(claim) = shared.claim(None) {
                            claim.end(ended(3), vec![0.0]).expect("all is well");
                        }
                    });
                }
                while seen.contains(&0) {
                    let mut state = shared.wait(Duration::from_millis(20));
                    let records = shared.drain(&mut state);
                    drop(state);
                    assert!(records.len() <= 2 << 16);
                    let trials = records.iter().map(|it| it.row.trial as usize);
                    trials.for_each(|trial| seen[trial] += 1);
                }
            });
            assert!(seen.iter().all(|&times| times == 1));
        });
    }

    #[test]
    fn a_thread_that_waits_for_room_goes_on_when_nothing_more_is_saved() {
        with_shared(&plan("300_000"), |shared| {
            thread::scope(|scope| {
                let ending = scope.spawn(|| {
                    let claims = std::iter::from_fn(|| shared.claim(None));
                    claims
                        .map(|it| it.end(ended(3), vec![0.0]))
                        .find(Result::is_err)
                });
                while !shared.lock().schedule.is_full(2) {
                    thread::yield_now();
                }
                shared.end(|state| state.is_closed = true);
                assert!(ending.join().expect("no panic there").is_some());
            });
        });
    }
}
