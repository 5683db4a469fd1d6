//! The band of a curve's intervals. Its colour is the curve's, its opacity is in `theme/sizes.rs`.

use plotters::style::{Color, RGBColor};

use crate::report::axes::Axes;
use crate::report::marks::mark::Mark;
use crate::report::marks::{Layer, strip};
use crate::report::out::canvas::{Drawn, Rank, Spot};
use crate::theme::BAND_OPACITY;

/// An area between the ends of intervals.
pub struct Band {
    pub marks: Vec<Mark>,
    pub colour: RGBColor,
    /// What the legend and the caption say of it, if that is not what bars are.
    pub words: Option<String>,
}

impl Layer for Band {
    fn heights(&self) -> Vec<f64> {
        let ends = self.marks.iter().flat_map(|mark| [mark.y.low, mark.y.high]);
        ends.collect()
    }

    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let spot = |mark: &Mark, end| (axes.x.pixel(mark.x), axes.y.pixel_within(end));
        let high = self.marks.iter().map(|mark| spot(mark, mark.y.high));
        let low = self.marks.iter().rev().map(|mark| spot(mark, mark.y.low));
        let outline: Vec<Spot> = high.chain(low).collect();
        drawn.polygon(&outline, self.colour.mix(BAND_OPACITY));
        match &self.words {
            None => drawn.explain_intervals(format!("Bands: {}", axes.intervals)),
            Some(words) => {
                let sample = |drawn: &mut Drawn| strip(drawn, (-50, 50), 0, self.colour);
                drawn.entry(Rank::Strip, words.clone(), sample);
                drawn.say(3, words.clone());
            }
        }
        drawn
    }
}
