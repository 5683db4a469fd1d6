//! How far a count is: a bar on a terminal, plain lines elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Method;
use crate::cli::progress::duration;
use crate::cli::stderr_is_terminal;
use crate::cli::terminal::say;
use crate::cli::text::spaced;

/// Between two looks at the count.
const LOOK: Duration = Duration::from_millis(200);

/// Time between two plain lines.
const LINE: Duration = Duration::from_secs(10);

/// What `count` returns; while it runs, shows how many of its checks are done.
pub(super) fn shown<T>(
    (n, quiet): (u32, bool),
    method: Method,
    progress: &AtomicU64,
    count: impl FnOnce() -> T,
) -> T {
    if quiet {
        return count();
    }
    let (ended, end) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || Display::new(n, method).follow(progress, &end));
        let counted = count();
        drop(ended);
        counted
    })
}

/// Shows one count.
struct Display {
    n: u32,
    method: Method,
    total: Option<u64>,
    started: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl Display {
    fn new(n: u32, method: Method) -> Self {
        let total = method.n_checks(n);
        Self {
            n,
            method,
            total,
            started: Instant::now(),
            last_line: Instant::now(),
            bar: stderr_is_terminal().then(|| bar(n, total)),
        }
    }

    fn follow(mut self, progress: &AtomicU64, end: &mpsc::Receiver<()>) {
        while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            self.look(progress.load(Ordering::Relaxed));
        }
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn look(&mut self, done: u64) {
        let state = state(self.method, done, self.total, self.started.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(state);
        } else if self.last_line.elapsed() >= LINE {
            self.last_line = Instant::now();
            say!("S({}): {state}", self.n);
        }
    }
}

fn bar(n: u32, total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "{prefix} {bar:20} {wide_msg}",
        None => "{prefix} {wide_msg}",
    };
    let style =
        ProgressStyle::with_template(template).expect("the template is a constant and valid");
    ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5))
        .with_style(style)
        .with_prefix(format!("S({n})"))
}

/// `1 000 of 92 504 sets of rows, about 3 min 07 s left`.
fn state(method: Method, done: u64, total: Option<u64>, elapsed: Duration) -> String {
    let (shown, checks) = (spaced(done), method.checks());
    let Some(total) = total else {
        return format!("{shown} {checks} in {}", duration(elapsed));
    };
    let left = if done == 0 {
        "? left".to_owned()
    } else {
        let share = total.saturating_sub(done) as f64 / done as f64;
        format!("about {} left", duration(elapsed.mul_f64(share)))
    };
    format!("{shown} of {} {checks}, {left}", spaced(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_with_a_total_has_a_time_left() {
        let minute = Duration::from_secs(60);
        let quadrants = |done| state(Method::Quadrants, done, Some(4000), minute);
        assert_eq!(
            quadrants(1000),
            "1 000 of 4 000 sets of rows, about 3 min 00 s left"
        );
        assert_eq!(quadrants(0), "0 of 4 000 sets of rows, ? left");
        assert_eq!(
            state(Method::Bitboard, 70, None, minute),
            "70 nodes in 1 min 00 s"
        );
    }
}
