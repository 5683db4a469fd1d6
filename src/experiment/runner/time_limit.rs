//! A trial and a clock: the one place where the time of day can end a trial.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::solver::{Control, Ending, Gauge, Interrupted, Outcome};

/// Runs a trial until it ends or `limit` has passed. Then its outcome is what it noted last in
/// `gauge`, as [`Ending::TimedOut`]. The thread that waits beside it wakes when either has
/// happened; starting and ending that thread is not in the trial's time.
///
/// # Errors
/// [`Interrupted`] when `control` is stopped, even after the limit: nothing of the trial is kept.
pub fn within(
    limit: Duration,
    control: &Control,
    gauge: &Gauge,
    trial: impl FnOnce(&Control) -> Result<Outcome, Interrupted>,
) -> Result<(Outcome, Duration), Interrupted> {
    let time_is_up = AtomicBool::new(false);
    let (ended, time) = thread::scope(|scope| {
        let (started, clock) = mpsc::channel();
        scope.spawn(|| set_when_passed(limit, clock, &time_is_up));
        let start = Instant::now();
        // The clock waits on its channel until `started` is dropped.
        let _ = started.send(start);
        let ended = trial(&control.until(&time_is_up));
        (ended, start.elapsed())
    });
    match ended {
        Err(Interrupted) if control.poll(0).is_ok() => {
            let so_far = gauge
                .read()
                .unwrap_or_else(|| Outcome::ended(Ending::TimedOut));
            Ok((
                Outcome {
                    ending: Ending::TimedOut,
                    ..so_far
                },
                time,
            ))
        }
        ended => ended.map(|outcome| (outcome, time)),
    }
}

/// Waits for the start, then until `limit` has passed since, and sets the flag; ends early when the
/// sender is dropped.
fn set_when_passed(limit: Duration, clock: Receiver<Instant>, flag: &AtomicBool) {
    let Ok(start) = clock.recv() else { return };
    if clock.recv_timeout(limit.saturating_sub(start.elapsed())) == Err(RecvTimeoutError::Timeout) {
        flag.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(1000);

    /// Polls until it is asked to stop, or `polls` times.
    fn counting(control: &Control, polls: u64) -> Result<Outcome, Interrupted> {
        for updates in 0..polls {
            control.note(|| Outcome {
                updates: Some(updates),
                ..Outcome::ended(Ending::Censored)
            });
            control.poll(1)?;
        }
        Ok(Outcome::ended(Ending::Exhausted))
    }

    #[test]
    fn a_trial_that_has_not_ended_in_time_is_stopped() {
        let (stop, updates, gauge) = (AtomicBool::new(false), AtomicU64::new(0), Gauge::default());
        let control = Control::watched(&stop, &updates, &gauge);
        let (outcome, time) = within(SHORT, &control, &gauge, |control| {
            counting(control, u64::MAX)
        })
        .expect("nothing stops the run");
        assert!(time >= SHORT);
        // Counted from 0 in the notes, from 1 by the polls.
        assert_eq!(
            (outcome.ending, outcome.updates),
            (Ending::TimedOut, Some(updates.load(Ordering::Relaxed) - 1))
        );
        let silent = |control: &Control| loop {
            control.poll(1)?;
        };
        gauge.clear();
        let (outcome, _) = within(SHORT, &control, &gauge, silent).expect("nothing stops the run");
        assert_eq!(outcome, Outcome::ended(Ending::TimedOut));
    }

    /// The clock does not keep waiting for its thousand seconds, or the test would.
    #[test]
    fn a_trial_that_ends_in_time_keeps_its_outcome() {
        let (stop, updates, gauge) = (AtomicBool::new(false), AtomicU64::new(0), Gauge::default());
        let control = Control::watched(&stop, &updates, &gauge);
        let (outcome, _) = within(LONG, &control, &gauge, |control| counting(control, 1000))
            .expect("nothing stops the run");
        assert_eq!(outcome, Outcome::ended(Ending::Exhausted));
    }

    #[test]
    fn an_interrupted_run_keeps_no_trial_for_its_time() {
        let (stop, updates, gauge) = (AtomicBool::new(true), AtomicU64::new(0), Gauge::default());
        let control = Control::watched(&stop, &updates, &gauge);
        for limit in [Duration::ZERO, LONG] {
            assert_eq!(
                within(limit, &control, &gauge, |control| counting(
                    control,
                    u64::MAX
                )),
                Err(Interrupted)
            );
        }
    }
}
