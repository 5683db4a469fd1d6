//! A frame with two scales: its axes and ticks, and the layers between its grid and its axes.
//! `scale` has where a value lies, and which ticks an axis has. Here are how bars end (a cap, or
//! the head of an arrow at the frame), the tips of marks, the size of titles that are too long, and
//! the room that the numbers of an axis have. Whether an axis is logarithmic is decided in
//! `curves/panels.rs`.

pub(crate) mod scale;

use itertools::Itertools;
use plotters::style::RGBColor;

use self::scale::{Scale, Tick};
use crate::report::marks::mark::{Aside, Mark, bar};
use crate::report::out::canvas::{Anchor, Drawn, HoverArea, Lettering, Spot, Tip};
use crate::report::words::Words;
use crate::theme::{
    AXIS_TITLE_SIZE, BESIDE_TITLE, FRAME_WIDTH, GRID, GRID_WIDTH, INK, MAJOR_TICK, MARGIN,
    MARKER_RADIUS, MINOR_TICK, TEXT_SIZE, THIN_WIDTH, TICK_SIZE, UNDER_LABEL, UNDER_TITLE,
};

/// The length in canvas units by which the title of an upright axis may exceed its panel.
const OVERHANG: i32 = 10;

/// The characters of the widest number that has room before the title of an upright axis.
const WIDEST: usize = 6;

/// What the numbers of an axis need more, in canvas units, where some are wider or negative.
const MORE_ROOM: i32 = 30;

/// The edges of a panel on the canvas, in canvas units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameEdges {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
}

/// A frame with its scales.
pub struct Axes<'p> {
    pub frame: FrameEdges,
    /// What stands above it, if anything does.
    pub label: &'p str,
    /// The titles of the axes, across and upwards.
    pub titles: [&'p str; 2],
    pub x: Scale,
    pub y: Scale,
    /// No text on the page is smaller.
    pub least_text: i32,
    /// What bars and bands are.
    pub intervals: &'static str,
    /// What is said in place of its words; those that it has are not yet replaced.
    pub words: &'p Words,
}

/// The axes of a panel that have numbers and a title.
#[derive(Debug, Clone, Copy)]
pub struct Labels {
    /// The width for the title of the axis across, unless another panel is under this one.
    pub across: Option<i32>,
    pub upwards: bool,
}

