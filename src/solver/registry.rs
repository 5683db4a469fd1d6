//! The list of all algorithms.

use std::sync::LazyLock;

use super::cp::algorithm::ConstraintProgramming;
use super::local::LocalAlgorithm;
use super::local::cell::CellRule;
use super::local::pair::PairRule;
use super::local::relaxation::Relaxation;
use super::{Algorithm, exact};

/// The algorithms that stand for themselves, one line each.
pub const LISTED: &[&dyn Algorithm] = &[
    &LocalAlgorithm::<CellRule>::NEW,
    &Relaxation::<CellRule>::NEW,
    &ConstraintProgramming,
    &LocalAlgorithm::<PairRule>::NEW,
    &Relaxation::<PairRule>::NEW,
];

/// Every algorithm that a spec may name: [`LISTED`], then the exhaustive methods.
pub static ALGORITHMS: LazyLock<Vec<&'static dyn Algorithm>> = LazyLock::new(|| {
    LISTED
        .iter()
        .copied()
        .chain(
            exact::algorithm::algorithms()
                .iter()
                .map(|method| method as &dyn Algorithm),
        )
        .collect()
});

/// What labels call the axis of this name: its symbol, or the name itself where no algorithm has
/// the axis any more.
pub fn symbol(name: &str) -> &str {
    ALGORITHMS
        .iter()
        .flat_map(|algorithm| algorithm.axes())
        .find(|axis| axis.name == name)
        .map_or(name, |axis| axis.symbol)
}

/// The algorithm of this registry name, if there is one.
pub fn algorithm(name: &str) -> Option<&'static dyn Algorithm> {
    ALGORITHMS
        .iter()
        .copied()
        .find(|algorithm| algorithm.name() == name)
}
