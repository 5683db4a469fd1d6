//! Run-length distributions: the share of trials still running against time.

use crate::report::canvas;
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::panel::{Frame, Panel};
use crate::report::run_lengths::{Drawn, RunLengthPoints};
use crate::report::scale::Scale;
use crate::report::staircase::Staircase;
use crate::report::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, THEORY, THIN_WIDTH, WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Survival of absorption times on a logarithmic axis, in units of the exponential mean: an
/// exponential law is the dashed line.
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
            return Err(NothingToDraw {
                kind: self.kind(),
                reason: "no trial was absorbed after an update".to_owned(),
            });
        }
        let drawn = points.drawn();
        let words: Vec<String> = drawn.iter().map(Drawn::in_words).collect();
        let caption = sentences([
            input.title,
            "Share of trials not yet absorbed (Kaplan–Meier) against time in units of each point's exponential mean, logarithmic, with pointwise 95 % bands (log-log); dashed: the exponential law",
            &words.join(". "),
            input.provenance,
        ]);
        Ok(Drawing {
            svg: paint(input.title, &caption, &drawn),
            table: points.table(),
            caption,
        })
    }
}

fn legend(drawn: &[Drawn]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = drawn
        .iter()
        .map(|point| Entry {
            sample: Sample::Curve(point.style),
            text: point.in_words(),
        })
        .collect();
    entries.push(Entry {
        sample: Sample::Dashed(THEORY),
        text: "dashed: exponential times".to_owned(),
    });
    entries.push(Entry {
        sample: Sample::Strip(drawn[0].style.colour),
        text: "band: pointwise 95 % interval".to_owned(),
    });
    if drawn
        .iter()
        .any(|point| point.run_length.time().is_lower_bound())
    {
        let text = "open end: trials still running were cut off here; their mean is a lower bound"
            .to_owned();
        entries.push(Entry {
            sample: Sample::LowerBound,
            text,
        });
    }
    entries
}

fn paint(title: &str, caption: &str, drawn: &[Drawn]) -> String {
    let words = Words::new(title, legend(drawn));
    let frame = Frame {
        left: MARGIN + AXIS_ROOM,
        right: WIDTH - MARGIN,
        top: words.head(),
        bottom: words.head() + HEIGHT,
    };
    let legend_top = frame.bottom + FOOT_ROOM;
    let least = drawn
        .iter()
        .map(|point| 1.0 / point.run_length.summary.trials as f64)
        .fold(0.1, f64::min);
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let Some(y) = Scale::logarithmic([least.max(1e-4), 1.0], frame.upwards()) else {
            return;
        };
        let panel = Panel {
            canvas,
            frame,
            x: Scale::integers(0, MOST_MEANS, frame.across()),
            y,
        };
        panel.draw_grid();
        let exponential = |means: f64| {
            (
                panel.x.pixel(means),
                panel.y.pixel_within(libm::exp(-means)),
            )
        };
        panel.canvas.dashed_line(
            exponential(0.0),
            exponential(-libm::log(least.max(1e-4))),
            THEORY,
            THIN_WIDTH,
        );
        let staircase = |point: &Drawn| {
            Staircase::of(
                &panel,
                point.style,
                &point.run_length.survival,
                point.run_length.scale,
            )
        };
        drawn.iter().for_each(|point| staircase(point).paint_band());
        drawn.iter().for_each(|point| {
            staircase(point).paint_curve(point.run_length.time().is_lower_bound())
        });
        panel.draw_frame();
        panel.draw_x_axis(Some("time / mean time"));
        panel.draw_y_axis("share of trials not yet absorbed");
        words.draw(canvas, legend_top);
    })
}
