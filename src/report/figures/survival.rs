//! Whether times are exponential: run-length distributions, and the mean residual life.

use crate::analysis::mean::Estimate;
use crate::analysis::residual_life::ResidualLife;
use crate::analysis::run_length::{RunLength, run_lengths};
use crate::analysis::survival::SurvivalCurve;
use crate::report::chart::in_interval;
use crate::report::foresight::Foreseen;
use crate::report::frame::{Frame, mean_is};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::six_digits_whole;
use crate::report::panel::{Mark, Weight};
use crate::report::scale::Span;
use crate::report::series::describe;
use crate::report::sheet::{Plot, Sheet};
use crate::report::staircase::{Staircase, is_clipped, least_share, shares};
use crate::report::style::{SeriesStyle, THEORY, THIN_WIDTH};
use crate::report::{Corners, Drawing, Figure, Input, NothingToDraw, corners};
use crate::solver::point::KEY_AXES;

/// Times of each point in units of their mean.
pub struct Survival {
    kind: &'static str,
    doc: &'static str,
    title: &'static str,
    lead: &'static str,
    nothing: &'static str,
    /// The mean time still to come after a time without success, in place of the share of trials
    /// that are still running.
    is_residual: bool,
}

/// On a logarithmic axis, so that an exponential law is the dashed line.
pub const RUN_LENGTH: Survival = Survival {
    kind: "run-length",
    doc: "share of trials still running against time, with bands: straight lines are exponential",
    title: "Share of trials still running against time",
    lead: "Share of trials not yet absorbed (Kaplan–Meier) against time in units of each point's exponential mean, logarithmic, with pointwise 95 % bands (log-log); dashed: the exponential law; \
           a line that ends open was cut off there",
    nothing: "no trial was absorbed after an update",
    is_residual: false,
};

/// Above 1, starting over then would help.
pub const RESIDUAL_LIFE: Survival = Survival {
    kind: "residual-life",
    doc: "mean time still to come against time spent: above the mean, restarts help",
    title: "Mean time still to come against time spent",
    lead: "Mean residual life against time spent, both in units of each point's mean, bars: 95 % intervals; at exponential times it stays 1; where it exceeds 1 (dashed), starting over after that time helps",
    nothing: "no point has five trials that were absorbed after an update",
    is_residual: true,
};

/// The bands of more curves could not be told apart.
const MOST_CURVES: usize = 6;
/// Units of the mean on the time axis; an exponential time is longer with probability 0.0009.
const MOST_MEANS: u32 = 7;

impl Figure for Survival {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn doc(&self) -> &'static str {
        self.doc
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let least = if self.is_residual { 5 } else { 1 };
        let mut points = plan.points.iter();
        let is_there = points.any(|it| it.point.goal.is_none() && it.trials >= least);
        self.needs(is_there, self.nothing)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let all = run_lengths(input.trials);
        let drawn = self.drawn(&all);
        if drawn.is_empty() {
            return Err(self.nothing(self.nothing));
        }
        let (frame, plot) = if self.is_residual {
            (residual_lives(&all), residual_plot(&drawn))
        } else {
            (exponentiality(&all), Some(survival_plot(&drawn)))
        };
        let findings: Vec<String> = drawn.iter().map(|it| in_words(it.point)).collect();
        let sheet = Sheet {
            title: self.title.to_owned(),
            caption: self.lead.to_owned(),
            left_out: self.left_out(input, &all, &drawn),
            parts: Plot::stack(plot.into_iter().collect()),
            legend: legend(&drawn),
            table: frame.table(),
            findings,
        };
        let drawing = sheet.draw(input);
        let corners = (!self.is_residual).then(|| corners(drawn));
        Ok(Drawing {
            curves: corners,
            ..drawing
        })
    }
}

/// A point that is drawn.
struct Curve<'a> {
    point: &'a RunLength,
    /// Of its first line in the table of residual lives.
    row: usize,
    style: SeriesStyle,
    survival: SurvivalCurve,
}

