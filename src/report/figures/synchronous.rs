//! The synchronous rule beside those that update one site at a time.

use plotters::style::RGBColor;

use crate::analysis::mean::{Estimate, Interval};
use crate::analysis::ratio::ratio;
use crate::analysis::summary::{PointSummary, Quantity};
use crate::experiment::spec::Choices;
use crate::experiment::store::Row;
use crate::report::foresight::{Foreseen, differ_along, with_epsilon};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample, mean_entries};
use crate::report::number::short;
use crate::report::panel::{Mark, Weight};
use crate::report::point_table::{KeyColumns, LOWER_BOUND, estimate_cells};
use crate::report::scale::Span;
use crate::report::series::{Grouped, Series, Swept, describe, in_words};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::{SeriesStyle, THEORY};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::results::PointTrials;
use crate::solver::point::KEY_AXES;

/// Mean absorption time in updates against ε, a panel for each n; below, the share of the moving
/// steps in which queens that attacked each other moved at once.
pub struct SynchronousSteps;

impl Figure for SynchronousSteps {
    fn kind(&self) -> &'static str {
        "synchronous"
    }

    fn doc(&self) -> &'static str {
        "synchronous rule: mean time in updates (n² a step) against ε beside the other rules, and joint moves"
    }

    fn takes_steps(&self, _: &Choices) -> bool {
        true
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let points = plan.trials().filter(|point| point.algorithm == NAME);
        let differ = differ_along(with_epsilon(points), "epsilon", &["epsilon"]);
        self.needs(differ, NO_CURVE)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let grouped = Grouped::of(input.trials, Swept::Epsilon);
        let curves = curves(&grouped, input.trials);
        if !curves.iter().any(Curve::is_synchronous) {
            return Err(self.nothing(NO_CURVE));
        }
        let largest = curves.iter().map(|curve| curve.n).max();
        let of_largest = curves.iter().filter(|curve| Some(curve.n) == largest);
        let words: Vec<String> = of_largest.filter_map(Curve::in_words).collect();
        let labels: Vec<String> = sides(&curves).iter().map(|n| format!("n = {n}")).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(
                curves
                    .iter()
                    .flat_map(|curve| &curve.series.points)
                    .map(|it| &it.point),
            )
            .with_reasons(&grouped.left_out),
            caption: sentences([
                "Mean absorption time in updates against ε, with 95 % intervals; a step of the synchronous rule counts as n² updates, one for each cell. Below: the share of \
                 the moving steps in which queens left two different cells from which they attacked each other",
                &words.join(". "),
            ]),
            parts: Plot::stack(plots(&curves, &labels)),
            legend: legend(&curves),
            table: table(&curves, &words),
        };
        Ok(sheet.draw(input))
    }
}

/// Why there is nothing to draw.
const NO_CURVE: &str = "no two points of the synchronous rule differ in ε > 0 alone";

/// A rule at one n, along ε.
struct Curve<'a> {
    series: &'a Series,
    n: u64,
    style: SeriesStyle,
    /// Updates that its unit of time counts for.
    unit: f64,
    /// At each point: joint moves among the moving steps; empty where they are not counted.
    joint: Vec<Option<Estimate>>,
}

const NAME: &str = "synchronous";
const HEIGHT: i32 = 420;
const SHARE_HEIGHT: i32 = 460;
/// Axes that a style says nothing of.
const APART: [&str; 2] = ["n", "epsilon"];

/// Those on boards on which there is a synchronous rule, by n.
fn curves<'a>(grouped: &'a Grouped, trials: &[PointTrials]) -> Vec<Curve<'a>> {
    let key = |series: &'a Series| &series.points[0].point;
    let all = || {
        grouped
            .series
            .iter()
            .filter(|series| key(series).integer("n").is_some())
    };
    let is_wanted = |n: Option<u64>| {
        all().any(|series| key(series).algorithm == NAME && key(series).integer("n") == n)
    };
    let mut names: Vec<String> = all().map(|series| in_words(key(series), &APART)).collect();
    names.sort();
    names.dedup();
    let curve = |series: &'a Series| {
        let (point, name) = (key(series), in_words(key(series), &APART));
        let n = point.integer("n").filter(|&n| is_wanted(Some(n)))?;
        let is_synchronous = point.algorithm == NAME;
        Some(Curve {
            series,
            n,
            style: SeriesStyle::of(names.iter().position(|known| *known == name)?),
            unit: if is_synchronous { (n * n) as f64 } else { 1.0 },
            joint: series
                .points
                .iter()
                .map(|point| joint(point, trials))
                .collect(),
        })
    };
    let mut curves: Vec<Curve> = all().filter_map(curve).collect();
    curves.sort_by_key(|curve| curve.n);
    curves
}

