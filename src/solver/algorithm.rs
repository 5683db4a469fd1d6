//! What an algorithm is to the other modules: data, and one function that makes it ready to run
//! trials of a point; and the link between a running trial and its caller. Decided here: what each
//! field of an [`Algorithm`] means (axes, variants, columns, definition number, warning), how often
//! a trial polls for Ctrl-C, and how many trials run side by side on a thread (16). The list of
//! algorithms is in `registry.rs`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::board::Board;
use super::course::{Change, Course};
use super::outcome::ABSORPTION_TIME;
use super::variants::Variants;
use super::{Axis, Column, Dynamics, Outcome, Point};

/// One way of looking for a solution: its parameters, its columns, and the function that makes it
/// ready. A row of a list; what a row does not set is that of `Algorithm::UNNAMED`.
pub struct Algorithm {
    /// Registry name, as in a spec's `algorithm = "…"`.
    pub name: &'static str,
    /// One line for `reines list algorithms`.
    pub doc: &'static str,
    /// The parameters; a spec is validated against these and the trial's stream is keyed by them.
    pub axes: &'static [Axis],
    /// The axes that a variant lacks: the variant and the name of the axis.
    pub lacking: &'static [(&'static str, &'static str)],
    /// The variants that it comes in; `None` where there is one way only, or where a variant is a
    /// condition.
    pub variants: Option<&'static Variants>,
    /// The one form of a text that is a condition on the moves that need no coin, empty for SAFEGO,
    /// or why it is none; `None` where no variant is a condition.
    pub condition: Option<ConditionForm>,
    /// True if it is a search, which has every [`Goal`](crate::goal::Goal) and no dynamics.
    pub is_search: bool,
    /// What a cutoff counts; of what is no search also the unit of its times.
    pub cutoff_unit: &'static str,
    /// True if every update is simulated, in [`Dynamics::Stepwise`] alone.
    pub is_only_stepwise: bool,
    /// The axis that says how large a point is: the largest run first, and trials may be a list of
    /// one number for each of its values. It need not be among the axes.
    pub size: &'static str,
    /// The columns of which the greatest says how long a trial took that was not cut off, in what
    /// its cutoff counts.
    pub lengths: &'static [&'static str],
    /// What is allowed at a point and probably not wanted, in a sentence; `None` where there is
    /// nothing.
    pub warning: Option<fn(&Point) -> Option<String>>,
    /// What a variant has behind it where all trials start in a given position; `None` where they
    /// cannot.
    pub start: Option<StartForm>,
    /// The function that runs trials of a point in [`Dynamics::Lanes`].
    pub side_by_side: Option<SideBySide>,
    /// How many sites an update of a local rule draws from on a board: pairs or cells. `None` for
    /// what is no local rule.
    pub sites: Option<fn(Board) -> u64>,
    /// How many cells are read if each site of a board is updated once, or in a step of what counts
    /// steps; a cell counts again in each update that reads it. `None` for what is no rule on
    /// cells.
    pub reads: Option<fn(Board) -> u64>,
    /// What enumerates the law of one update in a variant; `None` where there is none.
    pub law: Option<LawOf>,
    /// True if a trial can write down its course: [`Control::observing`].
    pub records_course: bool,
    /// The columns of `trials.parquet` that this algorithm fills, and what each means for it.
    pub columns: &'static [Column],
    /// The number of its definition. Raised when the distribution of any column changes on purpose,
    /// so that results under two numbers are never compared as if they were of one definition.
    pub definition: u32,
    /// The part of the sources (build.rs) that its trials depend on, besides the engine and
    /// what the part uses; empty for an algorithm of another package. Only results of the present
    /// code are valid.
    pub part: &'static str,
    /// The version of an algorithm of another package, which stands for the hash of its part: a
    /// word that changes when its trials do. Where it is empty, the hash of the running program
    /// stands for it, so that changed code never shows old rows. Empty for one of this package.
    pub version: &'static str,
    /// Makes what all trials of a point in a dynamics share; a search has none.
    pub prepare: &'static Prepare,
}

/// The function that makes a point ready to run its trials.
pub type Prepare = dyn Fn(&Point, Option<Dynamics>) -> Prepared + Send + Sync;

/// How long a search took: its checks or nodes, whichever its cutoff counts.
pub const LENGTHS_OF_SEARCHES: &[&str] = &["checks", "nodes"];

/// The law of one update: 8 hex digits for each group of states, by the group's name. Laws are the
/// same where all digits are (`local/law.rs`).
pub type Law = BTreeMap<String, String>;

/// The function that enumerates the law of a variant.
pub type LawOf = fn(&str) -> Law;

/// What stands behind a variant for the rows of a position, and whether what its cells know of each
/// other is true from the start; or what is expected of a position.
pub type StartForm = fn(&[String], bool) -> Result<String, &'static str>;

/// Runs the trials of a source at a point up to a cutoff, side by side, until the source has no
/// more.
pub type SideBySide = fn(&Point, &mut dyn TrialSource, u64, &Control) -> Result<(), Interrupted>;

/// The one form of a condition, or why a text is none.
pub type ConditionForm = fn(&str) -> Result<String, String>;

