//! The list of all algorithms.

use std::sync::LazyLock;

use super::Algorithm;
use super::cp::algorithm::ConstraintProgramming;
use super::exact::algorithm::ExactAlgorithm;
use super::exact::methods::METHODS;
use super::local::LocalAlgorithm;
use super::local::cell::CellRule;
use super::local::pair::PairRule;
use super::local::relaxation::Relaxation;

/// Every algorithm that is not an exhaustive method, one line each.
pub(crate) const LISTED: &[&dyn Algorithm] = &[
    &LocalAlgorithm::<CellRule>::NEW,
    &Relaxation::<CellRule>::NEW,
    &ConstraintProgramming,
    &LocalAlgorithm::<PairRule>::NEW,
    &Relaxation::<PairRule>::NEW,
];

/// Every algorithm that a spec may name: [`LISTED`], then the exhaustive methods.
pub static ALGORITHMS: LazyLock<Vec<&'static dyn Algorithm>> = LazyLock::new(|| {
    static EXACT: LazyLock<Vec<ExactAlgorithm>> =
        LazyLock::new(|| METHODS.iter().map(ExactAlgorithm::new).collect());
    let exact = EXACT.iter().map(|method| method as &dyn Algorithm);
    LISTED.iter().copied().chain(exact).collect()
});

/// The algorithm of this registry name, if there is one.
pub fn algorithm(name: &str) -> Option<&'static dyn Algorithm> {
    ALGORITHMS
        .iter()
        .copied()
        .find(|algorithm| algorithm.name() == name)
}