impl Survival {
    /// Of too many points those at even steps in the order of their Weibull shape, the least and
    /// the greatest included, and in place of one in the middle the point with the most trials cut
    /// off, if any were.
    fn drawn<'a>(&self, all: &'a [RunLength]) -> Vec<Curve<'a>> {
        let has_life = |it: &&RunLength| !it.residual_life.is_empty();
        let mut order: Vec<&RunLength> = all
            .iter()
            .filter(|it| !self.is_residual || has_life(it))
            .collect();
        if order.len() > MOST_CURVES {
            let shape = |point: &RunLength| point.shape.map_or(f64::INFINITY, |shape| shape.value);
            order.sort_by(|a, b| shape(a).total_cmp(&shape(b)));
            let censored = order.iter().filter(|it| it.time().censored > 0);
            let most_censored = censored.filter(|it| has_life(it));
            let most_censored = most_censored.copied().max_by_key(|it| it.time().censored);
            let last = order.len() - 1;
            let steps = 0..MOST_CURVES;
            order = steps
                .map(|it| order[it * last / (MOST_CURVES - 1)])
                .collect();
            let is_missing = |it: &&RunLength| order.iter().all(|drawn| !std::ptr::eq(*drawn, *it));
            if let Some(point) = most_censored.filter(is_missing) {
                order[MOST_CURVES / 2] = point;
            }
        }
        let curve = |(index, point): (usize, &'a RunLength)| {
            let before = all.iter().take_while(|it| !std::ptr::eq(*it, point));
            Curve {
                row: before.map(|it| it.residual_life.len()).sum(),
                style: SeriesStyle::of(index),
                survival: point.survival(),
                point,
            }
        };
        order.into_iter().enumerate().map(curve).collect()
    }

    fn left_out(&self, input: &Input, all: &[RunLength], drawn: &[Curve]) -> LeftOut {
        let known = |trials: &&crate::results::PointTrials| {
            all.iter().any(|it| it.summary.point == trials.point)
        };
        let unknown = input.trials.iter().filter(|it| !known(it));
        let is_drawn = |it: &&RunLength| drawn.iter().any(|drawn| std::ptr::eq(drawn.point, *it));
        let others = all.iter().filter(|it| !is_drawn(it));
        let (few, many): (Vec<_>, Vec<_>) =
            others.partition(|it| self.is_residual && it.residual_life.is_empty());
        let key = |it: &'_ &RunLength| it.summary.point.clone();
        let [few, many] = [few, many].map(|it| it.iter().map(key).collect::<Vec<_>>());
        let of_many = format!(
            "{} curves are drawn, chosen by Weibull shape and censoring; in the table",
            drawn.len()
        );
        let clipped = (!self.is_residual).then(|| clipped(drawn)).flatten();
        LeftOut::but(drawn.iter().map(|it| &it.point.summary.point))
            .because(
                unknown.map(|it| &it.point),
                "no trial ended after an update",
            )
            .because(&few, "fewer than five trials were absorbed")
            .because(&many, &of_many)
            .saying(clipped)
    }
}

impl Curve<'_> {
    fn label(&self) -> String {
        describe(&self.point.summary.point)
    }

    fn is_lower_bound(&self) -> bool {
        self.point.time().is_lower_bound()
    }

    fn is_clipped(&self) -> bool {
        let end = f64::from(MOST_MEANS) + 0.5;
        is_clipped(&self.survival, self.point.scale, end)
    }

    /// Residual lives in units of the mean; of a point with trials cut off, lower bounds.
    fn marks(&self) -> Vec<Mark> {
        let scale = self.point.scale;
        let mark = |(life, row): (&ResidualLife, usize)| {
            let life_in_means = scaled(life, scale);
            Mark {
                is_lower_bound: self.is_lower_bound(),
                row: Some(row),
                ..Mark::with_interval(
                    life.time as f64 / scale,
                    life_in_means.value,
                    life_in_means.interval,
                )
            }
        };
        let lives = self.point.residual_life.iter().zip(self.row..);
        lives.map(mark).collect()
    }
}

fn scaled(life: &ResidualLife, unit: f64) -> Estimate {
    life.mean.estimate().in_units(unit)
}

/// How far from exponential a point's times are.
fn in_words(point: &RunLength) -> String {
    let shape = point.shape.map(|it| {
        let [value, low, high] = in_interval(it);
        format!("Weibull shape {value} ({low} to {high})")
    });
    let (label, said) = (describe(&point.summary.point), shape.unwrap_or_default());
    format!("{label}: {said}")
}

/// One line per point, drawn or not.
fn exponentiality(all: &[RunLength]) -> Frame {
    let all: Vec<&RunLength> = all.iter().collect();
    let mut frame = Frame::of(&all, &KEY_AXES)
        .measured(|it| (&it.summary, it.time()))
        .estimate("mean", |it| it.time().estimate())
        .estimate("ert", |it| it.time().expected_run_length)
        .estimate("variation", |it| it.time().variation)
        .estimate("weibull_shape", |it| it.shape)
        .note(
            "Absorption times in updates; brackets hold 95 % intervals: of the mean and of `variation` (standard deviation / mean) by `method`, of `weibull_shape` from the likelihood. Both are 1 \
             for exponential times. The formulas are in docs/statistics.md.",
        )
        .frame;
    if all.iter().any(|point| point.time().is_lower_bound()) {
        frame = frame.noted(
            "`lower bound`: `censored` trials were cut off at `cutoff`; the mean is the restricted mean, over min(time, cutoff). `ert`: mean updates until success with independent \
             restarts at `cutoff`.",
        );
    }
    frame
}