/// A layer of a panel.
pub trait Layer {
    /// The values that the axis across has to hold.
    fn across(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The values that the upright axis has to hold.
    fn heights(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The width that it needs on the right of the frame.
    fn room(&self) -> i32 {
        0
    }

    fn draw(&self, axes: &Axes) -> Drawn;
}

impl Axes<'_> {
    /// Label and grid, the layers from the lowest on, frame and axes.
    pub fn draw(&self, layers: &[Box<dyn Layer>], labels: Labels) -> Drawn {
        let mut drawn = Drawn::default();
        let FrameEdges {
            left,
            right,
            top,
            bottom,
        } = self.frame;
        if !self.label.is_empty() {
            let label = self.words.said(self.label);
            drawn.text(&label, (left, top - TEXT_SIZE), Lettering::PLAIN);
        }
        // Tiles have their own edges.
        let is_open = self.x.span.has_lines();
        let across = self.x_ticks();
        let up = self.y.ticks(TICK_SIZE * 2);
        let upright = labelled(&across).map(|x| [(x, top), (x, bottom)]);
        let level = labelled(&up).map(|y| [(left, y), (right, y)]);
        for ends in upright.chain(level).filter(|_| is_open) {
            drawn.line(&ends, GRID, GRID_WIDTH);
        }
        for layer in layers {
            drawn.add(layer.draw(self).said(self.words));
        }
        if is_open {
            let [low, high] = [bottom, top].map(|y| [(left, y), (right, y)]);
            let around = [high[0], low[0], low[1], high[1], high[0]];
            drawn.line(&around, INK, FRAME_WIDTH);
        }
        self.draw_x_axis(&mut drawn, labels.across);
        let title = labels.upwards.then(|| self.upright_title());
        self.draw_upright_axis(&mut drawn, (left, 1), &self.y, title.as_deref(), INK);
        drawn
    }

    /// Ticks inside the lower edge; with a width for the title also the labels and the title under
    /// it.
    fn draw_x_axis(&self, drawn: &mut Drawn, room: Option<i32>) {
        let bottom = self.frame.bottom;
        for tick in self.x_ticks() {
            let x = tick.pixel;
            let end = bottom - tick_length(&tick);
            if self.x.span.has_lines() {
                drawn.line(&[(x, bottom), (x, end)], INK, FRAME_WIDTH);
            }
            if let (Some(label), Some(_)) = (&tick.label, room) {
                // A long number at the end of the axis would leave the canvas.
                let half = width_at(label, TICK_SIZE) / 2.0;
                let last = self.frame.right + MARGIN - half.ceil() as i32;
                let middle = if x > last { last } else { x };
                drawn.text(label, (middle, bottom + UNDER_LABEL), Lettering::TICK);
            }
        }
        if let Some(room) = room {
            let middle = (self.frame.left + self.frame.right) / 2;
            let title = self.words.said(self.titles[0]);
            let title = fitting(&title, room);
            let lettering = Lettering {
                size: size_within(title, room),
                ..Lettering::AXIS
            };
            drawn.text(title, (middle, bottom + UNDER_TITLE), lettering);
        }
    }

    /// A scale on an edge, in its own colour. `inwards` is the direction of the ticks, 1 or −1;
    /// with a title it and the labels are on the other side.
    pub fn draw_upright_axis(
        &self,
        drawn: &mut Drawn,
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
            let y = tick.pixel;
            let end = x + inwards * tick_length(tick);
            if scale.span.has_lines() {
                drawn.line(&[(x, y), (end, y)], colour, FRAME_WIDTH);
            }
            if let (Some(label), Some(_)) = (&tick.label, title) {
                let lettering = Lettering {
                    anchor,
                    colour,
                    ..Lettering::TICK
                };
                drawn.text(label, (x - inwards * 18, y), lettering);
            }
        }
        let Some(title) = title else { return };
        let middle = (self.frame.top + self.frame.bottom) / 2;
        let lettering = Lettering {
            colour,
            size: size_within(title, self.frame.bottom - self.frame.top + OVERHANG),
            upwards: true,
            ..Lettering::AXIS
        };
        let mut labels = ticks.iter().filter_map(|tick| tick.label.as_ref());
        let is_wide = labels.any(|label| label.starts_with('-') || label.chars().count() > WIDEST);
        let beside = BESIDE_TITLE + if is_wide { MORE_ROOM } else { 0 };
        drawn.text(title, (x - inwards * beside, middle), lettering);
    }

    /// The longest part of the upright title that fits beside the frame.
    pub fn upright_title(&self) -> String {
        let room = self.frame.bottom - self.frame.top + OVERHANG;
        fitting(&self.words.said(self.titles[1]), room).to_owned()
    }

    /// The place of a mark. Where marks of one x stand side by side and the frame is too near for
    /// the outermost of them, all of them stand closer.
    pub fn spot(&self, mark: &Mark) -> Spot {
        let x = self.x.pixel(mark.x);
        let FrameEdges { left, right, .. } = self.frame;
        let room = ((x - left).min(right - x) - MARKER_RADIUS).max(0);
        let Aside { offset, reach } = mark.aside;
        let within = if reach > room {
            offset * room / reach
        } else {
            offset
        };
        (x + within, self.y.pixel(mark.y.value))
    }

    /// The parts of a line that are between the lower and the upper edge.
    pub fn within(&self, spots: &[Spot]) -> Vec<Vec<Spot>> {
        let FrameEdges { top, bottom, .. } = self.frame;
        if spots.iter().all(|spot| (top..=bottom).contains(&spot.1)) {
            return vec![spots.to_vec()];
        }
        let mut parts: Vec<Vec<Spot>> = Vec::new();
        for (&(x, y), &(to_x, to_y)) in spots.iter().tuple_windows() {
            let wide = f64::from(to_x - x);
            let high = f64::from(to_y - y);
            // Half a pixel more, so that a level line on an edge is within.
            let edges = [f64::from(top) - 0.5, f64::from(bottom) + 0.5];
            let [one, other] = edges.map(|edge| (edge - f64::from(y)) / high);
            let shares = [one.min(other).max(0.0), one.max(other).min(1.0)];
            if shares[0] >= shares[1] {
                continue;
            }
            let [from, to] = shares.map(|share| {
                let wide = libm::round(share * wide);
                let high = libm::round(share * high);
                (x + wide as i32, (y + high as i32).clamp(top, bottom))
            });
            match parts.last_mut() {
                Some(part) if part.last() == Some(&from) => part.push(to),
                _ => parts.push(vec![from, to]),
            }
        }
        parts
    }

