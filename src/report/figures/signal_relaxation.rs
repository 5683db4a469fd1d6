//! How long signals take to become true, against n.

use crate::analysis::mean::{Estimate, Mean};
use crate::analysis::regression::Growth;
use crate::analysis::summary::{PointSummary, Quantity, Summary};
use crate::experiment::store::PointKey;
use crate::report::foresight::{Foreseen, differ_along};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample, mean_entries};
use crate::report::number::short;
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::{estimate_cells, fit_row, point_table};
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::SeriesStyle;
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::results::PointTrials;
use crate::solver::board::Board;

/// Mean relaxation time of the signals divided by n³, against n, one curve per rule; the fitted
/// power of n.
pub struct SignalRelaxation;

/// Why there is nothing to draw.
const NO_CURVE: &str = "no relaxation of a rule's signals at two values of n";

/// A relaxation of the registry.
struct Relaxation {
    algorithm: &'static str,
    rule: &'static str,
    /// Number of sites that an update draws from.
    sites: fn(Board) -> usize,
}

const RELAXATIONS: [Relaxation; 2] = [
    Relaxation {
        algorithm: "pair-relaxation",
        rule: "pair rule",
        sites: Board::n_pairs,
    },
    Relaxation {
        algorithm: "cell-relaxation",
        rule: "cell rule",
        sites: |board| board.n() * board.n(),
    },
];

impl Figure for SignalRelaxation {
    fn kind(&self) -> &'static str {
        "signal-relaxation"
    }

    fn doc(&self) -> &'static str {
        "updates until all signals are true, in units of n³, against n"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let is_relaxation = |point: &&PointKey| {
            let mut names = RELAXATIONS.iter().map(|relaxation| relaxation.algorithm);
            names.any(|name| name == point.algorithm)
        };
        let points = plan.trials().filter(is_relaxation);
        self.needs(differ_along(points, "n", &["n"]), NO_CURVE)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let curves: Vec<Curve> = RELAXATIONS
            .iter()
            .enumerate()
            .filter_map(|(index, relaxation)| Curve::of(input.trials, relaxation, index))
            .collect();
        if curves.is_empty() {
            return Err(self.nothing(NO_CURVE));
        }
        let words: Vec<String> = curves.iter().map(Curve::in_words).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(
                curves
                    .iter()
                    .flat_map(|curve| &curve.points)
                    .map(|(point, _)| &point.point),
            ),
            caption: sentences([
                "Mean number of updates until every signal is true, from a placed solution without signals, divided by n³, against n; bars: 95 % intervals. \
                 Divided by sites · n (pairs or cells that an update draws from, times n) both rules have nearly one curve",
                &words.join(". "),
            ]),
            table: table(&curves, &words),
            parts: Plot::stack(vec![plot(&curves)]),
            legend: legend(&curves),
        };
        Ok(sheet.draw(input))
    }
}

struct Curve {
    relaxation: &'static Relaxation,
    style: SeriesStyle,
    /// In increasing order of n, each with its mean time.
    points: Vec<(PointSummary, Summary)>,
    /// ln(mean / (sites · n)) against ln n, over the points without censored trials, from where a
    /// single power fits.
    power: Option<Growth>,
}

/// What a mean is divided by.
#[derive(Clone, Copy)]
enum Unit {
    /// n³.
    Cube,
    /// Sites · n.
    Sites,
}

impl Curve {
    /// `None` unless there are two values of n.
    fn of(trials: &[PointTrials], relaxation: &'static Relaxation, index: usize) -> Option<Self> {
        let with_time = |point: PointSummary| {
            let time = point.quantity(Quantity::AbsorptionTime)?.clone();
            point.point.integer("n")?;
            Some((point, time))
        };
        let mut points: Vec<(PointSummary, Summary)> = trials
            .iter()
            .filter(|point| point.point.algorithm == relaxation.algorithm)
            .filter_map(PointSummary::of)
            .filter_map(with_time)
            .collect();
        points.sort_by_key(|(point, _)| point.point.integer("n"));
        let mut curve = Self {
            relaxation,
            style: SeriesStyle::of(index),
            points,
            power: None,
        };
        curve.power = Growth::where_it_fits(&curve.means_in_sites());
        (curve.points.len() > 1).then_some(curve)
    }

