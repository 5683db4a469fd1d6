//! Values of the axis across: a dashed line at one, and those of an axis of which a function stands
//! across.

use plotters::style::RGBColor;

use crate::report::axes::{Axes, FrameEdges};
use crate::report::marks::{ENDS, Layer};
use crate::report::out::canvas::{Drawn, Lettering, Rank};
use crate::theme::TICK_SIZE;

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
        let (x, FrameEdges { top, bottom, .. }) = (axes.x.pixel(x), axes.frame);
        drawn.fine_line(&[(x, bottom), (x, top)], colour);
    }
}

/// Words at the upper edge, each at its x.
pub struct UpperAxis(pub Vec<(f64, String)>);

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
