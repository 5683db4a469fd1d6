//! A measure of some points as a line with markers and error bars, or as markers alone. Here are
//! how heavy a line, its markers, caps and arrows are for each mark, open markers for lower bounds,
//! arrows at 0 on logarithmic axes, the end of a line before points that are left out, and the
//! words for all these in the caption.

use std::collections::BTreeMap;

use itertools::Itertools;
use plotters::style::RGBColor;

use crate::report::axes::Axes;
use crate::report::figure::Panel;
use crate::report::keys::MarkShape;
use crate::report::marks::mark::Mark;
use crate::report::marks::{ENDS, Layer, curve_sample};
use crate::report::out::canvas::{Drawn, HoverArea, Rank, Spot};
use crate::theme::{
    ARROW, CAP, CURVE_WIDTH, INK, MARKER_RADIUS, SMALL_MARKER_RADIUS, SeriesStyle, THEORY,
    THIN_WIDTH,
};

/// One measure of the points of a group, in a panel.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The index of its group, and of the first one of this name and style.
    pub group: usize,
    pub order: usize,
    /// What tips call it.
    pub label: String,
    /// What tips call its marks, by row, where x does not tell them apart.
    pub points: BTreeMap<usize, String>,
    /// The title of its numbers, for tips.
    pub title: String,
    /// What the legend calls its colour.
    pub name: String,
    /// The index of its shape and dash, and what the legend calls them, where several measures
    /// share a panel.
    pub measure: Option<(usize, String)>,
    pub style: SeriesStyle,
    /// True if its name stands beside it.
    pub is_named: bool,
    /// The marks that the axes hold, by x.
    pub marks: Vec<Mark>,
    /// Marks beyond the range of the upright axis: its line leads there as far as the frame.
    pub beyond: Vec<Mark>,
    /// Numbers of 0 on a logarithmic axis, known by the upper ends of their intervals alone.
    pub zeros: Vec<Mark>,
    /// Values across at which it has points that are not drawn: its line ends before them.
    pub gaps: Vec<f64>,
}

impl Curve {
    /// Keeps the marks that the upright axis of a panel holds; where a measure stands across, only
    /// those numbers of 0 that are next to others.
    pub fn hold(&mut self, panel: &Panel, is_logarithmic: bool, is_course: bool) {
        let all = std::mem::take(&mut self.marks);
        let is_zero =
            |mark: &Mark| mark.y.value == 0.0 && mark.y.high > 0.0 && mark.y.high.is_finite();
        let is_apart = |index: usize| {
            let near = &all[index.saturating_sub(1)..(index + 2).min(all.len())];
            !is_course || !near.iter().all(is_zero)
        };
        for (index, mark) in all.iter().enumerate() {
            match (panel.holds(is_logarithmic, mark.y.value), is_logarithmic) {
                (true, _) => self.marks.push(*mark),
                (false, true) if mark.y.value <= 0.0 => {
                    self.gaps.push(mark.x);
                    let is_shown = is_zero(mark) && is_apart(index);
                    self.zeros.extend(is_shown.then_some(*mark));
                }
                (false, _) => self.beyond.push(*mark),
            }
        }
    }

    /// The marks that its line leads to.
    pub fn line(&self) -> Vec<Mark> {
        let all = self.marks.iter().chain(&self.beyond).copied();
        all.sorted_by(|a, b| a.x.total_cmp(&b.x)).collect()
    }

    /// The marks between which no point of the curve is left out.
    pub fn stretches(&self) -> Vec<Vec<Mark>> {
        let gaps: Vec<f64> = self
            .gaps
            .iter()
            .copied()
            .sorted_by(f64::total_cmp)
            .collect();
        let is_whole = |a: &Mark, b: &Mark| {
            let next = gaps.partition_point(|gap| *gap <= a.x);
            gaps.get(next).is_none_or(|gap| *gap >= b.x)
        };
        let line = self.line();
        let stretches = line.chunk_by(is_whole);
        stretches.map(<[Mark]>::to_vec).collect()
    }

