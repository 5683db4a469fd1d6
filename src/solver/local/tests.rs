//! Tests: trials and their courses, under every rule, variant and dynamics.

mod properties;
pub mod samples;
pub mod symmetry;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};

use self::samples::points;
use super::rules::RULES;
use super::*;
use crate::tests;
use crate::{Change, Course, Ending, Interrupted, Key, Observation, Outcome, QueenMove, algorithm};

#[test]
fn every_rule_and_its_relaxation_are_registered() {
    assert!(RULES.is_sorted_by(|a, b| a.algorithm.name < b.algorithm.name));
    for Rule {
        algorithm: rule, ..
    } in RULES
    {
        assert!(!rule.doc.is_empty() && !rule.axes.is_empty());
        assert!(algorithm(rule.name).is_some());
        assert!(algorithm(&format!("{}-relaxation", rule.name)).is_some());
    }
}

/// The points from which on `auto` takes another dynamics, by rule, n, ε and recording alone.
#[test]
fn auto_takes_lanes_where_they_are_the_fastest() {
    use crate::DynamicsChoice::{Auto, OneByOne};
    use Dynamics::{Lanes, RejectionFree, Stepwise};
    for (rule, n, epsilon, expected, without_lanes) in [
        ("pair", 1, 0.0, Lanes, RejectionFree),
        ("pair", 8, 0.03, Lanes, RejectionFree),
        ("pair", 8, 0.1, Lanes, Stepwise),
        ("pair", 8, 0.11, Stepwise, Stepwise),
        ("pair", 9, 0.03, RejectionFree, RejectionFree),
        ("pair", 9, 0.04, Stepwise, Stepwise),
        ("cell", 8, 0.1, Lanes, RejectionFree),
        ("cell", 8, 0.3, Lanes, Stepwise),
        ("cell", 8, 0.31, Stepwise, Stepwise),
        ("cell", 9, 0.1, RejectionFree, RejectionFree),
        ("cell", 9, 0.11, Stepwise, Stepwise),
    ] {
        let algorithm = algorithm(rule).expect("registered");
        let point = samples::point(rule, algorithm.axes, (n, epsilon, 0.1));
        assert_eq!(Auto.at(algorithm, &point, false), Some(expected), "{point}");
        assert_eq!(
            Auto.at(algorithm, &point, true),
            Some(without_lanes),
            "{point}"
        );
        assert_eq!(
            OneByOne.at(algorithm, &point, false),
            Some(without_lanes),
            "{point}"
        );
        // Lanes know SAFEGO alone.
        let other = Point {
            variant: "false".to_owned(),
            ..point
        };
        assert!(other.no_lanes().is_some());
        assert_eq!(
            Auto.at(algorithm, &other, false),
            Some(without_lanes),
            "{other}"
        );
    }
}

