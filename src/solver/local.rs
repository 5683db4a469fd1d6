//! The local rules of the source text and the ways to simulate them.
//!
//! A rule ([`rule`]) says what an update of a site does. Those of the list ([`rules`]) are sites
//! ([`sites`]) and a certainty ([`certainty`]): which moves need no coin. A dynamics draws the
//! updates: one by one ([`stepwise`]), only those that change something (`rejection_free`), or many
//! trials side by side ([`lanes`]). What is observed is the same for all.
//!
//! # Adding a rule
//! On known sites: one file in `rules/` with a type that implements [`certainty::Certainty`], its
//! `mod` line, and its row in the table of [`rules`]. docs/rules.md has the guide, and what the
//! tests check of every rule in the table.

pub mod certainty;

pub mod configuration;

pub mod sites;

pub mod rule;

pub mod rules;

mod observables;

mod observation;

pub mod recorder;

pub mod stepwise;

mod rejection_free;

pub mod lanes;

pub(super) mod relaxation;

pub mod watch;

#[cfg(test)]
pub(super) mod answers;

#[cfg(test)]
pub(super) mod samples;

#[cfg(test)]
pub(super) mod properties;

#[cfg(test)]
mod courses;

use self::certainty::Certainty as _;
use self::configuration::Configuration;
use self::lanes::SideBySide;
use self::lanes::vector::Instructions;
use self::recorder::{CourseRecorder, Recorder, Run, Unrecorded};
use self::rule::LocalRule;
use self::sites::Sites as _;
use super::rng::TrialStream;
use super::variants::Variants;
use super::{
    Algorithm, Axis, Column, Control, Course, Domain, Dynamics, Interrupted, Job, Outcome, Point,
    Recording, TrialSource,
};

pub(super) const N: Axis = Axis {
    name: "n",
    symbol: "n",
    domain: Domain::Integer { min: 1, max: 64 },
    doc: "board side and number of queens",
};
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

/// What every local rule fills.
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

/// The dynamics that is the faster one at `point` of those that run one trial after the other.
/// Fixed in code and never measured at run time, since the trials' streams depend on it.
///
/// A change costs the rejection-free dynamics as much as some 4 or 5 updates cost the stepwise one;
/// which share of updates changes something grows with ε. So each rule says up to which ε the
/// rejection-free dynamics is taken: [`Registered::rejection_free_up_to`].
pub(crate) fn one_by_one(point: &Point) -> Dynamics {
    let up_to = registered(point).map(|rule| rule.rejection_free_up_to);
    match (up_to, point.real(EPSILON.name)) {
        (Some(up_to), Some(epsilon)) if epsilon > up_to => Dynamics::Stepwise,
        _ => Dynamics::RejectionFree,
    }
}

/// Whether `auto` takes lanes at `point`: [`Registered::lanes_up_to`].
/// Fixed in code too.
pub(crate) fn takes_lanes(point: &Point) -> bool {
    let up_to = registered(point).map_or(&[][..], |rule| rule.lanes_up_to);
    let (n, epsilon) = (point.integer(N.name), point.real(EPSILON.name));
    up_to.iter().any(|&(n_most, epsilon_most)| {
        n.is_some_and(|n| n <= n_most) && epsilon.is_some_and(|epsilon| epsilon <= epsilon_most)
    })
}

/// The rule of a point; `None` for any other algorithm.
fn registered(point: &Point) -> Option<&'static Registered> {
    let is_named = |rule: &&Registered| rule.name == point.algorithm;
    rules::REGISTERED.iter().find(is_named)
}

/// A row of the table of [`rules`]: a local rule as an algorithm of the registry.
pub struct Registered {
    /// Registry name.
    pub name: &'static str,
    /// One line for `reines list --algorithms`.
    pub doc: &'static str,
    /// Its parameters.
    pub axes: &'static [Axis],
    /// The greatest ε at which [`super::DynamicsChoice::Auto`] takes the rejection-free dynamics
    /// and not the stepwise one, where it does not take lanes: near where both take the same time.
    /// The dynamics is a part of what a trial is, so this never changes for a rule that has
    /// results.
    pub rejection_free_up_to: f64,
    /// Where [`super::DynamicsChoice::Auto`] takes the dynamics in lanes: up to this n, and there
    /// up to this ε, by any of the pairs. Near where lanes and the faster one of the others take
    /// the same time on a processor with AVX2. It never changes either.
    pub lanes_up_to: &'static [(u64, f64)],
    parts: [&'static str; 2],
    variants: fn() -> Option<&'static dyn Variants>,
    one_by_one: OneByOne,
    side_by_side: Option<SideBySide>,
}

/// Simulates a trial of a rule from this start with these random numbers, stepwise or
/// rejection-free.
type OneByOne = fn(
    &Job,
    Configuration,
    TrialStream,
    Option<&mut dyn Recorder>,
    &Control,
) -> Result<Outcome, Interrupted>;

impl Registered {
    /// What the type of a rule says, for a row that says the rest.
    const fn of<R: LocalRule>() -> Self {
        Self {
            name: "",
            doc: "",
            axes: &[],
            rejection_free_up_to: 0.01,
            lanes_up_to: &[],
            parts: [R::Sites::PART, R::Certainty::PART],
            variants: R::Certainty::variants,
            one_by_one: one_by_one_of::<R>,
            side_by_side: if R::HAS_LANES {
                Some(lanes::run::<R>)
            } else {
                None
            },
        }
    }

