//! 1/d(n), on the scale of the panel or on one of its own. Here is decided when 1/d has the
//! right-hand axis, how that is scaled, and its words in legend and caption.

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::report::axes::scale::Span;
use crate::report::axes::{Axes, Layer};
use crate::report::curves::Curves;
use crate::report::curves::studies::{Layers, Study};
use crate::report::marks::curve::{FULL, draw_curve};
use crate::report::marks::mark::{Aside, Mark};
use crate::report::marks::{boxed, curve_sample};
use crate::report::out::canvas::{Drawn, Rank};
use crate::report::table::Table;
use crate::solver::density::inverse_density;
use crate::theme::{AXIS_ROOM, Marker, SeriesStyle, THEORY};

const STYLE: SeriesStyle = SeriesStyle {
    colour: THEORY,
    marker: Marker::Diamond,
    dash: &[],
};

pub struct InverseDensity;

impl Study for InverseDensity {
    fn under_all(&self, curves: &Curves, y_is_logarithmic: bool) -> Layers {
        if !curves.figure.spec.has_density {
            return Vec::new();
        }
        let first_row = curves.table.height();
        let known = inverse_densities(curves);
        vec![boxed(Density::of(&known, first_row, !y_is_logarithmic))]
    }

    fn push_rows(&self, curves: &Curves, table: &mut Table) {
        for (n, value) in inverse_densities(curves) {
            let n = [("n", (n as u64).into())];
            table.push_number(None, &n, "inverse_density", Estimate::exactly(value));
        }
    }
}

/// (n, 1/d(n)) at the sides of the groups, where the figure shows it.
fn inverse_densities(curves: &Curves) -> Vec<(f64, f64)> {
    if !curves.figure.spec.has_density {
        return Vec::new();
    }
    let rows = curves.groups.iter().flat_map(|group| &group.rows);
    let sides = rows.filter_map(|&row| curves.table.keys[row].integer("n"));
    let at = |n: u64| Some((n as f64, inverse_density(u32::try_from(n).ok()?)?));
    sides.sorted().dedup().filter_map(at).collect()
}

/// A curve of 1/d(n) with an axis on the right.
struct Density {
    marks: Vec<Mark>,
    /// True on a scale of its own: a decade of 1/d is as long as one of the times where those are
    /// logarithmic, too.
    is_apart: bool,
}

impl Density {
    /// The curve of these values, whose rows begin at `row`.
    fn of(known: &[(f64, f64)], row: usize, is_apart: bool) -> Self {
        let mark = |(&(x, value), row)| Mark {
            x,
            x_known: Estimate::exactly(x),
            y: Estimate::exactly(value),
            row,
            trials: None,
            aside: Aside::default(),
        };
        Self {
            marks: known.iter().zip(row..).map(mark).collect(),
            is_apart,
        }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.marks.iter().map(|mark| mark.y.value)
    }
}

impl Layer for Density {
    fn across(&self) -> Vec<f64> {
        self.marks.iter().map(|mark| mark.x).collect()
    }

    fn heights(&self) -> Vec<f64> {
        self.values().filter(|_| !self.is_apart).collect()
    }

    fn room(&self) -> i32 {
        AXIS_ROOM
    }

    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let Some(own) = Span::logarithmic(self.values()) else {
            return drawn;
        };
        let title = "1/d(n), random starts per solved start";
        let beside = Axes {
            y: if self.is_apart {
                own.on((axes.frame.bottom, axes.frame.top))
            } else {
                axes.y.clone()
            },
            x: axes.x.clone(),
            ..*axes
        };
        let curve = (&self.marks[..], STYLE, FULL);
        draw_curve(&mut drawn, &beside, curve, ["1/d(n)", title]);
        let edge = (axes.frame.right, -1);
        axes.draw_upright_axis(&mut drawn, edge, &beside.y, Some(title), THEORY);
        let words =
            "1/d(n), on the right-hand axis: d is the density of solutions among random starts";
        drawn.say(0, words);
        let text = "1/d(n) (right axis)";
        drawn.entry(Rank::Density, text, |sample| curve_sample(sample, STYLE));
        drawn
    }
}
