//! A dashed line at a value of the axis across. It marks the best ε and relaxation times.

use plotters::style::RGBColor;

use crate::report::axes::{Axes, FrameEdges};
use crate::report::marks::{ENDS, Layer};
use crate::report::out::canvas::{Drawn, Rank};

/// A dashed line with a name.
pub struct Upright {
    pub x: f64,
    pub colour: RGBColor,
    pub name: String,
}

impl Layer for Upright {
    fn across(&self) -> Vec<f64> {
        vec![self.x]
    }

    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        if axes.x.holds(self.x) {
            draw_upright(&mut drawn, axes, self.x, self.colour);
            drawn.entry(Rank::Upright, &self.name, |sample| {
                sample.fine_line(&ENDS, self.colour);
            });
        }
        drawn
    }
}

/// A dashed line at this x, if that is on the axis.
pub fn draw_upright(drawn: &mut Drawn, axes: &Axes, x: f64, colour: RGBColor) {
    if axes.x.holds(x) {
        let x = axes.x.pixel(x);
        let FrameEdges { top, bottom, .. } = axes.frame;
        drawn.fine_line(&[(x, bottom), (x, top)], colour);
    }
}