    /// Runs one trial: a pure function of `job`, `trial` and the start.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop.
    pub fn run(
        &self,
        job: &Job,
        trial: u32,
        run: Run,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        if job.dynamics == Dynamics::Lanes {
            return lanes::alone(self.in_lanes(), (job, trial), run, control);
        }
        let (own, stream) = start(job.point, job.dynamics, (job.seed, trial));
        let start = run.start.unwrap_or(own);
        (self.one_by_one)(job, start, stream, run.recorder, control)
    }

    fn in_lanes(&self) -> SideBySide {
        let lanes = self.side_by_side;
        lanes.expect("a plan has lanes for rules that have them alone")
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

    fn variants(&self) -> Option<&dyn Variants> {
        (self.variants)()
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn parts(&self, _variant: &str) -> Vec<String> {
        self.parts.map(str::to_owned).into()
    }

    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        self.run(job, trial, Run::default(), control)
    }

    fn n_max_in_lanes(&self) -> Option<u64> {
        self.side_by_side.map(|_| lanes::N_MAX)
    }

    fn run_side_by_side(
        &self,
        point: &Point,
        cutoff: u64,
        trials: &mut dyn TrialSource,
        control: &Control,
    ) -> Result<(), Interrupted> {
        let (run, fastest) = (Run::default(), Instructions::fastest());
        self.in_lanes()(fastest, point, cutoff, trials, run, control)
    }

    fn records_course(&self) -> bool {
        true
    }

    fn trial_with_course(
        &self,
        job: &Job,
        trial: u32,
        recording: Recording,
        control: &Control,
    ) -> Result<(Outcome, Course), Interrupted> {
        let mut recorder = CourseRecorder::new(recording, rule::board(job.point));
        let run = Run {
            start: None,
            recorder: (!recording.is_empty()).then_some(&mut recorder as &mut dyn Recorder),
        };
        let outcome = self.run(job, trial, run, control)?;
        Ok((outcome, recorder.into_course()))
    }
}

/// A trial's own start, and the stream of all that comes after it.
fn start(
    point: &Point,
    dynamics: Dynamics,
    (seed, trial): (u64, u32),
) -> (Configuration, TrialStream) {
    let mut stream = TrialStream::new(&domain(dynamics), seed, point, trial);
    let start = Configuration::random_start(rule::board(point), &mut stream);
    (start, stream)
}

/// [`OneByOne`] of the rule R.
fn one_by_one_of<R: LocalRule>(
    job: &Job,
    start: Configuration,
    stream: TrialStream,
    recorder: Option<&mut dyn Recorder>,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let rule = R::at(job.point, start.board());
    let is_stepwise = job.dynamics == Dynamics::Stepwise;
    let cutoff = job.cutoff;
    match recorder {
        None if is_stepwise => {
            stepwise::run(&rule, start, cutoff, stream, &mut Unrecorded, control)
        }
        None => rejection_free::run(&rule, start, cutoff, stream, &mut Unrecorded, control),
        Some(recorder) if is_stepwise => {
            stepwise::run(&rule, start, cutoff, stream, recorder, control)
        }
        Some(recorder) => rejection_free::run(&rule, start, cutoff, stream, recorder, control),
    }
}

/// Domain tag of the streams. Its number changes when the same words of a stream come to mean
/// another trial.
fn domain(dynamics: Dynamics) -> String {
    format!("reines/local/{}/1", dynamics.name())
}

#[cfg(test)]
mod tests {
    use super::rules::REGISTERED;
    use super::samples::points;
    use super::*;
    use crate::solver::testing::{self, assert_folder_is_listed, until_stopped};
    use crate::solver::{Ending, Point, algorithm};

    fn run(point: &Point, trial: u32, cutoff: u64) -> Outcome {
        testing::run(point, Dynamics::Stepwise, trial, cutoff)
    }

