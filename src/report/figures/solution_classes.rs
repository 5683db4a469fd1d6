//! How often each class of solutions is reached.

use crate::analysis::classes::{Class, Classes, are_several};
use crate::analysis::mean::Estimate;
use crate::drawing::{Picture, Place, Position};
use crate::report::canvas::Canvas;
use crate::report::chart::{Beneath, Chart, Panel, Scope, Shape};
use crate::report::frame::{Cell, Frame};
use crate::report::number::short;
use crate::report::series::{Along, describe, fewer_axes_first};
use crate::report::sheet::Part;
use crate::solver::Point;
use crate::solver::point::KEY_AXES;

/// The share of trials that ended in each class of solutions, divided by the share that the class
/// has of all solutions; one mark per point.
pub const SOLUTION_CLASSES: Chart = Chart {
    kind: "solution-classes",
    doc: "how often each class of solutions (up to turns and reflections) is reached, against its share of all solutions",
    title: "How often each class of solutions is reached",
    lead: "Share of the trials that ended in each class of solutions, which turns and reflections of the board map to each other, divided by the class's share of all solutions \
           (intervals: Wilson, each for itself); dashed: every solution equally likely; below: the first board of each class",
    along: Along {
        axes: &[],
        least: 1,
        ..Chart::PLAIN.along
    },
    across: Some(("class", "class of solutions")),
    is_wanted: |point, _| side(point).is_some_and(are_several),
    nothing: "no trials with a solution on a board of several classes (n = 5, 7, 8)",
    rows,
    panels: &[Panel {
        height: 860,
        ys: &[("weight", "")],
        title: "share of trials / share of solutions",
        shape: Shape::Marks,
        level: Some(1.0),
        ..Panel::PLAIN
    }],
    beneath,
    takes_steps: true,
    findings: |scene| scene.frame.findings.clone(),
    ..Chart::PLAIN
};

fn side(point: &Point) -> Option<u32> {
    u32::try_from(point.integer("n")?).ok()
}

/// The largest board first, then rules with fewer parameters.
fn counted(scope: &Scope) -> Vec<(Point, Classes)> {
    let classes = |point: &Point, rows| Some((point.clone(), Classes::of(side(point)?, rows)?));
    let trials = scope.input.trials.iter();
    let counted = trials.filter_map(|it| classes(&it.point, &it.rows));
    let mut counted: Vec<(Point, Classes)> = counted.collect();
    counted.sort_by(|(a, _), (b, _)| {
        let sides = side(b).cmp(&side(a));
        sides
            .then_with(|| fewer_axes_first(a, b))
            .then_with(|| a.order(b))
    });
    counted
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let mut counted = counted(scope);
    // One board side has one set of classes.
    let largest = counted.first().and_then(|it| side(&it.0));
    let others = counted.partition_point(|it| side(&it.0) == largest);
    let others = counted.split_off(others);
    let lines = counted.iter().flat_map(|(key, classes)| {
        let numbered = classes.classes.iter().zip(1..);
        numbered.map(move |(class, number)| (key, (classes, class, number)))
    });
    let lines: Vec<(&Point, (&Classes, &Class, u32))> = lines.collect();
    let board = |class: &Class| {
        let queens: Vec<String> = class.board.iter().map(usize::to_string).collect();
        queens.join(" ")
    };
    let columns = Frame::of(&lines, &KEY_AXES)
        .column("class", |it| it.1.2)
        .column("board", |it| board(it.1.1))
        .column("size", |it| it.1.1.size)
        .column("uniform_share", |it| it.1.1.uniform_share)
        .column("trials", |it| it.1.0.trials)
        .column("count", |it| it.1.1.trials)
        .estimate("weight", |it| {
            let (value, interval) = it.1.0.weight(it.1.1);
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
    for (key, classes) in &counted {
        for (name, value) in [
            ("chi_square", classes.chi_square().into()),
            ("degrees_of_freedom", classes.degrees_of_freedom().into()),
            ("p_value", classes.p_value().into()),
            ("effect_size", classes.effect_size().into()),
        ] {
            frame.push(Some((key, &[])), &[("fit", name.into()), ("value", value)]);
        }
        if classes.censored > 0 {
            let censored = classes.censored;
            let point = describe(key);
            frame.warn(&format!(
                "{point}: {censored} trials were cut off and count in no class"
            ));
        }
    }
    frame.findings = counted.iter().map(in_words).collect();
    let reason = "another n, with other classes; choose it with where".to_owned();
    frame.left_out = others
        .into_iter()
        .map(|it| (it.0, reason.clone()))
        .collect();
    Ok(frame)
}

/// How far the least and the most frequent class are from an equal share.
fn in_words((key, classes): &(Point, Classes)) -> String {
    let weights = || classes.classes.iter().map(|it| classes.weight(it).0);
    let (least, most) = (
        weights().fold(f64::INFINITY, f64::min),
        weights().fold(0.0, f64::max),
    );
    format!(
        "{}: from {} to {} times as often as if all solutions were equally likely (effect size w = {})",
        describe(key),
        short(least, 2),
        short(most, 3),
        short(classes.effect_size(), 2)
    )
}

/// Room under the axis for the drawn boards.
const BOARD_ROOM: i32 = 220;
/// Each is at most so wide, frame included.
const BOARD_WIDTH: i32 = 150;

/// The first board of each class, under its number.
fn beneath(scope: &Scope) -> Option<Beneath> {
    let (_, classes) = counted(scope).into_iter().next()?;
    let part = Part {
        height: BOARD_ROOM,
        ..Part::of(move |canvas, frame| {
            let (room, count) = (frame.right - frame.left, classes.classes.len() as i32);
            // Beside one another on a narrow page too.
            let width = BOARD_WIDTH.min(room / count * 6 / 7);
            for (class, index) in classes.classes.iter().zip(0..) {
                let centre = frame.left + room * (2 * index + 1) / (2 * count);
                draw_board(canvas, &class.board, (centre - width / 2, frame.top), width);
            }
        })
    };
    Some((part, String::new()))
}

/// The board with its upper left corner at the spot; `queens` is the column of the queen in each
/// row.
fn draw_board(canvas: &Canvas, queens: &[usize], corner: (i32, i32), width: i32) {
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
    canvas.board(picture, corner, width);
}
