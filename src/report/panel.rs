//! A frame with two scales: axes, ticks, and curves with their error bars.

use plotters::style::{Color, RGBColor};

use super::canvas::{Anchor, Canvas, HoverArea, Lettering, Spot, Tip};
use super::mark::Mark;
use super::scale::{Scale, Tick};
use super::style::{
    ARROW, AXIS_TITLE_SIZE, BAND_OPACITY, BAR_OPACITY, BESIDE_TITLE, CAP, CURVE_WIDTH, FRAME_WIDTH,
    GRID, GRID_WIDTH, INK, MAJOR_TICK, MARKER_RADIUS, MINOR_TICK, SMALL_MARKER_RADIUS, SeriesStyle,
    THIN_WIDTH, TICK_SIZE, UNDER_LABEL, UNDER_TITLE,
};
use crate::analysis::estimate::Estimate;

/// The length in canvas units by which the title of an upright axis may exceed its panel.
const OVERHANG: i32 = 10;

/// What the numbers of an axis need more, in canvas units, where some are negative.
const SIGN_ROOM: i32 = 30;

/// Straight parts of a law that is drawn.
pub const PARTS: u32 = 48;

/// The edges of a panel on the canvas, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameEdges {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

impl FrameEdges {
    pub fn across(&self) -> (i32, i32) {
        (self.left, self.right)
    }

    pub fn upwards(&self) -> (i32, i32) {
        (self.bottom, self.top)
    }
}

/// How heavily a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// Width of its line.
    line: u32,
    /// Radius of its markers.
    marker: i32,
    /// One of so many marks has a marker; all have error bars if every one has.
    every: usize,
}

/// The weight of a curve.
pub const FULL: Weight = Weight {
    line: CURVE_WIDTH,
    marker: MARKER_RADIUS,
    every: 1,
};
/// The weight of a curve in the background.
pub const THIN: Weight = Weight {
    line: THIN_WIDTH,
    marker: SMALL_MARKER_RADIUS,
    every: 1,
};
/// The weight of a curve with a band.
pub const WITH_BAND: Weight = Weight { every: 5, ..FULL };

/// A frame with its scales, on a canvas.
pub struct PaintedPanel<'a> {
    pub canvas: &'a Canvas,
    pub frame: FrameEdges,
    /// What stands above it, if anything does.
    pub label: &'a str,
    /// The titles of the axes, across and upwards.
    pub titles: (&'a str, &'a str),
    pub x: Scale,
    pub y: Scale,
}

