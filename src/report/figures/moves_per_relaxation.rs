//! How many moves take place while the signals become true once, against n.

use crate::analysis::mean::{Estimate, Mean};
use crate::analysis::ratio::ratio_of_sums;
use crate::analysis::regression::Growth;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::store::PointKey;
use crate::report::foresight::{Foreseen, differ_along};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample, mean_entries};
use crate::report::number::short;
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::{estimate_cells, fit_row, point_table};
use crate::report::scale::Span;
use crate::report::series::{Grouped, Series, Swept};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::SeriesStyle;
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::results::PointTrials;

/// Moves per update times the mean relaxation time of the same rule's signals at the same n.
pub struct MovesPerRelaxation;

impl Figure for MovesPerRelaxation {
    fn kind(&self) -> &'static str {
        "moves-per-relaxation"
    }

    fn doc(&self) -> &'static str {
        "queen moves while the signals become true once, against n, each n at an ε of its own"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let is_there = |algorithm: &str, n: Option<u64>| {
            let mut points = plan.trials();
            points.any(|it| it.algorithm == algorithm && it.integer("n") == n)
        };
        let measured = plan.trials().filter(|point| {
            let relaxation = format!("{}-relaxation", point.algorithm);
            is_there(&relaxation, point.integer("n"))
        });
        let differ = differ_along(measured, "n", &["n", "epsilon"]);
        self.needs(differ, NO_CURVE)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let grouped = Grouped::of(input.trials, Swept::NWithEpsilon);
        let curves: Vec<Curve> = grouped
            .series
            .iter()
            .filter_map(|series| Curve::of(series, input.trials))
            .enumerate()
            .map(|(index, curve)| Curve {
                style: SeriesStyle::of(index),
                ..curve
            })
            .collect();
        if curves.is_empty() {
            return Err(self.nothing(NO_CURVE));
        }
        let words: Vec<String> = curves.iter().map(Curve::in_words).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: left_out(input.trials, &curves).with_reasons(&grouped.left_out),
            caption: sentences([
                "Queen moves per update, all trials together, times the mean number of updates until every signal is true, against n, each n at the ε given in the table; \
                 bars: 95 % intervals",
                &words.join(". "),
            ]),
            table: table(&curves, &words),
            parts: Plot::stack(vec![plot(&curves)]),
            legend: legend(&curves),
        };
        Ok(sheet.draw(input))
    }
}

/// Relaxations are shown: each is the unit of a rule's point.
fn left_out(trials: &[PointTrials], curves: &[Curve]) -> LeftOut {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let is_unit = |point: &&PointKey| {
        points().any(|(it, _)| {
            point.algorithm == format!("{}-relaxation", it.point.algorithm)
                && point.integer("n") == it.point.integer("n")
        })
    };
    let units = trials.iter().map(|it| &it.point).filter(is_unit);
    LeftOut::but(points().map(|(it, _)| &it.point).chain(units))
}

/// Why there is nothing to draw.
const NO_CURVE: &str = "no two values of n with a rule and its relaxation";

struct Curve {
    label: String,
    style: SeriesStyle,
    /// In increasing order of n.
    points: Vec<(PointSummary, Mean)>,
    /// ln moves per relaxation against ln n.
    power: Option<Growth>,
}

impl Curve {
    /// `None` unless there are two values of n at which the rule's relaxation was run too.
    fn of(series: &Series, trials: &[PointTrials]) -> Option<Self> {
        let measured = |point: &PointSummary| {
            let moves = per_relaxation(&point.point, trials)?;
            Some((point.clone(), moves))
        };
        let points: Vec<(PointSummary, Mean)> = series.points.iter().filter_map(measured).collect();
        let means: Vec<(f64, Mean)> = points
            .iter()
            .map(|(point, moves)| (libm::log(side(point)), *moves))
            .collect();
        (points.len() > 1).then(|| Self {
            label: series.label(),
            style: SeriesStyle::of(0),
            points,
            power: Growth::where_it_fits(&means),
        })
    }

    fn marks(&self) -> Vec<Mark> {
        let mark = |(point, moves): &(PointSummary, Mean)| {
            Mark::with_interval(side(point), moves.value, moves.interval())
        };
        self.points.iter().map(mark).collect()
    }

