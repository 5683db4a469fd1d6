//! Words that every room shares, and the algorithms. Knows no file, no TOML, no clock.
//!
//! # Adding an algorithm
//! One file with a type that implements [`Algorithm`], its `mod` line, and one line in [`LISTED`];
//! for an exhaustive method see [`exact`].

pub mod board;
pub mod control;
pub mod cp;
pub mod density;
pub mod exact;
pub mod goal;
pub mod local;
pub mod placement;
pub mod rng;
pub mod variants;

pub use self::control::{Control, Gauge, Interrupted};

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use self::cp::algorithm::ConstraintProgramming;
use self::goal::{Goal, SearchCounts};
use self::local::LocalAlgorithm;
use self::local::cell::CellRule;
use self::local::pair::PairRule;
use self::local::relaxation::Relaxation;
use self::variants::Variants;

/// The algorithms that stand for themselves, one line each.
pub const LISTED: &[&dyn Algorithm] = &[
    &LocalAlgorithm::<CellRule>::NEW,
    &Relaxation::<CellRule>::NEW,
    &ConstraintProgramming,
    &LocalAlgorithm::<PairRule>::NEW,
    &Relaxation::<PairRule>::NEW,
];

/// Every algorithm that a spec may name: [`LISTED`], then the exhaustive methods.
pub static ALGORITHMS: LazyLock<Vec<&'static dyn Algorithm>> = LazyLock::new(|| {
    LISTED
        .iter()
        .copied()
        .chain(
            exact::algorithm::algorithms()
                .iter()
                .map(|method| method as &dyn Algorithm),
        )
        .collect()
});

/// The algorithm of this registry name, if there is one.
pub fn algorithm(name: &str) -> Option<&'static dyn Algorithm> {
    ALGORITHMS
        .iter()
        .copied()
        .find(|algorithm| algorithm.name() == name)
}

/// One way of looking for a solution: what it needs, what it tells, and one trial of it.
pub trait Algorithm: Sync {
    /// Registry name, as in a spec's `algorithm = "…"`.
    fn name(&self) -> &'static str;

    /// One line for `reines list --algorithms`.
    fn doc(&self) -> &'static str;

    /// The parameters; a spec is validated against these and the trial's stream is keyed by them.
    fn axes(&self) -> &[Axis];

    /// What a search can be asked for; empty where there is no search, as for the local rules. A
    /// search has no dynamics.
    fn goals(&self) -> &'static [Goal] {
        &[]
    }

    /// The variants that it comes in; `None` where there is one way only.
    fn variants(&self) -> Option<&dyn Variants> {
        None
    }

    /// Whether the trials of this variant (empty where there are none) differ. A search that draws
    /// nothing has one trial, whose counts are the same every time.
    fn is_random(&self, variant: &str) -> bool {
        self.variants().map_or(self.goals().is_empty(), |variants| {
            variants.is_random(variant)
        })
    }

    /// Whether a trial can write down its steps: [`Control::tracing`].
    fn traces(&self) -> bool {
        false
    }

    /// What a cutoff counts.
    fn cutoff_unit(&self) -> &'static str {
        if self.goals().is_empty() {
            "updates"
        } else {
            "checks"
        }
    }

    /// The columns of `trials.parquet` that this algorithm fills, and what each means for it.
    fn columns(&self) -> &[Column];

    /// Number of the definition. Raised when the distribution of any column changes on purpose, so
    /// that results under two definitions are never compared as if they were one.
    fn definition(&self) -> u32;

    /// Runs one trial: a pure function of `job` and `trial`.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop before the trial has ended; nothing of the trial
    /// is kept.
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
    /// What a search is for; `None` where there is none. Not part of the stream.
    pub goal: Option<Goal>,
}

impl Point {
    pub fn new(
        algorithm: &'static str,
        values: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        Self {
            algorithm,
            variant: String::new(),
            values: values.into_iter().collect(),
            goal: None,
        }
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
        self.goal
            .map_or(Ok(()), |goal| write!(f, " goal={}", goal.name()))
    }
}

/// How a rule's random process is simulated. Each has its own streams, so two dynamics never share
/// a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dynamics {
    /// Updates that change nothing are skipped: the same distribution of every observable for a
    /// fraction of the work.
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
    /// Updates allowed, or checks or nodes of a search; not part of the stream.
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
    /// Searched to the end: what was found is all there is.
    Exhausted,
    /// Found the one board that was wanted.
    Solved,
    /// Had neither ended nor reached its cutoff at its time limit. Depends on the machine.
    TimedOut,
}

impl Ending {
    /// Word in the `outcome` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absorbed => "absorbed",
            Self::Censored => "censored",
            Self::Exhausted => "exhausted",
            Self::Solved => "solved",
            Self::TimedOut => "timed-out",
        }
    }

    /// Whether the trial was stopped before its end: what it counted is a lower bound.
    pub fn is_cut_off(self) -> bool {
        matches!(self, Self::Censored | Self::TimedOut)
    }

    /// The ending of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Absorbed,
            Self::Censored,
            Self::Exhausted,
            Self::Solved,
            Self::TimedOut,
        ]
        .into_iter()
        .find(|ending| ending.name() == name)
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
    pub updates: Option<u64>,
    /// Final placement if it is a solution, or the first board of a search for one: the row of the
    /// queen in each column.
    pub solution: Option<Box<[u32]>>,
    /// What a search counted.
    pub counts: SearchCounts,
}

impl Outcome {
    /// An ending about which nothing else is known.
    pub fn ended(ending: Ending) -> Self {
        Self {
            ending,
            absorption_time: None,
            hitting_time: None,
            moves: None,
            moves_at_hit: None,
            updates: None,
            solution: None,
            counts: SearchCounts::default(),
        }
    }
}
