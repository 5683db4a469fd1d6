//! Trials in lanes on a graphics processor: the same trials, bit for bit.
//!
//! A step is integer arithmetic alone, so the device makes the steps, one trial in each invocation
//! ([`program`]: text in WGSL, by the rule's own masks). Everything with a logarithm stays on the
//! host: at checkpoints the waits are drawn as those of other lanes are (`checkpoint.rs`), and a
//! trial that passes its cutoff is gone through once more there.
//!
//! A launch makes so few steps that no device ends it early, and each trial's report says how many
//! it has made and what it has drawn: what does not fit together is an error.

mod arithmetic;

mod board;

mod cells;

mod crowd;

mod draws;

mod moves;

mod pairs;

mod program;

mod report;

mod rows;

mod table;

mod threshold;

#[cfg(test)]
mod tests;

pub use self::program::Program;

use self::crowd::Crowd;
use self::table::Table;
use super::cells::LanesOnCells;
use super::follower::Trials;
use super::kernel::Kernel;
use super::pairs::LanesOnPairs;
use super::step::Slots;
use crate::solver::{Control, Gpu, Interrupted, Point};

/// The program of a rule on pairs.
pub fn on_pairs<R: LanesOnPairs>(rule: &R, n: usize, slots: &Slots) -> Program {
    assert!(!R::COUNTS_SIGNALS, "LANES_ON_GPU says so");
    let certain = Table::of(|from, to| rule.certain(from, to));
    pairs::program(n, slots, rule.epsilon(), certain)
}

/// The program of a rule on cells.
pub fn on_cells<R: LanesOnCells>(rule: &R, n: usize, slots: &Slots) -> Program {
    let certain = Table::of(|from, to| rule.certain(from, to));
    cells::program(n, slots, [rule.epsilon(), rule.eta()], certain)
}

/// As [`LanesOf`](super::LanesOf), on a device.
pub fn run<K: Kernel<W>, const W: usize>(
    device: &Gpu,
    point: &Point,
    cutoff: u64,
    trials: Trials,
    control: &Control,
) -> Result<(), Interrupted> {
    Crowd::<K, W>::new(device, point, cutoff).run(trials.source, control)
}
