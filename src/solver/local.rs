//! The local rules of the source text and the ways to simulate them.
//!
//! A rule says what an update of a site does to a configuration ([`configuration`]). Each rule of
//! the list ([`rules`]) has its [`sites`]; a point's variant is a condition ([`condition`]), made
//! into a table ([`certainty`]), which says which moves need no coin. A dynamics draws the updates:
//! one by one ([`stepwise`]), only those that change something (`rejection_free`), or many trials
//! side by side ([`lanes`]). All dynamics share the observables ([`observe`]), and a recorder may
//! follow a trial (`record`, [`changes`]).
//!
//! # Adding a rule
//! Another condition is a line of a spec (docs/rules.md). Other sites or another update need a type
//! with [`sites::LocalRule`] in `sites/`, and a row in the table of [`rules`].

pub mod certainty;
pub mod changes;
pub mod condition;
pub mod configuration;
pub mod lanes;
pub mod observe;
mod record;
mod rejection_free;
pub(super) mod relaxation;
pub mod rules;
pub mod sites;
pub mod stepwise;

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(super) mod samples;
#[cfg(test)]
pub(super) mod symmetry;
#[cfg(test)]
mod tests;

use self::condition::Condition;
use self::configuration::Configuration;
use self::lanes::{Instructions, SideBySide};
use self::observe::Recorder;
use self::record::CourseRecorder;
use self::sites::LocalRule;
use super::board::Board;
use super::rng::{Chance, TrialStream};
use super::{
    Algorithm, Axis, Column, Control, Domain, Dynamics, Interrupted, Job, Outcome, Point,
    TrialSource, Trials,
};

pub(super) const N: Axis = Axis::side(64);
pub(super) const EPSILON: Axis = Axis {
    name: "epsilon",
    symbol: "ε",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability ε that a queen makes a dangerous move",
};
pub(super) const ETA: Axis = Axis {
    name: "eta",
    symbol: "η",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability η that the destination is any neighbour, not one of least ω",
};

/// The board of a point of a local rule.
///
/// # Panics
/// When the point has no n from 1 to 64.
pub(super) fn board(point: &Point) -> Board {
    Board::new(point.side())
}

/// The probability on this axis of a point.
///
/// # Panics
/// When the point has no probability there.
pub(super) fn chance(point: &Point, axis: &Axis) -> Chance {
    Chance::new(
        point
            .real(axis.name)
            .expect("a point was validated against its algorithm's axes, and this is one of them"),
    )
}

/// The columns that every local rule fills.
const COLUMNS: &[Column] = &[
    Column::named("absorption_time"),
    Column::named("hitting_time"),
    Column::named("moves"),
    Column::named("moves_at_hit"),
    Column::named("updates"),
    Column::named("solution"),
    Column::named("dangerous_moves"),
    Column::named("needless_moves"),
    Column::named("deceived_moves"),
    Column::named("entries"),
];

/// The faster, at `point`, of the two dynamics that run one trial after the other. It is fixed in
/// code and never measured at run time, since the trials' streams depend on it.
///
/// A change costs the rejection-free dynamics as much as some 4 or 5 updates cost the stepwise one;
/// the share of updates that change something grows with ε. So each rule says up to which ε the
/// rejection-free dynamics is taken: [`Registered::rejection_free_up_to`].
pub(crate) fn one_by_one(point: &Point) -> Dynamics {
    let up_to = rule(&point.algorithm).map(|rule| rule.rejection_free_up_to);
    match (up_to, point.real(EPSILON.name)) {
        (Some(up_to), Some(epsilon)) if epsilon > up_to => Dynamics::Stepwise,
        _ => Dynamics::RejectionFree,
    }
}

/// True if `auto` takes lanes at `point`, by [`Registered::lanes`]. This is fixed in code, as
/// [`one_by_one`] is.
pub(crate) fn takes_lanes(point: &Point) -> bool {
    let (n, epsilon) = (point.integer(N.name), point.real(EPSILON.name));
    let at = rule(&point.algorithm).zip(n).zip(epsilon);
    point.variant.is_empty()
        && at.is_some_and(|((rule, n), epsilon)| {
            lanes::on_boards_of(rule.lanes, n).is_some_and(|(most, _)| epsilon <= most)
        })
}

/// The local rule of this name; `None` for any other algorithm.
pub fn rule(name: &str) -> Option<&'static Registered> {
    rules::REGISTERED.iter().find(|rule| rule.name == name)
}

/// The names of the local rules, which are the algorithms that can be replayed.
pub fn names() -> impl Iterator<Item = &'static str> {
    rules::REGISTERED.iter().map(|rule| rule.name)
}

/// A row of the table of [`rules`]: a local rule as an algorithm of the registry.
pub struct Registered {
    /// Registry name.
    pub name: &'static str,
    /// One line for `reines list algorithms`.
    pub doc: &'static str,
    /// The parameters of the rule.
    pub axes: &'static [Axis],
    /// The version of the rule's definition: [`Algorithm::definition`].
    definition: u32,
    /// The greatest ε at which [`super::DynamicsChoice::Auto`], where it does not take lanes, takes
    /// the rejection-free dynamics and not the stepwise one. Near this ε both take the same time.
    /// A trial depends on its dynamics, so this value never changes for a rule that has results.
    pub rejection_free_up_to: f64,
    /// The runners in lanes, that for boards of one word first, each with the greatest ε at which
    /// [`super::DynamicsChoice::Auto`] takes it. Near this ε lanes and the faster other dynamics
    /// take the same time with AVX2. These values never change either.
    lanes: &'static [(f64, SideBySide)],
    #[cfg(test)]
    rule: fn() -> std::any::TypeId,
    sites_on: fn(Board) -> u64,
    one_by_one: fn(&Point, Board, Dynamics) -> OneByOne,
}

