//! The local rules of the source text and the ways to simulate them.
//!
//! A rule says what an update of a site does to a configuration ([`configuration`]). Each rule of
//! the list ([`rules`]) has its [`sites`]; a point's variant is a condition ([`condition`]), made
//! into a table ([`certainty`]), which says which moves need no coin. `start` has the boards at
//! which trials start. A dynamics draws the updates: one by one ([`stepwise`]), only those that
//! change something (`rejection_free`), or many trials side by side ([`lanes`]); which of them
//! `auto` takes is said in [`crate::dynamics`]. All share the observables ([`observe`], `tally`)
//! and the recorder of what a trial writes down (`record`). [`stepwise`] is the slow path that a
//! reader can hold against the source text; the other two are held against it by [`law`].
//!
//! # Adding a rule
//! Another condition is a line of a spec (docs/rules.md). Other sites or another update need a type
//! with [`sites::LocalRule`] in `sites/`, a row in the table of [`rules`], and one in that of the
//! limits of `auto` ([`crate::dynamics`]).

pub mod certainty;
pub mod condition;
pub mod configuration;

pub mod lanes;
pub mod law;
pub mod observe;
mod record;
mod rejection_free;
pub(super) mod relaxation;
pub mod rules;
pub mod sites;
mod start;
pub mod stepwise;
mod tally;

#[cfg(test)]
pub(super) mod tests;

use self::condition::Condition;
use self::configuration::Configuration;
use self::lanes::{InLanes, Kernel, SideBySide, SingleLane};
use self::rejection_free::PreparedRule;
use self::start::{Start, own_start, stream};
pub use self::start::{condition_of, start, variant_from};
use self::stepwise::Stepwise;
use super::board::Board;
use super::process;
use super::rng::Chance;
use super::{
    Algorithm, Axis, Column, Control, Domain, Dynamics, Interrupted, Point, Prepared, TrialSource,
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

/// The local rule of this name; `None` for any other algorithm.
pub fn rule(name: &str) -> Option<&'static Rule> {
    rules::RULES.iter().find(|rule| rule.algorithm.name == name)
}

/// The rule whose relaxation has this name.
fn relaxed(name: &str) -> Option<&'static Rule> {
    let mut rules = rules::RULES.iter();
    rules.find(|rule| rule.relaxation.name == name)
}

/// The names of the local rules, which are the algorithms that can be replayed.
pub fn names() -> impl Iterator<Item = &'static str> {
    rules::RULES.iter().map(|rule| rule.algorithm.name)
}

/// A row of the table of [`rules`]: a local rule and its relaxation.
pub struct Rule {
    /// The rule.
    pub algorithm: Algorithm,
    /// The relaxation of its signals.
    pub relaxation: Algorithm,
    /// The function that runs trials side by side.
    pub side_by_side: SideBySide,
    /// The function that holds a faster dynamics against the law of an update under a condition:
    /// the first case in which it has another law.
    difference: fn(&str, Dynamics) -> Option<String>,
    #[cfg(test)]
    rule: fn() -> std::any::TypeId,
    /// The rule with the parameters of the first point, for trials whose streams the second one
    /// keys.
    prepare: fn(&Point, &Point, Dynamics, Start) -> Prepared,
}

/// What all local rules have in common.
const RULE: Algorithm = Algorithm {
    condition: Some(|text| {
        let condition = Condition::parse(text).map_err(|error| error.to_string())?;
        Ok(condition.variant())
    }),
    columns: COLUMNS,
    part: "local",
    records_course: true,
    warning: Some(super::construction::has_none),
    start: Some(variant_from),
    side_by_side: Some(run_side_by_side),
    prepare: &|point, dynamics| {
        let dynamics = dynamics.expect("a local rule is simulated in some dynamics");
        prepare(point, dynamics, None)
    },
    ..Algorithm::UNNAMED
};

/// Prepares trials of a local rule that begin in `start`, if one is given, in place of their own
/// starts; they take the random numbers that follow those of their own starts.
///
/// # Panics
/// When the point is of no local rule, or has no lanes and the dynamics is [`Dynamics::Lanes`].
pub fn prepare(point: &Point, dynamics: Dynamics, start: Option<Configuration>) -> Prepared {
    let rule = rule(&point.algorithm).expect("a local rule");
    let start = start.map_or(Start::Own, Start::Given);
    (rule.prepare)(point, point, dynamics, start)
}

/// Runs the trials of a source until it has no more, side by side in [`Dynamics::Lanes`]. What a
/// trial is does not depend on those beside it: it is that of [`prepare`].
///
/// # Errors
/// [`Interrupted`] when `control` is stopped, or when the source wants no more.
///
/// # Panics
/// When the point is of no local rule or has no lanes ([`Point::no_lanes`]).
pub fn run_side_by_side(
    point: &Point,
    source: &mut dyn TrialSource,
    cutoff: u64,
    control: &Control,
) -> Result<(), Interrupted> {
    let rule = rule(&point.algorithm).expect("a local rule");
    let fastest = lanes::Instructions::fastest();
    (rule.side_by_side)(fastest, point, cutoff, source, control)
}

/// [`Rule::prepare`] of the rule R, which in lanes has G masks of sites.
fn prepared<R: Kernel<G>, const G: usize>(
    at: &Point,
    point: &Point,
    dynamics: Dynamics,
    start: Start,
) -> Prepared {
    let board = board(point);
    let point = point.clone();
    let rule = R::at(at, board);
    let begin = move |key| match &start {
        Start::Own => own_start(&point, dynamics, key),
        Start::Given(start) => (start.clone(), own_start(&point, dynamics, key).1),
        Start::Placed(start) => (start.clone(), stream(&point, dynamics, key)),
    };
    match dynamics {
        Dynamics::Stepwise => Box::new(move |key, cutoff, control| {
            let (x, stream) = begin(key);
            process::run(Stepwise::begin(&rule, x, control), cutoff, stream, control)
        }),
        Dynamics::RejectionFree => {
            let rule = PreparedRule::new(rule, board);
            Box::new(move |key, cutoff, control| {
                let (x, stream) = begin(key);
                process::run(rule.begin(x, control), cutoff, stream, control)
            })
        }
        Dynamics::Lanes => {
            let rule = InLanes::new(rule, board);
            Box::new(move |key, cutoff, control| {
                let (x, mut stream) = begin(key);
                let trial = SingleLane::begin(&rule, x, cutoff, &mut stream, control);
                process::run(trial, cutoff, stream, control)
            })
        }
    }
}
