//! How often each class of solutions is reached.

use crate::analysis::classes::{Class, Classes, are_several};
use crate::analysis::mean::Estimate;
use crate::drawing::{Picture, Place, Position};
use crate::experiment::spec::Choices;
use crate::experiment::store::PointKey;
use crate::report::canvas::Canvas;
use crate::report::foresight::Foreseen;
use crate::report::frame::{Cell, Frame};
use crate::report::left_out::LeftOut;
use crate::report::legend::{Entry, Sample};
use crate::report::number::short;
use crate::report::panel::Mark;
use crate::report::scale::Span;
use crate::report::series::{describe, fewer_axes_first};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::{FOOT_ROOM, SeriesStyle, THEORY};
use crate::report::{Drawing, Figure, Input, NothingToDraw};
use crate::results::PointTrials;
use crate::solver::point::KEY_AXES;

/// The share of trials that ended in each class of solutions, divided by the share that the class
/// has of all solutions; one mark per point.
pub struct SolutionClasses;

impl Figure for SolutionClasses {
    fn kind(&self) -> &'static str {
        "solution-classes"
    }

    fn doc(&self) -> &'static str {
        "how often each class of solutions (up to turns and reflections) is reached, against its share of all solutions"
    }

    fn takes_steps(&self, _: &Choices) -> bool {
        true
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let has_classes = |point: &PointKey| side(point).is_some_and(are_several);
        self.needs(plan.trials().any(has_classes), NO_CLASSES)
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let counted: Vec<Counted> = counted(input.trials);
        let Some(first) = counted.first() else {
            return Err(self.nothing(NO_CLASSES));
        };
        // One board side has one set of classes; other sides stay in the table.
        let shown: Vec<&Counted> = counted
            .iter()
            .filter(|counted| side(&counted.key) == side(&first.key))
            .collect();
        let words: Vec<String> = counted.iter().map(Counted::in_words).collect();
        let lead = format!(
            "Share of the trials that ended in each of the {} classes of solutions of n = {}, divided by the class's share of all {} solutions; bars: 95 % intervals \
             (Wilson), each for itself",
            first.classes.classes.len(),
            side(&first.key).unwrap_or_default(),
            first
                .classes
                .classes
                .iter()
                .map(|class| class.size)
                .sum::<u64>(),
        );
        let sheet = Sheet {
            findings: words.clone(),
            left_out: LeftOut::but(shown.iter().map(|counted| &counted.key)).because(
                counted
                    .iter()
                    .map(|counted| &counted.key)
                    .filter(|key| side(key) != side(&first.key)),
                "another n, with other classes; in the table",
            ),
            caption: sentences([&lead[..], &words.join(". ")]),
            parts: Plot::stack(vec![plot(&shown)]),
            legend: legend(&shown),
            table: frame(&counted, &words).table(),
        };
        Ok(sheet.draw(input))
    }
}

/// Why there is nothing to draw.
const NO_CLASSES: &str = "no trials with a solution on a board of several classes (n = 5, 7, 8)";

/// A point's trials by class.
struct Counted {
    key: PointKey,
    classes: Classes,
    style: SeriesStyle,
    /// Of its first class in the table.
    row: usize,
}

fn side(point: &PointKey) -> Option<u32> {
    u32::try_from(point.integer("n")?).ok()
}

/// The largest board first, then rules with fewer parameters.
fn counted(trials: &[PointTrials]) -> Vec<Counted> {
    let mut points: Vec<(PointKey, Classes)> = trials
        .iter()
        .filter_map(|point| {
            Some((
                point.point.clone(),
                Classes::of(side(&point.point)?, &point.rows)?,
            ))
        })
        .collect();
    points.sort_by(|(a, _), (b, _)| {
        side(b)
            .cmp(&side(a))
            .then_with(|| fewer_axes_first(a, b))
            .then_with(|| a.order(b))
    });
    points
        .into_iter()
        .enumerate()
        .scan(0, |rows, (index, (key, classes))| {
            let row = *rows;
            *rows += classes.classes.len();
            Some(Counted {
                key,
                classes,
                style: SeriesStyle::of(index),
                row,
            })
        })
        .collect()
}

impl Counted {
    fn label(&self) -> String {
        describe(&self.key)
    }

    fn in_words(&self) -> String {
        let Classes {
            classes,
            trials,
            censored,
        } = &self.classes;
        let weights = || classes.iter().map(|class| self.classes.weight(class).0);
        let (least, most) = (
            weights().fold(f64::INFINITY, f64::min),
            weights().fold(0.0, f64::max),
        );
        let p = self.classes.p_value();
        let p = if p < 1e-300 {
            "p < 10⁻³⁰⁰".to_owned()
        } else {
            format!("p = {}", short(p, 2))
        };
        let cut = if *censored > 0 {
            format!("; cut off: {censored} trials, which count in no class")
        } else {
            String::new()
        };
        format!(
            "{}: weights from {} to {}; against equally likely solutions χ² = {} ({} degrees of freedom), {p}, effect size w = {} ({trials} trials){cut}",
            self.label(),
            short(least, 2),
            short(most, 3),
            short(self.classes.chi_square(), 3),
            self.classes.degrees_of_freedom(),
            short(self.classes.effect_size(), 2),
        )
    }
}

