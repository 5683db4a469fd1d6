//! Survival curves as staircases with their bands.

use plotters::style::Color;

use super::canvas::Spot;
use super::markers::{draw_beyond, draw_marker};
use super::panel::Panel;
use super::scale::Span;
use super::sheet::Plot;
use super::style::{BAND_OPACITY, CURVE_WIDTH, MARKER_RADIUS, SeriesStyle};
use crate::analysis::mean::Interval;
use crate::analysis::survival::{Step, SurvivalCurve};

/// The span of survival curves over so many trials each.
fn shares(trials: impl IntoIterator<Item = u64>) -> Span {
    let most = trials.into_iter().max().unwrap_or_default();
    Span::logarithmic([least_share(most), 1.0]).expect("shares are positive")
}

/// Where the axis of the shares of at most so many trials ends: at a single trial, within reason.
pub fn least_share(most_trials: u64) -> f64 {
    (1.0 / most_trials as f64).clamp(1e-4, 0.1)
}

/// Units on the axis of time; an exponential time is longer with probability 0.0009.
const MOST_UNITS: u32 = 7;
/// Where that axis ends.
pub const END: f64 = MOST_UNITS as f64 + 0.5;

/// A curve of a plot.
pub struct Stairs<'a> {
    pub curve: &'a SurvivalCurve,
    /// The unit of time, in updates.
    pub scale: f64,
    pub style: SeriesStyle,
    /// Whether it ends open: trials were cut off.
    pub is_open: bool,
}

/// The curves, over what is painted `beneath` them.
pub fn plot<'a>(
    height: i32,
    titles: (&'a str, &'a str),
    curves: Vec<Stairs<'a>>,
    beneath: impl Fn(&Panel) + 'a,
) -> Plot<'a> {
    let across = Span::integers([0, MOST_UNITS]);
    let up = shares(curves.iter().map(|it| it.curve.trials()));
    Plot::new(height, (across, up), titles, move |panel| {
        beneath(panel);
        let staircases = curves.iter();
        let staircases = staircases.map(|it| Staircase::of(panel, it.style, it.curve, it.scale));
        let staircases: Vec<Staircase> = staircases.collect();
        staircases.iter().for_each(Staircase::paint_band);
        for (staircase, curve) in staircases.iter().zip(&curves) {
            staircase.paint_curve(curve.is_open);
        }
    })
}

/// A corner: x, Ŝ and its interval from there on.
struct Stair {
    x: i32,
    survival: f64,
    interval: Interval,
}

/// A survival curve in a panel whose x counts multiples of a scale.
struct Staircase<'a, 'b> {
    panel: &'a Panel<'b>,
    style: SeriesStyle,
    stairs: Vec<Stair>,
    /// Whether the curve goes on beyond the frame.
    is_clipped: bool,
}

/// Whether the curve goes on beyond the axis, below shares that are drawn.
pub fn is_clipped(curve: &SurvivalCurve, scale: f64) -> bool {
    let is_within = |step: &Step| step.time as f64 / scale <= END;
    let last = curve.steps().take_while(is_within).last();
    curve.horizon() as f64 / scale > END && last.is_none_or(|step| step.survival > 0.0)
}

impl<'a, 'b> Staircase<'a, 'b> {
    /// At most one stair per two pixels, so that large samples stay small files.
    fn of(panel: &'a Panel<'b>, style: SeriesStyle, curve: &SurvivalCurve, scale: f64) -> Self {
        let mut stairs = vec![Stair {
            x: panel.x.pixel(0.0),
            survival: 1.0,
            interval: curve.interval(None),
        }];
        let place = |time: u64| panel.x.pixel_within(time as f64 / scale);
        for step in curve
            .steps()
            .filter(|step| panel.x.pixel(step.time as f64 / scale) <= panel.frame.right)
        {
            let stair = |step: &Step| Stair {
                x: place(step.time),
                survival: step.survival,
                interval: curve.interval(Some(step)),
            };
            match stairs.last_mut() {
                Some(last) if stair(&step).x < last.x + 2 => {
                    *last = Stair {
                        x: last.x,
                        ..stair(&step)
                    }
                }
                _ => stairs.push(stair(&step)),
            }
        }
        let last = stairs.last().expect("the start is there");
        let end = Stair {
            x: place(curve.horizon()),
            survival: last.survival,
            interval: last.interval,
        };
        let is_clipped = last.survival > 0.0
            && panel.x.pixel(curve.horizon() as f64 / scale) > panel.frame.right;
        stairs.push(end);
        Self {
            panel,
            style,
            stairs,
            is_clipped,
        }
    }

    fn paint_band(&self) {
        let mut outline = self.line(self.stairs.len(), |stair| stair.interval.high);
        outline.extend(
            self.line(self.stairs.len(), |stair| stair.interval.low)
                .into_iter()
                .rev(),
        );
        self.panel
            .canvas
            .polygon(&outline, self.style.colour.mix(BAND_OPACITY));
    }

    /// With a marker at its end, open where trials were cut off; where it goes on beyond the frame,
    /// with an arrow at the edge alone.
    fn paint_curve(&self, is_open: bool) {
        let positive = self
            .stairs
            .iter()
            .take_while(|stair| stair.survival > 0.0)
            .count();
        let line = self.line(positive, |stair| stair.survival);
        let SeriesStyle { colour, dash, .. } = self.style;
        self.panel
            .canvas
            .broken_line(&line, colour, CURVE_WIDTH, dash);
        if self.is_clipped {
            if let Some(&(_, y)) = line.last() {
                draw_beyond(self.panel.canvas, (self.panel.frame.right, y), colour);
            }
        } else if let Some(&end) = line.last() {
            draw_marker(self.panel.canvas, end, self.style, MARKER_RADIUS, is_open);
        }
    }

    /// The staircase of one number of the first stairs, from left to right.
    fn line(&self, count: usize, height: impl Fn(&Stair) -> f64) -> Vec<Spot> {
        let steps = self.stairs[..count].windows(2).flat_map(|pair| {
            let y = self.panel.y.pixel_within(height(&pair[0]));
            [(pair[0].x, y), (pair[1].x, y)]
        });
        steps.collect()
    }
}