fn joint(point: &PointSummary, trials: &[PointTrials]) -> Option<Estimate> {
    let trials = trials.iter().find(|trials| trials.point == point.point)?;
    let counts = |row: Row| Some([row.outcome.joint_moves?, row.outcome.moving_steps?]);
    let pairs = |row| counts(row).map(|[joint, moving]| (joint as f64, moving as f64));
    ratio(
        &trials
            .rows
            .without_boards()
            .map(pairs)
            .collect::<Option<Vec<_>>>()?,
    )
}

/// The sides of the boards, each once.
fn sides(curves: &[Curve]) -> Vec<u64> {
    let mut sides: Vec<u64> = curves.iter().map(|curve| curve.n).collect();
    sides.dedup();
    sides
}

impl Curve<'_> {
    fn is_synchronous(&self) -> bool {
        self.series.points[0].point.algorithm == NAME
    }

    fn name(&self) -> String {
        in_words(&self.series.points[0].point, &APART)
    }

    /// Mean times in updates.
    fn times(&self) -> Vec<Mark> {
        let scaled = |mark: Mark| Mark {
            y: mark.y * self.unit,
            low: mark.low * self.unit,
            high: mark.high * self.unit,
            ..mark
        };
        let marks = self.series.marks(Quantity::AbsorptionTime);
        marks.into_iter().map(scaled).collect()
    }

    fn shares(&self) -> Vec<Mark> {
        let points = self.series.points.iter().zip(&self.joint);
        let mark = |(point, share): (&PointSummary, &Option<Estimate>)| {
            let Estimate { value, interval } = (*share)?;
            Some(Mark::with_interval(self.series.x(point), value, interval))
        };
        points.filter_map(mark).collect()
    }

    /// The share at the greatest ε.
    fn in_words(&self) -> Option<String> {
        let point = self.series.points.last()?;
        let Estimate { value, interval } = (*self.joint.last()?)?;
        let Interval { low, high } = interval;
        Some(format!(
            "{}: joint moves in {} of the moving steps ({} to {})",
            describe(&point.point),
            short(value, 3),
            short(low, 3),
            short(high, 3)
        ))
    }
}

fn plots<'a>(curves: &'a [Curve], labels: &'a [String]) -> Vec<Plot<'a>> {
    let x_title = "ε, probability of a dangerous move";
    let across = Span::logarithmic(curves.iter().flat_map(|curve| {
        let points = curve.series.points.iter();
        points.map(|point| curve.series.x(point))
    }));
    let times = |(n, label): (u64, &'a String)| {
        let own: Vec<&Curve> = curves.iter().filter(|curve| curve.n == n).collect();
        let marks: Vec<(SeriesStyle, Vec<Mark>)> = own
            .iter()
            .map(|curve| (curve.style, curve.times()))
            .collect();
        let heights = marks
            .iter()
            .flat_map(|(_, marks)| marks)
            .flat_map(Mark::heights);
        let up = Span::logarithmic(heights)?.with_room(0.0, 0.08);
        let titles = (x_title, "mean updates");
        let plot = Plot::new(HEIGHT, (across?, up), titles, move |panel| {
            for (style, marks) in &marks {
                panel.draw_curve(marks, *style, Weight::Full);
            }
        });
        Some(plot.labelled(label))
    };
    let sides = sides(curves);
    let mut plots: Vec<Plot> = sides
        .iter()
        .copied()
        .zip(labels)
        .filter_map(times)
        .collect();
    plots.extend(share_plot(curves, across, x_title));
    plots
}