impl Algorithm {
    /// What most algorithms have in common.
    pub const UNNAMED: Self = Self {
        name: "",
        doc: "",
        axes: &[],
        lacking: &[],
        variants: None,
        condition: None,
        is_search: false,
        cutoff_unit: "updates",
        is_only_stepwise: false,
        size: "n",
        lengths: &[ABSORPTION_TIME],
        warning: None,
        start: None,
        side_by_side: None,
        sites: None,
        reads: None,
        law: None,
        records_course: false,
        columns: &[],
        definition: 1,
        part: "",
        version: "",
        prepare: &|point, _| panic!("{point}: no such algorithm"),
    };

    /// True if this variant (empty without variants) has the axis of this name, one of
    /// [`Algorithm::axes`]. A point has values on the axes of its variant alone.
    pub fn has_axis(&self, variant: &str, axis: &str) -> bool {
        !self.lacking.contains(&(variant, axis))
    }

    /// The variant that a text names, in its one form.
    ///
    /// # Errors
    /// Why there is none.
    pub fn variant(&self, text: &str) -> Result<String, String> {
        match (self.condition, self.variants) {
            (Some(form), _) => form(text),
            (None, Some(variants)) => variants.indices(text).map(|_| text.to_owned()),
            (None, None) => Err(format!("the algorithm {} has no variants", self.name)),
        }
    }

    /// True if the trials of this variant (empty without variants) differ. A search that draws
    /// nothing has one trial, whose counts are the same every time.
    pub fn is_random(&self, variant: &str) -> bool {
        self.variants
            .map_or(!self.is_search, |variants| variants.is_random(variant))
    }
}

/// What says which trial of a point it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Seed of the experiment.
    pub seed: u64,
    /// Index of the trial among those of the seed.
    pub trial: u32,
}

/// The facts of a trial and what it wrote down of its course, unless it was stopped or has failed.
pub type TrialResult = Result<(Outcome, Course), TrialError>;

/// Why a trial has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrialError {
    /// It was stopped before it had ended.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// What should have made it cannot, as a sentence says: a program that has ended, a library
    /// that is missing. No rule or search of this package fails.
    #[error("{0}")]
    Failed(String),
}

/// An algorithm that is ready to run the trials of one point in one dynamics: the function that
/// runs one of them to its end or to the cutoff (in [`Algorithm::cutoff_unit`]).
///
/// The outcome is a pure function of the point, the dynamics, the key and the cutoff, on which what
/// the control records has no effect; the course is empty where [`Algorithm::records_course`] is
/// false. A [`TrialError`] when the control is stopped before the trial has ended, or the trial has
/// failed; nothing of it is kept.
pub type Prepared = Box<dyn Fn(Key, u64, &Control) -> TrialResult + Send + Sync>;

/// The link between a running trial and its caller: a flag that stops it, and what it reports.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    stop: &'a AtomicBool,
    updates: &'a AtomicU64,
    show: Option<Show<'a>>,
    moments: &'a [u64],
    /// Sees every update that changes something, in order.
    watch: Option<Watch<'a>>,
    is_shared: bool,
}

/// Sees boards: the row of the queen in each column.
type Show<'a> = &'a (dyn Fn(&[u32]) + Sync);

/// Sees the changes of a trial.
pub(crate) type Watch<'a> = &'a (dyn Fn(Change) + Sync);

impl<'a> Control<'a> {
    /// Steps between two polls of the flag, at most: Ctrl-C acts in well under a second.
    pub const POLL_INTERVAL: u64 = 1 << 16;

    /// A trial stops when `stop` is set, and adds its steps to `updates`.
    pub fn new(stop: &'a AtomicBool, updates: &'a AtomicU64) -> Self {
        Self {
            stop,
            updates,
            show: None,
            moments: &[],
            watch: None,
            is_shared: false,
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

    /// The same, for a trial that may use all threads of the pool in which it runs, if its
    /// algorithm can; of an experiment's trials each has one.
    #[must_use]
    pub fn sharing_work(self) -> Self {
        Self {
            is_shared: true,
            ..self
        }
    }

    /// True if a trial may use all threads of its pool.
    pub(crate) fn shares_work(&self) -> bool {
        self.is_shared
    }

    /// The same, with the state of a trial observed after these numbers of updates, strictly
    /// ascending (0 is the start), if its algorithm can: [`Algorithm::records_course`].
    #[must_use]
    pub fn observing(self, moments: &'a [u64]) -> Self {
        Self { moments, ..self }
    }

    /// The same, with each update of a local rule that changes something shown, in order.
    #[must_use]
    pub fn watching(self, watch: &'a (dyn Fn(Change) + Sync)) -> Self {
        Self {
            watch: Some(watch),
            ..self
        }
    }

    /// What [`Control::observing`] and [`Control::watching`] ask for.
    pub(crate) fn asked(&self) -> (&'a [u64], Option<Watch<'a>>) {
        (self.moments, self.watch)
    }

    /// Passes a board to the function of [`Control::showing`]; without one the board is not made.
    pub fn show(&self, board: impl FnOnce() -> Box<[u32]>) {
        if let Some(show) = self.show {
            show(&board());
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

/// The source of the trials of one point that run on one thread, and the receiver of what they
/// gave. A trial keeps its lane until it ends; then the next trial gets the lane.
pub trait TrialSource {
    /// The next trial, for this lane, which is below [`LANES_PER_THREAD`]; `None` if there is none
    /// at present.
    fn next(&mut self, lane: usize) -> Option<Key>;

    /// The trial in a lane has ended.
    ///
    /// # Errors
    /// [`Interrupted`] when no more trials are wanted.
    fn ended(&mut self, lane: usize, gave: (Outcome, Course)) -> Result<(), Interrupted>;
}

/// A trial was stopped before it had ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;
