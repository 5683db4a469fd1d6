//! The local rules of the source text and the ways to simulate them.
//!
//! A rule ([`rule`]) says what an update of a site does; a geometry ([`geometry`]) says which sites
//! there are and what an update of each reads and writes; a dynamics ([`stepwise`], rejection-free)
//! draws the updates; the observables are the same for all.
//!
//! # Adding a rule
//! One file in `rules/` with a type that implements [`rule::LocalRule`] on one of the geometries,
//! its `mod` line and its line in the list of [`rules`]. What is left out of the trait's items that
//! have defaults is right and slow: without [`rule::LocalRule::concern`] the rejection-free
//! dynamics considers every site anew that reads a changed cell. A rule may come in variants
//! ([`rule::LocalRule::variants`]). docs/rules.md has the guide, and
//! what the tests check of every rule in the list.

mod concern;

pub mod configuration;

pub mod geometry;

pub mod rule;

mod pair_update;

pub mod cell_update;

mod fewer_signals;

pub mod rules;

mod observables;

mod observation;

mod recorder;

mod counters;

pub mod stepwise;

mod rejection_free;

pub mod lanes;

mod relaxation;

pub mod watch;

#[cfg(test)]
pub(super) mod answers;

#[cfg(test)]
pub(super) mod samples;

#[cfg(test)]
pub(super) mod properties;

#[cfg(test)]
mod courses;

use std::marker::PhantomData;

use self::configuration::Configuration;
use self::lanes::follower::Trials;
use self::lanes::vector::Instructions;
use self::recorder::{CourseRecorder, Recorder, Unrecorded};
use self::rule::LocalRule;
use super::rng::TrialStream;
use super::variants::Variants;
use super::{
    Algorithm, Axis, Column, Control, Course, Domain, Dynamics, Interrupted, Job, Lanes, Outcome,
    Point, Recording, TrialSource,
};

const N: Axis = Axis {
    name: "n",
    symbol: "n",
    domain: Domain::Integer { min: 1, max: 64 },
    doc: "board side and number of queens",
};
const EPSILON: Axis = Axis {
    name: "epsilon",
    symbol: "ε",
    domain: Domain::Real { min: 0.0, max: 1.0 },
    doc: "probability ε that a queen makes a dangerous move",
};
const ETA: Axis = Axis {
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
/// rejection-free dynamics is taken: [`LocalRule::REJECTION_FREE_UP_TO`].
pub(crate) fn one_by_one(point: &Point) -> Dynamics {
    let up_to = registered(point).map(|rule| rule.rejection_free_up_to);
    match (up_to, point.real(EPSILON.name)) {
        (Some(up_to), Some(epsilon)) if epsilon > up_to => Dynamics::Stepwise,
        _ => Dynamics::RejectionFree,
    }
}

/// Whether `auto` takes lanes at `point`: [`LocalRule::LANES_UP_TO`].
/// Fixed in code, as [`one_by_one`] is.
pub(crate) fn takes_lanes(point: &Point) -> bool {
    let up_to = registered(point).map_or(&[][..], |rule| rule.lanes_up_to);
    let (n, epsilon) = (point.integer(N.name), point.real(EPSILON.name));
    up_to.iter().any(|&(n_most, epsilon_most)| {
        n.is_some_and(|n| n <= n_most) && epsilon.is_some_and(|epsilon| epsilon <= epsilon_most)
    })
}

/// The rule of a point; `None` for any other algorithm.
fn registered(point: &Point) -> Option<&'static rules::Registered> {
    let is_named = |rule: &&rules::Registered| rule.rule.name() == point.algorithm;
    rules::REGISTERED.iter().find(is_named)
}

/// A local rule as an algorithm of the registry.
#[derive(Debug)]
struct LocalAlgorithm<R>(PhantomData<fn() -> R>);

impl<R: LocalRule> LocalAlgorithm<R> {
    const ALGORITHM: &'static dyn Algorithm = &Self(PhantomData);
}

impl<R: LocalRule> Algorithm for LocalAlgorithm<R> {
    fn name(&self) -> &'static str {
        R::NAME
    }

    fn doc(&self) -> &'static str {
        R::DOC
    }

    fn axes(&self) -> &'static [Axis] {
        R::AXES
    }

    fn variants(&self) -> Option<&dyn Variants> {
        R::variants()
    }

    fn columns(&self) -> &'static [Column] {
        COLUMNS
    }

    fn trial(&self, job: &Job, trial: u32, control: &Control) -> Result<Outcome, Interrupted> {
        Start::<R>::of(job, trial).run((job, trial), &mut Unrecorded, control)
    }

    fn lanes(&self) -> Option<Lanes> {
        fn run<R: LocalRule>(
            point: &Point,
            cutoff: u64,
            source: &mut dyn TrialSource,
            control: &Control,
        ) -> Result<(), Interrupted> {
            let lanes = R::LANES.expect("only a rule with lanes gives them");
            let trials = Trials::of(source);
            lanes(Instructions::fastest(), point, cutoff, trials, control)
        }
        R::LANES.map(|_| Lanes {
            run: run::<R>,
            n_max: lanes::N_MAX,
        })
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
        if recording.is_empty() {
            return Ok((self.trial(job, trial, control)?, Course::default()));
        }
        let start = Start::<R>::of(job, trial);
        let mut recorder = CourseRecorder::new(recording, &start.configuration);
        let outcome = start.run((job, trial), &mut recorder, control)?;
        Ok((outcome, recorder.into_course()))
    }
}

