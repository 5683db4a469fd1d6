//! Waits between moves: bursts, or no more than chance?

use crate::analysis::course::waiting::{Kind, Runs, WaitingTimes as Point, Waits};
use crate::analysis::mean::Estimate;
use crate::experiment::store::PointKey;
use crate::report::bands::{self, Banded};
use crate::report::foresight::Foreseen;
use crate::report::frame::Frame;
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::{Mark, Panel};
use crate::report::scale::Span;
use crate::report::series::{describe, describe_trials};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::staircase::{least_share, shares};
use crate::report::style::{SeriesStyle, THEORY, THIN_WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::point::KEY_AXES;

/// The share of waits between successive moves that are longer than a time, one panel per point,
/// one curve per kind of moves, in units of each curve's mean: exponential waits are the dashed
/// line.
pub struct WaitingTimes;

const HEIGHT: i32 = 560;
/// More panels would not fit on a page.
const MOST_POINTS: usize = 6;
/// What the axis of time does not show.
const CLIPPED: &str = "clipped: waits longer than 10 means";
/// On the axis of time.
const MOST_MEANS: u32 = 10;

impl Figure for WaitingTimes {
    fn kind(&self) -> &'static str {
        "waiting-times"
    }

    fn doc(&self) -> &'static str {
        "waits between moves, by kind of move, against exponential ones"
    }

    fn draws_courses(&self) -> bool {
        true
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let has_moves = plan.points.iter().any(|it| it.has_moves);
        self.needs(has_moves, "no trial writes down its moves (events)")
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let points: Vec<Point> = input.courses.iter().filter_map(Point::of).collect();
        if points.is_empty() {
            return Err(self.nothing("no trial has two moves written down after the transient"));
        }
        let drawn = &points[..points.len().min(MOST_POINTS)];
        let labels: Vec<String> = drawn.iter().map(label).collect();
        let words: Vec<String> = drawn.iter().map(in_words).collect();
        let plots = drawn.iter().zip(&labels).scan(0, |rows, (point, label)| {
            let first = *rows;
            *rows += point.waits.len();
            Some(plot(point, first).labelled(label))
        });
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(drawn.iter().map(|it| &it.point))
                .because(
                    points.iter().skip(drawn.len()).map(|it| &it.point),
                    &format!("{MOST_POINTS} panels are drawn; in the table"),
                )
                .saying([CLIPPED.to_owned()]),
            caption: sentences([
                "Share of the waits between successive moves of a kind that are longer than a time, in units of their mean, with 95 % bands, after the transient; dashed: the exponential law",
                &words.join(". "),
            ]),
            parts: Plot::stack(plots.collect()),
            legend: legend(drawn),
            table: table(&points, drawn.len()),
        };
        Ok(sheet.draw(input))
    }
}

fn label(point: &Point) -> String {
    describe_trials(&point.point, point.trials, point.cut_off)
}

/// The coefficients of variation and the runs.
fn in_words(point: &Point) -> String {
    let waits = point.waits.iter().map(|waits| {
        let kind = waits.kind.name();
        format!("{kind} {}", with_interval(waits.variation))
    });
    let runs = point.runs.map(|runs| {
        let (none, three) = (with_interval(runs.none), with_interval(runs.three_or_more));
        let coin = short(tosses(runs), 3);
        format!("; runs of safe moves: P(0) = {none}, P(≥ 3) = {three}, of a coin {coin}")
    });
    format!(
        "{}: CV of the waits: {}{}",
        describe(&point.point),
        waits.collect::<Vec<_>>().join(", "),
        runs.unwrap_or_default()
    )
}

/// P(≥ 3) of tosses of a coin with the same P(0).
fn tosses(runs: Runs) -> f64 {
    let safe = 1.0 - runs.none.value;
    safe * safe * safe
}

fn with_interval(Estimate { value, interval }: Estimate) -> String {
    let [value, low, high] = [value, interval.low, interval.high].map(|it| short(it, 3));
    format!("{value} [{low}, {high}]")
}

fn style(kind: Kind) -> SeriesStyle {
    SeriesStyle::of(kind as usize)
}

fn in_legend(kind: Kind) -> &'static str {
    match kind {
        Kind::All => "waits between all moves",
        Kind::Dangerous => "waits between dangerous moves",
        Kind::Safe => "waits between safe moves",
    }
}

fn legend(points: &[Point]) -> Vec<Entry> {
    let is_drawn = |kind: &Kind| {
        points
            .iter()
            .any(|point| point.waits.iter().any(|it| it.kind == *kind))
    };
    let kinds = Kind::ALL.into_iter().filter(is_drawn);
    let mut entries: Vec<Entry> = kinds
        .map(|kind| Entry::new(Sample::Curve(style(kind)), in_legend(kind)))
        .collect();
    entries.push(Entry::new(
        Sample::Strip(style(Kind::All).colour),
        "band: pointwise 95 % interval",
    ));
    entries.push(Entry::new(
        Sample::Dashed(THEORY),
        "dashed: exponential waits of the same mean",
    ));
    entries
}

