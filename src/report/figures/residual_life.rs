//! Mean residual life: whether starting over helps.

use crate::report::canvas;
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::panel::{Frame, Mark, Panel, Weight};
use crate::report::run_lengths::{Drawn, RunLengthPoints};
use crate::report::scale::Scale;
use crate::report::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, THEORY, THIN_WIDTH, WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// The mean time still to come after a time without success, both in units of the mean: above 1, starting over then would help.
pub struct ResidualLife;

const HEIGHT: i32 = 900;

impl Figure for ResidualLife {
    fn kind(&self) -> &'static str {
        "residual-life"
    }

    fn doc(&self) -> &'static str {
        "mean time still to come against time spent: above the mean, restarts help"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let points = RunLengthPoints::of(input.trials);
        let drawn: Vec<Drawn> = points.drawn().into_iter().filter(|point| !point.run_length.residual_life.is_empty()).collect();
        if drawn.is_empty() {
            return Err(NothingToDraw {
                kind: self.kind(),
                reason: "no point has five trials that were absorbed after an update".to_owned(),
            });
        }
        let words: Vec<String> = drawn.iter().map(Drawn::in_words).collect();
        let caption = sentences([
            input.title,
            "Mean residual life against time spent, both in units of each point's mean, with 95 % intervals: at exponential times it stays 1; where it exceeds 1, starting over after that time helps",
            &words.join(". "),
            input.provenance,
        ]);
        let mut table = points.table();
        table.notes.push(
            "Residual life: the mean of T − t over the trials with T > t, at the start and at the times by which 10, 20, …, 90 and 95 % of the trials have ended, while five or more are to end; its interval is the t interval of the \
             logarithm."
                .to_owned(),
        );
        Ok(Drawing { svg: paint(input.title, &caption, &drawn), table, caption })
    }
}

/// In units of the mean; of a point with trials cut off, lower bounds.
fn marks(point: &Drawn) -> Vec<Mark> {
    let scale = point.run_length.scale;
    let mark = |life: &crate::analysis::restart::ResidualLife| {
        let interval = life.mean.interval();
        Mark {
            x: life.time as f64 / scale,
            y: life.mean.value / scale,
            low: interval.low / scale,
            high: interval.high / scale,
            is_lower_bound: point.run_length.time().is_lower_bound(),
        }
    };
    point.run_length.residual_life.iter().map(mark).collect()
}

fn legend(drawn: &[Drawn]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = drawn.iter().map(|point| Entry { sample: Sample::Curve(point.style), text: point.in_words() }).collect();
    entries
        .push(Entry { sample: Sample::Dashed(THEORY), text: "dashed: the mean from the start; above it, starting over helps".to_owned() });
    entries.push(Entry { sample: Sample::ErrorBar, text: "95 % interval of the mean residual life".to_owned() });
    if drawn.iter().any(|point| point.run_length.time().is_lower_bound()) {
        let text = "lower bound: some trials were cut off, the true residual life is longer".to_owned();
        entries.push(Entry { sample: Sample::LowerBound, text });
    }
    entries
}

fn paint(title: &str, caption: &str, drawn: &[Drawn]) -> String {
    let words = Words::new(title, legend(drawn));
    let frame = Frame { left: MARGIN + AXIS_ROOM, right: WIDTH - MARGIN, top: words.head(), bottom: words.head() + HEIGHT };
    let legend_top = frame.bottom + FOOT_ROOM;
    let curves: Vec<Vec<Mark>> = drawn.iter().map(marks).collect();
    let longest = curves.iter().flatten().map(|mark| mark.x).fold(1.0, f64::max).ceil() as u32;
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let heights = curves.iter().flatten().flat_map(|mark| [mark.low, mark.y, mark.high]).chain([0.5, 1.0, 2.0]);
        let Some(y) = Scale::logarithmic(heights, frame.upwards()) else { return };
        // Room for the arrows above.
        let panel = Panel { canvas, frame, x: Scale::integers(0, longest, frame.across()), y: y.with_room(0.0, 0.08) };
        panel.draw_grid();
        let level = panel.y.pixel(1.0);
        panel.canvas.dashed_line((frame.left, level), (frame.right, level), THEORY, THIN_WIDTH);
        for (point, marks) in drawn.iter().zip(&curves) {
            panel.draw_curve(marks, point.style, Weight::Full);
        }
        panel.draw_frame();
        panel.draw_x_axis(Some("time spent / mean time"));
        panel.draw_y_axis("mean time still to come / mean time");
        words.draw(canvas, legend_top);
    })
}