    /// A certainty that is in no row would not be used.
    #[test]
    fn every_certainty_in_the_folder_is_registered() {
        let mut parts: Vec<&str> = REGISTERED.iter().map(|rule| rule.parts[1]).collect();
        parts.sort_unstable();
        parts.dedup();
        assert_folder_is_listed("local/rules", parts.into_iter());
        assert!(REGISTERED.is_sorted_by(|a, b| a.name < b.name));
        for rule in REGISTERED {
            assert!(!rule.doc.is_empty() && !rule.axes.is_empty());
            assert!(algorithm(rule.name).is_some());
            assert!(algorithm(&format!("{}-relaxation", rule.name)).is_some());
        }
    }

    /// Where `auto` changes over: by rule, n and ε alone.
    #[test]
    fn auto_takes_lanes_where_they_are_the_fastest() {
        use crate::solver::DynamicsChoice::Auto;
        use Dynamics::{Lanes, RejectionFree, Stepwise};
        for (rule, n, epsilon, expected) in [
            ("pair", 1, 0.0, Lanes),
            ("pair", 11, 0.1, Lanes),
            ("pair", 11, 0.11, Stepwise),
            ("pair", 12, 0.01, RejectionFree),
            ("pair", 12, 0.04, Stepwise),
            ("cell", 11, 0.3, Lanes),
            ("cell", 11, 0.31, Stepwise),
            ("cell", 12, 0.11, Stepwise),
            ("cell", 13, 0.1, Lanes),
            ("cell", 14, 0.1, RejectionFree),
            ("pair-fewer", 8, 0.03, Lanes),
            ("pair-fewer", 8, 0.031, Stepwise),
            ("pair-fewer", 9, 0.01, RejectionFree),
            ("cell-fewer", 4, 0.001, RejectionFree),
        ] {
            let axes = algorithm(rule).expect("registered").axes();
            let point = samples::point(rule, axes, (n, epsilon, 0.1));
            assert_eq!(Auto.at(&point), expected, "{point}");
        }
    }

    #[test]
    fn one_queen_on_one_cell_is_absorbed_at_0() {
        for point in points(1, 0.01) {
            let outcome = run(&point, 0, 1);
            let expected = Outcome {
                absorption_time: Some(0),
                hitting_time: Some(0),
                moves: Some(0),
                moves_at_hit: Some(0),
                updates: Some(0),
                solution: Some([0].into()),
                dangerous_moves: Some(0),
                needless_moves: Some(0),
                deceived_moves: Some(0),
                entries: Some(1),
                ..Outcome::ended(Ending::Absorbed)
            };
            assert_eq!(outcome, expected);
        }
    }

    /// n = 2 and 3 have no solution; every size runs, the largest included.
    #[test]
    fn unsolved_trials_are_censored_at_the_cutoff() {
        for (n, cutoff) in [
            (2, 1),
            (3, 65_536),
            (3, 65_537),
            (5, 7),
            (33, 100_001),
            (64, 100_001),
        ] {
            for point in points(n, 0.01) {
                let outcome = run(&point, 0, cutoff);
                assert_eq!(
                    (outcome.ending, outcome.absorption_time, outcome.updates),
                    (Ending::Censored, None, Some(cutoff))
                );
                assert_eq!(
                    (outcome.hitting_time, outcome.moves_at_hit, outcome.solution),
                    (None, None, None)
                );
            }
        }
    }

    /// At ε = 0 blocked trials are censored at the cutoff, never when they block.
    #[test]
    fn blocked_trials_are_censored_at_the_cutoff() {
        for point in points(4, 0.0) {
            let outcomes: Vec<_> = (0..50).map(|trial| run(&point, trial, 50_000)).collect();
            assert!(outcomes.iter().all(
                |outcome| outcome.ending == Ending::Absorbed || outcome.updates == Some(50_000)
            ));
            assert!(
                outcomes
                    .iter()
                    .any(|outcome| outcome.ending == Ending::Absorbed)
            );
            assert!(
                outcomes
                    .iter()
                    .any(|outcome| outcome.ending == Ending::Censored)
            );
        }
    }

    #[test]
    fn trials_are_functions_of_their_key() {
        for (a, b) in points(6, 0.03).zip(points(6, 0.031)) {
            assert_eq!(run(&a, 3, 1_000_000), run(&a, 3, 1_000_000));
            assert_ne!(run(&a, 3, 1_000_000), run(&a, 4, 1_000_000));
            assert_ne!(run(&a, 3, 1_000_000), run(&b, 3, 1_000_000));
        }
    }

    #[test]
    fn a_stop_is_heard_within_one_poll_interval() {
        for point in points(12, 0.001) {
            let updates = until_stopped(&point, Dynamics::Stepwise);
            assert!(updates <= Control::POLL_INTERVAL);
        }
    }
}