    /// Says once of all these marks what their bars are, if any of them has one.
    pub fn explain_bars<'m>(&self, drawn: &mut Drawn, marks: impl Iterator<Item = &'m Mark>) {
        let mut has_bar = false;
        let mut is_held = true;
        for mark in marks {
            for (number, scale) in [(mark.y, &self.y), (mark.x_known, &self.x)] {
                if let Some(ends) = bar(number) {
                    has_bar = true;
                    is_held &= ends.into_iter().all(|end| scale.holds(end));
                }
            }
        }
        if has_bar {
            drawn.explain_intervals(format!("Bars: {}", self.intervals));
        }
        if !is_held {
            drawn.say(0, "a bar that reaches the frame goes on beyond it");
        }
    }

    /// The bar of a mark, with caps of half this width, 0 for none; at a bound, where it goes on,
    /// it has none.
    pub fn draw_error_bar(&self, drawn: &mut Drawn, mark: &Mark, colour: RGBColor, cap: i32) {
        let (x, y) = self.spot(mark);
        if let Some(ends) = bar(mark.y) {
            let spots = ends.map(|end| (x, self.y.pixel_within(end)));
            drawn.line(&spots, colour, THIN_WIDTH);
            // The bar of a bound ends at its mark.
            let n_ends = if mark.y.is_bound { 1 } else { 2 };
            let outward = [(0, 1), (0, -1)];
            for index in (0..n_ends).filter(|_| cap > 0) {
                let is_held = self.y.holds(ends[index]);
                draw_bar_end(drawn, (spots[index], outward[index], is_held), colour, cap);
            }
        }
        if let Some(ends) = bar(mark.x_known) {
            let spots = ends.map(|end| (self.x.pixel_within(end), y));
            drawn.line(&spots, colour, THIN_WIDTH);
            let outward = [(-1, 0), (1, 0)];
            for index in (0..2).filter(|_| cap > 0) {
                let is_held = self.x.holds(ends[index]);
                draw_bar_end(drawn, (spots[index], outward[index], is_held), colour, cap);
            }
        }
    }

    /// A tip of a mark of this name, with the title of its number.
    pub fn tip(&self, drawn: &mut Drawn, area: HoverArea, mark: &Mark, [name, title]: [&str; 2]) {
        let words = mark.in_words([name, self.label], [self.titles[0], title]);
        let row = mark.row;
        drawn.tips.push(Tip { area, row, words });
    }

    fn x_ticks(&self) -> Vec<Tick> {
        self.x.ticks(TICK_SIZE * 4)
    }
}

/// The end of a bar: a cap, or the head of an arrow at the frame where the axis does not hold it.
fn draw_bar_end(
    drawn: &mut Drawn,
    ((x, y), (right, down), is_held): (Spot, Spot, bool),
    colour: RGBColor,
    cap: i32,
) {
    /// The length of the head, and half its width.
    const HEAD: (i32, i32) = (24, 12);
    // From the bar to its sides.
    let side_x = down.abs();
    let side_y = right.abs();
    if is_held {
        let cap_x = cap * side_x;
        let cap_y = cap * side_y;
        let ends = [(x - cap_x, y - cap_y), (x + cap_x, y + cap_y)];
        drawn.line(&ends, colour, THIN_WIDTH);
    } else {
        let base = (x - HEAD.0 * right, y - HEAD.0 * down);
        let half_x = HEAD.1 * side_x;
        let half_y = HEAD.1 * side_y;
        let left_corner = (base.0 - half_x, base.1 - half_y);
        let right_corner = (base.0 + half_x, base.1 + half_y);
        drawn.polygon(&[(x, y), left_corner, right_corner], colour);
    }
}

