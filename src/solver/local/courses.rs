//! Tests only: the course of a trial, under every rule, variant and dynamics.

use super::samples::points;
use crate::solver::{
    Control, Course, Dynamics, Ending, Job, Observation, Outcome, Point, Recording, algorithm,
};

/// The dynamics of a point; all but the first skip updates.
fn dynamics(point: &Point) -> impl Iterator<Item = Dynamics> {
    let has_lanes = point.no_lanes().is_none();
    let lanes = has_lanes.then_some(Dynamics::Lanes);
    [Dynamics::Stepwise, Dynamics::RejectionFree]
        .into_iter()
        .chain(lanes)
}

fn job(point: &Point, dynamics: Dynamics, cutoff: u64) -> Job<'_> {
    Job {
        point,
        seed: 12,
        cutoff,
        dynamics,
    }
}

fn recorded(job: &Job, trial: u32, moments: &[u64]) -> (Outcome, Course) {
    let recording = Recording {
        moments,
        moves: true,
    };
    algorithm(&job.point.algorithm)
        .expect("registered")
        .trial_with_course(job, trial, recording, &Control::unstopped())
        .expect("no stop is asked for")
}

fn unrecorded(job: &Job, trial: u32) -> Outcome {
    algorithm(&job.point.algorithm)
        .expect("registered")
        .trial(job, trial, &Control::unstopped())
        .expect("no stop is asked for")
}

/// Numbers of updates at which trials end: in the first, at a whole number of poll intervals, and
/// after many absorptions.
const CUTOFFS: [u64; 4] = [1, 100, 65_536, 80_000];

/// Neither the outcome nor what is observed depends on what else is observed.
#[test]
fn a_recording_changes_neither_the_outcome_nor_another_recording() {
    let dense: Vec<u64> = (0..600).chain((600..90_000).step_by(3037)).collect();
    for (n, epsilon) in [(1, 0.1), (2, 0.1), (4, 0.0), (5, 0.2), (8, 0.01), (9, 1.0)] {
        // Long trials of large boards take most of the time: one cutoff each.
        let cutoffs = if n < 8 { &CUTOFFS[..] } else { &CUTOFFS[3..] };
        for point in points(n, epsilon) {
            for dynamics in dynamics(&point) {
                for &cutoff in cutoffs {
                    let job = job(&point, dynamics, cutoff);
                    let outcome = unrecorded(&job, 0);
                    let (with_dense, full) = recorded(&job, 0, &dense);
                    assert_eq!(with_dense, outcome, "{point}, {dynamics:?}");
                    let sparse = [0, 7, 599, 3637, 64_377];
                    let (with_sparse, part) = recorded(&job, 0, &sparse);
                    assert_eq!(with_sparse, outcome, "{point}, {dynamics:?}");
                    assert_eq!(part.moves, full.moves);
                    let kept = full.series.into_iter();
                    let kept: Vec<_> = kept.filter(|it| sparse.contains(&it.update)).collect();
                    assert_eq!(part.series, kept, "{point}, {dynamics:?}");
                }
            }
        }
    }
}

/// Of the trials in the next test.
const CUTOFF: u64 = 50_000;

/// Which rows there are, what they are after the absorption, and that the moves add up to the
/// outcome's counters.
#[test]
fn courses_and_outcomes_agree() {
    let moments: Vec<u64> = (0..60).chain((60..60_000).step_by(2389)).collect();
    for (n, epsilon) in [(1, 0.1), (2, 0.1), (3, 1.0), (4, 0.1), (5, 0.3), (6, 0.03)] {
        for point in points(n, epsilon) {
            for (dynamics, trial) in dynamics(&point).flat_map(|it| (0..2).map(move |t| (it, t))) {
                let job = job(&point, dynamics, CUTOFF);
                let (outcome, course) = recorded(&job, trial, &moments);
                check_moments(&outcome, &course, &moments);
                check_moves(&outcome, &course);
                check_bounds(n as u32, &course);
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
            threatened: 0,
            attacked: 0,
            safe_cells: 0,
            truly_safe_cells: 0,
            safe_moves: 0,
            conflicts: 0,
            moves: outcome.moves.expect("counted"),
        };
        assert_eq!(*it, state);
    }
}

fn check_moves(outcome: &Outcome, course: &Course) {
    let count = |is: fn(&crate::solver::QueenMove) -> bool| {
        Some(course.moves.iter().filter(|it| is(it)).count() as u64)
    };
    assert_eq!(outcome.moves, count(|_| true));
    assert_eq!(outcome.dangerous_moves, count(|it| it.dangerous));
    assert_eq!(outcome.needless_moves, count(|it| it.needless));
    assert_eq!(outcome.deceived_moves, count(|it| it.deceived));
    assert!(course.moves.is_sorted_by(|a, b| a.update < b.update));
    for it in &course.series {
        let so_far = course
            .moves
            .partition_point(|made| made.update <= it.update);
        assert_eq!(it.moves, so_far as u64);
        let last = course.moves[..so_far].last();
        if let Some(last) = last.filter(|made| made.update == it.update) {
            assert_eq!(last.threatened, it.threatened);
        }
    }
}

/// What the definitions say of every state of n queens on n² cells.
fn check_bounds(n: u32, course: &Course) {
    let signals = 2 * (4 * n - 2) * (n - 1);
    for it in &course.series {
        assert_eq!(it.signals, signals);
        assert!(it.true_signals <= signals);
        assert!(it.threatened <= n && it.attacked <= n && it.attacked != 1);
        assert!(it.safe_cells <= n * n && it.truly_safe_cells <= n * n);
        assert!(it.safe_moves <= 8 * it.threatened && it.safe_moves <= 8 * n);
        assert_eq!(it.conflicts == 0, it.attacked == 0);
        if it.true_signals == signals {
            assert_eq!(it.attacked, it.threatened);
            assert_eq!(it.truly_safe_cells, it.safe_cells);
        }
    }
}