    /// Numbers of 0 where the axis has none: the upper ends of their intervals, with arrows down.
    pub fn draw_zeros(&self, drawn: &mut Drawn, axes: &Axes) {
        for mark in &self.zeros {
            let x = axes.spot(mark).0;
            let y = axes.y.pixel_within(mark.y.high);
            let tip = (y + 2 * ARROW).min(axes.frame.bottom - 4);
            let colour = self.style.colour;
            drawn.line(&[(x - CAP, y), (x + CAP, y)], colour, THIN_WIDTH);
            draw_arrow(drawn, ((x, y), tip), colour, (THIN_WIDTH, BIG));
            let area = HoverArea::Disc((x, y), MARKER_RADIUS + 6);
            axes.tip(drawn, area, mark, [&self.label, &self.title]);
            let text = "arrow down: 0, from the upper end of its interval";
            drawn.entry(Rank::Zero, text, |sample| {
                sample.line(&[(-CAP, -18), (CAP, -18)], INK, THIN_WIDTH);
                draw_arrow(sample, ((0, -18), 20), INK, (THIN_WIDTH, (9, 13, 15)));
            });
        }
    }

    /// What the axis across has to hold.
    pub fn across(&self) -> Vec<f64> {
        let marks = self.marks.iter().chain(&self.zeros).chain(&self.beyond);
        let ends = |mark: &Mark| [mark.x, mark.x_known.low, mark.x_known.high];
        marks.flat_map(ends).collect()
    }

    /// What the upright axis has to hold.
    pub fn heights(&self) -> impl Iterator<Item = f64> {
        let zeros = self.zeros.iter().map(|mark| mark.y.high);
        self.marks.iter().flat_map(Mark::heights).chain(zeros)
    }

    /// Its lines of the legend, with what `paint` draws of it as the sample; where its panel has
    /// several measures, one for its colour and one for its shape. What stands beside it is not
    /// said twice.
    pub fn say_name(&self, drawn: &mut Drawn, paint: impl FnOnce(&mut Drawn)) {
        let place = Rank::Name(self.order);
        let name = &self.name;
        match &self.measure {
            None if self.is_named => {}
            None => drawn.entry(place, name, paint),
            Some((index, measure)) => {
                drawn.entry(place, name, |sample| {
                    sample.line(&ENDS, self.style.colour, CURVE_WIDTH)
                });
                if !self.is_named {
                    let grey = self.style.in_colour(THEORY);
                    drawn.entry(Rank::Measure(*index), measure, |sample| {
                        curve_sample(sample, grey)
                    });
                }
            }
        }
    }
}

/// How heavy a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// The width of its line.
    line: u32,
    /// The radius of its markers.
    marker: i32,
    /// One of so many of its marks has a marker; all have bars if every one has.
    every: usize,
    /// Half the width of the caps of its bars.
    cap: i32,
    /// The length of a bound's arrow, and its head.
    arrow: (i32, Head),
}

/// Half the width of an arrow's head, its length from the shaft on and as a whole.
type Head = (i32, i32, i32);

const BIG: Head = (13, 20, 28);
const SMALL: Head = (8, 12, 16);

pub const FULL: Weight = Weight {
    line: CURVE_WIDTH,
    marker: MARKER_RADIUS,
    every: 1,
    cap: CAP,
    arrow: (ARROW, BIG),
};
pub const BANDED: Weight = Weight { every: 5, ..FULL };
const THIN: Weight = Weight {
    line: THIN_WIDTH,
    marker: SMALL_MARKER_RADIUS,
    arrow: (ARROW * 2 / 3, SMALL),
    ..FULL
};
/// Of hundreds of points the caps would cover the bars of others.
pub const DOTS: Weight = Weight { cap: 0, ..THIN };

/// A curve as lines through its marks, or as markers.
pub struct Line {
    pub curve: Curve,
    /// The marks, those of a line together.
    pub stretches: Vec<Vec<Mark>>,
    pub mark: MarkShape,
    /// What it is in the legend's and the caption's words, if it stands beside the same curve until
    /// a later event.
    pub until: Option<(&'static str, String)>,
}

impl Layer for Line {
    fn across(&self) -> Vec<f64> {
        self.curve.across()
    }

