//! A law fitted to a curve. Here are its dashes, and the law in words (`× 2.57 for each increase of
//! n by 1`, `∝ n^(−1.5)`); the rest of the sentence is in `curves/fits.rs`.

use plotters::style::RGBColor;

use crate::analysis::regression::Growth;
use crate::report::axes::Axes;
use crate::report::keys::{Fitting, Law};
use crate::report::marks::{ENDS, Layer};
use crate::report::out::canvas::{Drawn, Rank};
use crate::report::words::number::short;

/// Straight parts of a law that is drawn.
const PARTS: u32 = 48;

/// A law that is fitted to a curve.
#[derive(Debug, Clone)]
pub struct Fitted {
    pub line: Growth,
    pub fit: Fitting,
    /// First and last x of what is fitted.
    pub range: (f64, f64),
}

/// What is fitted; or why nothing is said of a fit, empty where none is wanted.
pub type FitOrReason = Result<Fitted, String>;

impl Fitted {
    /// A law that the points reject is drawn where the figure asks for it.
    pub fn is_drawn(&self) -> bool {
        let fits = self.line.agreement.fits();
        self.fit.is_drawn.unwrap_or(fits)
    }
}

/// Dashes over the points that a law is fitted to.
pub struct FittedLaw {
    pub fitted: Fitted,
    /// The colour of its curve.
    pub colour: RGBColor,
    /// The place among others, and what the legend says.
    pub words: (usize, String),
}

impl Layer for FittedLaw {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let line = &self.fitted.line;
        let colour = self.colour;
        let (first, last) = line.range;
        let spot = |part: u32| {
            let t = first + (last - first) * f64::from(part) / f64::from(PARTS);
            let x = match self.fitted.fit.law {
                Law::Exponential => t,
                Law::Power => libm::exp(t),
            };
            (axes.x.pixel(x), axes.y.pixel(line.at(t)))
        };
        let spots: Vec<_> = (0..=PARTS).map(spot).collect();
        for part in axes.within(&spots) {
            drawn.fine_line(&part, colour);
        }
        drawn.entry(Rank::Fit(self.words.0), &self.words.1, |sample| {
            sample.fine_line(&ENDS, colour);
        });
        drawn.say(3, "thin dashes: the law fitted to the logarithms of the means, each weighted by its sampling error and the scatter about the line (REML)");
        drawn
    }
}

/// `× 2.57 for each increase of n by 1`, `∝ n^(−1.5)`.
pub fn law_in_words((law, number): (Law, f64), digits: usize, x: &str) -> String {
    let number = signed(number, digits);
    match law {
        Law::Power if number == "1" => format!("∝ {x}"),
        Law::Power => format!("∝ {x}^({number})"),
        Law::Exponential if x.is_empty() => format!("× {number} per unit of the axis"),
        Law::Exponential => format!("× {number} for each increase of {x} by 1"),
    }
}

/// A number with a minus sign in place of a hyphen.
pub fn signed(number: f64, digits: usize) -> String {
    let sign = if number < 0.0 { "−" } else { "" };
    sign.to_owned() + &short(number.abs(), digits)
}
