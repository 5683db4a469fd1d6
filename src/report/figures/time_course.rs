//! What happens inside a trial: the mean of each observable against time.

use crate::analysis::course::relaxation_time;
use crate::analysis::course::time_course::{Moment, OBSERVABLES, TimeCourse as Course};
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
use crate::report::style::{SeriesStyle, THIN_WIDTH};
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::point::KEY_AXES;

/// The mean of each observable over trials against the number of updates, one panel for each, one
/// curve per point.
pub struct TimeCourse;

/// Why there is nothing to draw.
const NO_SERIES: &str = "no trial has a series with a moment after the start";
const HEIGHT: i32 = 360;
/// Place in [`OBSERVABLES`].
const THREATENED: usize = 1;
/// The bands of more curves could not be told apart.
const MOST_CURVES: usize = 6;

impl Figure for TimeCourse {
    fn kind(&self) -> &'static str {
        "time-course"
    }

    fn doc(&self) -> &'static str {
        "observables inside a trial against time: means over trials with bands"
    }

    fn draws_courses(&self) -> bool {
        true
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let has_series = plan.points.iter().any(|it| it.has_series);
        self.needs(has_series, NO_SERIES)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let courses: Vec<Course> = input.courses.iter().filter_map(Course::of).collect();
        let drawn = 0..courses.len().min(MOST_CURVES);
        let curves: Vec<Curve> = drawn.map(|index| Curve::of(&courses, index)).collect();
        let plots: Vec<Plot> = PANELS
            .iter()
            .filter_map(|panel| panel.plot(&curves))
            .collect();
        if plots.is_empty() {
            return Err(self.nothing(NO_SERIES));
        }
        let sheet = Sheet {
            findings: curves.iter().filter_map(Curve::finding).collect(),
            left_out: LeftOut::but(curves.iter().map(|curve| &curve.course.point)).because(
                courses
                    .iter()
                    .skip(curves.len())
                    .map(|course| &course.point),
                &format!("{MOST_CURVES} curves are drawn; in the table"),
            ),
            caption: sentences([
                "Means over trials against the number of updates, with 95 % bands; after its absorption a trial stands still and goes on to count; last panel: moves an update of the trials not yet absorbed",
            ]),
            parts: Plot::stack(plots),
            legend: legend(&curves),
            table: table(&courses, curves.len()),
        };
        Ok(sheet.draw(input))
    }
}

struct Curve<'a> {
    /// Of its first moment in the table.
    row: usize,
    course: &'a Course,
    style: SeriesStyle,
    relaxation: Option<f64>,
}

impl<'a> Curve<'a> {
    fn of(courses: &'a [Course], index: usize) -> Self {
        let course = &courses[index];
        Self {
            row: courses[..index].iter().map(|it| it.moments.len()).sum(),
            course,
            style: SeriesStyle::of(index),
            relaxation: relaxation_time(&course.point),
        }
    }

    fn marks(&self, quantity: Quantity) -> Vec<Mark> {
        let mark = |(moment, row): (&Moment, usize)| {
            let Estimate { value, interval } = quantity.of(moment)?;
            let is_there = moment.update > 0 && (!quantity.is_logarithmic() || value > 0.0);
            is_there.then(|| Mark {
                row: Some(row),
                ..Mark::with_interval(moment.update as f64, value, interval)
            })
        };
        let moments = self.course.moments.iter().zip(self.row..);
        moments.filter_map(mark).collect()
    }

    /// When most queens are threatened, and how many.
    fn finding(&self) -> Option<String> {
        let mean = |moment: &Moment| moment.means[THREATENED];
        let mut moments = self.course.moments.iter();
        let first = moments.next()?;
        let most = moments.fold(first, |most, moment| {
            if mean(moment).value > mean(most).value {
                moment
            } else {
                most
            }
        });
        let Estimate { value, interval } = mean(most);
        let [value, low, high] = [value, interval.low, interval.high].map(|it| short(it, 3));
        Some(format!(
            "{}: the mean number of threatened queens is greatest after {} updates: {value} (95 %: {low} to {high})",
            describe(&self.course.point),
            short(most.update as f64, 2)
        ))
    }

    fn in_words(&self) -> String {
        let course = self.course;
        describe_trials(&course.point, course.trials, course.cut_off)
    }
}

/// What is drawn against time.
#[derive(Clone, Copy)]
enum Quantity {
    /// By its place in [`OBSERVABLES`].
    Mean(usize),
    MoveRate,
}

impl Quantity {
    fn of(self, moment: &Moment) -> Option<Estimate> {
        match self {
            Self::Mean(place) => Some(moment.means[place]),
            Self::MoveRate => moment.move_rate,
        }
    }

    fn is_logarithmic(self) -> bool {
        matches!(self, Self::MoveRate)
    }
}

struct PanelOf {
    quantity: Quantity,
    label: &'static str,
    unit: &'static str,
}

const fn panel(quantity: Quantity, label: &'static str, unit: &'static str) -> PanelOf {
    PanelOf {
        quantity,
        label,
        unit,
    }
}

