//! Curves with a band of their intervals in place of error bars, for many marks a curve.

use plotters::style::Color;

use super::canvas::Spot;
use super::panel::{Mark, Panel, draw_marker};
use super::style::{BAND_OPACITY, CURVE_WIDTH, MARKER_RADIUS, SeriesStyle};

/// A curve with a marker on every so many of its marks.
pub struct Banded<'a> {
    pub marks: &'a [Mark],
    pub style: SeriesStyle,
    pub marker_every: usize,
    pub name: &'a str,
}

/// All bands before the curves, so that no curve is covered.
pub fn paint<'a>(panel: &Panel, curves: impl Iterator<Item = Banded<'a>>) {
    let curves: Vec<Banded> = curves.collect();
    curves.iter().for_each(|curve| curve.paint_band(panel));
    curves.iter().for_each(|curve| curve.paint_curve(panel));
}

impl Banded<'_> {
    fn paint_band(&self, panel: &Panel) {
        let line = |end: fn(&Mark) -> f64| self.line(panel, end);
        let low = line(|mark| mark.low);
        let outline = line(|mark| mark.high)
            .into_iter()
            .chain(low.into_iter().rev());
        let outline: Vec<Spot> = outline.collect();
        let colour = self.style.colour.mix(BAND_OPACITY);
        panel.canvas.polygon(&outline, colour);
    }

    fn paint_curve(&self, panel: &Panel) {
        let line = self.line(panel, |mark| mark.y);
        let SeriesStyle { colour, dash, .. } = self.style;
        panel.canvas.broken_line(&line, colour, CURVE_WIDTH, dash);
        for (&spot, mark) in line
            .iter()
            .zip(self.marks)
            .step_by(self.marker_every.max(1))
        {
            draw_marker(panel.canvas, spot, self.style, MARKER_RADIUS, false);
            panel.give_tip(mark, self.name, MARKER_RADIUS);
        }
    }

    fn line(&self, panel: &Panel, height: impl Fn(&Mark) -> f64) -> Vec<Spot> {
        let spot = |mark: &Mark| (panel.x.pixel(mark.x), panel.y.pixel_within(height(mark)));
        self.marks.iter().map(spot).collect()
    }
}
