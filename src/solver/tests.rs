//! Tests only: how a trial is run, and samples are held against what is expected of them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::{Control, Course, Dynamics, Key, Outcome, Point, prepare};

/// A trial of seed 1 that runs to its end. Every update is counted for the progress display.
pub fn run(point: &Point, dynamics: Dynamics, trial: u32, cutoff: u64) -> Outcome {
    run_with_seed(1, point, dynamics, trial, cutoff)
}

/// The same with another seed.
pub fn run_with_seed(
    seed: u64,
    point: &Point,
    dynamics: Dynamics,
    trial: u32,
    cutoff: u64,
) -> Outcome {
    let key = Key { seed, trial };
    recorded(point, dynamics, key, cutoff, &[]).0
}

/// A trial and its course.
pub fn recorded(
    point: &Point,
    dynamics: Dynamics,
    key: Key,
    cutoff: u64,
    moments: &[u64],
) -> (Outcome, Course) {
    let (stop, counted) = (AtomicBool::new(false), AtomicU64::new(0));
    let control = Control::new(&stop, &counted).observing(moments);
    let gave = prepare(point, Some(dynamics))(key, cutoff, &control);
    let (outcome, course) = gave.expect("no stop is asked for");
    if let Some(updates) = outcome.updates {
        assert_eq!(counted.into_inner(), updates, "every update is counted");
    }
    (outcome, course)
}

/// A search, and the boards that it shows.
pub fn searched(point: &Point, (seed, trial): (u64, u32), cutoff: u64) -> (Outcome, Vec<Vec<u32>>) {
    let boards = Mutex::new(Vec::new());
    let show = |board: &[u32]| boards.lock().expect("alone").push(board.to_vec());
    let control = Control::unstopped().showing(&show);
    let gave = prepare(point, None)(Key { seed, trial }, cutoff, &control);
    let (outcome, _) = gave.expect("not stopped");
    (outcome, boards.into_inner().expect("alone"))
}

/// Mean and squared standard error.
pub fn mean(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean) * (value - mean));
    (mean, squares.sum::<f64>() / (count - 1.0) / count)
}

/// Z of the difference of two means.
pub fn z(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0) / (a.1 + b.1).sqrt()
}

/// Pearson's χ² of pairs of a number that was counted and the one expected.
pub fn chi_square(classes: impl Iterator<Item = (f64, f64)>) -> f64 {
    classes
        .map(|(found, expected)| (found - expected) * (found - expected) / expected)
        .sum()
}
