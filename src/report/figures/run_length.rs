//! Run-length distributions: the share of trials still running against time.

use plotters::style::Color;

use crate::analysis::mean::Interval;
use crate::analysis::survival::Step;
use crate::report::canvas::{self, Spot};
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::panel::{Frame, Panel, draw_marker};
use crate::report::run_lengths::{Drawn, RunLengthPoints};
use crate::report::scale::Scale;
use crate::report::style::{AXIS_ROOM, BAND_OPACITY, CURVE_WIDTH, FOOT_ROOM, MARGIN, MARKER_RADIUS, THEORY, THIN_WIDTH, WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Survival of absorption times on a logarithmic axis, in units of the exponential mean: an exponential law is the dashed line.
pub struct RunLengths;

const HEIGHT: i32 = 1000;
/// Units of the mean on the time axis; an exponential time is longer with probability 0.0009.
const MOST_MEANS: u32 = 7;

impl Figure for RunLengths {
    fn kind(&self) -> &'static str {
        "run-length"
    }

    fn doc(&self) -> &'static str {
        "share of trials still running against time, with bands: straight lines are exponential"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let points = RunLengthPoints::of(input.trials);
        if points.is_empty() {
            return Err(NothingToDraw { kind: self.kind(), reason: "no trial was absorbed after an update".to_owned() });
        }
        let drawn = points.drawn();
        let words: Vec<String> = drawn.iter().map(Drawn::in_words).collect();
        let caption = sentences([
            input.title,
            "Share of trials not yet absorbed (Kaplan–Meier) against time in units of each point's exponential mean, logarithmic, with pointwise 95 % bands (log-log); dashed: the exponential law",
            &words.join(". "),
            input.provenance,
        ]);
        Ok(Drawing { svg: paint(input.title, &caption, &drawn), table: points.table(), caption })
    }
}

fn legend(drawn: &[Drawn]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = drawn.iter().map(|point| Entry { sample: Sample::Curve(point.style), text: point.in_words() }).collect();
    entries.push(Entry { sample: Sample::Dashed(THEORY), text: "dashed: exponential times".to_owned() });
    entries.push(Entry { sample: Sample::Strip(drawn[0].style.colour), text: "band: pointwise 95 % interval".to_owned() });
    if drawn.iter().any(|point| point.run_length.time().is_lower_bound()) {
        let text = "open end: trials still running were cut off here; their mean is a lower bound".to_owned();
        entries.push(Entry { sample: Sample::LowerBound, text });
    }
    entries
}

fn paint(title: &str, caption: &str, drawn: &[Drawn]) -> String {
    let words = Words::new(title, legend(drawn));
    let frame = Frame { left: MARGIN + AXIS_ROOM, right: WIDTH - MARGIN, top: words.head(), bottom: words.head() + HEIGHT };
    let legend_top = frame.bottom + FOOT_ROOM;
    let least = drawn.iter().map(|point| 1.0 / point.run_length.summary.trials as f64).fold(0.1, f64::min);
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let Some(y) = Scale::logarithmic([least.max(1e-4), 1.0], frame.upwards()) else { return };
        let panel = Panel { canvas, frame, x: Scale::integers(0, MOST_MEANS, frame.across()), y };
        panel.draw_grid();
        let exponential = |means: f64| (panel.x.pixel(means), panel.y.pixel_within(libm::exp(-means)));
        panel.canvas.dashed_line(exponential(0.0), exponential(-libm::log(least.max(1e-4))), THEORY, THIN_WIDTH);
        drawn.iter().for_each(|point| paint_band(&panel, point));
        drawn.iter().for_each(|point| paint_curve(&panel, point));
        panel.draw_frame();
        panel.draw_x_axis(Some("time / mean time"));
        panel.draw_y_axis("share of trials not yet absorbed");
        words.draw(canvas, legend_top);
    })
}

/// A corner of the staircase: x, Ŝ and its interval from there on. At most one per two pixels, so that large samples stay small files.
struct Stair {
    x: i32,
    survival: f64,
    interval: Interval,
}

fn stairs(panel: &Panel, point: &Drawn) -> Vec<Stair> {
    let (curve, scale) = (&point.run_length.survival, point.run_length.scale);
    let mut stairs = vec![Stair { x: panel.x.pixel(0.0), survival: 1.0, interval: curve.interval(None) }];
    let place = |time: u64| panel.x.pixel_within(time as f64 / scale);
    for step in curve.steps().iter().filter(|step| step.time as f64 / scale <= f64::from(MOST_MEANS)) {
        let stair = |step: &Step| Stair { x: place(step.time), survival: step.survival, interval: curve.interval(Some(step)) };
        match stairs.last_mut() {
            Some(last) if stair(step).x < last.x + 2 => *last = Stair { x: last.x, ..stair(step) },
            _ => stairs.push(stair(step)),
        }
    }
    let last = stairs.last().expect("the start is there");
    let end = Stair { x: place(curve.horizon()), survival: last.survival, interval: last.interval };
    stairs.push(end);
    stairs
}

/// The staircase of one number of the stairs, from left to right.
fn staircase(panel: &Panel, stairs: &[Stair], height: impl Fn(&Stair) -> f64) -> Vec<Spot> {
    let steps = stairs.windows(2).flat_map(|pair| {
        let y = panel.y.pixel_within(height(&pair[0]));
        [(pair[0].x, y), (pair[1].x, y)]
    });
    steps.collect()
}

fn paint_band(panel: &Panel, point: &Drawn) {
    let stairs = stairs(panel, point);
    let mut outline = staircase(panel, &stairs, |stair| stair.interval.high);
    outline.extend(staircase(panel, &stairs, |stair| stair.interval.low).into_iter().rev());
    panel.canvas.polygon(&outline, point.style.colour.mix(BAND_OPACITY));
}

fn paint_curve(panel: &Panel, point: &Drawn) {
    let stairs = stairs(panel, point);
    let positive: Vec<Stair> = stairs.into_iter().take_while(|stair| stair.survival > 0.0).collect();
    let line = staircase(panel, &positive, |stair| stair.survival);
    panel.canvas.line(&line, point.style.colour, CURVE_WIDTH);
    if let Some(&end) = line.last() {
        draw_marker(panel.canvas, end, point.style, MARKER_RADIUS, point.run_length.time().is_lower_bound());
    }
}
