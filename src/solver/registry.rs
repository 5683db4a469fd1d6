//! The list of all algorithms.

use std::sync::LazyLock;

use super::Algorithm;
use super::cp::algorithm::ConstraintProgramming;
use super::exact::algorithm::ExactAlgorithm;
use super::exact::methods::METHODS;
use super::factor::Factor;
use super::local::relaxation::Relaxation;
use super::local::rules;
use super::synchronous::Synchronous;

/// Every algorithm that is in no other list, one line each. The local rules have a list of their
/// own, [`rules`], as have the exhaustive methods.
pub(crate) const LISTED: &[&dyn Algorithm] = &[
    &ConstraintProgramming, //
    &Factor,
    &Synchronous,
];

/// The relaxation of each local rule.
pub(crate) static RELAXATIONS: LazyLock<Vec<Relaxation>> =
    LazyLock::new(|| rules::REGISTERED.iter().map(Relaxation::of).collect());

/// Every algorithm that a spec may name: `LISTED` and the local rules by their names, then the
/// exhaustive methods.
pub static ALGORITHMS: LazyLock<Vec<&'static dyn Algorithm>> = LazyLock::new(|| {
    static EXACT: LazyLock<Vec<ExactAlgorithm>> =
        LazyLock::new(|| METHODS.iter().map(ExactAlgorithm::new).collect());
    let mut algorithms = LISTED.to_vec();
    for rule in rules::REGISTERED {
        algorithms.push(rule);
    }
    algorithms.extend(RELAXATIONS.iter().map(|it| it as &dyn Algorithm));
    algorithms.sort_by_key(|algorithm| algorithm.name());
    algorithms.extend(EXACT.iter().map(|method| method as &dyn Algorithm));
    algorithms
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
