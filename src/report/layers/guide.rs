//! What numbers are compared with: lines of known growth, and a height.

use itertools::Itertools;

use super::{Curve, ENDS, Layer, spots_of_law};
use crate::report::canvas::{Drawn, Rank};
use crate::report::figure::{Guide, Law};
use crate::report::mark::Mark;
use crate::report::number::short;
use crate::report::panel::{FrameEdges, Panel};
use crate::report::scale::extent;
use crate::report::style::THEORY;

/// A line of known growth, as far as it stays within the frame.
pub struct GuideLine {
    law: (Law, f64),
    /// The place that it goes through.
    through: (f64, f64),
    /// The first and the last x of what it is compared with.
    ends: (f64, f64),
    /// The number of guides before it, which have other dots.
    index: usize,
    /// The symbol of the axis across.
    symbol: String,
}

impl GuideLine {
    /// Lines along all curves through a given place, or along the first curve through its middle,
    /// the mean of the logarithms of its marks: through an end they would suggest that the other
    /// points miss them. None without numbers above 0.
    pub fn of(guides: &[Guide], curves: &[Curve], symbol: &str) -> Vec<Self> {
        let line = |(index, guide): (usize, &Guide)| {
            let law = guide.law()?;
            let is_on = |it: &&Mark| it.y.value > 0.0 && (law.0 == Law::Exponential || it.x > 0.0);
            let each = curves.iter().map(|it| it.marks.iter().filter(is_on));
            let mut each = each.map(|it| it.collect_vec());
            let own = match guide.at {
                Some(_) => each.flatten().collect(),
                None => each.find(|it| !it.is_empty())?,
            };
            let mean = |of: &dyn Fn(&Mark) -> f64| {
                own.iter().map(|it| of(it)).sum::<f64>() / own.len() as f64
            };
            let x = match law.0 {
                Law::Power => libm::exp(mean(&|it| libm::log(it.x))),
                Law::Exponential => mean(&|it| it.x),
            };
            let y = libm::exp(mean(&|it| libm::log(it.y.value)));
            let through = guide.at.unwrap_or((x, y));
            let (least, greatest) = extent(own.iter().map(|it| it.x));
            Some(Self {
                law,
                through,
                ends: (least.min(through.0), greatest.max(through.0)),
                index,
                symbol: symbol.to_owned(),
            })
        };
        guides.iter().enumerate().filter_map(line).collect()
    }
}

impl Layer for GuideLine {
    fn draw(&self, panel: &Panel) -> Drawn {
        let mut drawn = Drawn::default();
        let ((law, number), (middle, y), (least, greatest)) = (self.law, self.through, self.ends);
        let at = |share: f64| match law {
            Law::Power => {
                let x = least * libm::pow(greatest / least, share);
                (x, y * libm::pow(x / middle, number))
            }
            Law::Exponential => {
                let x = least + (greatest - least) * share;
                (x, y * libm::pow(number, x - middle))
            }
        };
        let spots = spots_of_law(|share| {
            let (x, y) = at(share);
            let is_on = panel.x.holds(x) && y.is_finite();
            is_on.then(|| (panel.x.pixel(x), panel.y.pixel(y)))
        });
        for part in panel.within(&spots) {
            drawn.dotted_line(&part, THEORY, self.index);
        }
        if !drawn.shapes.is_empty() {
            let words = law_in_words(self.law, 4, &self.symbol);
            drawn.entry(Rank::Guide, format!("dots: {words}"), |it| {
                it.dotted_line(&ENDS, THEORY, self.index);
            });
            drawn.say(6, format!("dots: {{{words}}}"));
        }
        drawn
    }
}

/// `× 2.57 per row`, `∝ n^(−1.5)`.
pub fn law_in_words((law, number): (Law, f64), digits: usize, x: &str) -> String {
    let number = signed(number, digits);
    match law {
        Law::Power if number == "1" => format!("∝ {x}"),
        Law::Power => format!("∝ {x}^({number})"),
        Law::Exponential if x == "n" => format!("× {number} per row"),
        Law::Exponential if x.is_empty() => format!("× {number} per unit of the axis"),
        Law::Exponential => format!("× {number} per {x}"),
    }
}

/// A number with a minus sign in place of a hyphen.
pub fn signed(number: f64, digits: usize) -> String {
    let sign = if number < 0.0 { "−" } else { "" };
    sign.to_owned() + &short(number.abs(), digits)
}

/// A dashed line across the frame at this height, if that is on the axis.
pub struct Level(pub f64);

impl Layer for Level {
    fn heights(&self) -> Vec<f64> {
        vec![self.0]
    }

    fn draw(&self, panel: &Panel) -> Drawn {
        let mut drawn = Drawn::default();
        if panel.y.holds(self.0) {
            let (y, FrameEdges { left, right, .. }) = (panel.y.pixel(self.0), panel.frame);
            drawn.fine_line(&[(left, y), (right, y)], THEORY);
        }
        drawn
    }
}
