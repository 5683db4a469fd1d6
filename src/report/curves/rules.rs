//! Reference lines: formulas of what stands across, at the x of the points. What such a formula may
//! name (the axis across, `permutations_per_solution`) is here; triangles and lines are drawn in
//! `marks/reference.rs`.

use crate::experiment::spec::formula;
use crate::report::curves::Curves;
use crate::report::figure::{DERIVED, Figure};
use crate::solver::Point;

/// A point of a reference line.
#[derive(Debug, Clone, Copy)]
pub struct RulePoint {
    /// A row of the table with its x.
    pub row: usize,
    pub x: f64,
    pub y: f64,
}

impl Figure<'_> {
    /// What a formula may name: the axis across, and functions of it.
    pub fn names_in_rules(&self) -> Vec<&str> {
        let axis = self.x();
        let functions = DERIVED.iter().filter(|derived| derived.axis == axis);
        let functions = functions.map(|derived| derived.name);
        [axis].into_iter().chain(functions).collect()
    }

    /// The same with their values at a point; without those that are not known there.
    fn values_in_rules(&self, point: &Point) -> Vec<(&str, f64)> {
        let value = |name: &str| match DERIVED.iter().find(|derived| derived.name == name) {
            Some(derived) => derived.at(point),
            None => Some(point.axes.get(name)?.number()),
        };
        let names = self.names_in_rules().into_iter();
        names
            .filter_map(|name| Some((name, value(name)?)))
            .collect()
    }
}

impl Curves<'_> {
    /// A formula at the x of the points, in increasing order, each x once; x at which it has no
    /// finite value are left out.
    pub fn rule_points(&self, formula: &str) -> Vec<RulePoint> {
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        let points = rows.filter_map(|&row| {
            let values = self.figure.values_in_rules(&self.table.keys[row]);
            let y = formula::value(formula, &values).ok()?;
            let x = self.at(row);
            y.is_finite().then_some(RulePoint { row, x, y })
        });
        let mut points: Vec<RulePoint> = points.collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points.dedup_by(|a, b| a.x == b.x);
        points
    }
}
