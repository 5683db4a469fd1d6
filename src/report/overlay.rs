//! Two runs in one figure: the distributions of A and B at a few points.

use super::canvas::{self, Canvas, Lettering};
use super::legend::{Entry, Sample, Words};
use super::panel::{Frame, Panel};
use super::scale::Scale;
use super::staircase::Staircase;
use super::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, SeriesStyle, TEXT_SIZE, WIDTH};
use crate::analysis::comparison::end_point::EndPoint;
use crate::analysis::survival::SurvivalCurve;
use crate::experiment::store::Row;

/// Most points that a figure shows.
pub const MOST_PANELS: usize = 4;

const HEIGHT: i32 = 460;
const GAP: i32 = 100;
const MOST_MEANS: u32 = 7;

/// One point's rows on both sides.
pub struct OverlaidPoint<'a> {
    /// What the panel is called.
    pub label: String,
    pub end_point: EndPoint,
    pub a: &'a [Row],
    pub b: &'a [Row],
}

struct Curves {
    label: String,
    sides: [SurvivalCurve; 2],
    /// A's restricted mean: the unit of x.
    scale: f64,
}

/// The SVG of the first [`MOST_PANELS`] points, one panel each: the share of trials whose value is
/// larger, with bands. `None` where no point has such values.
pub fn overlay(title: &str, points: &[OverlaidPoint]) -> Option<String> {
    let panels: Vec<Curves> = points.iter().filter_map(curves).take(MOST_PANELS).collect();
    if panels.is_empty() {
        return None;
    }
    let words = Words::new(title, legend());
    let body = panels.len() as i32 * (HEIGHT + GAP);
    let legend_top = words.head() + body + FOOT_ROOM;
    let description = "Share of trials with a larger value, of two runs, with pointwise 95 % bands, logarithmic, at the points with the least p-values.";
    Some(canvas::draw(
        legend_top + words.foot(),
        title,
        description,
        |canvas| {
            for (index, curves) in panels.iter().enumerate() {
                let top = words.head() + GAP + index as i32 * (HEIGHT + GAP);
                let frame = Frame {
                    left: MARGIN + AXIS_ROOM,
                    right: WIDTH - MARGIN,
                    top,
                    bottom: top + HEIGHT,
                };
                paint_panel(canvas, frame, curves, index + 1 == panels.len());
            }
            words.draw(canvas, legend_top);
        },
    ))
}

fn curves(point: &OverlaidPoint) -> Option<Curves> {
    let curve = |rows: &[Row]| {
        SurvivalCurve::of(
            &rows
                .iter()
                .filter_map(|row| point.end_point.observed(row))
                .collect::<Vec<_>>(),
        )
    };
    let sides = [curve(point.a)?, curve(point.b)?];
    let scale = sides[0].restricted_mean();
    let label = format!("{}: {}", point.label, point.end_point.name());
    (scale > 0.0).then_some(Curves {
        label,
        sides,
        scale,
    })
}

fn legend() -> Vec<Entry> {
    let entry = |sample, text: &str| Entry {
        sample,
        text: text.to_owned(),
    };
    vec![
        entry(Sample::Curve(SeriesStyle::of(0)), "A"),
        entry(Sample::Curve(SeriesStyle::of(1)), "B"),
        entry(
            Sample::Strip(SeriesStyle::of(0).colour),
            "band: pointwise 95 % interval; a curve ends at its largest value or at the cutoff",
        ),
    ]
}

fn paint_panel(canvas: &Canvas, frame: Frame, curves: &Curves, is_last: bool) {
    let least = curves
        .sides
        .iter()
        .map(|curve| 1.0 / curve.trials() as f64)
        .fold(0.1, f64::min);
    let Some(y) = Scale::logarithmic([least.max(1e-4), 1.0], frame.upwards()) else {
        return;
    };
    let panel = Panel {
        canvas,
        frame,
        x: Scale::integers(0, MOST_MEANS, frame.across()),
        y,
    };
    canvas.text(
        &curves.label,
        (frame.left, frame.top - TEXT_SIZE),
        Lettering::default(),
    );
    panel.draw_grid();
    let sides = [0, 1].map(|side| {
        Staircase::of(
            &panel,
            SeriesStyle::of(side),
            &curves.sides[side],
            curves.scale,
        )
    });
    sides.iter().for_each(Staircase::paint_band);
    for (staircase, curve) in sides.iter().zip(&curves.sides) {
        staircase.paint_curve(curve.steps().last().is_none_or(|step| step.survival > 0.0));
    }
    panel.draw_frame();
    panel.draw_x_axis(is_last.then_some("value / mean of A"));
    panel.draw_y_axis("share above");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, pair_key, trials};

    #[test]
    fn every_end_point_can_be_overlaid() {
        let rows = |seed: u64| {
            let law = Law {
                key: pair_key(8, 0.01),
                mean: 1e6,
                settling: 1.25,
                updates_per_move: 370.0,
                cutoff: 3_000_000,
            };
            trials(&mut Draws::new(seed), &law, 100).rows
        };
        let (a, b) = (rows(1), rows(2));
        let point = |end_point| OverlaidPoint {
            label: "pair n=8".to_owned(),
            end_point,
            a: &a,
            b: &b,
        };
        let svg = overlay("A & B", &EndPoint::ALL.map(point)).expect("there are rows");
        assert!(
            EndPoint::ALL
                .iter()
                .all(|end_point| svg.contains(&format!("pair n=8: {}", end_point.name())))
        );
        assert_eq!(overlay("", &[]), None);
    }
}
