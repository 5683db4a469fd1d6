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

/// Lines of known growth, as far as they stay within the frame.
pub struct Guides {
    /// Each law with the place that it goes through.
    laws: Vec<((Law, f64), (f64, f64))>,
    /// The first and the last x of the curves.
    ends: (f64, f64),
    /// The symbol of the axis across.
    symbol: String,
}

impl Guides {
    /// Lines through a given place or the middle of the first curve, the mean of the logarithms of
    /// its marks: through an end they would suggest that the other points miss them. `None` without
    /// numbers above 0.
    pub fn of(guides: &[Guide], curves: &[Curve], symbol: &str) -> Option<Self> {
        let positive = curves.iter().map(|curve| {
            let marks = curve.marks.iter();
            marks.filter(|it| it.y.value > 0.0).collect_vec()
        });
        let first = positive.into_iter().find(|it| !it.is_empty())?;
        let mean = |of: &dyn Fn(&Mark) -> f64| {
            first.iter().map(|it| of(it)).sum::<f64>() / first.len() as f64
        };
        let y = libm::exp(mean(&|it| libm::log(it.y.value)));
        let law = |it: &Guide| {
            let law = it.law()?;
            let x = match law.0 {
                Law::Power => libm::exp(mean(&|it| libm::log(it.x))),
                Law::Exponential => mean(&|it| it.x),
            };
            Some((law, it.at.unwrap_or((x, y))))
        };
        Some(Self {
            laws: guides.iter().filter_map(law).collect(),
            ends: extent(curves.iter().flat_map(|it| &it.marks).map(|it| it.x)),
            symbol: symbol.to_owned(),
        })
    }
}

impl Layer for Guides {
    fn draw(&self, panel: &Panel) -> Drawn {
        let (mut drawn, mut words) = (Drawn::default(), Vec::new());
        for &((law, number), (middle, y)) in &self.laws {
            let (least, greatest) = (self.ends.0.min(middle), self.ends.1.max(middle));
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
                let is_within = panel.x.holds(x) && panel.y.holds(y);
                is_within.then(|| (panel.x.pixel(x), panel.y.pixel(y)))
            });
            let below = drawn.shapes.len();
            drawn.dotted_line(&spots, THEORY);
            if drawn.shapes.len() > below {
                words.push(law_in_words((law, number), 4, &self.symbol));
            }
        }
        if !words.is_empty() {
            let text = format!("dots: {}", words.iter().unique().join(", "));
            drawn.entry(Rank::Guide, &text, |it| it.dotted_line(&ENDS, THEORY));
            drawn.say(6, text);
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