impl PaintedPanel<'_> {
    /// Grid lines at the labelled ticks; drawn first, under everything.
    pub fn draw_grid(&self) {
        let ((left, right), (bottom, top)) = (self.frame.across(), self.frame.upwards());
        let upright = |x| [(x, top), (x, bottom)];
        let level = |y| [(left, y), (right, y)];
        let [across, up] = [self.x_ticks(), self.y.ticks(TICK_SIZE * 2)];
        let lines = labelled(&across).map(upright);
        for ends in lines.chain(labelled(&up).map(level)) {
            self.canvas.line(&ends, GRID, GRID_WIDTH);
        }
    }

    pub fn draw_frame(&self) {
        let ((left, right), (bottom, top)) = (self.frame.across(), self.frame.upwards());
        let corners = [
            (left, top),
            (left, bottom),
            (right, bottom),
            (right, top),
            (left, top),
        ];
        self.canvas.line(&corners, INK, FRAME_WIDTH);
    }

    /// Ticks inside the lower edge; with a `title` and the width for it also the labels and the
    /// title under it.
    pub fn draw_x_axis(&self, title: Option<(&str, i32)>) {
        let ((left, right), bottom) = (self.frame.across(), self.frame.bottom);
        for tick in self.x_ticks() {
            let (x, end) = (tick.pixel, bottom - tick_length(&tick));
            self.canvas.line(&[(x, bottom), (x, end)], INK, FRAME_WIDTH);
            if let (Some(label), Some(_)) = (&tick.label, title) {
                let spot = (x, bottom + UNDER_LABEL);
                self.canvas.text(label, spot, Lettering::TICK);
            }
        }
        if let Some((title, room)) = title {
            let spot = ((left + right) / 2, bottom + UNDER_TITLE);
            self.canvas
                .text(fitting(title, room), spot, Lettering::AXIS);
        }
    }

    /// Ticks inside the left edge; with a `title` also the labels and the title beside it.
    pub fn draw_y_axis(&self, title: Option<&str>) {
        let room = self.frame.bottom - self.frame.top + OVERHANG;
        let title = title.map(|it| fitting(it, room));
        self.draw_upright_axis((self.frame.left, 1), &self.y, title, INK);
    }

    /// A scale on an edge, in its own colour. `inwards` is the direction of the ticks, 1 or −1;
    /// labels and title are on the other side.
    pub fn draw_upright_axis(
        &self,
        (x, inwards): (i32, i32),
        scale: &Scale,
        title: Option<&str>,
        colour: RGBColor,
    ) {
        let anchor = if inwards > 0 {
            Anchor::Right
        } else {
            Anchor::Left
        };
        let ticks = scale.ticks(TICK_SIZE * 2);
        for tick in &ticks {
            let (y, end) = (tick.pixel, x + inwards * tick_length(tick));
            self.canvas.line(&[(x, y), (end, y)], colour, FRAME_WIDTH);
            if let (Some(label), Some(_)) = (&tick.label, title) {
                let lettering = Lettering {
                    anchor,
                    colour,
                    ..Lettering::TICK
                };
                self.canvas.text(label, (x - inwards * 18, y), lettering);
            }
        }
        let Some(title) = title else { return };
        let middle = (self.frame.top + self.frame.bottom) / 2;
        let lettering = Lettering {
            colour,
            size: size_within(title, self.frame.bottom - self.frame.top + OVERHANG),
            ..Lettering::UPRIGHT
        };
        let mut labels = ticks.iter().filter_map(|it| it.label.as_ref());
        let is_signed = labels.any(|it| it.starts_with('-'));
        let beside = BESIDE_TITLE + if is_signed { SIGN_ROOM } else { 0 };
        let spot = (x - inwards * beside, middle);
        self.canvas.text(title, spot, lettering);
    }

    /// Line and error bars, on the panel's own y scale, and a marker on every so many marks; tips
    /// call the curve by its name.
    pub fn draw_curve(&self, marks: &[Mark], style: SeriesStyle, weight: Weight, name: &str) {
        let spots: Vec<Spot> = marks.iter().map(|mark| self.spot(mark)).collect();
        self.canvas
            .broken_line(&spots, style.colour, weight.line, style.dash);
        for mark in marks.iter().filter(|_| weight.every == 1) {
            self.draw_error_bar(mark, style.colour);
        }
        for (mark, &spot) in marks.iter().zip(&spots).step_by(weight.every) {
            if mark.y.is_bound && weight.line == CURVE_WIDTH {
                self.draw_arrow(
                    spot,
                    self.y.pixel_within(mark.y.high),
                    style.colour,
                    weight.line,
                );
            }
            self.canvas
                .marker(spot, style, weight.marker, mark.y.is_bound);
            // With some room around the marker.
            self.canvas.tip(Tip {
                area: HoverArea::Disc(spot, weight.marker + 6),
                row: mark.row,
                words: mark.in_words([name, self.label], self.titles),
            });
        }
    }

    /// A bar from the lower edge to each mark, as wide as the middles between it and its neighbours
    /// say, with the bar of its interval unless it is empty.
    pub fn draw_bars(&self, marks: &[Mark], style: SeriesStyle, name: &str) {
        let across: Vec<i32> = marks.iter().map(|mark| self.x.pixel(mark.x)).collect();
        let half = |a: usize, b: usize| (across[b] - across[a]) / 2;
        for (index, mark) in marks.iter().enumerate() {
            let (first, last) = (index == 0, index + 1 == marks.len());
            let [before, after] = match (first, last) {
                (true, true) => [40, 40],
                (true, false) => [half(0, 1); 2],
                (false, true) => [half(index - 1, index); 2],
                (false, false) => [half(index - 1, index), half(index, index + 1)],
            };
            let (x, FrameEdges { left, right, .. }) = (across[index], self.frame);
            let corner = ((x - before).max(left), self.y.pixel_within(mark.y.value));
            let opposite = ((x + after).min(right), self.frame.bottom);
            let colour = style.colour.mix(BAR_OPACITY);
            self.canvas.rectangle(corner, opposite, colour);
            self.canvas.tip(Tip {
                area: HoverArea::Tile(corner, opposite),
                row: mark.row,
                words: mark.in_words([name, self.label], self.titles),
            });
            if mark.y.value != 0.0 {
                self.draw_error_bar(mark, style.colour);
            }
        }
    }

    /// A number of 0 where the axis has none: the upper end of its interval, with an arrow down.
    pub fn draw_zero(&self, mark: &Mark, style: SeriesStyle, name: &str) {
        let (x, y) = (self.x.pixel(mark.x) + mark.aside, self.y.pixel(mark.y.high));
        let tip = (y + 2 * ARROW).min(self.frame.bottom - 4);
        let (canvas, colour) = (self.canvas, style.colour);
        canvas.line(&[(x - CAP, y), (x + CAP, y)], colour, THIN_WIDTH);
        canvas.line(&[(x, y), (x, tip - 20)], colour, THIN_WIDTH);
        canvas.polygon(&[(x, tip), (x - 13, tip - 28), (x + 13, tip - 28)], colour);
        canvas.tip(Tip {
            area: HoverArea::Disc((x, y), MARKER_RADIUS + 6),
            row: mark.row,
            words: mark.in_words([name, self.label], self.titles),
        });
    }

    /// The band of a curve's intervals.
    pub fn draw_band(&self, marks: &[Mark], style: SeriesStyle) {
        let spot = |mark: &Mark, end| (self.x.pixel(mark.x), self.y.pixel_within(end));
        let high = marks.iter().map(|mark| spot(mark, mark.y.high));
        let low = marks.iter().rev().map(|mark| spot(mark, mark.y.low));
        let outline: Vec<Spot> = high.chain(low).collect();
        let colour = style.colour.mix(BAND_OPACITY);
        self.canvas.polygon(&outline, colour);
    }

    /// A dashed line upright at this x, if that is on the axis.
    pub fn draw_upright(&self, x: f64, colour: RGBColor) {
        if !self.x.holds(x) {
            return;
        }
        let (x, FrameEdges { top, bottom, .. }) = (self.x.pixel(x), self.frame);
        self.canvas.fine_line(&[(x, bottom), (x, top)], colour);
    }

    /// A dashed line across the frame at this height, if that is on the axis.
    pub fn draw_level(&self, value: f64, colour: RGBColor) {
        if !self.y.holds(value) {
            return;
        }
        let (y, FrameEdges { left, right, .. }) = (self.y.pixel(value), self.frame);
        self.canvas.fine_line(&[(left, y), (right, y)], colour);
    }

    fn spot(&self, mark: &Mark) -> Spot {
        (
            self.x.pixel(mark.x) + mark.aside,
            self.y.pixel(mark.y.value),
        )
    }

    /// Nothing for a value known exactly.
    fn draw_error_bar(&self, mark: &Mark, colour: RGBColor) {
        if mark.y.low != mark.y.high {
            let x = self.x.pixel(mark.x) + mark.aside;
            self.draw_bar(x, mark.y, colour);
        }
    }

    /// The bar of an interval at this pixel.
    pub fn draw_bar(&self, x: i32, Estimate { low, high, .. }: Estimate, colour: RGBColor) {
        let [low, high] = [low, high].map(|end| self.y.pixel_within(end));
        self.canvas.line(&[(x, low), (x, high)], colour, THIN_WIDTH);
        for y in [low, high] {
            self.canvas
                .line(&[(x - CAP, y), (x + CAP, y)], colour, THIN_WIDTH);
        }
    }

    /// Draws an arrow from the marker up to beyond the `end` of its error bar.
    fn draw_arrow(&self, (x, y): Spot, end: i32, colour: RGBColor, width: u32) {
        let tip = (end - ARROW).max(self.frame.top + 4);
        self.canvas.line(&[(x, y), (x, tip + 20)], colour, width);
        self.canvas
            .polygon(&[(x, tip), (x - 13, tip + 28), (x + 13, tip + 28)], colour);
    }

    fn x_ticks(&self) -> Vec<Tick> {
        self.x.ticks(TICK_SIZE * 4)
    }
}

