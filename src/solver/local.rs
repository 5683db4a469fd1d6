//! The local rules of the source text and the ways to simulate them.
//!
//! A rule says what an update of a site does to a configuration ([`configuration`]). Each rule of
//! the list ([`rules`], which says also up to which ε `auto` takes each dynamics) has its
//! [`sites`]; a point's variant is a condition ([`condition`]), made into a table ([`certainty`]),
//! which says which moves need no coin; behind it the position in which its trials start may stand
//! ([`variant_from`]). A dynamics draws the updates: one by one ([`stepwise`]), only those that
//! change something (`rejection_free`), or many trials side by side ([`lanes`]). All dynamics share
//! the observables ([`observe`]) and the recorder of what a trial writes down (`record`).
//! [`stepwise`] is the slow path that a reader can hold against the source text; the other two are
//! held against it by [`law`].
//!
//! # Adding a rule
//! Another condition is a line of a spec (docs/rules.md). Other sites or another update need a type
//! with [`sites::LocalRule`] in `sites/`, and a row in the table of [`rules`].

pub mod certainty;
pub mod condition;
pub mod configuration;
mod inside;
pub mod lanes;
pub mod law;
pub mod observe;
mod record;
mod rejection_free;
pub(super) mod relaxation;
pub mod rules;
pub mod sites;
pub mod stepwise;

#[cfg(test)]
pub(super) mod tests;

use self::condition::Condition;
use self::configuration::Configuration;
use self::lanes::{InLanes, Kernel, SideBySide, SingleLane};
use self::rejection_free::PreparedRule;
use self::stepwise::Stepwise;
use super::board::Board;
use super::process;
use super::rng::{Chance, TrialStream};
use super::{
    Algorithm, Axis, Column, Control, Domain, Dynamics, Interrupted, Key, Point, Prepared,
    TrialSource,
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

/// Why [`super::DynamicsChoice::Auto`] takes the stepwise dynamics where another one is faster, in
/// a sentence.
pub(crate) fn why_stepwise(point: &Point, is_recorded: bool) -> Option<String> {
    let fastest = fastest(point, is_recorded);
    let difference = law::difference(point, fastest)?;
    let rule = &point.algorithm;
    let name = fastest.name();
    Some(format!(
        "{rule}: auto takes stepwise in place of {name}, which has another law than the update of the rule: {difference}"
    ))
}

/// The dynamics that [`super::DynamicsChoice::Auto`] takes at a point by [`Rule::auto`], without
/// lanes where something is recorded, if it has the law of an update ([`law::difference`]).
pub(crate) fn fastest(point: &Point, is_recorded: bool) -> Dynamics {
    let Some((rule, epsilon)) = rule(&point.algorithm).zip(point.real(EPSILON.name)) else {
        return Dynamics::RejectionFree;
    };
    let has_lanes = !is_recorded && point.no_lanes().is_none();
    let is_meant = |(dynamics, up_to): &&(Dynamics, f64)| {
        epsilon <= *up_to && (has_lanes || *dynamics != Dynamics::Lanes)
    };
    let found = rule.auto.iter().find(is_meant);
    found.map_or(Dynamics::Stepwise, |(dynamics, _)| *dynamics)
}

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
    /// The greatest ε at which [`super::DynamicsChoice::Auto`] takes each dynamics, the first that
    /// can be; above all the stepwise one. Near these ε two dynamics take the same time, lanes with
    /// AVX2. The share of updates that change something grows with ε, and a change costs the
    /// rejection-free dynamics as much as some 4 or 5 updates cost the stepwise one.
    ///
    /// A trial depends on its dynamics, so the values are never measured at run time, and never
    /// change for a rule that has results.
    pub auto: [(Dynamics, f64); 2],
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

/// The start of a trial of a local rule that draws it, as all do but those of [`prepare`] with
/// another one.
pub fn start(point: &Point, dynamics: Dynamics, key: Key) -> Configuration {
    own_start(point, dynamics, key).0
}

/// The queens that a character of a position stands for.
fn queens(drawn: char) -> u32 {
    drawn.to_digit(10).unwrap_or((drawn == 'Q').into())
}

/// What a variant has behind its condition for trials that start in a position of so many rows and
/// queens: `from`, the rows from the north, and `true` if all signals are true in place of none.
///
/// # Errors
/// What is expected of a position.
pub fn variant_from(drawn: &[String], are_true: bool) -> Result<String, &'static str> {
    let without_blanks = |row: &String| row.split_whitespace().collect();
    let rows: Vec<String> = drawn.iter().map(without_blanks).collect();
    let n = rows.len();
    let is_cell = |letter: char| ".Q23456789".contains(letter);
    let is_row = |row: &String| row.len() == n && row.chars().all(is_cell);
    let n_queens: u32 = rows.concat().chars().map(queens).sum();
    if n_queens as usize != n || !rows.iter().all(is_row) {
        return Err("expected n rows of n cells with n queens: Q, or 2 to 9 of them; . is free");
    }
    let signals = if are_true { " true" } else { "" };
    Ok(format!("{FROM}{}{signals}", rows.join("/")))
}

const FROM: &str = "from ";

/// The condition's part of a variant, empty for `safe`.
pub fn condition_of(variant: &str) -> &str {
    let parts = variant.split_once(FROM);
    parts.map_or(variant, |(condition, _)| condition.trim_end())
}

/// The start that a point's variant names.
fn named_start(point: &Point) -> Option<Configuration> {
    let (_, rows) = point.variant.split_once(FROM)?;
    let board = board(point);
    let drawn_cells = rows.replace('/', "");
    let mut queen_cells = Vec::new();
    for (cell, drawn) in board.cells().zip(drawn_cells.chars()) {
        queen_cells.extend((0..queens(drawn)).map(|_| cell));
    }
    let mut start = Configuration::with_queens(board, queen_cells);
    if rows.ends_with(" true") {
        let truth = start.true_signals();
        for cell in board.cells() {
            start.set_signals(cell, truth[cell.index()]);
        }
    }
    Some(start)
}

/// A trial's own start, and the random stream after it.
fn own_start(point: &Point, dynamics: Dynamics, key: Key) -> (Configuration, TrialStream) {
    let mut stream = stream(point, dynamics, key);
    let random = || Configuration::random_start(board(point), &mut stream);
    (named_start(point).unwrap_or_else(random), stream)
}

/// The stream of a trial. The number in its domain tag changes when the same words of a stream
/// would give another trial.
fn stream(point: &Point, dynamics: Dynamics, key: Key) -> TrialStream {
    let number = if dynamics == Dynamics::Lanes { 2 } else { 1 };
    let domain = format!("reines/local/{}/{number}", dynamics.name());
    TrialStream::new(&domain, key.seed, point, key.trial)
}

/// The boards at which trials start.
enum Start {
    /// Each in its own random start.
    Own,
    /// Here, after the random numbers of its own start.
    Given(Configuration),
    /// Here, and no start is drawn.
    Placed(Configuration),
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