/// A trial before its first update.
struct Start<R> {
    rule: R,
    configuration: Configuration,
    stream: TrialStream,
}

impl<R: LocalRule> Start<R> {
    fn of(job: &Job, trial: u32) -> Self {
        let board = rule::board(job.point);
        let mut stream = TrialStream::new(&domain(job.dynamics), job.seed, job.point, trial);
        Self {
            rule: R::at(job.point, board),
            configuration: Configuration::random_start(board, &mut stream),
            stream,
        }
    }

    fn run(
        self,
        (job, trial): (&Job, u32),
        recorder: &mut impl Recorder,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        let (rule, start) = (&self.rule, self.configuration);
        match job.dynamics {
            Dynamics::RejectionFree => rejection_free::run_recorded(
                rule,
                start,
                job.cutoff,
                self.stream,
                recorder,
                control,
            ),
            Dynamics::Lanes => lanes::alone((job, trial), rule, start, recorder, control),
            Dynamics::Stepwise => {
                stepwise::run_recorded(rule, start, job.cutoff, self.stream, recorder, control)
            }
        }
    }
}

/// Domain tag of the streams. Its number changes when the same words of a stream come to mean
/// another trial.
fn domain(dynamics: Dynamics) -> String {
    format!("reines/local/{}/1", dynamics.name())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use super::*;
    use crate::solver::{Ending, Point, algorithm};

    /// A rule and the acronym of one of its variants, which is empty where there is one way only.
    type OneWay = (&'static dyn Algorithm, String);

    fn point((rule, variant): &OneWay, n: usize, epsilon: f64) -> Point {
        Point {
            variant: variant.clone(),
            ..samples::point(rule.name(), rule.axes(), (n, epsilon, 0.1))
        }
    }

    fn rules() -> impl Iterator<Item = OneWay> {
        rules::REGISTERED.iter().flat_map(|registered| {
            let variants = registered.rule.variants();
            let acronyms = variants.map_or_else(|| vec![String::new()], Variants::all);
            acronyms
                .into_iter()
                .map(|acronym| (registered.rule, acronym))
        })
    }

    fn run(point: &Point, trial: u32, cutoff: u64) -> Outcome {
        let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
        let job = Job {
            point,
            seed: 1,
            cutoff,
            dynamics: Dynamics::Stepwise,
        };
        let algorithm = algorithm(&point.algorithm).expect("registered");
        let outcome = algorithm
            .trial(&job, trial, &Control::new(&stop, &updates))
            .expect("no stop is asked for");
        assert_eq!(
            Some(updates.into_inner()),
            outcome.updates,
            "every update is counted for the progress display"
        );
        outcome
    }

    /// A file of a rule that is not in the list would not be used.
    #[test]
    fn every_rule_in_the_folder_is_registered() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/solver/local/rules");
        let mut rules = Vec::new();
        for entry in fs::read_dir(folder).expect("the sources are beside the tests") {
            let path = entry.expect("readable").path();
            let source = fs::read_to_string(path).expect("readable");
            let name = source
                .split_once("const NAME: &'static str = \"")
                .and_then(|(_, rest)| rest.split_once('"'));
            rules.push(name.expect("a rule states its name").0.to_owned());
        }
        rules.sort_unstable();
        let registered = super::rules::REGISTERED.iter();
        let registered: Vec<&str> = registered.map(|it| it.rule.name()).collect();
        assert_eq!(rules, registered);
        assert!(rules.iter().all(|rule| algorithm(rule).is_some()));
        let relaxations = rules.iter().map(|rule| format!("{rule}-relaxation"));
        assert!(
            relaxations
                .into_iter()
                .all(|name| algorithm(&name).is_some())
        );
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
        for rule in rules() {
            let outcome = run(&point(&rule, 1, 0.01), 0, 1);
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
        for rule in rules() {
            for (n, cutoff) in [
                (2, 1),
                (3, 65_536),
                (3, 65_537),
                (5, 7),
                (33, 100_001),
                (64, 100_001),
            ] {
                let outcome = run(&point(&rule, n, 0.01), 0, cutoff);
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
        for rule in rules() {
            let outcomes: Vec<_> = (0..50)
                .map(|trial| run(&point(&rule, 4, 0.0), trial, 50_000))
                .collect();
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
        for rule in rules() {
            let (a, b) = (point(&rule, 6, 0.03), point(&rule, 6, 0.031));
            assert_eq!(run(&a, 3, 1_000_000), run(&a, 3, 1_000_000));
            assert_ne!(run(&a, 3, 1_000_000), run(&a, 4, 1_000_000));
            assert_ne!(run(&a, 3, 1_000_000), run(&b, 3, 1_000_000));
        }
    }

    #[test]
    fn a_stop_is_heard_within_one_poll_interval() {
        for rule in rules() {
            let (stop, updates) = (AtomicBool::new(true), AtomicU64::new(0));
            let point = point(&rule, 12, 0.001);
            let job = Job {
                point: &point,
                seed: 1,
                cutoff: u64::MAX,
                dynamics: Dynamics::Stepwise,
            };
            let outcome = rule.0.trial(&job, 0, &Control::new(&stop, &updates));
            assert_eq!(outcome, Err(Interrupted));
            assert!(updates.load(Ordering::Relaxed) <= Control::POLL_INTERVAL);
        }
    }
}
