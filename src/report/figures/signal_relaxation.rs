//! How long signals take to become true, against n.

use crate::analysis::mean::{Interval, Mean};
use crate::analysis::regression::Growth;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::store::PointTrials;
use crate::report::canvas;
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::number::{short, six_digits};
use crate::report::panel::{Frame, Mark, Panel, Weight};
use crate::report::point_table::point_table;
use crate::report::scale::Scale;
use crate::report::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, SeriesStyle, WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw};

/// Mean relaxation time of the signals divided by n³, against n, one curve per rule; the fitted
/// power of n.
pub struct SignalRelaxation;

/// The two relaxations of the registry and the rule that each belongs to.
const RELAXATIONS: [(&str, &str); 2] = [
    ("pair-relaxation", "pair rule"),
    ("cell-relaxation", "cell rule"),
];

impl Figure for SignalRelaxation {
    fn kind(&self) -> &'static str {
        "signal-relaxation"
    }

    fn doc(&self) -> &'static str {
        "updates until all signals are true, in units of n³, against n"
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let curves: Vec<Curve> = RELAXATIONS
            .into_iter()
            .enumerate()
            .filter_map(|(index, names)| Curve::of(input.trials, names, index))
            .collect();
        if curves.is_empty() {
            return Err(NothingToDraw {
                kind: self.kind(),
                reason: "no relaxation of a rule's signals at two values of n".to_owned(),
            });
        }
        let words: Vec<String> = curves.iter().map(Curve::in_words).collect();
        let caption = sentences([
            input.title,
            "Mean number of updates until every signal is true, from a placed solution without signals, divided by n³, against n; bars: 95 % intervals",
            &words.join(". "),
            input.provenance,
        ]);
        let mut table = point_table(curves.iter().flat_map(|curve| &curve.points));
        table
            .header
            .extend(["mean_over_n3", "mean_over_n3_low", "mean_over_n3_high"].map(str::to_owned));
        for (row, mark) in table
            .rows
            .iter_mut()
            .zip(curves.iter().flat_map(Curve::marks))
        {
            row.extend([mark.y, mark.low, mark.high].map(six_digits));
        }
        table
            .notes
            .extend(words.iter().map(|words| format!("{words}.")));
        Ok(Drawing {
            svg: paint(input.title, &caption, &curves),
            table,
            caption,
        })
    }
}

struct Curve {
    rule: &'static str,
    style: SeriesStyle,
    /// In increasing order of n.
    points: Vec<PointSummary>,
    /// ln mean against ln n, over the points without censored trials.
    power: Option<Growth>,
}

impl Curve {
    /// `None` unless there are two values of n.
    fn of(
        trials: &[PointTrials],
        (algorithm, rule): (&str, &'static str),
        index: usize,
    ) -> Option<Self> {
        let mut points: Vec<PointSummary> = trials
            .iter()
            .filter(|point| point.point.algorithm == algorithm)
            .filter_map(PointSummary::of)
            .collect();
        points.sort_by_key(|point| point.point.integer("n"));
        let complete = |point: &PointSummary| {
            let time = point
                .quantity(Quantity::AbsorptionTime)
                .filter(|time| !time.is_lower_bound())?;
            Some((libm::log(point.point.integer("n")? as f64), time.mean))
        };
        let means: Vec<(f64, Mean)> = points.iter().filter_map(complete).collect();
        (points.len() > 1).then(|| Self {
            rule,
            style: SeriesStyle::of(index),
            power: Growth::fit(&means),
            points,
        })
    }

    /// Means over n³.
    fn marks(&self) -> Vec<Mark> {
        let mark = |point: &PointSummary| {
            let time = point.quantity(Quantity::AbsorptionTime)?;
            let n = point.point.integer("n")? as f64;
            let Interval { low, high } = time.mean.interval();
            let cube = n * n * n;
            Some(Mark {
                x: n,
                y: time.mean.value / cube,
                low: low / cube,
                high: high / cube,
                is_lower_bound: time.is_lower_bound(),
            })
        };
        self.points.iter().filter_map(mark).collect()
    }

    fn in_words(&self) -> String {
        let ratios: Vec<String> = self
            .marks()
            .iter()
            .rev()
            .take(1)
            .map(
                |Mark {
                     x, y, low, high, ..
                 }| {
                    format!(
                        "{}·n³ (95 %: {} to {}) at n = {x}",
                        short(*y, 3),
                        short(*low, 3),
                        short(*high, 3)
                    )
                },
            )
            .collect();
        let power = self.power.map_or_else(String::new, |power| {
            let Interval { low, high } = power.slope_interval();
            format!(
                "; fitted ∝ n^{:.3} (95 %: {low:.3} to {high:.3})",
                power.slope
            )
        });
        format!("{}: {}{power}", self.rule, ratios.join(""))
    }
}

const HEIGHT: i32 = 900;

fn paint(title: &str, caption: &str, curves: &[Curve]) -> String {
    let entry = |sample: Sample, text: &str| Entry {
        sample,
        text: text.to_owned(),
    };
    let mut entries: Vec<Entry> = curves
        .iter()
        .map(|curve| entry(Sample::Curve(curve.style), &curve.in_words()))
        .collect();
    entries.push(entry(Sample::ErrorBar, "95 % interval of the mean"));
    let marks: Vec<Vec<Mark>> = curves.iter().map(Curve::marks).collect();
    if marks.iter().flatten().any(|mark| mark.is_lower_bound) {
        entries.push(entry(
            Sample::LowerBound,
            "lower bound: some trials were cut off, the true mean is larger",
        ));
    }
    let words = Words::new(title, entries);
    let frame = Frame {
        left: MARGIN + AXIS_ROOM,
        right: WIDTH - MARGIN,
        top: words.head(),
        bottom: words.head() + HEIGHT,
    };
    let legend_top = frame.bottom + FOOT_ROOM;
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let sides = || marks.iter().flatten().map(|mark| mark.x as u32);
        let x = Scale::integers(
            sides().min().unwrap_or_default(),
            sides().max().unwrap_or_default(),
            frame.across(),
        );
        let y = Scale::from_zero(
            marks.iter().flatten().flat_map(|mark| [mark.y, mark.high]),
            frame.upwards(),
        );
        let panel = Panel {
            canvas,
            frame,
            x,
            y,
        };
        panel.draw_grid();
        for (curve, marks) in curves.iter().zip(&marks) {
            panel.draw_curve(marks, curve.style, Weight::Full);
        }
        panel.draw_frame();
        panel.draw_x_axis(Some("n, side of the board and number of queens"));
        panel.draw_y_axis("mean relaxation time / n³ (updates)");
        words.draw(canvas, legend_top);
    })
}