    fn in_words(&self) -> String {
        let power = self.power.map_or_else(String::new, |power| {
            let Estimate { value, interval } = power.slope;
            let [value, low, high] = [value, interval.low, interval.high]
                .map(|power| format!("{power:.2}").replace('-', "−"));
            let from = libm::round(libm::exp(power.range.0));
            let fits = if power.fits() { "fits" } else { "does not fit" };
            format!(
                ": ∝ n^({value}) (95 %: {low} to {high}) {fits} from n = {from} on (p = {})",
                short(power.p_value, 2)
            )
        });
        let cut = |(point, _): &(PointSummary, Mean)| {
            let time = point.quantity(Quantity::AbsorptionTime);
            time.is_some_and(|time| time.is_lower_bound())
        };
        let cut = if self.points.iter().any(cut) {
            "; trials that were cut off count up to their cutoff"
        } else {
            ""
        };
        format!("{}{power}{cut}", self.label)
    }
}

/// Σ moves / Σ updates over the trials of a point, times the mean relaxation time; its relative
/// variance is the sum of both, that of the ratio by the delta method.
fn per_relaxation(point: &PointKey, trials: &[PointTrials]) -> Option<Mean> {
    let rows = &trials.iter().find(|trials| trials.point == *point)?.rows;
    let relaxation = trials.iter().find(|trials| {
        trials.point.algorithm == format!("{}-relaxation", point.algorithm)
            && trials.point.integer("n") == point.integer("n")
    })?;
    let relaxation = PointSummary::of(relaxation)?;
    let time = relaxation.quantity(Quantity::AbsorptionTime)?;
    if time.is_lower_bound() {
        return None;
    }
    let pairs: Vec<(f64, f64)> = rows
        .without_boards()
        .filter_map(|row| Some((row.outcome.moves? as f64, row.outcome.updates? as f64)))
        .collect();
    let rate = ratio_of_sums(&pairs)?;
    let value = rate.value * time.mean.value;
    let variance = rate.log_variance()? + time.mean.log_variance()?;
    Some(Mean {
        value,
        standard_error: value * variance.sqrt(),
        trials: rate.trials.min(time.mean.trials),
    })
}

fn side(point: &PointSummary) -> f64 {
    point.point.integer("n").unwrap_or_default() as f64
}

fn table(curves: &[Curve], words: &[String]) -> Table {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let mut table = point_table(points().map(|(point, _)| point));
    let header = table.header.clone();
    let name = "moves_per_relaxation";
    table
        .header
        .extend(["", "_low", "_high"].map(|end| format!("{name}{end}")));
    // A point has a row for each of its quantities, and this number on the first of them.
    let estimates = points().map(|(point, moves)| {
        let estimate = Estimate {
            value: moves.value,
            interval: moves.interval(),
        };
        (point.summaries().len(), estimate_cells(Some(estimate)))
    });
    let mut rows = table.rows.iter_mut();
    for (n_rows, cells) in estimates {
        let of_point = rows.by_ref().take(n_rows);
        of_point.enumerate().for_each(|(index, row)| {
            row.extend(if index == 0 {
                cells.clone()
            } else {
                Default::default()
            });
        });
    }
    for curve in curves {
        let Some(power) = curve.power else { continue };
        let key = (&curve.points[0].0.point, ["n", "epsilon"].as_slice());
        let mut row = fit_row(&header, key, "power_of_moves_per_relaxation", power.slope);
        row.resize(table.header.len(), String::new());
        table.rows.push(row);
    }
    table.notes.push(
        "`moves_per_relaxation` is Σ moves / Σ updates over the trials times the mean relaxation time of the rule's signals at the same n, which is in another set of trials; \
         its interval is that of the logarithm, with both variances. A power of n is fitted from the least n on from which its lack of fit is not significant (χ² test, \
         p ≥ 0.05, at least four n)."
            .to_owned(),
    );
    table.note_sentences(words);
    table
}

const HEIGHT: i32 = 900;

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_words());
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    entries.extend(mean_entries(false));
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
        "queen moves per relaxation of the signals",
    );
    Plot::new(HEIGHT, spans, titles, move |panel| {
        for (curve, marks) in curves.iter().zip(&drawn) {
            panel.draw_curve(marks, curve.style, Weight::Full);
        }
    })
}
