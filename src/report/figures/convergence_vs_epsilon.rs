//! Figure 5 of the source text: times and moves against ε.

use plotters::style::Color;

use crate::analysis::optimum::{Optimum, SweepMean};
use crate::analysis::summary::{PointSummary, Quantity};
use crate::report::canvas::{self, Canvas};
use crate::report::legend::{Entry, Sample, Words, sentences, shared_entries};
use crate::report::number::short;
use crate::report::panel::{Frame, Mark, Panel, Weight};
use crate::report::point_table::point_table;
use crate::report::scale::Scale;
use crate::report::series::{Grouped, Series, Swept, visibly_below};
use crate::report::style::{
    AXIS_ROOM, BEST_RADIUS, FOOT_ROOM, MARGIN, STRIP_OPACITY, SeriesStyle, THIN_WIDTH, WIDTH,
};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Mean absorption time and mean queen moves against ε on logarithmic axes, one curve per rule, n
/// and η; the best ε marked.
pub struct ConvergenceVsEpsilon;

impl Figure for ConvergenceVsEpsilon {
    fn kind(&self) -> &'static str {
        "convergence-vs-epsilon"
    }

    fn doc(&self) -> &'static str {
        "mean absorption time and moves against ε, the best ε marked (figure 5)"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let grouped = Grouped::of(input.trials, Swept::Epsilon);
        if grouped.series.is_empty() {
            return Err(NothingToDraw {
                kind: self.kind(),
                reason: "no two points differ in ε > 0 alone".to_owned(),
            });
        }
        let curves: Vec<Curve> = grouped
            .series
            .iter()
            .enumerate()
            .map(|(index, series)| Curve::of(series, SeriesStyle::of(index)))
            .collect();
        let caption = caption(input, &curves);
        let mut table = point_table(grouped.points());
        table.notes.extend(
            curves
                .iter()
                .filter(|curve| curve.optimum.is_some())
                .map(|curve| format!("{}.", curve.in_words())),
        );
        table.notes.extend(
            grouped
                .left_out
                .iter()
                .map(|point| format!("Left out: {point}.")),
        );
        Ok(Drawing {
            svg: paint(input.title, &caption, &curves),
            table,
            caption,
        })
    }
}

/// A series with all that is drawn of it.
struct Curve<'a> {
    series: &'a Series,
    style: SeriesStyle,
    optimum: Option<Optimum>,
}

/// The two panels: height, axis title, quantity.
const PANELS: [(i32, &str, Quantity); 2] = [
    (
        820,
        "mean absorption time (updates)",
        Quantity::AbsorptionTime,
    ),
    (620, "mean number of queen moves", Quantity::Moves),
];
const GAP: i32 = 48;
/// With more curves, lines and strips for the best ε would cover the points.
const MOST_STRIPS: usize = 3;

impl<'a> Curve<'a> {
    fn of(series: &'a Series, style: SeriesStyle) -> Self {
        let mean = |point: &PointSummary| {
            let summary = point.quantity(Quantity::AbsorptionTime)?;
            Some(SweepMean {
                x: series.x(point),
                mean: summary.mean,
                is_lower_bound: summary.is_lower_bound(),
            })
        };
        let sweep: Vec<SweepMean> = series.points.iter().filter_map(mean).collect();
        Self {
            series,
            style,
            optimum: Optimum::of(&sweep),
        }
    }

    fn in_words(&self) -> String {
        let label = self.series.label();
        let Some(Optimum { best, above, below }) = self.optimum else {
            return label;
        };
        let place = match (above, below) {
            (Some(low), Some(high)) => format!(
                "the best ε is between {} and {}",
                short(low, 3),
                short(high, 3)
            ),
            (None, Some(high)) => format!(
                "the best ε is below {} (no bound from below)",
                short(high, 3)
            ),
            (Some(low), None) => format!(
                "the best ε is above {} (no bound from above)",
                short(low, 3)
            ),
            (None, None) => "this sweep does not bound the best ε".to_owned(),
        };
        format!(
            "{label}: least mean time at ε = {}; {place}",
            short(best, 3)
        )
    }
}

fn caption(input: &Input, curves: &[Curve]) -> String {
    let optima: Vec<String> = curves.iter().map(Curve::in_words).collect();
    sentences([
        input.title,
        "Mean absorption time (above) and mean number of queen moves (below) against ε, with 95 % intervals; thinner: until the first hit, where it differs",
        &optima.join(". "),
        "Bounds on the best ε hold with 95 % confidence if the mean time falls and then rises with ε",
        input.provenance,
    ])
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = curves
        .iter()
        .map(|curve| Entry {
            sample: Sample::Curve(curve.style),
            text: curve.in_words(),
        })
        .collect();
    if let Some(curve) = curves.iter().find(|curve| curve.optimum.is_some()) {
        let entry = |sample: Sample, text: &str| Entry {
            sample,
            text: text.to_owned(),
        };
        entries.push(entry(
            Sample::Ring(curve.style.colour),
            "ring: least mean time of the sweep",
        ));
        if curves.len() <= MOST_STRIPS {
            entries.push(entry(
                Sample::Strip(curve.style.colour),
                "strip: where the best ε lies, with 95 % confidence",
            ));
        }
    }
    entries.extend(shared_entries(
        curves.iter().map(|curve| curve.series),
        &[Quantity::AbsorptionTime, Quantity::Moves],
    ));
    entries
}