#[test]
fn one_queen_on_one_cell_is_absorbed_at_0() {
    for point in points(1, 0.01) {
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
        for dynamics in dynamics(&point) {
            assert_eq!(tests::run(&point, dynamics, 0, 1), expected, "{point}");
        }
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
            let outcome = tests::run(&point, Dynamics::Stepwise, 0, cutoff);
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

#[test]
fn a_stop_is_heard_within_one_poll_interval() {
    for point in points(12, 0.001) {
        for dynamics in dynamics(&point) {
            let (stop, counted) = (AtomicBool::new(true), AtomicU64::new(0));
            let control = Control::new(&stop, &counted);
            let stopped = crate::prepare(&point, Some(dynamics))(KEY, u64::MAX, &control);
            assert_eq!(stopped, Err(Interrupted.into()));
            let is_soon = counted.into_inner() <= Control::POLL_INTERVAL;
            assert!(
                is_soon || dynamics != Dynamics::Stepwise,
                "updates are skipped"
            );
        }
    }
}

/// The same trial under cutoffs at, below and above its absorption: it is the same as far as it
/// goes, and ends at the cutoff exactly.
#[test]
fn the_cutoff_is_exact() {
    for point in points(4, 0.1) {
        for (dynamics, trial) in dynamics(&point).flat_map(|it| (0..40).map(move |t| (it, t))) {
            let run = |cutoff| tests::run(&point, dynamics, trial, cutoff);
            let free = run(u64::MAX);
            let Some(absorption @ 1..) = free.absorption_time else {
                continue;
            };
            assert_eq!(run(absorption), free);
            let mut moves = Some(0);
            let cutoffs = [absorption / 3, absorption / 2, absorption - 1];
            for cutoff in cutoffs.into_iter().filter(|&it| it > 0) {
                let cut = run(cutoff);
                assert_eq!(
                    (cut.ending, cut.updates, cut.absorption_time),
                    (Ending::Censored, Some(cutoff), None)
                );
                let hit = free.hitting_time.filter(|&hit| hit <= cutoff);
                assert_eq!(cut.hitting_time, hit);
                assert!(moves <= cut.moves && cut.moves <= free.moves);
                moves = cut.moves;
            }
        }
    }
}

/// The dynamics of a point; all but the first skip updates.
fn dynamics(point: &Point) -> impl Iterator<Item = Dynamics> {
    let has_lanes = point.no_lanes().is_none();
    let lanes = has_lanes.then_some(Dynamics::Lanes);
    [Dynamics::Stepwise, Dynamics::RejectionFree]
        .into_iter()
        .chain(lanes)
}

const KEY: Key = Key { seed: 12, trial: 0 };

fn recorded(
    point: &Point,
    dynamics: Dynamics,
    (trial, cutoff): (u32, u64),
    moments: &[u64],
) -> (Outcome, Course) {
    tests::recorded(point, dynamics, Key { trial, ..KEY }, cutoff, moments)
}

/// Numbers of updates at which trials end: in the first, at a whole number of poll intervals, and
/// after many absorptions.
const CUTOFFS: [u64; 4] = [1, 100, 65_536, 80_000];

/// Neither the outcome nor what is observed depends on what else is observed.
#[test]
fn a_recording_changes_neither_the_outcome_nor_another_recording() {
    let dense: Vec<u64> = (0..600).chain((600..90_000).step_by(3037)).collect();
    for (n, epsilon) in [(1, 0.1), (2, 0.1), (4, 0.0), (5, 0.2), (8, 0.01), (9, 1.0)] {
        // Every cutoff at the two boards that are absorbed, and the long one at the others.
        let cutoffs = if [1, 4].contains(&n) {
            &CUTOFFS[..]
        } else {
            &CUTOFFS[3..]
        };
        for point in points(n, epsilon) {
            for dynamics in dynamics(&point) {
                for &cutoff in cutoffs {
                    let outcome = tests::run_with_seed(KEY.seed, &point, dynamics, 0, cutoff);
                    let (with_dense, full) = recorded(&point, dynamics, (0, cutoff), &dense);
                    assert_eq!(with_dense, outcome, "{point}, {dynamics:?}");
                    let sparse = [0, 7, 599, 3637, 64_377];
                    let (with_sparse, part) = recorded(&point, dynamics, (0, cutoff), &sparse);
                    assert_eq!(with_sparse, outcome, "{point}, {dynamics:?}");
                    let kept = full.series.into_iter();
                    let kept: Vec<_> = kept.filter(|it| sparse.contains(&it.update)).collect();
                    assert_eq!(part.series, kept, "{point}, {dynamics:?}");
                }
            }
        }
    }
}

/// The cutoff of the trials in the next test, in updates.
const CUTOFF: u64 = 50_000;

/// The course has the expected rows, also after the absorption, and agrees with the moves that are
/// watched.
#[test]
fn courses_outcomes_and_moves_agree() {
    let moments: Vec<u64> = (0..60).chain((60..60_000).step_by(2389)).collect();
    for (n, epsilon) in [(1, 0.1), (2, 0.1), (3, 1.0), (4, 0.1), (5, 0.3), (6, 0.03)] {
        for point in points(n, epsilon) {
            for (dynamics, trial) in dynamics(&point).flat_map(|it| (0..2).map(move |t| (it, t))) {
                let (outcome, course) = recorded(&point, dynamics, (trial, CUTOFF), &moments);
                check_moments(&outcome, &course, &moments);
                let watched = Mutex::new(Vec::new());
                let watch = |it: Change| watched.lock().expect("alone").extend(it.moved);
                let control = Control::unstopped().observing(&moments).watching(&watch);
                let key = Key { trial, ..KEY };
                let again = prepare(&point, dynamics, None)(key, CUTOFF, &control);
                assert_eq!(again, Ok((outcome, course.clone())));
                check_moves(&course, &watched.into_inner().expect("alone"));
            }
        }
    }
}

/// One row for each moment up to the cutoff, or for all if the trial was absorbed; the solution
/// stands still from then on.
fn check_moments(outcome: &Outcome, course: &Course, moments: &[u64]) {
    let last = if outcome.ending == Ending::Absorbed {
        u64::MAX
    } else {
        CUTOFF
    };
    let expected = moments.iter().copied().filter(|&moment| moment <= last);
    let found = course.series.iter().map(|it| it.update);
    assert!(found.eq(expected));
    let Some(absorbed) = outcome.absorption_time else {
        return;
    };
    for it in course.series.iter().filter(|it| it.update >= absorbed) {
        let state = Observation {
            update: it.update,
            signals: it.signals,
            true_signals: it.signals,
            moves: outcome.moves.expect("counted"),
            tally: it.tally,
            ..Observation::default()
        };
        assert_eq!(*it, state);
    }
}

/// What is counted of a trial against the states after each of its updates, which are observed from
/// scratch, and the moves that are watched. A move that makes a solution is a chance that was
/// taken, and the only way into a solution but the start.
#[test]
fn the_tally_is_that_of_the_states_and_moves() {
    let moments: Vec<u64> = (0..=4000).collect();
    for (n, epsilon) in [(1, 0.1), (3, 0.5), (4, 0.1), (4, 0.02), (5, 0.3), (6, 0.03)] {
        for point in points(n, epsilon) {
            for (dynamics, trial) in dynamics(&point).flat_map(|it| (0..3).map(move |t| (it, t))) {
                let watched = Mutex::new(Vec::new());
                let watch = |change: Change| watched.lock().expect("alone").extend(change.moved);
                let control = Control::unstopped().observing(&moments).watching(&watch);
                let key = Key { trial, ..KEY };
                let trial = prepare(&point, dynamics, None)(key, 4000, &control);
                let (outcome, course) = trial.expect("not stopped");
                let moves = watched.into_inner().expect("alone");
                check_tallies(&outcome, &course.series, &moves);
            }
        }
    }
}

fn check_tallies(outcome: &Outcome, states: &[Observation], moves: &[QueenMove]) {
    let end = outcome.absorption_time.unwrap_or(u64::MAX);
    let mut expected = crate::Tally::default();
    let mut was_blocked = false;
    for (before, after) in states.iter().zip(&states[1..]) {
        let is_blocked = before.safe_moves == 0 && before.update < end;
        expected.blocked_updates += u64::from(is_blocked);
        expected.blocked_stretches += u64::from(is_blocked && !was_blocked);
        was_blocked = is_blocked;
        if let Some(made) = moves.iter().find(|made| made.update == after.update) {
            expected.choices += u64::from(before.safe_moves > 0);
            expected.dangerous_choices += u64::from(before.safe_moves > 0 && made.dangerous);
            expected.informed_moves += u64::from(before.true_signals == before.signals);
        }
        let found = after.tally.expect("counted");
        (expected.chances, expected.missed_chances) = (found.chances, found.missed_chances);
        assert_eq!(found, expected, "after {} updates", after.update);
    }
    let starts_solved = u64::from(states[0].conflicts == 0);
    let taken = expected.chances - expected.missed_chances;
    assert_eq!(Some(starts_solved + taken), outcome.entries);
}

fn check_moves(course: &Course, moves: &[QueenMove]) {
    for it in &course.series {
        let so_far = moves.partition_point(|made| made.update <= it.update);
        assert_eq!(it.moves, so_far as u64);
        let last = moves[..so_far].last();
        if let Some(last) = last.filter(|made| made.update == it.update) {
            assert_eq!(last.threatened, it.threatened);
        }
    }
}