/// `None` where no curve has joint moves.
fn share_plot<'a>(curves: &'a [Curve], across: Option<Span>, x_title: &'a str) -> Option<Plot<'a>> {
    let sides = sides(curves);
    let marks = |curve: &Curve| {
        let place = sides.iter().position(|&n| n == curve.n).unwrap_or_default();
        let style = of_side(place, curve.style.colour);
        (
            style,
            curve.shares(),
            format!("{}, n = {}", curve.name(), curve.n),
        )
    };
    let marks: Vec<(SeriesStyle, Vec<Mark>, String)> = curves.iter().map(marks).collect();
    let heights = marks
        .iter()
        .flat_map(|(_, marks, _)| marks)
        .map(|mark| mark.high);
    let highest = heights.fold(0.0, f64::max);
    let titles = (x_title, "joint / moving steps");
    let spans = (across?, Span::from_zero([highest]));
    (highest > 0.0).then(|| {
        let plot = Plot::new(SHARE_HEIGHT, spans, titles, move |panel| {
            for (style, marks, name) in marks.iter().filter(|it| !it.1.is_empty()) {
                panel.draw_named(marks, *style, name);
            }
        });
        plot.labelled("share of the moving steps with joint moves; shapes and dashes: n")
    })
}

/// How a curve of the board at this place is drawn, where colours are rules.
fn of_side(place: usize, colour: RGBColor) -> SeriesStyle {
    SeriesStyle {
        colour,
        ..SeriesStyle::of(place)
    }
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for curve in curves {
        let name = curve.name();
        let text = if curve.is_synchronous() {
            format!("{name}, n² updates a step")
        } else {
            name
        };
        let entry = Entry::new(Sample::Curve(curve.style), text);
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let shapes = sides(curves).into_iter().enumerate().map(|(place, n)| {
        Entry::new(
            Sample::Curve(of_side(place, THEORY)),
            format!("in the lowest panel: n = {n}"),
        )
    });
    entries.extend(shapes);
    let has_bounds = curves
        .iter()
        .any(|curve| curve.times().iter().any(|mark| mark.is_lower_bound));
    entries.extend(mean_entries(has_bounds));
    entries
}

fn table(curves: &[Curve], words: &[String]) -> Table {
    let points = curves.iter().flat_map(|curve| &curve.series.points);
    let key = KeyColumns::of(&KEY_AXES, points.map(|point| &point.point));
    let mut header = key.header();
    let columns = [
        "trials",
        "censored",
        "cutoff",
        "mean_is",
        "updates_per_step",
        "time",
        "time_low",
        "time_high",
        "updates",
        "updates_low",
        "updates_high",
        "moves",
        "moves_low",
        "moves_high",
        "joint_share",
        "joint_share_low",
        "joint_share_high",
    ];
    header.extend(columns.map(str::to_owned));
    let rows = curves.iter().flat_map(|curve| {
        let points = curve.series.points.iter().zip(&curve.joint);
        points.filter_map(|(point, share)| row(&key, curve, point, *share))
    });
    let mut table = Table {
        header,
        rows: rows.collect(),
        notes: vec![
            "`time` is the mean absorption time in steps under the synchronous rule, in updates under the others; `updates` = `time` · `updates_per_step` (n² or 1). \
             `joint_share`: `joint_moves` / `moving_steps`, both summed over the trials. Brackets hold 95 % intervals; the formulas are in docs/statistics.md."
                .to_owned(),
        ],
    };
    if table
        .rows
        .iter()
        .any(|row| row.iter().any(|cell| cell == LOWER_BOUND))
    {
        let note =
            "`lower bound`: `censored` trials were cut off at `cutoff`; the true mean is larger";
        table.note_sentences(&[note.to_owned()]);
    }
    table.note_sentences(words);
    table
}

fn row(
    key: &KeyColumns,
    curve: &Curve,
    point: &PointSummary,
    share: Option<Estimate>,
) -> Option<Vec<String>> {
    let time = point.quantity(Quantity::AbsorptionTime)?;
    let in_unit = |unit: f64| Estimate {
        value: time.mean.value * unit,
        interval: time.interval.map(|time| time * unit),
    };
    let moves = point.quantity(Quantity::Moves).map(|moves| Estimate {
        value: moves.mean.value,
        interval: moves.interval,
    });
    let mean_is = if time.is_lower_bound() {
        LOWER_BOUND
    } else {
        "mean"
    };
    let mut cells = key.cells(&point.point);
    cells.extend([point.trials, time.censored, point.cutoff].map(|count| count.to_string()));
    cells.extend([mean_is.to_owned(), curve.unit.to_string()]);
    let estimates = [Some(in_unit(1.0)), Some(in_unit(curve.unit)), moves, share];
    cells.extend(estimates.into_iter().flat_map(estimate_cells));
    Some(cells)
}
