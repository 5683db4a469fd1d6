//! Words that every room shares, and the algorithms. Knows no file, no TOML, no clock.
//!
//! # Adding an algorithm
//! One file with a type that implements [`Algorithm`], its `mod` line, and one line in [`ALGORITHMS`].

pub mod board;
pub mod density;
pub mod exact;
pub mod local;
pub mod placement;
pub mod rng;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::local::LocalAlgorithm;
use self::local::cell::CellRule;
use self::local::pair::PairRule;

/// Every algorithm that a spec may name, one line each.
pub const ALGORITHMS: &[&dyn Algorithm] = &[&LocalAlgorithm::<CellRule>::NEW, &LocalAlgorithm::<PairRule>::NEW];

/// The algorithm of this registry name, if there is one.
pub fn algorithm(name: &str) -> Option<&'static dyn Algorithm> {
    ALGORITHMS.iter().copied().find(|algorithm| algorithm.name() == name)
}

/// One way of looking for a solution: what it needs, what it tells, and one trial of it.
pub trait Algorithm: Sync {
    /// Registry name, as in a spec's `algorithm = "…"`.
    fn name(&self) -> &'static str;

    /// One line for `reines list --algorithms`.
    fn doc(&self) -> &'static str;

    /// The parameters; a spec is validated against these and the trial's stream is keyed by them.
    fn axes(&self) -> &'static [Axis];

    /// The columns of `trials.parquet` that this algorithm fills, and what each means for it.
    fn columns(&self) -> &'static [Column];

    /// Number of the definition. Raised when the distribution of any column changes on purpose, so that
    /// results under two definitions are never compared as if they were one.
    fn definition(&self) -> u32;

    /// Runs one trial: a pure function of `job` and `trial`.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop before the trial has ended; nothing of the trial is kept.
    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted>;
}

/// A parameter of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Key in the spec and column in the results.
    pub name: &'static str,
    pub domain: Domain,
    pub doc: &'static str,
}

/// The values that an axis allows, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    Integer { min: u64, max: u64 },
    Real { min: f64, max: f64 },
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { min, max } => write!(f, "an integer from {min} to {max}"),
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
        }
    }
}

/// A column of the results as an algorithm fills it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    /// `updates`, `moves`, …; empty for what has none.
    pub unit: &'static str,
    pub doc: &'static str,
}

/// A value on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Integer(u64),
    /// Never NaN and never −0: [`Value::real`] is the way in.
    Real(f64),
}

impl Value {
    /// A real value, −0 taken as 0.
    ///
    /// # Panics
    /// On NaN, which no axis allows.
    pub fn real(value: f64) -> Self {
        assert!(!value.is_nan(), "NaN is on no axis");
        Self::Real(value + 0.0)
    }
}

impl fmt::Display for Value {
    /// Shortest decimal that parses to the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
        }
    }
}

/// An algorithm and a value for each of its axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Registry name.
    pub algorithm: &'static str,
    /// The variant's acronym, empty where the algorithm has none.
    pub variant: String,
    /// Axis name → value; ordered by name, as the stream's encoding needs it.
    pub values: BTreeMap<&'static str, Value>,
}

impl Point {
    pub fn new(algorithm: &'static str, values: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        Self { algorithm, variant: String::new(), values: values.into_iter().collect() }
    }

    /// The integer on axis `name`, if the point has one there.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.values.get(name) {
            Some(Value::Integer(value)) => Some(*value),
            _ => None,
        }
    }

    /// The real number on axis `name`, if the point has one there.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.values.get(name) {
            Some(Value::Real(value)) => Some(*value),
            _ => None,
        }
    }
}

impl fmt::Display for Point {
    /// `pair n=8 epsilon=0.01`: the axes in the order in which the algorithm declares them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm)?;
        if !self.variant.is_empty() {
            write!(f, " {}", self.variant)?;
        }
        let declared = algorithm(self.algorithm).map_or(&[][..], |algorithm| algorithm.axes());
        for axis in declared {
            if let Some(value) = self.values.get(axis.name) {
                write!(f, " {}={value}", axis.name)?;
            }
        }
        Ok(())
    }
}