/// One line per mark, those of points that are not drawn included.
fn residual_lives(all: &[RunLength]) -> Frame {
    let lines = all.iter();
    let lines = lines.flat_map(|point| point.residual_life.iter().map(move |life| (point, life)));
    let lines: Vec<(&RunLength, &ResidualLife)> = lines.collect();
    let mut frame = Frame::of(&lines, &KEY_AXES)
        .column("trials", |(it, _)| it.summary.trials)
        .column("censored", |(it, _)| it.time().censored)
        .column("cutoff", |(it, _)| it.summary.cutoff)
        .column("residual_life_is", |(it, _)| {
            mean_is(it.time().is_lower_bound())
        })
        .column("method", |_| "t of ln")
        .column("time_spent", |(_, life)| six_digits_whole(life.time))
        .column("trials_left", |(_, life)| life.mean.trials)
        .estimate("residual_life", |(_, life)| scaled(life, 1.0))
        .column("unit", |(it, _)| it.scale)
        .estimate("in_means", |(it, life)| scaled(life, it.scale))
        .note(
            "`residual_life`: the mean of T − `time_spent` over the `trials_left`, those with T > `time_spent`, in updates; at the start and at the times by which 10, 20, …, 90 and 95 % of the `trials` have \
             ended, while five or more are to end. Brackets hold 95 % intervals: the t interval of the logarithm.",
        )
        .note("`in_means`: `residual_life` / `unit`, the interval that of `residual_life`; `unit` is the mean absorption time. The formulas are in docs/statistics.md.")
        .frame;
    if all.iter().any(|point| point.time().is_lower_bound()) {
        frame = frame.noted(
            "`lower bound`: `censored` trials were cut off at `cutoff` and count with min(T, cutoff) − `time_spent`; the true residual life is longer. `unit` is there the mean time with independent \
             restarts at `cutoff` (ERT).",
        );
    }
    frame
}

fn corners(drawn: Vec<Curve>) -> Corners {
    let keys: Vec<&RunLength> = drawn.iter().map(|it| it.point).collect();
    let key = Frame::of(&keys, &KEY_AXES).frame.table();
    let curve = |(curve, key): (Curve, Vec<String>)| corners::Curve {
        key,
        scale: curve.point.scale,
        survival: curve.survival,
    };
    Corners {
        curves: drawn.into_iter().zip(key.rows).map(curve).collect(),
        key: key.header,
    }
}

/// Curves that go on beyond the axis.
fn clipped(drawn: &[Curve]) -> Option<String> {
    let clipped = drawn.iter().filter(|it| it.is_clipped()).count();
    let end = f64::from(MOST_MEANS) + 0.5;
    (clipped > 0).then(|| format!("clipped: {clipped} curves, at {end} means (arrow)"))
}

fn legend(drawn: &[Curve]) -> Vec<Entry> {
    let point = |it: &Curve| Entry::new(Sample::Curve(it.style), it.label());
    let mut entries: Vec<Entry> = drawn.iter().map(point).collect();
    if drawn.iter().any(Curve::is_lower_bound) {
        entries.push(Entry::new(Sample::LowerBound, "lower bound"));
    }
    entries
}

fn survival_plot<'a>(drawn: &'a [Curve]) -> Plot<'a> {
    let trials = || drawn.iter().map(|it| it.point.summary.trials);
    let across = Span::integers([0, MOST_MEANS]);
    let titles = ("time / mean time", "share of trials not yet absorbed");
    let most = trials().max().unwrap_or_default();
    Plot::new(1000, (across, shares(trials())), titles, move |panel| {
        let exponential = |means: f64| {
            let (x, y) = (&panel.x, &panel.y);
            (x.pixel(means), y.pixel_within(libm::exp(-means)))
        };
        let end = -libm::log(least_share(most));
        panel
            .canvas
            .dashed_line(exponential(0.0), exponential(end), THEORY, THIN_WIDTH);
        let staircase = |it: &Curve| Staircase::of(panel, it.style, &it.survival, it.point.scale);
        drawn.iter().for_each(|curve| staircase(curve).paint_band());
        drawn
            .iter()
            .for_each(|curve| staircase(curve).paint_curve(curve.is_lower_bound()));
    })
}

