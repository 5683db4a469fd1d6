//! The point of the least mean time of a sweep, and the bounds of its place.

use plotters::style::Color;

use super::{Curve, Panel, Scene};
use crate::analysis::optimum::Optimum;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::Panel as Painted;
use crate::report::style::{BEST_RADIUS, STRIP_OPACITY, THEORY};
use crate::solver::{Point, symbol};

/// What the source texts say of their figures, as far as it can be read: figure, algorithm, n,
/// quantity, value, reading error and origin of each number.
const LOCAL_RULES: &str = include_str!("../../../experiments/sources/local-rules.csv");

/// With more curves, lines and strips for the best ε would cover the points.
const MOST_STRIPS: usize = 3;
const TIME: &str = "absorption_time";

impl Scene<'_> {
    pub(super) fn best(&self, curve: &Curve) -> Option<Optimum> {
        let mean = |row: usize| Some((self.at(row), self.frame.mean(row, "mean")?));
        let sweep = self.rows(curve, TIME).filter_map(mean);
        let (xs, means): (Vec<f64>, Vec<_>) = sweep.unzip();
        Optimum::of(&xs, &means)
    }

    /// The optimum that the source text names for a curve's rule and n.
    fn of_the_text(&self) -> impl Iterator<Item = (f64, &'static str)> {
        let is_epsilon = self.chart.marks_best && self.chart.x() == "epsilon";
        let shown = self.curves.iter().filter(move |_| is_epsilon);
        shown.filter_map(|curve| best_epsilon(&self.frame.keys[curve.rows[0]]))
    }

    pub(super) fn best_entries(&self) -> Vec<Entry> {
        let Some(curve) = self.curves.iter().find(|curve| curve.best.is_some()) else {
            return Vec::new();
        };
        let colour = curve.style.colour;
        let mut entries = Vec::new();
        if self.panels.iter().any(|panel| panel.only() == TIME) {
            entries.push(Entry::new(Sample::Ring(colour), "ring: least mean time"));
            if self.curves.len() <= MOST_STRIPS {
                entries.push(Entry::new(
                    Sample::Strip(colour),
                    format!("strip: the best {}, 95 %", symbol(self.chart.x())),
                ));
            }
        }
        entries.extend(self.of_the_text().map(|(epsilon, figure)| {
            let text = format!("source text, figure {figure}: ε = {}", short(epsilon, 3));
            Entry::new(Sample::Pointer(THEORY), text)
        }));
        entries
    }

    /// A dashed line at the best ε of each sweep, and among the times a strip on the axis over
    /// where the best ε must lie.
    pub(super) fn paint_strips(&self, painted: &Painted, panel: &Panel) {
        if self.curves.len() > MOST_STRIPS {
            return;
        }
        for (curve, index) in self.curves.iter().zip(0..) {
            let Some(Optimum { best, above, below }) = curve.best else {
                continue;
            };
            let (colour, frame) = (curve.style.colour, painted.frame);
            painted.draw_upright(best, colour);
            if panel.only() == TIME {
                let from = above.map_or(frame.left, |low| painted.x.pixel(low));
                let to = below.map_or(frame.right, |high| painted.x.pixel(high));
                let base = frame.bottom - 24 * (index + 1);
                let colour = colour.mix(STRIP_OPACITY);
                painted
                    .canvas
                    .rectangle((from, base - 16), (to, base), colour);
            }
        }
    }

    /// Over all else: a ring around the least mean, a pointer to the text's.
    pub(super) fn paint_best(&self, painted: &Painted, panel: &Panel) {
        if panel.only() != TIME {
            return;
        }
        for (epsilon, _) in self.of_the_text() {
            let spot = (painted.x.pixel_within(epsilon), painted.frame.bottom);
            painted.canvas.pointer(spot, THEORY);
        }
        for curve in &self.curves {
            let marks = self.marks(curve, (panel, "mean"), TIME).into_iter();
            for mark in marks.filter(|mark| curve.best.is_some_and(|it| it.best == mark.x)) {
                let spot = (painted.x.pixel(mark.x), painted.y.pixel(mark.y));
                let colour = curve.style.colour;
                painted.canvas.ring(spot, BEST_RADIUS, colour);
            }
        }
    }
}

/// The least mean time of a sweep, and where the best ε lies.
pub fn finding_of_best(curve: &Curve, x: &str) -> Option<String> {
    let Optimum { best, above, below } = curve.best?;
    let place = match [above, below].map(|bound| bound.map(|bound| short(bound, 3))) {
        [Some(low), Some(high)] => format!("the best {x} is between {low} and {high}"),
        [None, Some(high)] => format!("the best {x} is below {high} (no bound from below)"),
        [Some(low), None] => format!("the best {x} is above {low} (no bound from above)"),
        [None, None] => format!("this sweep does not bound the best {x}"),
    };
    let (label, best) = (&curve.label, short(best, 3));
    Some(format!("{label}: least mean time at {x} = {best}; {place}"))
}

/// The best ε that the source text names for the rule and n of a point, and the text's figure.
fn best_epsilon(point: &Point) -> Option<(f64, &'static str)> {
    let mut rows = LOCAL_RULES.lines().skip(1);
    rows.find_map(|row| {
        let cells: Vec<&str> = row.splitn(6, ',').collect();
        let [figure, algorithm, n, quantity, value, _] = cells[..] else {
            return None;
        };
        let is_of = algorithm == point.algorithm
            && quantity == "best_epsilon"
            && n.parse().ok() == point.integer("n");
        Some((value.parse().ok().filter(|_| is_of)?, figure))
    })
}
