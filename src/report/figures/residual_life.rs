//! Mean residual life: whether starting over helps.

use crate::analysis::mean::Estimate;
use crate::analysis::restart;
use crate::analysis::run_length::RunLength;
use crate::report::foresight::Foreseen;
use crate::report::frame::{Frame, mean_is};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::six_digits_whole;
use crate::report::panel::{Mark, Weight};
use crate::report::run_lengths::{Drawn, NOT_DRAWN, RunLengthPoints};
use crate::report::scale::Span;
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::THEORY;
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::point::KEY_AXES;

/// The mean time still to come after a time without success, both in units of the mean: above 1,
/// starting over then would help.
pub struct ResidualLife;

/// Why there is nothing to draw.
const NO_POINT: &str = "no point has five trials that were absorbed after an update";
const HEIGHT: i32 = 900;

impl Figure for ResidualLife {
    fn kind(&self) -> &'static str {
        "residual-life"
    }

    fn doc(&self) -> &'static str {
        "mean time still to come against time spent: above the mean, restarts help"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let mut points = plan.points.iter();
        let has_five = points.any(|it| it.point.goal.is_none() && it.trials >= 5);
        self.needs(has_five, NO_POINT)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let points = RunLengthPoints::of(input.trials);
        let drawn: Vec<Drawn> = points
            .drawn()
            .into_iter()
            .filter(|point| !point.run_length.residual_life.is_empty())
            .collect();
        if drawn.is_empty() {
            return Err(self.nothing(NO_POINT));
        }
        let words: Vec<String> = drawn.iter().map(Drawn::in_words).collect();
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(drawn.iter().map(|point| &point.run_length.summary.point))
                .with_reasons(points.left_out())
                .because(points.not_drawn(&drawn), NOT_DRAWN),
            caption: sentences([
                "Mean residual life against time spent, both in units of each point's mean, with 95 % intervals: at exponential times it stays 1; where it exceeds 1, starting over after that time helps",
                &words.join(". "),
            ]),
            parts: Plot::stack(plot(&points, &drawn).into_iter().collect()),
            legend: legend(&drawn),
            table: table(&points, &drawn),
        };
        Ok(sheet.draw(input))
    }
}

/// One row per mark, those of points that are not drawn included.
fn table(points: &RunLengthPoints, drawn: &[Drawn]) -> Table {
    let mut notes = vec![
        "`residual_life`: the mean of T − `time_spent` over the `trials_left`, those with T > `time_spent`, in updates; at the start and at the times by which 10, 20, …, 90 and 95 % of the `trials` have \
         ended, while five or more are to end. Brackets hold 95 % intervals: the t interval of the logarithm."
            .to_owned(),
        "`in_means`: `residual_life` / `unit`, the interval that of `residual_life`; `unit` is the mean absorption time. The formulas are in docs/statistics.md.".to_owned(),
    ];
    if points
        .all()
        .iter()
        .any(|point| point.time().is_lower_bound())
    {
        notes.push(
            "`lower bound`: `censored` trials were cut off at `cutoff` and count with min(T, cutoff) − `time_spent`; the true residual life is longer. `unit` is there the mean time with independent \
             restarts at `cutoff` (ERT)."
                .to_owned(),
        );
    }
    notes.extend(points.notes_on_points(drawn));
    let scaled = |life: &restart::ResidualLife, unit: f64| Estimate {
        value: life.mean.value / unit,
        interval: life.mean.interval().map(|end| end / unit),
    };
    let lines = points.all().iter();
    let lines = lines.flat_map(|point| point.residual_life.iter().map(move |life| (point, life)));
    let lines: Vec<(&RunLength, &restart::ResidualLife)> = lines.collect();
    let columns = Frame::of(&lines, &KEY_AXES)
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
        .estimate("in_means", |(it, life)| scaled(life, it.scale));
    Table {
        notes,
        ..columns.frame.table()
    }
}