/// The title of an axis, or what stands before its first comma or bracket where it is longer than
/// `room`, reckoning 0.55 of its size per character: so titles of stacked panels never meet, and
/// none leaves a narrow figure.
pub fn fitting(title: &str, room: i32) -> &str {
    if width(title) <= f64::from(room) {
        return title;
    }
    title.split([',', '(']).next().unwrap_or(title).trim_end()
}

fn width(title: &str) -> f64 {
    0.55 * f64::from(AXIS_TITLE_SIZE) * title.chars().count() as f64
}

/// The size at which a title fits into `room`, from that of numbers to that of titles.
fn size_within(title: &str, room: i32) -> i32 {
    let size = f64::from(AXIS_TITLE_SIZE) * f64::from(room) / width(title);
    (size as i32).clamp(TICK_SIZE, AXIS_TITLE_SIZE)
}

/// The pixels of those with a label.
fn labelled(ticks: &[Tick]) -> impl Iterator<Item = i32> {
    let labelled = ticks.iter().filter(|tick| tick.label.is_some());
    labelled.map(|tick| tick.pixel)
}

fn tick_length(tick: &Tick) -> i32 {
    if tick.label.is_some() {
        MAJOR_TICK
    } else {
        MINOR_TICK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 38 signs of 22 units are 836: more than three rows of a map and the room between maps.
    #[test]
    fn a_title_longer_than_its_axis_is_cut_at_its_comma() {
        let title = "η, probability of a random destination";
        assert_eq!(fitting(title, 836), title);
        assert_eq!(fitting(title, 835), "η");
        assert_eq!(
            fitting("mean hitting time (updates)", 400),
            "mean hitting time"
        );
        assert_eq!(fitting("joint / moving steps", 100), "joint / moving steps");
        // 20 signs of 22 units are 440, of 19 units 380.
        let sizes = [440, 390, 100].map(|room| size_within("joint / moving steps", room));
        assert_eq!(sizes, [AXIS_TITLE_SIZE, 35, TICK_SIZE]);
    }
}
