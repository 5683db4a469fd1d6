//! The link between a running trial and its caller: a flag that stops it, and what it reports.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Outcome;

/// The link between a running trial and its caller: a flag that stops it, and what it reports.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    stop: &'a AtomicBool,
    updates: &'a AtomicU64,
    gauge: Option<&'a Gauge>,
    show: Option<Show<'a>>,
    trace: Option<Write<'a>>,
}

/// Sees boards: the row of the queen in each column.
type Show<'a> = &'a (dyn Fn(&[u32]) + Sync);

/// Writes down a line of what happens.
type Write<'a> = &'a (dyn Fn(&str) + Sync);

/// How far a running trial has come: the facts of the trial as if its cutoff
/// were now.
#[derive(Debug, Default)]
pub struct Gauge {
    so_far: Mutex<Option<Outcome>>,
}

impl Gauge {
    /// What the trial has last noted; `None` if nothing yet.
    pub fn read(&self) -> Option<Outcome> {
        self.lock().clone()
    }

    /// Forgets one trial for the next.
    pub fn clear(&self) {
        *self.lock() = None;
    }

    /// An outcome is replaced as a whole, so that one whose writer panicked is still valid.
    fn lock(&self) -> MutexGuard<'_, Option<Outcome>> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Control<'a> {
    /// Steps between two polls of the flag, at most: Ctrl-C acts in well under a second.
    pub const POLL_INTERVAL: u64 = 1 << 16;

    /// A trial stops when `stop` is set, and adds its steps to `updates`.
    pub fn new(stop: &'a AtomicBool, updates: &'a AtomicU64) -> Self {
        Self {
            stop,
            updates,
            gauge: None,
            show: None,
            trace: None,
        }
    }

    /// For a trial that nobody stops or counts.
    pub fn unstopped() -> Control<'static> {
        static STOP: AtomicBool = AtomicBool::new(false);
        static UPDATES: AtomicU64 = AtomicU64::new(0);
        Control::new(&STOP, &UPDATES)
    }

    /// The same, for a trial whose progress can be read from `gauge`.
    pub fn watched(stop: &'a AtomicBool, updates: &'a AtomicU64, gauge: &'a Gauge) -> Self {
        Self {
            gauge: Some(gauge),
            ..Self::new(stop, updates)
        }
    }

    /// The same, with each board of a search for all of them shown.
    #[must_use]
    pub fn showing(self, show: Show<'a>) -> Self {
        Self {
            show: Some(show),
            ..self
        }
    }

    /// The same, with each step of a search written down, a line each, if its algorithm can:
    /// [`Algorithm::traces`](super::Algorithm::traces).
    #[must_use]
    pub fn tracing(self, trace: Write<'a>) -> Self {
        Self {
            trace: Some(trace),
            ..self
        }
    }

    /// Passes a board to the function of [`Control::showing`], if there is one.
    pub fn show(&self, board: &[u32]) {
        if let Some(show) = self.show {
            show(board);
        }
    }

    /// Whether [`Control::trace`] has a reader.
    pub fn traces(&self) -> bool {
        self.trace.is_some()
    }

    /// Writes down a line of what happens.
    pub fn trace(&self, line: &str) {
        if let Some(trace) = self.trace {
            trace(line);
        }
    }

    /// Notes how far the trial has come, if it has a gauge.
    pub fn note(&self, so_far: impl FnOnce() -> Outcome) {
        if let Some(gauge) = self.gauge {
            *gauge.lock() = Some(so_far());
        }
    }

    /// Counts `updates` more simulated updates for the progress display.
    ///
    /// # Errors
    /// [`Interrupted`] when the stop flag is set.
    pub fn poll(&self, updates: u64) -> Result<(), Interrupted> {
        self.updates.fetch_add(updates, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) {
            Err(Interrupted)
        } else {
            Ok(())
        }
    }
}

/// The most trials that run side by side on one thread.
pub const SEATS: usize = 16;

/// Where the trials of one point come from that run side by side, and where their outcomes go. Each
/// has a seat, which it keeps to its end and then leaves to another.
pub trait TrialSource {
    /// The next trial, its seed and its index, for this seat, one of [`SEATS`]; `None` if there is
    /// none at present.
    fn next(&mut self, seat: usize) -> Option<(u64, u32)>;

    /// How far the trial on a seat has come: its facts as if its cutoff were now.
    fn note(&mut self, seat: usize, so_far: &dyn Fn() -> Outcome);

    /// The trial on a seat has ended.
    ///
    /// # Errors
    /// [`Interrupted`] when no more trials are wanted.
    fn ended(&mut self, seat: usize, outcome: Outcome) -> Result<(), Interrupted>;
}

/// A trial was stopped before it had ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;
