//! What an algorithm is to the other modules, and the link between its running trial and the
//! caller.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::board::Board;
use super::course::{Course, Recording};
use super::goal::Goal;
use super::variants::Variants;
use super::{Axis, Column, Dynamics, Outcome, Point};

/// One way of looking for a solution: its parameters, its columns, and one trial of it.
pub trait Algorithm: Sync {
    /// Registry name, as in a spec's `algorithm = "…"`.
    fn name(&self) -> &'static str;

    /// One line for `reines list algorithms`.
    fn doc(&self) -> &'static str;

    /// The parameters; a spec is validated against these and the trial's stream is keyed by them.
    fn axes(&self) -> &[Axis];

    /// True if this variant (empty without variants) has the axis of this name, one of
    /// [`Algorithm::axes`]. A point has values on the axes of its variant alone.
    fn has_axis(&self, _variant: &str, _axis: &str) -> bool {
        true
    }

    /// True if the algorithm can only be simulated one update at a time: [`Dynamics::Stepwise`].
    /// Without meaning for a search.
    fn is_only_stepwise(&self) -> bool {
        false
    }

    /// The greatest n of a point whose trials can run side by side ([`Dynamics::Lanes`]); `None`
    /// where they cannot at any.
    fn n_max_in_lanes(&self) -> Option<u64> {
        None
    }

    /// The goals of a search; empty where there is no search, as for the local rules. A
    /// search has no dynamics.
    fn goals(&self) -> &'static [Goal] {
        &[]
    }

    /// The variants that it comes in; `None` where there is one way only, or where a variant is a
    /// condition.
    fn variants(&self) -> Option<&'static Variants> {
        None
    }

    /// True if a variant is a condition on the moves that need no coin, empty for SAFEGO.
    fn takes_condition(&self) -> bool {
        false
    }

    /// The variant that a text names, in its one form.
    ///
    /// # Errors
    /// Why there is none.
    fn variant(&self, text: &str) -> Result<String, String> {
        let none = || format!("the algorithm {} has no variants", self.name());
        let variants = self.variants().ok_or_else(none)?;
        variants.indices(text).map(|_| text.to_owned())
    }

    /// True if the trials of this variant (empty without variants) differ. A search that draws
    /// nothing has one trial, whose counts are the same every time.
    fn is_random(&self, variant: &str) -> bool {
        self.variants().map_or(self.goals().is_empty(), |variants| {
            variants.is_random(variant)
        })
    }

    /// How many sites an update of a local rule draws from on a board: pairs or cells. `None` for
    /// what is no local rule.
    fn sites(&self, _board: Board) -> Option<u64> {
        None
    }

    /// True if a trial can write down its steps: [`Control::tracing`].
    fn traces(&self) -> bool {
        false
    }

    /// What a cutoff counts; of what is no search also the unit of its times.
    fn cutoff_unit(&self) -> &'static str {
        if self.goals().is_empty() {
            "updates"
        } else {
            "checks"
        }
    }

    /// The columns of `trials.parquet` that this algorithm fills, and what each means for it.
    fn columns(&self) -> &[Column];

    /// The number of its definition. Raised when the distribution of any column changes on purpose,
    /// so that results under two numbers are never compared as if they were of one definition.
    fn definition(&self) -> u32 {
        1
    }

    /// The part of the sources (build/parts.rs) that its trials depend on, besides the engine and
    /// what the part uses. Only results of the present code are valid.
    fn part(&self) -> &'static str;

    /// Runs one trial: a pure function of `job` and `trial`.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` is stopped before the trial has ended; nothing of the trial
    /// is kept.
    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted>;

    /// True if a trial can write down its course: [`Algorithm::trials`].
    fn records_course(&self) -> bool {
        false
    }

    /// Runs trials of one point in one dynamics: what they share is made once, so that many of them
    /// take less time than by [`Algorithm::trial`].
    fn trials(&self, _point: &Point, _dynamics: Dynamics) -> Trials<'_> {
        Box::new(|job, trial, _, control| Ok((self.trial(job, trial, control)?, Course::default())))
    }

    /// Runs the trials of a source side by side until it has no more, each to its end or to the
    /// cutoff. What a trial is depends on its point, seed and index alone.
    ///
    /// # Errors
    /// As [`Algorithm::trial`], and when the source wants no more.
    ///
    /// # Panics
    /// Where [`Algorithm::n_max_in_lanes`] has no such n.
    fn run_side_by_side(
        &self,
        _point: &Point,
        _cutoff: u64,
        _trials: &mut dyn TrialSource,
        _control: &Control,
    ) -> Result<(), Interrupted> {
        unreachable!("{} has no lanes", self.name())
    }
}