    fn heights(&self) -> Vec<f64> {
        let of_thin = self.stretches.iter().filter(|_| self.until.is_some());
        let heights = of_thin.flatten().flat_map(Mark::heights);
        self.curve.heights().chain(heights).collect()
    }

    fn draw(&self, axes: &Axes) -> Drawn {
        let mut drawn = Drawn::default();
        let curve = &self.curve;
        let weight = self.weight();
        for marks in &self.stretches {
            let point = marks.first().and_then(|mark| curve.points.get(&mark.row));
            let of = [point.unwrap_or(&curve.label), &*curve.title];
            draw_curve(&mut drawn, axes, (marks, curve.style, weight), of);
        }
        self.curve.draw_zeros(&mut drawn, axes);
        self.say(&mut drawn, axes);
        drawn
    }
}

impl Line {
    fn weight(&self) -> Weight {
        match &self.until {
            Some(_) => THIN,
            None => self.mark.kind().weight,
        }
    }

    fn say(&self, drawn: &mut Drawn, axes: &Axes) {
        let curve = &self.curve;
        let weight = self.weight();
        match &self.until {
            Some((until, before)) => {
                drawn.entry(Rank::Thin, format!("thin: {{{until}}}"), |sample| {
                    sample.line(&ENDS, INK, weight.line);
                    sample.disc((0, 0), weight.marker, INK);
                });
                let words = "where more than 3 % below";
                drawn.say(2, format!("thin line: {{{before}{until}}}, {words}"));
            }
            None => curve.say_name(drawn, |sample| match self.mark.kind().aside {
                Some(_) => sample.marker((0, 0), curve.style, MARKER_RADIUS, false),
                None => curve_sample(sample, curve.style),
            }),
        }
        let stretches = self.stretches.iter();
        let mut marked = stretches.flat_map(|stretch| stretch.iter().step_by(weight.every));
        if self.until.is_none() && marked.any(|mark| mark.is_bound() && axes.y.holds(mark.y.value))
        {
            drawn.entry(Rank::Bound, "lower bound", |sample| {
                draw_arrow(sample, ((0, 2), -19), INK, (weight.line, (9, 13, 15)));
                sample.ring((0, 9), 7, INK);
            });
            drawn.say(1, "open marks: lower bounds, where trials were cut off");
        }
    }
}

/// A line through the marks with their error bars, and a marker on every so many of them, whose
/// tips have this name and this title of their numbers.
pub fn draw_curve(
    drawn: &mut Drawn,
    axes: &Axes,
    (marks, style, weight): (&[Mark], SeriesStyle, Weight),
    of: [&str; 2],
) {
    let spots: Vec<Spot> = marks.iter().map(|mark| axes.spot(mark)).collect();
    for part in axes.within(&spots) {
        drawn.broken_line(&part, style.colour, weight.line, style.dash);
    }
    let held = marks.iter().zip(&spots);
    let held = held.filter(|(mark, _)| axes.y.holds(mark.y.value));
    if weight.every == 1 {
        axes.explain_bars(drawn, held.clone().map(|(mark, _)| mark));
        for (mark, _) in held.clone() {
            axes.draw_error_bar(drawn, mark, style.colour, weight.cap);
        }
    }
    for (mark, &spot) in held.step_by(weight.every) {
        if mark.y.is_bound {
            let (length, head) = weight.arrow;
            let tip = (spot.1 - length).max(axes.frame.top + 4);
            draw_arrow(drawn, (spot, tip), style.colour, (weight.line, head));
        }
        drawn.marker(spot, style, weight.marker, mark.is_bound());
        // With some room around the marker.
        let area = HoverArea::Disc(spot, weight.marker + 6);
        axes.tip(drawn, area, mark, of);
    }
}

/// An arrow from a spot up or down to the tip.
fn draw_arrow(
    drawn: &mut Drawn,
    ((x, y), tip): (Spot, i32),
    colour: RGBColor,
    (width, (half, within, long)): (u32, (i32, i32, i32)),
) {
    let back = if tip < y { 1 } else { -1 };
    drawn.line(&[(x, y), (x, tip + back * within)], colour, width);
    let base = tip + back * long;
    drawn.polygon(&[(x, tip), (x - half, base), (x + half, base)], colour);
}
