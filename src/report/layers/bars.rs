//! The bars of a histogram.

use plotters::style::Color;

use super::{Curve, Layer, strip};
use crate::report::canvas::{Drawn, HoverArea};
use crate::report::panel::{FrameEdges, Panel};
use crate::report::style::BAR_OPACITY;

/// A bar from the lower edge to each mark, as wide as the middles between it and its neighbours
/// say, with the bar of its interval unless it is empty.
pub struct Bars {
    pub curve: Curve,
}

impl Layer for Bars {
    fn across(&self) -> Vec<f64> {
        self.curve.across()
    }

    fn heights(&self) -> Vec<f64> {
        self.curve.heights().collect()
    }

    fn draw(&self, panel: &Panel) -> Drawn {
        let mut drawn = Drawn::default();
        let Curve {
            marks,
            style,
            label,
            title,
            ..
        } = &self.curve;
        let across: Vec<i32> = marks.iter().map(|mark| panel.x.pixel(mark.x)).collect();
        let half = |a: usize, b: usize| (across[b] - across[a]) / 2;
        for (index, mark) in marks.iter().enumerate() {
            let (first, last) = (index == 0, index + 1 == marks.len());
            let [before, after] = match (first, last) {
                (true, true) => [40, 40],
                (true, false) => [half(0, 1); 2],
                (false, true) => [half(index - 1, index); 2],
                (false, false) => [half(index - 1, index), half(index, index + 1)],
            };
            let (x, FrameEdges { left, right, .. }) = (across[index], panel.frame);
            let corner = ((x - before).max(left), panel.y.pixel_within(mark.y.value));
            let opposite = ((x + after).min(right), panel.frame.bottom);
            drawn.rectangle(corner, opposite, style.colour.mix(BAR_OPACITY));
            let area = HoverArea::Tile(corner, opposite);
            panel.tip(&mut drawn, area, mark, [label, title]);
            if mark.y.value != 0.0 {
                panel.draw_error_bar(&mut drawn, mark, style.colour);
            }
        }
        self.curve.draw_zeros(&mut drawn, panel);
        self.curve
            .say_name(&mut drawn, |it| strip(it, (-50, 50), 0, style.colour));
        drawn
    }
}
