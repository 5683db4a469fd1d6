//! The x of the least mean of a sweep, its bounds, and what the source texts say of it.

use plotters::style::RGBColor;

use super::upright::draw_upright;
use super::{ENDS, Layer, strip};
use crate::analysis::estimate::Estimate;
use crate::report::canvas::{Drawn, Rank};
use crate::report::mark::Mark;
use crate::report::number::short;
use crate::report::panel::Panel;
use crate::report::style::{BEST_RADIUS, THEORY};
use crate::solver::Point;

/// What the source texts say of their figures, as far as it can be read: figure, algorithm, n,
/// quantity, value, reading error and origin of each number.
const LOCAL_RULES: &str = include_str!("../../../experiments/sources/local-rules.csv");

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
}

impl Layer for Best {
    fn draw(&self, panel: &Panel) -> Drawn {
        let (mut drawn, colour) = (Drawn::default(), self.colour);
        if let Some(x) = self.x {
            draw_upright(&mut drawn, panel, x.value, colour);
            let by = format!("the best {} by a cubic", self.symbol);
            if panel.x.holds(x.value) {
                drawn.entry(Rank::Upright, format!("dashed: {by}"), |it| {
                    it.fine_line(&ENDS, colour);
                });
            }
            if self.least.is_some() {
                let open = [(0.0, panel.frame.left), (f64::INFINITY, panel.frame.right)];
                let end = |end: f64| {
                    let open = open.iter().find(|it| it.0 == end);
                    open.map_or_else(|| panel.x.pixel_within(end), |it| it.1)
                };
                let base = panel.frame.bottom - 24 * (self.index as i32 + 1);
                strip(&mut drawn, (end(x.low), end(x.high)), base - 8, colour);
                let sample = |it: &mut Drawn| strip(it, (-50, 50), 0, colour);
                drawn.entry(Rank::Strip, format!("strip: 95 % range of {by}"), sample);
            }
            drawn.say(
                5,
                format!("dashed line: {by}; strip: its 95 % range (bootstrap)"),
            );
        }
        if let Some(least) = &self.least {
            drawn.ring(panel.spot(least), BEST_RADIUS, colour);
            drawn.entry(Rank::Ring, "ring: least mean time", |it| {
                it.ring((0, 0), BEST_RADIUS, colour);
            });
            drawn.say(4, "ring: the least mean time of a sweep");
        }
        drawn
    }
}

/// The best ε that the source text names.
pub struct Pointer {
    epsilon: f64,
    /// The text's figure.
    figure: String,
    /// The index of its group.
    order: usize,
}

impl Pointer {
    /// The best ε for the rule and n of a point. The text's rules have SAFEGO as their certain
    /// moves.
    pub fn of(point: &Point, order: usize) -> Option<Self> {
        if !point.variant.is_empty() {
            return None;
        }
        let rows = csv::Reader::from_reader(LOCAL_RULES.as_bytes()).into_records();
        rows.flatten().find_map(|row| {
            let is_of = row[1] == point.algorithm
                && &row[3] == "best_epsilon"
                && row[2].parse().ok() == point.integer("n");
            Some(Self {
                epsilon: row[4].parse().ok().filter(|_| is_of)?,
                figure: row[0].to_owned(),
                order,
            })
        })
    }
}

impl Layer for Pointer {
    fn draw(&self, panel: &Panel) -> Drawn {
        let mut drawn = Drawn::default();
        let Self {
            epsilon, figure, ..
        } = self;
        let value = short(*epsilon, 3);
        let text = format!("best ε in the source text, figure {figure}: {value}");
        let place = Rank::Pointer(self.order);
        if panel.x.holds(*epsilon) {
            let spot = (panel.x.pixel(*epsilon), panel.frame.bottom);
            drawn.pointer(spot, THEORY);
            drawn.entry(place, text, |it| it.pointer((0, 17), THEORY));
        } else {
            drawn.entry(place, format!("{text}, beyond the axis"), |_| {});
        }
        drawn
    }
}
