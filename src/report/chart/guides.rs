//! What numbers are compared with: lines of known growth.

use itertools::Itertools;

use super::plots::Line;
use super::{Panel, Scene};
use crate::report::canvas::Spot;
use crate::report::figure::{Guide, Law};
use crate::report::mark::Mark;
use crate::report::number::short;
use crate::report::panel::{PARTS, PaintedPanel};
use crate::report::scale::extent;
use crate::report::style::THEORY;

impl Scene<'_> {
    /// The lines of known growth, as far as they stay within the frame, through a given place or
    /// the middle of the first curve, the mean of the logarithms of its marks: through an end they
    /// would suggest that the other points miss them.
    pub(super) fn paint_known(&self, painted: &PaintedPanel, panel: &Panel, lines: &[Line]) {
        let marks = || lines.iter().flat_map(|it| &it.full);
        let positive = lines.iter().map(|line| {
            let marks = line.full.iter();
            marks.filter(|it| it.y.value > 0.0).collect_vec()
        });
        let Some(first) = positive.into_iter().find(|it| !it.is_empty()) else {
            return;
        };
        let mean = |of: &dyn Fn(&Mark) -> f64| {
            first.iter().map(|it| of(it)).sum::<f64>() / first.len() as f64
        };
        let y = libm::exp(mean(&|it| libm::log(it.y.value)));
        let ends = extent(marks().map(|it| it.x));
        let guides = panel.look.guides.iter();
        for (at, (law, number)) in guides.filter_map(|it| Some((it.at, it.law()?))) {
            let x = match law {
                Law::Power => libm::exp(mean(&|it| libm::log(it.x))),
                Law::Exponential => mean(&|it| it.x),
            };
            let (middle, y) = at.unwrap_or((x, y));
            let (least, greatest) = (ends.0.min(middle), ends.1.max(middle));
            let spot = |part: u32| {
                let share = f64::from(part) / f64::from(PARTS);
                let (x, y) = match law {
                    Law::Power => {
                        let x = least * libm::pow(greatest / least, share);
                        (x, y * libm::pow(x / middle, number))
                    }
                    Law::Exponential => {
                        let x = least + (greatest - least) * share;
                        (x, y * libm::pow(number, x - middle))
                    }
                };
                let is_within = painted.x.holds(x) && painted.y.holds(y);
                is_within.then(|| (painted.x.pixel(x), painted.y.pixel(y)))
            };
            let spots: Vec<Spot> = (0..=PARTS).filter_map(spot).collect();
            painted.canvas.dotted_line(&spots, THEORY);
        }
    }

    /// The lines of known growth in words.
    pub(super) fn known_in_words(&self) -> Option<String> {
        let x = self.chart.symbol();
        let line = |it: &Guide| Some(law_in_words(it.law()?, 4, x));
        let lines = self.chart.panels.iter().flat_map(|it| &it.look.guides);
        let lines = lines.filter_map(line).unique().join(", ");
        (!lines.is_empty()).then(|| format!("dots: {lines}"))
    }
}

/// `× 2.57 per row`, `∝ n^(−1.5)`.
pub(super) fn law_in_words((law, number): (Law, f64), digits: usize, x: &str) -> String {
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
pub(super) fn signed(number: f64, digits: usize) -> String {
    let sign = if number < 0.0 { "−" } else { "" };
    sign.to_owned() + &short(number.abs(), digits)
}
