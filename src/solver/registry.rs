//! The list of all algorithms, and the door to their trials.

use std::sync::LazyLock;

use super::exact::methods::METHODS;
use super::local::rules::RULES;
use super::{Algorithm, Dynamics, Point, Prepared, cp, factor, synchronous};

/// Every algorithm that a spec may name: by their names, then the exhaustive methods.
pub static ALGORITHMS: LazyLock<Vec<&'static Algorithm>> = LazyLock::new(|| {
    static OTHERS: [Algorithm; 3] = [cp::ALGORITHM, factor::ALGORITHM, synchronous::ALGORITHM];
    let rules = RULES.iter().flat_map(|it| [&it.algorithm, &it.relaxation]);
    let mut algorithms: Vec<&Algorithm> = OTHERS.iter().chain(rules).collect();
    algorithms.sort_by_key(|algorithm| algorithm.name);
    algorithms.extend(METHODS.iter().map(|method| &method.algorithm));
    algorithms
});

/// What labels call the axis of this name: its symbol, or the name itself where no algorithm has
/// the axis any more.
pub fn symbol(name: &str) -> &str {
    ALGORITHMS
        .iter()
        .flat_map(|algorithm| algorithm.axes)
        .find(|axis| axis.name == name)
        .map_or(name, |axis| axis.symbol)
}

/// The algorithm of this registry name, if there is one.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS
        .iter()
        .copied()
        .find(|algorithm| algorithm.name == name)
}

/// Makes ready to run trials of a point, simulated so; a search has no dynamics.
///
/// # Panics
/// When the point is of no registered algorithm or has not a value within its domain on each axis,
/// or when the algorithm is not simulated so.
pub fn prepare(point: &Point, dynamics: Option<Dynamics>) -> Prepared {
    let algorithm = algorithm(&point.algorithm).expect("a registered algorithm");
    (algorithm.prepare)(point, dynamics)
}
