//! The point of the least mean time of a sweep, and the bounds of its x.

use plotters::style::Color;

use super::{Curve, Panel, Scene};
use crate::analysis::optimum::Optimum;
use crate::report::legend::{LegendEntry, Sample};
use crate::report::number::short;
use crate::report::panel::PaintedPanel;
use crate::report::scale::Span;
use crate::report::style::{BEST_RADIUS, STRIP_OPACITY, THEORY};
use crate::solver::{Point, symbol};

/// What the source texts say of their figures, as far as it can be read: figure, algorithm, n,
/// quantity, value, reading error and origin of each number.
const LOCAL_RULES: &str = include_str!("../../../experiments/sources/local-rules.csv");

/// The most curves of a panel with lines and strips for the best ε: more would cover the points.
const MOST_STRIPS: usize = 3;
const TIME: &str = "absorption_time";

impl Scene<'_> {
    pub(super) fn best(&self, curve: &Curve) -> Option<Optimum> {
        let mean = |row: usize| Some((self.at(row), self.frame.estimate(row, "mean")?));
        let (xs, means): (Vec<f64>, Vec<_>) = self.rows(curve, TIME).filter_map(mean).unzip();
        Optimum::of(&xs, &means)
    }

    /// The optimum that the source text names for a curve's rule and n.
    fn of_the_text<'c>(
        &self,
        curves: impl Iterator<Item = &'c Curve>,
    ) -> impl Iterator<Item = (f64, String)> {
        let is_epsilon = self.chart.choices.marks_best && self.chart.x() == "epsilon";
        let shown = curves.filter(move |_| is_epsilon);
        shown.filter_map(|curve| best_epsilon(&self.frame.keys[curve.rows[0]]))
    }

    /// The first curve whose least mean time has a ring in a panel.
    fn ringed(&self) -> Option<&Curve> {
        let has_times = self.chart.panels.iter().any(shows_time);
        let mut curves = self.curves.iter().filter(|_| has_times);
        curves.find(|curve| curve.best.is_some())
    }

    /// The first curve with a strip: one in a panel of few curves.
    fn striped(&self) -> Option<&Curve> {
        let is_few = |curve: &&Curve| self.beside(curve).count() <= MOST_STRIPS;
        let mut curves = self.curves.iter().filter(is_few);
        curves.find(|curve| self.ringed().is_some() && curve.best.is_some())
    }

    /// The curves in the panel of this one, itself among them.
    fn beside<'s>(&'s self, curve: &Curve) -> impl Iterator<Item = &'s Curve> {
        let facet = self.facet_of(curve);
        let curves = self.curves.iter();
        curves.filter(move |other| self.facet_of(other) == facet)
    }

    /// What rings and strips mean, of what is drawn.
    pub(super) fn best_in_words(&self) -> Vec<&'static str> {
        let ring = self
            .ringed()
            .map(|_| "ring: the least mean time of a sweep");
        let strip = self.striped().map(|_| {
            "dashed line: its position; strip: 95 % range of the best value, if the curve has one minimum"
        });
        ring.into_iter().chain(strip).collect()
    }

    pub(super) fn best_entries(&self, across: Option<Span>) -> Vec<LegendEntry> {
        let mut entries = Vec::new();
        if let Some(curve) = self.ringed() {
            let ring = Sample::Ring(curve.style.colour);
            entries.push(LegendEntry::new(ring, "ring: least mean time"));
        }
        if let Some(curve) = self.striped() {
            let text = format!(
                "strip: 95 % range of the best {}, if the curve has one minimum",
                symbol(self.chart.x())
            );
            entries.push(LegendEntry::new(Sample::Strip(curve.style.colour), text));
        }
        let of_the_text = self.of_the_text(self.curves.iter());
        entries.extend(of_the_text.map(|(epsilon, figure)| {
            let text = format!("source text, figure {figure}: ε = {}", short(epsilon, 3));
            match across.is_some_and(|it| it.holds(epsilon)) {
                true => LegendEntry::new(Sample::Pointer(THEORY), text),
                false => LegendEntry::new(Sample::None, format!("{text}, beyond the axis")),
            }
        }));
        entries
    }

    /// A dashed line at the best ε of each sweep, and among the times a strip on the axis over
    /// where the best ε must lie.
    pub(super) fn paint_strips(&self, painted: &PaintedPanel, panel: &Panel, curves: &[&Curve]) {
        if curves.len() > MOST_STRIPS {
            return;
        }
        for (curve, index) in curves.iter().zip(0..) {
            let Some(Optimum { best, above, below }) = curve.best else {
                continue;
            };
            let (colour, frame) = (curve.style.colour, painted.frame);
            painted.draw_upright(best, colour);
            if shows_time(panel) {
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
    pub(super) fn paint_best(&self, painted: &PaintedPanel, panel: &Panel, curves: &[&Curve]) {
        if !shows_time(panel) {
            return;
        }
        for (epsilon, _) in self.of_the_text(curves.iter().copied()) {
            if painted.x.holds(epsilon) {
                let spot = (painted.x.pixel(epsilon), painted.frame.bottom);
                painted.canvas.pointer(spot, THEORY);
            }
        }
        for curve in curves {
            let marks = self.marks(curve, panel, &panel.columns[0]).into_iter();
            for mark in marks.filter(|mark| curve.best.is_some_and(|it| it.best == mark.x)) {
                let spot = (painted.x.pixel(mark.x), painted.y.pixel(mark.y.value));
                let colour = curve.style.colour;
                painted.canvas.ring(spot, BEST_RADIUS, colour);
            }
        }
    }
}

/// True if the panel shows absorption times first.
fn shows_time(panel: &Panel) -> bool {
    panel.columns[0].only == TIME
}

/// The best ε that the source text names for the rule and n of a point, and the text's figure. The
/// text's rules have SAFEGO as their certain moves.
fn best_epsilon(point: &Point) -> Option<(f64, String)> {
    if !point.variant.is_empty() {
        return None;
    }
    let rows = csv::Reader::from_reader(LOCAL_RULES.as_bytes()).into_records();
    rows.flatten().find_map(|row| {
        let is_of = row[1] == point.algorithm
            && &row[3] == "best_epsilon"
            && row[2].parse().ok() == point.integer("n");
        Some((row[4].parse().ok().filter(|_| is_of)?, row[0].to_owned()))
    })
}