/// How a rule's random process is simulated. Each has its own streams, so two dynamics never share a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dynamics {
    /// Updates that change nothing are skipped: the same distribution of every observable for a fraction of the work.
    RejectionFree,
    /// One update at a time: the plain reference.
    Stepwise,
}

impl Dynamics {
    /// Name in manifests, plans and the stream's domain tag.
    pub fn name(self) -> &'static str {
        match self {
            Self::RejectionFree => "rejection-free",
            Self::Stepwise => "stepwise",
        }
    }
}

/// How the dynamics of a point is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DynamicsChoice {
    /// The faster one, by a fixed function of the point: [`local::auto`].
    #[default]
    Auto,
    RejectionFree,
    Stepwise,
}

impl DynamicsChoice {
    pub const ALL: [Self; 3] = [Self::Auto, Self::RejectionFree, Self::Stepwise];

    /// Word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::RejectionFree => Dynamics::RejectionFree.name(),
            Self::Stepwise => Dynamics::Stepwise.name(),
        }
    }

    /// The dynamics to simulate `point` with.
    pub fn at(self, point: &Point) -> Dynamics {
        match self {
            Self::Auto => local::auto(point),
            Self::RejectionFree => Dynamics::RejectionFree,
            Self::Stepwise => Dynamics::Stepwise,
        }
    }
}

/// Everything but the trial index that a trial depends on.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    pub point: &'a Point,
    pub seed: u64,
    /// Updates allowed; not part of the stream.
    pub cutoff: u64,
    pub dynamics: Dynamics,
}

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Reached an absorbed configuration within the cutoff.
    Absorbed,
    /// Still running at its cutoff.
    Censored,
}

impl Ending {
    /// Word in the `outcome` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absorbed => "absorbed",
            Self::Censored => "censored",
        }
    }

    /// The ending of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Absorbed, Self::Censored].into_iter().find(|ending| ending.name() == name)
    }
}

/// The facts of one trial; `None` where a column does not apply or the event did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub ending: Ending,
    /// Updates until absorption.
    pub absorption_time: Option<u64>,
    /// Updates until the positions first formed a solution.
    pub hitting_time: Option<u64>,
    /// Queen moves up to min(absorption, cutoff).
    pub moves: Option<u64>,
    /// Queen moves up to the hit, the move that hits included.
    pub moves_at_hit: Option<u64>,
    /// Updates simulated: the absorption time or the cutoff.
    pub updates: u64,
    /// Final placement if it is a solution: the row of the queen in each column.
    pub solution: Option<Box<[u8]>>,
}

/// What a running trial listens to and reports to.
#[derive(Debug)]
pub struct Control<'a> {
    stop: &'a AtomicBool,
    updates: &'a AtomicU64,
    gauge: Option<&'a Gauge>,
}

/// Where others can read how far a running trial has come: the facts of the trial as if its cutoff were now.
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

    /// An outcome is replaced as a whole, so that one whose writer panicked is still a right one.
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Outcome>> {
        self.so_far.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl<'a> Control<'a> {
    /// Steps between two polls of the stop flag, at most: Ctrl-C acts in well under a second.
    pub const POLL_INTERVAL: u64 = 1 << 16;

    pub fn new(stop: &'a AtomicBool, updates: &'a AtomicU64) -> Self {
        Self { stop, updates, gauge: None }
    }

    /// The same, for a trial that others watch.
    pub fn watched(stop: &'a AtomicBool, updates: &'a AtomicU64, gauge: &'a Gauge) -> Self {
        Self { stop, updates, gauge: Some(gauge) }
    }

    /// Notes how far the trial has come, if anybody watches it; once for each poll will do.
    pub fn note(&self, so_far: impl FnOnce() -> Outcome) {
        if let Some(gauge) = self.gauge {
            *gauge.lock() = Some(so_far());
        }
    }

    /// Counts `updates` more simulated updates for the progress display.
    ///
    /// # Errors
    /// [`Interrupted`] when the trial has been asked to stop.
    pub fn poll(&self, updates: u64) -> Result<(), Interrupted> {
        self.updates.fetch_add(updates, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}

/// A trial was asked to stop before it had ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;
