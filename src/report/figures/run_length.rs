//! Run-length distributions: the share of trials still running against time.

use crate::analysis::run_length::RunLength;
use crate::analysis::survival::SurvivalCurve;
use crate::report::foresight::Foreseen;
use crate::report::frame::Frame;
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::run_lengths::{Drawn, NOT_DRAWN, RunLengthPoints};
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::staircase::{Staircase, is_clipped, least_share, shares};
use crate::report::style::{THEORY, THIN_WIDTH};
use crate::report::{Corners, Drawing, Figure, Input, NothingToDraw, corners};
use crate::solver::point::KEY_AXES;

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
        let left_out = LeftOut::but(drawn.iter().map(|it| &it.run_length.summary.point))
            .with_reasons(points.left_out())
            .because(points.not_drawn(&drawn), NOT_DRAWN);
        let drawn: Vec<Curve> = drawn.into_iter().map(Curve::of).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: left_out.saying(clipped(&drawn)),
            caption: sentences([
                "Share of trials not yet absorbed (Kaplan–Meier) against time in units of each point's exponential mean, logarithmic, with pointwise 95 % bands (log-log); dashed: the exponential law",
                &words.join(". "),
            ]),
            parts: Plot::stack(vec![plot(&drawn)]),
            legend: legend(&drawn),
            table: points.table(),
        };
        let drawing = sheet.draw(input);
        Ok(Drawing {
            curves: Some(corners(drawn)),
            ..drawing
        })
    }
}

/// A point that is drawn, with its curve.
struct Curve<'a> {
    point: Drawn<'a>,
    survival: SurvivalCurve,
}

impl<'a> Curve<'a> {
    fn of(point: Drawn<'a>) -> Self {
        Self {
            survival: point.run_length.survival(),
            point,
        }
    }

    fn scale(&self) -> f64 {
        self.point.run_length.scale
    }
}

fn corners(drawn: Vec<Curve>) -> Corners {
    let keys: Vec<&RunLength> = drawn.iter().map(|it| it.point.run_length).collect();
    let key = Frame::of(&keys, &KEY_AXES).frame.table();
    let curve = |(curve, key): (Curve, Vec<String>)| corners::Curve {
        key,
        scale: curve.scale(),
        survival: curve.survival,
    };
    Corners {
        curves: drawn.into_iter().zip(key.rows).map(curve).collect(),
        key: key.header,
    }
}

/// Curves that go on beyond the axis.
fn clipped(drawn: &[Curve]) -> Option<String> {
    let (end, mut labels) = (f64::from(MOST_MEANS) + 0.5, Vec::new());
    for curve in drawn {
        if is_clipped(&curve.survival, curve.scale(), end) {
            labels.push(curve.point.label());
        }
    }
    (!labels.is_empty()).then(|| {
        format!(
            "clipped: trials that took longer than {end} means, of {}",
            labels.join("; ")
        )
    })
}

fn legend(drawn: &[Curve]) -> Vec<Entry> {
    let points = || drawn.iter().map(|curve| &curve.point);
    let point = |point: &Drawn| Entry::new(Sample::Curve(point.style), point.label());
    let mut entries: Vec<Entry> = points().map(point).collect();
    entries.push(Entry::new(
        Sample::Dashed(THEORY),
        "dashed: exponential times",
    ));
    entries.push(Entry::new(
        Sample::Strip(drawn[0].point.style.colour),
        "band: pointwise 95 % interval",
    ));
    if clipped(drawn).is_some() {
        let text = "arrow: the curve goes on beyond the frame";
        entries.push(Entry::new(Sample::Beyond, text));
    }
    if points().any(Drawn::is_lower_bound) {
        entries.push(Entry::new(
            Sample::LowerBound,
            "open end: trials still running were cut off here; their mean is a lower bound",
        ));
    }
    entries
}

fn plot<'a>(drawn: &'a [Curve]) -> Plot<'a> {
    let trials = || drawn.iter().map(|it| it.point.run_length.summary.trials);
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
        let staircase = |curve: &Curve| {
            let style = curve.point.style;
            Staircase::of(panel, style, &curve.survival, curve.scale())
        };
        drawn.iter().for_each(|curve| staircase(curve).paint_band());
        drawn
            .iter()
            .for_each(|curve| staircase(curve).paint_curve(curve.point.is_lower_bound()));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, pair_key, trials};

    /// Of 40 trials the curve has 40 steps, from all of them at 0 down; where trials were cut off,
    /// it goes on to the cutoff.
    #[test]
    fn every_corner_of_a_curve_is_in_its_table() {
        for (cutoff, ends_at_zero) in [(u64::MAX, true), (900_000, false)] {
            let law = Law {
                key: pair_key(8, 0.01),
                mean: 1e6,
                settling: 1.25,
                updates_per_move: 370.0,
                cutoff,
            };
            let points = RunLengthPoints::of(&[trials(&mut Draws::new(3), &law, 40)]);
            let drawn = points.drawn().into_iter().map(Curve::of).collect();
            let mut bytes = Vec::new();
            corners(drawn).write_csv(&mut bytes).expect("memory");
            let text = String::from_utf8(bytes).expect("text");
            let mut rows: Vec<Vec<&str>> =
                text.lines().map(|line| line.split(',').collect()).collect();
            let header = rows.remove(0);
            let place = header.iter().position(|name| *name == "time");
            let place = place.expect("a column");
            let first = ["0", "0", "1.00000"];
            assert_eq!(rows[0][place..place + 3], first);
            assert!(rows[0][place + 3..] == ["0.911903", "1.00000"]);
            let last = rows.last().expect("corners");
            assert_eq!(last[place + 2] == "0", ends_at_zero);
            let steps = points.all()[0].survival().steps().count();
            assert_eq!(rows.len(), steps + 1 + usize::from(!ends_at_zero));
            assert_eq!(last[place] == "900000", !ends_at_zero);
        }
    }
}