fn paint(title: &str, caption: &str, curves: &[Curve]) -> String {
    let words = Words::new(title, legend(curves));
    let shown: Vec<_> = PANELS
        .into_iter()
        .filter(|panel| {
            curves
                .iter()
                .any(|curve| !curve.series.marks(panel.2).is_empty())
        })
        .collect();
    let body: i32 = shown.iter().map(|panel| panel.0 + GAP).sum::<i32>() - GAP;
    let legend_top = words.head() + body + FOOT_ROOM;
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let mut top = words.head();
        for (index, &(height, axis, quantity)) in shown.iter().enumerate() {
            let frame = Frame {
                left: MARGIN + AXIS_ROOM,
                right: WIDTH - MARGIN,
                top,
                bottom: top + height,
            };
            let is_last = index + 1 == shown.len();
            paint_panel(canvas, frame, curves, (axis, quantity), is_last);
            top += height + GAP;
        }
        words.draw(canvas, legend_top);
    })
}

fn paint_panel(
    canvas: &Canvas,
    frame: Frame,
    curves: &[Curve],
    (axis, quantity): (&str, Quantity),
    is_last: bool,
) {
    let marks: Vec<Vec<Mark>> = curves
        .iter()
        .map(|curve| curve.series.marks(quantity))
        .collect();
    let thin: Vec<Vec<Vec<Mark>>> = curves
        .iter()
        .zip(&marks)
        .map(|(curve, later)| visibly_below(&curve.series.marks(quantity.at_hit()), later))
        .collect();
    let drawn = || {
        marks
            .iter()
            .flatten()
            .chain(thin.iter().flatten().flatten())
    };
    let x = Scale::logarithmic(
        curves.iter().flat_map(|curve| {
            curve
                .series
                .points
                .iter()
                .map(|point| curve.series.x(point))
        }),
        frame.across(),
    );
    let y = Scale::logarithmic(
        drawn().flat_map(|mark| [mark.low, mark.y, mark.high]),
        frame.upwards(),
    );
    let (Some(x), Some(y)) = (x, y) else { return };
    // Room for the strips below and the arrows above.
    let panel = Panel {
        canvas,
        frame,
        x,
        y: y.with_room(0.08, 0.06),
    };
    panel.draw_grid();
    if curves.len() <= MOST_STRIPS {
        curves
            .iter()
            .enumerate()
            .for_each(|(index, curve)| paint_strip(&panel, curve, index as i32, quantity));
    }
    for (curve, stretches) in curves.iter().zip(&thin) {
        stretches
            .iter()
            .for_each(|stretch| panel.draw_curve(stretch, curve.style, Weight::Thin));
    }
    for (curve, marks) in curves.iter().zip(&marks) {
        panel.draw_curve(marks, curve.style, Weight::Full);
    }
    if quantity == Quantity::AbsorptionTime {
        curves
            .iter()
            .zip(&marks)
            .for_each(|(curve, marks)| paint_ring(&panel, curve, marks));
    }
    panel.draw_frame();
    panel.draw_x_axis(is_last.then_some("ε, probability of a dangerous move"));
    panel.draw_y_axis(axis);
}

/// A dashed line at the best ε of the sweep, and among the times a strip on the axis over where the
/// best ε must lie.
fn paint_strip(panel: &Panel, curve: &Curve, index: i32, quantity: Quantity) {
    let Some(Optimum { best, above, below }) = curve.optimum else {
        return;
    };
    let Frame {
        left,
        right,
        top,
        bottom,
    } = panel.frame;
    let x = panel.x.pixel(best);
    panel
        .canvas
        .dashed_line((x, bottom), (x, top), curve.style.colour, THIN_WIDTH);
    if quantity == Quantity::AbsorptionTime {
        let (from, to) = (
            above.map_or(left, |low| panel.x.pixel(low)),
            below.map_or(right, |high| panel.x.pixel(high)),
        );
        let base = bottom - 24 * (index + 1);
        panel.canvas.rectangle(
            (from, base - 16),
            (to, base),
            curve.style.colour.mix(STRIP_OPACITY),
        );
    }
}

fn paint_ring(panel: &Panel, curve: &Curve, marks: &[Mark]) {
    for mark in marks
        .iter()
        .filter(|mark| curve.optimum.is_some_and(|optimum| optimum.best == mark.x))
    {
        panel.canvas.ring(
            (panel.x.pixel(mark.x), panel.y.pixel(mark.y)),
            BEST_RADIUS,
            curve.style.colour,
            THIN_WIDTH + 1,
        );
    }
}
