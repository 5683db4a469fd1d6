//! The power of n!/S(n) as which the moves until the first solution grow, between neighbouring n.
//! It is written as the row `moves_at_hit_local_power` of the table and not drawn.

use crate::analysis::quantity::Quantity;
use crate::analysis::regression::local_powers;
use crate::report::curves::studies::Study;
use crate::report::curves::{Curves, Group};
use crate::report::figure::Panel;
use crate::report::table::Table;
use crate::solver::{Value, algorithm};

pub struct LocalPowers;

impl Study for LocalPowers {
    /// Of local rules against n alone: S(n) says nothing of the factors of a product, nor of
    /// signals that settle while the queens stand on a solution.
    fn push_rows_of(&self, curves: &Curves, group: &Group, table: &mut Table) {
        let fits_a_quantity = |panel: &Panel| panel.quantity.is_some() && panel.spec.fit.is_some();
        let key = curves.key(group);
        let algorithm = algorithm(&key.algorithm);
        let is_local_rule = algorithm.is_some_and(|algorithm| algorithm.condition.is_some());
        let figure = curves.figure;
        let is_asked_for = figure.panels.iter().any(fits_a_quantity);
        if !is_local_rule || !figure.is_against_n() || !is_asked_for {
            return;
        }

        let other_axes = group.varying.iter().filter(|axis| *axis != "n");
        let other_axes: Vec<String> = other_axes.cloned().collect();
        let column = format!("mean({})", Quantity::MovesAtHit.name());
        let means = curves.complete(group, &column).into_iter();
        let means: Vec<_> = means.map(|(n, mean)| (n as u32, mean)).collect();
        for (n, power) in local_powers(&means) {
            let at_n = key.with("n", Value::Integer(n.into()));
            table.push_fit((&at_n, &other_axes), "moves_at_hit_local_power", power);
        }
    }
}
