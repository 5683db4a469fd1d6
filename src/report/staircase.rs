//! Survival curves as staircases with their bands.

use plotters::style::Color;

use super::canvas::Spot;
use super::panel::{Panel, draw_marker};
use super::style::{BAND_OPACITY, CURVE_WIDTH, MARKER_RADIUS, SeriesStyle};
use crate::analysis::mean::Interval;
use crate::analysis::survival::{Step, SurvivalCurve};

/// A corner: x, Ŝ and its interval from there on.
struct Stair {
    x: i32,
    survival: f64,
    interval: Interval,
}

/// A survival curve in a panel whose x counts multiples of a scale.
pub struct Staircase<'a, 'b, 'c> {
    panel: &'a Panel<'b, 'c>,
    style: SeriesStyle,
    stairs: Vec<Stair>,
}

impl<'a, 'b, 'c> Staircase<'a, 'b, 'c> {
    /// At most one stair per two pixels, so that large samples stay small files.
    pub fn of(
        panel: &'a Panel<'b, 'c>,
        style: SeriesStyle,
        curve: &SurvivalCurve,
        scale: f64,
    ) -> Self {
        let mut stairs = vec![Stair {
            x: panel.x.pixel(0.0),
            survival: 1.0,
            interval: curve.interval(None),
        }];
        let place = |time: u64| panel.x.pixel_within(time as f64 / scale);
        for step in curve
            .steps()
            .iter()
            .filter(|step| panel.x.pixel(step.time as f64 / scale) <= panel.frame.right)
        {
            let stair = |step: &Step| Stair {
                x: place(step.time),
                survival: step.survival,
                interval: curve.interval(Some(step)),
            };
            match stairs.last_mut() {
                Some(last) if stair(step).x < last.x + 2 => {
                    *last = Stair {
                        x: last.x,
                        ..stair(step)
                    }
                }
                _ => stairs.push(stair(step)),
            }
        }
        let last = stairs.last().expect("the start is there");
        let end = Stair {
            x: place(curve.horizon()),
            survival: last.survival,
            interval: last.interval,
        };
        stairs.push(end);
        Self {
            panel,
            style,
            stairs,
        }
    }

    pub fn paint_band(&self) {
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

    /// With a marker at its end, open where trials were cut off.
    pub fn paint_curve(&self, is_open: bool) {
        let positive = self
            .stairs
            .iter()
            .take_while(|stair| stair.survival > 0.0)
            .count();
        let line = self.line(positive, |stair| stair.survival);
        self.panel
            .canvas
            .line(&line, self.style.colour, CURVE_WIDTH);
        if let Some(&end) = line.last() {
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