/// In units of the mean; of a point with trials cut off, lower bounds.
fn marks(points: &RunLengthPoints, point: &Drawn) -> Vec<Mark> {
    let before = points.all().iter();
    let before = before.take_while(|it| !std::ptr::eq(*it, point.run_length));
    let first: usize = before.map(|it| it.residual_life.len()).sum();
    let scale = point.run_length.scale;
    let mark = |(row, life): (usize, &restart::ResidualLife)| {
        let interval = life.mean.interval().map(|end| end / scale);
        Mark {
            is_lower_bound: point.is_lower_bound(),
            row: Some(first + row),
            ..Mark::with_interval(life.time as f64 / scale, life.mean.value / scale, interval)
        }
    };
    let lives = point.run_length.residual_life.iter().enumerate();
    lives.map(mark).collect()
}

fn legend(drawn: &[Drawn]) -> Vec<Entry> {
    let point = |point: &Drawn| Entry::new(Sample::Curve(point.style), point.label());
    let mut entries: Vec<Entry> = drawn.iter().map(point).collect();
    entries.push(Entry::new(
        Sample::Dashed(THEORY),
        "dashed: above it, starting over helps",
    ));
    entries.push(Entry::new(Sample::ErrorBar, "95 % interval"));
    if drawn.iter().any(Drawn::is_lower_bound) {
        entries.push(Entry::new(
            Sample::LowerBound,
            "lower bound: trials were cut off",
        ));
    }
    entries
}

fn plot<'a>(points: &RunLengthPoints, drawn: &'a [Drawn]) -> Option<Plot<'a>> {
    let curves: Vec<Vec<Mark>> = drawn.iter().map(|it| marks(points, it)).collect();
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
    Some(Plot::new(HEIGHT, spans, titles, move |panel| {
        panel.draw_level(1.0, THEORY);
        for (point, marks) in drawn.iter().zip(&curves) {
            panel.draw_curve(marks, point.style, Weight::Full, &point.label());
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, pair_key, trials};
    use crate::report::frame::LOWER_BOUND;

    fn columns(cutoff: u64, names: [&str; 4]) -> Vec<[String; 4]> {
        let law = Law {
            key: pair_key(8, 0.01),
            mean: 1e6,
            settling: 1.25,
            updates_per_move: 370.0,
            cutoff,
        };
        let points = RunLengthPoints::of(&[trials(&mut Draws::new(3), &law, 100)]);
        let table = table(&points, &points.drawn());
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        let index = |name: &str| {
            table
                .header
                .iter()
                .position(|column| column == name)
                .expect("a column of the table")
        };
        table
            .rows
            .iter()
            .map(|row| names.map(|name| row[index(name)].clone()))
            .collect()
    }

    /// What is drawn is in the table: of 100 exponential times 100, 90, … 10 and 5 are left,
    /// and at the start the mean is its own unit.
    #[test]
    fn every_mark_has_its_line() {
        let rows = columns(
            u64::MAX,
            ["trials_left", "residual_life_is", "method", "in_means"],
        );
        let left: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(
            left,
            [
                "100", "90", "80", "70", "60", "50", "40", "30", "20", "10", "5"
            ]
        );
        assert!(
            rows.iter()
                .all(|row| row[1] == "mean" && row[2] == "t of ln")
                && rows[0][3] == "1.00000"
        );
    }

    #[test]
    fn trials_cut_off_make_lower_bounds_in_units_of_the_run_length_with_restarts() {
        let rows = columns(
            1_000_000,
            ["residual_life_is", "residual_life", "unit", "censored"],
        );
        let [life, unit, censored]: [f64; 3] =
            [1, 2, 3].map(|column: usize| rows[0][column].parse().expect("a number"));
        assert!(rows.iter().all(|row| row[0] == LOWER_BOUND) && censored > 20.0);
        // Σ min(t, c) is 100 · life, and 100 − censored trials ended; six digits are printed.
        assert!((unit / (100.0 * life / (100.0 - censored)) - 1.0).abs() < 1e-5);
    }
}