/// The title of an axis, or what stands before its first comma or bracket where it is longer than
/// `room` even at the size of numbers ([`size_within`]): so titles of stacked panels never meet,
/// none leaves a narrow figure, and a unit is left out last.
fn fitting(title: &str, room: i32) -> &str {
    if width_at(title, TICK_SIZE) <= f64::from(room) {
        return title;
    }
    title.split([',', '(']).next().unwrap_or(title).trim_end()
}

/// The width of a text of this size, reckoning 0.55 of it per character.
fn width_at(text: &str, size: i32) -> f64 {
    0.55 * f64::from(size) * text.chars().count() as f64
}

/// The size at which a title fits into `room`, from that of numbers to that of titles.
fn size_within(title: &str, room: i32) -> i32 {
    let full_size = AXIS_TITLE_SIZE;
    let size = f64::from(full_size) * f64::from(room) / width_at(title, full_size);
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
    use crate::analysis::estimate::Estimate;
    use crate::report::axes::scale::Span;

    /// By hand: a line from 100 down to 300 and up again crosses 150 and 250 at a quarter and at
    /// three quarters of its way.
    #[test]
    fn a_line_ends_at_the_frame() {
        let frame = FrameEdges {
            left: 0,
            right: 80,
            top: 150,
            bottom: 250,
        };
        let scale = Span::linear([0.0, 1.0]).on((0, 80));
        let axes = Axes {
            frame,
            label: "",
            titles: ["", ""],
            x: scale.clone(),
            y: scale,
            least_text: 0,
            intervals: "",
            words: &Words::default(),
        };
        let parts = axes.within(&[(0, 100), (40, 300), (80, 100), (90, 100)]);
        let expected = [[(10, 150), (30, 250)], [(50, 250), (70, 150)]];
        assert_eq!(parts, expected.map(Vec::from));
        let inside = [(0, 150), (40, 250)];
        assert_eq!(axes.within(&inside), [inside.to_vec()]);
        assert_eq!(axes.within(&[(0, 150), (40, 150), (60, 900)]).len(), 1);
    }

    /// By hand: ten marks side by side are up to 90 units from their x; 40 units from the edge of
    /// the frame there is room for 26 beside a marker's radius of 14, so all stand 26/90 as far.
    #[test]
    fn marks_side_by_side_stay_in_the_frame() {
        let frame = FrameEdges {
            left: 100,
            right: 1100,
            top: 0,
            bottom: 100,
        };
        let axes = Axes {
            frame,
            label: "",
            titles: ["", ""],
            x: Span::between(0.0, 1000.0, false)
                .expect("a range")
                .on((100, 1100)),
            y: Span::linear([0.0, 1.0]).on((100, 0)),
            least_text: 0,
            intervals: "",
            words: &Words::default(),
        };
        let place = |x: f64, offset: i32| {
            let known = Estimate::exactly(x);
            let aside = Aside { offset, reach: 90 };
            let mark = Mark {
                x,
                x_known: known,
                y: Estimate::exactly(0.5),
                row: 0,
                trials: None,
                aside,
            };
            axes.spot(&mark).0
        };
        assert_eq!(
            [-90, 10, 90].map(|offset| place(40.0, offset)),
            [114, 142, 166]
        );
        assert_eq!([-90, 90].map(|offset| place(500.0, offset)), [510, 690]);
        assert_eq!([-90, 90].map(|offset| place(1000.0, offset)), [1100; 2]);
    }

    /// 38 signs of 18.7 units, at the size of numbers, are 710.6. With its unit, a title of 27
    /// signs needs 504.9.
    #[test]
    fn a_title_longer_than_its_axis_is_smaller_and_then_cut_at_its_comma() {
        let title = "η, probability of a random destination";
        assert_eq!(fitting(title, 711), title);
        assert_eq!(fitting(title, 710), "η");
        let with_unit = "mean hitting time (updates)";
        assert_eq!(fitting(with_unit, 505), with_unit);
        assert_eq!(size_within(with_unit, 505), TICK_SIZE);
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