    fn means_in_sites(&self) -> Vec<(f64, Mean)> {
        let complete = self
            .points
            .iter()
            .filter(|(_, time)| !time.is_lower_bound());
        let mean = |(point, time): &(PointSummary, Summary)| {
            let unit = self.unit(point, Unit::Sites);
            let mean = Mean {
                value: time.mean.value / unit,
                standard_error: time.mean.standard_error / unit,
                ..time.mean
            };
            (libm::log(side(point)), mean)
        };
        complete.map(mean).collect()
    }

    fn unit(&self, point: &PointSummary, unit: Unit) -> f64 {
        let n = side(point);
        match unit {
            Unit::Cube => n * n * n,
            Unit::Sites => (self.relaxation.sites)(Board::new(n as usize)) as f64 * n,
        }
    }

    /// Mean and interval of each point in this unit.
    fn in_unit(&self, unit: Unit) -> impl Iterator<Item = Estimate> {
        self.points.iter().map(move |(point, time)| {
            let divided = |updates: f64| updates / self.unit(point, unit);
            Estimate {
                value: divided(time.mean.value),
                interval: time.interval.map(divided),
            }
        })
    }

    /// Means over n³.
    fn marks(&self) -> Vec<Mark> {
        let points = self.points.iter().zip(self.in_unit(Unit::Cube));
        let mark = |((point, time), mean): (&(PointSummary, Summary), Estimate)| Mark {
            is_lower_bound: time.is_lower_bound(),
            ..Mark::with_interval(side(point), mean.value, mean.interval)
        };
        points.map(mark).collect()
    }

    fn in_words(&self) -> String {
        let last = |unit| {
            let estimate = self.in_unit(unit).last();
            estimate.map_or_else(String::new, |Estimate { value, interval }| {
                let [low, high] = [interval.low, interval.high].map(|end| short(end, 3));
                format!("{} (95 %: {low} to {high})", short(value, 3))
            })
        };
        let n = self.points.last().map_or(0.0, |(point, _)| side(point));
        let power = self.power.map_or_else(String::new, |power| {
            let Estimate { value, interval } = power.slope;
            let [value, low, high] = [value, interval.low, interval.high]
                .map(|power| format!("{power:.3}").replace('-', "−"));
            let from = libm::round(libm::exp(power.range.0));
            let fits = if power.fits() {
                "fits from"
            } else {
                "does not fit, from"
            };
            format!(
                "; updates / (sites · n) ∝ n^({value}) (95 %: {low} to {high}) {fits} n = {from} on (p = {})",
                short(power.p_value, 2)
            )
        });
        format!(
            "{}: {}·n³ and {}·sites·n at n = {n}{power}",
            self.relaxation.rule,
            last(Unit::Cube),
            last(Unit::Sites)
        )
    }
}

fn side(point: &PointSummary) -> f64 {
    point.point.integer("n").unwrap_or_default() as f64
}

fn table(curves: &[Curve], words: &[String]) -> Table {
    let points = curves.iter().flat_map(|curve| &curve.points);
    let mut table = point_table(points.map(|(point, _)| point));
    let header = table.header.clone();
    for name in ["mean_over_n3", "mean_over_sites_n"] {
        let ends = ["", "_low", "_high"].map(|end| format!("{name}{end}"));
        table.header.extend(ends);
    }
    let units = |curve: &Curve| -> Vec<[Estimate; 2]> {
        let pairs = curve.in_unit(Unit::Cube).zip(curve.in_unit(Unit::Sites));
        pairs.map(|(cube, sites)| [cube, sites]).collect()
    };
    let estimates = curves.iter().flat_map(units);
    for (row, estimates) in table.rows.iter_mut().zip(estimates) {
        row.extend(
            estimates
                .into_iter()
                .flat_map(|mean| estimate_cells(Some(mean))),
        );
    }
    for curve in curves {
        let Some(power) = curve.power else { continue };
        let key = (&curve.points[0].0.point, ["n"].as_slice());
        let mut row = fit_row(&header, key, "power_of_mean_over_sites_n", power.slope);
        row.resize(table.header.len(), String::new());
        table.rows.push(row);
    }
    table.notes.push(
        "`mean_over_n3` and `mean_over_sites_n` are the mean and its interval divided by n³, and by n times the number of sites that an update draws from: \
         2 (n − 1)(2n − 1) pairs of adjacent cells, or n² cells. A single power of n is fitted from the least n on from which its lack of fit is not significant \
         (χ² test, p ≥ 0.05, at least four n)."
            .to_owned(),
    );
    table.note_sentences(words);
    table
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
