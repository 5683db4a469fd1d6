//! The bars of a histogram. Open bars for lower bounds, and their words, are here; where bins lie
//! is decided in `measures/distribution.rs`.

use plotters::style::Color;

use crate::report::axes::Axes;
use crate::report::marks::{Curve, Layer, strip};
use crate::report::out::canvas::{Drawn, HoverArea};
use crate::theme::{BAR_OPACITY, CAP, THIN_WIDTH};

/// A bar over each bin, from the lower edge to its mark, with that of its interval unless it is
/// empty.
pub struct Bars {
    pub curve: Curve,
    /// The ends of the bin of each mark.
    pub bins: Vec<[f64; 2]>,
}

impl Layer for Bars {
    fn across(&self) -> Vec<f64> {
        [self.bins.as_flattened(), &self.curve.across()].concat()
    }

    fn heights(&self) -> Vec<f64> {
        self.curve.heights().collect()
    }

    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let Curve {
            marks,
            style,
            label,
            title,
            ..
        } = &self.curve;
        for (mark, ends) in marks.iter().zip(&self.bins) {
            let [left, right] = ends.map(|end| axes.x.pixel_within(end));
            let corner = (left, axes.y.pixel_within(mark.y.value));
            let opposite = (right, axes.frame.bottom);
            let upright = [(left, opposite.1), corner, (right, corner.1), opposite];
            if mark.y.is_bound {
                drawn.line(&upright, style.colour, THIN_WIDTH)
            } else {
                drawn.rectangle(corner, opposite, style.colour.mix(BAR_OPACITY))
            }
            let area = HoverArea::Tile(corner, opposite);
            axes.tip(&mut drawn, area, mark, [label, title]);
            if mark.y.value != 0.0 {
                axes.draw_error_bar(&mut drawn, mark, style.colour, CAP);
            }
        }
        let with_bars = marks.iter().filter(|mark| mark.y.value != 0.0);
        axes.explain_bars(&mut drawn, with_bars);
        if marks.iter().any(|mark| mark.y.is_bound) {
            drawn.say(1, "open bars: lower bounds, where trials were cut off");
        }
        self.curve.say_name(&mut drawn, |sample| {
            strip(sample, (-50, 50), 0, style.colour)
        });
        drawn
    }
}
