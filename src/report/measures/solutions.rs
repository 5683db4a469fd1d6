//! How often each class of solutions is reached. Which point is drawn (the largest board), the
//! order of classes and the rows of the χ² test are here; the counts are in `analysis/classes.rs`.

use crate::analysis::classes::{SolutionClass, SolutionClasses};
use crate::report::measures::kit::*;

pub const SOLUTION_CLASSES: MeasureTable = MeasureTable {
    name: "solution-classes",
    measures: &[Measure::new(
        "weight",
        "share of trials / share of solutions",
    )],
    across: &[("class", "class of solutions")],
    rows,
    needs: with_several_classes,
    lacking: "no trials with a solution on a board of several classes (n = 5, 7, 8)",
    takes_steps: true,
    ignores: MeasureTable::OF_ERRORS,
    ..MeasureTable::PLAIN
};

/// The points of the largest board with several classes.
fn with_several_classes(_: &Scope, points: Vec<Point>) -> Vec<Point> {
    let of_classes = only(points, |point| {
        point.goal.is_none() && matches!(side(point), Some(5 | 7 | 8))
    });
    let largest = of_classes.iter().filter_map(side).max();
    only(of_classes, |point| side(point) == largest)
}

fn side(point: &Point) -> Option<u32> {
    u32::try_from(point.integer("n")?).ok()
}

/// The largest board first, then rules with fewer parameters.
fn counted(scope: &Scope) -> Vec<(Point, SolutionClasses)> {
    let classes =
        |point: &Point, rows| Some((point.clone(), SolutionClasses::of(side(point)?, rows)?));
    let trials = scope.rows.trials.iter();
    let counted = trials.filter_map(|trial| classes(&trial.point, &trial.rows));
    let mut counted: Vec<(Point, SolutionClasses)> = counted.collect();
    counted.sort_by(|(a, _), (b, _)| {
        side(b)
            .cmp(&side(a))
            .then_with(|| fewer_axes_first(a, b))
            .then_with(|| a.order(b))
    });
    counted
}

/// A class of the solutions that trials of a point reached, numbered from 1.
struct Line<'c> {
    point: &'c Point,
    all: &'c SolutionClasses,
    class: &'c SolutionClass,
    number: u32,
}

impl<'c> Line<'c> {
    fn each_of((point, all): &'c (Point, SolutionClasses)) -> Vec<Self> {
        let numbered = all.classes.iter().zip(1..);
        let lines = numbered.map(|(class, number)| Self {
            point,
            all,
            class,
            number,
        });
        lines.collect()
    }
}

fn rows(scope: &Scope) -> Result<Table, String> {
    let mut counted = counted(scope);
    // One board side has one set of classes.
    let largest = counted.first().and_then(|(point, _)| side(point));
    let is_largest = |(point, _): &(Point, SolutionClasses)| side(point) == largest;
    let others = counted.split_off(counted.partition_point(is_largest));
    let lines: Vec<Line> = counted.iter().flat_map(Line::each_of).collect();
    let board = |class: &SolutionClass| class.board.iter().map(usize::to_string).join(" ");
    let columns = Table::of(&lines, |line| line.point, &KEY_AXES)
        .column("class", |line| line.number)
        .column("board", |line| board(line.class))
        .column("size", |line| line.class.size)
        .column("uniform_share", |line| line.class.uniform_share)
        .column("trials", |line| line.all.trials)
        .column("count", |line| line.class.trials);
    let columns = columns
        .estimate("weight", |line| line.all.weight(line.class))
        .empty(&["fit", "value"])
        .note(NOTE);
    let mut table = columns.table;
    push_tests(&mut table, &counted);
    let others = others.into_iter().map(|(point, _)| point);
    table.leave_out(
        others,
        "another n, with other classes; choose it with where",
    );
    Ok(table)
}

const NOTE: &str = "`class`: solutions that turns and reflections of the board map to each other; `board` is its first one, the column of the queen in each row. `weight`: share of \
    the absorbed `trials` over `uniform_share` = `size` / number of solutions; brackets hold 95 % intervals (Wilson), not adjusted for multiple comparisons. \
    `fit` and `value`: the test against equally likely solutions.";

/// The test of each point against equally likely solutions, and its trials that were cut off.
fn push_tests(table: &mut Table, counted: &[(Point, SolutionClasses)]) {
    let digits = Digits::of(counted.iter().map(|(point, _)| point));
    for (point, classes) in counted {
        for (name, value) in [
            ("chi_square", classes.chi_square().into()),
            ("degrees_of_freedom", classes.degrees_of_freedom().into()),
            ("p_value", classes.p_value().into()),
            ("effect_size", classes.effect_size().into()),
        ] {
            table.push(
                Some((point, &[])),
                &[("fit", name.into()), ("value", value)],
            );
        }
        if classes.censored > 0 {
            let point = digits.describe(point);
            let censored = spaced(classes.censored);
            table.warn(&format!(
                "{point}: trials cut off, which count in no class: {censored}"
            ));
        }
    }
}
