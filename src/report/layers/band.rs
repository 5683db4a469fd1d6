//! The band of a curve's intervals.

use plotters::style::{Color, RGBColor};

use super::Layer;
use crate::report::canvas::{Drawn, Spot};
use crate::report::mark::Mark;
use crate::report::panel::Panel;
use crate::report::style::BAND_OPACITY;

/// An area between the ends of intervals.
pub struct Band {
    pub marks: Vec<Mark>,
    pub colour: RGBColor,
}

impl Layer for Band {
    fn draw(&self, panel: &Panel) -> Drawn {
        let mut drawn = Drawn::default();
        let spot = |mark: &Mark, end| (panel.x.pixel(mark.x), panel.y.pixel_within(end));
        let high = self.marks.iter().map(|mark| spot(mark, mark.y.high));
        let low = self.marks.iter().rev().map(|mark| spot(mark, mark.y.low));
        let outline: Vec<Spot> = high.chain(low).collect();
        drawn.polygon(&outline, self.colour.mix(BAND_OPACITY));
        drawn.explain_intervals(format!("Bands: {}", panel.intervals));
        drawn
    }
}
