//! The list of all algorithms, and the door to their trials. Here are the order of the list, which
//! is that of `reines list algorithms` (by name, then the exhaustive methods, then those of other
//! packages), and what is refused of an algorithm of another package: a name, an axis or a column
//! that is taken.

use std::mem::discriminant;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::exact::methods::METHODS;
use super::local::rules::RULES;
use super::outcome::COLUMNS;
use super::{
    Algorithm, Axis, Dynamics, PARTS, Point, Prepared, cp, factor, min_conflicts, synchronous,
};

/// The algorithms that a spec may name.
pub struct Registry(RwLock<Vec<&'static Algorithm>>);

/// The algorithms of this process: those of this package by name, then its exhaustive methods, then
/// what another package has handed in ([`Registry::with`]).
pub static ALGORITHMS: LazyLock<Registry> = LazyLock::new(|| {
    static OTHERS: [Algorithm; 4] = [
        cp::ALGORITHM,
        factor::ALGORITHM,
        min_conflicts::ALGORITHM,
        synchronous::ALGORITHM,
    ];
    let rules = RULES
        .iter()
        .flat_map(|rule| [&rule.algorithm, &rule.relaxation]);
    let mut algorithms: Vec<&Algorithm> = OTHERS.iter().chain(rules).collect();
    algorithms.sort_by_key(|algorithm| algorithm.name);
    algorithms.extend(METHODS.iter().map(|method| &method.algorithm));
    Registry(RwLock::new(algorithms))
});

impl Registry {
    /// The algorithms at present.
    pub fn iter(&self) -> impl Iterator<Item = &'static Algorithm> + use<> {
        let algorithms = self.0.read().unwrap_or_else(PoisonError::into_inner);
        algorithms.clone().into_iter()
    }

    /// The same with an algorithm of another package, from here on for the whole process: specs may
    /// name it, and its results depend on its [`Algorithm::version`].
    ///
    /// # Panics
    /// When its name is that of another algorithm or of a part of the sources, when its version is
    /// more than one word, when it has an own column of the name of another column or of an axis,
    /// or of that of another algorithm's with another type or unit, or when it has an axis that
    /// another algorithm has with another symbol or another kind of values.
    pub fn with(&self, algorithm: Algorithm) -> &Self {
        let name = algorithm.name;
        let version = algorithm.version;
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_taken = all.iter().any(|algorithm| algorithm.name == name)
            || PARTS.split([';', ' ']).any(|part| part == name);
        assert!(!is_taken, "{name}: there is an algorithm of this name");
        let is_word = version
            .chars()
            .all(|character| character.is_ascii_graphic());
        assert!(is_word, "{name}: version {version:?}: expected one word");
        refuse_columns(&all, &algorithm);
        for axis in algorithm.axes {
            let kind = |axis: &Axis| (axis.symbol, discriminant(&axis.domain));
            let is_alike = |other: &Axis| kind(other) == kind(axis);
            let axes = all.iter().flat_map(|algorithm| algorithm.axes);
            let mut same_name = axes.filter(|other| other.name == axis.name);
            assert!(
                same_name.all(is_alike),
                "{name}: another algorithm has another axis {}",
                axis.name
            );
        }
        all.push(Box::leak(Box::new(algorithm)));
        self
    }
}

/// Refuses own columns that would be mixed up with other columns and axes.
fn refuse_columns(all: &[&Algorithm], algorithm: &Algorithm) {
    let name = algorithm.name;
    let axes = all
        .iter()
        .flat_map(|other| other.axes)
        .chain(algorithm.axes);
    let axes: Vec<&str> = axes.map(|axis| axis.name).collect();
    for column in algorithm.columns.iter().filter(|column| column.is_own()) {
        let taken = COLUMNS.iter().any(|fact| fact.name == column.name);
        let taken = taken || axes.contains(&column.name);
        assert!(
            !taken,
            "{name}: {}: another column has this name",
            column.name
        );
        let mut others = all.iter().flat_map(|other| other.columns);
        let same = others.find(|other| other.name == column.name);
        let is_alike =
            same.is_none_or(|other| other.kind() == column.kind() && other.unit == column.unit);
        assert!(
            is_alike,
            "{name}: {}: another algorithm's column has another type or unit",
            column.name
        );
    }
}

/// What labels call the axis of this name: its symbol, or the name itself where no algorithm has
/// the axis any more.
pub fn symbol(name: &str) -> &str {
    let mut axes = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
    axes.find(|axis| axis.name == name)
        .map_or(name, |axis| axis.symbol)
}

/// The algorithm of this registry name, if there is one.
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// True if the trials of a point differ. A program of a spec stands in no registry and has no
/// variants: it draws unless it is a search, which has one trial.
pub fn draws(point: &Point) -> bool {
    match algorithm(&point.algorithm) {
        Some(algorithm) => algorithm.is_random(&point.variant),
        None => point.goal.is_none() || !point.variant.is_empty(),
    }
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::{Column, Domain};

    const MINE: Algorithm = Algorithm {
        name: "mine",
        axes: &[Axis::side(9)],
        columns: &[Column::named("updates")],
        version: "1.0",
        ..Algorithm::UNNAMED
    };

    #[test]
    fn what_is_handed_in_comes_last_and_what_would_be_mixed_up_is_refused() {
        let with = |all: Vec<Algorithm>| {
            let registry = Registry(RwLock::new(ALGORITHMS.iter().collect()));
            all.into_iter().for_each(|it| _ = registry.with(it));
            registry.iter().last().map(|it| it.name)
        };
        assert_eq!(with(vec![MINE]), Some("mine"));
        const REAL: &[Axis] = &[Axis {
            domain: Domain::Real { min: 0.0, max: 1.0 },
            ..Axis::side(1)
        }];
        for (name, version, axes) in [
            ("mine", "1.0", MINE.axes),
            ("pair", "1.0", MINE.axes),
            ("local", "1.0", MINE.axes),
            ("other", "1 0", MINE.axes),
            ("other", "1.0", REAL),
        ] {
            let other = Algorithm {
                name,
                version,
                axes,
                ..MINE
            };
            assert!(
                catch_unwind(AssertUnwindSafe(|| with(vec![MINE, other]))).is_err(),
                "{name} {version}"
            );
        }
    }
}
