//! How far a count is: a bar on a terminal, plain lines elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::progress::{LINE_INTERVAL, bar, duration};
use crate::cli::stderr_is_terminal;
use crate::cli::terminal::say;
use crate::cli::text::spaced;
use crate::solver::exact::methods::quadrants::n_sets;

/// Between two looks at the count.
const LOOK: Duration = Duration::from_millis(200);

/// What `count` returns; while it runs, shows how many of its sets of rows are done.
pub(super) fn shown<T>(n: u32, done: &AtomicU64, count: impl FnOnce() -> T) -> T {
    let (ended, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || follow(n, done, &end));
        let counted = count();
        drop(ended);
        counted
    })
}

fn follow(n: u32, done: &AtomicU64, end: &Receiver<()>) {
    let (total, started) = (n_sets(n as usize), Instant::now());
    let bar = stderr_is_terminal().then(|| bar(&format!("S({n})"), total));
    let mut last_line = started;
    while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let done = done.load(Ordering::Relaxed);
        let state = state(done, total, started.elapsed());
        if let Some(bar) = &bar {
            bar.set_position(done);
            bar.set_message(state);
        } else if last_line.elapsed() >= LINE_INTERVAL {
            last_line = Instant::now();
            say!("S({n}): {state}");
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// `1 000 of 92 504 sets of rows, about 3 min 07 s left`.
fn state(done: u64, total: u64, elapsed: Duration) -> String {
    let left = if done == 0 {
        "?".to_owned()
    } else {
        let share = total.saturating_sub(done) as f64 / done as f64;
        format!("about {}", duration(elapsed.mul_f64(share)))
    };
    let (done, total) = (spaced(done), spaced(total));
    format!("{done} of {total} sets of rows, {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_a_time_left() {
        let at = |done| state(done, 4000, Duration::from_secs(60));
        let expected = "1\u{202f}000 of 4\u{202f}000 sets of rows, about 3 min 00 s left";
        assert_eq!(at(1000), expected);
        assert!(at(0).ends_with(", ? left"));
    }
}
