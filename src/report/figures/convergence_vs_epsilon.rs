//! Figure 5 of the source text: times and moves against ε.

use plotters::style::Color;

use crate::analysis::optimum::{Optimum, SweepMean};
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::spec::Choices;
use crate::report::foresight::{Foreseen, differ_along, with_epsilon};
use crate::report::growth::{QUANTITIES, axis_title};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample, shared_entries};
use crate::report::number::short;
use crate::report::panel::{Frame, Mark, Panel, Weight, draw_pointer};
use crate::report::point_table::point_table;
use crate::report::scale::Span;
use crate::report::series::{Grouped, Series, Swept};
use crate::report::series_marks::SeriesMarks;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::sources::best_epsilon;
use crate::report::style::{BEST_RADIUS, STRIP_OPACITY, SeriesStyle, THEORY, THIN_WIDTH};
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

    fn keys(&self) -> &'static [&'static str] {
        &["quantity"]
    }

    fn quantities(&self) -> &'static [&'static str] {
        &QUANTITIES
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let differ = differ_along(with_epsilon(plan.trials()), "epsilon", &["epsilon"]);
        self.needs(differ, NO_CURVE)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let grouped = Grouped::of(input.trials, Swept::Epsilon);
        if grouped.series.is_empty() {
            return Err(self.nothing(NO_CURVE));
        }
        let curves: Vec<Curve> = grouped
            .series
            .iter()
            .enumerate()
            .map(|(index, series)| Curve::of(series, SeriesStyle::of(index)))
            .collect();
        let words: Vec<String> = curves.iter().map(Curve::in_words).collect();
        let bounded = curves.iter().filter(|curve| curve.optimum.is_some());
        let mut table = point_table(grouped.points());
        table.note_sentences(&bounded.map(Curve::in_words).collect::<Vec<_>>());
        let panels = panels(input.choices);
        let quantities: Vec<Quantity> = panels.iter().map(|panel| panel.2).collect();
        let plots = panels.iter().filter_map(|panel| plot(panel, &curves));
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(grouped.points().map(|it| &it.point))
                .with_reasons(&grouped.left_out),
            caption: sentences([
                &lead(&quantities)[..],
                &words.join(". "),
                "Bounds on the best ε hold with 95 % confidence if the mean time falls and then rises with ε",
            ]),
            parts: Plot::stack(plots.collect()),
            legend: legend(&curves, &quantities),
            table,
        };
        Ok(sheet.draw(input))
    }
}

/// Why there is nothing to draw.
const NO_CURVE: &str = "no two points differ in ε > 0 alone";

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
/// Those of the quantity that is chosen, else both.
fn panels(choices: &Choices) -> Vec<(i32, &'static str, Quantity)> {
    let chosen = choices.quantity.as_deref().and_then(Quantity::from_name);
    chosen.map_or_else(
        || PANELS.to_vec(),
        |quantity| vec![(PANELS[0].0, axis_title(quantity), quantity)],
    )
}

/// What is shown, in a sentence.
fn lead(quantities: &[Quantity]) -> String {
    let shown = match quantities {
        [quantity] => {
            let name = axis_title(*quantity).trim_end_matches(" (updates)");
            format!("M{}", &name[1..])
        }
        _ => "Mean absorption time (above) and mean number of queen moves (below)".to_owned(),
    };
    format!(
        "{shown} against ε, with 95 % intervals; thinner: until the first hit, where it differs"
    )
}

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

    /// The optimum that the source text names for this rule and n, and what is said of it.
    fn of_the_text(&self) -> Option<(f64, String)> {
        let (epsilon, figure) = best_epsilon(&self.series.points[0].point)?;
        let text = format!(
            "the source text's figure {figure} has its optimum around {} ({}); its curve is in no copy of ours",
            short(epsilon, 3),
            self.series.label()
        );
        Some((epsilon, text))
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

fn legend(curves: &[Curve], quantities: &[Quantity]) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_words());
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    if let Some(curve) = curves.iter().find(|curve| curve.optimum.is_some()) {
        if quantities.contains(&Quantity::AbsorptionTime) {
            entries.push(Entry::new(
                Sample::Ring(curve.style.colour),
                "ring: least mean time of the sweep",
            ));
        }
        if curves.len() <= MOST_STRIPS {
            entries.push(Entry::new(
                Sample::Dashed(curve.style.colour),
                "thin dashes: the ε of that least mean time",
            ));
            if quantities.contains(&Quantity::AbsorptionTime) {
                entries.push(Entry::new(
                    Sample::Strip(curve.style.colour),
                    "strip: where the best ε lies, with 95 % confidence",
                ));
            }
        }
    }
    entries.extend(
        curves
            .iter()
            .filter_map(Curve::of_the_text)
            .map(|(_, text)| {
                let text = format!("grey: {text}");
                Entry::new(Sample::Pointer(THEORY), text)
            }),
    );
    entries.extend(shared_entries(
        curves.iter().map(|curve| curve.series),
        quantities,
    ));
    entries
}

/// `None` where no curve has the quantity.
fn plot<'a>(
    &(height, title, quantity): &(i32, &'static str, Quantity),
    curves: &'a [Curve],
) -> Option<Plot<'a>> {
    let drawn: Vec<(&Curve, SeriesMarks)> = curves
        .iter()
        .map(|curve| (curve, SeriesMarks::of(curve.series, quantity)))
        .collect();
    let swept = |curve: &'a Curve| {
        let points = curve.series.points.iter();
        points.map(|point| curve.series.x(point))
    };
    let marks = drawn.iter().flat_map(|(_, marks)| marks.all());
    let across = Span::logarithmic(curves.iter().flat_map(swept))?;
    let up = Span::logarithmic(marks.flat_map(Mark::heights))?;
    // Room for the strips below and the arrows above.
    let spans = (across, up.with_room(0.08, 0.06));
    let titles = ("ε, probability of a dangerous move", title);
    Some(Plot::new(height, spans, titles, move |panel| {
        if curves.len() <= MOST_STRIPS {
            for (curve, index) in curves.iter().zip(0..) {
                paint_strip(panel, curve, index, quantity);
            }
        }
        for (curve, marks) in &drawn {
            marks.draw_thin(panel, curve.style);
        }
        for (curve, marks) in &drawn {
            panel.draw_curve(&marks.full, curve.style, Weight::Full);
        }
        if quantity == Quantity::AbsorptionTime {
            for (epsilon, _) in curves.iter().filter_map(Curve::of_the_text) {
                let spot = (panel.x.pixel_within(epsilon), panel.frame.bottom);
                draw_pointer(panel.canvas, spot, THEORY);
            }
            for (curve, marks) in &drawn {
                paint_ring(panel, curve, &marks.full);
            }
        }
    }))
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
