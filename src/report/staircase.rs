//! Survival curves: staircases with bars of their intervals in a plot.

use super::canvas::Spot;
use super::panel::{PARTS, PaintedPanel};
use super::scale::Span;
use super::sheet::SheetPart;
use super::style::{CURVE_WIDTH, MARKER_RADIUS, SeriesStyle, THEORY};
use crate::analysis::estimate::Estimate;
use crate::analysis::survival::{Step, SurvivalCurve};

/// Units on the axis of time; an exponential time is longer with probability 0.0009.
const MOST_UNITS: f64 = 7.0;
/// The least distance between two markers of a curve, in canvas units.
const BETWEEN_MARKERS: i32 = 240;
/// The end of that axis, in units of time.
pub const END: f64 = MOST_UNITS + 0.5;

pub struct Stairs<'a> {
    pub curve: &'a SurvivalCurve,
    /// The unit of time, in updates.
    pub scale: f64,
    pub style: SeriesStyle,
    /// True if the curve ends open: trials were cut off.
    pub is_open: bool,
}

/// The curves, and under them, dashed, the law of exponential times.
pub fn plot<'a>(
    height: i32,
    titles: (&'a str, &'a str),
    curves: Vec<Stairs<'a>>,
    x_is_logarithmic: bool,
) -> SheetPart<'a> {
    let first = curves.iter().filter_map(Stairs::first).fold(END, f64::min);
    let across = match x_is_logarithmic {
        true => Span::logarithmic([first, END]).expect("times are positive"),
        false => Span::between(0.0, END, false).expect("a linear axis"),
    };
    let most = curves.iter().map(|it| it.curve.trials()).max();
    // The axis ends at a single trial, within reason.
    let least_share = (1.0 / most.unwrap_or_default() as f64).clamp(1e-4, 0.1);
    let up = Span::logarithmic([least_share, 1.0]).expect("shares are positive");
    let paint = move |panel: &PaintedPanel| {
        let spot = |means: f64| {
            let (x, y) = (&panel.x, &panel.y);
            (x.pixel_within(means), y.pixel_within(libm::exp(-means)))
        };
        let last = -libm::log(least_share);
        let spots: Vec<Spot> = match x_is_logarithmic {
            false => [0.0, last].map(spot).to_vec(),
            true => {
                let at = |part: u32| f64::from(part) / f64::from(PARTS);
                let means = (0..=PARTS).map(|it| first * libm::pow(last / first, at(it)));
                means.map(spot).collect()
            }
        };
        panel.canvas.fine_line(&spots, THEORY);
        let corners: Vec<Vec<Stair>> = curves.iter().map(|it| it.corners(panel)).collect();
        let step = BETWEEN_MARKERS / curves.len().max(1) as i32;
        for ((curve, corners), index) in curves.iter().zip(&corners).zip(1..) {
            curve.paint(panel, corners, index * step);
        }
    };
    SheetPart {
        height,
        ..SheetPart::plot(String::new(), (across, up), titles, paint)
    }
}

/// A corner: x, and Ŝ from there on.
struct Stair {
    x: i32,
    survival: Estimate,
}

/// True if the curve goes on beyond the axis, below shares that are drawn.
pub fn is_clipped(curve: &SurvivalCurve, scale: f64) -> bool {
    let is_within = |step: &Step| step.time as f64 / scale <= END;
    let last = curve.steps().take_while(is_within).last();
    curve.horizon() as f64 / scale > END && last.is_none_or(|step| step.survival > 0.0)
}

impl Stairs<'_> {
    /// The first step of the curve after the start, in units of time.
    fn first(&self) -> Option<f64> {
        let times = self.curve.steps().map(|it| it.time as f64 / self.scale);
        times.into_iter().find(|it| *it > 0.0)
    }

    /// The corners of the curve: at most one stair per two pixels, so that large samples stay small
    /// files.
    fn corners(&self, panel: &PaintedPanel) -> Vec<Stair> {
        let Self { curve, scale, .. } = *self;
        let stair = |step: &Step| Stair {
            x: panel.x.pixel_within(step.time as f64 / scale),
            survival: curve.share(Some(step)),
        };
        let mut stairs = vec![Stair {
            x: panel.x.pixel_within(0.0),
            survival: curve.share(None),
        }];
        let is_within = |step: &Step| panel.x.pixel(step.time as f64 / scale) <= panel.frame.right;
        for stair in curve.steps().filter(is_within).map(|step| stair(&step)) {
            match stairs.last_mut() {
                Some(last) if stair.x < last.x + 2 => *last = Stair { x: last.x, ..stair },
                _ => stairs.push(stair),
            }
        }
        let last = stairs.last().expect("the start is there");
        stairs.push(Stair {
            x: panel.x.pixel_within(curve.horizon() as f64 / scale),
            ..*last
        });
        stairs
    }

    /// Draws a curve with markers in equal steps, beginning at `first`, which have the bars of the
    /// intervals, since bands of several curves would mix; with a marker at its end, open where
    /// trials were cut off. A curve that goes on beyond the frame ends there in an arrow.
    fn paint(&self, panel: &PaintedPanel, corners: &[Stair], first: i32) {
        let positive = corners
            .iter()
            .take_while(|stair| stair.survival.value > 0.0);
        let positive = &corners[..positive.count()];
        let line = line(panel, positive);
        let SeriesStyle { colour, dash, .. } = self.style;
        let canvas = panel.canvas;
        canvas.broken_line(&line, colour, CURVE_WIDTH, dash);
        let last = line.last().map_or(panel.frame.left, |end| end.0);
        let most = last.min(panel.frame.right - MARKER_RADIUS);
        for x in (panel.frame.left + first..most).step_by(BETWEEN_MARKERS as usize) {
            let there = positive
                .partition_point(|stair| stair.x <= x)
                .checked_sub(1);
            let Some(stair) = there.map(|index| &positive[index]) else {
                continue;
            };
            panel.draw_bar(x, stair.survival, colour);
            let y = panel.y.pixel_within(stair.survival.value);
            canvas.marker((x, y), self.style, MARKER_RADIUS, false);
        }
        match line.last() {
            Some(&(_, y)) if is_clipped(self.curve, self.scale) => {
                canvas.arrow((panel.frame.right, y), colour);
            }
            Some(&end) => canvas.marker(end, self.style, MARKER_RADIUS, self.is_open),
            None => {}
        }
    }
}

/// The staircase of the corners, from left to right.
fn line(panel: &PaintedPanel, corners: &[Stair]) -> Vec<Spot> {
    let steps = corners.windows(2).flat_map(|pair| {
        let y = panel.y.pixel_within(pair[0].survival.value);
        [(pair[0].x, y), (pair[1].x, y)]
    });
    steps.collect()
}
