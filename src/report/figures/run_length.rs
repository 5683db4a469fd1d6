//! Run-length distributions: the share of trials still running against time.

use crate::analysis::run_length::RunLength;
use crate::report::foresight::Foreseen;
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::run_lengths::{Drawn, NOT_DRAWN, RunLengthPoints};
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::staircase::{Staircase, is_clipped, least_share, shares};
use crate::report::style::{THEORY, THIN_WIDTH};
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

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let has_rule = plan.trials().next().is_some();
        self.needs(has_rule, "no point of a local rule")
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let points = RunLengthPoints::of(input.trials);
        if points.is_empty() {
            return Err(self.nothing("no trial was absorbed after an update"));
        }
        let drawn = points.drawn();
        let words: Vec<String> = drawn.iter().map(Drawn::in_words).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(drawn.iter().map(|point| &point.run_length.summary.point))
                .with_reasons(points.left_out())
                .because(points.not_drawn(&drawn), NOT_DRAWN)
                .saying(clipped(&drawn)),
            caption: sentences([
                "Share of trials not yet absorbed (Kaplan–Meier) against time in units of each point's exponential mean, logarithmic, with pointwise 95 % bands (log-log); dashed: the exponential law",
                &words.join(". "),
            ]),
            parts: Plot::stack(vec![plot(&drawn)]),
            legend: legend(&drawn),
            table: points.table(),
        };
        Ok(sheet.draw(input))
    }
}

/// Curves that go on beyond the axis.
fn clipped(drawn: &[Drawn]) -> Option<String> {
    let (end, mut labels) = (f64::from(MOST_MEANS) + 0.5, Vec::new());
    for point in drawn {
        let RunLength {
            survival, scale, ..
        } = point.run_length;
        if is_clipped(survival, *scale, end) {
            labels.push(point.label());
        }
    }
    (!labels.is_empty()).then(|| {
        format!(
            "clipped: trials that took longer than {end} means, of {}",
            labels.join("; ")
        )
    })
}

fn legend(drawn: &[Drawn]) -> Vec<Entry> {
    let point = |point: &Drawn| Entry::new(Sample::Curve(point.style), point.in_words());
    let mut entries: Vec<Entry> = drawn.iter().map(point).collect();
    entries.push(Entry::new(
        Sample::Dashed(THEORY),
        "dashed: exponential times",
    ));
    entries.push(Entry::new(
        Sample::Strip(drawn[0].style.colour),
        "band: pointwise 95 % interval",
    ));
    if clipped(drawn).is_some() {
        let text = "arrow: the curve goes on beyond the frame";
        entries.push(Entry::new(Sample::Beyond, text));
    }
    if drawn.iter().any(Drawn::is_lower_bound) {
        entries.push(Entry::new(
            Sample::LowerBound,
            "open end: trials still running were cut off here; their mean is a lower bound",
        ));
    }
    entries
}

fn plot<'a>(drawn: &'a [Drawn]) -> Plot<'a> {
    let trials = || drawn.iter().map(|point| point.run_length.summary.trials);
    let across = Span::integers([0, MOST_MEANS]);
    let titles = ("time / mean time", "share of trials not yet absorbed");
    let most = trials().max().unwrap_or_default();
    Plot::new(HEIGHT, (across, shares(trials())), titles, move |panel| {
        let exponential = |means: f64| {
            let (x, y) = (&panel.x, &panel.y);
            (x.pixel(means), y.pixel_within(libm::exp(-means)))
        };
        let end = -libm::log(least_share(most));
        panel
            .canvas
            .dashed_line(exponential(0.0), exponential(end), THEORY, THIN_WIDTH);
        let staircase = |point: &Drawn| {
            let RunLength {
                survival, scale, ..
            } = point.run_length;
            Staircase::of(panel, point.style, survival, *scale)
        };
        drawn.iter().for_each(|point| staircase(point).paint_band());
        drawn
            .iter()
            .for_each(|point| staircase(point).paint_curve(point.is_lower_bound()));
    })
}
