//! The values of an axis of which a function stands across, at the upper edge. It is for `x =
//! "permutations_per_solution"`, where the n stand at the upper edge.

use itertools::Itertools;

use crate::report::axes::{Axes, Layer};
use crate::report::curves::Curves;
use crate::report::curves::studies::{Layers, Study};
use crate::report::marks::boxed;
use crate::report::out::canvas::{Drawn, Lettering};
use crate::report::words::number::short;
use crate::solver::symbol;
use crate::theme::TICK_SIZE;

pub struct FunctionOfAxis;

impl Study for FunctionOfAxis {
    fn over(&self, curves: &Curves) -> Layers {
        let figure = curves.figure;
        if figure.derived.is_none() {
            return Vec::new();
        }
        let axis = figure.x();
        let value = |row: usize| {
            let value = curves.table.keys[row].axes.get(axis)?.number();
            Some((curves.at(row), value))
        };
        let rows = curves.groups.iter().flat_map(|group| &group.rows);
        let mut values: Vec<(f64, f64)> = rows.filter_map(|&row| value(row)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        values.dedup();

        let of_one_x = values.chunk_by(|a, b| a.0 == b.0).enumerate();
        let words = of_one_x.map(|(index, values)| {
            let numbers = values.iter().map(|(_, value)| short(*value, 6)).join(", ");
            let text = match index {
                0 => format!("{} = {numbers}", symbol(axis)),
                _ => numbers,
            };
            (values[0].0, text)
        });
        vec![boxed(UpperAxis(words.collect()))]
    }
}

/// Words at the upper edge, each at its x.
struct UpperAxis(Vec<(f64, String)>);

impl Layer for UpperAxis {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        for (x, text) in &self.0 {
            let spot = (axes.x.pixel(*x), axes.frame.top + TICK_SIZE);
            drawn.text(text, spot, Lettering::TICK);
        }
        drawn
    }
}
