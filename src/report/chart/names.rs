//! The names of many curves, beside their last marks.

use itertools::Itertools;

use super::plots::Line;
use super::{Curve, Panel, Scene};
use crate::report::canvas::{Anchor, Lettering};
use crate::report::figure::MarkShape;
use crate::report::panel::PaintedPanel;
use crate::report::style::TICK_SIZE;

/// The number of curves from which on a panel has their names beside them.
const MANY: usize = 5;
/// Longer names are in the legend alone.
const WIDEST_NAME: i32 = 480;

impl Scene<'_> {
    /// Room on the right for the names of the curves, where a panel has five or more and all are
    /// short; else the legend tells them apart.
    pub(super) fn room_for_names(&self) -> i32 {
        let is_few = |panel: &Panel| self.curves.len() * panel.columns.len() < MANY;
        let has_lines = self.chart.choices.mark == MarkShape::Line;
        let facets = self.chart.choices.facet.is_some();
        let has_density = self.chart.choices.has_density;
        if !has_lines || facets || has_density || self.chart.panels.iter().all(is_few) {
            return 0;
        }
        let named = self.named().map(|it| it.name.clone());
        let own = self.curves.iter().map(|it| self.short_name(it));
        let names = match self.named().next() {
            Some(_) => named.collect::<Vec<_>>(),
            None => own.collect(),
        };
        let widths = names
            .iter()
            .map(|it| it.chars().count() as i32 * TICK_SIZE * 3 / 5);
        let widest = widths.max().unwrap_or_default();
        if widest > WIDEST_NAME { 0 } else { widest + 30 }
    }

    /// What tells a curve from the others.
    pub(super) fn short_name(&self, curve: &Curve) -> String {
        let has = |it: &Curve, word: &str| it.name.split(", ").any(|own| own == word);
        let differs = |word: &&str| self.curves.iter().any(|it| !has(it, word));
        curve.name.split(", ").filter(differs).join(", ")
    }

    /// The name of each curve beside its last mark, in its colour; where marks are close the names
    /// stand below each other.
    pub(super) fn paint_names(&self, painted: &PaintedPanel, lines: &[Line]) {
        if lines.len() < MANY {
            return;
        }
        let end = |line: &Line| {
            let last = line.full.last()?;
            let named = line.name.strip_prefix(&format!("{}: ", line.curve.label));
            let name = named.map_or_else(|| self.short_name(line.curve), str::to_owned);
            Some((
                painted.y.pixel_within(last.y.value),
                name,
                line.style.colour,
            ))
        };
        let mut ends: Vec<_> = lines.iter().filter_map(end).collect();
        ends.sort_by_key(|it| it.0);
        let step = TICK_SIZE;
        let lowest = painted.frame.bottom - step * ends.len() as i32;
        let mut free = painted.frame.top;
        for ((y, name, colour), index) in ends.into_iter().zip(0..) {
            let y = y.min(lowest + step * (index + 1)).max(free);
            free = y + step;
            let lettering = Lettering {
                anchor: Anchor::Left,
                colour,
                ..Lettering::TICK
            };
            let spot = (painted.frame.right + 16, y);
            painted.canvas.text(&name, spot, lettering);
        }
    }
}