const PANELS: [PanelOf; 8] = [
    panel(
        Quantity::Mean(0),
        "true signals: share of the cells' directions whose signal is true",
        "share",
    ),
    panel(
        Quantity::Mean(1),
        "threatened: queens on cells that are not SAFESTAY",
        "queens",
    ),
    panel(
        Quantity::Mean(2),
        "attacked: queens that would be threatened if all signals were true",
        "queens",
    ),
    panel(
        Quantity::Mean(3),
        "safe cells: empty and without a signal",
        "cells",
    ),
    panel(
        Quantity::Mean(4),
        "truly safe cells: empty and without a true signal",
        "cells",
    ),
    panel(
        Quantity::Mean(5),
        "safe moves: of a threatened queen to an adjacent cell that is SAFEGO",
        "moves",
    ),
    panel(
        Quantity::Mean(6),
        "conflicts: pairs of queens on one line, summed over all lines",
        "pairs",
    ),
    panel(
        Quantity::MoveRate,
        "rate of moves of the trials not yet absorbed",
        "moves / update",
    ),
];

impl PanelOf {
    /// `None` where no curve has a mark.
    fn plot<'a>(&'a self, curves: &'a [Curve]) -> Option<Plot<'a>> {
        let drawn: Vec<Vec<Mark>> = curves.iter().map(|it| it.marks(self.quantity)).collect();
        let marks = || drawn.iter().flatten();
        let across = Span::logarithmic(curves.iter().flat_map(|curve| {
            let updates = curve
                .course
                .moments
                .iter()
                .map(|moment| moment.update as f64);
            updates.chain(curve.relaxation)
        }))?;
        let up = if self.quantity.is_logarithmic() {
            Span::logarithmic(marks().flat_map(Mark::heights))?
        } else {
            Span::from_zero(marks().flat_map(Mark::heights))
        };
        let titles = ("number of updates", self.unit);
        let plot = Plot::new(HEIGHT, (across, up), titles, move |panel| {
            paint(panel, curves, &drawn);
        });
        Some(plot.labelled(self.label))
    }
}

fn paint(panel: &Panel, curves: &[Curve], drawn: &[Vec<Mark>]) {
    for curve in curves {
        if let Some(relaxation) = curve.relaxation {
            let (x, frame) = (panel.x.pixel(relaxation), panel.frame);
            let ends = ((x, frame.bottom), (x, frame.top));
            panel
                .canvas
                .dashed_line(ends.0, ends.1, curve.style.colour, THIN_WIDTH);
        }
    }
    let names: Vec<String> = curves.iter().map(Curve::in_words).collect();
    let drawn = curves.iter().zip(drawn).enumerate();
    let banded = drawn.map(|(index, (curve, marks))| Banded {
        marks,
        style: curve.style,
        marker_every: 5,
        name: &names[index],
    });
    bands::paint(panel, banded);
}

fn legend(curves: &[Curve]) -> Vec<Entry> {
    let curve = |curve: &Curve| Entry::new(Sample::Curve(curve.style), curve.in_words());
    let mut entries: Vec<Entry> = curves.iter().map(curve).collect();
    let colour = curves[0].style.colour;
    entries.push(Entry::new(
        Sample::Strip(colour),
        "band: 95 % interval of the mean over trials",
    ));
    if curves.iter().any(|curve| curve.relaxation.is_some()) {
        entries.push(Entry::new(
            Sample::Dashed(colour),
            "dashed: mean relaxation time of the signals",
        ));
    }
    if curves.iter().any(|curve| curve.course.cut_off > 0) {
        entries.push(Entry::new(
            Sample::None,
            "the rows of a trial end where it was cut off",
        ));
    }
    entries
}

fn table(courses: &[Course], drawn: usize) -> Table {
    let lines = courses.iter();
    let lines = lines.flat_map(|it| {
        it.moments
            .iter()
            .map(move |moment| (&it.point, (it, moment)))
    });
    let lines: Vec<(&PointKey, (&Course, &Moment))> = lines.collect();
    let mut columns = Frame::of(&lines, &KEY_AXES)
        .column("update", |it| it.1.1.update)
        .column("trials", |it| it.1.0.trials)
        .column("observed", |it| it.1.1.observed)
        .column("living", |it| it.1.1.living);
    for (index, observable) in OBSERVABLES.iter().enumerate() {
        columns = columns.estimate(observable.name, |it| it.1.1.means[index]);
    }
    let columns = columns
        .estimate("move_rate", |it| it.1.1.move_rate)
        .note(
            "The state after `update` updates: means over the `observed` of the `trials`, of which `living` are not yet absorbed; after the absorption the state stands still and counts. \
             The observables are defined in docs/rules.md. Brackets hold 95 % intervals: the t interval of the logarithm.",
        )
        .note(
            "`moves`: queen moves so far. `move_rate`: queen moves an update of the trials not yet absorbed, since the line before (Σ moves / Σ updates).",
        );
    let mut table = columns.frame.table();
    if courses.iter().any(|course| course.cut_off > 0) {
        let note = "The rows of a trial end where it was cut off.";
        table.notes.push(note.to_owned());
    }
    if drawn < courses.len() {
        let note = format!("Drawn: the first {drawn} of {} points.", courses.len());
        table.notes.push(note);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;

    /// One line per point and moment, with the trials that are still there.
    #[test]
    fn the_table_says_how_many_trials_there_are_still() {
        let courses = synthetic::courses();
        let courses: Vec<Course> = courses.iter().filter_map(Course::of).collect();
        let table = table(&courses, 6);
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        assert_eq!(table.rows.len(), 6 * 13);
        let column = |name: &str| {
            table
                .header
                .iter()
                .position(|it| it == name)
                .expect("there")
        };
        let last = &table.rows[12];
        assert_eq!(last[column("update")], "1200000");
        assert_eq!(
            (&*last[column("observed")], &*last[column("living")]),
            ("20", "0")
        );
        let cut_off = table.rows.last().expect("rows");
        assert_eq!(cut_off[column("observed")], "19");
    }
}
