//! Whole trials on a software device against those of other lanes.

use crate::solver::local::lanes::LanesOf;
use crate::solver::local::lanes::follower::Trials;
use crate::solver::local::lanes::tests::{self, Listed, run};
use crate::solver::local::lanes::vector::Instructions;
use crate::solver::{Asked, Control, Ending, Gpu, Interrupted, Outcome, Point};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// n, ε, the fraction of η, cutoff and number of trials.
const CASES: [(usize, f64, f64, u64, u32); 14] = [
    (1, 0.1, 0.1, 10, 3),
    (2, 0.3, 0.1, 1000, 5),
    (4, 0.0, 0.0, 5000, 20),
    (4, 0.3, 0.1, 1_000_000, 40),
    (4, 0.1, 0.1, u64::MAX, 40),
    (5, 0.05, 0.1, 300, 40),
    (5, 0.05, 1.0, 100_000_000, 40),
    (8, 0.01, 0.1, 100_000, 40),
    (8, 0.5, 1.0, 30_000, 20),
    (11, 0.1, 0.1, 50_000, 12),
    (13, 0.03, 0.0, 100_000, 12),
    (16, 0.02, 0.1, 200_000, 12),
    (18, 0.03, 0.1, 20_000, 4),
    (24, 0.02, 0.1, 20_000, 4),
];

fn on_device(
    device: &Gpu,
    (lanes, point): &(LanesOf, Point),
    trials: u32,
    cutoff: u64,
) -> Vec<Outcome> {
    let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut listed = Listed::of((0..trials).rev().collect());
    let trials = Trials {
        gpu: Some(device),
        ..Trials::of(&mut listed)
    };
    let control = Control::new(&stop, &updates);
    let result = lanes(Instructions::fastest(), point, cutoff, trials, &control);
    assert_eq!((result, device.failure()), (Ok(()), None), "{point}");
    let outcomes = listed.outcomes();
    let simulated: u64 = outcomes.iter().filter_map(|outcome| outcome.updates).sum();
    assert_eq!(updates.into_inner(), simulated, "every update is counted");
    outcomes
}

/// The rules that a graphics processor runs.
fn points(at: (usize, f64, f64)) -> impl Iterator<Item = (LanesOf, Point)> {
    let all = tests::points(at).into_iter();
    all.filter(|(_, point)| point.lanes_on_gpu())
}

fn device() -> Gpu {
    Gpu::open(&Asked::Software).unwrap_or_else(|error| panic!("{error}"))
}

/// With places for few trials and launches of few steps on small boards.
#[test]
fn trials_are_those_of_other_lanes() {
    let mut seen = [0_u64; 5];
    for (number, (n, epsilon, other, cutoff, trials)) in CASES.into_iter().enumerate() {
        for case in points((n, epsilon, other)) {
            let device = match number % 3 {
                0 => device().limited(1000, 7),
                _ => device(),
            };
            let all: Vec<u32> = (0..trials).collect();
            let expected = run(&case, &all, cutoff, Instructions::fastest());
            let found = on_device(&device, &case, trials, cutoff);
            assert_eq!(found, expected, "{}, cutoff {cutoff}", case.1);
            for outcome in found {
                seen[0] += u64::from(outcome.ending == Ending::Absorbed);
                seen[1] += u64::from(outcome.ending == Ending::Censored);
                seen[2] += u64::from(outcome.hitting_time < outcome.absorption_time);
                seen[3] += outcome.deceived_moves.unwrap_or(0);
                seen[4] += u64::from(outcome.entries > Some(1));
            }
        }
    }
    assert!(
        seen.iter().all(|&seen| seen > 10),
        "all was tried: {seen:?}"
    );
}

#[test]
fn a_stop_is_heard() {
    let (stop, updates) = (AtomicBool::new(true), AtomicU64::new(0));
    for (lanes, point) in points((12, 0.001, 0.1)) {
        let (device, mut listed) = (device(), Listed::of(vec![1, 0]));
        let trials = Trials {
            gpu: Some(&device),
            ..Trials::of(&mut listed)
        };
        let control = Control::new(&stop, &updates);
        let result = lanes(Instructions::fastest(), &point, u64::MAX, trials, &control);
        assert_eq!(result, Err(Interrupted));
        assert_eq!((listed.outcomes().len(), device.failure()), (0, None));
    }
}

/// A program that the device cannot compile is an error, with its reason, and no other trial.
#[test]
fn what_fails_on_the_device_is_said() {
    let device = device();
    let words = crate::solver::gpu::Words {
        board: 1,
        draws: 1,
        report: 1,
        orders: 1,
    };
    let memory = device.memory("fn main() { let x: u32 = 1.5; }", words, 1);
    let reason = memory.expect_err("no program");
    assert!(reason.contains("1.5") || reason.contains("u32"), "{reason}");
    assert_eq!(device.failure(), Some(reason));
}
