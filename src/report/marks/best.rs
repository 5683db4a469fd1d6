//! The x of the least mean of a sweep, and its bounds. Here are the ring, the dashed line and the
//! strip, and their words in the legend and the caption; the numbers are those of
//! `analysis/valley.rs`.

use plotters::style::RGBColor;

use crate::analysis::estimate::Estimate;
use crate::report::axes::Axes;
use crate::report::marks::mark::Mark;
use crate::report::marks::upright::draw_upright;
use crate::report::marks::{ENDS, Layer, strip};
use crate::report::out::canvas::{Drawn, Rank};
use crate::report::words::number::short;
use crate::theme::BEST_RADIUS;

/// A ring around the least mean, a dashed line at the best x and, on the axis, a strip over its
/// interval.
pub struct Best {
    /// The interval of the best x; `None` without line and strip.
    pub x: Option<Estimate>,
    pub colour: RGBColor,
    /// The number of strips under this one.
    pub index: usize,
    /// The least mean, where the panel shows what it is the least of.
    pub least: Option<Mark>,
    /// The symbol of the axis across.
    pub symbol: String,
    /// What tells its curve from the others, after a comma; may be empty.
    pub of: String,
}

impl Layer for Best {
    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let colour = self.colour;
        if let Some(x) = self.x {
            self.draw_line(&mut drawn, axes, x);
            if self.least.is_some() {
                self.draw_strip(&mut drawn, axes, x);
            }
        }
        if let Some(least) = &self.least {
            drawn.ring(axes.spot(least), BEST_RADIUS, colour);
            drawn.entry(Rank::Ring, "ring: least mean time", |sample| {
                sample.ring((0, 0), BEST_RADIUS, colour);
            });
            drawn.say(4, "ring: the least mean time of a sweep");
        }
        drawn
    }
}

impl Best {
    /// The dashed line at the best x, if that is on the axis.
    fn draw_line(&self, drawn: &mut Drawn, axes: &Axes, x: Estimate) {
        if !axes.x.holds(x.value) {
            return;
        }
        let symbol = &self.symbol;
        let colour = self.colour;
        draw_upright(drawn, axes, x.value, colour);
        let value = short(x.value, 3);
        let text = format!(
            "dashed: the best {symbol} by a cubic{}: {value} ({})",
            self.of,
            range_in_words(x)
        );
        drawn.entry(Rank::Upright, text, |sample| {
            sample.fine_line(&ENDS, colour)
        });
        drawn.say(5, format!("dashed line: the best {symbol} by a cubic"));
    }

    /// The strip over the interval of the best x, as far as that is on the axis.
    fn draw_strip(&self, drawn: &mut Drawn, axes: &Axes, x: Estimate) {
        let symbol = &self.symbol;
        let colour = self.colour;
        let open = [(0.0, axes.frame.left), (f64::INFINITY, axes.frame.right)];
        let end = |end: f64| {
            let open = open.iter().find(|(edge, _)| *edge == end);
            open.map_or_else(|| axes.x.pixel_within(end), |(_, pixel)| *pixel)
        };
        let from = end(x.low);
        let to = end(x.high);
        if from == to {
            return;
        }
        let base = axes.frame.bottom - 24 * (self.index as i32 + 1);
        strip(drawn, (from, to), base - 8, colour);
        let text = format!("strip: 95 % range of the best {symbol} by a cubic");
        drawn.entry(Rank::Strip, text, |sample| {
            strip(sample, (-50, 50), 0, colour)
        });
        drawn.say(6, "strip: its 95 % range (bootstrap)");
    }
}

/// `0.0083 to 0.0107`, `up to 0.02` and `from 0.01 on` of an interval that is open on one side.
fn range_in_words(x: Estimate) -> String {
    let low = short(x.low, 3);
    let high = short(x.high, 3);
    match (x.low > 0.0, x.high.is_finite()) {
        (true, true) => format!("{low} to {high}"),
        (false, true) => format!("up to {high}"),
        (true, false) => format!("from {low} on"),
        (false, false) => "no interval".to_owned(),
    }
}
