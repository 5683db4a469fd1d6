//! A law fitted to a curve.

use plotters::style::RGBColor;

use super::{ENDS, Layer, greyed, spots_of_law};
use crate::report::canvas::{Drawn, Rank};
use crate::report::figure::Law;
use crate::report::fitted::Fitted;
use crate::report::panel::Panel;

/// Dashes over the points that a law is fitted to.
pub struct FittedLaw {
    pub fitted: Fitted,
    /// The colour of its curve.
    pub colour: RGBColor,
    /// The place among others, and what the legend says.
    pub words: (usize, String),
}

impl Layer for FittedLaw {
    fn draw(&self, panel: &Panel) -> Drawn {
        let mut drawn = Drawn::default();
        let (line, colour) = (&self.fitted.line, greyed(self.colour));
        let (first, last) = line.range;
        let spots = spots_of_law(|share| {
            let t = first + (last - first) * share;
            let x = match self.fitted.fit.law {
                Law::Exponential => t,
                Law::Power => libm::exp(t),
            };
            Some((panel.x.pixel(x), panel.y.pixel(line.at(t))))
        });
        for part in panel.within(&spots) {
            drawn.fine_line(&part, colour);
        }
        drawn.entry(Rank::Fit(self.words.0), &self.words.1, |it| {
            it.fine_line(&ENDS, colour);
        });
        drawn.say(3, "thin dashes: the law fitted to the logarithms of the means, each weighted by its sampling error and the scatter about the line (REML)");
        drawn
    }
}
