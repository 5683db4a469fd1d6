//! How long signals take to become true, against n.

use crate::analysis::mean::{Estimate, Interval, Mean};
use crate::analysis::regression::Growth;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::store::PointTrials;
use crate::report::legend::{Entry, Sample, mean_entries};
use crate::report::number::{short, six_digits};
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::point_table;
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::SeriesStyle;
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
            return Err(self.nothing("no relaxation of a rule's signals at two values of n"));
        }
        let words: Vec<String> = curves.iter().map(Curve::in_words).collect();
        let mut table = point_table(curves.iter().flat_map(|curve| &curve.points));
        table
            .header
            .extend(["mean_over_n3", "mean_over_n3_low", "mean_over_n3_high"].map(str::to_owned));
        let marks = curves.iter().flat_map(Curve::marks);
        for (row, mark) in table.rows.iter_mut().zip(marks) {
            row.extend([mark.y, mark.low, mark.high].map(six_digits));
        }
        table.note_sentences(&words);
        let sheet = Sheet {
            caption: sentences([
                "Mean number of updates until every signal is true, from a placed solution without signals, divided by n³, against n; bars: 95 % intervals",
                &words.join(". "),
            ]),
            parts: Plot::stack(vec![plot(&curves)]),
            legend: legend(&curves),
            table,
        };
        Ok(sheet.draw(input))
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
            let cube = n * n * n;
            let interval = time.mean.interval().map(|end| end / cube);
            Some(Mark {
                is_lower_bound: time.is_lower_bound(),
                ..Mark::with_interval(n, time.mean.value / cube, interval)
            })
        };
        self.points.iter().filter_map(mark).collect()
    }

    fn in_words(&self) -> String {
        let last = self.marks().pop().map_or_else(String::new, |mark| {
            let [y, low, high] = [mark.y, mark.low, mark.high].map(|value| short(value, 3));
            format!("{y}·n³ (95 %: {low} to {high}) at n = {}", mark.x)
        });
        let power = self.power.map_or_else(String::new, |power| {
            let Estimate { value, interval } = power.slope;
            let Interval { low, high } = interval;
            format!("; fitted ∝ n^{value:.3} (95 %: {low:.3} to {high:.3})")
        });
        format!("{}: {}{power}", self.rule, last)
    }
}

const HEIGHT: i32 = 900;

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_words());
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    let mut marks = curves.iter().flat_map(Curve::marks);
    entries.extend(mean_entries(marks.any(|mark| mark.is_lower_bound)));
    entries
}

fn plot(curves: &[Curve]) -> Plot<'_> {
    let drawn: Vec<Vec<Mark>> = curves.iter().map(Curve::marks).collect();
    let marks = || drawn.iter().flatten();
    let spans = (
        Span::integers(marks().map(|mark| mark.x as u32)),
        Span::from_zero(marks().flat_map(|mark| [mark.y, mark.high])),
    );
    let titles = (
        "n, side of the board and number of queens",
        "mean relaxation time / n³ (updates)",
    );
    Plot::new(HEIGHT, spans, titles, move |panel| {
        for (curve, marks) in curves.iter().zip(&drawn) {
            panel.draw_curve(marks, curve.style, Weight::Full);
        }
    })
}