fn frame(counted: &[Counted], words: &[String]) -> Frame {
    let lines = counted.iter().flat_map(|it| {
        let classes = it.classes.classes.iter().zip(1..);
        classes.map(move |(class, number)| (&it.key, (it, class, number)))
    });
    let lines: Vec<(&PointKey, (&Counted, &Class, u32))> = lines.collect();
    let board = |class: &Class| {
        let queens: Vec<String> = class.board.iter().map(usize::to_string).collect();
        queens.join(" ")
    };
    let columns = Frame::of(&lines, &KEY_AXES)
        .column("class", |it| it.1.2)
        .column("board", |it| board(it.1.1))
        .column("size", |it| it.1.1.size)
        .column("uniform_share", |it| it.1.1.uniform_share)
        .column("trials", |it| it.1.0.classes.trials)
        .column("count", |it| it.1.1.trials)
        .estimate("weight", |it| {
            let (value, interval) = it.1.0.classes.weight(it.1.1);
            Estimate { value, interval }
        })
        .column("fit", |_| Cell::Empty)
        .column("value", |_| Cell::Empty)
        .note(
            "`class`: solutions that turns and reflections of the board map to each other; `board` is its first one, the column of the queen in each row. `weight`: share of \
             the absorbed `trials` over `uniform_share` = `size` / number of solutions; brackets hold 95 % intervals (Wilson), each class for itself. \
             `fit` and `value`: the test against equally likely solutions.",
        );
    let mut frame = columns.frame;
    for Counted { key, classes, .. } in counted {
        for (name, value) in [
            ("chi_square", classes.chi_square().into()),
            ("degrees_of_freedom", classes.degrees_of_freedom().into()),
            ("p_value", classes.p_value().into()),
            ("effect_size", classes.effect_size().into()),
        ] {
            frame.push(Some((key, &[])), &[("fit", name.into()), ("value", value)]);
        }
    }
    words
        .iter()
        .fold(frame, |frame, it| frame.noted(&format!("{it}.")))
}

const HEIGHT: i32 = 860;
/// Room under the axis for the drawn boards.
const BOARD_ROOM: i32 = 220;
/// Each is at most so wide, frame included.
const BOARD_WIDTH: i32 = 150;

fn legend(shown: &[&Counted]) -> Vec<Entry> {
    let point = |counted: &&Counted| Entry::new(Sample::Marker(counted.style), counted.label());
    let mut entries: Vec<Entry> = shown.iter().map(point).collect();
    entries.push(Entry::new(
        Sample::Dashed(THEORY),
        "every solution equally likely",
    ));
    entries.push(Entry::new(Sample::ErrorBar, "95 % interval"));
    entries
}

fn plot<'a>(shown: &'a [&Counted]) -> Plot<'a> {
    let marks: Vec<Vec<Mark>> = shown
        .iter()
        .enumerate()
        .map(|(index, counted)| marks(counted, index, shown.len()))
        .collect();
    let classes = &shown[0].classes.classes;
    let highest = marks.iter().flatten().map(|mark| mark.high).chain([1.0]);
    let spans = (
        Span::integers([1, classes.len() as u32]),
        Span::from_zero(highest),
    );
    let titles = ("class of solutions", "share of trials / share of solutions");
    let plot = Plot::new(HEIGHT, spans, titles, move |panel| {
        panel.draw_level(1.0, THEORY);
        for (counted, marks) in shown.iter().zip(&marks) {
            panel.draw_marks(marks, counted.style, &counted.label());
        }
    });
    plot.with_room_under(BOARD_ROOM, |panel| {
        // Beside one another on a narrow page too.
        let width = BOARD_WIDTH.min((panel.x.pixel(2.0) - panel.x.pixel(1.0)) * 6 / 7);
        for (class, number) in classes.iter().zip(1..) {
            let top = panel.frame.bottom + FOOT_ROOM;
            let spot = (panel.x.pixel(f64::from(number)), top);
            draw_board(panel.canvas, &class.board, spot, width);
        }
    })
}

/// Side by side around the number of the class.
fn marks(counted: &Counted, index: usize, shown: usize) -> Vec<Mark> {
    let aside = 0.3 * ((index as f64 + 0.5) / shown as f64 - 0.5);
    let mark = |(class, number): (&Class, u32)| {
        let (weight, interval) = counted.classes.weight(class);
        Mark {
            aside,
            row: Some(counted.row + number as usize - 1),
            ..Mark::with_interval(f64::from(number), weight, interval)
        }
    };
    counted.classes.classes.iter().zip(1..).map(mark).collect()
}

/// The board, its upper edge centred at the spot; `queens` is the column of the queen in each row.
fn draw_board(canvas: &Canvas, queens: &[usize], (centre, top): (i32, i32), width: i32) {
    let side = queens.len();
    let mut cells = vec![0; side * side];
    for (y, &x) in queens.iter().enumerate() {
        cells[Place { x, y }.index(side)] = 1;
    }
    // A larger board has no solutions that could be listed.
    let Ok(position) = Position::new(side, cells) else {
        return;
    };
    let picture = Picture {
        coordinates: false,
        ..Picture::new(position)
    };
    canvas.board(picture, (centre - width / 2, top), width);
}
