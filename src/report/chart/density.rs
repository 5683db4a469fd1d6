//! 1/d(n) on an axis of its own, and how moves grow with n!/S(n) from one n to the next.

use itertools::Itertools;

use super::{Curve, Panel, Scene};
use crate::analysis::estimate::Estimate;
use crate::analysis::regression::local_powers;
use crate::analysis::summary::Quantity;
use crate::report::frame::Frame;
use crate::report::legend::{LegendEntry, Sample};
use crate::report::mark::Mark;
use crate::report::panel::{FULL, PaintedPanel};
use crate::report::scale::Span;
use crate::report::style::{Marker, SeriesStyle, THEORY};
use crate::solver::density::inverse_density;
use crate::solver::{Value, algorithm};

const STYLE: SeriesStyle = SeriesStyle {
    colour: THEORY,
    marker: Marker::Diamond,
    dash: &[],
};

impl Scene<'_> {
    /// (n, 1/d(n)) at the sides of the curves.
    pub(super) fn inverse_density(&self) -> Vec<(f64, f64)> {
        let curves = self.curves.iter();
        let curves = curves.filter(|_| self.chart.choices.has_density);
        let keys = curves
            .flat_map(|it| &it.rows)
            .map(|&row| &self.frame.keys[row]);
        let sides = keys.filter_map(|key| key.integer("n")).sorted().dedup();
        let at = |n: u64| Some((n as f64, inverse_density(u32::try_from(n).ok()?)?));
        sides.filter_map(at).collect()
    }

    pub(super) fn density_entry(&self) -> Option<LegendEntry> {
        let is_there = !self.inverse_density().is_empty();
        is_there.then(|| LegendEntry::new(Sample::Curve(STYLE), "1/d(n) (right axis)"))
    }

    pub(super) fn push_density(&self, frame: &mut Frame) {
        for (n, value) in self.inverse_density() {
            frame.push(
                None,
                &[
                    ("n", (n as u64).into()),
                    ("quantity", "inverse_density".into()),
                    ("mean_is", "exact".into()),
                    ("mean", value.into()),
                ],
            );
        }
    }

    /// Draws 1/d(n) on the scale of the panel if that is logarithmic, else on a scale of its own.
    pub(super) fn paint_density(&self, panel: &PaintedPanel, has_scale: bool) {
        let known = self.inverse_density();
        let Some(span) = Span::logarithmic(known.iter().map(|it| it.1)) else {
            return;
        };
        let own = span.on(panel.frame.upwards());
        let scale = if has_scale { panel.y } else { own };
        // Their rows stand under those of the points.
        let mark = |(&(n, value), row): (&(f64, f64), usize)| Mark {
            row: Some(row),
            ..Mark::of(n, Estimate::exactly(value))
        };
        let rows = self.frame.height()..;
        let marks: Vec<Mark> = known.iter().zip(rows).map(mark).collect();
        let title = "1/d(n), random starts per solved start";
        let beside = PaintedPanel {
            y: scale,
            titles: (panel.titles.0, title),
            ..*panel
        };
        beside.draw_curve(&marks, STYLE, FULL, "1/d(n)");
        panel.draw_upright_axis((panel.frame.right, -1), &scale, Some(title), THEORY);
    }

    /// True if the curve is one of a local rule against n: S(n) says nothing of the factors of a
    /// product, nor of signals that settle while the queens stand on a solution.
    fn has_local_powers(&self, curve: &Curve) -> bool {
        let of_times = |it: &Panel| it.quantity.is_some() && it.look.fit.is_some();
        let name = &self.frame.keys[curve.rows[0]].algorithm;
        let is_local_rule = algorithm(name).is_some_and(|it| it.condition.is_some());
        is_local_rule && self.chart.is_against_n() && self.chart.panels.iter().any(of_times)
    }

    /// The power of n!/S(n) as which the moves until the first solution grow, between neighbouring
    /// n.
    pub(super) fn push_local_powers(&self, frame: &mut Frame, curve: &Curve) {
        if !self.has_local_powers(curve) {
            return;
        }
        let (key, varying) = self.shared(curve);
        let apart: Vec<String> = varying.iter().filter(|it| *it != "n").cloned().collect();
        let means = self.complete(curve, "mean", Quantity::MovesAtHit.name());
        let means: Vec<_> = means.into_iter().map(|(n, it)| (n as u32, it)).collect();
        for (n, power) in local_powers(&means) {
            let at_n = key.with("n", Value::Integer(n.into()));
            frame.push_fit((&at_n, &apart), "moves_at_hit_local_power", power);
        }
    }
}