fn marks(waits: &Waits, row: usize) -> Vec<Mark> {
    let mark = |&(means, share): &(f64, Estimate)| Mark {
        row: Some(row),
        ..Mark::with_interval(means, share.value, share.interval)
    };
    waits.survival.iter().map(mark).collect()
}

/// The rows of the point begin at `first`.
fn plot(point: &Point, first: usize) -> Plot<'_> {
    let waits = point.waits.iter().zip(first..);
    let drawn: Vec<(Kind, Vec<Mark>)> = waits.map(|(it, row)| (it.kind, marks(it, row))).collect();
    let most = point
        .waits
        .iter()
        .map(|it| it.gaps)
        .max()
        .unwrap_or_default();
    let spans = (Span::integers([0, MOST_MEANS]), shares([most]));
    let titles = ("wait / mean wait", "share of longer waits");
    Plot::new(HEIGHT, spans, titles, move |panel| {
        paint_exponential(panel, least_share(most));
        let banded = drawn.iter().map(|(kind, marks)| Banded {
            marks,
            style: style(*kind),
            marker_every: 8,
            name: in_legend(*kind),
        });
        bands::paint(panel, banded);
    })
}

fn paint_exponential(panel: &Panel, least: f64) {
    let end = (-libm::log(least)).min(f64::from(MOST_MEANS));
    let spot = |means: f64| {
        (
            panel.x.pixel(means),
            panel.y.pixel_within(libm::exp(-means)),
        )
    };
    panel
        .canvas
        .dashed_line(spot(0.0), spot(end), THEORY, THIN_WIDTH);
}

fn table(points: &[Point], drawn: usize) -> Table {
    let lines = points
        .iter()
        .flat_map(|it| it.waits.iter().map(move |waits| (&it.point, (it, waits))));
    let lines: Vec<(&PointKey, (&Point, &Waits))> = lines.collect();
    // The runs are in the row of all moves.
    let runs = |(_, (it, waits)): &(&PointKey, (&Point, &Waits))| {
        it.runs.filter(|_| waits.kind == Kind::All)
    };
    let columns = Frame::of(&lines, &KEY_AXES)
        .column("kind", |it| it.1.1.kind.name())
        .column("trials", |it| it.1.0.trials)
        .column("cut_off", |it| it.1.0.cut_off)
        .column("transient", |it| it.1.0.transient)
        .column("waits", |it| it.1.1.gaps)
        .estimate("mean", |it| it.1.1.mean)
        .estimate("variation", |it| it.1.1.variation)
        .column("runs", |it| runs(it).map(|it| it.runs))
        .estimate("runs_0", |it| runs(it).map(|it| it.none))
        .estimate("runs_3_or_more", |it| runs(it).map(|it| it.three_or_more))
        .column("runs_3_or_more_of_a_coin", |it| runs(it).map(tosses))
        .note(
            "Waits in updates between successive moves of a `kind` in one trial, pooled over trials, without those that begin in the first `transient` updates, two mean relaxation times of the signals. \
             `variation`: standard deviation / mean of the pooled waits, 1 for exponential ones. Brackets hold 95 % intervals: BCa, from resampled trials.",
        )
        .note(
            "`runs`: stretches between two successive dangerous moves of a trial, the transient included; `runs_0` and `runs_3_or_more`: shares of those with no safe move and with three or more; \
             `runs_3_or_more_of_a_coin`: (1 − runs_0)³.",
        );
    let mut table = columns.frame.table();
    if points.iter().any(|it| it.cut_off > 0) {
        let note = "The moves of a trial end where it was cut off.";
        table.notes.push(note.to_owned());
    }
    if drawn < points.len() {
        let note = format!("Drawn: the first {drawn} of {} points.", points.len());
        table.notes.push(note);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;

    #[test]
    fn every_kind_has_its_line_and_the_runs_are_in_the_first() {
        let courses = synthetic::courses();
        let points: Vec<Point> = courses.iter().filter_map(Point::of).collect();
        let table = table(&points, 6);
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        let column = |name: &str| {
            table
                .header
                .iter()
                .position(|it| it == name)
                .expect("there")
        };
        let kinds: Vec<&str> = table.rows[..3]
            .iter()
            .map(|row| &*row[column("kind")])
            .collect();
        assert_eq!(
            (table.rows.len(), &kinds[..]),
            (18, &["all", "dangerous", "safe"][..])
        );
        // A move is dangerous with probability 1 − exp(−0.8), and so ends a run.
        let none: f64 = table.rows[0][column("runs_0")].parse().expect("a share");
        assert!((none - 0.551).abs() < 0.03, "{none}");
        assert_eq!(table.rows[1][column("runs_0")], "");
    }
}