fn residual_plot<'a>(drawn: &'a [Curve]) -> Option<Plot<'a>> {
    let curves: Vec<Vec<Mark>> = drawn.iter().map(Curve::marks).collect();
    let marks = || curves.iter().flatten();
    let longest = marks().map(|mark| mark.x).fold(1.0, f64::max).ceil() as u32;
    let across = Span::integers([0, longest]);
    let up = Span::logarithmic(marks().flat_map(Mark::heights).chain([0.5, 1.0, 2.0]))?;
    let titles = (
        "time spent / mean time",
        "mean time still to come / mean time",
    );
    // Room for the arrows above.
    let spans = (across, up.with_room(0.0, 0.08));
    Some(Plot::new(900, spans, titles, move |panel| {
        panel.draw_level(1.0, THEORY);
        for (point, marks) in drawn.iter().zip(&curves) {
            panel.draw_curve(marks, point.style, Weight::Full, &point.label());
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{self, Draws, Law, trials};
    use crate::report::Table;
    use crate::report::frame::LOWER_BOUND;

    fn run_lengths_of(cutoff: u64, count: u32) -> Vec<RunLength> {
        let law = Law::of_pair_8(cutoff);
        run_lengths(&[trials(&mut Draws::new(3), &law, count)])
    }

    fn columns(table: &Table, names: [&str; 4]) -> Vec<[String; 4]> {
        let index = |name: &str| table.header.iter().position(|it| it == name);
        let cell = |row: &Vec<String>, name| row[index(name).expect("a column")].clone();
        let rows = table.rows.iter();
        rows.map(|row| names.map(|name| cell(row, name))).collect()
    }

    /// Of many curves, those from the least shape to the greatest.
    #[test]
    fn the_curves_drawn_span_the_shapes() {
        let sweeps = [synthetic::sweep_over_epsilon(), synthetic::sweep_over_n()];
        let all = run_lengths(&sweeps.concat());
        let shape = |point: &RunLength| point.shape.map_or(f64::INFINITY, |shape| shape.value);
        let mut shapes: Vec<f64> = all.iter().map(shape).collect();
        shapes.sort_by(f64::total_cmp);
        assert!(shapes.len() > MOST_CURVES);
        let drawn = RUN_LENGTH.drawn(&all);
        let ends = [drawn.first(), drawn.last()].map(|end| shape(end.expect("curves").point));
        assert_eq!(drawn.len(), MOST_CURVES);
        assert_eq!(ends, [shapes[0], shapes[shapes.len() - 1]]);
    }

    /// Of 40 trials the curve has 40 steps, from all of them at 0 down; where trials were cut off,
    /// it goes on to the cutoff.
    #[test]
    fn every_corner_of_a_curve_is_in_its_table() {
        for (cutoff, ends_at_zero) in [(u64::MAX, true), (900_000, false)] {
            let points = run_lengths_of(cutoff, 40);
            let mut bytes = Vec::new();
            corners(RUN_LENGTH.drawn(&points))
                .write_csv(&mut bytes)
                .expect("memory");
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
            let steps = points[0].survival().steps().count();
            assert_eq!(rows.len(), steps + 1 + usize::from(!ends_at_zero));
            assert_eq!(last[place] == "900000", !ends_at_zero);
        }
    }

    /// What is drawn is in the table: of 100 exponential times 100, 90, … 10 and 5 are left,
    /// and at the start the mean is its own unit.
    #[test]
    fn every_mark_has_its_line() {
        let points = run_lengths_of(u64::MAX, 100);
        let names = ["trials_left", "residual_life_is", "method", "in_means"];
        let rows = columns(&residual_lives(&points).table(), names);
        let left: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        let expected = "100 90 80 70 60 50 40 30 20 10 5";
        assert_eq!(left.join(" "), expected);
        let is_known = |row: &[String; 4]| row[1] == "mean" && row[2] == "t of ln";
        assert!(rows.iter().all(is_known) && rows[0][3] == "1.00000");
        let marks = RESIDUAL_LIFE.drawn(&points)[0].marks();
        assert_eq!(marks.len(), rows.len());
    }

    #[test]
    fn trials_cut_off_make_lower_bounds_in_units_of_the_run_length_with_restarts() {
        let names = ["residual_life_is", "residual_life", "unit", "censored"];
        let points = run_lengths_of(1_000_000, 100);
        let rows = columns(&residual_lives(&points).table(), names);
        let [life, unit, censored]: [f64; 3] =
            [1, 2, 3].map(|column: usize| rows[0][column].parse().expect("a number"));
        assert!(rows.iter().all(|row| row[0] == LOWER_BOUND) && censored > 20.0);
        // Σ min(t, c) is 100 · life, and 100 − censored trials ended; six digits are printed.
        assert!((unit / (100.0 * life / (100.0 - censored)) - 1.0).abs() < 1e-5);
    }
}
