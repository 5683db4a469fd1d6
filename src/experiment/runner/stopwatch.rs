//! How long a trial takes by the wall clock, and whether the thread worked all that time: a process
//! that was stopped, a machine that slept or is busy with other programs holds a trial up. What
//! counts as *held up* is decided here: longer than the processor time by more than half of that
//! and by more than 0.2 s. How often such a search is made again is in `workers.rs`.

use std::time::{Duration, Instant};

/// A time counts as held up if it is longer than the processor time by more than half of that, and
/// by so many seconds.
const LEAST_EXCESS: f64 = 0.2;
/// The processor time is a system call: it is read so often at most, unless a trial took long.
const REFRESHED: Duration = Duration::from_millis(10);

/// The clock of one thread's trials, one after the other.
#[derive(Debug)]
pub struct Stopwatch {
    begun: Instant,
    /// The thread's processor time at a moment not long before, and that moment.
    processor: (Instant, Duration),
    /// True if another process works on the trials: of what holds it up nothing is known.
    is_of_others: bool,
}

/// How long a trial took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lap {
    /// By the wall clock.
    pub seconds: f64,
    /// True if the thread did not work for a good part of it.
    pub is_held_up: bool,
}

impl Stopwatch {
    /// The first trial begins now.
    pub fn start() -> Self {
        let begun = Instant::now();
        Self {
            begun,
            processor: (begun, processor_time()),
            is_of_others: false,
        }
    }

    /// The first trial begins now, on which another process works.
    pub fn of_another_process() -> Self {
        Self {
            is_of_others: true,
            ..Self::start()
        }
    }

    /// The next trial begins now.
    pub fn restart(&mut self) {
        self.begin(Instant::now());
    }

    /// The trial has ended, and the next one begins.
    pub fn lap(&mut self) -> Lap {
        let now = Instant::now();
        let seconds = (now - self.begun).as_secs_f64();
        // What was worked in the instant before the trial counts as worked in it.
        let is_held_up = !self.is_of_others && seconds > LEAST_EXCESS && {
            let worked = processor_time().saturating_sub(self.processor.1);
            is_held_up(seconds, worked.as_secs_f64())
        };
        self.begin(now);
        Lap {
            seconds,
            is_held_up,
        }
    }

    fn begin(&mut self, now: Instant) {
        self.begun = now;
        if now - self.processor.0 > REFRESHED {
            self.processor = (now, processor_time());
        }
    }
}

/// True if a trial of so many seconds, in which the thread worked for so many, was held up.
fn is_held_up(seconds: f64, worked: f64) -> bool {
    seconds > 1.5 * worked && seconds - worked > LEAST_EXCESS
}

/// The processor time that this thread has used; without such a clock more than any, so that
/// nothing counts as held up.
fn processor_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes into `time`, which outlives it.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec);
    let nanoseconds = u32::try_from(time.tv_nsec);
    match (answer, seconds, nanoseconds) {
        (0, Ok(seconds), Ok(nanoseconds)) => Duration::new(seconds, nanoseconds),
        _ => Duration::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than half as much again, and more than 0.2 s.
    #[test]
    fn only_long_pauses_count() {
        let cases = [
            (0.3, 0.3, false),
            (6.4, 0.3, true),
            (0.5, 0.31, false),
            (0.52, 0.31, true),
            (1.4, 1.0, false),
            (1.6, 1.0, true),
            (0.15, 0.0, false),
        ];
        for (seconds, worked, expected) in cases {
            assert_eq!(is_held_up(seconds, worked), expected, "{seconds} {worked}");
        }
    }

    /// A thread that sleeps does not work; one that counts does.
    #[test]
    fn sleep_is_no_work() {
        let mut watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(300));
        let slept = watch.lap();
        assert!(slept.is_held_up && slept.seconds >= 0.3, "{slept:?}");
        let mut watch = Stopwatch::of_another_process();
        std::thread::sleep(Duration::from_millis(300));
        let waited = watch.lap();
        assert!(!waited.is_held_up && waited.seconds >= 0.3, "{waited:?}");
        let mut watch = Stopwatch::start();
        let before = processor_time();
        while processor_time() - before < Duration::from_millis(20) {}
        assert!(watch.lap().seconds >= 0.02);
    }
}