/// [`Algorithm::trial`] for jobs of one point and dynamics, and what the recording asks for of the
/// course, on which the outcome does not depend. The course is empty where
/// [`Algorithm::records_course`] is false.
pub type Trials<'a> = Box<
    dyn Fn(&Job, u32, Recording, &Control) -> Result<(Outcome, Course), Interrupted>
        + Send
        + Sync
        + 'a,
>;

/// Everything but the trial index that a trial depends on.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// Algorithm, axis values, variant and goal.
    pub point: &'a Point,
    /// Seed of the experiment.
    pub seed: u64,
    /// Updates allowed, or checks or nodes of a search; not part of the stream.
    pub cutoff: u64,
    /// How a local rule is simulated; without effect on a search.
    pub dynamics: Dynamics,
}

/// The link between a running trial and its caller: a flag that stops it, and what it reports.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    stop: &'a AtomicBool,
    updates: &'a AtomicU64,
    show: Option<Show<'a>>,
    /// Writes down a line of what happens.
    trace: Option<&'a (dyn Fn(&str) + Sync)>,
}

/// Sees boards: the row of the queen in each column.
type Show<'a> = &'a (dyn Fn(&[u32]) + Sync);

impl<'a> Control<'a> {
    /// Steps between two polls of the flag, at most: Ctrl-C acts in well under a second.
    pub const POLL_INTERVAL: u64 = 1 << 16;

    /// A trial stops when `stop` is set, and adds its steps to `updates`.
    pub fn new(stop: &'a AtomicBool, updates: &'a AtomicU64) -> Self {
        Self {
            stop,
            updates,
            show: None,
            trace: None,
        }
    }

    /// The control of a trial that is never stopped and whose updates are not counted.
    pub fn unstopped() -> Control<'static> {
        static STOP: AtomicBool = AtomicBool::new(false);
        static UPDATES: AtomicU64 = AtomicU64::new(0);
        Control::new(&STOP, &UPDATES)
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
    /// [`Algorithm::traces`].
    #[must_use]
    pub fn tracing(self, trace: &'a (dyn Fn(&str) + Sync)) -> Self {
        Self {
            trace: Some(trace),
            ..self
        }
    }

    /// Passes a board to the function of [`Control::showing`]; without one the board is not made.
    pub fn show(&self, board: impl FnOnce() -> Box<[u32]>) {
        if let Some(show) = self.show {
            show(&board());
        }
    }

    /// True if [`Control::trace`] has a reader.
    pub fn traces(&self) -> bool {
        self.trace.is_some()
    }

    /// Writes down a line of what happens.
    pub fn trace(&self, line: &str) {
        if let Some(trace) = self.trace {
            trace(line);
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

/// The most trials that run side by side on one thread, each in a lane of its own.
pub const LANES_PER_THREAD: usize = 16;

/// The source of the trials of one point that run side by side on one thread, and the receiver of
/// their outcomes. A trial keeps its lane until it ends; then the next trial gets the lane.
pub trait TrialSource {
    /// The next trial, its seed and its index, for this lane, which is below [`LANES_PER_THREAD`];
    /// `None` if there is none at present.
    fn next(&mut self, lane: usize) -> Option<(u64, u32)>;

    /// The trial in a lane has ended.
    ///
    /// # Errors
    /// [`Interrupted`] when no more trials are wanted.
    fn ended(&mut self, lane: usize, outcome: Outcome) -> Result<(), Interrupted>;
}

/// A trial was stopped before it had ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;
