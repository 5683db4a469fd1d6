//! `all_different` at a chosen level of consistency. The levels are those of the letters N
//! (forward), B (bounds) and A (domain); for S (*automatic*) it is decided here: domain where the
//! variables have no value to spare (the columns), forward where they have (the diagonals).

use super::bounds::BoundsConsistent;
use super::domain::DomainConsistent;
use super::not_equal::NotEqual;
use super::views::{Range, View};
use crate::cp::domain::Domains;
use crate::cp::engine::Engine;

/// How much an `all_different` filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Consistency {
    /// A value is removed from all other variables as soon as one takes it: a clique of
    /// differences.
    Forward,
    /// Every value has what the level above asks, and every bound has a support among the intervals
    /// from least to greatest values.
    Bounds,
    /// Every value has a support.
    Domain,
}

/// The level for these variables where the model names none: domain consistency where the variables
/// need every value, differences alone where values are left over.
///
/// A permutation is full of Hall sets. With values to spare (the diagonals of n queens: n
/// variables, 2n − 1 values) they are rare, and looking for them takes more time than it saves.
pub fn automatic(views: &[View], domains: &Domains) -> Consistency {
    let span = Range::of(views, domains).len;
    if span <= views.len() {
        Consistency::Domain
    } else {
        Consistency::Forward
    }
}

/// Posts `all_different(views)`.
pub fn post(views: &[View], consistency: Consistency, engine: &mut Engine) {
    match consistency {
        Consistency::Forward => engine.post(clique(views)),
        Consistency::Bounds => {
            let propagator = BoundsConsistent::new(views, &mut engine.domains);
            engine.post(propagator);
        }
        Consistency::Domain => {
            let propagator = DomainConsistent::new(views, &mut engine.domains);
            engine.post(propagator);
        }
    }
}

fn clique(views: &[View]) -> NotEqual {
    let mut network = NotEqual::new(views.iter().map(|view| view.var).collect());
    for (j, y) in views.iter().enumerate() {
        for (i, x) in views[..j].iter().enumerate() {
            network.differ(i, j, y.offset - x.offset);
        }
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cp::domain::DomainValue;

    /// n queens: n columns for n lines, 2n − 1 diagonals of each kind.
    #[test]
    fn columns_need_every_value_and_diagonals_do_not() {
        for n in [2, 8, 100] {
            let mut domains = Domains::default();
            let vars: Vec<_> = (0..n).map(|_| domains.variable(n)).collect();
            let sloped = |slope: DomainValue| -> Vec<View> {
                vars.iter()
                    .zip(0..)
                    .map(|(&var, i)| View {
                        var,
                        offset: slope * i,
                    })
                    .collect()
            };
            let levels = [0, 1, -1].map(|slope| automatic(&sloped(slope), &domains));
            assert_eq!(
                levels,
                [
                    Consistency::Domain,
                    Consistency::Forward,
                    Consistency::Forward
                ],
                "n = {n}"
            );
        }
    }
}
