//! Mean residual life: whether starting over helps.

use crate::analysis::mean::{Estimate, Interval};
use crate::analysis::restart;
use crate::analysis::run_length::RunLength;
use crate::report::canvas;
use crate::report::legend::{Entry, Sample, Words, sentences};
use crate::report::number::{six_digits, six_digits_whole};
use crate::report::panel::{Frame, Mark, Panel, Weight};
use crate::report::point_table::{KeyColumns, LOWER_BOUND, estimate_cells};
use crate::report::run_lengths::{Drawn, RunLengthPoints};
use crate::report::scale::Scale;
use crate::report::style::{AXIS_ROOM, FOOT_ROOM, MARGIN, THEORY, THIN_WIDTH, WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::point::KEY_AXES;

/// The mean time still to come after a time without success, both in units of the mean: above 1,
/// starting over then would help.
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
        let drawn: Vec<Drawn> = points
            .drawn()
            .into_iter()
            .filter(|point| !point.run_length.residual_life.is_empty())
            .collect();
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
        Ok(Drawing {
            svg: paint(input.title, &caption, &drawn),
            table: table(&points),
            caption,
        })
    }
}

/// One line per mark, those of points that are not drawn included.
fn table(points: &RunLengthPoints) -> Table {
    let mut notes = vec![
        "`residual_life`: the mean of T − `time_spent` over the `trials_left`, those with T > `time_spent`, in updates; at the start and at the times by which 10, 20, …, 90 and 95 % of the `trials` have \
         ended, while five or more are to end. Brackets hold 95 % intervals: the t interval of the logarithm."
            .to_owned(),
        "`in_means`: `residual_life` / `unit`, the interval that of `residual_life`; `unit` is the mean absorption time. The formulas are in docs/methods.md.".to_owned(),
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
    notes.extend(points.notes_on_points());
    let key = KeyColumns::of(
        &KEY_AXES,
        points.all().iter().map(|point| &point.summary.point),
    );
    let lines = |point: &RunLength| -> Vec<Vec<String>> {
        let lives = point.residual_life.iter();
        lives.map(|life| row(&key, point, life)).collect()
    };
    let rows = points.all().iter().flat_map(lines).collect();
    Table {
        header: header(&key),
        rows,
        notes,
    }
}

fn header(key: &KeyColumns) -> Vec<String> {
    let fixed = ["trials", "censored", "cutoff", "residual_life_is", "method"];
    let measured = [
        "time_spent",
        "trials_left",
        "residual_life",
        "residual_life_low",
        "residual_life_high",
    ];
    let scaled = ["unit", "in_means", "in_means_low", "in_means_high"];
    let names = fixed.into_iter().chain(measured).chain(scaled);
    let mut header = key.header();
    header.extend(names.map(str::to_owned));
    header
}

fn row(key: &KeyColumns, point: &RunLength, life: &restart::ResidualLife) -> Vec<String> {
    let (summary, time) = (&point.summary, point.time());
    let mut cells = key.cells(&summary.point);
    cells.extend([summary.trials, time.censored, summary.cutoff].map(|count| count.to_string()));
    cells.extend(
        [
            if time.is_lower_bound() {
                LOWER_BOUND
            } else {
                "mean"
            },
            "t of ln",
        ]
        .map(str::to_owned),
    );
    cells.extend([six_digits_whole(life.time), life.mean.trials.to_string()]);
    let Interval { low, high } = life.mean.interval();
    let scaled = |unit: f64| Estimate {
        value: life.mean.value / unit,
        interval: Interval {
            low: low / unit,
            high: high / unit,
        },
    };
    cells.extend(estimate_cells(Some(scaled(1.0))));
    cells.push(six_digits(point.scale));
    cells.extend(estimate_cells(Some(scaled(point.scale))));
    cells
}

/// In units of the mean; of a point with trials cut off, lower bounds.
fn marks(point: &Drawn) -> Vec<Mark> {
    let scale = point.run_length.scale;
    let mark = |life: &restart::ResidualLife| {
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
    let mut entries: Vec<Entry> = drawn
        .iter()
        .map(|point| Entry {
            sample: Sample::Curve(point.style),
            text: point.in_words(),
        })
        .collect();
    entries.push(Entry {
        sample: Sample::Dashed(THEORY),
        text: "dashed: the mean from the start; above it, starting over helps".to_owned(),
    });
    entries.push(Entry {
        sample: Sample::ErrorBar,
        text: "95 % interval of the mean residual life".to_owned(),
    });
    if drawn
        .iter()
        .any(|point| point.run_length.time().is_lower_bound())
    {
        let text =
            "lower bound: some trials were cut off, the true residual life is longer; the unit is the mean with restarts there".to_owned();
        entries.push(Entry {
            sample: Sample::LowerBound,
            text,
        });
    }
    entries
}

fn paint(title: &str, caption: &str, drawn: &[Drawn]) -> String {
    let words = Words::new(title, legend(drawn));
    let frame = Frame {
        left: MARGIN + AXIS_ROOM,
        right: WIDTH - MARGIN,
        top: words.head(),
        bottom: words.head() + HEIGHT,
    };
    let legend_top = frame.bottom + FOOT_ROOM;
    let curves: Vec<Vec<Mark>> = drawn.iter().map(marks).collect();
    let longest = curves
        .iter()
        .flatten()
        .map(|mark| mark.x)
        .fold(1.0, f64::max)
        .ceil() as u32;
    canvas::draw(legend_top + words.foot(), title, caption, |canvas| {
        let heights = curves
            .iter()
            .flatten()
            .flat_map(|mark| [mark.low, mark.y, mark.high])
            .chain([0.5, 1.0, 2.0]);
        let Some(y) = Scale::logarithmic(heights, frame.upwards()) else {
            return;
        };
        // Room for the arrows above.
        let panel = Panel {
            canvas,
            frame,
            x: Scale::integers(0, longest, frame.across()),
            y: y.with_room(0.0, 0.08),
        };
        panel.draw_grid();
        let level = panel.y.pixel(1.0);
        panel.canvas.dashed_line(
            (frame.left, level),
            (frame.right, level),
            THEORY,
            THIN_WIDTH,
        );
        for (point, marks) in drawn.iter().zip(&curves) {
            panel.draw_curve(marks, point.style, Weight::Full);
        }
        panel.draw_frame();
        panel.draw_x_axis(Some("time spent / mean time"));
        panel.draw_y_axis("mean time still to come / mean time");
        words.draw(canvas, legend_top);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, pair_key, trials};

    fn columns(cutoff: u64, names: [&str; 4]) -> Vec<[String; 4]> {
        let law = Law {
            key: pair_key(8, 0.01),
            mean: 1e6,
            settling: 1.25,
            updates_per_move: 370.0,
            cutoff,
        };
        let table = table(&RunLengthPoints::of(&[trials(
            &mut Draws::new(3),
            &law,
            100,
        )]));
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

    /// What is drawn stands in the table: of 100 exponential times 100, 90, … 10 and 5 are left,
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