/// Simulates a trial of one point up to a cutoff, from this start with these random numbers,
/// stepwise or rejection-free.
type OneByOne = Box<
    dyn Fn(
            Configuration,
            u64,
            TrialStream,
            Option<&mut dyn Recorder>,
            &Control,
        ) -> Result<Outcome, Interrupted>
        + Send
        + Sync,
>;

/// Runs a trial of one point: [`Registered::run`].
type Runner = Box<
    dyn Fn(
            &Job,
            u32,
            Option<Configuration>,
            Option<&mut dyn Recorder>,
            &Control,
        ) -> Result<Outcome, Interrupted>
        + Send
        + Sync,
>;

impl Registered {
    /// The fields that follow from a rule's type, for a row that sets the others.
    const fn of<R: LocalRule>() -> Self {
        Self {
            name: "",
            doc: "",
            axes: &[],
            rejection_free_up_to: 0.01,
            lanes: &[],
            definition: 1,
            #[cfg(test)]
            rule: std::any::TypeId::of::<R>,
            sites_on: R::sites_on,
            one_by_one: one_by_one_of::<R>,
        }
    }

    /// Runs one trial: a pure function of `job`, `trial` and the start. With another start than its
    /// own, the trial takes the random numbers that follow those of its own start.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop.
    pub fn run(
        &self,
        job: &Job,
        trial: u32,
        start: Option<Configuration>,
        recorder: Option<&mut dyn Recorder>,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        self.runner(job.point, job.dynamics)(job, trial, start, recorder, control)
    }

    /// The runner of all jobs of this point in this dynamics.
    fn runner(&self, point: &Point, dynamics: Dynamics) -> Runner {
        if dynamics == Dynamics::Lanes {
            let lanes = self.side_by_side(point);
            return Box::new(move |job, trial, start, recorder, control| {
                lanes::alone(lanes, job, trial, start, recorder, control)
            });
        }
        let one_by_one = (self.one_by_one)(point, board(point), dynamics);
        Box::new(move |job, trial, start, recorder, control| {
            let (own, stream) = own_start(job.point, job.dynamics, job.seed, trial);
            one_by_one(start.unwrap_or(own), job.cutoff, stream, recorder, control)
        })
    }

    /// The function that runs trials of this point.
    ///
    /// # Panics
    /// When the point has no lanes ([`Point::no_lanes`]).
    pub fn side_by_side(&self, point: &Point) -> SideBySide {
        let found = lanes::on_boards_of(self.lanes, point.side() as u64);
        found.expect("a plan takes lanes where there are some").1
    }
}

impl Algorithm for Registered {
    fn name(&self) -> &'static str {
        self.name
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn axes(&self) -> &'static [Axis] {
        self.axes
    }

    fn takes_condition(&self) -> bool {
        true
    }

    fn variant(&self, text: &str) -> Result<String, String> {
        let condition = Condition::parse(text).map_err(|error| error.to_string())?;
        Ok(condition.variant())
    }

    fn sites(&self, board: Board) -> Option<u64> {
        Some((self.sites_on)(board))
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn definition(&self) -> u32 {
        self.definition
    }

    fn part(&self) -> &'static str {
        "local"
    }

    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        self.run(job, trial, None, None, control)
    }

    fn n_max_in_lanes(&self) -> Option<u64> {
        lanes::n_max(self.lanes)
    }

    fn run_side_by_side(
        &self,
        point: &Point,
        cutoff: u64,
        trials: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<(), Interrupted> {
        let fastest = Instructions::fastest();
        self.side_by_side(point)(fastest, point, cutoff, trials, None, None, control)
    }

    fn records_course(&self) -> bool {
        true
    }

    fn trials(&self, point: &Point, dynamics: Dynamics) -> Trials<'_> {
        let runner = self.runner(point, dynamics);
        Box::new(move |job, trial, recording, control| {
            let mut recorder = CourseRecorder::new(recording);
            let following = (!recording.is_empty()).then_some(&mut recorder as &mut dyn Recorder);
            let outcome = runner(job, trial, None, following, control)?;
            Ok((outcome, recorder.course))
        })
    }
}

/// A trial's own start, and the random stream after it.
fn own_start(
    point: &Point,
    dynamics: Dynamics,
    seed: u64,
    trial: u32,
) -> (Configuration, TrialStream) {
    let mut stream = TrialStream::new(&domain(dynamics), seed, point, trial);
    let start = Configuration::random_start(board(point), &mut stream);
    (start, stream)
}

/// [`OneByOne`] of the rule R, on a board that need not be that of the point.
fn one_by_one_of<R: LocalRule>(point: &Point, board: Board, dynamics: Dynamics) -> OneByOne {
    let rule = R::at(point, board);
    if dynamics == Dynamics::Stepwise {
        Box::new(
            move |start, cutoff, stream, recorder, control| match recorder {
                None => stepwise::run(&rule, start, cutoff, stream, &mut (), control),
                Some(recorder) => stepwise::run(&rule, start, cutoff, stream, recorder, control),
            },
        )
    } else {
        let prepared = rejection_free::Prepared::new(rule, board);
        Box::new(
            move |start, cutoff, stream, recorder, control| match recorder {
                None => prepared.run(start, cutoff, stream, &mut (), control),
                Some(recorder) => prepared.run(start, cutoff, stream, recorder, control),
            },
        )
    }
}

/// The domain tag of the streams. Its number changes when the same words of a stream would give
/// another trial.
fn domain(dynamics: Dynamics) -> String {
    format!("reines/local/{}/1", dynamics.name())
}
